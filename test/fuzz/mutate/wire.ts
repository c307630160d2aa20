/** The bytes of the request as a whole, as no client writes them. */
import type { Chance } from "../chance.ts";
import { type FuzzRequest, type Header, headOf } from "../request.ts";
import type { Mutator } from "./draft.ts";

const HOST: Header = ["Host", "127.0.0.1"];
const LENGTHS = ["-1", "+5", "0x10", "1e3", "", " ", "5, 5", "99999999999999999999", "10 ", "١"];
const CHUNK_SIZES = ["zz", "-1", "0x5", "fffffffffffffffff", "", "5;ext=1", "5 ", "00000005"];

const onWire = (
  name: string,
  weight: number,
  toWire: (request: FuzzRequest, body: Buffer, chance: Chance) => Buffer[],
): Mutator => ({
  name: `wire: ${name}`,
  stage: "wire",
  weight,
  mutate: ({ request, chance }) => {
    request.wire = toWire(request, request.body ?? Buffer.alloc(0), chance);
  },
});

export const wireMutators: Mutator[] = [
  onWire("length too small", 2, (request, body, chance) => [
    headOf(request, [HOST, ["Content-Length", String(chance.below(body.length || 1))]]),
    body,
  ]),
  onWire("length too large", 2, (request, body, chance) => [
    headOf(request, [HOST, ["Content-Length", String(body.length + chance.pick([1, 100, 1_000_000]))]]),
    body,
  ]),
  onWire("odd length", 2, (request, body, chance) => [
    headOf(request, [HOST, ["Content-Length", chance.pick(LENGTHS)]]),
    body,
  ]),
  onWire("two lengths", 1, (request, body) => [
    withTwoLengths(headOf(request, [HOST, ["Content-Length", String(body.length)]]), body.length),
    body,
  ]),
  onWire("chunks", 4, (request, body, chance) => [
    headOf(request, [HOST, ["Transfer-Encoding", "chunked"]]),
    ...chunks(body, chance),
  ]),
  onWire("odd chunks", 3, (request, body, chance) => [
    headOf(request, [HOST, ["Transfer-Encoding", "chunked"]]),
    Buffer.from(`${chance.pick(CHUNK_SIZES)}\r\n`, "latin1"),
    body,
    Buffer.from(chance.pick(["\r\n0\r\n\r\n", "\r\n", "0\r\n\r\n", "\r\n0\r\nX-Trailer: 1\r\n\r\n"])),
  ]),
  onWire("chunks without an end", 1, (request, body, chance) => [
    headOf(request, [HOST, ["Transfer-Encoding", "chunked"]]),
    ...chunks(body, chance).slice(0, -1),
  ]),
  onWire("length and chunks", 2, (request, body, chance) => [
    headOf(request, [
      HOST,
      ["Content-Length", String(body.length)],
      ["Transfer-Encoding", chance.pick(["chunked", "Chunked", "gzip, chunked", "identity", "xchunked"])],
    ]),
    ...chunks(body, chance),
  ]),
  onWire("Expect", 2, (request, body, chance) => [
    headOf(request, [
      HOST,
      ["Content-Length", String(body.length)],
      ["Expect", chance.pick(["100-continue", "100-Continue", "200-ok", ""])],
    ]),
    body,
  ]),
  onWire("in small writes", 1, (request, body) =>
    split(Buffer.concat([headOf(request, [HOST, ["Content-Length", String(body.length)]]), body])),
  ),
  onWire("cut", 2, (request, body, chance) => {
    const whole = Buffer.concat([headOf(request, [HOST, ["Content-Length", String(body.length)]]), body]);
    return [whole.subarray(0, chance.below(whole.length))];
  }),
  onWire("two at once", 2, (request, body) => {
    const one = Buffer.concat([headOf(request, [HOST, ["Content-Length", String(body.length)]]), body]);
    return [Buffer.concat([one, one])];
  }),
  onWire("odd head", 3, (request, body, chance) => {
    const head = headOf(request, [HOST, ["Content-Length", String(body.length)]]).toString("latin1");
    const odd = chance.pick([
      head.replace("HTTP/1.1", chance.pick(["HTTP/1.0", "HTTP/2.0", "HTTP/9.9", "http/1.1", "", "HTTP/1.1 x"])),
      head.replaceAll("\r\n", "\n"),
      head.replace(
        /Host: .*\r\n/,
        chance.pick([
          "",
          "Host:\r\n",
          "Host: a b\r\n",
          "Host: [\r\n",
          "Host: %00\r\n",
          "Host: a\r\nHost: b\r\n",
          "Host: \xff\r\n",
        ]),
      ),
      head.replace("\r\n", "\r\n folded\r\n"),
      head.replace("\r\n", "\r\nno colon\r\n"),
      head.replace("\r\n", "\r\nX\0: 1\r\n"),
      head.replace("\r\n", "\r\n: empty\r\n"),
      head.replace("\r\n", "\r\nX: a\0b\r\n"),
      `\r\n\r\n${head}`,
    ]);
    return [Buffer.from(odd, "latin1"), body];
  }),
];

function chunks(body: Buffer, chance: Chance): Buffer[] {
  const size = chance.pick([1, 7, 1_000, 100_000]);
  const parts: Buffer[] = [];
  // Not more than a few hundred: each is a write of its own.
  const step = Math.max(size, Math.ceil(body.length / 300));
  for (let at = 0; at < body.length; at += step) {
    const part = body.subarray(at, at + step);
    parts.push(Buffer.concat([Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from("\r\n")]));
  }
  return [...parts, Buffer.from("0\r\n\r\n")];
}

function split(whole: Buffer): Buffer[] {
  const step = Math.ceil(whole.length / 50);
  return Array.from({ length: 50 }, (_, index) => whole.subarray(index * step, (index + 1) * step)).filter(
    ({ length }) => length > 0,
  );
}

const withTwoLengths = (head: Buffer, length: number): Buffer =>
  Buffer.from(head.toString("latin1").replace("\r\n", `\r\nContent-Length: ${length + 1}\r\n`), "latin1");

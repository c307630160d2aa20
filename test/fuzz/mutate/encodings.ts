/** How the body is encoded, and how it says that it is. */
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";

import type { Chance } from "../chance.ts";
import { type Mutator, removeHeader, setHeader } from "./draft.ts";

const NAMES = [
  "gzip",
  "GZIP",
  " gzip ",
  "x-gzip",
  "deflate",
  "br",
  "zstd",
  "identity",
  "Identity",
  "",
  "gzip, gzip",
  "gzip,identity",
  "identity, gzip",
  "none",
  "utf-8",
  "gzip;q=1",
];

const encoding = (
  name: string,
  weight: number,
  told: string | null,
  encode: (body: Buffer, chance: Chance) => Buffer,
): Mutator => ({
  name: `encoding: ${name}`,
  stage: "encoding",
  weight,
  mutate: (draft) => {
    const { request, chance } = draft;
    if (request.body === null) return;
    request.body = encode(request.body, chance);
    if (told === null) removeHeader(draft, "Content-Encoding");
    else setHeader(draft, "Content-Encoding", told);
  },
});

/** As senders do. */
export const gzipping = encoding("gzip", 4, "gzip", (body, chance) => gzipSync(body, { level: chance.below(10) }));

export const encodingMutators: Mutator[] = [
  gzipping,
  encoding("GZip", 1, "GZip", (body) => gzipSync(body)),
  encoding("gzip cut", 3, "gzip", (body, chance) => {
    const whole = gzipSync(body);
    return whole.subarray(0, chance.below(whole.length));
  }),
  encoding("gzip flipped", 2, "gzip", (body, chance) => {
    const whole = gzipSync(body);
    const at = chance.below(whole.length);
    whole[at] = (whole[at] ?? 0) ^ (1 << chance.below(8));
    return whole;
  }),
  encoding("gzip and junk", 2, "gzip", (body, chance) =>
    Buffer.concat([
      gzipSync(body),
      Buffer.from(chance.pick(["x", "\0\0\0", "{}", "\x1f\x8b", chance.letters(2_000)]), "latin1"),
    ]),
  ),
  encoding("gzip in members", 2, "gzip", (body, chance) => {
    const at = chance.below(body.length + 1);
    return Buffer.concat([gzipSync(body.subarray(0, at)), gzipSync(body.subarray(at))]);
  }),
  encoding("gzip in empty members", 1, "gzip", (body, chance) => {
    const nothing = gzipSync(Buffer.alloc(0));
    return Buffer.concat([...Array.from({ length: chance.pick([1, 50, 2_000]) }, () => nothing), gzipSync(body)]);
  }),
  encoding("gzip in gzip", 1, "gzip", (body) => gzipSync(gzipSync(body))),
  encoding("bomb", 1, "gzip", (body, chance) =>
    gzipSync(Buffer.concat([body, Buffer.alloc(chance.pick([524_288, 20_000_000]), " ")])),
  ),
  encoding("told gzip, is plain", 2, "gzip", (body) => body),
  encoding("told plain, is gzip", 2, null, (body) => gzipSync(body)),
  encoding("deflate", 1, "deflate", (body) => deflateSync(body)),
  encoding("raw deflate told gzip", 1, "gzip", (body) => deflateRawSync(body)),
  encoding("br", 1, "br", (body) => brotliCompressSync(body)),
  {
    name: "encoding: other name",
    stage: "encoding",
    weight: 4,
    mutate: (draft) => {
      const { request, chance } = draft;
      if (request.body === null) return;
      if (chance.happens(50)) request.body = gzipSync(request.body);
      setHeader(draft, "Content-Encoding", chance.pick(NAMES));
      if (chance.happens(20)) request.headers.push(["Content-Encoding", chance.pick(NAMES)]);
    },
  },
];

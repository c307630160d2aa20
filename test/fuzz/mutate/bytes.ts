/** Bytes of the body, whatever they mean. */
import type { Chance } from "../chance.ts";
import type { Mutator } from "./draft.ts";

const NOT_UTF8 = ["ff", "c0af", "e28028", "eda080", "f4908080", "f8888080", "80", "c3"].map((hex) =>
  Buffer.from(hex, "hex"),
);
const BOM = Buffer.from("efbbbf", "hex");
const SYNTAX = [
  "{",
  "}",
  "[",
  "]",
  ",",
  ":",
  '"',
  "\\",
  "\\u",
  "\\ud800",
  "//",
  "/**/",
  "NaN",
  "Infinity",
  "01",
  "1.",
  "+1",
  "\0",
  "\u2028",
  "'",
  " ".repeat(5_000),
];

const MAX_PART_BYTES = 50_000;

const onBytes = (name: string, weight: number, change: (body: Buffer, chance: Chance) => Buffer): Mutator => ({
  name: `bytes: ${name}`,
  stage: "bytes",
  weight,
  mutate: ({ request, chance }) => {
    if (request.body !== null) request.body = change(request.body, chance);
  },
});

export const byteMutators: Mutator[] = [
  onBytes("flip", 4, (body, chance) => {
    const flipped = Buffer.from(body);
    for (let left = chance.between(1, 5); left > 0; left--) {
      const at = chance.below(flipped.length || 1);
      flipped[at] = (flipped[at] ?? 0) ^ (1 << chance.below(8));
    }
    return flipped;
  }),
  onBytes("cut", 3, (body, chance) =>
    body.subarray(chance.happens(20) ? chance.below(body.length + 1) : 0, chance.below(body.length + 1)),
  ),
  onBytes("repeat", 2, (body, chance) => {
    const [from = 0, to = 0] = [chance.below(body.length + 1), chance.below(body.length + 1)].toSorted((a, b) => a - b);
    const part = body.subarray(from, Math.min(to, from + MAX_PART_BYTES));
    return Buffer.concat([
      body.subarray(0, to),
      ...Array.from({ length: chance.between(1, 20) }, () => part),
      body.subarray(to),
    ]);
  }),
  onBytes("not UTF-8", 3, (body, chance) => insert(body, chance.pick(NOT_UTF8), chance)),
  onBytes("syntax", 4, (body, chance) => insert(body, Buffer.from(chance.pick(SYNTAX)), chance)),
  onBytes("BOM", 1, (body, chance) => Buffer.concat([BOM, ...(chance.happens(20) ? [BOM] : []), body])),
  onBytes("UTF-16", 1, (body, chance) => {
    const wide = Buffer.from(`\ufeff${body.toString()}`, "utf16le");
    return chance.happens(50) ? wide : wide.swap16();
  }),
  onBytes("other bytes", 1, (_body, chance) =>
    Buffer.from(Array.from({ length: chance.pick([1, 100, 5_000]) }, () => chance.below(256))),
  ),
  onBytes("empty", 1, () => Buffer.alloc(0)),
  onBytes("too many", 1, (body, chance) =>
    Buffer.concat([body, Buffer.alloc(chance.pick([16_385, 524_289, 2_000_000]), " ")]),
  ),
];

function insert(body: Buffer, what: Buffer, chance: Chance): Buffer {
  const at = chance.below(body.length + 1);
  return Buffer.concat([body.subarray(0, at), what, body.subarray(at)]);
}

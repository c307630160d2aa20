/** Changes to the bytes of a body, and to their encoding. */
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";

import * as fc from "fast-check";

const BROKEN_UTF8 = ["ff", "c0af", "eda080", "f4908080", "80", "c3"].map((hex) => Buffer.from(hex, "hex"));
const SYNTAX = ["{", "}", "[", ",", '"', "\\", "\\u", "//", "NaN", "01", "+1", "\0", "\u2028", " ".repeat(5_000)];
const INSERTED = [...BROKEN_UTF8, ...SYNTAX.map((text) => Buffer.from(text))];
const place = fc.nat(10_000);

export type BytesChange = (bytes: Buffer) => Buffer;
/** @returns the bytes to send, and what `Content-Encoding` says about them */
export type Encoding = (bytes: Buffer) => [name: string | null, bytes: Buffer];

const flipBit = fc.tuple(place, fc.nat(7)).map(([at, bit]): BytesChange => (bytes) => {
  const flipped = Buffer.from(bytes);
  const index = at % (bytes.length || 1);
  flipped[index] = (flipped[index] ?? 0) ^ (1 << bit);
  return flipped;
});

const cut = place.map(
  (at): BytesChange =>
    (bytes) =>
      bytes.subarray(0, at % (bytes.length + 1)),
);

const insert = fc.tuple(place, fc.constantFrom(...INSERTED)).map(([at, inserted]): BytesChange => (bytes) => {
  const index = at % (bytes.length + 1);
  return Buffer.concat([bytes.subarray(0, index), inserted, bytes.subarray(index)]);
});

const replace = fc.constantFrom<BytesChange>(
  (bytes) => Buffer.concat([Buffer.from("\ufeff"), bytes]),
  (bytes) => Buffer.from(`\ufeff${bytes.toString()}`, "utf16le"),
  (bytes) => Buffer.concat([bytes, Buffer.alloc(16_385, " ")]),
  (bytes) => Buffer.concat([bytes, Buffer.alloc(524_289, " ")]),
  () => Buffer.alloc(0),
);

export const bytesChange: fc.Arbitrary<BytesChange> = fc.oneof(flipBit, cut, insert, replace);

export const identity: Encoding = (bytes) => [null, bytes];
export const gzip: Encoding = (bytes) => ["gzip", gzipSync(bytes)];

const cutGzip = place.map((at): Encoding => (bytes) => {
  const whole = gzipSync(bytes);
  return ["gzip", whole.subarray(0, at % whole.length)];
});

export const encoding: fc.Arbitrary<Encoding> = fc.oneof(
  { weight: 2, arbitrary: fc.constant(gzip) },
  { weight: 1, arbitrary: cutGzip },
  {
    weight: 5,
    arbitrary: fc.constantFrom<Encoding>(
      (bytes) => ["GZip", gzipSync(bytes)],
      (bytes) => ["gzip", gzipSync(gzipSync(bytes))],
      (bytes) => ["gzip", Buffer.concat([gzipSync(bytes), Buffer.from("junk")])],
      (bytes) => ["gzip", Buffer.concat([gzipSync(bytes.subarray(0, 9)), gzipSync(bytes.subarray(9))])],
      (bytes) => ["gzip", gzipSync(Buffer.concat([bytes, Buffer.alloc(20_000_000, " ")]))],
      (bytes) => ["gzip", bytes],
      (bytes) => [null, gzipSync(bytes)],
      (bytes) => ["deflate", deflateSync(bytes)],
      (bytes) => ["br", brotliCompressSync(bytes)],
      (bytes) => ["gzip, gzip", gzipSync(bytes)],
      (bytes) => ["identity", bytes],
      (bytes) => ["", bytes],
    ),
  },
);

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { isTooDeep, jsonBytes, measureMessage, maxBytes } from "../../../src/core/ingest/message-size.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import { nested } from "./support.ts";

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value));

describe("the size of a message", () => {
  it.each(["x", "\u007F", "\u0080", "\u07FF", "\u0800", "\uFFFF", '"', "\n", "\u0001", "é", "語", "😀", "\\"])(
    "§4.1 is at most 16,384 bytes of %j",
    (filler) => {
      const fits = { a: "", properties: {} };
      const unit = bytesOf(filler) - 2;
      const left = 16_384 - bytesOf(fits);
      fits.a = filler.repeat(Math.floor(left / unit)) + "x".repeat(left % unit);
      expect(bytesOf(fits)).toBe(16_384);
      expect(measureMessage(fits)).toBe("fits");
      expect(measureMessage({ ...fits, a: `${fits.a}x` })).toBe("too_large");
    },
  );
  it("§4.1 counts keys as well as values", () => {
    const key = "k".repeat(16_384 - bytesOf({ "": 1 }));
    expect(measureMessage({ [key]: 1 })).toBe("fits");
    expect(measureMessage({ [key]: 10 })).toBe("too_large");
  });
  it("§4.1 counts small numbers by their digits", () => {
    expect(measureMessage({ a: Array.from({ length: 8_000 }, () => 1) })).toBe("fits");
    expect(measureMessage({ a: Array.from({ length: 8_200 }, () => 1) })).toBe("too_large");
  });
  it("§4.1 counts an integer that is stored as text with its quotes", () => {
    const integers = { a: Array.from({ length: 682 }, () => -(10n ** 19n)) };
    const stored = { a: integers.a.map(String) };
    expect(jsonBytes(integers)).toBe(bytesOf(stored));
    expect(measureMessage(integers)).toBe("fits");
    expect(measureMessage({ a: [...integers.a, 10n ** 308n] })).toBe("too_large");
  });
  it("§4.1 agrees with the bytes of the compact JSON", () => {
    const text = fc.string({ unit: "binary", maxLength: 200 });
    const big = fc.tuple(text, fc.integer({ min: 1, max: 120 })).map(([part, times]) => part.repeat(times));
    const value = fc.oneof(fc.jsonValue({ maxDepth: 4 }), big, fc.constantFrom("\uD800".repeat(3_000), "\uDC00x"));
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: "binary", maxLength: 20 }), value, { maxKeys: 6 }), (object) => {
        const message: JsonObject = JSON.parse(JSON.stringify(object));
        const bytes = bytesOf(message);
        expect(measureMessage(message)).toBe(bytes <= 16_384 ? "fits" : "too_large");
        expect(jsonBytes(message)).toBe(bytes);
        expect(maxBytes(message, 1)).toBeGreaterThanOrEqual(bytes);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("the depth of a message", () => {
  it.each([
    ["objects", '{"a":', "}"],
    ["arrays", "[", "]"],
  ])("§4.1 is at most 32 levels of %s, including the message", (_, open, close) => {
    expect(measureMessage({ properties: nested(31, open, close) })).toBe("fits");
    expect(measureMessage({ properties: nested(32, open, close) })).toBe("too_deep");
    expect(isTooDeep(nested(31, open, close))).toBe(false);
    expect(isTooDeep(nested(32, open, close))).toBe(true);
  });
  it("§4.1 may be 200,000 without overflowing the stack", () => {
    expect(measureMessage({ a: nested(200_000, "[", "]") })).toBe("too_deep");
    expect(measureMessage({ a: nested(200_000) })).toBe("too_deep");
  });
  it("§4.1 is checked before the size", () => {
    expect(measureMessage({ pad: "x".repeat(20_000), a: nested(40) })).toBe("too_deep");
  });
});

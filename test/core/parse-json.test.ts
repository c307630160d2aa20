/** JSON bodies: docs/wire/batches.md §4.1, docs/wire/messages.md §4.2. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { findJsonError } from "../../src/core/json-error.ts";
import { parseJson } from "../../src/core/parse-json.ts";

describe("a number in JSON", () => {
  const integer = fc.bigInt({ min: -(10n ** 40n), max: 10n ** 40n });

  it("§4.2 keeps all digits of an integer, at any place", () => {
    fc.assert(
      fc.property(integer, fc.constantFrom("", " ", "\n\t"), (number, space) => {
        const safe = number >= Number.MIN_SAFE_INTEGER && number <= Number.MAX_SAFE_INTEGER;
        const value = safe ? Number(number) : number;
        const text = `{"a":${space}${number}${space},"b":[${space}${number},{"c":${number}}],"d":"${number}, ${number}"}`;
        expect(parseJson(text)).toEqual({
          ok: true,
          value: { a: value, b: [value, { c: value }], d: `${number}, ${number}` },
        });
      }),
      { numRuns: 2_000 },
    );
  });
  it.each([
    ["9007199254740991", 9_007_199_254_740_991],
    ["9007199254740992", 9_007_199_254_740_992n],
    ["-9007199254740991", -9_007_199_254_740_991],
    ["-9223372036854775808", -9_223_372_036_854_775_808n],
    ["1e20", 1e20],
    ["1.5E+300", 1.5e300],
    ["12345678901234567.5", 12_345_678_901_234_568],
    ["0.12345678901234567890", 0.123_456_789_012_345_68],
    ["-0", -0],
    ["1e400", Infinity],
    ["9".repeat(309), Infinity],
  ])("§4.2 %s is read", (text, value) => {
    expect(parseJson(`[${text}]`)).toEqual({ ok: true, value: [value] });
  });
  it("§4.1 is read beside a value too deep for recursion", () => {
    const deep = "[".repeat(200_000) + "]".repeat(200_000);
    expect(parseJson(`[1524831183200260097,${deep}]`)).toMatchObject({ ok: true });
  });
});

/** Returns the text's length if it is valid, and `null` if V8 doesn't say where it is broken. */
function positionByV8(text: string): number | null {
  try {
    JSON.parse(text);
    return text.length;
  } catch (error) {
    const position = /position (\d+)/.exec(String(error))?.[1];
    return position === undefined ? null : Number(position);
  }
}

describe("a fault in JSON", () => {
  it.each([
    ['{"batch":[{"a":1},{"b":NaN}]}', "NaN"],
    ['{"a":Infinity}', "Infinity"],
    ['{"a":-Infinity}', "Infinity"],
    ['{"a":1,}', "}"],
    ["[1,2,]", "]"],
    ["{'a':1}", "'a'"],
    ['{"a":"é😀","b":undefined}', "undefined"],
    ['{"a":"x\ny"}', "\ny"],
    ['{"a":"\\x"}', "x"],
    ['{"a":"\\u12G4"}', "G4"],
    ['{"a":01}', "1}"],
    ['{"a":1.}', "}"],
    ['{"a":trUe}', "Ue"],
    ['{"a":True}', "True"],
    ['{"a" 1}', "1}"],
    ['{"a":1} {', "{"],
    ["\uFEFF{}", "\uFEFF"],
    ["<html>", "<"],
    ['{"a":1', ""],
    ['{"a":"b', ""],
    ['{"a":"b\\', ""],
    ['{"a":tru', ""],
    ["[1,", ""],
    ["", ""],
    [" \n", ""],
  ])("§4.1 in %j is found before %j", (text, rest) => {
    const position = Array.from(text.slice(0, rest === "" ? text.length : text.lastIndexOf(rest))).length;
    expect(parseJson(text)).toEqual({ ok: false, position });
  });

  const pieces = '{ } [ ] , : " "a" "b": 1 0 - . e E + true nul fals t NaN \\ \\u \\u12 \\u00e9 x é 😀 1.5'.split(" ");
  const unit = fc.constantFrom(...pieces, " ", "\n", "\u0001", "\u00A0", "\uFEFF", '{"a":[');

  it("§4.1 has the position that V8 gives, if it gives one", () => {
    let compared = 0;
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 14 }), (text) => {
        const position = positionByV8(text);
        if (position === null) return;
        expect(findJsonError(text)).toBe(position);
        compared += 1;
      }),
      { numRuns: 20_000 },
    );
    expect(compared).toBeGreaterThan(5_000);
  });
  it("§4.1 depends only on the text up to it", () => {
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 14 }), fc.string({ unit, maxLength: 4 }), (text, more) => {
        const found = findJsonError(text);
        const other = findJsonError(text.slice(0, found + 1) + more);
        expect(found === text.length ? Math.min(other, found) : other).toBe(found);
      }),
      { numRuns: 10_000 },
    );
  });
  // Quadratic time would take minutes and run into the time limit of the test.
  it.each(["[", '{"a":', "1", "-", "1.", "e", '"', '"\\', '\\"', '"a",', "[1,", " ", "\\u00", '"a":'])(
    "§4.1 is found in linear time in 512 KB of %j",
    (piece) => {
      const text = piece.repeat(524_288 / piece.length);
      expect(findJsonError(text)).toBeLessThanOrEqual(text.length);
      expect(findJsonError(`"${text}`)).toBeLessThanOrEqual(text.length + 1);
    },
  );
});

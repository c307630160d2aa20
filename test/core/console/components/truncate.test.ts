import { describe, expect, it } from "vitest";

import { fitting } from "../../../../src/console/components/take-bytes.ts";
import { shortened } from "../../../../src/console/components/truncate.ts";

describe("a text that is shortened", () => {
  it("stays as it is where it is short", () => {
    for (const text of ["", "acme", 'Acme "Inc"', "x".repeat(80)]) expect(shortened(text)).toBe(text);
  });

  it("ends with a mark behind as many characters as it may have", () => {
    expect(shortened("x".repeat(81))).toBe(`${"x".repeat(80)}…`);
    expect(shortened("abcdef", 3)).toBe("abc…");
  });

  it.each([
    ['"', 26],
    ["'", 32],
    ["<", 40],
    ["é", 80],
    ["漢", 53],
    ["🦊", 40],
  ])("has no more bytes in a page than two for each of them, of %s too", (character, left) => {
    expect(shortened(character.repeat(256))).toBe(`${character.repeat(left)}…`);
  });
});

describe("parts of a list that fit", () => {
  it("are the first ones that come to no more than so many bytes", () => {
    expect(fitting(["abc", "漢", "d"], 7)).toEqual(["abc", "漢", "d"]);
    expect(fitting(["abc", "漢", "d"], 6)).toEqual(["abc", "漢"]);
    expect(fitting(["abc", "漢", "d"], 5)).toEqual(["abc"]);
    expect(fitting(["abc"], 2)).toEqual([]);
  });
});

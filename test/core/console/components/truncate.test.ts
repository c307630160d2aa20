import { describe, expect, it } from "vitest";

import { takeBytes, truncate } from "../../../../src/console/components/truncate.ts";

describe("truncate", () => {
  it("leaves short texts unchanged", () => {
    for (const text of ["", "acme", 'Acme "Inc"', "x".repeat(80)]) expect(truncate(text)).toBe(text);
  });

  it("cuts a longer text and adds an ellipsis", () => {
    expect(truncate("x".repeat(81))).toBe(`${"x".repeat(80)}…`);
    expect(truncate("abcdef", 3)).toBe("abc…");
  });

  it.each([
    ['"', 26],
    ["'", 32],
    ["<", 40],
    ["é", 80],
    ["漢", 53],
    ["🦊", 40],
  ])("limits the bytes of HTML to two for each character, for %s", (character, left) => {
    expect(truncate(character.repeat(256))).toBe(`${character.repeat(left)}…`);
  });
});

describe("takeBytes", () => {
  it("takes elements from the start until their bytes run out", () => {
    expect(takeBytes(["abc", "漢", "d"], 7)).toEqual(["abc", "漢", "d"]);
    expect(takeBytes(["abc", "漢", "d"], 6)).toEqual(["abc", "漢"]);
    expect(takeBytes(["abc", "漢", "d"], 5)).toEqual(["abc"]);
    expect(takeBytes(["abc"], 2)).toEqual([]);
  });
});

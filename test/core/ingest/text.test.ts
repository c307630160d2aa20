import { expect, it } from "vitest";

import { cutText, isLongerThan } from "../../../src/core/ingest/text.ts";

it("counts characters, not UTF-16 units", () => {
  expect(isLongerThan("😀😀", 2)).toBe(false);
  expect(isLongerThan("😀😀a", 2)).toBe(true);
  expect(isLongerThan("a😀", 2)).toBe(false);
  expect(isLongerThan("aaaaa", 2)).toBe(true);
});

it("never cuts a surrogate pair in two", () => {
  expect(cutText("a😀b", 2)).toBe("a😀");
  expect(cutText("a😀b", 1)).toBe("a");
  expect(cutText("ab", 2)).toBe("ab");
});

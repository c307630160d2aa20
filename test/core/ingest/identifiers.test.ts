import { describe, expect, it } from "vitest";

import { readIdentifier } from "../../../src/core/ingest/identifiers.ts";

describe("an identifier", () => {
  it.each([
    [" \t acme \n", "acme"],
    [`  ${"a".repeat(256)}  `, "a".repeat(256)],
    ["😀".repeat(256), "😀".repeat(256)],
    [-0, "0"],
    [-7, "-7"],
    [Number.MAX_SAFE_INTEGER, "9007199254740991"],
  ])("§3 is read from %j", (raw, value) => expect(readIdentifier(raw)).toEqual({ ok: true, value }));

  it.each([undefined, null, "", "\t\n", "\u00A0\uFEFF"])("§4.2 is absent if it is %j", (raw) => {
    expect(readIdentifier(raw)).toEqual({ ok: true, value: null });
  });

  it.each([
    ["a".repeat(257), /256/],
    [`${"😀".repeat(255)}ab`, /256/],
    ["\u0000", /control/],
    ["a\nb", /control/],
    ["a\u0085b", /control/],
    ["a\uD800b", /lone surrogates/],
    ["\uDC00", /lone surrogates/],
    ["\uDE00\uD83D", /lone surrogates/],
    [Number.MAX_SAFE_INTEGER + 1, /2\^53/],
    [1.5, /string or an integer/],
    [Infinity, /string or an integer/],
    [true, /string or an integer/],
    [["a"], /string or an integer/],
  ])("§3 is unusable if it is %j", (raw, problem) => {
    expect(readIdentifier(raw)).toEqual({ ok: false, problem: expect.stringMatching(problem) });
  });
});

import { describe, expect, it } from "vitest";

import { readIdentifier } from "../../../src/core/ingest/identifiers.ts";

const value = (raw: unknown): string | null => {
  const reading = readIdentifier(raw);
  if (!reading.ok) throw new Error(reading.problem);
  return reading.value;
};
const problem = (raw: unknown): string | null => {
  const reading = readIdentifier(raw);
  return reading.ok ? null : reading.problem;
};

describe("identifiers", () => {
  it("§3 identifiers: a string is trimmed", () => expect(value(" \t acme \n")).toBe("acme"));
  it("§3 identifiers: 1 character is enough", () => expect(value("a")).toBe("a"));
  it("§3 identifiers: 256 characters are fine, 257 are not", () => {
    expect(value("a".repeat(256))).toHaveLength(256);
    expect(problem("a".repeat(257))).toMatch(/256/);
  });
  it("§3 identifiers: length is counted after trimming", () => {
    expect(value(`  ${"a".repeat(256)}  `)).toHaveLength(256);
  });
  it("§3 identifiers: length is counted in characters, not in UTF-16 units", () => {
    expect(value("😀".repeat(256))).toBe("😀".repeat(256));
    expect(problem("😀".repeat(257))).toMatch(/256/);
    expect(problem(`${"😀".repeat(255)}ab`)).toMatch(/256/);
  });
  it.each(["a\u0000b", "a\nb", "a\u007Fb", "a\u0085b"])(
    "§3 identifiers: control characters are refused (%j)",
    (raw) => {
      expect(problem(raw)).toMatch(/control/);
    },
  );
  it("§3 identifiers: a control character that trimming does not take is not blank", () => {
    expect(problem("\u0000")).toMatch(/control/);
  });
  it.each([
    [0, "0"],
    [-0, "0"],
    [42, "42"],
    [-7, "-7"],
    [Number.MAX_SAFE_INTEGER, "9007199254740991"],
    [Number.MIN_SAFE_INTEGER, "-9007199254740991"],
  ])("§3 identifiers: the safe integer %d is read as its decimal string", (raw, text) => {
    expect(value(raw)).toBe(text);
  });
  it.each([Number.MAX_SAFE_INTEGER + 1, 1e21])("§3 identifiers: the unsafe integer %d is unusable", (raw) => {
    expect(problem(raw)).toMatch(/2\^53/);
  });
  it.each([[1.5], [Infinity], [true], [false], [{}], [[]], [["a"]]])("§3 identifiers: %j is unusable", (raw) => {
    expect(problem(raw)).toBe("must be a string or an integer");
  });
  it.each([[undefined], [null], [""], ["   "], ["\t\n"], ["\u00A0\uFEFF"]])("§4.2 identifiers: %j is absent", (raw) => {
    expect(value(raw)).toBeNull();
  });
  it("§3 identifiers: a lone surrogate becomes U+FFFD", () => expect(value("a\uD800b")).toBe("a\uFFFDb"));
});

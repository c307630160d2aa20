import { readFileSync } from "node:fs";

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { canonical, isSame } from "../../../../src/core/ask/query/canonical.ts";
import { checkQuery } from "../../../../src/core/ask/query/check.ts";
import { type Query, querySchema } from "../../../../src/core/ask/query/model.ts";
import { restate } from "../../../../src/core/ask/query/restate.ts";
import type { Given } from "./answers.ts";
import { dimensions, neighbors, queries, speech } from "./queries.ts";

/** People mean customers by "accounts that churned", so the texts of other changes say more. */
const RESTATEMENTS = readFileSync("test/core/ask/query/restatements.jsonl", "utf8")
  .trim()
  .split("\n")
  .map((line): { query: Given; text: string } => JSON.parse(line));

describe("§16 restatements", () => {
  it.each(RESTATEMENTS)("$text", ({ query, text }) => {
    const parsed = querySchema.parse(query);
    expect(checkQuery(parsed, dimensions)).toEqual([]);
    expect(restate(parsed, speech)).toBe(text);
  });

  it("differ for different queries", () => {
    const seen = new Map<string, Query>();
    const collide = (given: Query, text: string): string[] => {
      const form = canonical(given);
      const other = seen.get(text) ?? form;
      seen.set(text, form);
      return isSame(other, form) ? [] : [`${text}\n${JSON.stringify(other)}\n${JSON.stringify(form)}`];
    };
    fc.assert(
      fc.property(neighbors(), (several) => {
        expect(several.flatMap((given) => collide(given, restate(given, speech)))).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  it("come from a canonical form that is stable and valid, and have no odd words", () => {
    fc.assert(
      fc.property(queries, (given) => {
        const form = canonical(given);
        expect(canonical(form)).toEqual(form);
        expect(checkQuery(form, dimensions)).toEqual([]);
        expect(restate(form, speech)).toBe(restate(given, speech));
        expect(restate(given, speech).replaceAll(/"(?:[^"]|"")*"/g, "")).not.toMatch(
          /undefined|NaN|Infinity|(?<![\w-])-0\b|\{\w+\}|\[object|function/,
        );
      }),
    );
  });
});

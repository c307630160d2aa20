/** §24: whatever a workspace holds, an answer and an account fit into a result. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import * as z from "zod";

import { known, unknown } from "../../../src/edge/responses/answer.ts";
import { contentOf, shorten } from "../../../src/mcp/fit.ts";
import { fitAnswer, fittedAnswer } from "../../../src/mcp/fit-answer.ts";

const MAX_BYTES = 16 * 1_024;
const AS_OF = "2026-11-23T00:00:00.000Z";

const text = fc.oneof(
  fc.string({ minLength: 1, maxLength: 256 }),
  fc.string({ unit: "binary", minLength: 1, maxLength: 256 }),
  fc.constantFrom('"', "\\", "\u0000", "\u{1f642}").map((character) => character.repeat(120)),
);
const rows = fc.array(
  fc.dictionary(text, fc.oneof(text, fc.double({ noNaN: true, noDefaultInfinity: true })), { maxKeys: 8 }),
  { maxLength: 100 },
);
const evidence = fc
  .array(text, { minLength: 1, maxLength: 300 })
  .map((all) =>
    all.map((value, at) => ({ id: `e${at}`, kind: "rollup" as const, measure: "events", value, asOf: AS_OF })),
  );
const sentence = fc.tuple(text, fc.integer({ min: 1, max: 60 })).map(([words, times]) => words.repeat(times));
const query = fc.record({
  find: fc.constantFrom("accounts", "events"),
  show: fc.constantFrom("list", "count", "summary"),
  where: fc.array(fc.record({ dimension: fc.constant("plan"), is: text }), {
    maxLength: 5,
  }),
  per: fc.constantFrom("day", "plan"),
});
const common = { ok: true as const, window: null, freshness: { lastEventAt: AS_OF, lastRecomputeAt: null } };
const interpretation = (restated: string) => ({ intent: "list", measure: "events", subject: null, restated });

const knownAnswers = fc
  .record({
    query,
    answer: sentence,
    restated: sentence,
    evidence,
    value: fc.oneof(rows, text, fc.double({ noNaN: true, noDefaultInfinity: true })),
  })
  .map(({ restated, ...answer }) => ({
    ...common,
    ...answer,
    knows: true as const,
    interpretation: interpretation(restated),
    confidence: "high" as const,
    reason: null,
  }));
const candidates = fc.array(
  text.map((name) => ({ type: "account" as const, id: "acc_1", externalId: name, name })),
  { minLength: 1, maxLength: 10 },
);
const unknownAnswers = fc
  .record({ query, restated: sentence, candidates, detail: sentence })
  .map(({ restated, ...answer }) => ({
    ...common,
    ...answer,
    knows: false as const,
    answer: null,
    interpretation: interpretation(restated),
    evidence: [],
    confidence: null,
    reason: "ambiguous_subject" as const,
  }));

const IN_STRUCTURE = "Too large for a text: see the structured content.";
const bytesOf = (value: unknown): number => new TextEncoder().encode(JSON.stringify(value)).length;

const traits = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, key) => [`k${key}`, "y".repeat(50)]));

describe("§24 fitting", () => {
  it("leaves at most 16 KB of any answer, as text and as structured content, and says how many rows it had", () => {
    fc.assert(
      fc.property(fc.oneof(knownAnswers, unknownAnswers), (given) => {
        const answer = given.knows ? known.parse(given) : unknown.parse(given);
        const fitted = fitAnswer(answer);
        fittedAnswer.parse(fitted);
        const content = contentOf(fitted);
        expect(bytesOf(content)).toBeLessThan(MAX_BYTES);
        expect(content).toMatchObject({
          content: [{ text: expect.toBeOneOf([JSON.stringify(fitted), IN_STRUCTURE]) }],
        });
        if (!fitted.knows || !Array.isArray(fitted.value) || !Array.isArray(given.knows && given.value)) return;
        const { value: all } = z.object({ value: z.array(z.unknown()) }).parse(given);
        expect(fitted.totalRows).toBe(fitted.value.length === all.length ? undefined : all.length);
        if (fitted.totalRows === undefined) return;
        const left = fitted.value.length;
        expect(fitted.value).toEqual(given.query.per === "day" ? all.slice(all.length - left) : all.slice(0, left));
        expect(fitted.answer).toContain(`Only ${fitted.value.length} of ${all.length} rows`);
        expect(fitted.truncated).toContain("value");
        expect(fitted.evidence).toHaveLength(1);
      }),
      { numRuns: 300 },
    );
  });

  it("cuts a field no more than it takes, its oldest entries first, and keeps the least that it must", () => {
    const days = Array.from({ length: 90 }, (_, day) => ({ day, note: "x".repeat(50) }));
    const history = { field: "history", isOldestFirst: true };
    const [first, ...rest] = [{ ...history, atLeast: 30 }, { field: "traits" }, history];
    const little = shorten({ history: days, traits: traits(20) }, [first, ...rest]);
    expect([little.truncated, little.history.at(-1)?.day, Object.keys(little.traits).length]).toEqual([
      ["history"],
      89,
      20,
    ]);
    expect(little.history.length).toBeGreaterThan(30);
    const much = shorten({ history: days, traits: traits(200) }, [first, ...rest]);
    expect([much.truncated, much.history.map(({ day }) => day)]).toEqual([
      ["history", "traits"],
      days.slice(60).map(({ day }) => day),
    ]);
    expect(Object.keys(much.traits).length).toBeGreaterThan(20);
  });
});

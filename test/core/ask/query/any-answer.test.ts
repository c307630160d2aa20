import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { ResultRow } from "../../../../src/core/ask/query/result.ts";
import type { WrittenAnswer } from "../../../../src/core/ask/query/answer-context.ts";
import { writeAnswer } from "../../../../src/core/ask/query/write-answer.ts";
import { queries } from "./queries.ts";
import { acme, answerOf, before, beta, result, telling } from "./answers.ts";

const cell = fc.oneof(
  fc.constantFrom(0, -0, 1, 34, 1e308, -1e308, 0.000_1, null),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.nat(),
);
const row: fc.Arbitrary<ResultRow> = fc.record(
  {
    entity: fc.constantFrom(acme, beta),
    value: cell,
    before: cell,
    currency: fc.constantFrom("EUR", "JPY", "KRW", "usd", "not a currency", null),
    with: fc.record({ mrr: cell, plan: fc.constantFrom("Team", null), seats: cell, events: cell }),
  },
  { requiredKeys: ["entity", "value"] },
);

/** Numbers as an answer shows them. */
const NUMBER = /(?<![\p{L}\d.])\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?/giu;
const shownIn = (text: string): string[] => text.match(NUMBER) ?? [];

describe("§15.5 §16 any answer", () => {
  it("has evidence for each number, and only finite numbers", () => {
    fc.assert(
      fc.property(queries, fc.array(row, { maxLength: 12 }), fc.constantFrom(null, before), (given, rows, earlier) => {
        const told = writeAnswer(given, result(rows, { before: earlier, population: 60 }), telling);
        const text = answerOf(told).replaceAll(/"(?:[^"]|"")*"/g, "");
        expect(JSON.stringify(told)).not.toMatch(/NaN|Infinity|undefined/);
        if (!("answer" in told)) return;
        expect(told.evidence).not.toEqual([]);
        // No negative zero in any currency, and no fractions of yen and won.
        expect(text).not.toMatch(/(?<![\w.])-[€¥₩$]?0(?![\d.,]\d|\w)|[¥₩][\d,]+\.\d+(?!\d*E)|\{\w+\}|\[object/);
        const said = [
          ...told.evidence.flatMap(({ value }) => figuresIn(value)),
          ...figuresIn(JSON.stringify(given)),
          ...datesIn(told),
        ];
        expect(shownIn(text).filter((number) => !said.some((each) => isNear(each, valueOf(number))))).toEqual([]);
      }),
      { numRuns: 1_500 },
    );
  });
});

const valueOf = (number: string): number => Number(number.replaceAll(",", ""));
const isNear = (a: number, b: number): boolean =>
  Math.abs(a - b) <= Math.max(0.006, a * 0.001, 0.5 * Number(a % 1 !== 0 && b % 1 === 0));

function figuresIn(value: unknown): number[] {
  if (typeof value === "number") return [Math.abs(value)];
  const numbers = String(value).match(/\d+(?:\.\d+)?(?:e[+-]?\d+)?/g) ?? [];
  return numbers.flatMap((each) => [Number(each), Number(each) * 7, Number(each) * 3, Number(each) * 12]);
}

const datesIn = (told: Extract<WrittenAnswer, { answer: string }>): number[] =>
  told.evidence.flatMap(({ window: days }) =>
    days === undefined
      ? []
      : [days.from, days.to].flatMap((day) => figuresIn(new Date(day * 86_400_000).toISOString().slice(0, 10))),
  );

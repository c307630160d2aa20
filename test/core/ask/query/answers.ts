/** Results of queries, as `answers.jsonl` and tests of answers have them. */
import { readFileSync } from "node:fs";

import type { AnswerSettings, WrittenAnswer } from "../../../../src/core/ask/query/answer-context.ts";
import type { Query } from "../../../../src/core/ask/query/model.ts";
import type { Entity, QueryResult, ResultRow } from "../../../../src/core/ask/query/result.ts";
import { dayOf } from "../../../../src/core/ask/query/windows.ts";
import { speech } from "./queries.ts";

export const today = dayOf("2026-11-23");
export const telling: AnswerSettings = { ...speech, today, now: today * 86_400_000, firstDay: null };
/** The default window, and the one that the default comparison compares with. */
export const window = { from: today - 27, to: today };
export const before = { from: today - 56, to: today - 29 };

export const isAcme = { dimension: "account", is: "acme" };
export const october = { from: "2026-10-01", to: "2026-10-31" } as const;

export const account = (externalId: string, name: string | null, stage: Entity["stage"] = "active"): Entity => ({
  type: "account",
  id: `acc_${externalId}`,
  externalId,
  name,
  stage,
});
export const acme = account("acme", "Acme");
export const beta = account("beta", null, "churned");
const login: Entity = { type: "feature", id: "login", externalId: "login", name: null };
const ENTITIES: Readonly<Record<string, Entity>> = { acme, beta, login };

export const result = (rows: readonly ResultRow[], rest: Partial<QueryResult> = {}): QueryResult => ({
  rows,
  total: rows.length,
  population: null,
  window,
  before: null,
  ...rest,
});

export const answerOf = (told: WrittenAnswer): string =>
  "answer" in told ? told.answer : `${told.refusal.reason}: ${told.refusal.detail}`;

export type Given = Omit<Query, "where"> & { where?: Query["where"] };

/** Fields that a line lacks have the values of `result`. Entities are named by their id, and days by their date. */
interface Line extends Partial<Omit<QueryResult, "rows" | "window" | "before">> {
  query: Given;
  rows: readonly (Omit<ResultRow, "entity" | "item"> & {
    entity?: string;
    item?: Omit<NonNullable<ResultRow["item"]>, "opened"> & { opened: string };
  })[];
  window?: Dates | null;
  before?: Dates;
  answer: string;
}
interface Dates {
  from: string;
  to: string;
}

const daysOf = ({ from, to }: Dates) => ({ from: dayOf(from), to: dayOf(to) });

const entityOf = (id: string): Entity => {
  const entity = ENTITIES[id];
  if (entity === undefined) throw new Error(`answers.jsonl names an unknown entity: ${id}`);
  return entity;
};

/** Reads the answers that queries and their results must have. */
export const readAnswers = (): { query: Given; found: QueryResult; answer: string }[] =>
  readFileSync("test/core/ask/query/answers.jsonl", "utf8")
    .trim()
    .split("\n")
    .map((text) => {
      const { query, rows, window: own, before: earlier, answer, ...rest }: Line = JSON.parse(text);
      const found = rows.map(({ entity, item, ...row }) => ({
        ...row,
        ...(entity !== undefined && { entity: entityOf(entity) }),
        ...(item && { item: { ...item, opened: dayOf(item.opened) } }),
      }));
      const windows = {
        ...(own !== undefined && { window: own && daysOf(own) }),
        ...(earlier && { before: daysOf(earlier) }),
      };
      return { query, found: result(found, { ...rest, ...windows }), answer };
    });

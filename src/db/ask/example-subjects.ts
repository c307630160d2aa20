/** Selects the account, plan and feature for the examples of questions. SQL text, because it runs in a question's batch. */
import type { Entity } from "../../core/ask/query/result.ts";
import type { Batch } from "../client/batch.ts";
import { columnsOf } from "../client/columns-of.ts";
import { expression } from "../client/expression.ts";
import { prepareQuery } from "../client/prepare.ts";
import { accounts } from "../schema/schema.ts";
import { account, eventName, health, rollup } from "./query/aliases.ts";
import { ACCOUNT, accountIn } from "./query/entity-columns.ts";

export interface ExampleSubject {
  /** The company account with the highest MRR; if none has an MRR, the first one. */
  account: Entity;
  isScored: boolean;
  plan: string | null;
  /** Its most frequent event; `null` if it had none. */
  feature: string | null;
}

const candidate = columnsOf(accounts, "candidate");

const SELECT_EXAMPLE = prepareQuery(
  {
    ...ACCOUNT,
    isScored: expression<number>(`${health.score} IS NOT NULL`),
    plan: expression<string | null>(`${account.attributes} ->> '$.plan[0]'`),
    feature: expression<string | null>(`(
  SELECT ${eventName.name} FROM ${rollup.table} JOIN ${eventName.table} ON ${eventName.number} = ${rollup.event}
  WHERE ${rollup.account} = ${account.number} AND ${rollup.day} >= :firstDay
  GROUP BY ${eventName.number} ORDER BY sum(${rollup.count}) DESC, ${eventName.number} LIMIT 1)`),
  },
  (columns) => `
SELECT ${columns}
FROM (SELECT * FROM ${candidate.table} WHERE ${candidate.workspace} = :workspace AND ${candidate.kind} = 'company'
  ORDER BY ${candidate.attributes} ->> '$.mrr[0]' DESC, ${candidate.number} LIMIT 1) account
LEFT JOIN ${health.table} ON ${health.workspace} = :workspace AND ${health.account} = ${account.number}`,
);

/** @returns a function that reads the subject; `null` in a workspace without a company account */
export function selectExampleSubject(batch: Batch, firstDay: number): () => ExampleSubject | null {
  const rows = batch.add(SELECT_EXAMPLE, { firstDay });
  return () => {
    const [row] = rows();
    const found = row && accountIn(row);
    return row && found ? { account: found, isScored: row.isScored === 1, plan: row.plan, feature: row.feature } : null;
  };
}

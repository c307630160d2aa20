/** Selects the account, plan and feature for the examples of questions. */
import type { Entity } from "../../core/ask/query/result.ts";
import type { Batch } from "../client/batch.ts";
import { columnsOf } from "../client/columns-of.ts";
import { statement } from "../client/statements.ts";
import { accounts } from "../schema/schema.ts";
import { a, e, h, r } from "./query/aliases.ts";
import { ACCOUNT_COLUMNS, accountIn, type AccountRow } from "./query/entity-columns.ts";

export interface ExampleSubject {
  /** The company account with the highest MRR; if none has an MRR, the first one. */
  account: Entity;
  isScored: boolean;
  plan: string | null;
  /** Its most frequent event; `null` if it had none. */
  feature: string | null;
}

const own = columnsOf(accounts);

/** ?2: the first day whose events count. */
const SELECT_EXAMPLE = `
SELECT ${ACCOUNT_COLUMNS}, ${h.score} IS NOT NULL AS isScored, ${a.attributes} ->> '$.plan[0]' AS plan,
  (SELECT ${e.name} FROM ${r.table} JOIN ${e.table} ON ${e.number} = ${r.event}
    WHERE ${r.account} = ${a.number} AND ${r.day} >= ?2
    GROUP BY ${e.number} ORDER BY sum(${r.count}) DESC, ${e.number} LIMIT 1) AS feature
FROM (SELECT * FROM ${own.table} WHERE ${own.workspace} = ?1 AND ${own.kind} = 'company'
  ORDER BY ${own.attributes} ->> '$.mrr[0]' DESC, ${own.number} LIMIT 1) a
LEFT JOIN ${h.table} ON ${h.workspace} = ?1 AND ${h.account} = ${a.number}`;

type ExampleRow = AccountRow & Omit<ExampleSubject, "account" | "isScored"> & { isScored: number };

/** @returns a function that reads the subject; `null` in a workspace without a company account */
export function selectExampleSubject(batch: Batch, firstDay: number): () => ExampleSubject | null {
  const rows = batch.addStatement(statement<ExampleRow>(SELECT_EXAMPLE, firstDay));
  return () => {
    const [row] = rows();
    const account = row && accountIn(row);
    return row && account ? { account, isScored: row.isScored === 1, plan: row.plan, feature: row.feature } : null;
  };
}

/** Deletes, once a day, counts and scores of days before the history. A step deletes a limited number of rows. */
import { getTableName } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

import type { Day } from "../../core/health/model.ts";
import { columnsOf, primaryKeyOf } from "../client/columns-of.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { dayOf, inOwnRange } from "../client/sql-fragments.ts";
import { statement } from "../client/statements.ts";
import {
  accountDays,
  accountProgress,
  attributeDays,
  folds,
  healthDays,
  pendingAttributeDays,
  rollups,
  workspaceContexts,
  workspaceDays,
} from "../schema/schema.ts";
import { BEFORE_SILENCE_DAYS } from "./due-accounts-sql.ts";
import { boundFirst } from "./fold-rollups-sql.ts";
import { mayWrite } from "./lease-sql.ts";
import type { Session } from "./session.ts";

const a = columnsOf(accountProgress);
const f = columnsOf(folds);

const ACCOUNTS_PER_STEP = 20_000;
const ROWS_PER_STEP = 20_000;

/** ?2 the first day to keep   ?4 the account before. Scoring a silent account needs the days before the silence. */
const PAGE = `(
  SELECT ${a.account} AS account, min(?2, coalesce(${dayOf(a.lastEventAt)} - ${BEFORE_SILENCE_DAYS}, ?2)) AS active_from
  FROM ${a.table} WHERE ${a.workspace} = ?1 AND ${a.account} > ?4 ORDER BY ${a.account} LIMIT ${ACCOUNTS_PER_STEP}
) page`;

const ofAccounts = ({ account, day, table }: { account: string; day: string; table: string }, before: string): string =>
  `${PAGE} CROSS JOIN ${table} ON ${account} = page.account AND ${day} < ${before}`;

const byAccount = columnsOf(attributeDays);
const byUser = columnsOf(pendingAttributeDays);

/** Whether a later day before ?2 has all attributes of a row `t`. The last value of each attribute stays. */
const isReplaced = (
  { table, day, attributes }: typeof byAccount | typeof byUser,
  owner: string,
): string => `NOT EXISTS (
  SELECT 1 FROM json_each(t.${attributes}) a WHERE NOT EXISTS (
    SELECT 1 FROM ${table} later WHERE later.${owner} = t.${owner} AND later.${day} > t.${day} AND later.${day} < ?2
      AND json_type(later.${attributes}, '$.' || a.key) IS NOT NULL
  )
)`;

const ofWorkspace = ({ workspace, day, table }: { workspace: string; day: string; table: string }): string =>
  `${table} WHERE ${workspace} = ?1 AND ${day} < ?2`;

/**
 * Deletes at most `ROWS_PER_STEP` rows of a table. ?1 the workspace, ?3 the run.
 * @param rows which of its rows, after FROM, with the table as `t`; may use ?2
 */
export function deleteSome(table: SQLiteTable, rows: string): string {
  const name = getTableName(table);
  const key = primaryKeyOf(table);
  return `
DELETE FROM ${name} WHERE (${key.join(", ")}) IN (
  SELECT ${key.map((column) => `t.${column}`).join(", ")} FROM ${rows} LIMIT ${ROWS_PER_STEP}
) AND ${mayWrite("?3", "?1")}`;
}

const DELETE_OLD = [
  // First, so that questions about these days are refused from now on.
  deleteSome(workspaceDays, ofWorkspace(columnsOf(workspaceDays, "t"))),
  deleteSome(workspaceContexts, ofWorkspace(columnsOf(workspaceContexts, "t"))),
  deleteSome(rollups, ofAccounts(columnsOf(rollups, "t"), "page.active_from")),
  deleteSome(accountDays, ofAccounts(columnsOf(accountDays, "t"), "page.active_from")),
  deleteSome(healthDays, ofAccounts(columnsOf(healthDays, "t"), "?2")),
  deleteSome(
    attributeDays,
    `${ofAccounts(columnsOf(attributeDays, "t"), "?2")} WHERE ${isReplaced(byAccount, byAccount.account)}`,
  ),
  deleteSome(
    pendingAttributeDays,
    `${byUser.table} t WHERE ${inOwnRange(`t.${byUser.user}`, "?1")} AND t.${byUser.day} < ?2
      AND ${isReplaced(byUser, byUser.user)}`,
  ),
];

const SELECT_LAST = `SELECT max(account) AS account, count(*) AS count FROM ${PAGE} WHERE ${mayWrite("?3", "?1")}`;

/**
 * Deletes some of the old days of the accounts after `after`.
 * @returns the account to continue after; `null` when nothing is left, or the run may no longer write
 */
export async function deleteOldDays(
  session: Session,
  { number }: WorkspaceRef,
  { historyFrom, after }: { historyFrom: Day; after: number },
): Promise<number | null> {
  const values = [number, historyFrom, session.holder, after];
  const statements = [...DELETE_OLD, SELECT_LAST];
  const results = await session.batch(
    statements.map((sql) => boundFirst<{ account: number | null; count: number }>(sql, values)),
  );
  if (results.some(({ meta }) => meta.changes === ROWS_PER_STEP)) return after;
  const [last] = results.at(-1)?.results ?? [];
  return last?.count === ACCOUNTS_PER_STEP ? last.account : null;
}

const SET_HISTORY = `UPDATE ${f.table} SET ${f.historyFrom} = ?2 WHERE ${f.workspace} = ?1 AND ${mayWrite("?3", "?1")}`;

/** Records that the days before `historyFrom` are deleted. */
export async function recordHistory(session: Session, { number }: WorkspaceRef, historyFrom: Day): Promise<void> {
  await session.batch([statement(SET_HISTORY, number, historyFrom, session.holder)]);
}

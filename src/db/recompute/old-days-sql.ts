/**
 * Deletes, once a day, counts and scores of days before the history. A step deletes a limited number of rows. It is SQL
 * text because it finds rows by a page of accounts, and deletes them only while the run holds the lease.
 */
import { getTableName } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";

import type { Day } from "../../core/health/model.ts";
import { columnsOf, primaryKeyOf } from "../client/columns-of.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { expression } from "../client/expression.ts";
import { prepare, type Prepared, prepareQuery } from "../client/prepare.ts";
import { dayOf, inOwnRange } from "../client/sql-fragments.ts";
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
import { MAY_WRITE } from "./lease-sql.ts";
import type { Session } from "./session.ts";

const byAccount = columnsOf(attributeDays);
const byUser = columnsOf(pendingAttributeDays);
const fold = columnsOf(folds);
const progress = columnsOf(accountProgress);

const ACCOUNTS_PER_STEP = 20_000;
const ROWS_PER_STEP = 20_000;

/** The accounts after `:after`. Scoring a silent account needs the days before the silence. `:historyFrom` is kept. */
const PAGE = `(
  SELECT ${progress.account} AS account,
    min(:historyFrom, coalesce(${dayOf(progress.lastEventAt)} - ${BEFORE_SILENCE_DAYS}, :historyFrom)) AS active_from
  FROM ${progress.table} WHERE ${progress.workspace} = :workspace AND ${progress.account} > :after
  ORDER BY ${progress.account} LIMIT ${ACCOUNTS_PER_STEP}
) page`;

const ofAccounts = ({ account, day, table }: { account: string; day: string; table: string }, before: string): string =>
  `${PAGE} CROSS JOIN ${table} ON ${account} = page.account AND ${day} < ${before}`;

/** Whether a later day before `:historyFrom` has all attributes of a row `old`. The last value of each attribute stays. */
const isReplaced = (
  { table, day, attributes }: typeof byAccount | typeof byUser,
  owner: string,
): string => `NOT EXISTS (
  SELECT 1 FROM json_each(old.${attributes}) attribute WHERE NOT EXISTS (
    SELECT 1 FROM ${table} later WHERE later.${owner} = old.${owner} AND later.${day} > old.${day}
      AND later.${day} < :historyFrom AND json_type(later.${attributes}, '$.' || attribute.key) IS NOT NULL
  )
)`;

const ofWorkspace = ({ workspace, day, table }: { workspace: string; day: string; table: string }): string =>
  `${table} WHERE ${workspace} = :workspace AND ${day} < :historyFrom`;

/**
 * Deletes at most `ROWS_PER_STEP` rows of a table.
 * @param rows which of its rows, after FROM, with the table as `old`
 */
export function deleteSome(table: SQLiteTable, rows: string): Prepared {
  const name = getTableName(table);
  const key = primaryKeyOf(table);
  return prepare(`
DELETE FROM ${name} WHERE (${key.join(", ")}) IN (
  SELECT ${key.map((column) => `old.${column}`).join(", ")} FROM ${rows} LIMIT ${ROWS_PER_STEP}
) AND ${MAY_WRITE}`);
}

const DELETE_OLD = [
  // First, so that questions about these days are refused from now on.
  deleteSome(workspaceDays, ofWorkspace(columnsOf(workspaceDays, "old"))),
  deleteSome(workspaceContexts, ofWorkspace(columnsOf(workspaceContexts, "old"))),
  deleteSome(rollups, ofAccounts(columnsOf(rollups, "old"), "page.active_from")),
  deleteSome(accountDays, ofAccounts(columnsOf(accountDays, "old"), "page.active_from")),
  deleteSome(healthDays, ofAccounts(columnsOf(healthDays, "old"), ":historyFrom")),
  deleteSome(
    attributeDays,
    `${ofAccounts(columnsOf(attributeDays, "old"), ":historyFrom")} WHERE ${isReplaced(byAccount, byAccount.account)}`,
  ),
  deleteSome(
    pendingAttributeDays,
    `${byUser.table} old WHERE ${inOwnRange(`old.${byUser.user}`, ":workspace")} AND old.${byUser.day} < :historyFrom
      AND ${isReplaced(byUser, byUser.user)}`,
  ),
];

const SELECT_LAST = prepareQuery(
  { account: expression<number | null>("max(account)"), count: expression<number>("count(*)") },
  (columns) => `SELECT ${columns} FROM ${PAGE} WHERE ${MAY_WRITE}`,
);

/**
 * Deletes some of the old days of the accounts after `after`.
 * @returns the account to continue after; `null` when nothing is left, or the run may no longer write
 */
export async function deleteOldDays(
  session: Session,
  { number }: WorkspaceRef,
  { historyFrom, after }: { historyFrom: Day; after: number },
): Promise<number | null> {
  const values = { workspace: number, holder: session.holder, historyFrom, after };
  const [page, ...deleted] = await session.batch([
    SELECT_LAST.bind(values),
    ...DELETE_OLD.map((query) => query.bind(values)),
  ]);
  if (deleted.some(({ meta }) => meta.changes === ROWS_PER_STEP)) return after;
  const [last] = page.results;
  return last?.count === ACCOUNTS_PER_STEP ? last.account : null;
}

const SET_HISTORY = prepare(`
UPDATE ${fold.table} SET ${fold.historyFrom} = :historyFrom WHERE ${fold.workspace} = :workspace AND ${MAY_WRITE}`);

/** Records that the days before `historyFrom` are deleted. */
export async function recordHistory(session: Session, { number }: WorkspaceRef, historyFrom: Day): Promise<void> {
  await session.batch([SET_HISTORY.bind({ workspace: number, holder: session.holder, historyFrom })]);
}

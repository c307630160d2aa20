/** Deletes, once a day, counts and scores of days before the history. A step deletes a limited number of rows. */
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

/** The old rows of each table, as `t`. */
const OLD = [
  // First, so that questions about these days are refused from now on.
  { table: workspaceDays, rows: ofWorkspace(columnsOf(workspaceDays, "t")) },
  { table: workspaceContexts, rows: ofWorkspace(columnsOf(workspaceContexts, "t")) },
  { table: rollups, rows: ofAccounts(columnsOf(rollups, "t"), "page.active_from") },
  { table: accountDays, rows: ofAccounts(columnsOf(accountDays, "t"), "page.active_from") },
  { table: healthDays, rows: ofAccounts(columnsOf(healthDays, "t"), "?2") },
  {
    table: attributeDays,
    rows: `${ofAccounts(columnsOf(attributeDays, "t"), "?2")} WHERE ${isReplaced(byAccount, byAccount.account)}`,
  },
  {
    table: pendingAttributeDays,
    rows: `${byUser.table} t WHERE ${inOwnRange(`t.${byUser.user}`, "?1")} AND t.${byUser.day} < ?2
      AND ${isReplaced(byUser, byUser.user)}`,
  },
];

const DELETE_OLD = OLD.map(({ table, rows }) => {
  const key = primaryKeyOf(table);
  return `
DELETE FROM ${columnsOf(table).table} WHERE (${key.join(", ")}) IN (
  SELECT ${key.map((column) => `t.${column}`).join(", ")} FROM ${rows} LIMIT ${ROWS_PER_STEP}
) AND ${mayWrite("?3", "?1")}`;
});

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

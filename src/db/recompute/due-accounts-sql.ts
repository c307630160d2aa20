/** Reads the accounts that are due, with all data for scoring them, in one round trip. */
import type { Day, HealthDay, WorkspaceContext } from "../../core/health/model.ts";
import type { ReplayStart } from "../../core/outcome/replay.ts";
import { allColumns, columnsOf, decodeRow, type RawRow } from "../client/columns-of.ts";
import { isSuperseded } from "../client/sql-fragments.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { statement } from "../client/statements.ts";
import { accountDays, accounts, accountProgress, healthDays, inboxItems, workspaceContexts } from "../schema/schema.ts";
import { decodeItem, ITEM_COLUMNS, type RawItem } from "../inbox/list-items.ts";
import { historyOf, type HistoryRow, type PackedDays, selectDays } from "./account-days-sql.ts";
import { ACCOUNT_BYTES, countFitting, DAY_BYTES, inTurn, type Page, readPage } from "./loaded-bytes.ts";
import type { Session } from "./session.ts";

/** An account, and what its replay starts from: the first day to score is at most `SCORED_DAYS` back. */
export interface DueAccount extends ReplayStart {
  account: number;
  /** A personal account whose user has moved to another account. */
  superseded: boolean;
}

/** How far back a run fills or replaces an account's history. */
export const SCORED_DAYS = 90;
/** How many days before the first scored day the rules need, by kind of data. */
const LOOK_BACK = { days: 230, users: 170, features: 170, rows: 18, contexts: 30 } as const;
/** After a longer silence, the days before it are read too. */
const LONG_SILENCE_DAYS = 100;
export const BEFORE_SILENCE_DAYS = 120;
const ENOUGH_EARLIER_DAYS = 10;

const a = columnsOf(accountProgress);
const c = columnsOf(workspaceContexts);
const d = columnsOf(accountDays, "d");
const hd = columnsOf(healthDays, "hd");
const i = columnsOf(inboxItems, "i");
const n = columnsOf(accounts, "n");

/**
 * The first day of the items that were confirmed on a day to be rescored. An item stores only its latest evidence, so
 * all its days are rescored. Costs nothing when no day is rescored.
 */
const FIRST_ITEM_DAY = `iif(
  EXISTS (SELECT 1 FROM ${hd.table} WHERE ${hd.account} = due.account AND ${hd.day} = due.score_from),
  (
    SELECT min(${i.openedDay}) FROM ${i.table}
    WHERE ${i.workspace} = ?1 AND ${i.account} = due.account AND ${i.confirmedDay} >= due.score_from
      AND ${i.resolution} IS NOT 'withdrawn'
  ),
  NULL
)`;

/** ?1 the workspace   ?2 now   ?3 the last complete day   ?4 the number of accounts   ?5 days of outages to reach past */
const DUE = `(
  SELECT account, due_at, first_at, timeline,
    max(min(score_from, ?3, coalesce(${FIRST_ITEM_DAY}, ?3)), ?3 - ${SCORED_DAYS - 1}) AS from_day
  FROM (
    SELECT ${a.account} AS account, ${a.dueAt} AS due_at, ${a.firstAt} AS first_at, ${a.timeline} AS timeline,
      ${a.scoreFrom} AS score_from
    FROM ${a.table}
    WHERE ${a.workspace} = ?1 AND ${a.dueAt} <= ?2
    ORDER BY ${a.dueAt}, ${a.account}
    LIMIT ?4
  ) due
)`;

const SINCE = `min(a.from_day - ${LOOK_BACK.days} - ?5, iif(
  EXISTS (
    SELECT 1 FROM ${d.table}
    WHERE ${d.account} = a.account AND ${d.day} BETWEEN a.from_day - ${LONG_SILENCE_DAYS} AND a.from_day
  ),
  a.from_day,
  coalesce(
    (SELECT max(${d.day}) FROM ${d.table} WHERE ${d.account} = a.account AND ${d.day} < a.from_day), a.from_day
  ) - ${BEFORE_SILENCE_DAYS}))`;

const BOUNDED = `(SELECT a.*, ${SINCE} AS since FROM ${DUE} a) a`;

/** Counts the next due accounts whose days fit into ?6 bytes together. */
const COUNT_DUE = countFitting(
  `SELECT account, due_at, ${ACCOUNT_BYTES} + (
    SELECT coalesce(sum(${DAY_BYTES} + octet_length(${d.users}) + octet_length(${d.features})), 0)
    FROM ${d.table} WHERE ${d.account} = a.account AND ${d.day} BETWEEN a.from_day - ${LOOK_BACK.users} - ?5 AND ?3
  ) AS bytes FROM ${DUE} a`,
  "due_at, account",
  "?4",
  "?6",
);

const SELECT_ACCOUNTS = `
SELECT a.account, a.first_at AS firstAt, a.timeline, a.from_day AS fromDay, ${n.kind} AS kind,
  ${isSuperseded("n")} AS superseded,
  (SELECT count(*) FROM (
    SELECT 1 FROM ${d.table} WHERE ${d.account} = a.account AND ${d.day} < a.since LIMIT ${ENOUGH_EARLIER_DAYS}
  )) AS earlierDays
FROM ${BOUNDED} CROSS JOIN ${n.table} ON ${n.number} = a.account
ORDER BY a.account`;

interface DueRow extends HistoryRow {
  fromDay: Day;
  superseded: number;
}

const SELECT_ACTIVE_DAYS = selectDays(
  `${BOUNDED} CROSS JOIN ${d.table} ON ${d.account} = a.account AND ${d.day} BETWEEN a.since AND ?3`,
  `a.from_day - ${LOOK_BACK.users} - ?5`,
  `a.from_day - ${LOOK_BACK.features} - ?5`,
);

const SELECT_HEALTH_DAYS = `
SELECT ${allColumns(healthDays, "hd")}
FROM ${DUE} a CROSS JOIN ${hd.table} ON ${hd.account} = a.account AND ${hd.day} >= a.from_day - ${LOOK_BACK.rows}
WHERE ${hd.day} <= ?3
ORDER BY ${hd.account}, ${hd.day}`;

const SELECT_ITEMS = `
SELECT ${ITEM_COLUMNS} FROM ${DUE} a CROSS JOIN ${i.table} ON ${i.workspace} = ?1 AND ${i.account} = a.account
ORDER BY ${i.number}`;

/**
 * During an outage of the sender, the last day before it explains a score, however long ago that was. A drop that caps
 * the score also needs the two days before that one.
 */
const SELECT_CONTEXTS = `
SELECT ${c.context} AS context FROM ${c.table}
WHERE ${c.workspace} = ?1 AND ${c.day} <= ?3 AND ${c.day} >= min(
  coalesce((SELECT min(from_day) FROM ${DUE}), ?3) - ${LOOK_BACK.contexts},
  coalesce((
    SELECT ${c.context} ->> '$.silence.lastDay' FROM ${c.table} WHERE ${c.workspace} = ?1 AND ${c.day} = ?3
  ), ?3) - 2
)
ORDER BY ${c.day}`;

interface Due {
  now: number;
  lastDay: Day;
  limit: number;
  /** Days of the sender's outages, which windows reach past. */
  outageDays: number;
  maxBytes: number;
}

/**
 * Reads the next due accounts: as many as fit into `maxBytes`, at most `limit`.
 * @returns `accounts` come one at a time, which bounds memory; `more` may be due after them
 */
export async function readDueAccounts(
  session: Session,
  workspace: WorkspaceRef,
  { now, lastDay, limit, outageDays, maxBytes }: Due,
): Promise<{ accounts: Iterable<DueAccount>; contexts: Map<Day, WorkspaceContext>; more: boolean }> {
  const counting = statement<Page>(COUNT_DUE, workspace.number, now, lastDay, limit, outageDays, maxBytes);
  const { count, more } = await readPage(session, counting);
  if (count === 0) return { accounts: [], contexts: new Map(), more: false };
  const due = [workspace.number, now, lastDay, count] as const;
  const [{ results: rows }, { results: packed }, { results: scored }, { results: items }, { results: contexts }] =
    await session.batch([
      statement<DueRow>(SELECT_ACCOUNTS, ...due, outageDays),
      statement<PackedDays>(SELECT_ACTIVE_DAYS, ...due, outageDays),
      statement<RawRow<typeof healthDays>>(SELECT_HEALTH_DAYS, ...due),
      statement<RawItem>(SELECT_ITEMS, ...due),
      statement<{ context: string }>(SELECT_CONTEXTS, ...due),
    ]);
  const packedByAccount = Map.groupBy(packed, ({ account }) => account);
  const scoredByAccount = Map.groupBy(scored, ({ account }) => account);
  const itemsByAccount = Map.groupBy(items, ({ account }) => account);
  const read = contexts.map(({ context }): WorkspaceContext => JSON.parse(context));
  return {
    more: more === 1,
    contexts: new Map(read.map((context) => [context.day, context])),
    accounts: inTurn(rows, ({ fromDay, superseded, ...row }) => ({
      account: row.account,
      history: historyOf(row, packedByAccount.get(row.account)),
      superseded: superseded === 1,
      from: fromDay,
      days: (scoredByAccount.get(row.account) ?? []).map(decodeDay),
      items: (itemsByAccount.get(row.account) ?? []).map(decodeItem),
    })),
  };
}

function decodeDay(row: RawRow<typeof healthDays>): HealthDay {
  const { account: _account, ...day } = decodeRow(healthDays, row);
  return day;
}

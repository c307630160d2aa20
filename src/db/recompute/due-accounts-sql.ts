/**
 * Reads the accounts that are due, with all data for scoring them, in one round trip. It is SQL text because every
 * statement takes the accounts and their days from the same subquery.
 */
import type { Day, HealthDay, WorkspaceContext } from "../../core/health/model.ts";
import type { ReplayStart } from "../../core/outcome/replay.ts";
import { columnsOf, decodeRow, type RawRow } from "../client/columns-of.ts";
import { expression } from "../client/expression.ts";
import { prepareQuery } from "../client/prepare.ts";
import { isSuperseded } from "../client/sql-fragments.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { accountDays, accounts, accountProgress, healthDays, inboxItems, workspaceContexts } from "../schema/schema.ts";
import { decodeItem } from "../inbox/list-items.ts";
import { historyOf, selectDays } from "./account-days-sql.ts";
import { ACCOUNT_BYTES, countFitting, DAY_BYTES, inTurn, readPage } from "./loaded-bytes.ts";
import type { Session } from "./session.ts";

/** An account, and the start of its replay: the first day to score is at most `SCORED_DAYS` back. */
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

const account = columnsOf(accounts, "account");
const accountDay = columnsOf(accountDays, "accountDay");
const context = columnsOf(workspaceContexts);
const progress = columnsOf(accountProgress);
const { table: HEALTH_DAYS, ...healthDay } = columnsOf(healthDays, "healthDay");
const { table: ITEMS, ...item } = columnsOf(inboxItems, "item");

/**
 * The first day of the items that were confirmed on a day to be rescored. An item stores only its latest evidence, so
 * all its days are rescored. Costs nothing when no day is rescored.
 */
const FIRST_ITEM_DAY = `iif(
  EXISTS (SELECT 1 FROM ${HEALTH_DAYS} WHERE ${healthDay.account} = first.account AND ${healthDay.day} = first.score_from),
  (
    SELECT min(${item.openedDay}) FROM ${ITEMS}
    WHERE ${item.workspace} = :workspace AND ${item.account} = first.account AND ${item.confirmedDay} >= first.score_from
      AND ${item.resolution} IS NOT 'withdrawn'
  ),
  NULL
)`;

/** The first `:limit` accounts that are due, and the first day to score of each. `:lastDay` is complete. */
const DUE = `(
  SELECT account, due_at, first_at, timeline,
    max(min(score_from, :lastDay, coalesce(${FIRST_ITEM_DAY}, :lastDay)), :lastDay - ${SCORED_DAYS - 1}) AS from_day
  FROM (
    SELECT ${progress.account} AS account, ${progress.dueAt} AS due_at, ${progress.firstAt} AS first_at,
      ${progress.timeline} AS timeline, ${progress.scoreFrom} AS score_from
    FROM ${progress.table}
    WHERE ${progress.workspace} = :workspace AND ${progress.dueAt} <= :now
    ORDER BY ${progress.dueAt}, ${progress.account}
    LIMIT :limit
  ) first
) due`;

const SINCE = `min(due.from_day - ${LOOK_BACK.days} - :outageDays, iif(
  EXISTS (
    SELECT 1 FROM ${accountDay.table} WHERE ${accountDay.account} = due.account
      AND ${accountDay.day} BETWEEN due.from_day - ${LONG_SILENCE_DAYS} AND due.from_day
  ),
  due.from_day,
  coalesce((
    SELECT max(${accountDay.day}) FROM ${accountDay.table}
    WHERE ${accountDay.account} = due.account AND ${accountDay.day} < due.from_day
  ), due.from_day) - ${BEFORE_SILENCE_DAYS}))`;

const BOUNDED = `(SELECT due.*, ${SINCE} AS since FROM ${DUE}) due`;

/** Counts the next due accounts whose days fit into `:maxBytes` together. */
const COUNT_DUE = countFitting(
  `SELECT account, due_at, ${ACCOUNT_BYTES} + (
    SELECT coalesce(sum(${DAY_BYTES} + octet_length(${accountDay.users}) + octet_length(${accountDay.features})), 0)
    FROM ${accountDay.table} WHERE ${accountDay.account} = due.account
      AND ${accountDay.day} BETWEEN due.from_day - ${LOOK_BACK.users} - :outageDays AND :lastDay
  ) AS bytes FROM ${DUE}`,
  "due_at, account",
);

const SELECT_ACCOUNTS = prepareQuery(
  {
    account: expression<number>("due.account"),
    firstAt: expression<number>("due.first_at"),
    timeline: expression<string>("due.timeline"),
    fromDay: expression<Day>("due.from_day"),
    kind: account.kind,
    superseded: expression<number>(isSuperseded("account")),
    earlierDays: expression<number>(`(SELECT count(*) FROM (
    SELECT 1 FROM ${accountDay.table} WHERE ${accountDay.account} = due.account AND ${accountDay.day} < due.since
    LIMIT ${ENOUGH_EARLIER_DAYS}
  ))`),
  },
  (columns) => `
SELECT ${columns} FROM ${BOUNDED} CROSS JOIN ${account.table} ON ${account.number} = due.account ORDER BY due.account`,
);

const SELECT_ACTIVE_DAYS = selectDays(
  `${BOUNDED} CROSS JOIN ${accountDay.table}
  ON ${accountDay.account} = due.account AND ${accountDay.day} BETWEEN due.since AND :lastDay`,
  `due.from_day - ${LOOK_BACK.users} - :outageDays`,
  `due.from_day - ${LOOK_BACK.features} - :outageDays`,
);

const SELECT_HEALTH_DAYS = prepareQuery(
  healthDay,
  (columns) => `
SELECT ${columns} FROM ${DUE} CROSS JOIN ${HEALTH_DAYS}
  ON ${healthDay.account} = due.account AND ${healthDay.day} >= due.from_day - ${LOOK_BACK.rows}
WHERE ${healthDay.day} <= :lastDay
ORDER BY ${healthDay.account}, ${healthDay.day}`,
);

const SELECT_ITEMS = prepareQuery(
  item,
  (columns) => `
SELECT ${columns} FROM ${DUE} CROSS JOIN ${ITEMS} ON ${item.workspace} = :workspace AND ${item.account} = due.account
ORDER BY ${item.number}`,
);

/**
 * During an outage of the sender, the last day before it explains a score, however long ago that was. A drop that caps
 * the score also needs the two days before that one.
 */
const SELECT_CONTEXTS = prepareQuery(
  { context: context.context },
  (columns) => `
SELECT ${columns} FROM ${context.table}
WHERE ${context.workspace} = :workspace AND ${context.day} <= :lastDay AND ${context.day} >= min(
  coalesce((SELECT min(from_day) FROM ${DUE}), :lastDay) - ${LOOK_BACK.contexts},
  coalesce((
    SELECT ${context.context} ->> '$.silence.lastDay' FROM ${context.table}
    WHERE ${context.workspace} = :workspace AND ${context.day} = :lastDay
  ), :lastDay) - 2
)
ORDER BY ${context.day}`,
);

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
  range: Due,
): Promise<{ accounts: Iterable<DueAccount>; contexts: Map<Day, WorkspaceContext>; more: boolean }> {
  const values = { ...range, workspace: workspace.number };
  const { count, more } = await readPage(session, COUNT_DUE.bind(values));
  if (count === 0) return { accounts: [], contexts: new Map(), more: false };
  const due = { ...values, limit: count };
  const [{ results: rows }, { results: packed }, { results: scored }, { results: items }, { results: contexts }] =
    await session.batch([
      SELECT_ACCOUNTS.bind(due),
      SELECT_ACTIVE_DAYS.bind(due),
      SELECT_HEALTH_DAYS.bind(due),
      SELECT_ITEMS.bind(due),
      SELECT_CONTEXTS.bind(due),
    ]);
  const packedByAccount = Map.groupBy(packed, (row) => row.account);
  const scoredByAccount = Map.groupBy(scored, (row) => row.account);
  const itemsByAccount = Map.groupBy(items, (row) => row.account);
  const read = contexts.map((row): WorkspaceContext => JSON.parse(row.context));
  return {
    more: more === 1,
    contexts: new Map(read.map((each) => [each.day, each])),
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

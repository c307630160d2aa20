/** Reads the data for comparing a workspace's accounts, and writes the resulting contexts. */
import type { AccountHistory, Day, WorkspaceContext } from "../../core/health/model.ts";
import type { ActivityLevel } from "../../core/health/days-off.ts";
import type { ContextSums } from "../../core/health/workspace-context.ts";
import type { InboxItem } from "../../core/inbox/model.ts";
import { columnsOf } from "../client/columns-of.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { jsonParts, MAX_PART_CHARACTERS, statement } from "../client/statements.ts";
import {
  accountDays,
  accounts,
  accountProgress,
  comparisons,
  inboxItems,
  workspaceContexts,
  workspaceDays,
} from "../schema/schema.ts";
import { decodeItem, ITEM_COLUMNS, type RawItem } from "../inbox/list-items.ts";
import { historyOf, type HistoryRow, type PackedDays, selectDays } from "./account-days-sql.ts";
import { mayWrite } from "./lease-sql.ts";
import { countFitting, DAY_BYTES, inTurn, type Page, readPage } from "./loaded-bytes.ts";
import { type AccountItems, upsertItems } from "./outcomes-sql.ts";
import type { Session } from "./session.ts";

/** Takes the place of the account in items about the workspace as a whole. */
export const NO_ACCOUNT = 0;

/** What a comparison has added up when its run must stop, so that the next run continues there. */
interface UnfinishedComparison {
  /** The last account that the sums contain. */
  after: number;
  sums: ContextSums;
}

interface ContextBasis {
  /** Days with an event, ascending. */
  activeDays: Day[];
  levels: Map<Day, ActivityLevel>;
  previous: WorkspaceContext | null;
  /** Items about the workspace as a whole, except withdrawn ones. */
  items: InboxItem[];
  unfinished: UnfinishedComparison | null;
}

const a = columnsOf(accountProgress, "a");
const c = columnsOf(workspaceContexts);
const d = columnsOf(accountDays, "d");
const i = columnsOf(inboxItems, "i");
const n = columnsOf(accounts, "n");
const s = columnsOf(comparisons);
const w = columnsOf(workspaceDays);

const SET_LEVELS = `
UPDATE ${w.table} SET ${w.accounts} = l.accounts, ${w.userDays} = l.user_days
FROM (
  SELECT ${d.day} AS day, count(*) AS accounts, sum(${d.userDays}) AS user_days
  FROM (
    SELECT min(${w.day}) AS first FROM ${w.table}
    WHERE ${w.workspace} = ?1 AND ${w.day} BETWEEN ?2 AND ?3 AND ${w.accounts} IS NULL
  ) missing
  CROSS JOIN ${a.table} ON missing.first IS NOT NULL AND ${a.workspace} = ?1
  CROSS JOIN ${d.table} ON ${d.account} = ${a.account} AND ${d.day} BETWEEN missing.first AND ?3
  GROUP BY ${d.day}
) l
WHERE ${w.table}.${w.workspace} = ?1 AND ${w.table}.${w.day} = l.day AND ${w.table}.${w.accounts} IS NULL
  AND ${mayWrite("?4", "?1")}`;

const SELECT_DAYS = `
SELECT ${w.day} AS day, ${w.accounts} AS accounts, ${w.userDays} AS userDays FROM ${w.table}
WHERE ${w.workspace} = ?1 AND ${w.day} BETWEEN ?2 AND ?3 ORDER BY ${w.day}`;

const SELECT_PREVIOUS = `
SELECT ${c.context} AS context FROM ${c.table} WHERE ${c.workspace} = ?1 ORDER BY ${c.day} DESC LIMIT 1`;

const SELECT_ITEMS = `
SELECT ${ITEM_COLUMNS} FROM ${i.table}
WHERE ${i.workspace} = ?1 AND ${i.account} = ${NO_ACCOUNT} AND ${i.resolution} IS NOT 'withdrawn'`;

const SELECT_COMPARISON = `SELECT ${s.part} AS part FROM ${s.table} WHERE ${s.workspace} = ?1 ORDER BY ${s.place}`;

/**
 * Reads the basis, and stores the levels of days that are complete. Each day's level is stored once and stays.
 * @param since the first day to read; levels are computed from `levelsSince` on
 */
export async function readContextBasis(
  session: Session,
  workspace: WorkspaceRef,
  { since, levelsSince, lastDay }: Record<"since" | "levelsSince" | "lastDay", Day>,
): Promise<ContextBasis> {
  const { number } = workspace;
  const [, { results: days }, { results: contexts }, { results: items }, { results: parts }] = await session.batch([
    statement(SET_LEVELS, number, levelsSince, lastDay, session.holder),
    statement<{ day: Day; accounts: number | null; userDays: number }>(SELECT_DAYS, number, since, lastDay),
    statement<{ context: string }>(SELECT_PREVIOUS, number),
    statement<RawItem>(SELECT_ITEMS, number),
    statement<{ part: string }>(SELECT_COMPARISON, number),
  ]);
  const [previous] = contexts;
  return {
    activeDays: days.map(({ day }) => day),
    levels: new Map(
      days.flatMap(({ day, accounts: count, userDays }) =>
        count === null ? [] : [[day, { accounts: count, userDays }] as const],
      ),
    ),
    previous: previous === undefined ? null : JSON.parse(previous.context),
    items: items.map(decodeItem),
    unfinished: parts.length === 0 ? null : JSON.parse(parts.map(({ part }) => part).join("")),
  };
}

/** ?1 the workspace   ?2 the account before   ?3 the most accounts   ?4, ?5, ?6 as in SELECT_ACCOUNT_DAYS   ?7 the most bytes */
const COUNT_COMPARED = countFitting(
  `SELECT ${a.account} AS account, octet_length(${a.timeline}) + (
    SELECT coalesce(sum(${DAY_BYTES} + iif(${d.day} >= ?5, octet_length(${d.features}), 0)), 0)
    FROM ${d.table} WHERE ${d.account} = ${a.account} AND ${d.day} BETWEEN ?4 AND ?6
  ) AS bytes
  FROM ${a.table} WHERE ${a.workspace} = ?1 AND ${a.account} > ?2 ORDER BY ${a.account} LIMIT ?3`,
  "account",
  "?3",
  "?7",
);

const PAGE = `(
  SELECT ${a.account} AS account, ${a.firstAt} AS firstAt, ${a.timeline} AS timeline FROM ${a.table}
  WHERE ${a.workspace} = ?1 AND ${a.account} > ?2 ORDER BY ${a.account} LIMIT ?3
) page`;

const SELECT_ACCOUNTS = `
SELECT page.account, page.firstAt, page.timeline, ${n.kind} AS kind,
  EXISTS (SELECT 1 FROM ${d.table} WHERE ${d.account} = page.account AND ${d.day} < ?4) AS earlierDays
FROM ${PAGE} CROSS JOIN ${n.table} ON ${n.number} = page.account ORDER BY page.account`;

const SELECT_ACCOUNT_DAYS = selectDays(
  `${PAGE} CROSS JOIN ${d.table} ON ${d.account} = page.account AND ${d.day} BETWEEN ?4 AND ?6`,
  "?6 + 1",
  "?5",
);

/**
 * Reads the next accounts by number, with the data for comparing them: as many as fit into `maxBytes`, at most `limit`.
 * @param since the first of their days to read; `featuresSince` the first with features
 * @returns `histories` come one at a time, which bounds memory; `next` is null at the end
 */
export async function readComparedAccounts(
  session: Session,
  workspace: WorkspaceRef,
  range: Record<"after" | "limit" | "maxBytes" | "since" | "featuresSince" | "lastDay", number>,
): Promise<{ histories: Iterable<AccountHistory>; next: number | null }> {
  const { after, limit, maxBytes, since, featuresSince, lastDay } = range;
  const days = [since, featuresSince, lastDay] as const;
  const counting = statement<Page>(COUNT_COMPARED, workspace.number, after, limit, ...days, maxBytes);
  const { count, more } = await readPage(session, counting);
  const values = [workspace.number, after, count, since] as const;
  const [{ results: rows }, { results: packed }] = await session.batch([
    statement<HistoryRow>(SELECT_ACCOUNTS, ...values),
    statement<PackedDays>(SELECT_ACCOUNT_DAYS, workspace.number, after, count, ...days),
  ]);
  const byAccount = Map.groupBy(packed, ({ account }) => account);
  return {
    histories: inTurn(rows, (row) => historyOf(row, byAccount.get(row.account))),
    next: more === 1 ? (rows.at(-1)?.account ?? null) : null,
  };
}

/** Deletes the sums, which contexts make obsolete. ?2 the run. */
const DELETE_COMPARISON = `DELETE FROM ${s.table} WHERE ${s.workspace} = ?1 AND ${mayWrite("?2", "?1")}`;

const INSERT_PART = `
INSERT INTO ${s.table} (${s.workspace}, ${s.place}, ${s.part}) SELECT ?1, ?3, ?4 WHERE ${mayWrite("?2", "?1")}`;

export async function saveComparison(
  session: Session,
  { number }: WorkspaceRef,
  comparison: UnfinishedComparison,
): Promise<void> {
  const text = JSON.stringify(comparison);
  const places = Array.from({ length: Math.ceil(text.length / MAX_PART_CHARACTERS) }, (_, place) => place);
  await session.batch([
    statement(DELETE_COMPARISON, number, session.holder),
    ...places.map((place) => {
      const part = text.slice(place * MAX_PART_CHARACTERS, (place + 1) * MAX_PART_CHARACTERS);
      return statement(INSERT_PART, number, session.holder, place, part);
    }),
  ]);
}

/** Writes contexts and the items about the workspace as a whole. A day that already has a context keeps it. */
export async function writeContexts(
  session: Session,
  workspace: WorkspaceRef,
  contexts: readonly WorkspaceContext[],
  items: AccountItems,
): Promise<void> {
  const rows = contexts.map((context) => [context.day, JSON.stringify(context)]);
  await session.batch([
    ...jsonParts(rows).map((part) => statement(INSERT_CONTEXTS, workspace.number, part, session.holder)),
    statement(DELETE_COMPARISON, workspace.number, session.holder),
    ...upsertItems(session, workspace, [items]),
  ]);
}

const INSERT_CONTEXTS = `
INSERT INTO ${c.table} (${c.workspace}, ${c.day}, ${c.context})
SELECT ?1, value ->> 0, value ->> 1 FROM json_each(?2)
WHERE ${mayWrite("?3", "?1")}
ON CONFLICT DO NOTHING`;

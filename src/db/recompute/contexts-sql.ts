/**
 * Reads the data for comparing a workspace's accounts, and writes the resulting contexts. It is SQL text because one
 * transaction updates from an aggregate, or writes lists only while the run holds the lease, and reads the rest.
 */
import { getTableName } from "drizzle-orm";

import type { AccountHistory, Day, WorkspaceContext } from "../../core/health/model.ts";
import type { ActivityLevel } from "../../core/health/days-off.ts";
import type { ContextSums } from "../../core/health/workspace-context.ts";
import type { InboxItem } from "../../core/inbox/model.ts";
import { columnsOf } from "../client/columns-of.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { expression } from "../client/expression.ts";
import { prepare, prepareQuery } from "../client/prepare.ts";
import { jsonParts, MAX_PART_CHARACTERS } from "../client/run-statements.ts";
import {
  accountDays,
  accounts,
  accountProgress,
  comparisons,
  inboxItems,
  workspaceContexts,
  workspaceDays,
} from "../schema/schema.ts";
import { decodeItem } from "../inbox/list-items.ts";
import { historyOf, selectDays } from "./account-days-sql.ts";
import { MAY_WRITE } from "./lease-sql.ts";
import { countFitting, DAY_BYTES, inTurn, readPage } from "./loaded-bytes.ts";
import { type AccountItems, upsertItems } from "./outcomes-sql.ts";
import type { Session } from "./session.ts";

/** Takes the place of the account in items about the workspace as a whole. */
export const NO_ACCOUNT = 0;

/** The sums of a comparison whose run must stop. The next run continues from them. */
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
  /** Items about the workspace as a whole. */
  items: InboxItem[];
  unfinished: UnfinishedComparison | null;
}

const account = columnsOf(accounts, "account");
const accountDay = columnsOf(accountDays, "accountDay");
const comparison = columnsOf(comparisons);
const context = columnsOf(workspaceContexts);
const progress = columnsOf(accountProgress, "progress");
const workspaceDay = columnsOf(workspaceDays);
const updated = columnsOf(workspaceDays, getTableName(workspaceDays));
const { table: ITEMS, ...item } = columnsOf(inboxItems, "item");

const SET_LEVELS = prepare(`
UPDATE ${workspaceDay.table} SET ${workspaceDay.accounts} = level.accounts, ${workspaceDay.userDays} = level.user_days
FROM (
  SELECT ${accountDay.day} AS day, count(*) AS accounts, sum(${accountDay.userDays}) AS user_days
  FROM (
    SELECT min(${workspaceDay.day}) AS first FROM ${workspaceDay.table}
    WHERE ${workspaceDay.workspace} = :workspace AND ${workspaceDay.day} BETWEEN :levelsSince AND :lastDay
      AND ${workspaceDay.accounts} IS NULL
  ) missing
  CROSS JOIN ${progress.table} ON missing.first IS NOT NULL AND ${progress.workspace} = :workspace
  CROSS JOIN ${accountDay.table}
    ON ${accountDay.account} = ${progress.account} AND ${accountDay.day} BETWEEN missing.first AND :lastDay
  GROUP BY ${accountDay.day}
) level
WHERE ${updated.workspace} = :workspace AND ${updated.day} = level.day AND ${updated.accounts} IS NULL AND ${MAY_WRITE}`);

const SELECT_DAYS = prepareQuery(
  { day: workspaceDay.day, accounts: workspaceDay.accounts, userDays: workspaceDay.userDays },
  (columns) => `
SELECT ${columns} FROM ${workspaceDay.table}
WHERE ${workspaceDay.workspace} = :workspace AND ${workspaceDay.day} BETWEEN :since AND :lastDay ORDER BY ${workspaceDay.day}`,
);

const SELECT_PREVIOUS = prepareQuery(
  { context: context.context },
  (columns) => `
SELECT ${columns} FROM ${context.table} WHERE ${context.workspace} = :workspace ORDER BY ${context.day} DESC LIMIT 1`,
);

const SELECT_ITEMS = prepareQuery(
  item,
  (columns) => `
SELECT ${columns} FROM ${ITEMS}
WHERE ${item.workspace} = :workspace AND ${item.account} = ${NO_ACCOUNT}`,
);

const SELECT_COMPARISON = prepareQuery(
  { part: comparison.part },
  (columns) => `
SELECT ${columns} FROM ${comparison.table} WHERE ${comparison.workspace} = :workspace ORDER BY ${comparison.place}`,
);

/**
 * Reads the basis, and stores the levels of days that are complete. Each day's level is stored once and stays.
 * @param since the first day to read; levels are computed from `levelsSince` on
 */
export async function readContextBasis(
  session: Session,
  workspace: WorkspaceRef,
  range: Record<"since" | "levelsSince" | "lastDay", Day>,
): Promise<ContextBasis> {
  const values = { ...range, workspace: workspace.number, holder: session.holder };
  const [, { results: days }, { results: contexts }, { results: items }, { results: parts }] = await session.batch([
    SET_LEVELS.bind(values),
    SELECT_DAYS.bind(values),
    SELECT_PREVIOUS.bind(values),
    SELECT_ITEMS.bind(values),
    SELECT_COMPARISON.bind(values),
  ]);
  const [previous] = contexts;
  return {
    activeDays: days.map(({ day }) => day),
    levels: new Map(
      days.flatMap(({ day, accounts: count, userDays }) =>
        count === null || userDays === null ? [] : [[day, { accounts: count, userDays }] as const],
      ),
    ),
    previous: previous === undefined ? null : JSON.parse(previous.context),
    items: items.map(decodeItem),
    unfinished: parts.length === 0 ? null : JSON.parse(parts.map(({ part }) => part).join("")),
  };
}

const NEXT_ACCOUNTS = `FROM ${progress.table}
  WHERE ${progress.workspace} = :workspace AND ${progress.account} > :after ORDER BY ${progress.account} LIMIT :limit`;

const COUNT_COMPARED = countFitting(
  `SELECT ${progress.account} AS account, octet_length(${progress.timeline}) + (
    SELECT coalesce(sum(${DAY_BYTES} + iif(${accountDay.day} >= :featuresSince, octet_length(${accountDay.features}), 0)), 0)
    FROM ${accountDay.table}
    WHERE ${accountDay.account} = ${progress.account} AND ${accountDay.day} BETWEEN :since AND :lastDay
  ) AS bytes
  ${NEXT_ACCOUNTS}`,
  "account",
);

const PAGE = `(
  SELECT ${progress.account} AS account, ${progress.firstAt} AS first_at, ${progress.timeline} AS timeline ${NEXT_ACCOUNTS}
) page`;

const SELECT_ACCOUNTS = prepareQuery(
  {
    account: expression<number>("page.account"),
    firstAt: expression<number>("page.first_at"),
    timeline: expression<string>("page.timeline"),
    kind: account.kind,
    earlierDays: expression<number>(
      `EXISTS (SELECT 1 FROM ${accountDay.table} WHERE ${accountDay.account} = page.account AND ${accountDay.day} < :since)`,
    ),
  },
  (columns) => `
SELECT ${columns} FROM ${PAGE} CROSS JOIN ${account.table} ON ${account.number} = page.account ORDER BY page.account`,
);

const SELECT_ACCOUNT_DAYS = selectDays(
  `${PAGE} CROSS JOIN ${accountDay.table}
  ON ${accountDay.account} = page.account AND ${accountDay.day} BETWEEN :since AND :lastDay`,
  ":lastDay + 1",
  ":featuresSince",
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
  const values = { ...range, workspace: workspace.number };
  const { count, more } = await readPage(session, COUNT_COMPARED.bind(values));
  const page = { ...values, limit: count };
  const [{ results: rows }, { results: packed }] = await session.batch([
    SELECT_ACCOUNTS.bind(page),
    SELECT_ACCOUNT_DAYS.bind(page),
  ]);
  const byAccount = Map.groupBy(packed, (row) => row.account);
  return {
    histories: inTurn(rows, (row) => historyOf(row, byAccount.get(row.account))),
    next: more === 1 ? (rows.at(-1)?.account ?? null) : null,
  };
}

/** Deletes the sums, which contexts make obsolete. */
const DELETE_COMPARISON = prepare(`
DELETE FROM ${comparison.table} WHERE ${comparison.workspace} = :workspace AND ${MAY_WRITE}`);

const INSERT_PART = prepare(`
INSERT INTO ${comparison.table} (${comparison.workspace}, ${comparison.place}, ${comparison.part})
SELECT :workspace, :place, :part WHERE ${MAY_WRITE}`);

export async function saveComparison(
  session: Session,
  { number }: WorkspaceRef,
  unfinished: UnfinishedComparison,
): Promise<void> {
  const values = { workspace: number, holder: session.holder };
  const text = JSON.stringify(unfinished);
  const places = Array.from({ length: Math.ceil(text.length / MAX_PART_CHARACTERS) }, (_, place) => place);
  await session.batch([
    DELETE_COMPARISON.bind(values),
    ...places.map((place) => {
      const part = text.slice(place * MAX_PART_CHARACTERS, (place + 1) * MAX_PART_CHARACTERS);
      return INSERT_PART.bind({ ...values, place, part });
    }),
  ]);
}

/** Writes contexts and the items about the workspace as a whole. A day that already has a context keeps it. */
export async function writeContexts(
  session: Session,
  workspace: WorkspaceRef,
  contexts: readonly WorkspaceContext[],
  items: AccountItems,
  now: number,
): Promise<void> {
  const values = { workspace: workspace.number, holder: session.holder };
  const parts = jsonParts(contexts.map((each) => [each.day, JSON.stringify(each)]));
  await session.batch([
    ...parts.map((rows) => INSERT_CONTEXTS.bind({ ...values, rows })),
    DELETE_COMPARISON.bind(values),
    ...upsertItems(session, workspace, [items], now),
  ]);
}

const INSERT_CONTEXTS = prepare(`
INSERT INTO ${context.table} (${context.workspace}, ${context.day}, ${context.context})
SELECT :workspace, value ->> 0, value ->> 1 FROM json_each(:rows)
WHERE ${MAY_WRITE}
ON CONFLICT DO NOTHING`);

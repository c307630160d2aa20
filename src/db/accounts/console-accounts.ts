/**
 * Reads pages of the console's account list, with recent scores, active users and open items. One statement reads a
 * page, and reads days only for the accounts on it.
 */
import { and, asc, between, count, desc, eq, gt, lte, or, sql } from "drizzle-orm";
import { alias, QueryBuilder } from "drizzle-orm/sqlite-core";

import { DAY_MS } from "../../core/durations.ts";
import { type Day, HEALTH_STATES, type HealthState } from "../../core/health/model.ts";
import { tailEvents } from "../ask/tail.ts";
import { type Database, ownRange, type WorkspaceRef } from "../client/database.ts";
import { readQueries } from "../client/read.ts";
import type { SortPosition } from "../client/sort-position.ts";
import { inStatus } from "../inbox/list-items.ts";
import { asOfQuery } from "../recompute/runs.ts";
import {
  accounts,
  dimensionValues,
  health,
  healthDays,
  inboxItems,
  inboxMarks,
  savedViews,
  traits,
} from "../schema/schema.ts";
import type { OpenWorkspace } from "../workspaces/find-workspace.ts";
import {
  type AccountConditions,
  activeUsersColumns,
  boundedActiveUsers,
  findsTooManyUsers,
  hasTooManyUsers,
  meets,
  readRowsOf,
} from "./account-conditions.ts";
import { consoleOrder, type ConsoleSort } from "./console-orders.ts";
import { foundIn } from "./found-accounts.ts";
import { accountsQuery, isNotSuperseded, pageQuery, SORT_VALUE } from "./list-accounts.ts";
import { ownersQuery } from "./list-owners.ts";

export type ConsoleAccounts = Awaited<ReturnType<typeof readConsoleAccounts>>;

interface ConsoleRequest {
  filter: AccountConditions;
  /** Part of a name or an id, of an account or a user; empty for all accounts. */
  search: string;
  sort: ConsoleSort;
  isReversed: boolean;
  /** The position of the last row on the previous page. */
  after: SortPosition | null;
  limit: number;
  withIdentity: boolean;
  /** Days count back from this time, in milliseconds since the epoch. */
  now: number;
}

export const SCORE_DAYS = 30;
/** Plans and traits with more values than this are no filters; one value would choose all accounts. */
const FILTER_VALUES = { min: 2, max: 20 };

const healthDay = alias(healthDays, "healthDay");

/** Counts in one pass: GROUP BY would read each row twice. */
const countedStates = Object.fromEntries(
  HEALTH_STATES.map((state) => [state, sql<number>`count(*) FILTER (WHERE ${health.state} = ${state})`.as(state)]),
);

/** The plans, and then the traits of accounts, that have few values. */
const fewValuesQuery = (db: Database, { number }: WorkspaceRef) =>
  db
    .select({
      /** The key of the trait; `null` for the plan. */
      key: sql`${dimensionValues.dimension}`.mapWith(traitKeyOf).as("trait_key"),
      values: sql`json_group_array(json(${dimensionValues.value}))`.mapWith(readValues).as("few_values"),
    })
    .from(dimensionValues)
    .where(
      and(
        eq(dimensionValues.workspace, number),
        // A slash follows the dot.
        or(eq(dimensionValues.dimension, "plan"), between(dimensionValues.dimension, "account.", "account/")),
      ),
    )
    .groupBy(dimensionValues.dimension)
    .having(sql`count(*) BETWEEN ${FILTER_VALUES.min} AND ${FILTER_VALUES.max}`)
    .orderBy(sql`${dimensionValues.dimension} <> 'plan'`, asc(dimensionValues.dimension));

const traitKeyOf = (dimension: string): string | null => /^account\.(.+)$/s.exec(dimension)?.[1] ?? null;

function readValues(json: string): string[] {
  const values: unknown[] = JSON.parse(json);
  return values.map(String);
}

export async function readConsoleAccounts(env: Env, workspace: OpenWorkspace, request: ConsoleRequest) {
  const { filter, search, sort, isReversed, now, ...page } = request;
  const readRows = readRowsOf(filter, sort, search);
  const reader = { withIdentity: page.withIdentity, today: Math.floor(now / DAY_MS), readRows };
  const { activeUsers, hasMoreUsers } = activeUsersColumns(workspace, reader.today);
  const openItems = new QueryBuilder()
    .select({ count: count() })
    .from(inboxItems)
    .leftJoin(inboxMarks, eq(inboxMarks.item, inboxItems.number))
    .where(
      and(eq(inboxItems.workspace, workspace.number), eq(inboxItems.account, accounts.number), inStatus("open", now)),
    );
  const columns = {
    scores: sql`(SELECT json_group_array(json_object('day', ${healthDay.day}, 'value', ${healthDay.score}))
      FROM ${healthDays} "healthDay"
      WHERE ${healthDay.account} = ${accounts.number} AND ${healthDay.day} >= ${reader.today - SCORE_DAYS})`
      .mapWith(readScores)
      .as("scores"),
    /** The order has counted them, unless they are too many to be counted for all accounts. */
    activeUsers: (sort === "users"
      ? sql<number>`iif(abs(${SORT_VALUE}) < 1e15, abs(${SORT_VALUE}), ${activeUsers.sql})`
      : sql<number>`${activeUsers.sql}`
    ).as("active_users"),
    hasMoreUsers: (sort === "users" ? sql`abs(${SORT_VALUE}) = 1e15 AND ${hasMoreUsers.sql}` : hasMoreUsers.sql)
      .mapWith(Boolean)
      .as("has_more_users"),
    openItems: sql<number>`${openItems}`.as("open_items"),
    found: foundIn(workspace),
  };
  const order = { ...consoleOrder(workspace, sort, reader), isReversed };
  const own = workspace.number;
  const [listed, [states], [run], fewValues, owners, views, [limits]] = await readQueries(env, workspace, (db) => [
    pageQuery(
      db,
      workspace,
      { ...page, order, unfoldedAt: sql`tail.at` },
      columns,
      meets(workspace, filter, reader, readRows, search),
    ).leftJoin(
      sql.raw(`(SELECT account, max(at) AS at FROM (${tailEvents(String(own))}) GROUP BY account) AS tail`),
      sql`tail.account = ${accounts.number}`,
    ),
    db.select(countedStates).from(health).where(eq(health.workspace, own)),
    asOfQuery(db, workspace),
    fewValuesQuery(db, workspace),
    ownersQuery(db, workspace),
    db
      .select({ name: savedViews.name, query: savedViews.query })
      .from(savedViews)
      .where(eq(savedViews.workspace, own))
      .orderBy(asc(savedViews.createdAt), asc(savedViews.name)),
    db
      .select({
        hasTooManyUsers: hasTooManyUsers(workspace, reader.today, readRows).mapWith(Boolean).as("too_many_users"),
        findsTooManyUsers: findsTooManyUsers(workspace, search).mapWith(Boolean).as("too_many_found"),
      })
      .from(sql`(SELECT 1)`),
  ]);
  /** The number of the workspace's scored accounts in each state. */
  const counts: Partial<Record<HealthState, number>> = states ?? {};
  return {
    accounts: listed,
    /** All that match, on whatever pages. */
    found: listed[0]?.found ?? { accounts: 0, mrr: [], otherCurrencies: 0 },
    states: counts,
    asOf: run?.asOf ?? null,
    fewValues,
    owners: owners.map(({ owner }) => owner),
    views,
    /** Then no order and no filter counts active users. */
    hasTooManyUsers: limits?.hasTooManyUsers ?? false,
    /** Then a search by more letters finds more. */
    findsTooManyUsers: limits?.findsTooManyUsers ?? false,
  };
}

/** A page reads the accounts with so many numbers, whether they match or not. */
const EXPORT_ACCOUNTS = 250;

/**
 * Reads the accounts that match, by number: pages in another order would each read all accounts.
 * @param keys of the traits to read
 */
export async function* readAccountPages(
  env: Env,
  workspace: WorkspaceRef,
  filter: AccountConditions,
  keys: readonly string[],
  reader: { withIdentity: boolean; today: number },
) {
  const { first, last } = ownRange(workspace);
  const readRows = { counts: filter.seats === undefined ? 1 : 2, perAccount: 0, page: 0 };
  for (let after = first - 1, end = last; after < end; after += EXPORT_ACCOUNTS) {
    const inRange = and(gt(accounts.number, after), lte(accounts.number, after + EXPORT_ACCOUNTS));
    const values = sql`(SELECT json_group_object(${traits.key}, json(${traits.value})) FROM ${traits}
      WHERE ${traits.subjectKind} = 'account' AND ${traits.subject} = ${accounts.number}
        AND ${traits.key} IN (SELECT value FROM json_each(${JSON.stringify(keys)})) AND ${traits.value} IS NOT NULL)`;
    const columns = {
      activeUsers: boundedActiveUsers(workspace, reader.today, readRows).as("active_users"),
      traits: values.mapWith(readTraits).as("shown_traits"),
    };
    const [page, [newest]] = await readQueries(env, workspace, (db) => [
      accountsQuery(db, workspace, reader, columns)
        .where(and(inRange, isNotSuperseded, meets(workspace, filter, reader, readRows)))
        .orderBy(asc(accounts.number)),
      db
        .select({ number: accounts.number })
        .from(accounts)
        .where(between(accounts.number, first, last))
        .orderBy(desc(accounts.number))
        .limit(1),
    ]);
    end = newest?.number ?? after;
    yield page;
  }
}

type ExportedPage<Pages> = Pages extends AsyncGenerator<infer Page> ? Page : never;
export type ExportedAccount = ExportedPage<ReturnType<typeof readAccountPages>>[number];

const readTraits = (json: string): Record<string, unknown> => JSON.parse(json);

/** Reads the keys of the traits that are filters. */
export async function readFilterTraits(env: Env, workspace: WorkspaceRef): Promise<string[]> {
  const [fewValues] = await readQueries(env, workspace, (db) => [fewValuesQuery(db, workspace)]);
  return fewValues.flatMap(({ key }) => key ?? []);
}

/** The scores of the last scored days, ascending; `null` for a day without a score. */
function readScores(json: string) {
  const scores: { day: Day; value: number | null }[] = JSON.parse(json);
  // SQLite would read each row twice to sort them.
  return scores.toSorted((a, b) => a.day - b.day);
}

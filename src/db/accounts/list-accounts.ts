/** Lists the accounts of a workspace with their health, page by page. */
import { and, asc, desc, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";

import type { HealthState } from "../../core/health/model.ts";
import type { Database, WorkspaceRef } from "../client/database.ts";
import { readQueries } from "../client/read.ts";
import { isSuperseded } from "../client/sql-fragments.ts";
import { shownIdOf } from "../users/erased-ids.ts";
import { identityColumn } from "../identity/read-identity.ts";
import { asOfQuery } from "../recompute/runs.ts";
import type { StoredAttributes } from "../schema/columns.ts";
import { accountOwners, accounts, accountProgress, health } from "../schema/schema.ts";
import type { SortPosition } from "../client/sort-position.ts";

/** The orders that the API offers. */
export const ACCOUNT_SORTS = ["score", "mrr", "lastSeen"] as const;

/** By name; only attributes with a value. */
function valuesOf(json: string): Record<string, string | number> {
  const stored: StoredAttributes = JSON.parse(json);
  const set = Object.entries(stored).flatMap(([name, [value]]) => (value === null ? [] : [[name, value] as const]));
  return Object.fromEntries(set);
}

/** Unlike the function max(), the aggregate ignores NULL. */
const latest = (folded: SQLWrapper, unfolded: SQL) =>
  sql<number | null>`(SELECT max(at) FROM (SELECT ${folded} AS at UNION ALL SELECT ${unfolded}))`;

const ownProgress = and(
  eq(accountProgress.workspace, accounts.workspace),
  eq(accountProgress.account, accounts.number),
);
const ownOwner = eq(accountOwners.account, accounts.number);
export const isNotSuperseded = sql.raw(`NOT ${isSuperseded("accounts")}`);
const ownHealth = and(eq(health.workspace, accounts.workspace), eq(health.account, accounts.number));

/**
 * Queries accounts with their activity, health and company name, and further columns.
 * @param withIdentity whether the reader may see the name
 * @param unfoldedAt the time of the latest event that is not folded
 */
export const accountsQuery = <Extra extends Record<string, SQL.Aliased>>(
  db: Database,
  workspace: WorkspaceRef,
  { withIdentity, unfoldedAt = sql`NULL` }: { withIdentity: boolean; unfoldedAt?: SQL },
  extra: Extra,
) =>
  db
    .select({
      number: accounts.number,
      id: accounts.id,
      externalId: shownIdOf(accounts.externalId).as("external_id"),
      kind: accounts.kind,
      attributes: sql`${accounts.attributes}`.mapWith(valuesOf).as("attributes"),
      /** `null` when nothing is attached or the reader may not see it. */
      identity: identityColumn(workspace, "account", accounts.number, withIdentity),
      health: health.health,
      owner: accountOwners.owner,
      /** The time of the first message that named the account; before it is folded, the time of its receipt. */
      firstSeenAt: sql<number>`coalesce(${accountProgress.firstAt}, ${accounts.createdAt})`.as("first_seen_at"),
      lastSeenAt: latest(accountProgress.lastEventAt, unfoldedAt).as("last_seen_at"),
      ...extra,
    })
    .from(accounts)
    .leftJoin(accountProgress, ownProgress)
    .leftJoin(health, ownHealth)
    .leftJoin(accountOwners, ownOwner);

const previous = alias(accounts, "previous");
/** The accounts, or the last one of the previous page. */
type SortedAccounts = typeof accounts | typeof previous;

/** An order of accounts, ascending unless it is reversed. Accounts without a value come last either way. */
export interface AccountOrder {
  value: SQL<number | null>;
  /** Sorts before the value. */
  text?: (table: SortedAccounts) => SQL<string | null>;
  isReversed?: boolean;
}

export const ORDERS = {
  score: { value: sql`${health.score}` },
  mrr: { value: sql`-CAST(${accounts.attributes} ->> '$.mrr[0]' AS REAL)` },
  lastSeen: { value: sql`-${accountProgress.lastEventAt}` },
} as const satisfies Record<(typeof ACCOUNT_SORTS)[number], AccountOrder>;

/** The value by which a page is sorted. */
export const SORT_VALUE = sql<number>`sorted.sort_value`;

interface PageRequest {
  order: AccountOrder;
  /** The position of the last row on the previous page. */
  after: SortPosition | null;
  limit: number;
  withIdentity: boolean;
}

/**
 * Queries a page of accounts without superseded ones, and further columns. Ties are sorted by number. Every page reads
 * all accounts of the workspace: an index on values that change daily would cost a written row per account and day. For
 * accounts outside the page, it reads only the values to sort and filter by.
 * @param matching a condition on accounts, their progress, health and owners
 */
export function pageQuery<Extra extends Record<string, SQL.Aliased>>(
  db: Database,
  workspace: WorkspaceRef,
  { order, after, limit, ...read }: PageRequest & { unfoldedAt?: SQL },
  extra: Extra,
  matching?: SQL,
) {
  const { isReversed = false } = order;
  // A position has a number for each row, so an account without a value gets one beyond all others.
  const value = sql<number>`coalesce(${order.value}, ${sql.raw(isReversed ? "-1e15" : "1e15")})`;
  const textOf = (table: SortedAccounts) =>
    sql`coalesce(${order.text?.(table) ?? sql`''`}, ${sql.raw(isReversed ? "''" : "char(0x10ffff)")})`;
  const direction = isReversed ? desc : asc;
  const sorted = db
    .select({ number: accounts.number, text: textOf(accounts).as("sort_text"), value: value.as("sort_value") })
    .from(accounts)
    .leftJoin(accountProgress, ownProgress)
    .leftJoin(health, ownHealth)
    .leftJoin(accountOwners, ownOwner)
    .where(
      and(
        eq(accounts.workspace, workspace.number),
        matching,
        isNotSuperseded,
        // A position has no text, so this reads the text of its account.
        after === null
          ? undefined
          : sql`(${textOf(accounts)}, ${value}, ${accounts.number}) ${sql.raw(isReversed ? "<" : ">")}
            ((SELECT ${textOf(previous)} FROM ${accounts} previous
            WHERE ${previous.number} = ${after[1]} AND ${previous.workspace} = ${workspace.number}), ${after[0]}, ${after[1]})`,
      ),
    )
    .orderBy(direction(sql`sort_text`), direction(sql`sort_value`), direction(accounts.number))
    .limit(limit)
    .as("sorted");
  return accountsQuery(db, workspace, read, { ...extra, sortValue: SORT_VALUE.as("shown_sort_value") })
    .innerJoin(sorted, eq(sorted.number, accounts.number))
    .orderBy(direction(sql`sorted.sort_text`), direction(SORT_VALUE), direction(accounts.number));
}

export const accountPosition = ({ sortValue, number }: { sortValue: number; number: number }): SortPosition => [
  sortValue,
  number,
];

interface AccountFilter extends Omit<PageRequest, "order"> {
  sort: (typeof ACCOUNT_SORTS)[number];
  state: HealthState | undefined;
  owner?: string | undefined;
}

export async function listAccounts(
  env: Env,
  workspace: WorkspaceRef,
  { sort, state, owner, ...request }: AccountFilter,
) {
  const matching = and(
    state === undefined ? undefined : eq(health.state, state),
    owner === undefined ? undefined : eq(accountOwners.owner, owner),
  );
  const [page, [run]] = await readQueries(env, workspace, (db) => [
    pageQuery(db, workspace, { ...request, order: ORDERS[sort] }, {}, matching),
    asOfQuery(db, workspace),
  ]);
  return { accounts: page, asOf: run?.asOf ?? null };
}

export type StoredAccount = Omit<Awaited<ReturnType<typeof listAccounts>>["accounts"][number], "sortValue">;

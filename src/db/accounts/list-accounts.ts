/** Lists the accounts of a workspace with their health, page by page. */
import { and, asc, eq, inArray, type SQL, type SQLWrapper, sql } from "drizzle-orm";
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
/** The orders that the console offers. Its order by MRR keeps currencies apart. */
export const CONSOLE_SORTS = ["score", "trend", "mrrByCurrency", "lastSeen", "externalId"] as const;
export type ConsoleSort = (typeof CONSOLE_SORTS)[number];
type AccountSort = (typeof ACCOUNT_SORTS)[number] | ConsoleSort;

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

const MRR = sql<number>`coalesce(-CAST(json_extract(${accounts.attributes}, '$.mrr[0]') AS REAL), 1)`;

/**
 * The values that the orders sort by. All are ascending, so that one comparison finds the next page. An account without
 * a value gets one beyond all others and comes last.
 */
const SORT_VALUES: Record<AccountSort, SQL<number>> = {
  score: sql`coalesce(${health.score}, 101)`,
  mrr: MRR,
  mrrByCurrency: MRR,
  lastSeen: sql`coalesce(-${accountProgress.lastEventAt}, 1e15)`,
  trend: sql`coalesce(json_extract(${health.health}, '$.trend'), 101)`,
  // SQLite would read a plain 0 in ORDER BY as the number of a column.
  externalId: sql`0.0`,
};

const previous = alias(accounts, "previous");

/** The text that an order sorts by first. Erased accounts and accounts without an MRR come last. */
const SORT_TEXTS: Partial<Record<AccountSort, (table: typeof accounts | typeof previous) => SQL<string>>> = {
  externalId: ({ externalId }) => sql`iif(${externalId} < ' ', char(0x10ffff), '') || ${externalId}`,
  mrrByCurrency: ({ attributes }) =>
    sql`iif(${attributes} ->> '$.mrr[0]' IS NULL, char(0x10ffff), coalesce(${attributes} ->> '$.currency[0]', '~'))`,
};

/** Whether a row comes after a position. A position has no text, so this reads the text of its account. */
function isAfter(workspace: WorkspaceRef, sort: AccountSort, [value, number]: SortPosition): SQL {
  const text = SORT_TEXTS[sort];
  if (text === undefined) return sql`(${SORT_VALUES[sort]}, ${accounts.number}) > (${value}, ${number})`;
  return sql`(${text(accounts)}, ${SORT_VALUES[sort]}, ${accounts.number}) > ((SELECT ${text(previous)} FROM ${accounts} previous
    WHERE ${previous.number} = ${number} AND ${previous.workspace} = ${workspace.number}), ${value}, ${number})`;
}

export interface AccountFilter {
  sort: AccountSort;
  state: HealthState | undefined;
  owner?: string | undefined;
  /** The position of the last row on the previous page. */
  after: SortPosition | null;
  limit: number;
  withIdentity: boolean;
}

/**
 * Queries a page of accounts without superseded ones, and further columns. Ties are sorted by number. Every page reads
 * all accounts of the workspace: an index on values that change daily would cost a written row per account and day. For
 * accounts outside the page, it reads only the values to sort and filter by.
 * @param matching a further condition
 */
export function pageQuery<Extra extends Record<string, SQL.Aliased>>(
  db: Database,
  workspace: WorkspaceRef,
  { sort, state, owner, after, limit, ...read }: AccountFilter & { unfoldedAt?: SQL },
  extra: Extra,
  matching?: SQL,
) {
  const value = SORT_VALUES[sort];
  const order = [asc(SORT_TEXTS[sort]?.(accounts) ?? sql`''`), asc(value), asc(accounts.number)];
  const numbers = db
    .select({ number: accounts.number })
    .from(accounts)
    .leftJoin(accountProgress, ownProgress)
    .leftJoin(health, ownHealth)
    .leftJoin(accountOwners, ownOwner)
    .where(
      and(
        eq(accounts.workspace, workspace.number),
        matching,
        sql.raw(`NOT ${isSuperseded("accounts")}`),
        state === undefined ? undefined : eq(health.state, state),
        owner === undefined ? undefined : eq(accountOwners.owner, owner),
        after === null ? undefined : isAfter(workspace, sort, after),
      ),
    )
    .orderBy(...order)
    .limit(limit);
  return accountsQuery(db, workspace, read, { ...extra, sortValue: value.as("sort_value") })
    .where(inArray(accounts.number, numbers))
    .orderBy(...order);
}

export const accountPosition = ({ sortValue, number }: { sortValue: number; number: number }): SortPosition => [
  sortValue,
  number,
];

export async function listAccounts(env: Env, workspace: WorkspaceRef, filter: AccountFilter) {
  const [page, [run]] = await readQueries(env, workspace, (db) => [
    pageQuery(db, workspace, filter, {}),
    asOfQuery(db, workspace),
  ]);
  return { accounts: page, asOf: run?.asOf ?? null };
}

export type StoredAccount = Omit<Awaited<ReturnType<typeof listAccounts>>["accounts"][number], "sortValue">;

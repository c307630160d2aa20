/** Lists the accounts of a workspace with their health, page by page. */
import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";

import type { Health, HealthState } from "../../core/health/model.ts";
import { type Database, databaseOf, type WorkspaceRef } from "../client/database.ts";
import { shownId } from "../users/erased-ids.ts";
import { withRetry } from "../client/faults.ts";
import { type Identity, identityColumn, toIdentity } from "../identity/read-identity.ts";
import { lastRunQuery } from "../recompute/runs.ts";
import { accounts, activity, health, type StoredAttributes, users } from "../schema/schema.ts";
import type { SortPosition } from "../client/sort-position.ts";
import type { AccountSummary } from "../users/find-user.ts";

/** The orders that the API offers. */
export const ACCOUNT_SORTS = ["score", "mrr", "lastSeen"] as const;
/** The orders that the console offers. */
export const TABLE_SORTS = [...ACCOUNT_SORTS, "trend", "externalId"] as const;
export type AccountSort = (typeof TABLE_SORTS)[number];

export interface StoredAccount extends AccountSummary {
  number: number;
  /** By name; only attributes with a value. */
  attributes: Record<string, string | number>;
  /** `null` when nothing is attached or the reader may not see it. */
  identity: Identity | null;
  health: Health | null;
  /** The time of the first message that named the account; before it is folded, the time of its receipt. */
  firstSeenAt: number;
  /** The time of the last folded event. */
  lastSeenAt: number | null;
}

/** Whether a personal account's user has moved to another account. Such accounts are kept and never scored. */
export const isSuperseded = sql<number>`(${accounts.kind} = 'solo' AND EXISTS (
  SELECT 1 FROM ${users} WHERE ${users.workspace} = ${accounts.workspace}
    AND ${users.externalId} = ${accounts.externalId} AND ${users.account} <> ${accounts.number}))`;

export const accountColumns = {
  number: accounts.number,
  id: accounts.id,
  externalId: accounts.externalId,
  kind: accounts.kind,
  attributes: accounts.attributes,
  createdAt: accounts.createdAt,
  firstAt: activity.firstAt,
  lastEventAt: activity.lastEventAt,
  health: health.health,
};

export interface AccountRow extends AccountSummary {
  number: number;
  externalId: string;
  identity: string | null;
  attributes: StoredAttributes;
  createdAt: number;
  firstAt: number | null;
  lastEventAt: number | null;
  health: Health | null;
}

export const withActivity = and(eq(activity.workspace, accounts.workspace), eq(activity.account, accounts.number));
export const withHealth = and(eq(health.workspace, accounts.workspace), eq(health.account, accounts.number));

export function toAccount(stored: AccountRow): StoredAccount {
  const { createdAt, firstAt, lastEventAt, attributes, externalId, identity, ...row } = stored;
  const set = Object.entries(attributes).flatMap(([name, [value]]) => (value === null ? [] : [[name, value] as const]));
  return {
    ...row,
    externalId: shownId(externalId),
    attributes: Object.fromEntries(set),
    identity: toIdentity(identity),
    firstSeenAt: firstAt ?? createdAt,
    lastSeenAt: lastEventAt,
  };
}

/**
 * The values that the orders sort by. All are ascending, so that one comparison finds the next page. An account without
 * a value gets one beyond all others and comes last.
 */
const SORT_VALUES: Record<AccountSort, SQL<number>> = {
  score: sql`coalesce(${health.score}, 101)`,
  mrr: sql`coalesce(-CAST(json_extract(${accounts.attributes}, '$.mrr[0]') AS REAL), 1)`,
  lastSeen: sql`coalesce(-${activity.lastEventAt}, 1e15)`,
  trend: sql`coalesce(json_extract(${health.health}, '$.trend'), 101)`,
  // The text itself is compared separately, because a position holds a number.
  externalId: sql`${accounts.externalId} < ' '`,
};

const p = alias(accounts, "p");

/** Whether a row comes after a position. A position has no text: the external id is looked up, because it is stable. */
function isAfter(workspace: WorkspaceRef, sort: AccountSort, [value, number]: SortPosition): SQL {
  if (sort !== "externalId") return sql`(${SORT_VALUES[sort]}, ${accounts.number}) > (${value}, ${number})`;
  return sql`(${SORT_VALUES[sort]}, ${accounts.externalId}, ${accounts.number}) > (${value}, (
    SELECT ${p.externalId} FROM ${accounts} p WHERE ${p.number} = ${number} AND ${p.workspace} = ${workspace.number}), ${number})`;
}

export interface AccountFilter {
  sort: AccountSort;
  state: HealthState | undefined;
  /** The position of the last row on the previous page. */
  after: SortPosition | null;
  limit: number;
  withIdentity: boolean;
}

/**
 * Queries a page of accounts without superseded ones. Ties are sorted by number. Every page reads all accounts of the
 * workspace: an index on values that change daily would cost a written row per account and day.
 * @param among selects the numbers of the accounts to include; default: all
 */
export function pageQuery(
  db: Database,
  workspace: WorkspaceRef,
  { sort, state, after, limit, withIdentity }: AccountFilter,
  among?: SQL,
) {
  const value = SORT_VALUES[sort];
  return db
    .select({
      ...accountColumns,
      identity: identityColumn(workspace, "account", accounts.number, withIdentity),
      sortValue: sql<number>`${value}`.as("sort_value"),
    })
    .from(accounts)
    .leftJoin(activity, withActivity)
    .leftJoin(health, withHealth)
    .where(
      and(
        eq(accounts.workspace, workspace.number),
        among === undefined ? undefined : sql`${accounts.number} IN (${among})`,
        sql`NOT ${isSuperseded}`,
        state === undefined ? undefined : eq(health.state, state),
        after === null ? undefined : isAfter(workspace, sort, after),
      ),
    )
    .orderBy(asc(value), ...(sort === "externalId" ? [asc(accounts.externalId)] : []), asc(accounts.number))
    .limit(limit);
}

export async function listAccounts(
  env: Env,
  workspace: WorkspaceRef,
  filter: AccountFilter,
): Promise<{ accounts: (StoredAccount & { position: SortPosition })[]; asOf: number | null }> {
  const db = databaseOf(env, workspace);
  const [rows, [run]] = await withRetry(() => db.batch([pageQuery(db, workspace, filter), lastRunQuery(db)]));
  return {
    accounts: rows.map(({ sortValue, ...row }) => ({ ...toAccount(row), position: [sortValue, row.number] })),
    asOf: run?.asOf ?? null,
  };
}

/** The accounts of a workspace with their newest health, a page at a time. */
import { and, asc, eq, type SQL, sql } from "drizzle-orm";

import type { Health, HealthState } from "../../core/health/model.ts";
import { type Database, databaseOf, type WorkspaceRef } from "../client/database.ts";
import { shownId } from "../users/erased-ids.ts";
import { withRetry } from "../client/faults.ts";
import { type Identity, identityColumn, toIdentity } from "../identity/read-identity.ts";
import { lastRunQuery } from "../recompute/runs.ts";
import { accounts, activity, health, type StoredAttributes, users } from "../schema/schema.ts";
import type { SortPosition } from "../client/sort-position.ts";
import type { AccountSummary } from "../users/find-user.ts";

/** The orders of the wire. */
export const ACCOUNT_SORTS = ["score", "mrr", "lastSeen"] as const;
/** And of the console. */
export const TABLE_SORTS = [...ACCOUNT_SORTS, "trend", "externalId"] as const;
export type AccountSort = (typeof TABLE_SORTS)[number];

export interface StoredAccount extends AccountSummary {
  number: number;
  /** By name, only those that are set. */
  attributes: Record<string, string | number>;
  /** `null` where nothing is attached, or nothing was asked for. */
  identity: Identity | null;
  health: Health | null;
  /** Of the first message that named it; until the recompute has read that one, of its receipt. */
  firstSeenAt: number;
  /** Of its last event, as far as the recompute has read. */
  lastSeenAt: number | null;
}

/** Whether an account is one of a user who has left it for another. Such accounts are kept, and never scored. */
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
 * What each order sorts by, ascending, so that one comparison goes on from a page in all of them. What has no value
 * gets one beyond all others, and comes last.
 */
const SORT_VALUES: Record<AccountSort, SQL<number>> = {
  score: sql`coalesce(${health.score}, 101)`,
  mrr: sql`coalesce(-CAST(json_extract(${accounts.attributes}, '$.mrr[0]') AS REAL), 1)`,
  lastSeen: sql`coalesce(-${activity.lastEventAt}, 1e15)`,
  trend: sql`coalesce(json_extract(${health.health}, '$.trend'), 101)`,
  // A text is compared besides: only whether there is one can be a number.
  externalId: sql`${accounts.externalId} < ' '`,
};

/** What comes behind a position. Text is no part of one: it is looked up, as what an account is named by stays. */
function isBehind(workspace: WorkspaceRef, sort: AccountSort, [value, number]: SortPosition): SQL {
  if (sort !== "externalId") return sql`(${SORT_VALUES[sort]}, ${accounts.number}) > (${value}, ${number})`;
  return sql`(${SORT_VALUES[sort]}, ${accounts.externalId}, ${accounts.number}) > (${value}, (
    SELECT p.external_id FROM ${accounts} p WHERE p.number = ${number} AND p.workspace = ${workspace.number}), ${number})`;
}

export interface AccountFilter {
  sort: AccountSort;
  state: HealthState | undefined;
  /** Goes on behind it. */
  after: SortPosition | null;
  limit: number;
  withIdentity: boolean;
}

/**
 * The rows of a page: all accounts but superseded ones; ties go by the order in which they came. Every page looks
 * through the accounts of the workspace: an index on what changes daily would cost a row written for each account and
 * day.
 * @param among only those whose number is in what it selects
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
        after === null ? undefined : isBehind(workspace, sort, after),
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

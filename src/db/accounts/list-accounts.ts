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
/** The orders of the console. Its order by MRR keeps currencies apart. */
export const TABLE_SORTS = ["score", "trend", "mrrByCurrency", "lastSeen", "externalId"] as const;
export type TableSort = (typeof TABLE_SORTS)[number];
type AccountSort = (typeof ACCOUNT_SORTS)[number] | TableSort;

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

const MRR = sql<number>`coalesce(-CAST(json_extract(${accounts.attributes}, '$.mrr[0]') AS REAL), 1)`;

/**
 * What each order sorts by, ascending, so that one comparison goes on from a page in all of them. What has no value
 * gets one beyond all others, and comes last.
 */
const SORT_VALUES: Record<AccountSort, SQL<number>> = {
  score: sql`coalesce(${health.score}, 101)`,
  mrr: MRR,
  mrrByCurrency: MRR,
  lastSeen: sql`coalesce(-${activity.lastEventAt}, 1e15)`,
  trend: sql`coalesce(json_extract(${health.health}, '$.trend'), 101)`,
  // A plain 0 would name a column in ORDER BY.
  externalId: sql`0.0`,
};

/** The text that an order sorts by first. Accounts without an MRR come last, and erased accounts too. */
const SORT_TEXTS: Partial<Record<AccountSort, (table: "accounts" | "previous") => SQL<string>>> = {
  externalId: (table) =>
    sql<string>`${sql.raw(`iif(${table}.external_id < ' ', char(0x10ffff), '') || ${table}.external_id`)}`,
  mrrByCurrency: (table) =>
    sql<string>`${sql.raw(`iif(${table}.attributes ->> '$.mrr[0]' IS NULL, char(0x10ffff),
      coalesce(${table}.attributes ->> '$.currency[0]', '~'))`)}`,
};

/** What comes behind a position. A position contains no text: the text of its account is looked up. */
function isBehind(workspace: WorkspaceRef, sort: AccountSort, [value, number]: SortPosition): SQL {
  const text = SORT_TEXTS[sort];
  if (text === undefined) return sql`(${SORT_VALUES[sort]}, ${accounts.number}) > (${value}, ${number})`;
  return sql`(${text("accounts")}, ${SORT_VALUES[sort]}, ${accounts.number}) > ((SELECT ${text("previous")}
    FROM ${accounts} previous WHERE previous.number = ${number} AND previous.workspace = ${workspace.number}), ${value}, ${number})`;
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
 * @param matching a further condition
 */
export function pageQuery(
  db: Database,
  workspace: WorkspaceRef,
  { sort, state, after, limit, withIdentity }: AccountFilter,
  matching?: SQL,
) {
  const value = SORT_VALUES[sort];
  const text = SORT_TEXTS[sort]?.("accounts") ?? sql<string>`''`;
  return db
    .select({
      ...accountColumns,
      identity: identityColumn(workspace, "account", accounts.number, withIdentity),
      sortText: sql<string>`${text}`.as("sort_text"),
      sortValue: sql<number>`${value}`.as("sort_value"),
    })
    .from(accounts)
    .leftJoin(activity, withActivity)
    .leftJoin(health, withHealth)
    .where(
      and(
        eq(accounts.workspace, workspace.number),
        matching,
        sql`NOT ${isSuperseded}`,
        state === undefined ? undefined : eq(health.state, state),
        after === null ? undefined : isBehind(workspace, sort, after),
      ),
    )
    .orderBy(asc(text), asc(value), asc(accounts.number))
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
    accounts: rows.map(({ sortText: _sortText, sortValue, ...row }) => ({
      ...toAccount(row),
      position: [sortValue, row.number],
    })),
    asOf: run?.asOf ?? null,
  };
}

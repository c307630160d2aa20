/** Lists the accounts of a workspace with their health, page by page. */
import { and, asc, eq, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";

import type { Health, HealthState } from "../../core/health/model.ts";
import { type Database, databaseOf, type WorkspaceRef } from "../client/database.ts";
import { isSuperseded } from "../client/sql-fragments.ts";
import { shownId } from "../users/erased-ids.ts";
import { withRetry } from "../client/faults.ts";
import { type Identity, identityColumn, toIdentity } from "../identity/read-identity.ts";
import { asOfQuery } from "../recompute/runs.ts";
import { accounts, accountProgress, health } from "../schema/schema.ts";
import type { SortPosition } from "../client/sort-position.ts";
import type { AccountSummary } from "./subjects.ts";

/** The orders that the API offers. */
export const ACCOUNT_SORTS = ["score", "mrr", "lastSeen"] as const;
/** The orders that the console offers. Its order by MRR keeps currencies apart. */
export const CONSOLE_SORTS = ["score", "trend", "mrrByCurrency", "lastSeen", "externalId"] as const;
export type ConsoleSort = (typeof CONSOLE_SORTS)[number];
type AccountSort = (typeof ACCOUNT_SORTS)[number] | ConsoleSort;

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

/**
 * Queries accounts with their activity, health and company name, and further columns.
 * @param withIdentity whether the reader may see the name
 */
export const accountsQuery = <Extra extends Record<string, SQL.Aliased>>(
  db: Database,
  workspace: WorkspaceRef,
  withIdentity: boolean,
  extra: Extra,
) =>
  db
    .select({
      number: accounts.number,
      id: accounts.id,
      externalId: accounts.externalId,
      kind: accounts.kind,
      attributes: accounts.attributes,
      createdAt: accounts.createdAt,
      firstAt: accountProgress.firstAt,
      lastEventAt: accountProgress.lastEventAt,
      health: health.health,
      identity: identityColumn(workspace, "account", accounts.number, withIdentity),
      ...extra,
    })
    .from(accounts)
    .leftJoin(
      accountProgress,
      and(eq(accountProgress.workspace, accounts.workspace), eq(accountProgress.account, accounts.number)),
    )
    .leftJoin(health, and(eq(health.workspace, accounts.workspace), eq(health.account, accounts.number)));

/** A row of {@link pageQuery}, without the values it is sorted by. */
export type AccountRow = Omit<Awaited<ReturnType<typeof pageQuery>>[number], "sortText" | "sortValue">;

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
 * The values that the orders sort by. All are ascending, so that one comparison finds the next page. An account without
 * a value gets one beyond all others and comes last.
 */
const SORT_VALUES: Record<AccountSort, SQL<number>> = {
  score: sql`coalesce(${health.score}, 101)`,
  mrr: MRR,
  mrrByCurrency: MRR,
  lastSeen: sql`coalesce(-${accountProgress.lastEventAt}, 1e15)`,
  trend: sql`coalesce(json_extract(${health.health}, '$.trend'), 101)`,
  // A plain 0 would name a column in ORDER BY.
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
  /** The position of the last row on the previous page. */
  after: SortPosition | null;
  limit: number;
  withIdentity: boolean;
}

/**
 * Queries a page of accounts without superseded ones. Ties are sorted by number. Every page reads all accounts of the
 * workspace: an index on values that change daily would cost a written row per account and day.
 * @param matching a further condition
 */
export function pageQuery(
  db: Database,
  workspace: WorkspaceRef,
  { sort, state, after, limit, withIdentity }: AccountFilter,
  matching?: SQL,
) {
  const value = SORT_VALUES[sort];
  const text = SORT_TEXTS[sort]?.(accounts) ?? sql<string>`''`;
  return accountsQuery(db, workspace, withIdentity, {
    sortText: sql<string>`${text}`.as("sort_text"),
    sortValue: sql<number>`${value}`.as("sort_value"),
  })
    .where(
      and(
        eq(accounts.workspace, workspace.number),
        matching,
        sql.raw(`NOT ${isSuperseded("accounts")}`),
        state === undefined ? undefined : eq(health.state, state),
        after === null ? undefined : isAfter(workspace, sort, after),
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
  const [rows, [run]] = await withRetry(() => db.batch([pageQuery(db, workspace, filter), asOfQuery(db, workspace)]));
  return {
    accounts: rows.map(({ sortText: _sortText, sortValue, ...row }) => ({
      ...toAccount(row),
      position: [sortValue, row.number],
    })),
    asOf: run?.asOf ?? null,
  };
}

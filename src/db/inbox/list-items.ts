/** Reads inbox items with their subjects and marks, for the API and the console. */
import { and, desc, eq, getTableColumns, isNotNull, isNull, type SQL, sql } from "drizzle-orm";

import { type InboxItem, type ItemKind, type ItemStatus } from "../../core/inbox/model.ts";
import { columnsOf, decodeRow, type RawRow } from "../client/columns-of.ts";
import { type Database, ownRange, type WorkspaceRef } from "../client/database.ts";
import { readQueries } from "../client/read.ts";
import { accountColumn, userColumn } from "../accounts/subjects.ts";
import { identityColumn } from "../identity/read-identity.ts";
import { asOfQuery } from "../recompute/runs.ts";
import { accountOwners, accounts, eventNames, inboxItems, inboxMarks, users } from "../schema/schema.ts";
import type { SortPosition } from "../client/sort-position.ts";
import { statusOf } from "./status-sql.ts";
import { isNotErased } from "../users/erased-ids.ts";

const { workspace: _workspaceColumn, account: _accountColumn, ...ownColumns } = getTableColumns(inboxItems);
const { item: _item, ...markColumns } = getTableColumns(inboxMarks);

const IS_NOT_ERASED = sql.raw(isNotErased("users.external_id"));
const subjectNumber = sql`CAST(${inboxItems.subject} AS INTEGER)`;

/** @param withIdentity whether the reader may see identity traits */
export const itemsQuery = (db: Database, workspace: WorkspaceRef, withIdentity: boolean) =>
  db
    .select({
      ...ownColumns,
      /** `null` for an item about the workspace as a whole. */
      account: accountColumn,
      /** The account's identity traits. */
      identity: identityColumn(workspace, "account", accounts.number, withIdentity),
      mrr: sql<number | null>`${accounts.attributes} ->> '$.mrr[0]'`.as("mrr"),
      currency: sql<string | null>`${accounts.attributes} ->> '$.currency[0]'`.as("currency"),
      contractEndsAt: sql<string | null>`${accounts.attributes} ->> '$.contractEndsAt[0]'`.as("contract_ends_at"),
      /** The user or the feature that the item is about, if it still exists. */
      user: userColumn,
      feature: eventNames.name,
      /** Who looks after the account. */
      owner: accountOwners.owner,
      ...markColumns,
    })
    .from(inboxItems)
    .leftJoin(accounts, eq(accounts.number, inboxItems.account))
    .leftJoin(users, and(eq(inboxItems.kind, "key_user_quiet"), eq(users.number, subjectNumber), IS_NOT_ERASED))
    .leftJoin(eventNames, and(eq(inboxItems.kind, "feature_dropped"), eq(eventNames.number, subjectNumber)))
    .leftJoin(accountOwners, eq(accountOwners.account, inboxItems.account))
    .leftJoin(inboxMarks, eq(inboxMarks.item, inboxItems.number));

export type StoredItem = Awaited<ReturnType<typeof itemsQuery>>[number];

const STORED = columnsOf(inboxItems, "inbox_items");
const STORED_MARK = columnsOf(inboxMarks, "inbox_marks");
export const statusAt = (now: number) => sql<ItemStatus>`${sql.raw(statusOf(STORED, STORED_MARK, String(now)))}`;

/** Whether an item of `itemsQuery` has a status. The first condition lets SQLite use the index of unresolved items. */
export const inStatus = (status: ItemStatus, now: number) =>
  status === "resolved"
    ? isNotNull(inboxItems.resolvedDay)
    : and(isNull(inboxItems.resolvedDay), eq(statusAt(now), status));

/** Reads the owners once. With a join, each resolved item would read five tables. The plus keeps the index that sorts. */
function isOwnedBy(workspace: WorkspaceRef, owner: string | null): SQL {
  const { first, last } = ownRange(workspace);
  const is = owner === null ? sql`true` : sql`${accountOwners.owner} = ${owner}`;
  return sql`+${inboxItems.account} ${sql.raw(owner === null ? "NOT IN" : "IN")} (SELECT ${accountOwners.account} FROM ${accountOwners}
    WHERE ${accountOwners.account} BETWEEN ${first} AND ${last} AND ${is})`;
}

export interface ItemFilter {
  status: ItemStatus;
  kind: ItemKind | undefined;
  /** `null` for items of accounts without an owner. */
  owner?: string | null | undefined;
  /** The position of the last item on the previous page. */
  after: SortPosition | null;
  limit: number;
  withIdentity: boolean;
  now: number;
}

/**
 * Queries a page of items. The highest rank comes first, and for resolved items the latest day. Ties go to the newest
 * item.
 */
export function pageQuery(
  db: Database,
  workspace: WorkspaceRef,
  { status, kind, owner, after, limit, withIdentity, now }: ItemFilter,
) {
  const value = status === "resolved" ? inboxItems.resolvedDay : inboxItems.rank;
  return itemsQuery(db, workspace, withIdentity)
    .where(
      and(
        eq(inboxItems.workspace, workspace.number),
        inStatus(status, now),
        kind === undefined ? undefined : eq(inboxItems.kind, kind),
        owner === undefined ? undefined : isOwnedBy(workspace, owner),
        after === null ? undefined : sql`(${value}, ${inboxItems.number}) < (${after[0]}, ${after[1]})`,
      ),
    )
    .orderBy(desc(value), desc(inboxItems.number))
    .limit(limit);
}

export const itemPosition = ({ resolvedDay, rank, number }: StoredItem): SortPosition => [resolvedDay ?? rank, number];

export async function listItems(env: Env, workspace: WorkspaceRef, filter: ItemFilter) {
  const [items, [run]] = await readQueries(env, workspace, (db) => [
    pageQuery(db, workspace, filter),
    asOfQuery(db, workspace),
  ]);
  return { items, asOf: run?.asOf ?? null };
}

export function decodeItem(row: RawRow<typeof inboxItems>): InboxItem {
  const { number: _number, id: _id, workspace: _workspace, account: _account, ...item } = decodeRow(inboxItems, row);
  return item;
}

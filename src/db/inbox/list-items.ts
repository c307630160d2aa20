/** Lists inbox items with their subjects and marks, page by page. */
import { and, desc, eq, getTableColumns, gt, isNotNull, isNull, lte, or, type SQL, sql } from "drizzle-orm";

import type { InboxItem, ItemKind } from "../../core/inbox/model.ts";
import { allColumns, decodeRow, type RawRow } from "../client/columns-of.ts";
import { type Database, databaseOf, type WorkspaceRef } from "../client/database.ts";
import { type AccountSummary, subjectColumns, withSubjects } from "../accounts/subjects.ts";
import { withRetry } from "../client/faults.ts";
import { identityColumn, toIdentity } from "../identity/read-identity.ts";
import { asOfQuery } from "../recompute/runs.ts";
import { accounts, eventNames, inboxItems, inboxMarks, users } from "../schema/schema.ts";
import type { SortPosition } from "../client/sort-position.ts";

export interface StoredItem {
  number: number;
  id: string;
  item: InboxItem;
  /** `null` for an item about the workspace as a whole. */
  account: AccountSummary | null;
  /** The account's company name; `null` if it has none or the reader may not see names. */
  company: string | null;
  mrr: { amount: number; currency: string | null } | null;
  /** The user or the feature that the item is about, if it still exists. */
  user: { id: string; externalId: string } | null;
  feature: string | null;
  dismissedAt: number | null;
  snoozedUntil: number | null;
}

const { id, workspace: _workspaceColumn, account: _accountColumn, ...ownColumns } = getTableColumns(inboxItems);

/** Columns with the same name get aliases, because in a batch D1 returns rows by column name. */
const itemColumns = {
  ...ownColumns,
  ...subjectColumns,
  itemId: sql<string>`${id}`.as("item_id"),
  amount: sql<number | null>`${accounts.attributes} ->> '$.mrr[0]'`.as("amount"),
  currency: sql<string | null>`${accounts.attributes} ->> '$.currency[0]'`.as("currency"),
  feature: eventNames.name,
  dismissedAt: inboxMarks.dismissedAt,
  snoozedUntil: inboxMarks.snoozedUntil,
};

const subjectNumber = sql`CAST(${inboxItems.subject} AS INTEGER)`;

/** @param withIdentity whether the reader may see identity traits */
export const itemsQuery = (db: Database, workspace: WorkspaceRef, withIdentity: boolean) =>
  db
    .select({ ...itemColumns, identity: identityColumn(workspace, "account", accounts.number, withIdentity) })
    .from(inboxItems)
    .leftJoin(accounts, eq(accounts.number, inboxItems.account))
    .leftJoin(users, and(eq(inboxItems.kind, "key_user_quiet"), eq(users.number, subjectNumber)))
    .leftJoin(eventNames, and(eq(inboxItems.kind, "feature_dropped"), eq(eventNames.number, subjectNumber)))
    .leftJoin(inboxMarks, eq(inboxMarks.item, inboxItems.number));

export type ItemRow = Awaited<ReturnType<typeof itemsQuery>>[number];

export function toItem(row: ItemRow): StoredItem {
  const { number, itemId, account, user, amount, currency, identity, feature, dismissedAt, snoozedUntil, ...item } =
    withSubjects(row);
  return {
    number,
    id: itemId,
    item,
    account,
    mrr: amount === null ? null : { amount, currency },
    company: toIdentity(identity)?.company ?? null,
    user: user?.externalId == null ? null : { id: user.id, externalId: user.externalId },
    feature,
    dismissedAt,
    snoozedUntil,
  };
}

export interface ListedItem extends StoredItem {
  position: SortPosition;
}

export const ITEM_STATUSES = ["open", "resolved", "snoozed", "dismissed"] as const;
export type ItemStatus = (typeof ITEM_STATUSES)[number];

/**
 * Whether an item of `itemsQuery` has a status. Every item has exactly one: a resolved item stays resolved, whatever its
 * marks.
 * @param now decides which snoozes are over, in milliseconds since the epoch
 */
export function inStatus(status: ItemStatus, now: number): SQL | undefined {
  if (status === "resolved") return isNotNull(inboxItems.resolvedDay);
  const unresolved = isNull(inboxItems.resolvedDay);
  if (status === "dismissed") return and(unresolved, isNotNull(inboxMarks.dismissedAt));
  const kept = and(unresolved, isNull(inboxMarks.dismissedAt));
  return status === "snoozed"
    ? and(kept, gt(inboxMarks.snoozedUntil, now))
    : and(kept, or(isNull(inboxMarks.snoozedUntil), lte(inboxMarks.snoozedUntil, now)));
}

export interface ItemFilter {
  status: ItemStatus;
  kind: ItemKind | undefined;
  /** The position of the last item on the previous page. */
  after: SortPosition | null;
  limit: number;
  withIdentity: boolean;
  /** Decides which snoozes are over, in milliseconds since the epoch. */
  now: number;
}

/**
 * Queries a page of items, and returns how to read its rows. The highest rank comes first, and for resolved items the
 * latest day. Ties go to the newest item.
 */
export function itemPage(
  db: Database,
  workspace: WorkspaceRef,
  { status, kind, after, limit, withIdentity, now }: ItemFilter,
) {
  const value = status === "resolved" ? inboxItems.resolvedDay : inboxItems.rank;
  const query = itemsQuery(db, workspace, withIdentity)
    .where(
      and(
        eq(inboxItems.workspace, workspace.number),
        inStatus(status, now),
        kind === undefined ? undefined : eq(inboxItems.kind, kind),
        after === null ? undefined : sql`(${value}, ${inboxItems.number}) < (${after[0]}, ${after[1]})`,
      ),
    )
    .orderBy(desc(value), desc(inboxItems.number))
    .limit(limit);
  const toListed = (row: ItemRow): ListedItem => ({
    ...toItem(row),
    position: [status === "resolved" ? (row.resolvedDay ?? 0) : row.rank, row.number],
  });
  return { query, toListed };
}

export async function listItems(
  env: Env,
  workspace: WorkspaceRef,
  filter: ItemFilter,
): Promise<{ items: ListedItem[]; asOf: number | null }> {
  const db = databaseOf(env, workspace);
  const { query, toListed } = itemPage(db, workspace, filter);
  const [rows, [run]] = await withRetry(() => db.batch([query, asOfQuery(db, workspace)]));
  return { items: rows.map(toListed), asOf: run?.asOf ?? null };
}

/** The columns of an item for SQL text, with the alias `i`. */
export const ITEM_COLUMNS = allColumns(inboxItems, "i");

export type RawItem = RawRow<typeof inboxItems>;

export function decodeItem(row: RawItem): InboxItem {
  const { number: _number, id: _id, workspace: _workspace, account: _account, ...item } = decodeRow(inboxItems, row);
  return item;
}

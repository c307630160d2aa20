/** Reads a page of the inbox for the console: items with the MRR of their accounts, and counts by kind. */
import { and, eq, isNull, sql } from "drizzle-orm";

import type { ItemKind } from "../../core/inbox/model.ts";
import { databaseOf, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { type ItemFilter, itemPage, itemsQuery, type StoredItem, toItem } from "./list-items.ts";
import { inStatus, type ItemStatus } from "./item-status.ts";
import { lastRunQuery } from "../recompute/runs.ts";
import { accounts, health, inboxItems, inboxMarks } from "../schema/schema.ts";
import type { SortPosition } from "../client/sort-position.ts";

export interface Mrr {
  amount: number;
  /** ISO 4217; `null` if no currency was sent. */
  currency: string | null;
}

export interface ListedItem extends StoredItem {
  /** The current MRR of the account. */
  mrr: Mrr | null;
  position: SortPosition;
}

/** Counts of unresolved items by kind. Resolved items are not counted. */
type ItemCounts = { kind: ItemKind } & Record<Exclude<ItemStatus, "resolved">, number>;

export interface InboxPage {
  /** In the order of `listItems`. */
  items: ListedItem[];
  counts: ItemCounts[];
  /** The item requested by id. */
  noted: StoredItem | null;
  /** When accounts were last scored; `null` before the first recompute. */
  judgedAt: number | null;
}

/** @param noted the id of an item to read whatever its status */
export async function readInboxPage(
  env: Env,
  workspace: WorkspaceRef,
  { limit, noted, ...filter }: ItemFilter & { noted: string | undefined },
): Promise<InboxPage> {
  const db = databaseOf(env, workspace);
  const own = eq(inboxItems.workspace, workspace.number);
  const { where, order, positionOf } = itemPage(workspace, filter);
  const counted = (status: ItemStatus) => sql<number>`count(*) FILTER (WHERE ${inStatus(status, filter.now)})`;
  const [rows, paying, counts, [notedRow], [judged], [run]] = await withRetry(() =>
    db.batch([
      itemsQuery(db)
        .where(where)
        .orderBy(...order)
        .limit(limit),
      db
        .select({
          account: accounts.id,
          amount: sql<number | null>`${accounts.attributes} ->> '$.mrr[0]'`.as("amount"),
          currency: sql<string | null>`${accounts.attributes} ->> '$.currency[0]'`.as("currency"),
        })
        .from(inboxItems)
        .innerJoin(accounts, eq(accounts.number, inboxItems.account))
        .leftJoin(inboxMarks, eq(inboxMarks.item, inboxItems.number))
        .where(where)
        .orderBy(...order)
        .limit(limit),
      db
        .select({
          kind: inboxItems.kind,
          open: counted("open").as("open"),
          snoozed: counted("snoozed").as("snoozed"),
          dismissed: counted("dismissed").as("dismissed"),
        })
        .from(inboxItems)
        .leftJoin(inboxMarks, eq(inboxMarks.item, inboxItems.number))
        .where(and(own, isNull(inboxItems.resolvedDay)))
        .groupBy(inboxItems.kind),
      itemsQuery(db).where(and(own, eq(inboxItems.id, noted ?? ""))),
      db.select({ account: health.account }).from(health).where(eq(health.workspace, workspace.number)).limit(1),
      lastRunQuery(db),
    ]),
  );
  const mrrs = new Map(paying.map(({ account, amount, currency }) => [account, toMrr(amount, currency)]));
  return {
    items: rows.map((row) => ({
      ...toItem(row),
      mrr: mrrs.get(row.accountId ?? "") ?? null,
      position: positionOf(row),
    })),
    counts,
    noted: notedRow === undefined ? null : toItem(notedRow),
    judgedAt: judged === undefined ? null : (run?.asOf ?? null),
  };
}

const toMrr = (amount: number | null, currency: string | null): Mrr | null =>
  amount === null ? null : { amount, currency };

/** A page of the console's inbox: items with their accounts' names and MRR, and the counts of each kind. */
import { and, eq, isNull, sql } from "drizzle-orm";

import type { ItemKind } from "../../core/inbox/model.ts";
import { databaseOf, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import type { SortPosition } from "../client/sort-position.ts";
import { lastRunQuery } from "../recompute/runs.ts";
import { accounts, health, inboxItems, inboxMarks } from "../schema/schema.ts";
import { inStatus, type ItemStatus } from "./item-status.ts";
import { type ItemFilter, itemPage, itemsQuery, type StoredItem, toItem } from "./list-items.ts";

export interface Mrr {
  amount: number;
  /** ISO 4217; `null` if the sender gave none. */
  currency: string | null;
}

/** An item with its account's current MRR. */
export interface PricedItem extends StoredItem {
  mrr: Mrr | null;
}

export interface ListedItem extends PricedItem {
  position: SortPosition;
}

/** The numbers of unresolved items. Resolved items grow without bound, so they are not counted. */
type ItemCounts = { kind: ItemKind } & Record<Exclude<ItemStatus, "resolved">, number>;

export interface InboxPage {
  /** In the order of `listItems`. */
  items: ListedItem[];
  counts: ItemCounts[];
  /** The item with the requested id. */
  selected: PricedItem | null;
  /** When scores were last updated; `null` while the workspace has none. */
  updatedAt: number | null;
}

interface PageFilter extends ItemFilter {
  /** The id of an item to read whatever its status. */
  selected: string | undefined;
}

export async function readInboxPage(
  env: Env,
  workspace: WorkspaceRef,
  { limit, selected, withIdentity, ...filter }: PageFilter,
): Promise<InboxPage> {
  const db = databaseOf(env, workspace);
  const own = eq(inboxItems.workspace, workspace.number);
  const isSelected = and(own, eq(inboxItems.id, selected ?? ""));
  const { where, order, positionOf } = itemPage(workspace, filter);
  const counted = (status: ItemStatus) => sql<number>`count(*) FILTER (WHERE ${inStatus(status, filter.now)})`;
  const selectAccounts = () =>
    db
      .select({
        account: accounts.id,
        amount: sql<number | null>`${accounts.attributes} ->> '$.mrr[0]'`.as("amount"),
        currency: sql<string | null>`${accounts.attributes} ->> '$.currency[0]'`.as("currency"),
      })
      .from(inboxItems)
      .innerJoin(accounts, eq(accounts.number, inboxItems.account))
      .leftJoin(inboxMarks, eq(inboxMarks.item, inboxItems.number));
  const [rows, accountsOfPage, counts, [selectedRow], accountOfSelected, [scored], [run]] = await withRetry(() =>
    db.batch([
      itemsQuery(db, workspace, withIdentity)
        .where(where)
        .orderBy(...order)
        .limit(limit),
      selectAccounts()
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
      itemsQuery(db, workspace, withIdentity).where(isSelected),
      selectAccounts().where(isSelected),
      db.select({ account: health.account }).from(health).where(eq(health.workspace, workspace.number)).limit(1),
      lastRunQuery(db),
    ]),
  );
  const byAccount = new Map([...accountsOfPage, ...accountOfSelected].map((row) => [row.account, row]));
  const toPriced = (item: StoredItem): PricedItem => {
    const account = byAccount.get(item.account?.id ?? "");
    const amount = account?.amount ?? null;
    return {
      ...item,
      mrr: amount === null ? null : { amount, currency: account?.currency ?? null },
    };
  };
  return {
    items: rows.map((row) => ({ ...toPriced(toItem(row)), position: positionOf(row) })),
    counts,
    selected: selectedRow === undefined ? null : toPriced(toItem(selectedRow)),
    updatedAt: scored === undefined ? null : (run?.asOf ?? null),
  };
}

/** A page of the console's inbox: items, and the counts of each kind. */
import { and, eq, isNull, sql } from "drizzle-orm";

import type { ItemKind } from "../../core/inbox/model.ts";
import { databaseOf, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { asOfQuery } from "../recompute/runs.ts";
import { health, inboxItems, inboxMarks } from "../schema/schema.ts";
import {
  inStatus,
  type ItemFilter,
  itemPage,
  type ItemStatus,
  itemsQuery,
  type ListedItem,
  type StoredItem,
  toItem,
} from "./list-items.ts";

/** The numbers of unresolved items. Resolved items grow without bound, so they are not counted. */
type ItemCounts = { kind: ItemKind } & Record<Exclude<ItemStatus, "resolved">, number>;

export interface InboxPage {
  /** In the order of `listItems`. */
  items: ListedItem[];
  counts: ItemCounts[];
  /** The item with the requested id. */
  selected: StoredItem | null;
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
  { selected, ...filter }: PageFilter,
): Promise<InboxPage> {
  const db = databaseOf(env, workspace);
  const own = eq(inboxItems.workspace, workspace.number);
  const { query, toListed } = itemPage(db, workspace, filter);
  const counted = (status: ItemStatus) => sql<number>`count(*) FILTER (WHERE ${inStatus(status, filter.now)})`;
  const [rows, counts, [selectedRow], [scored], [run]] = await withRetry(() =>
    db.batch([
      query,
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
      itemsQuery(db, workspace, filter.withIdentity).where(and(own, eq(inboxItems.id, selected ?? ""))),
      db.select({ account: health.account }).from(health).where(eq(health.workspace, workspace.number)).limit(1),
      asOfQuery(db, workspace),
    ]),
  );
  return {
    items: rows.map(toListed),
    counts,
    selected: selectedRow === undefined ? null : toItem(selectedRow),
    updatedAt: scored === undefined ? null : (run?.asOf ?? null),
  };
}

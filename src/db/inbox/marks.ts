/**
 * Marks inbox items as dismissed or snoozed. Marks have their own table, because items are outcomes, which only the
 * recompute writes. A second call changes nothing more, so a lost response can be retried.
 */
import { and, eq, type SQL, sql } from "drizzle-orm";

import { databaseOf, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { itemsQuery, type StoredItem, toItem } from "./list-items.ts";
import { inboxItems, inboxMarks } from "../schema/schema.ts";
import { requireLiveQuery } from "../workspaces/require-live.ts";

export interface Marker {
  workspace: WorkspaceRef;
  /** Whether the response may contain identity traits. */
  withIdentity: boolean;
}

export type MarkOutcome = { outcome: "marked"; item: StoredItem } | { outcome: "no_such_item" };

/** Dismisses an item. A second dismissal keeps the time of the first. */
export const dismissItem = (env: Env, marker: Marker, id: string, now: number): Promise<MarkOutcome> =>
  markItem(env, marker, id, { dismissedAt: now }, { dismissedAt: sql`coalesce(${inboxMarks.dismissedAt}, ${now})` });

/** Snoozes an item. The last snooze wins. @param until milliseconds since the epoch */
export const snoozeItem = (env: Env, marker: Marker, id: string, until: number): Promise<MarkOutcome> =>
  markItem(env, marker, id, { snoozedUntil: until });

export const undismissItem = (env: Env, marker: Marker, id: string): Promise<MarkOutcome> =>
  markItem(env, marker, id, { dismissedAt: null });

export const unsnoozeItem = (env: Env, marker: Marker, id: string): Promise<MarkOutcome> =>
  markItem(env, marker, id, { snoozedUntil: null });

/**
 * Writes a mark and reads the item in one transaction.
 * @param mark for an item without marks; `update` for one that has some
 */
async function markItem(
  env: Env,
  { workspace, withIdentity }: Marker,
  id: string,
  mark: { dismissedAt?: number | null; snoozedUntil?: number | null },
  update: Partial<Record<keyof typeof mark, number | SQL | null>> = mark,
): Promise<MarkOutcome> {
  const db = databaseOf(env, workspace);
  const isMarked = and(eq(inboxItems.workspace, workspace.number), eq(inboxItems.id, id));
  const columns = {
    item: inboxItems.number,
    dismissedAt: sql<number | null>`${mark.dismissedAt ?? null}`.as("dismissed_at"),
    snoozedUntil: sql<number | null>`${mark.snoozedUntil ?? null}`.as("snoozed_until"),
  };
  const found = db.select(columns).from(inboxItems).where(isMarked);
  const [, , [row]] = await withRetry(() =>
    db.batch([
      requireLiveQuery(db, workspace),
      db.insert(inboxMarks).select(found).onConflictDoUpdate({ target: inboxMarks.item, set: update }),
      itemsQuery(db, workspace, withIdentity).where(isMarked),
    ]),
  );
  return row === undefined ? { outcome: "no_such_item" } : { outcome: "marked", item: toItem(row) };
}

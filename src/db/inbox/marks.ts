/**
 * Marks inbox items as dismissed or snoozed. Marks have their own table, because items are outcomes, which only the
 * recompute writes. A second call changes nothing more, so a lost response can be retried.
 */
import { and, eq, sql } from "drizzle-orm";

import { databaseOf, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { itemsQuery, type StoredItem } from "./list-items.ts";
import { inboxItems, inboxMarks } from "../schema/schema.ts";
import { requireLiveQuery } from "../workspaces/require-live.ts";

/** Times in milliseconds since the epoch; `null` removes the mark. */
export interface Mark {
  dismissedAt?: number | null;
  snoozedUntil?: number | null;
}

/**
 * Writes a mark and reads the item in one transaction.
 * @param withIdentity whether the response may contain identity traits
 * @returns `null` for an unknown item
 */
export async function markItem(
  env: Env,
  workspace: WorkspaceRef,
  id: string,
  mark: Mark,
  withIdentity: boolean,
): Promise<StoredItem | null> {
  const db = databaseOf(env, workspace);
  const isMarked = and(eq(inboxItems.workspace, workspace.number), eq(inboxItems.id, id));
  const { dismissedAt = null, snoozedUntil = null } = mark;
  const columns = {
    item: inboxItems.number,
    dismissedAt: sql<number | null>`${dismissedAt}`.as("dismissed_at"),
    dismissReason: sql<null>`NULL`.as("dismiss_reason"),
    snoozedUntil: sql<number | null>`${snoozedUntil}`.as("snoozed_until"),
    contactedAt: sql<null>`NULL`.as("contacted_at"),
    contactedBy: sql<null>`NULL`.as("contacted_by"),
    note: sql<null>`NULL`.as("note"),
    noteBy: sql<null>`NULL`.as("note_by"),
    noteAt: sql<null>`NULL`.as("note_at"),
  };
  // A second dismissal keeps the time of the first. The last snooze wins.
  const set = dismissedAt === null ? mark : { dismissedAt: sql`coalesce(${inboxMarks.dismissedAt}, ${dismissedAt})` };
  const [, , [item]] = await withRetry(() =>
    db.batch([
      requireLiveQuery(db, workspace),
      db
        .insert(inboxMarks)
        .select(db.select(columns).from(inboxItems).where(isMarked))
        .onConflictDoUpdate({ target: inboxMarks.item, set }),
      itemsQuery(db, workspace, withIdentity).where(isMarked),
    ]),
  );
  return item ?? null;
}

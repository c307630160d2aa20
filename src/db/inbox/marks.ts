/**
 * Marks inbox items as dismissed or snoozed. Marks have their own table, because items are outcomes, which only the
 * recompute writes. A second call changes nothing more, so a lost response can be retried.
 */
import { and, eq, exists, isNull, type SQL, sql } from "drizzle-orm";

import { type Database, databaseOf, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { itemsQuery, type StoredItem, toItem } from "./list-items.ts";
import { apiKeys, inboxItems, inboxMarks, workspaces } from "../schema/schema.ts";

/** Who marks: a key of the workspace, or the administration if `keyId` is `null`. */
export interface Marker {
  workspace: WorkspaceRef;
  keyId: string | null;
  /** Whether the response may contain identity traits. */
  withIdentity: boolean;
}

export type MarkOutcome =
  | { outcome: "marked"; item: StoredItem }
  | { outcome: "no_such_item" }
  /** The key was revoked, or the workspace erased, after the key was looked up. Nothing was marked. */
  | { outcome: "key_gone" };

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
 * Writes a mark and reads the item in one transaction. The transaction checks the key again, because a revoked key must
 * not write, and this request has not called the workspace's Durable Object.
 * @param mark for an item without marks; `update` for one that has some
 */
async function markItem(
  env: Env,
  { keyId, workspace, withIdentity }: Marker,
  id: string,
  mark: { dismissedAt?: number | null; snoozedUntil?: number | null },
  update: Partial<Record<keyof typeof mark, number | SQL | null>> = mark,
): Promise<MarkOutcome> {
  const db = databaseOf(env, workspace);
  const permitted = db
    .select({ number: workspaces.number })
    .from(workspaces)
    .where(
      and(
        eq(workspaces.number, workspace.number),
        isNull(workspaces.erasedAt),
        keyId === null ? undefined : exists(validKey(db, keyId)),
      ),
    );
  const isMarked = and(eq(inboxItems.workspace, workspace.number), eq(inboxItems.id, id));
  const columns = {
    item: inboxItems.number,
    dismissedAt: sql<number | null>`${mark.dismissedAt ?? null}`.as("dismissed_at"),
    snoozedUntil: sql<number | null>`${mark.snoozedUntil ?? null}`.as("snoozed_until"),
  };
  const found = db
    .select(columns)
    .from(inboxItems)
    .where(and(isMarked, exists(permitted)));
  const [, [row], [allowed]] = await withRetry(() =>
    db.batch([
      db.insert(inboxMarks).select(found).onConflictDoUpdate({ target: inboxMarks.item, set: update }),
      itemsQuery(db, workspace, withIdentity).where(isMarked),
      permitted,
    ]),
  );
  if (allowed === undefined) return { outcome: "key_gone" };
  return row === undefined ? { outcome: "no_such_item" } : { outcome: "marked", item: toItem(row) };
}

const validKey = (db: Database, keyId: string) =>
  db
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.id, keyId), eq(apiKeys.workspace, workspaces.number), isNull(apiKeys.revokedAt)));

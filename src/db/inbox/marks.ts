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
  markItem(env, marker, id, (db, found) =>
    db
      .insert(inboxMarks)
      .select(found({ dismissedAt: sql<number>`${now}`.as("dismissed_at"), snoozedUntil: NULL.as("snoozed_until") }))
      .onConflictDoUpdate({
        target: inboxMarks.item,
        set: { dismissedAt: sql`coalesce(${inboxMarks.dismissedAt}, ${now})` },
      }),
  );

/** Snoozes an item until a time in milliseconds since the epoch. The last snooze wins. */
export const snoozeItem = (env: Env, marker: Marker, id: string, until: number): Promise<MarkOutcome> =>
  markItem(env, marker, id, (db, found) =>
    db
      .insert(inboxMarks)
      .select(found({ dismissedAt: NULL.as("dismissed_at"), snoozedUntil: sql<number>`${until}`.as("snoozed_until") }))
      .onConflictDoUpdate({ target: inboxMarks.item, set: { snoozedUntil: until } }),
  );

export const undismissItem = (env: Env, marker: Marker, id: string): Promise<MarkOutcome> =>
  markItem(env, marker, id, (db, found) =>
    db
      .update(inboxMarks)
      .set({ dismissedAt: null })
      .where(eq(inboxMarks.item, sql`${found({})}`)),
  );

export const unsnoozeItem = (env: Env, marker: Marker, id: string): Promise<MarkOutcome> =>
  markItem(env, marker, id, (db, found) =>
    db
      .update(inboxMarks)
      .set({ snoozedUntil: null })
      .where(eq(inboxMarks.item, sql`${found({})}`)),
  );

const NULL = sql<null>`NULL`;

type Write = Parameters<Database["batch"]>[0][0];

/** Selects the item's number with further columns, if it exists and may be marked. */
type FindItem = ReturnType<typeof itemFinder>;

const itemFinder =
  (db: Database, workspace: WorkspaceRef, id: string, mayMark: SQL) =>
  <Columns extends Record<string, SQL.Aliased>>(columns: Columns) =>
    db
      .select({ item: inboxItems.number, ...columns })
      .from(inboxItems)
      .where(and(eq(inboxItems.workspace, workspace.number), eq(inboxItems.id, id), mayMark));

/**
 * Writes a mark and reads the item in one transaction. The transaction checks the key again, because a revoked key must
 * not write, and this request has not called the workspace's Durable Object.
 */
async function markItem(
  env: Env,
  { keyId, workspace, withIdentity }: Marker,
  id: string,
  write: (db: Database, found: FindItem) => Write,
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
  const [, [row], [allowed]] = await withRetry(() =>
    db.batch([
      write(db, itemFinder(db, workspace, id, exists(permitted))),
      itemsQuery(db, workspace, withIdentity).where(
        and(eq(inboxItems.workspace, workspace.number), eq(inboxItems.id, id)),
      ),
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

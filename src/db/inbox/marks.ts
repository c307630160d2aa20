/**
 * What people do with inbox items. Marks stand in a table of their own: items are outcomes, which only the recompute
 * writes. Each of these may be called again and changes nothing more, so an answer lost on the way is asked for anew.
 */
import { and, eq, exists, isNull, type SQL, sql } from "drizzle-orm";

import { type Database, databaseOf, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { itemsQuery, type StoredItem, toItem } from "./list-items.ts";
import { apiKeys, inboxItems, inboxMarks, workspaces } from "../schema/schema.ts";

/** Who marks: by a key of the workspace, or, where that is `null`, the administration, which needs none. */
export interface Marker {
  workspace: WorkspaceRef;
  keyId: string | null;
}

export type MarkOutcome =
  | { outcome: "marked"; item: StoredItem }
  /** The workspace has no such item. */
  | { outcome: "no_such_item" }
  /** The key was revoked, or the workspace erased, since the key was looked up. Nothing was marked. */
  | { outcome: "key_gone" };

/** Puts an item aside for good. A second time leaves the time of the first. */
export const dismissItem = (env: Env, marker: Marker, id: string, now: number): Promise<MarkOutcome> =>
  marked(env, marker, id, (db, found) =>
    db
      .insert(inboxMarks)
      .select(sql`SELECT number, ${now}, NULL ${found}`)
      .onConflictDoUpdate({
        target: inboxMarks.item,
        set: { dismissedAt: sql`coalesce(${inboxMarks.dismissedAt}, excluded.dismissed_at)` },
      }),
  );

/** Puts an item aside until a time, milliseconds since the epoch. The last time given holds. */
export const snoozeItem = (env: Env, marker: Marker, id: string, until: number): Promise<MarkOutcome> =>
  marked(env, marker, id, (db, found) =>
    db
      .insert(inboxMarks)
      .select(sql`SELECT number, NULL, ${until} ${found}`)
      .onConflictDoUpdate({ target: inboxMarks.item, set: { snoozedUntil: sql`excluded.snoozed_until` } }),
  );

export const undismissItem = (env: Env, marker: Marker, id: string): Promise<MarkOutcome> =>
  marked(env, marker, id, (db, found) =>
    db
      .update(inboxMarks)
      .set({ dismissedAt: null })
      .where(sql`${inboxMarks.item} = (SELECT number ${found})`),
  );

export const unsnoozeItem = (env: Env, marker: Marker, id: string): Promise<MarkOutcome> =>
  marked(env, marker, id, (db, found) =>
    db
      .update(inboxMarks)
      .set({ snoozedUntil: null })
      .where(sql`${inboxMarks.item} = (SELECT number ${found})`),
  );

type Marking = Parameters<Database["batch"]>[0][0];

/**
 * Marks, and reads the item as it stands then, in one transaction. The key is asked for there once more: one that is
 * revoked must not write again, and no object of the workspace has been asked on the way.
 * @param marking gets the `FROM` and `WHERE` that find the item
 */
async function marked(
  env: Env,
  { keyId, workspace }: Marker,
  id: string,
  marking: (db: Database, found: SQL) => Marking,
): Promise<MarkOutcome> {
  const db = databaseOf(env, workspace);
  const standing = db
    .select({ number: workspaces.number })
    .from(workspaces)
    .where(
      and(
        eq(workspaces.number, workspace.number),
        isNull(workspaces.erasedAt),
        keyId === null ? undefined : exists(goodKey(db, keyId)),
      ),
    );
  const found = sql`FROM inbox_items WHERE workspace = ${workspace.number} AND id = ${id} AND EXISTS ${standing}`;
  const [, [row], [opened]] = await withRetry(() =>
    db.batch([
      marking(db, found),
      itemsQuery(db).where(and(eq(inboxItems.workspace, workspace.number), eq(inboxItems.id, id))),
      standing,
    ]),
  );
  if (opened === undefined) return { outcome: "key_gone" };
  return row === undefined ? { outcome: "no_such_item" } : { outcome: "marked", item: toItem(row) };
}

const goodKey = (db: Database, keyId: string) =>
  db
    .select({ id: apiKeys.id })
    .from(apiKeys)
    .where(and(eq(apiKeys.id, keyId), eq(apiKeys.workspace, workspaces.number), isNull(apiKeys.revokedAt)));

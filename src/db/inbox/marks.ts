/**
 * Marks inbox items: dismissed, snoozed, contacted, or with a note. Marks have their own table, because items are
 * outcomes, which only the recompute writes. A second call changes nothing more, so a lost response can be retried.
 */
import { and, eq, getTableColumns, isNotNull, isNull, type SQL, sql } from "drizzle-orm";

import type { Activity, DismissReason } from "../../core/inbox/marks.ts";
import { type Act, forgetOldActivities, logActivity } from "../accounts/activities.ts";
import { type Database, databaseOf, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { itemsQuery, type StoredItem } from "./list-items.ts";
import { activities, inboxItems, inboxMarks } from "../schema/schema.ts";
import { requireLiveQuery } from "../workspaces/require-live.ts";

/** One mark. `false` and `null` remove it. */
export type Mark =
  | { dismissed: boolean; reason?: DismissReason | null | undefined }
  /** In milliseconds since the epoch. */
  | { snoozedUntil: number | null }
  | { contacted: boolean }
  /** Redacted. */
  | { note: string | null };

interface Options extends Act {
  /** Whether the response may contain identity traits. */
  withIdentity: boolean;
}

interface Change {
  set: Partial<typeof inboxMarks.$inferInsert>;
  /** Whether the mark isn't already so. */
  isNew: SQL;
  /** `null` takes the contact out of the log. */
  log: { action: Activity; detail: string | null } | null;
}

const REOPENED = { action: "reopened", detail: null } as const;

function changeOf(mark: Mark, { by, at }: Act): Change {
  const { dismissedAt, snoozedUntil, contactedAt, note } = inboxMarks;
  if ("dismissed" in mark) {
    if (!mark.dismissed)
      return { set: { dismissedAt: null, dismissReason: null }, isNew: isNotNull(dismissedAt), log: REOPENED };
    const { reason = null } = mark;
    return {
      set: { dismissedAt: at, dismissReason: reason },
      isNew: isNull(dismissedAt),
      log: { action: "dismissed", detail: reason },
    };
  }
  if ("snoozedUntil" in mark) {
    const until = mark.snoozedUntil;
    return {
      set: { snoozedUntil: until },
      isNew: sql`${snoozedUntil} IS NOT ${until}`,
      log: until === null ? REOPENED : { action: "snoozed", detail: new Date(until).toISOString() },
    };
  }
  if ("contacted" in mark) {
    return mark.contacted
      ? {
          set: { contactedAt: at, contactedBy: by },
          isNew: isNull(contactedAt),
          log: { action: "contacted", detail: null },
        }
      : { set: { contactedAt: null, contactedBy: null }, isNew: isNotNull(contactedAt), log: null };
  }
  const text = mark.note;
  return {
    set: { note: text, noteBy: text && by, noteAt: text === null ? null : at },
    isNew: sql`${note} IS NOT ${text}`,
    // An empty text says that the note was removed.
    log: { action: "note", detail: text ?? "" },
  };
}

/**
 * Writes a mark, logs it for the accounts of the items that it changes, and reads all the items, in one transaction.
 * @param ids of 1 to 100 items; unknown ones are left out
 * @returns the items in no order
 */
export async function markItems(
  env: Env,
  workspace: WorkspaceRef,
  ids: readonly string[],
  mark: Mark,
  { withIdentity, ...act }: Options,
): Promise<StoredItem[]> {
  const db = databaseOf(env, workspace);
  const { set, isNew, log } = changeOf(mark, act);
  const areMarked = and(
    eq(inboxItems.workspace, workspace.number),
    sql`${inboxItems.id} IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`,
  );
  const changed = sql`FROM ${inboxItems} LEFT JOIN ${inboxMarks} ON ${inboxMarks.item} = ${inboxItems.number}
    WHERE ${areMarked} AND ${isNew}`;
  const values: Record<string, unknown> = { ...getTableColumns(inboxMarks), ...set, item: inboxItems.number };
  const marks = sql.join(
    Object.values(values).map((value) => sql`${value}`),
    sql`, `,
  );
  const [account, item] = [sql`${inboxItems.account}`, sql`${inboxItems.number}`];
  const logged =
    log === null
      ? db.delete(activities).where(
          sql`(${activities.account}, ${activities.at}, ${activities.action}, ${activities.item}) IN
            (SELECT ${account}, ${inboxMarks.contactedAt}, 'contacted', ${item} ${changed})`,
        )
      : logActivity(db, { ...act, ...log }, { account, item, found: sql`${changed} AND ${account} > 0` });
  const [, , , items] = await withRetry(() =>
    db.batch([
      requireLiveQuery(db, workspace),
      logged,
      db
        .insert(inboxMarks)
        .select(sql`SELECT ${marks} ${changed}`)
        .onConflictDoUpdate({ target: inboxMarks.item, set }),
      itemsQuery(db, workspace, withIdentity).where(areMarked),
      forgetOldActivities(db, sql`SELECT ${account} AS account FROM ${inboxItems} WHERE ${areMarked}`),
      ...("note" in mark ? [forgetNotes(db, areMarked, act.at)] : []),
    ]),
  );
  return items;
}

/** Takes the texts of notes that were replaced or removed out of the log. */
const forgetNotes = (db: Database, areMarked: SQL | undefined, now: number) =>
  db
    .update(activities)
    .set({ detail: null })
    .where(
      sql`${activities.account} IN (SELECT ${inboxItems.account} FROM ${inboxItems} WHERE ${areMarked})
        AND ${activities.action} = 'note' AND ${activities.detail} <> ''
        AND EXISTS (SELECT 1 FROM ${inboxItems} JOIN ${inboxMarks} ON ${inboxMarks.item} = ${inboxItems.number}
          WHERE ${areMarked} AND ${inboxItems.number} = ${activities.item}
            AND ${activities.at} < coalesce(${inboxMarks.noteAt}, ${now}))`,
    );

/** Marks one item. @returns `null` for an unknown item */
export async function markItem(
  env: Env,
  workspace: WorkspaceRef,
  id: string,
  mark: Mark,
  options: Options,
): Promise<StoredItem | null> {
  const [item] = await markItems(env, workspace, [id], mark, options);
  return item ?? null;
}

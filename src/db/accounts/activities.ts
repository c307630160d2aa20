/** The log of what people did about an account: marks of its items, and changes of its owner. */
import { desc, type SQL, sql } from "drizzle-orm";

import type { Activity } from "../../core/inbox/marks.ts";
import type { Database } from "../client/database.ts";
import { activities } from "../schema/schema.ts";

/** Who does something, as `actorNameOf` writes it, and when, in milliseconds since the epoch. */
export interface Act {
  by: string;
  at: number;
}

const MAX_ACTIVITIES = 100;
/** Of each account; the log forgets older ones. Those of one moment stay together. */
const MAX_KEPT = 1_000;

/**
 * Logs an activity about each account that a part of a statement finds.
 * @param item the number of the item; 0 for the account itself
 * @param found from FROM on
 */
export const logActivity = (
  db: Database,
  { by, at, action, detail }: Act & { action: Activity; detail: string | null },
  { account, item, found }: { account: SQL; item: SQL; found: SQL },
) =>
  db
    .insert(activities)
    .select(sql`SELECT ${account}, ${at}, ${action}, ${item}, ${by}, ${detail} ${found}`)
    .onConflictDoUpdate({
      target: [activities.account, activities.at, activities.action, activities.item],
      set: { by, detail },
    });

/** Deletes the oldest activities of accounts that have too many. @param numbers a query of the accounts' numbers */
export const forgetOldActivities = (db: Database, numbers: SQL) =>
  db.delete(activities).where(
    sql`(${activities.account}, ${activities.at}, ${activities.action}, ${activities.item}) IN (
      WITH kept AS MATERIALIZED (
        SELECT account, (SELECT at FROM ${activities} WHERE account = logged.account ORDER BY at DESC LIMIT 1 OFFSET ${MAX_KEPT - 1}) AS first
        FROM (SELECT DISTINCT account FROM (${numbers})) logged)
      SELECT old.account, old.at, old.action, old.item
      FROM kept JOIN ${activities} old ON old.account = kept.account AND old.at < kept.first)`,
  );

/** Queries what people did about an account, latest first. */
export const activitiesQuery = (db: Database, account: SQL) =>
  db
    .select({
      at: activities.at,
      action: activities.action,
      item: activities.item,
      by: activities.by,
      detail: activities.detail,
    })
    .from(activities)
    .where(sql`${activities.account} = ${account}`)
    .orderBy(desc(activities.at), desc(activities.action), desc(activities.item))
    .limit(MAX_ACTIVITIES);

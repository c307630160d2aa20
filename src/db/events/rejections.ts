import { and, desc, eq, gte, lt, lte, sql } from "drizzle-orm";

import { DAY_MS } from "../../core/durations.ts";
import { databaseOf, ownRange, type WorkspaceRef } from "../client/database.ts";
import { readQueries } from "../client/read.ts";
import { withRetry } from "../client/faults.ts";
import { isLive } from "../client/sql-fragments.ts";
import { rejectionCounts, rejections } from "../schema/schema.ts";

/** How long rejected messages are kept. Their counts, one row per day and code, stay. */
export const REJECTION_RETENTION_DAYS = 30;

/** A kept rejection. Its seq grows in the order of arrival, and is not the seq of a message. */
export type RejectedArrival = typeof rejections.$inferSelect;

/** Lists kept rejections, newest first, and counts all rejected messages by day and code. */
export async function listRejections(
  env: Env,
  workspace: WorkspaceRef,
  { limit, before, now }: { limit: number; before: number | null; now: number },
) {
  const { first, last } = ownRange(workspace);
  // Positions come from clients. A position beyond the workspace's rejections must not read the next workspace's.
  const top = before === null ? last : Math.min(before - 1, last);
  const since = now - REJECTION_RETENTION_DAYS * DAY_MS;
  const [kept, counts] = await readQueries(env, workspace, (db) => [
    db
      .select()
      .from(rejections)
      .where(and(gte(rejections.seq, first), lte(rejections.seq, top), gte(rejections.receivedAt, since)))
      .orderBy(desc(rejections.seq))
      .limit(limit),
    db
      .select({ day: rejectionCounts.day, code: rejectionCounts.code, count: rejectionCounts.count })
      .from(rejectionCounts)
      .where(and(eq(rejectionCounts.workspace, workspace.number), gte(rejectionCounts.day, Math.floor(since / DAY_MS))))
      .orderBy(desc(rejectionCounts.day), rejectionCounts.code),
  ]);
  return { kept, counts };
}

/**
 * Deletes rejections past their retention in all workspaces of a database. A workspace keeps at most 1,000, so a scan on a schedule is
 * cheaper than an index that every rejection would write.
 */
export async function purgeExpiredRejections(env: Env, database: string, now: number): Promise<void> {
  const since = now - REJECTION_RETENTION_DAYS * DAY_MS;
  // The last step of a move compares both databases.
  const expired = and(lt(rejections.receivedAt, since), sql.raw(isLive("rejections.seq >> 32")));
  await withRetry(() => databaseOf(env, { database }).delete(rejections).where(expired));
}

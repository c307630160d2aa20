import { and, eq, isNull, sql } from "drizzle-orm";

import { DAY_MS } from "../../core/durations.ts";
import { MAX_FUTURE_MS } from "../../core/ingest/occurred-at.ts";
import { databaseOf, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { folds, workspaces } from "../schema/schema.ts";

/** When nothing was deleted yet, all days are complete in the log. */
const ALL_DAYS = -1_000_000_000;

/**
 * The first day whose messages are all in the log: the day after the newest deleted message was received, plus a margin
 * for events dated after their arrival. The numbers are part of the SQL text because D1 binds numbers as reals, which would
 * make the division yield fractions.
 */
const FIRST_COMPLETE_DAY = sql`coalesce(
  (${folds.deletedUntil} + ${sql.raw(String(MAX_FUTURE_MS))}) / ${sql.raw(String(DAY_MS))} + 1, ${sql.raw(String(ALL_DAYS))})`;

/** Requests a rebuild of the workspace's rollups by the next run. A request during a rebuild starts it again. */
export async function requestRebuild(env: Env, workspace: WorkspaceRef): Promise<void> {
  const db = databaseOf(env, workspace);
  const { number } = workspaces;
  const live = db
    .select({
      workspace: number,
      watermark: sql<number>`${number} << 32`.as("watermark"),
      deletedUntil: sql<null>`NULL`.as("deleted_until"),
      rebuildDay: sql<number>`${sql.raw(String(ALL_DAYS))}`.as("rebuild_day"),
      rebuiltThrough: sql<null>`NULL`.as("rebuilt_through"),
      scoredAt: sql<number>`0`.as("scored_at"),
      lastEventAt: sql<null>`NULL`.as("last_event_at"),
    })
    .from(workspaces)
    .where(and(eq(number, workspace.number), isNull(workspaces.erasedAt)));
  await withRetry(() =>
    db
      .insert(folds)
      .select(live)
      .onConflictDoUpdate({
        target: folds.workspace,
        set: { rebuiltThrough: null, rebuildDay: FIRST_COMPLETE_DAY },
      }),
  );
}

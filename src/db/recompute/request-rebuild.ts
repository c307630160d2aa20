import { eq, sql } from "drizzle-orm";

import { DAY_MS } from "../../core/durations.ts";
import { MAX_FUTURE_MS } from "../../core/ingest/occurred-at.ts";
import { databaseOf, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { folds } from "../schema/schema.ts";
import { requireLiveQuery } from "../workspaces/require-live.ts";
import { SCORED_DAYS } from "./due-accounts-sql.ts";

/** When nothing was deleted yet, all days are complete. */
const ALL_DAYS = -1_000_000_000;

/**
 * The first day whose messages are all in the log or in the archive: the day after the newest deleted message was received, plus a margin
 * for events dated after their arrival. The numbers are part of the SQL text because D1 binds numbers as reals, which would
 * make the division yield fractions.
 */
const FIRST_COMPLETE_DAY = sql`coalesce(
  (${folds.deletedUntil} + ${sql.raw(String(MAX_FUTURE_MS))}) / ${sql.raw(String(DAY_MS))} + 1, ${sql.raw(String(ALL_DAYS))})`;

/** No day before it is scored again. */
const FIRST_SCORED_DAY = sql`coalesce(
  ${folds.asOf} / ${sql.raw(String(DAY_MS))} - ${sql.raw(String(SCORED_DAYS))}, ${sql.raw(String(ALL_DAYS))})`;

/** A rebuild that is running has deleted rollups of its days already. */
const FIRST_DAY = sql`min(coalesce(${folds.rebuildDay}, 1e9), max(${FIRST_COMPLETE_DAY}, ${FIRST_SCORED_DAY}))`;

/**
 * Requests a rebuild of the workspace's rollups by the next run. A request during a rebuild starts it again. A workspace
 * that was never folded has nothing to rebuild.
 */
export async function requestRebuild(env: Env, workspace: WorkspaceRef): Promise<void> {
  const db = databaseOf(env, workspace);
  await withRetry(() =>
    db.batch([
      requireLiveQuery(db, workspace),
      db
        .update(folds)
        .set({ rebuiltThrough: null, rebuildDay: FIRST_DAY })
        .where(eq(folds.workspace, workspace.number)),
    ]),
  );
}

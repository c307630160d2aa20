import { DAY_MS } from "../../core/durations.ts";
import { MAX_FUTURE_MS } from "../../core/ingest/times.ts";
import { databaseOf, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";

/** Where nothing was deleted yet, all days are whole. */
const ALL_DAYS = -1_000_000_000;

/**
 * Asks for the rollups of a workspace to be made anew from its log: the next run of the recompute does it. Asked again
 * while that is under way, it begins again.
 */
export async function requestRebuild(env: Env, workspace: WorkspaceRef): Promise<void> {
  const { $client } = databaseOf(env, workspace);
  await withRetry(() => $client.prepare(REQUEST).bind(workspace.number).run());
}

/**
 * The first day that is wholly in the log is the one after the newest deleted message was received; somewhat later, since an
 * event can be of a time somewhat after it arrived. The numbers stand in the SQL since D1 binds them as reals, of which the
 * quotient is no whole day.
 */
const REQUEST = `
INSERT INTO folds (workspace, watermark, rebuild_day)
SELECT number, number << 32, ${ALL_DAYS} FROM workspaces WHERE number = ?1 AND erased_at IS NULL
ON CONFLICT (workspace) DO UPDATE SET rebuilt_through = NULL,
  rebuild_day = coalesce((deleted_until + ${MAX_FUTURE_MS}) / ${DAY_MS} + 1, ${ALL_DAYS})`;

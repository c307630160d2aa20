import { DAY_MS } from "../../core/durations.ts";
import { MAX_FUTURE_MS } from "../../core/ingest/occurred-at.ts";
import { columnsOf } from "../client/columns-of.ts";
import { databaseOf, type WorkspaceRef } from "../client/database.ts";
import { runBatch, statement } from "../client/statements.ts";
import { folds } from "../schema/schema.ts";
import { requireLive } from "../workspaces/require-live.ts";
import { SCORED_DAYS } from "./due-accounts-sql.ts";

const f = columnsOf(folds);

/** When nothing was deleted yet, all days are complete. */
const ALL_DAYS = -1_000_000_000;

/**
 * The first day whose messages are all in the log or in the archive: the day after the newest deleted message was received,
 * plus a margin for events dated after their arrival.
 */
const FIRST_COMPLETE_DAY = `coalesce((${f.deletedUntil} + ${MAX_FUTURE_MS}) / ${DAY_MS} + 1, ${ALL_DAYS})`;
/** No day before it is scored again. */
const FIRST_SCORED_DAY = `coalesce(${f.asOf} / ${DAY_MS} - ${SCORED_DAYS}, ${ALL_DAYS})`;

/** A rebuild that is running has deleted rollups of its days already. */
const REQUEST = `
UPDATE ${f.table} SET ${f.rebuiltThrough} = NULL,
  ${f.rebuildDay} = min(coalesce(${f.rebuildDay}, 1e9), max(${FIRST_COMPLETE_DAY}, ${FIRST_SCORED_DAY}))
WHERE ${f.workspace} = ?1`;

/**
 * Requests a rebuild of the workspace's rollups by the next run. A request during a rebuild starts it again. A workspace
 * that was never folded has nothing to rebuild.
 */
export async function requestRebuild(env: Env, workspace: WorkspaceRef): Promise<void> {
  const { number } = workspace;
  await runBatch(databaseOf(env, workspace), [requireLive(number), statement(REQUEST, number)]);
}

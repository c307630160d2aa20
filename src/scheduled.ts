/**
 * Runs what the Cron Trigger starts. It queues a sweep for each database (services/tasks/sweep-database.ts), and tasks for
 * the workspaces that the directory lists. A task concerns one workspace:
 *
 * | task | due when | queued by | does |
 * | --- | --- | --- | --- |
 * | recompute | messages are unfolded, an account is due for a score, a rebuild was requested | sweep | folds and scores |
 * | archive | messages or files are old, a file has erased people, a database fills up | sweep | moves, deletes, rewrites |
 * | backup | the last one began a day ago | sweep | copies what has changed to the bucket |
 * | archive, hourly | the workspace has a storage limit | cron | also measures how much room is left |
 * | move | the directory has an unfinished move or restore | cron | copies a part, or completes the move |
 * | erase_workspace | an erasure or a creation was interrupted a minute ago | cron | erases the rest |
 * | erase_users | an erasure of a user is unfinished | sweep | clears the log further |
 * | deliver | notifications for a destination are due | sweep | sends them; it has a queue of its own |
 *
 * It ends expired imports itself, finishes changes of agreements, and deletes old rows of the audit log. A sweep also measures its database and
 * deletes old rejected messages and notifications.
 */
import { HOUR_MS } from "./core/durations.ts";
import { purgeAudit } from "./db/audit/audit-log.ts";
import { databaseNames, type WorkspaceRef } from "./db/client/database.ts";
import { finishAgreementChanges } from "./db/identity/agreement.ts";
import { listMoves } from "./db/moves/move-records.ts";
import { listMarkedErased } from "./db/workspaces/erase-workspace.ts";
import { listLimited } from "./db/workspaces/find-workspace.ts";
import { enqueue, type WorkspaceTask } from "./services/tasks/enqueue.ts";
import { settleAll } from "./services/tasks/settle-all.ts";
import { endExpiredImports } from "./services/workspaces/imports.ts";

/** As `crons` in wrangler.toml. */
const CRON_INTERVAL_MS = 300_000;
/** If a workspace was marked later, the request that creates or erases it may still be running. */
const INTERRUPTED_AFTER_MS = 60_000;

/**
 * Queues the sweeps and the tasks that the directory lists, and finishes interrupted changes of agreements. However many
 * databases there are, it sends the same number of statements. The cron fires at least once and may overlap itself, so
 * every task is safe to repeat.
 *
 * @param now when the run was due, milliseconds since the epoch
 * @throws AggregateError when a part failed, after all others had their turn
 */
export async function runScheduled(env: Env, now: number): Promise<void> {
  const isHourly = now % HOUR_MS < CRON_INTERVAL_MS;
  const queue = async (task: WorkspaceTask["task"], listing: Promise<readonly WorkspaceRef[]>) => {
    const workspaces = await listing;
    await enqueue(
      env,
      workspaces.map((workspace) => ({ task, workspace })),
    );
  };
  const sweeps = databaseNames(env).map((database) => ({ task: "sweep" as const, database, isHourly }));
  await settleAll("scheduled", [
    enqueue(env, sweeps),
    queue(
      "move",
      listMoves(env).then((moves) => moves.map(({ workspace }) => workspace)),
    ),
    queue("erase_workspace", listMarkedErased(env, now - INTERRUPTED_AFTER_MS)),
    // Duplicates and erasures change what a limited workspace stores without a run.
    ...(isHourly ? [queue("archive", listLimited(env))] : []),
    finishAgreementChanges(env),
    endExpiredImports(env, now),
    ...(isHourly ? [purgeAudit(env, now)] : []),
  ]);
}

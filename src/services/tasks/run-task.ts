/** Runs the tasks that the queue delivers. src/scheduled.ts says when each is due. */
import { describeFault } from "../../core/describe-fault.ts";
import { databaseOf } from "../../db/client/database.ts";
import { clearQueued } from "../../db/recompute/queued-tasks-sql.ts";
import { continueUserErasures } from "../../db/users/erase-user-rows.ts";
import { archiveWorkspace } from "../archive/archive-workspace.ts";
import { backUpWorkspace } from "../backups/back-up-workspace.ts";
import { runMove } from "../moves/move-workspace.ts";
import { deliver } from "../notify/deliver.ts";
import { recomputeWorkspace } from "../recompute/recompute-workspaces.ts";
import { continueWorkspaceErasure } from "../workspaces/workspace-changes.ts";
import { updateRoomAfterRun } from "../workspaces/storage-limits.ts";
import { enqueue, enqueueOnce, type Task, type WorkspaceTask } from "./enqueue.ts";
import { sweepDatabase } from "./sweep-database.ts";

const ERASE_AGAIN_SECONDS = 10;
/** How long a task waits after its first, second and third failure. */
const RETRY_SECONDS = [10, 60, 300] as const;

/** Acknowledges each task that ran. A failed task returns after growing pauses, then goes to the dead-letter queue. */
export async function runQueued({ messages }: MessageBatch<Task>, env: Env, clock = Date.now): Promise<void> {
  for (const message of messages) {
    const { body } = message;
    try {
      await runTask(env, body, clock());
      message.ack();
    } catch (error) {
      const subject = body.task === "sweep" ? { database: body.database } : { workspace: body.workspace.id };
      const { attempts } = message;
      console.error(JSON.stringify({ operation: body.task, ...subject, attempts, fault: describeFault(error) }));
      message.retry({ delaySeconds: RETRY_SECONDS[attempts - 1] ?? RETRY_SECONDS[2] });
    }
  }
}

/** Runs a task, and queues it again if anything is left, unless the same task waits already. */
export async function runTask(env: Env, task: Task, now: number): Promise<void> {
  if (task.task === "sweep") return sweepDatabase(env, task, now);
  if (task.task === "deliver") return deliver(env, task, now);
  if (await runTaskPart(env, task, now)) return;
  // An erasure may have to wait for a run of the archive.
  if (task.task === "erase_workspace") return enqueue(env, [task], () => ERASE_AGAIN_SECONDS);
  if (task.task === "move") return enqueue(env, [task]);
  const { task: kind, ...rest } = task;
  await enqueueOnce(env, task.workspace.database, kind, [rest], now);
}

/** @returns whether the task is finished, or another run has taken it over */
async function runTaskPart(env: Env, { task, workspace, through }: WorkspaceTask, now: number): Promise<boolean> {
  switch (task) {
    case "recompute": {
      const result = await recomputeWorkspace(env, workspace, { now, trigger: "cron" });
      console.log(JSON.stringify({ operation: "recompute", workspace: workspace.id, ...result }));
      await updateRoomAfterRun(env, workspace);
      return result.outcome === "skipped" || result.run.complete;
    }
    case "archive": {
      const result = await archiveWorkspace(env, workspace, { now, through, isEarly: through !== undefined });
      return result === null || result.complete;
    }
    case "backup":
      return backUpWorkspace(env, workspace, { now });
    case "erase_workspace":
      return continueWorkspaceErasure(env, workspace, now);
    case "move":
      return runMove(env, workspace);
    case "erase_users":
      await clearQueued(databaseOf(env, workspace), task, [workspace.number]);
      return continueUserErasures(env, workspace);
  }
}

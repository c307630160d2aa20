/** Runs the tasks that the queue delivers. enqueue-due-tasks.ts says when each is due. */
import { describeFault } from "../../core/describe-fault.ts";
import { continueUserErasures } from "../../db/users/erase-user-rows.ts";
import { archiveWorkspace } from "../archive/archive-workspace.ts";
import { runMove } from "../moves/move-workspace.ts";
import { recomputeWorkspace } from "../recompute/recompute-workspaces.ts";
import { continueWorkspaceErasure } from "../workspaces/workspace-changes.ts";
import { updateRoomAfterRun } from "../workspaces/storage-limits.ts";
import { enqueue, type Task } from "./enqueue.ts";

const ERASE_AGAIN_SECONDS = 10;
/** How long a task waits after its first, second and third failure. */
const RETRY_SECONDS = [10, 60, 300] as const;

/** Acknowledges each task that ran. A failed task returns after growing pauses, then goes to the dead-letter queue. */
export async function runQueued({ messages }: MessageBatch<Task>, env: Env): Promise<void> {
  for (const message of messages) {
    try {
      await runTask(env, message.body);
      message.ack();
    } catch (error) {
      const { task, workspace } = message.body;
      const { attempts } = message;
      console.error(
        JSON.stringify({ operation: task, workspace: workspace.id, attempts, fault: describeFault(error) }),
      );
      message.retry({ delaySeconds: RETRY_SECONDS[attempts - 1] ?? RETRY_SECONDS[2] });
    }
  }
}

/** Runs a task, and queues it again if anything is left. */
export async function runTask(env: Env, task: Task): Promise<void> {
  if (await runTaskPart(env, task)) return;
  // An erasure may have to wait for a run of the archive.
  await enqueue(env, [task], task.task === "erase_workspace" ? ERASE_AGAIN_SECONDS : 0);
}

/** @returns whether the task is finished, or another run has taken it over */
async function runTaskPart(env: Env, { task, workspace, now, through }: Task): Promise<boolean> {
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
    case "erase_workspace":
      return continueWorkspaceErasure(env, workspace, now);
    case "move":
      return runMove(env, workspace);
    case "erase_users":
      return continueUserErasures(env, workspace);
  }
}

/**
 * The queue's tasks. Each concerns one workspace and stops before the invocation's budget ends; the rest is queued again.
 * The queue delivers at least once and in any order, so every task may be repeated and run beside another one.
 */
import { describeFault } from "../../core/describe-fault.ts";
import type { Day } from "../../core/health/model.ts";
import type { WorkspaceRef } from "../../db/client/database.ts";

export interface Task {
  task: "recompute" | "archive" | "erase_workspace" | "erase_users" | "move";
  workspace: WorkspaceRef;
  /** When the task was due, in milliseconds since the epoch. */
  now: number;
  /** For an archive task that makes room: messages received up to this day are archived early. */
  through?: Day | undefined;
}

/** The most messages that a queue takes in a call. */
const MAX_MESSAGES = 100;

export async function enqueue(env: Env, tasks: readonly Task[], delaySeconds = 0): Promise<void> {
  for (let from = 0; from < tasks.length; from += MAX_MESSAGES) {
    const part = tasks.slice(from, from + MAX_MESSAGES);
    await env.TASKS.sendBatch(
      part.map((body) => ({ body })),
      { delaySeconds },
    );
  }
}

/** Queues the rest of an erasure or a move. If the queue fails, the cron finds the rest. */
export async function enqueueRest(env: Env, task: Task, delaySeconds = 0): Promise<void> {
  await enqueue(env, [task], delaySeconds).catch((error: unknown) => {
    console.error(JSON.stringify({ operation: task.task, workspace: task.workspace.id, fault: describeFault(error) }));
  });
}

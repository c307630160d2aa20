/**
 * The queue's tasks. Each concerns one workspace, or sweeps one database, and stops before the invocation's budget ends; the
 * rest is queued again. The queue delivers at least once, late and in any order, so every task may be repeated and run
 * beside another one. A task uses the time at which it runs.
 */
import { SPREAD_SECONDS, TASKS_A_SECOND } from "../../config.ts";
import { describeFault } from "../../core/describe-fault.ts";
import type { Day } from "../../core/health/model.ts";
import { databaseOf, type WorkspaceRef } from "../../db/client/database.ts";
import { DatabaseUnavailable } from "../../db/client/faults.ts";
import type { DestinationRef } from "../../db/destinations/deliveries.ts";
import { clearQueued, markQueued, type MarkedTask } from "../../db/recompute/queued-tasks-sql.ts";

export interface WorkspaceTask {
  task: MarkedTask | "erase_workspace" | "move";
  workspace: WorkspaceRef;
  /** For an archive task that makes room: messages received up to this day are archived early. */
  through?: Day | undefined;
}

/** Finds the work of a database's workspaces. */
export interface Sweep {
  task: "sweep";
  database: string;
  /** Also does what an hourly run of the cron does. */
  isHourly: boolean;
}

/** Delivers what is due for a destination. It has a queue of its own. */
export interface DeliveryTask {
  task: "deliver";
  workspace: WorkspaceRef;
  destination: DestinationRef;
}

export type Task = WorkspaceTask | Sweep | DeliveryTask;

/** The most messages that a queue takes in a call. */
const MAX_MESSAGES = 100;

/** @param delaySeconds how long the task at an index waits at least */
export const enqueue = (
  env: Env,
  tasks: readonly (WorkspaceTask | Sweep)[],
  delaySeconds = (_index: number) => 0,
): Promise<void> => sendAll(env.TASKS, tasks, delaySeconds);

export const enqueueDeliveries = (env: Env, tasks: readonly DeliveryTask[], delaySeconds = 0): Promise<void> =>
  sendAll(env.DELIVERIES, tasks, () => delaySeconds);

async function sendAll(queue: Queue, tasks: readonly Task[], delaySeconds: (index: number) => number): Promise<void> {
  const messages = tasks.map((body, index) => ({ body, delaySeconds: delaySeconds(index) }));
  for (let from = 0; from < messages.length; from += MAX_MESSAGES)
    await queue.sendBatch(messages.slice(from, from + MAX_MESSAGES));
}

/** Spreads the tasks of a database, so that they don't fill its queue in front of its senders. */
const spread = (count: number) => (index: number) =>
  Math.floor(index / Math.max(TASKS_A_SECOND, count / SPREAD_SECONDS));

/**
 * A task that has waited longer is lost, and is queued again. The queue gives a task up after 6 minutes of failures, and
 * a backlog of more than this is rare. So a lost task stops its workspace for three intervals of the cron.
 */
export const LOST_AFTER_MS = 900_000;

/** Queues a task for workspaces of a database in which none waits yet. */
export async function enqueueOnce(
  env: Env,
  database: string,
  task: MarkedTask,
  due: readonly Omit<WorkspaceTask, "task">[],
  now: number,
): Promise<void> {
  if (due.length === 0) return;
  const numbers = due.map(({ workspace }) => workspace.number);
  const times = { now, lostBefore: now - LOST_AFTER_MS };
  const marked = await markQueued(env, database, task, numbers, times).catch((error: unknown) => {
    // The archive has to make room first.
    if (error instanceof DatabaseUnavailable && error.kind === "full") return new Set(numbers);
    throw error;
  });
  const tasks = due.filter(({ workspace }) => marked.has(workspace.number)).map((each) => ({ task, ...each }));
  try {
    await enqueue(env, tasks, spread(tasks.length));
  } catch (error) {
    // If this fails too, the tasks count as lost.
    await clearQueued(databaseOf(env, { database }), task, [...marked]).catch(() => undefined);
    throw error;
  }
}

/** Queues the rest of an erasure or a move. If the queue fails, the cron finds the rest. */
export async function enqueueRest(env: Env, task: WorkspaceTask, delaySeconds = 0): Promise<void> {
  await enqueue(env, [task], () => delaySeconds).catch((error: unknown) => {
    console.error(JSON.stringify({ operation: task.task, workspace: task.workspace.id, fault: describeFault(error) }));
  });
}

/** Runs the cron and everything that it queues, as the platform does: each task in an invocation of its own. */
import { createExecutionContext, createMessageBatch, createScheduledController, getQueueResult } from "cloudflare:test";

import { runQueued } from "../../../src/services/tasks/run-task.ts";
import { runScheduled } from "../../../src/scheduled.ts";
import type { Task } from "../../../src/services/tasks/enqueue.ts";
import { inInvocation } from "../guard/invocation.ts";
import { type Changes, envWith } from "./faulty-env.ts";

export interface CronRun {
  /** The tasks that failed, in order. */
  failed: Task[];
}

const unused = () => Promise.reject(new Error("not used"));

/** What a queue takes in one call. The local one takes more. */
const MAX_MESSAGES = 100;
const MAX_BYTES = 256_000;

/** A queue that delivers nothing by itself. */
export function heldQueue(): { TASKS: Queue<Task>; queued: Task[] } {
  const queued: Task[] = [];
  const sendBatch = async (given: Iterable<{ body: Task }>) => {
    const messages = [...given];
    if (messages.length > MAX_MESSAGES || JSON.stringify(messages).length > MAX_BYTES) throw new Error("too large");
    for (const { body } of messages) queued.push(body);
    return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };
  };
  return { TASKS: { sendBatch, send: unused, metrics: unused }, queued };
}

/** Delivers a task at a time. @returns whether it was acknowledged */
export async function deliver(task: Task, changes: Changes = {}, at = Date.now()): Promise<boolean> {
  const message = { id: crypto.randomUUID(), timestamp: new Date(), attempts: 1, body: task };
  const batch = createMessageBatch<Task>("tasks", [message]);
  await inInvocation(() => runQueued(batch, envWith(changes), () => at));
  const { explicitAcks } = await getQueueResult(batch, createExecutionContext());
  return explicitAcks.length === 1;
}

/** @param at when the run is due and its tasks run, in milliseconds since the epoch */
export async function runCron(at: number, changes: Changes = {}): Promise<CronRun> {
  const { TASKS, queued } = heldQueue();
  const failed: Task[] = [];
  const { scheduledTime } = createScheduledController({ scheduledTime: new Date(at), cron: "*/5 * * * *" });
  try {
    await inInvocation(() => runScheduled(envWith({ TASKS, ...changes }), scheduledTime));
  } finally {
    for (let task = queued.shift(); task !== undefined; task = queued.shift()) {
      if (!(await deliver(task, { TASKS, ...changes }, at))) failed.push(task);
    }
  }
  return { failed };
}

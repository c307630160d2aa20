/** Runs the cron and everything that it queues, as the platform does: each task in an invocation of its own. */
import { createScheduledController } from "cloudflare:test";

import { runQueued } from "../../../src/queue.ts";
import { runScheduled } from "../../../src/scheduled.ts";
import type { Task } from "../../../src/services/tasks/enqueue.ts";
import { envWith } from "./faulty-env.ts";

export interface CronRun {
  /** The tasks that failed, in order. */
  failed: Task[];
}

/** @param at when the run is due, in milliseconds since the epoch */
export async function runCron(at: number, changes: Partial<Env> = {}): Promise<CronRun> {
  const queued: Task[] = [];
  const failed: Task[] = [];
  const sendBatch = async (messages: Iterable<{ body: Task }>): Promise<void> => {
    for (const { body } of messages) queued.push(body);
  };
  const env = envWith({ TASKS: { sendBatch } as unknown as Queue<Task>, ...changes });
  const { scheduledTime } = createScheduledController({ scheduledTime: new Date(at), cron: "*/5 * * * *" });
  try {
    await runScheduled(env, scheduledTime);
  } finally {
    for (let task = queued.shift(); task !== undefined; task = queued.shift()) {
      const body = task;
      const message = { body, ack: () => undefined, retry: () => failed.push(body) };
      await runQueued({ messages: [message] } as unknown as MessageBatch<Task>, env);
    }
  }
  return { failed };
}

/** Holds the tasks that a Worker queues, so that a bench decides when they run. */
import type { Task } from "../../src/services/tasks/enqueue.ts";

const unused = () => Promise.reject(new Error("not used"));

/** Creates a queue that delivers nothing by itself. */
export function holdTasks(queued: Task[]): Queue<Task> {
  return {
    send: unused,
    metrics: unused,
    async sendBatch(messages) {
      for (const { body } of messages) queued.push(body);
      return { metadata: { metrics: { backlogCount: 0, backlogBytes: 0 } } };
    },
  };
}

/** Runs what the queue delivers. */
import { describeFault } from "./core/describe-fault.ts";
import type { Task } from "./services/tasks/enqueue.ts";
import { runTask } from "./services/tasks/run-task.ts";

/** Acknowledges each task that ran. A task that failed comes back later, and in the end to the dead-letter queue. */
export async function runQueued({ messages }: MessageBatch<Task>, env: Env): Promise<void> {
  for (const message of messages) {
    try {
      await runTask(env, message.body);
      message.ack();
    } catch (error) {
      const { task, workspace } = message.body;
      console.error(JSON.stringify({ operation: task, workspace: workspace.id, fault: describeFault(error) }));
      message.retry();
    }
  }
}

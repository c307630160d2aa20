import { createApp } from "./app.ts";
import { runScheduled } from "./scheduled.ts";
import type { Task } from "./services/tasks/enqueue.ts";
import { runQueued } from "./services/tasks/run-task.ts";

const app = createApp();

export default {
  fetch: app.fetch,
  scheduled: (controller, env) => runScheduled(env, controller.scheduledTime),
  queue: (batch, env) => runQueued(batch, env),
} satisfies ExportedHandler<Env, Task>;

export { WriteLimiter } from "./limiter/write-limiter.ts";

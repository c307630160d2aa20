import { createApp } from "./app.ts";
import { runQueued } from "./queue.ts";
import { runScheduled } from "./scheduled.ts";
import type { Task } from "./services/tasks/enqueue.ts";

const app = createApp();

export default {
  fetch: app.fetch,
  scheduled: (controller, env) => runScheduled(env, controller.scheduledTime),
  queue: runQueued,
} satisfies ExportedHandler<Env, Task>;

export { WriteLimiter } from "./limiter/write-limiter.ts";

import { createApp } from "./app.ts";
import { housekeeping } from "./scheduled.ts";

const app = createApp();

export default {
  fetch: app.fetch,
  scheduled: (controller, env) => housekeeping(env, controller.scheduledTime),
} satisfies ExportedHandler<Env>;

export { WriteLimiter } from "./limiter/write-limiter.ts";

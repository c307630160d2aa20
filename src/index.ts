import { createApp } from "./app.ts";
import { runScheduled } from "./scheduled.ts";

const app = createApp();

export default {
  fetch: app.fetch,
  scheduled: (controller, env) => runScheduled(env, controller.scheduledTime),
} satisfies ExportedHandler<Env>;

export { SignInLimiter } from "./limiter/sign-in-limiter.ts";
export { WriteLimiter } from "./limiter/write-limiter.ts";

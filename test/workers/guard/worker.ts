/** The service as it is, with each invocation behind the checks of {@link guardInvocation}. */
import worker from "../../../src/index.ts";
import type { Task } from "../../../src/services/tasks/enqueue.ts";
import { guardInvocation } from "./invocation.ts";

export default {
  fetch: (request, env, context) => worker.fetch(request, guardInvocation(env), context),
  scheduled: (controller, env) => worker.scheduled(controller, guardInvocation(env)),
  queue: (batch, env) => worker.queue(batch, guardInvocation(env)),
} satisfies ExportedHandler<Env, Task>;

export { SignInLimiter } from "../../../src/limiter/sign-in-limiter.ts";
export { WriteLimiter } from "../../../src/limiter/write-limiter.ts";

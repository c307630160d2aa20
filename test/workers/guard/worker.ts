/** The service as it is, with each invocation behind the checks of {@link guardDatabases}. */
import worker from "../../../src/index.ts";
import type { Task } from "../../../src/services/tasks/enqueue.ts";
import { guardDatabases, inInvocation } from "./invocation.ts";

export default {
  fetch: (request, env, context) => inInvocation(() => worker.fetch(request, guardDatabases(env), context)),
  scheduled: (controller, env) => inInvocation(() => worker.scheduled(controller, guardDatabases(env))),
  queue: (batch, env) => inInvocation(() => worker.queue(batch, guardDatabases(env))),
} satisfies ExportedHandler<Env, Task>;

export { WriteLimiter } from "../../../src/limiter/write-limiter.ts";

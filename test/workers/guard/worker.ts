/** The service as it is, with each invocation behind the checks of {@link guardDatabases}. */
import worker from "../../../src/index.ts";
import type { Task } from "../../../src/services/tasks/enqueue.ts";
import { guardDatabases, inInvocation } from "./invocation.ts";

/** Requests that don't read for a key or a session of the console: administrators' requests, and runs, which hold a lease. */
const NO_READS = /^\/admin\b|\/recompute$/;

export default {
  fetch: (request, env, context) =>
    inInvocation(
      () => worker.fetch(request, guardDatabases(env), context),
      !NO_READS.test(new URL(request.url).pathname),
    ),
  scheduled: (controller, env) => inInvocation(() => worker.scheduled(controller, guardDatabases(env))),
  queue: (batch, env) => inInvocation(() => worker.queue(batch, guardDatabases(env))),
} satisfies ExportedHandler<Env, Task>;

export { WriteLimiter } from "../../../src/limiter/write-limiter.ts";

import { createMiddleware } from "hono/factory";

import type { AppEnv, RequestFacts } from "./context.ts";

/**
 * Writes one JSON line a request, for Workers Logs and `wrangler dev` alike.
 *
 * @example
 * {"requestId":"0b1f…","method":"POST","status":200,"ms":12,"operation":"capture_event","workspace":"ws_…","stored":1}
 */
export const requestLog = createMiddleware<AppEnv>(async (c, next) => {
  const facts: RequestFacts = {};
  c.set("facts", facts);
  const start = Date.now();
  await next();
  const status = c.res.status;
  const line = JSON.stringify({
    requestId: c.get("requestId"),
    method: c.req.method,
    status,
    ms: Date.now() - start,
    ...facts,
  });
  if (status >= 500) console.error(line);
  else console.log(line);
});

/** Names the operation in the log line. */
export const operation = (name: string) =>
  createMiddleware<AppEnv>(async (c, next) => {
    c.get("facts").operation = name;
    await next();
  });

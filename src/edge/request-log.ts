import { createMiddleware } from "hono/factory";

import type { RequestLogFields } from "../services/call.ts";
import type { AppEnv } from "./context.ts";
import { unloggedBefore } from "./log-floods.ts";

/**
 * Logs each request as one JSON line. In a flood of similar requests it logs ten per second and counts the others as
 * `unlogged`. Faults are always logged.
 *
 * @example
 * {"requestId":"0b1f…","method":"POST","status":200,"ms":12,"operation":"capture_event","workspace":"ws_…","stored":1}
 */
export const requestLog = createMiddleware<AppEnv>(async (c, next) => {
  const logFields: RequestLogFields = {};
  c.set("logFields", logFields);
  const start = Date.now();
  await next();
  const status = c.res.status;
  const now = Date.now();
  const unlogged = status >= 500 ? 0 : unloggedBefore(status, logFields, now);
  if (unlogged === null) return;
  const line = JSON.stringify({
    requestId: c.get("requestId"),
    method: c.req.method,
    status,
    ms: now - start,
    ...logFields,
    ...(unlogged > 0 && { unlogged }),
  });
  if (status >= 500) console.error(line);
  else console.log(line);
});

export const operation = (name: string) =>
  createMiddleware<AppEnv>(async (c, next) => {
    c.get("logFields").operation = name;
    await next();
  });

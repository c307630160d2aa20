/**
 * The request log. During a flood of requests it is limited: writing a line takes about a tenth of a capture's time. It has
 * ten requests per second with the same status, operation and workspace, and the next line says how many requests were
 * skipped. A workspace with the default write limit never exceeds that.
 */
import { createMiddleware } from "hono/factory";

import type { RequestLogFields } from "../services/call.ts";
import type { AppEnv } from "./context.ts";

const FLOOD_WINDOW_MS = 1_000;
const LINES_PER_WINDOW = 10;

/** The requests of the current window by status, operation and workspace. */
const similar = new Map<string, number>();
let windowStart = 0;
/** Requests skipped since the last line. */
let unlogged = 0;

/** @param now milliseconds since the epoch. A clock that stepped back starts a new window too */
function isFlood(status: number, { operation: name, workspace }: RequestLogFields, now: number): boolean {
  if (now < windowStart || now >= windowStart + FLOOD_WINDOW_MS) {
    similar.clear();
    windowStart = now;
  }
  const kind = `${status} ${name ?? ""} ${workspace ?? ""}`;
  const requests = (similar.get(kind) ?? 0) + 1;
  similar.set(kind, requests);
  return requests > LINES_PER_WINDOW;
}

/**
 * Logs each request as one JSON line. `unlogged` counts requests that were skipped before it. Faults are always logged.
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
  if (status < 500 && isFlood(status, logFields, now)) {
    unlogged += 1;
    return;
  }
  const line = JSON.stringify({
    requestId: c.get("requestId"),
    method: c.req.method,
    status,
    ms: now - start,
    ...logFields,
    ...(unlogged > 0 && { unlogged }),
  });
  unlogged = 0;
  if (status >= 500) console.error(line);
  else console.log(line);
});

export const operation = (name: string) =>
  createMiddleware<AppEnv>(async (c, next) => {
    c.get("logFields").operation = name;
    await next();
  });

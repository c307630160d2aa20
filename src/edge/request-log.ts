/**
 * The request log. During a flood of requests it is limited: writing a line takes about a tenth of a capture's time. It has
 * ten requests per second with the same status, operation and workspace, and says in the next line how many were
 * skipped.
 */
import { createMiddleware } from "hono/factory";

import type { RequestLogFields } from "../services/call.ts";
import type { AppEnv } from "./context.ts";

const FLOOD_WINDOW_MS = 1_000;
const LINES_PER_WINDOW = 10;
const MAX_KINDS = 1_000;

interface Kind {
  since: number;
  logged: number;
  unlogged: number;
}

const kinds = new Map<string, Kind>();

/**
 * Decides whether a request is logged.
 * @param now milliseconds since the epoch
 * @returns the number of similar requests skipped since the last logged one; `null` to skip this one too
 */
function unloggedBefore(status: number, logFields: RequestLogFields, now: number): number | null {
  const name = `${status} ${logFields.operation ?? ""} ${logFields.workspace ?? ""}`;
  const kind = kinds.get(name);
  if (kind === undefined) {
    if (kinds.size >= MAX_KINDS) kinds.clear();
    kinds.set(name, { since: now, logged: 1, unlogged: 0 });
    return 0;
  }
  // A clock that stepped back starts a new window too.
  if (now < kind.since || now >= kind.since + FLOOD_WINDOW_MS) {
    kind.since = now;
    kind.logged = 0;
  }
  if (kind.logged >= LINES_PER_WINDOW) {
    kind.unlogged += 1;
    return null;
  }
  const { unlogged } = kind;
  kind.logged += 1;
  kind.unlogged = 0;
  return unlogged;
}

/**
 * Logs each request as one JSON line. Counts requests that were skipped as `unlogged`. Faults are always logged.
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

/**
 * The request log. Of successes it has a sample, because a line costs more than the request itself. During a flood it has
 * ten requests per second with the same status, operation and workspace, because writing a line takes about a tenth of a
 * capture's time. Each line counts the requests that it stands for, so the sum of `requests` is their number.
 */
import { createMiddleware } from "hono/factory";

import { successSamplingRate } from "../config.ts";
import { timeCalls } from "../call-times.ts";
import type { RequestLogFields } from "../services/call.ts";
import type { AppEnv } from "./app-context.ts";

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
 * Decides whether a request is logged during a flood.
 * @param requests that it stands for
 * @param now milliseconds since the epoch
 * @returns the number of similar requests since the last logged one; 0 to skip this one too
 */
function requestsSinceLogged(status: number, logFields: RequestLogFields, requests: number, now: number): number {
  const name = `${status} ${logFields.operation ?? ""} ${logFields.workspace ?? ""}`;
  const kind = kinds.get(name);
  if (kind === undefined) {
    if (kinds.size >= MAX_KINDS) forgetCounted();
    kinds.set(name, { since: now, logged: 1, unlogged: 0 });
    return requests;
  }
  // A clock that stepped back starts a new window too.
  if (now < kind.since || now >= kind.since + FLOOD_WINDOW_MS) {
    kind.since = now;
    kind.logged = 0;
  }
  if (kind.logged >= LINES_PER_WINDOW) {
    kind.unlogged += requests;
    return 0;
  }
  const counted = requests + kind.unlogged;
  kind.logged += 1;
  kind.unlogged = 0;
  return counted;
}

function forgetCounted(): void {
  for (const [name, { unlogged }] of kinds) if (unlogged === 0) kinds.delete(name);
}

/**
 * Logs a request as one JSON line, with the number of `requests` that it stands for. Faults are always logged.
 *
 * @example
 * {"requestId":"0b1f…","method":"POST","status":200,"ms":12,"requests":1,"operation":"capture_event","workspace":"ws_…","stored":1}
 */
export const requestLog = createMiddleware<AppEnv>(async (c, next) => {
  const logFields: RequestLogFields = {};
  c.set("logFields", logFields);
  const start = Date.now();
  await timeCalls(logFields, next);
  const status = logFields.status ?? c.res.status;
  const now = Date.now();
  // Without a fault, a 503 or a 507 means that the sender has reached a limit, like a 429.
  const isFault = status >= 500 && logFields.fault !== undefined;
  const isSampled = status < 300 && logFields.fault === undefined;
  const rate = isSampled ? successSamplingRate(c.env) : 1;
  if (Math.random() >= rate) return;
  const requests = isFault ? 1 : requestsSinceLogged(status, logFields, 1 / rate, now);
  if (requests === 0) return;
  const line = JSON.stringify({
    requestId: c.get("requestId"),
    method: c.req.method,
    status,
    ms: now - start,
    requests,
    ...logFields,
  });
  if (isFault) console.error(line);
  else console.log(line);
});

export const operation = (name: string) =>
  createMiddleware<AppEnv>(async (c, next) => {
    c.get("logFields").operation = name;
    await next();
  });

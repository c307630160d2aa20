/**
 * Limits log lines during a flood of requests: writing a line takes about a tenth of a capture's time. Logs
 * ten requests per second with the same status, operation and workspace, and says in the next line how many were
 * skipped. A workspace with the default write limit never exceeds that.
 */
import type { RequestLogFields } from "../services/call.ts";

const WINDOW_MS = 1_000;
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
export function unloggedBefore(status: number, logFields: RequestLogFields, now: number): number | null {
  const name = `${status} ${logFields.operation ?? ""} ${logFields.workspace ?? ""}`;
  const kind = kinds.get(name);
  if (kind === undefined) {
    if (kinds.size >= MAX_KINDS) kinds.clear();
    kinds.set(name, { since: now, logged: 1, unlogged: 0 });
    return 0;
  }
  // A clock that stepped back starts a new window too.
  if (now < kind.since || now >= kind.since + WINDOW_MS) {
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

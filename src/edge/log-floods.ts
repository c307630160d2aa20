/**
 * A flood of requests must not become a flood of log lines, nor cost what lines cost: a tenth of all that a capture
 * takes. Of those alike - the same status, operation and workspace - ten are logged in a second, and the next line says
 * how many were not. A workspace with the default write limit sends no more than that.
 */
import type { RequestFacts } from "./context.ts";

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
 * @param now milliseconds since the epoch
 * @returns how many alike went unlogged since the last one that was; `null` for one that is to go unlogged itself
 */
export function unloggedBefore(status: number, facts: RequestFacts, now: number): number | null {
  const name = `${status} ${facts.operation ?? ""} ${facts.workspace ?? ""}`;
  const kind = kinds.get(name);
  if (kind === undefined) {
    if (kinds.size >= MAX_KINDS) kinds.clear();
    kinds.set(name, { since: now, logged: 1, unlogged: 0 });
    return 0;
  }
  // A clock that stepped back begins a new second too.
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

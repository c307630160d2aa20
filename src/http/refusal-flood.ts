/**
 * A flood of refused requests must not become a flood of log lines, nor cost what a line costs: a fifth of all that a
 * refusal takes. Of those alike - the same status, operation and workspace - one is logged in a second, and says how many were not.
 */
import type { RequestFacts } from "./context.ts";

const LOGGED_EVERY_MS = 1_000;
const MAX_KINDS = 1_000;

interface Kind {
  loggedAt: number;
  unlogged: number;
}

const kinds = new Map<string, Kind>();

/** Whether requests come in floods that are answered so. */
const isFloodable = (status: number): boolean => status === 401 || status === 429;

/**
 * @param now milliseconds since the epoch
 * @returns how many alike went unlogged since the last one that was; `null` for one that is to go unlogged itself
 */
export function unloggedBefore(status: number, facts: RequestFacts, now: number): number | null {
  if (!isFloodable(status)) return 0;
  const name = `${status} ${facts.operation ?? ""} ${facts.workspace ?? ""}`;
  const kind = kinds.get(name);
  if (kind !== undefined && now >= kind.loggedAt && now < kind.loggedAt + LOGGED_EVERY_MS) {
    kind.unlogged += 1;
    return null;
  }
  if (kind === undefined && kinds.size >= MAX_KINDS) kinds.clear();
  kinds.set(name, { loggedAt: now, unlogged: 0 });
  return kind?.unlogged ?? 0;
}

/**
 * A flood of requests that the limit refuses must not become a flood of calls to the workspace's object, which has to
 * answer those that it would let in. So where the limit is used up, and in a flood, a refusal stands for a moment at the
 * edge that was told it, for requests of the same key and cost. It is no guess: the object lets nothing of that cost in
 * meanwhile, and what changes its mind - another limit, a revoked key, an erasure - is answered once no refusal stands any
 * more. See docs/decisions/0012-refusals-stand-for-a-moment.md.
 */
import { waitUntil } from "cloudflare:workers";

import { askObject } from "./call-limiter.ts";
import { noteWatched, takeUnreported } from "./traffic-reporter.ts";
import type { Admission, Refusal, WriteRequest } from "./limiter-rpc.ts";

interface StandingRefusal {
  refusal: Refusal;
  /** When it was told, by the clock that the wait is counted in. */
  at: number;
  /** Counted from before the object was asked, so that it ends here before it ends there. */
  until: number;
  /** Messages that were refused here since, and that the object has not counted. */
  uncounted: number;
}

const standing = new Map<string, StandingRefusal>();
const MAX_STANDING = 1_000;

/**
 * Asks whether messages may be written now.
 * @throws LimiterUnavailable
 */
export async function askToWrite(env: Env, workspaceId: string, request: WriteRequest): Promise<Admission> {
  // By the key: of one that was revoked the object would say another thing.
  const name = `${request.keyId} ${request.cost}`;
  const known = standing.get(name);
  if (known !== undefined) {
    const elapsedMs = Date.now() - known.at;
    const { retryAfterMs, resetMs, standsForMs } = known.refusal;
    if (performance.now() < known.until && elapsedMs >= 0 && elapsedMs < standsForMs) {
      if (known.uncounted === 0) waitUntil(countLater(env, workspaceId, known));
      known.uncounted += request.cost;
      return { ...known.refusal, retryAfterMs: retryAfterMs - elapsedMs, resetMs: resetMs - elapsedMs };
    }
    standing.delete(name);
  }

  const askedAt = performance.now();
  const decision = await askObject(env, workspaceId, async (object): Promise<Admission> =>
    object.admit({ ...request, ...takeUnreported(workspaceId) }),
  );
  if (decision.outcome !== "revoked") noteWatched(workspaceId, decision.watched === true);
  if (decision.outcome === "refused" && decision.standsForMs > 0) {
    if (standing.size >= MAX_STANDING) standing.clear();
    const until = askedAt + decision.standsForMs;
    standing.set(name, { refusal: decision, at: Date.now(), until, uncounted: 0 });
  }
  return decision;
}

/** The object counts what was refused in its name. */
async function countLater(env: Env, workspaceId: string, known: StandingRefusal): Promise<void> {
  await scheduler.wait(Math.max(0, known.until - performance.now()));
  await askObject(env, workspaceId, (object) => object.countRefused(known.uncounted)).catch(() => undefined);
}

/**
 * Asks the workspace's limiter whether messages may be written. When the window is full, an edge repeats the denial for
 * a moment without asking again, so that a flood of refused requests doesn't overload the limiter.
 * See docs/decisions/0012-cached-denials.md.
 */
import { DENIAL_TTL_MS } from "../core/limit/policy.ts";
import type { Charge } from "../core/limit/write-window.ts";
import { ttlCache } from "../core/ttl-cache.ts";
import { callLimiter } from "./call-limiter.ts";
import type { Admission, Denial, WriteRefusal, WriteRequest } from "./limiter-rpc.ts";

interface CachedDenial extends Denial {
  deniedAt: number;
}

/** By key and cost: a revoked key gets another answer, and Retry-After depends on the cost. */
const cachedDenials = ttlCache<CachedDenial>({ ttlMs: DENIAL_TTL_MS, maxEntries: 1_000 });

/**
 * Charges messages to the workspace if they fit.
 * @throws LimiterUnavailable
 */
export async function checkWriteLimit(
  env: Env,
  workspaceId: string,
  request: WriteRequest,
): Promise<Admission | WriteRefusal> {
  const cacheKey = `${request.keyId} ${request.cost}`;
  // Both times are taken before the call, so that a cached denial ends here before it ends at the limiter.
  const now = Date.now();
  // A wall clock that is set back must not keep a denial longer than the limiter waits for it.
  const monotonicNow = performance.now();
  const denial = cachedDenials.get(cacheKey, monotonicNow);
  const waitedMs = now - (denial?.deniedAt ?? now);
  if (denial !== undefined && waitedMs >= 0 && waitedMs < denial.cacheableMs) return afterWaiting(denial, waitedMs);

  const decision = await callLimiter(env, workspaceId, async (limiter): Promise<Admission | WriteRefusal> =>
    limiter.consume(request),
  );
  if (decision.outcome === "rate_limited" && decision.cacheableMs > 0) {
    cachedDenials.set(cacheKey, { ...decision, deniedAt: now }, monotonicNow, decision.cacheableMs);
  }
  return decision;
}

const afterWaiting = ({ retryAfterMs, resetMs, ...denial }: Denial, waitedMs: number): Denial => ({
  ...denial,
  retryAfterMs: retryAfterMs - waitedMs,
  resetMs: resetMs - waitedMs,
});

/**
 * Refunds a request that certainly stored nothing. If the call fails, the charge stays. The call is never repeated: when
 * only its answer was lost, a second refund would undo another request's charge.
 */
export async function refundCharges(env: Env, workspaceId: string, charges: Charge[]): Promise<void> {
  if (charges.length === 0) return;
  await env.WRITE_LIMITER.getByName(workspaceId)
    .refund(charges)
    .catch(() => undefined);
}

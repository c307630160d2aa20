/** Reports the write limit's decisions to senders. */
import { WRITE_WINDOW_MS } from "../../core/limit/policy.ts";
import { type AppContext, callOf } from "../../edge/context.ts";
import { errorResponse, type ErrorResponse, unauthorized } from "../../edge/errors.ts";
import type { WriteCall, WriteQuota, WriteRefusal } from "../../services/write-limit.ts";

const seconds = (ms: number): string => String(Math.ceil(ms / 1000));

/** Sets the RateLimit headers, which every response after the limiter's decision has. */
function setQuotaHeaders(c: AppContext, { limit, left, resetMs }: WriteQuota): void {
  c.header("RateLimit-Policy", `"writes";q=${limit};w=${seconds(WRITE_WINDOW_MS)}`);
  c.header("RateLimit", `"writes";r=${left};t=${seconds(resetMs)}`);
}

/** Returns the error response for a refused write. */
export function writeRefused(c: AppContext, refusal: WriteRefusal): ErrorResponse<"unauthorized" | "rate_limited"> {
  if (refusal.outcome === "unauthorized") return unauthorized(c);
  const wait = seconds(refusal.retryAfterMs);
  c.header("Retry-After", wait);
  c.header("X-RateLimit-Reset", wait);
  return errorResponse(c, "rate_limited", `Write limit exceeded. Retry the same request in ${wait} s.`);
}

/** Returns what a write needs of an authorized request. */
export const writeCallOf = (c: AppContext): WriteCall => ({
  ...callOf(c),
  grant: c.get("grant"),
  onQuota: (quota) => setQuotaHeaders(c, quota),
});

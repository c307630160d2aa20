/** Charges requests to the write limit and tells the sender the outcome in headers. */
import type { KeyGrant } from "../../services/workspaces/api-keys.ts";
import { checkWriteLimit, refundCharges } from "../../services/limiter.ts";
import type { Charge } from "../../core/limit/write-window.ts";
import { WRITE_WINDOW_MS } from "../../core/limit/policy.ts";
import { say } from "../../edge/answer.ts";
import { type AppContext, timed } from "../../edge/context.ts";
import { forgetKey } from "./credentials.ts";
import { failure, unauthorized } from "../../edge/errors.ts";

const seconds = (ms: number): string => String(Math.ceil(ms / 1000));

/**
 * Charges `cost` messages to the workspace.
 * @returns the charges, to refund if nothing is stored; or the response that refuses the request
 * @throws LimiterUnavailable
 */
export async function consume(c: AppContext, grant: KeyGrant, cost: number): Promise<Charge[] | Response> {
  c.get("facts").messages = cost;
  if (cost === 0) return [];
  const request = { keyId: grant.keyId, cost };
  const decision = await timed(c, "limiterMs", () => checkWriteLimit(c.env, grant.workspace.id, request));
  if (decision.outcome === "revoked") {
    forgetKey(grant.keyId);
    return unauthorized(c);
  }
  say(c, {
    "RateLimit-Policy": `"writes";q=${decision.limit};w=${seconds(WRITE_WINDOW_MS)}`,
    RateLimit: `"writes";r=${decision.left};t=${seconds(decision.resetMs)}`,
  });
  if (decision.outcome === "admitted") return decision.charges;
  const wait = seconds(decision.retryAfterMs);
  say(c, { "Retry-After": wait, "X-RateLimit-Reset": wait });
  return failure(
    c,
    "rate_limited",
    `This workspace's write limit is used up. Send the same request again in ${wait} s.`,
  );
}

/** Refunds a request that certainly stored nothing. */
export const refund = (c: AppContext, grant: KeyGrant, charges: Charge[]): Promise<void> =>
  refundCharges(c.env, grant.workspace.id, charges);

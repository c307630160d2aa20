/** Asking the workspace's object whether messages may be written now, and telling the sender what it said. */
import type { KeyGrant } from "../../services/workspaces/api-keys.ts";
import { askToWrite } from "../../services/limiter.ts";
import type { Charge } from "../../core/limit/write-window.ts";
import { WRITE_WINDOW_MS } from "../../core/limit/policy.ts";
import { say } from "../../edge/answer.ts";
import { type AppContext, timed } from "../../edge/context.ts";
import { forgetKey } from "./credentials.ts";
import { failure, unauthorized } from "../../edge/errors.ts";

const seconds = (ms: number): string => String(Math.ceil(ms / 1000));

/**
 * Charges `cost` messages to the workspace.
 * @returns the charges, to be given back should nothing be stored; or the answer that refuses the request
 * @throws LimiterUnavailable
 */
export async function admit(c: AppContext, grant: KeyGrant, cost: number): Promise<Charge[] | Response> {
  c.get("facts").messages = cost;
  if (cost === 0) return [];
  const request = { keyId: grant.keyId, cost };
  const decision = await timed(c, "limiterMs", () => askToWrite(c.env, grant.workspace.id, request));
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

/**
 * Undoes an admission of which it is certain that nothing was stored. A failure leaves the charge standing. Asked once:
 * where only the answer was lost, a second time would take back what another request was charged.
 */
export async function giveBack(c: AppContext, grant: KeyGrant, charges: Charge[]): Promise<void> {
  if (charges.length === 0) return;
  await c.env.WRITE_LIMITER.getByName(grant.workspace.id)
    .giveBack(charges)
    .catch(() => undefined);
}

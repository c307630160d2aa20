/**
 * Limits what clients without a known key cost: look-ups of keys, and readiness checks. Cloudflare counts approximately, in
 * each location separately, so that counting needs no call. `wrangler.toml` has the limit.
 */
import { networkOf } from "./check-sign-in.ts";

/** The client's network sent too many of these requests. */
export class TooManyRequests extends Error {}

/**
 * Counts a request.
 * @param address the client's; Cloudflare sets it, and a local service has none
 * @throws TooManyRequests
 */
export async function checkClientLimit(env: Env, address: string | undefined): Promise<void> {
  if (address === undefined) return;
  // Honest senders must not suffer when the count fails.
  const { success } = await env.CLIENT_LIMITER.limit({ key: networkOf(address) }).catch(() => ({ success: true }));
  if (!success) throw new TooManyRequests("too many requests from one network");
}

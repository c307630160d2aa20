/**
 * Limits what clients without a known key cost: look-ups of keys, readiness checks, and attempts to sign in. Cloudflare
 * counts approximately, in each location separately, so that counting needs no call. `wrangler.toml` has the limits.
 */

/** The client's network sent too many of these requests. */
export class TooManyRequests extends Error {}

/**
 * Counts a request.
 * @param address the client's; Cloudflare sets it, and a local service has none. An IPv6 address counts as its network,
 * because one household has a whole network
 */
export async function isWithinLimit(limiter: RateLimit, address: string | undefined): Promise<boolean> {
  if (address === undefined) return true;
  // Honest clients must not suffer when the count fails.
  const { success } = await limiter.limit({ key: networkOf(address) }).catch(() => ({ success: true }));
  return success;
}

/** @throws TooManyRequests */
export async function checkClientLimit(env: Env, address: string | undefined): Promise<void> {
  if (!(await isWithinLimit(env.CLIENT_LIMITER, address)))
    throw new TooManyRequests("too many requests from one network");
}

/** Returns an IPv4 address unchanged, and the first 64 bits of an IPv6 address. */
export function networkOf(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.toLowerCase().split("::");
  const groups = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - groups.length - last.length);
  const all = [...groups, ...Array.from({ length: zeros }, () => "0"), ...last];
  return `${all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}

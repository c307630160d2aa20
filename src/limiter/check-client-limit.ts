/**
 * Limits the costs of clients without a known key: failed lookups of keys, readiness checks, and attempts to sign in.
 * Cloudflare counts approximately, in each location separately, so that counting needs no call. `wrangler.toml` has the
 * limits.
 */
import { CLIENT_LIMIT_SECONDS } from "../config.ts";
import { ttlCache } from "../core/ttl-cache.ts";

/** The client's network sent too many of these requests. */
export class TooManyRequests extends Error {
  override readonly message = "too many requests from one network";
}

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
  if (!(await isWithinLimit(env.CLIENT_LIMITER, address))) throw new TooManyRequests();
}

const MAX_LOOKUPS_AT_ONCE = 1_000;
const lookups = new Map<string, number>();
/** Networks that have used up their limit. Cloudflare's counter can't be asked without counting. */
const refused = ttlCache<true>({ ttlMs: CLIENT_LIMIT_SECONDS * 1_000, maxEntries: 10_000 });

/**
 * Looks up a key, and counts only a failure: a cloud sends for thousands of workspaces from a few addresses. A failure
 * comes too late to stop lookups that have begun, so a network's concurrent lookups are limited as well.
 * @throws TooManyRequests
 */
export async function countFailedLookup<T>(
  env: Env,
  address: string | undefined,
  lookUp: () => Promise<T | null>,
): Promise<T | null> {
  if (address === undefined) return lookUp();
  const network = networkOf(address);
  const running = lookups.get(network) ?? 0;
  if (running >= MAX_LOOKUPS_AT_ONCE || refused.get(network, Date.now()) !== undefined) throw new TooManyRequests();
  lookups.set(network, running + 1);
  try {
    const found = await lookUp();
    if (found === null && !(await isWithinLimit(env.CLIENT_LIMITER, address))) refused.set(network, true, Date.now());
    return found;
  } finally {
    const left = (lookups.get(network) ?? 0) - 1;
    if (left > 0) lookups.set(network, left);
    else lookups.delete(network);
  }
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

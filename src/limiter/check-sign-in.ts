/** Limits sign-in attempts by network address. */
import { orUnavailable } from "./call-limiter.ts";

/**
 * Counts an attempt to sign in.
 * @param address the client's; an IPv6 address counts as its network, because one household has a whole network
 * @returns 0 if the attempt is allowed, or else the milliseconds until the next one is
 * @throws LimiterUnavailable; refuse the sign-in then, because an attacker must not be able to disable the limit
 */
export async function checkSignInLimit(env: Env, address: string): Promise<number> {
  return orUnavailable(() => limiterOf(env, address).consume());
}

/** Refunds the attempt, because the secret was right. */
export async function refundSignIn(env: Env, address: string): Promise<void> {
  await orUnavailable(() => limiterOf(env, address).refund());
}

const limiterOf = (env: Env, address: string) => env.SIGN_IN_LIMITER.getByName(networkOf(address));

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

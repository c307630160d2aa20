/** Asking the object of an address whether somebody there may try to sign in. */
import { LimiterUnavailable } from "./call-limiter.ts";

/**
 * Counts a try.
 * @param address of the network; of one in the sixth version its network counts, which one household has for itself
 * @returns 0 when it may be made, else the milliseconds until the next one may
 * @throws LimiterUnavailable: then nobody signs in, since a limit that can be switched off is none
 */
export async function askToSignIn(env: Env, address: string): Promise<number> {
  return asked(() => objectOf(env, address).tryNow());
}

/** Says that the try was right, and does not count. */
export async function signedIn(env: Env, address: string): Promise<void> {
  await asked(() => objectOf(env, address).succeeded());
}

const objectOf = (env: Env, address: string) => env.SIGN_IN_LIMITER.getByName(networkOf(address));

/** The first 64 bits of an address of the sixth version. */
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

async function asked<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    throw new LimiterUnavailable(error);
  }
}

import { timed } from "../call-times.ts";
import { jurisdictionOf } from "../config.ts";
import type { LimiterSettings, WriteLimitUsage } from "./write-limiter.ts";

/** The limiter did not answer, or is overloaded. */
export class LimiterUnavailable extends Error {
  constructor(cause: unknown) {
    super("the write limiter is unavailable", { cause });
    this.name = "LimiterUnavailable";
  }
}

type LimiterStub = ReturnType<Env["WRITE_LIMITER"]["getByName"]>;

/**
 * Finds the workspace's limiter, in the deployment's jurisdiction. The same name is another object in another jurisdiction, so
 * nothing else may look limiters up.
 * @param options where to create the object, for its first call
 */
export function limiterOf(
  env: Env,
  workspaceId: string,
  options?: DurableObjectNamespaceGetDurableObjectOptions,
): LimiterStub {
  return limitersOf(env).getByName(workspaceId, options);
}

function limitersOf(env: Env): Env["WRITE_LIMITER"] {
  const jurisdiction = jurisdictionOf(env);
  if (jurisdiction === undefined) return env.WRITE_LIMITER;
  try {
    return env.WRITE_LIMITER.jurisdiction(jurisdiction);
  } catch (error) {
    // Local runtimes have no jurisdictions.
    if (String(error).includes("not implemented in workerd")) return env.WRITE_LIMITER;
    throw error;
  }
}

/**
 * Calls the workspace's limiter. Retries once on a new stub when the platform marks the error as retryable.
 * @param options where to create the object, for its first call
 * @throws LimiterUnavailable
 */
export async function callLimiter<T>(
  env: Env,
  workspaceId: string,
  call: (limiter: LimiterStub) => Promise<T>,
  options?: DurableObjectNamespaceGetDurableObjectOptions,
): Promise<T> {
  const attempt = () => call(limiterOf(env, workspaceId, options));
  try {
    return await timed("limiterMs", () =>
      attempt().catch((error: unknown) => {
        if (!isRetryable(error)) throw error;
        return attempt();
      }),
    );
  } catch (error) {
    throw new LimiterUnavailable(error);
  }
}

/** Changes settings of a workspace's limiter. @returns false when the workspace was erased @throws LimiterUnavailable */
export const configureLimiter = (
  env: Env,
  workspaceId: string,
  settings: Partial<LimiterSettings>,
  options?: DurableObjectNamespaceGetDurableObjectOptions,
): Promise<boolean> => callLimiter(env, workspaceId, (limiter) => limiter.configure(settings), options);

/**
 * Reads how much of the write limit a workspace uses, and what the limit admitted and refused so far.
 * @throws LimiterUnavailable
 */
export const readWriteLimitUsage = (env: Env, workspaceId: string): Promise<WriteLimitUsage> =>
  callLimiter(env, workspaceId, async (limiter): Promise<WriteLimitUsage> => limiter.usage());

/** Erases the storage of a workspace's limiter, which refuses every key from then on. @throws LimiterUnavailable */
export const eraseLimiter = (env: Env, workspaceId: string): Promise<void> =>
  callLimiter(env, workspaceId, (limiter) => limiter.erase());

/** Reads the marks that the platform puts on its errors. An overloaded object must not be called again. */
function isRetryable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const overloaded = "overloaded" in error && error.overloaded === true;
  return "retryable" in error && error.retryable === true && !overloaded;
}

const LOCATIONS = ["wnam", "enam", "sam", "weur", "eeur", "apac", "apac-ne", "apac-se", "oc", "afr", "me"] as const;

/**
 * Reads where the Durable Objects of a database's workspaces should be, from the variable `DB_LOCATION`, `DB_1_LOCATION` and
 * so on. An object stays where its first call asked for it; by default, near its first caller.
 * @throws RangeError that names the variable
 */
export function locationOf(env: Env, database: string): DurableObjectNamespaceGetDurableObjectOptions {
  const name = `${database}_LOCATION`;
  const location = new Map<string, unknown>(Object.entries(env)).get(name) ?? "";
  if (location === "") return {};
  const locationHint = LOCATIONS.find((each) => each === location);
  if (locationHint === undefined) throw new RangeError(`${name} must be one of ${LOCATIONS.join(", ")}`);
  return { locationHint };
}

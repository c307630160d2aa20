/** Durable Object calls and client limits. */
import { callLimiter } from "../limiter/call-limiter.ts";
import type { WriteLimitUsage } from "../limiter/write-limiter.ts";

export { LimiterUnavailable } from "../limiter/call-limiter.ts";
export { checkClientLimit, isWithinLimit, TooManyRequests } from "../limiter/check-client-limit.ts";
export { mayRead } from "../limiter/check-read-limit.ts";
export type { WriteLimitUsage };

/**
 * Reads how much of the write limit a workspace uses, and what the limit admitted and refused so far.
 * @throws LimiterUnavailable
 */
export const readWriteLimitUsage = (env: Env, workspaceId: string): Promise<WriteLimitUsage> =>
  callLimiter(env, workspaceId, async (limiter): Promise<WriteLimitUsage> => limiter.usage());

/** Erases the storage of the workspace's Durable Object. From then on the object refuses every key. */
export const eraseLimiter = (env: Env, workspaceId: string): Promise<void> =>
  callLimiter(env, workspaceId, (limiter) => limiter.erase());

import { callLimiter } from "../limiter/call-limiter.ts";
import type { WriteLimitUsage } from "../limiter/limiter-rpc.ts";

export { checkClientLimit, isWithinLimit, TooManyRequests } from "../limiter/check-client-limit.ts";
export { LimiterUnavailable } from "../limiter/call-limiter.ts";
export type { WriteLimitUsage };

/**
 * Reads how much of the write limit a workspace uses, and what the limit admitted and refused so far.
 * @throws LimiterUnavailable
 */
export const readWriteLimitUsage = (env: Env, workspaceId: string): Promise<WriteLimitUsage> =>
  callLimiter(env, workspaceId, async (limiter): Promise<WriteLimitUsage> => limiter.usage());

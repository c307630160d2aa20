/** The limits on writes and sign-ins. write-window.ts decides whether a request fits. */
import type { RateLimitPolicy } from "./write-window.ts";

/** Messages per workspace and window, unless the workspace has its own limit. */
export const DEFAULT_WRITE_LIMIT = 100;

export const WRITE_WINDOW_MS = 10_000;

/** How long an edge may repeat a denial without asking the limiter again. */
export const DENIAL_TTL_MS = 100;

export const SIGN_IN_POLICY: RateLimitPolicy = { limit: 10, windowMs: 60_000 };

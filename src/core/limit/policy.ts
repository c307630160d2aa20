/** The limit on writes. write-window.ts decides whether a request fits. */

/** Messages per workspace and window, unless the workspace has its own limit. */
export const DEFAULT_WRITE_LIMIT = 100;

export const WRITE_WINDOW_MS = 10_000;

/** How long an edge may repeat a denial without asking the limiter again. */
export const DENIAL_TTL_MS = 100;

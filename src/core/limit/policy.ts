/** The limit on writes. write-window.ts decides whether a request fits. */

/** Messages per workspace and window, unless the workspace has its own limit. */
export const DEFAULT_WRITE_LIMIT = 100;

export const WRITE_WINDOW_MS = 10_000;

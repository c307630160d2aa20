/** The limits of the edge, each with its unit in its name. Those that belong to the rules live in src/core. */

/** A whole request on the compatibility path, decoded. */
export const MAX_BATCH_BYTES = 512 * 1024;
/** A native capture, and an administration call. */
export const MAX_EVENT_BYTES = 16 * 1024;
export const MAX_IDEMPOTENCY_KEY_CHARS = 255;

/** For so long a revoked key may still read at an edge that knows it; writes ask the workspace's object. */
export const KEY_CACHE_MS = 30_000;
export const MAX_CACHED_KEYS = 10_000;

export const MIN_ADMIN_TOKEN_CHARS = 32;
export const MAX_WRITE_LIMIT = 100_000;

export const DEFAULT_PAGE_ROWS = 50;
export const MAX_PAGE_ROWS = 200;

/** What a 503 asks a sender to wait. */
export const RETRY_AFTER_FAULT_SECONDS = 1;

/** A sender may bring its own request id; a longer one is replaced. */
export const MAX_REQUEST_ID_CHARS = 64;

/** The limits of the edge, each with its unit in its name. Those that belong to the rules live in src/core. */

/** A whole request on the compatibility path, decoded. */
export const MAX_BATCH_BYTES = 512 * 1024;
/** A native capture, an identity call, and an administration call. */
export const MAX_EVENT_BYTES = 16 * 1024;
export const MAX_IDEMPOTENCY_KEY_CHARS = 255;

/** A question with what is said beside it. */
export const MAX_ASK_BYTES = 4 * 1024;
export const MAX_QUESTION_CHARS = 500;

/** For so long a revoked key may still read at an edge that knows it; writes ask the workspace's object. */
export const KEY_CACHE_MS = 30_000;
export const MAX_CACHED_KEYS = 10_000;

export const MIN_ADMIN_TOKEN_CHARS = 32;
export const MAX_WRITE_LIMIT = 100_000;

export const DEFAULT_PAGE_ROWS = 50;
export const MAX_PAGE_ROWS = 200;

/** So far ahead an inbox item can be snoozed: a year, a leap year too. */
export const MAX_SNOOZE_DAYS = 366;

/** What a 503 asks a sender to wait. */
export const RETRY_AFTER_FAULT_SECONDS = 1;

/** A sender may bring its own request id; a longer one is replaced. */
export const MAX_REQUEST_ID_CHARS = 64;

/** A run of the recompute that was given up is thought dead so long after its budget. */
export const MAX_RECOMPUTE_STALL_MS = 120_000;
export const DEFAULT_RECOMPUTE_BUDGET_MS = 20_000;
export const DEFAULT_EVENT_RETENTION_DAYS = 400;
export const MIN_EVENT_RETENTION_DAYS = 90;

/**
 * The settings of the recompute, from the variables of the deployment.
 * @throws RangeError naming the variable: a wrong retention must not delete what it should have kept
 */
export function recomputeSettings(env: Env): { budgetMs: number; retentionDays: number } {
  return {
    budgetMs: wholeNumber("RECOMPUTE_BUDGET_MS", env.RECOMPUTE_BUDGET_MS, 1, DEFAULT_RECOMPUTE_BUDGET_MS),
    retentionDays: wholeNumber(
      "EVENT_RETENTION_DAYS",
      env.EVENT_RETENTION_DAYS,
      MIN_EVENT_RETENTION_DAYS,
      DEFAULT_EVENT_RETENTION_DAYS,
    ),
  };
}

function wholeNumber(name: string, text: string | undefined, least: number, otherwise: number): number {
  if (text === undefined || text === "") return otherwise;
  const number = Number(text);
  if (!Number.isSafeInteger(number) || number < least) {
    throw new RangeError(`${name} must be a whole number of at least ${least}`);
  }
  return number;
}

/** The thresholds of alerts in `ops/alerts` whose figures the console shows too. */

/** `database-fill`: the share of a database that is in use. */
export const FILL_SHARE = 0.8;
/** `unprocessed-messages`: how long the oldest message has waited for the recompute. */
export const UNPROCESSED_MS = 90 * 60_000;

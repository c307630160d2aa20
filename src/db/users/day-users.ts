/** The most users that the summary of an account's day lists. All days that scoring reads must fit into `STEP_SIZES.bytes`. */
export const MAX_DAY_USERS = 5_000;
/**
 * A longer list of features is left out of the summary. Senders that put ids into event names have more features than any
 * rule can use.
 */
export const MAX_FEATURES_CHARACTERS = 20_000;

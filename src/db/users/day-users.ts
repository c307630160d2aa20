/** The most users that the summary of an account's day lists. All days that scoring reads must fit into `STEP_SIZES.bytes`. */
export const MAX_DAY_USERS = 5_000;

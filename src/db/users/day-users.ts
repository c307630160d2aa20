/** The most users that the summary of an account's day lists. They must fit into one row of D1. */
export const MAX_DAY_USERS = 10_000;

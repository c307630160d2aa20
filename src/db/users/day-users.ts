/** The most users that the summary of an account's day lists. All days that scoring reads must fit into `MAX_LOADED_BYTES`. */
export const MAX_DAY_USERS = 5_000;

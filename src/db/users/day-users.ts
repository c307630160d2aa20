/** So many users of an account's day are told apart in its summary; a row of D1 has to hold them. */
export const MAX_DAY_USERS = 10_000;

export * from "../db/accounts/account-details.ts";
export * from "../db/accounts/console-accounts.ts";
export * from "../db/accounts/list-accounts.ts";

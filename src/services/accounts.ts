export {
  HISTORY_DAYS,
  EVENT_DAYS,
  USER_DAYS,
  findAccount,
  type AccountDetails,
} from "../db/accounts/account-details.ts";
export {
  readConsoleAccount,
  type ConsoleAccountDetails,
  type AccountUser,
  type FeatureUse,
} from "../db/accounts/console-account.ts";
export {
  ACTIVE_DAYS,
  readConsoleAccounts,
  type ConsoleAccount,
  type ConsoleAccounts,
} from "../db/accounts/console-accounts.ts";
export {
  CONSOLE_SORTS,
  ACCOUNT_SORTS,
  listAccounts,
  type ConsoleSort,
  type StoredAccount,
} from "../db/accounts/list-accounts.ts";

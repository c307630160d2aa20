export {
  HISTORY_DAYS,
  EVENT_DAYS,
  USER_DAYS,
  findAccount,
  type AccountDetails,
} from "../db/accounts/account-details.ts";
export { readAccountPage, type AccountPage, type AccountUser, type FeatureUse } from "../db/accounts/account-page.ts";
export { ACTIVE_DAYS, readAccountTable, type TableAccount, type AccountTable } from "../db/accounts/account-table.ts";
export {
  TABLE_SORTS,
  ACCOUNT_SORTS,
  listAccounts,
  type TableSort,
  type StoredAccount,
} from "../db/accounts/list-accounts.ts";

/** What is held apart of the families of questions that are answered: see the README of this folder. */
import { ACCOUNT_ATTRIBUTES_HELD } from "./account-attributes.ts";
import { ACCOUNT_COMPARISONS_HELD } from "./account-comparisons.ts";
import { ACCOUNT_COUNTS_HELD } from "./account-counts.ts";
import { ACCOUNT_FEATURES_HELD } from "./account-features.ts";
import { ACCOUNT_HEALTH_HELD } from "./account-health.ts";
import { FEATURE_HELD } from "./feature.ts";
import { PORTFOLIO_ACCOUNTS_HELD } from "./portfolio-accounts.ts";
import { PORTFOLIO_MONEY_HELD } from "./portfolio-money.ts";
import { PORTFOLIO_USE_HELD } from "./portfolio-use.ts";
import { USER_HELD } from "./user.ts";

export const ANSWERABLE_HELD: Readonly<Record<string, readonly string[]>> = {
  ...ACCOUNT_HEALTH_HELD,
  ...ACCOUNT_ATTRIBUTES_HELD,
  ...ACCOUNT_COUNTS_HELD,
  ...ACCOUNT_FEATURES_HELD,
  ...ACCOUNT_COMPARISONS_HELD,
  ...USER_HELD,
  ...FEATURE_HELD,
  ...PORTFOLIO_ACCOUNTS_HELD,
  ...PORTFOLIO_USE_HELD,
  ...PORTFOLIO_MONEY_HELD,
};

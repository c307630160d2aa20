/** The open phrasings of all families of questions that are answered. */
import type { Phrasings } from "../cases/styles.ts";
import { ACCOUNT_ATTRIBUTES } from "./account-attributes.ts";
import { ACCOUNT_COMPARISONS } from "./account-comparisons.ts";
import { ACCOUNT_COUNTS } from "./account-counts.ts";
import { ACCOUNT_FEATURES } from "./account-features.ts";
import { ACCOUNT_HEALTH } from "./account-health.ts";
import { FEATURE } from "./feature.ts";
import { PORTFOLIO_ACCOUNT_COUNTS } from "./portfolio-account-counts.ts";
import { PORTFOLIO_ACCOUNTS } from "./portfolio-accounts.ts";
import { PORTFOLIO_MONEY } from "./portfolio-money.ts";
import { PORTFOLIO_RANKINGS } from "./portfolio-rankings.ts";
import { PORTFOLIO_USE } from "./portfolio-use.ts";
import { USER_USE } from "./user-use.ts";
import { USER } from "./user.ts";

export const ANSWERABLE: Readonly<Record<string, Phrasings>> = {
  ...ACCOUNT_HEALTH,
  ...ACCOUNT_ATTRIBUTES,
  ...ACCOUNT_COUNTS,
  ...ACCOUNT_FEATURES,
  ...ACCOUNT_COMPARISONS,
  ...USER,
  ...USER_USE,
  ...FEATURE,
  ...PORTFOLIO_ACCOUNT_COUNTS,
  ...PORTFOLIO_ACCOUNTS,
  ...PORTFOLIO_USE,
  ...PORTFOLIO_RANKINGS,
  ...PORTFOLIO_MONEY,
};

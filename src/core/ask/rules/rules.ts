/** Everything that can be asked. */
import { ACCOUNT_COMPARISON_RULES } from "./account-comparison-rules.ts";
import { ACCOUNT_COUNT_RULES } from "./account-count-rules.ts";
import { ACCOUNT_FEATURE_RULES } from "./account-feature-rules.ts";
import { ACCOUNT_RULES } from "./account-rules.ts";
import { ACCOUNT_USER_RULES } from "./account-user-rules.ts";
import { FEATURE_RULES } from "./feature-rules.ts";
import { PORTFOLIO_RULES } from "./portfolio-rules.ts";
import { PORTFOLIO_USE_RULES } from "./portfolio-use-rules.ts";
import type { Rule } from "./rule.ts";
import { USER_RULES } from "./user-rules.ts";

export const RULES: readonly Rule[] = [
  ...ACCOUNT_RULES,
  ...ACCOUNT_COUNT_RULES,
  ...ACCOUNT_USER_RULES,
  ...ACCOUNT_FEATURE_RULES,
  ...ACCOUNT_COMPARISON_RULES,
  ...USER_RULES,
  ...FEATURE_RULES,
  ...PORTFOLIO_RULES,
  ...PORTFOLIO_USE_RULES,
];

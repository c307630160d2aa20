import { ACTIVITY_RULES } from "./activity-rules.ts";
import { CONTRACTION_RULE } from "./contraction-rule.ts";
import { GROWTH_RULES } from "./growth-rules.ts";
import { HEALTH_DROPPED_RULE } from "./health-dropped-rule.ts";
import type { Rule } from "./rule.ts";
import { TRIAL_RULES } from "./trial-rules.ts";
import { USER_AND_FEATURE_RULES } from "./user-and-feature-rules.ts";

/** The rules in the order they apply: a rule that suppresses others comes before them. */
export const RULES: readonly Rule[] = [
  ...TRIAL_RULES,
  ...ACTIVITY_RULES,
  ...USER_AND_FEATURE_RULES,
  ...GROWTH_RULES,
  CONTRACTION_RULE,
  HEALTH_DROPPED_RULE,
];

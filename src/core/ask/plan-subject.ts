/** Whom or what a plan is about. */
import type { Entity, Plan } from "./model.ts";

/** `null` of the portfolio. */
export function subjectOfPlan(plan: Plan): Entity | null {
  switch (plan.subject) {
    case "account":
      return plan.account;
    case "user":
      return plan.user;
    case "feature":
      return plan.feature;
    case "portfolio":
      return null;
  }
}

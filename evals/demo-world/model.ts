/** Defines the types of the demo's world. Days are those of the evaluation's calendar, which are real dates. */
import type { AccountPlan } from "../simulator/model.ts";
import type { Habit, FeatureChange } from "./product.ts";

export const FATES = [
  "steady",
  "always_on",
  "grower",
  "fast_riser",
  "full_house",
  "adopter",
  "back_from_closure",
  "converted_trial",
  "ready_trial",
  "fizzled_trial",
  "lost_trial",
  "fresh_trial",
  "just_signed",
  "solo",
  "light",
  "unused_seats",
  "cooling",
  "slow_decline",
  "sudden_drop",
  "gone_silent",
  "long_silent",
  "champion_left",
  "contraction",
  "feature_dropped",
  "faded",
  "churned",
] as const;
export type Fate = (typeof FATES)[number];

export type Plan = "Starter" | "Team" | "Business" | "Enterprise";

export interface Company {
  /** The account's external id. */
  id: string;
  fate: Fate;
  plan: Plan;
  industry: string;
  region: "emea" | "amer" | "apac";
  currency: "EUR" | "USD" | "GBP";
  /** The name that is attached as an identity trait. */
  name?: string;
}

export interface Person {
  id: string;
  role: string;
  habit: Habit;
  /** The day of the first message about them. */
  from: number;
}

/** An account, what it does, and what its sender reports. */
export interface Story {
  company: Company;
  /** Who is active when, in the terms of the evaluation's simulator. */
  plan: AccountPlan;
  people: ReadonlyMap<string, Person>;
  featureChanges: readonly FeatureChange[];
}

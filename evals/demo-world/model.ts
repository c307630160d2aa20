/**
 * The words of the demo's story. Days are those of the evaluation's calendar, which are real ones.
 */
import type { AccountPlan } from "../health/workspace/model.ts";
import type { Habit, Turn } from "./product.ts";

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
  /** How the sender calls it, as the account's external id. */
  id: string;
  fate: Fate;
  plan: Plan;
  industry: string;
  region: "emea" | "amer" | "apac";
  currency: "EUR" | "USD" | "GBP";
  /** What it is called, where that was attached as an identity trait. */
  name?: string;
}

export interface Person {
  id: string;
  role: string;
  habit: Habit;
  /** The day of the first message about them. */
  from: number;
}

/** An account, what it will do, and what its sender tells. */
export interface Story {
  company: Company;
  /** Who is active when, in the words of the evaluation's simulator. */
  plan: AccountPlan;
  people: ReadonlyMap<string, Person>;
  turns: readonly Turn[];
}

/** What a sender tells of an account: its contract. */
import { startOf } from "../health/workspace/calendar.ts";
import { between, type Random, wholeBetween } from "../health/workspace/random.ts";
import type { Company, Plan } from "./model.ts";

export type Traits = Readonly<Record<string, string | number>>;

/** How many people use it, least and most, and what a seat costs a month. */
export const PLANS: Readonly<Record<Plan, { people: readonly [number, number]; price: number }>> = {
  Starter: { people: [2, 3], price: 25 },
  Team: { people: [5, 8], price: 55 },
  Business: { people: [9, 15], price: 120 },
  Enterprise: { people: [22, 32], price: 190 },
};

const MOST_MRR = 12_000;
const LONGEST_DAYS_LEFT = 330;

interface Terms {
  company: Company;
  seats: number;
  /** The contract's end is reckoned from this day. */
  today: number;
}

/** A little below the list price, as contracts are, and in whole tens. */
export function contract(random: Random, { company, seats, today }: Terms): Traits {
  const price = PLANS[company.plan].price * between(random, 0.85, 1);
  return {
    ...about(company),
    stage: "active",
    plan: company.plan,
    seats,
    mrr: Math.max(50, Math.min(MOST_MRR, 10 * Math.round((seats * price) / 10))),
    currency: company.currency,
    contractEndsOn: dateOf(today + wholeBetween(random, 30, LONGEST_DAYS_LEFT)),
  };
}

export const trial = (company: Company, seats: number, endDay: number): Traits => ({
  ...about(company),
  stage: "trial",
  plan: company.plan,
  seats,
  trialEndsAt: new Date(startOf(endDay)).toISOString(),
});

const dateOf = (day: number): string => new Date(startOf(day)).toISOString().slice(0, 10);

const about = ({ industry, region }: Company): Traits => ({ industry, region });

/** Creates the traits that a sender reports about an account's contract. */
import { startOf } from "../simulator/calendar.ts";
import { between, type Random, wholeBetween } from "../simulator/random.ts";

export type Plan = "Starter" | "Team" | "Business" | "Enterprise";

export interface Company {
  /** The account's external id. */
  id: string;
  plan: Plan;
  industry: string;
  region: "emea" | "amer" | "apac";
  currency: "EUR" | "USD";
}

export type Traits = Readonly<Record<string, string | number>>;

/** The least and most users of a plan, and its price per seat and month. */
export const PLANS: Readonly<Record<Plan, { people: readonly [number, number]; price: number }>> = {
  Starter: { people: [2, 3], price: 25 },
  Team: { people: [5, 8], price: 55 },
  Business: { people: [9, 15], price: 120 },
  Enterprise: { people: [22, 32], price: 190 },
};

const MAX_MRR = 12_000;
const MAX_DAYS_LEFT = 330;

interface Terms {
  company: Company;
  seats: number;
  /** The contract ends some days after this one. */
  today: number;
}

/** The price is a little below the list price, in multiples of ten. */
export function contract(random: Random, { company, seats, today }: Terms): Traits {
  const price = PLANS[company.plan].price * between(random, 0.85, 1);
  return {
    ...segmentOf(company),
    stage: "active",
    plan: company.plan,
    seats,
    mrr: Math.max(50, Math.min(MAX_MRR, 10 * Math.round((seats * price) / 10))),
    currency: company.currency,
    contractEndsOn: dateOf(today + wholeBetween(random, 30, MAX_DAYS_LEFT)),
  };
}

export const trial = (company: Company, seats: number, endDay: number): Traits => ({
  ...segmentOf(company),
  stage: "trial",
  plan: company.plan,
  seats,
  trialEndsAt: new Date(startOf(endDay)).toISOString(),
});

const dateOf = (day: number): string => new Date(startOf(day)).toISOString().slice(0, 10);

const segmentOf = ({ industry, region }: Company): Traits => ({ industry, region });

/** Creates ordinary accounts, customers and trials, which the scenarios change. */
import { startOf } from "./calendar.ts";
import type { AccountPlan, Truth } from "./model.ts";
import { between, chance, logNormal, pick, type Random, wholeBetween } from "./random.ts";
import { companySize, drawUsers } from "./users.ts";

export interface Draw {
  random: Random;
  id: string;
  days: number;
  /** Makes every second decline happen in an account with much usage, so that enough of them can be measured. */
  large: boolean;
}

const MEDIAN_USERS = 10;
const MEDIAN_TRIAL_USERS = 5;

interface Customer extends Partial<Omit<Truth, "scenario">> {
  users?: number;
  /** Fewest users, if `users` is not given. */
  least?: number;
  /** Rate of all users; drawn for each by default. */
  rate?: number;
}

/** Creates a paying account whose users work from Monday to Friday and little at the weekend. */
export function customer(draw: Draw, given: Customer = {}): AccountPlan {
  const { random, id, days } = draw;
  const { users: count = companySize(random, MEDIAN_USERS, given.least), least: _, rate, ...truth } = given;
  const users = drawUsers(random, id, count, days);
  const known = { ...NOTHING_HAPPENS, ...truth };
  const { firstDay, churnDay } = known;
  const end = churnDay === null ? [] : [{ day: churnDay, traits: { stage: "churned" } }];
  return {
    id,
    truth: known,
    users: rate === undefined ? users : users.map((user) => ({ ...user, rate })),
    pattern: "weekdays",
    weekend: Math.min(0.3, logNormal(random, 0.06, 0.6)),
    level: [],
    late: 0,
    traits: [{ day: firstDay, traits: contract(random, count) }, ...end],
  };
}

/** Creates a company that tries the product for 14 or 30 days. Its users join during the first week. */
export function trial(draw: Draw): AccountPlan {
  const { random, days } = draw;
  const firstDay = wholeBetween(random, 10, Math.max(10, days - 60));
  const trialEndDay = firstDay + pick(random, [14, 30]);
  const plan = customer(draw, { users: companySize(random, MEDIAN_TRIAL_USERS), firstDay, trialEndDay });
  const users = plan.users.map((user, index) => ({
    ...user,
    joins: index === 0 ? firstDay : firstDay + wholeBetween(random, 0, 7),
  }));
  const seats = Math.ceil(users.length * between(random, 1, 2));
  const trialEndsAt = new Date(startOf(trialEndDay)).toISOString();
  return { ...plan, users, traits: [{ day: firstDay, traits: { stage: "trial", trialEndsAt, seats, plan: "trial" } }] };
}

export const NOTHING_HAPPENS: Truth = {
  scenario: "steady",
  firstDay: 0,
  declineDay: null,
  declinedDay: null,
  churnDay: null,
  growthDay: null,
  trialEndDay: null,
};

/** Some customers join during the simulation; most were there before. */
export function lateComer({ random, days }: Draw): number {
  return chance(random, 0.15) ? wholeBetween(random, 1, Math.floor(days / 3)) : 0;
}

/** Draws a contract for up to twice the seats in use, at a price that differs between companies. */
export function contract(random: Random, users: number): Record<string, string | number> {
  const seats = Math.ceil(users * between(random, 1, 2));
  return {
    stage: pick(random, ["active", "customer", "paying"]),
    plan: pick(random, ["team", "business"]),
    seats,
    mrr: Math.round(seats * logNormal(random, 25, 0.4)),
    currency: pick(random, ["EUR", "EUR", "USD"]),
  };
}

/** Sets the level of usage on some days. */
export const steps = (...level: (readonly [day: number, level: number])[]): AccountPlan["level"] => level;

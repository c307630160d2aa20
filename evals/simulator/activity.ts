/**
 * Simulates the events of an account, day by day and user by user.
 *
 * Real usage varies more than the usage of independent users: whole companies have busier and quieter days (a gamma
 * factor with a coefficient of variation of 0.3) and weeks (0.15; each week keeps 70 % of the one before). Mondays and
 * Fridays are a little quieter. On an active day a user triggers 1 + Poisson(1.2) events in working hours.
 */
import { isMonthEnd, startOf, weekday } from "./calendar.ts";
import type { AccountPlan, SimulatedEvent, UserPlan } from "./model.ts";
import {
  between,
  chance,
  gamma,
  normal,
  pickWeighted,
  poisson,
  type Random,
  randomOf,
  wholeBetween,
} from "./random.ts";
import { FEATURES } from "./users.ts";

const DAY_VARIATION = 0.3;
const WEEK_VARIATION = 0.15;
const WEEK_CARRY = 0.7;
const WORKING_DAYS = [0.95, 1.05, 1.05, 1, 0.9];
const MEAN_EXTRA_EVENTS = 1.2;
const MINUTE_MS = 60_000;
const [OPENS, CLOSES] = [7 * 60, 19 * 60];
const MAX_DAYS_LATE = 5;

/** Returns the account's traits first, then its users' events in the order of days. */
export function activityOf(plan: AccountPlan, seed: string, days: number): SimulatedEvent[] {
  const random = randomOf(`${seed}/${plan.id}/activity`);
  const end = Math.min(days, plan.truth.churnDay ?? days);
  const events = plan.traits
    .filter(({ day }) => day < days)
    .map(({ day, traits }, index) => traitsEvent(plan, day, traits, index));
  let week = normal(random) * WEEK_VARIATION;
  for (let day = plan.truth.firstDay; day < end; day += 1) {
    if (weekday(day) === 0) {
      week = WEEK_CARRY * week + Math.sqrt(1 - WEEK_CARRY ** 2) * WEEK_VARIATION * normal(random);
    }
    const busy =
      Math.exp(week - WEEK_VARIATION ** 2 / 2) * gamma(random, DAY_VARIATION) * levelOn(plan, day) * share(plan, day);
    for (const user of plan.users) {
      if (!isThere(user, day)) continue;
      if (chance(random, Math.min(0.98, user.rate * busy))) addUses(events, plan, user, day, random);
    }
  }
  return events;
}

const isThere = (user: UserPlan, day: number): boolean =>
  day >= user.joins && day < user.leaves && !user.away.some(([first, last]) => day >= first && day <= last);

/** Returns the share of usual activity on a day, by the pattern of the account. */
function share({ pattern, weekend }: AccountPlan, day: number): number {
  const working = WORKING_DAYS[weekday(day)];
  return (working ?? weekend) * (pattern === "weekdays" || isMonthEnd(day) ? 1 : 0.01);
}

function levelOn({ level }: AccountPlan, day: number): number {
  const next = level.findIndex(([other]) => other > day);
  const [before, after] = next === -1 ? [level.at(-1), undefined] : [level[next - 1], level[next]];
  if (before === undefined) return 1;
  if (after === undefined) return before[1];
  return before[1] + ((after[1] - before[1]) * (day - before[0])) / (after[0] - before[0]);
}

function addUses(events: SimulatedEvent[], plan: AccountPlan, user: UserPlan, day: number, random: Random): void {
  const late = plan.late;
  for (let left = 1 + poisson(random, MEAN_EXTRA_EVENTS); left > 0; left -= 1) {
    const picked = pickWeighted(random, user.features);
    if (picked === plan.abandons?.feature && day >= plan.abandons.day) continue;
    const feature = FEATURES[picked];
    const inDay = Math.floor(between(random, OPENS, CLOSES) * MINUTE_MS);
    const daysLate = chance(random, late) ? wholeBetween(random, 1, MAX_DAYS_LATE) : 0;
    events.push({
      messageId: `${plan.id}-${events.length}`,
      account: plan.id,
      user: user.id,
      event: feature?.[0] ?? "",
      traits: null,
      day,
      at: startOf(day) + inDay,
      arrivalDay: day + daysLate,
      arrivesAt: startOf(day + daysLate) + inDay + 1_000,
    });
  }
}

/** Reports traits in the name of the account's first user, just before the working day. */
function traitsEvent(plan: AccountPlan, day: number, traits: SimulatedEvent["traits"], index: number): SimulatedEvent {
  const at = startOf(day) + (OPENS - 1) * MINUTE_MS;
  return {
    messageId: `${plan.id}-traits-${index}`,
    account: plan.id,
    user: plan.users[0]?.id ?? plan.id,
    event: null,
    traits,
    day,
    at,
    arrivalDay: day,
    arrivesAt: at + 1_000,
  };
}

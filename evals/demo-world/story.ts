/**
 * Creates the history of the demo's workspace. It depends only on the seed and the first day. It grows with each day and
 * its past never changes, so that sending all of it again stores only what is new.
 */
import { activityOf } from "../simulator/activity.ts";
import { disturbed } from "../simulator/disturbances.ts";
import { workingDaysBefore } from "../simulator/calendar.ts";
import type { AccountPlan, SimulatedEvent } from "../simulator/model.ts";
import { randomOf } from "../simulator/random.ts";
import { COMPANIES, type FatedCompany } from "./companies.ts";
import { CASTS } from "./fates.ts";
import { personId, roleOf } from "./people.ts";
import { companyHabit, type FeatureChange, type Habit, personHabit } from "./product.ts";

export interface Person {
  id: string;
  role: string;
  habit: Habit;
  /** The day of the first message about them. */
  from: number;
}

/** An account, what it does, and what its sender reports. */
export interface Story {
  company: FatedCompany;
  /** Who is active when, in the terms of the evaluation's simulator. */
  plan: AccountPlan;
  people: ReadonlyMap<string, Person>;
  featureChanges: readonly FeatureChange[];
}

const SEED = "demo";
/** A public holiday, with enough weeks before it to learn what a usual day is. */
const HOLIDAY_WORKING_DAYS_AGO = 26;

/** @param today the day of the demo's first run, in the evaluation's calendar */
export function storiesFrom(today: number): Story[] {
  let taken = 0;
  const names = (count: number): string[] => Array.from({ length: count }, () => personId(taken++));
  return COMPANIES.map((company): Story => {
    const random = randomOf(`${SEED}/${company.id}`);
    // Someone who works alone has a personal account with their own id.
    const ids = company.fate === "solo" ? () => [company.id] : names;
    const { plan, featureChanges, few } = CASTS[company.fate]({ random, company, today, names: ids });
    const habits = companyHabit(random, featureChanges, few);
    const people = plan.users.map(({ id, joins }, index): [string, Person] => [
      id,
      {
        id,
        role: roleOf(random, index),
        habit: personHabit(random, habits, featureChanges),
        from: Math.max(joins, plan.truth.firstDay),
      },
    ]);
    return { company, plan, featureChanges, people: new Map(people) };
  });
}

/**
 * Creates the events of all users, and the traits that senders report about accounts.
 *
 * @param today as for `storiesFrom`
 * @param until the first day that is left out
 */
export function happeningsOf(stories: readonly Story[], today: number, until: number): SimulatedEvent[] {
  const day = workingDaysBefore(today, HOLIDAY_WORKING_DAYS_AGO);
  const usual = stories.flatMap(({ plan }) => activityOf(plan, SEED, until));
  return disturbed(usual, { kind: "holiday", days: [day, day] }, SEED);
}

/**
 * What happens in the demo's workspace: the same for the same seed and first day, and told further with each day that
 * passes. What was told before never changes by it, so that sending all of it again stores only what is new.
 */
import { activityOf } from "../health/workspace/activity.ts";
import { disturbed } from "../health/workspace/disturbances.ts";
import type { Happening } from "../health/workspace/model.ts";
import { randomOf } from "../health/workspace/random.ts";
import { COMPANIES } from "./companies.ts";
import { CASTS } from "./fates.ts";
import type { Person, Story } from "./model.ts";
import { personId, roleOf } from "./people.ts";
import { companyHabit, personHabit } from "./product.ts";
import { workingDaysBefore } from "./working-days.ts";

const SEED = "demo";
/** A public holiday, long enough ago that the weeks before it tell what a usual day is. */
const HOLIDAY_WORKING_DAYS_AGO = 26;

/** @param today the day on which the demo was first filled, by the evaluation's calendar */
export function storiesFrom(today: number): Story[] {
  let taken = 0;
  const names = (count: number): string[] => Array.from({ length: count }, () => personId(taken++));
  return COMPANIES.map((company): Story => {
    const random = randomOf(`${SEED}/${company.id}`);
    // Who works alone is an account of one, which is called like its user.
    const ids = company.fate === "solo" ? () => [company.id] : names;
    const { plan, turns, few } = CASTS[company.fate]({ random, company, today, names: ids });
    const habits = companyHabit(random, turns, few);
    const people = plan.users.map(({ id, joins }, place): [string, Person] => [
      id,
      {
        id,
        role: roleOf(random, place),
        habit: personHabit(random, habits, turns),
        from: Math.max(joins, plan.truth.firstDay),
      },
    ]);
    return { company, plan, turns, people: new Map(people) };
  });
}

/**
 * What the people of all accounts do, and what is told of the accounts.
 *
 * @param today as for the stories
 * @param until the first day that is not told of
 */
export function happeningsOf(stories: readonly Story[], today: number, until: number): Happening[] {
  const day = workingDaysBefore(today, HOLIDAY_WORKING_DAYS_AGO);
  const usual = stories.flatMap(({ plan }) => activityOf(plan, SEED, until));
  return disturbed(usual, { kind: "holiday", days: [day, day] }, SEED);
}

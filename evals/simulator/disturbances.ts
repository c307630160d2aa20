/**
 * What befalls a whole workspace: a holiday week leaves a quarter of the user-days, an outage of the sender nothing.
 * Both only take away, so the same workspace without them is what would have been.
 */
import { startOf } from "./calendar.ts";
import type { Disturbance, Happening, Stretch } from "./model.ts";
import { chance, randomOf } from "./random.ts";

const HOLIDAY_SHARE = 0.25;

export const within = (day: number, [first, last]: Stretch): boolean => day >= first && day <= last;

export function disturbed(happenings: readonly Happening[], disturbance: Disturbance, seed: string): Happening[] {
  return disturbance.kind === "holiday"
    ? withHoliday(happenings, disturbance.days, seed)
    : withOutage(happenings, disturbance.days);
}

function withHoliday(happenings: readonly Happening[], days: Stretch, seed: string): Happening[] {
  const random = randomOf(`${seed}/holiday`);
  const atWork = new Map<string, boolean>();
  return happenings.filter(({ event, user, day }) => {
    if (event === null || !within(day, days)) return true;
    const userDay = `${user}/${day}`;
    const known = atWork.get(userDay) ?? chance(random, HOLIDAY_SHARE);
    atWork.set(userDay, known);
    return known;
  });
}

/** Nothing arrives, nor ever will, but for what is known of accounts: that is sent again on the day after. */
function withOutage(happenings: readonly Happening[], days: Stretch): Happening[] {
  return happenings.flatMap((happening) => {
    const { day, arrivalDay, event } = happening;
    if (!within(day, days) && !within(arrivalDay, days)) return happening;
    if (event !== null) return [];
    return { ...happening, arrivalDay: days[1] + 1, arrivesAt: startOf(days[1] + 1) };
  });
}

/**
 * Simulates what affects a whole workspace: a holiday week keeps a quarter of the user-days, an outage of the sender
 * keeps none. Both only remove events, so the same workspace without them shows what would have happened.
 */
import { startOf } from "./calendar.ts";
import type { Disturbance, SimulatedEvent, DayRange } from "./model.ts";
import { chance, randomOf } from "./random.ts";

const HOLIDAY_SHARE = 0.25;

export const within = (day: number, [first, last]: DayRange): boolean => day >= first && day <= last;

export function disturbed(events: readonly SimulatedEvent[], disturbance: Disturbance, seed: string): SimulatedEvent[] {
  return disturbance.kind === "holiday"
    ? withHoliday(events, disturbance.days, seed)
    : withOutage(events, disturbance.days);
}

function withHoliday(events: readonly SimulatedEvent[], days: DayRange, seed: string): SimulatedEvent[] {
  const random = randomOf(`${seed}/holiday`);
  const atWork = new Map<string, boolean>();
  return events.filter(({ event, user, day }) => {
    if (event === null || !within(day, days)) return true;
    const userDay = `${user}/${day}`;
    const known = atWork.get(userDay) ?? chance(random, HOLIDAY_SHARE);
    atWork.set(userDay, known);
    return known;
  });
}

/** Removes all usage for good. Traits of accounts are sent again on the day after. */
function withOutage(events: readonly SimulatedEvent[], days: DayRange): SimulatedEvent[] {
  return events.flatMap((one) => {
    const { day, arrivalDay, event } = one;
    if (!within(day, days) && !within(arrivalDay, days)) return one;
    if (event !== null) return [];
    return { ...one, arrivalDay: days[1] + 1, arrivesAt: startOf(days[1] + 1) };
  });
}

/** Counts business days, as the rule on silence does: "eight working days ago" must also work on a Sunday. */
import { weekday } from "../simulator/calendar.ts";

const isWorking = (day: number): boolean => weekday(day) < 5;

/** Returns the last working day with `count` working days between it and `today`. */
export function workingDaysBefore(today: number, count: number): number {
  let day = today - 1;
  for (let left = count; ; day -= 1) {
    if (isWorking(day)) {
      if (left === 0) return day;
      left -= 1;
    }
  }
}

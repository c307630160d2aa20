/** Business days, which silence is counted in: fates say "eight working days ago" and mean it on a Sunday too. */
import { weekday } from "../health/workspace/calendar.ts";

const isWorking = (day: number): boolean => weekday(day) < 5;

/** The last day such that so many working days lie between it and `today`, which is not counted. */
export function workingDaysBefore(today: number, count: number): number {
  let day = today - 1;
  for (let left = count; ; day -= 1) {
    if (isWorking(day)) {
      if (left === 0) return day;
      left -= 1;
    }
  }
}

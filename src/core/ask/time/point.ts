/** A date, month, quarter or year: a time with a name of its own, which other times are told by. */
import type { Day, Window } from "../../health/model.ts";
import { dayFrom } from "./calendar.ts";
import { type TimeContext, untilToday } from "./time-context.ts";
import type { Stretch } from "./time-phrase.ts";

export interface Point extends Stretch {
  /** Of a month, a quarter or a year. */
  calendarUnit?: "month" | "quarter" | "year";
  /** How many tokens it takes. */
  length: number;
}

/** Days that no point of view moves. */
export const only = (window: Window, length: number): Point => ({ back: window, ahead: window, length });
/** Looking back it ends today, once it has begun. */
export const begun = (window: Window, length: number, context: TimeContext): Point => ({
  back: untilToday(window, context),
  ahead: window,
  length,
});
export const oneDay = (day: Day): Window => ({ from: day, to: day });
export const monthOf = (year: number, month: number): Window => ({
  from: dayFrom(year, month, 1),
  to: dayFrom(year, month + 1, 0),
});

export function ofUnit(calendarUnit: NonNullable<Point["calendarUnit"]>, point: Point | null): Point | null {
  return point === null ? null : { ...point, calendarUnit };
}

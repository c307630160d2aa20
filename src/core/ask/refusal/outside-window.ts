/** Windows of which nothing can be known: those that lie ahead, and those before the first event. */
import { isoDate } from "../time/calendar.ts";
import type { Matched } from "../reading/match.ts";
import type { Plan, Refusal } from "../model.ts";
import { datesOf } from "../telling/restate-words.ts";
import type { Clock } from "../time/time-context.ts";

/** A window that was asked for and of which nothing can be known. */
export function outsideOf({ plan, windows: { isDefault } }: Matched, { today, firstDay }: Clock): Refusal | null {
  if (isDefault || !("window" in plan) || liesAhead(plan)) return null;
  const windows = "before" in plan && plan.measure === "compare_windows" ? [plan.window, plan.before] : [plan.window];
  for (const { from, to } of windows) {
    const when = datesOf({ from, to });
    if (from > today) return { reason: "no_data_in_window", detail: `The days ${when} lie in the future.` };
    if (firstDay === null) return { reason: "no_data_in_window", detail: "Nothing has been recorded yet." };
    if (to < firstDay) {
      return {
        reason: "no_data_in_window",
        detail: `Nothing was recorded ${when}: the first event is of ${isoDate(firstDay)}.`,
      };
    }
  }
  return null;
}

/** The ends of trials are told of what is to come. */
const liesAhead = (plan: Plan): boolean => plan.measure === "trials_ending";

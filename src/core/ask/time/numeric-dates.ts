/** Dates in digits: 2026-10-05, 2026/10/05, 5.10.2026, and the month 2026-10. */
import { dayOnDate } from "./calendar.ts";
import { begun, monthOf, ofUnit, oneDay, only, type Point } from "./point.ts";
import type { TimeContext } from "./time-context.ts";

export function isoAt(context: TimeContext, at: number): Point | null {
  const { text, tokens } = context;
  const [first, second, third] = [tokens[at], tokens[at + 1], tokens[at + 2]];
  if (first === undefined || second === undefined || first.quote !== null) return null;
  const toDay = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/.exec(text.slice(first.start, third?.end ?? first.start));
  if (toDay !== null) {
    const day = dayOnDate({ year: Number(toDay[1]), month: Number(toDay[3]) - 1, date: Number(toDay[4]) });
    return day === null ? null : only(oneDay(day), 3);
  }
  if (third !== undefined && third.chunk === first.chunk && third.unit === first.unit) return null;
  const toMonth = /^(\d{4})-(\d{2})$/.exec(text.slice(first.start, second.end));
  const month = Number(toMonth?.[2]) - 1;
  return toMonth !== null && month >= 0 && month < 12
    ? ofUnit("month", begun(monthOf(Number(toMonth[1]), month), 2, context))
    : null;
}

/** "5.3.2026" */
export function dottedAt({ text, tokens }: TimeContext, at: number): Point | null {
  const [first, third] = [tokens[at], tokens[at + 2]];
  if (first === undefined || third === undefined || first.quote !== null) return null;
  const dotted = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(text.slice(first.start, third.end));
  if (dotted === null) return null;
  const day = dayOnDate({ year: Number(dotted[3]), month: Number(dotted[2]) - 1, date: Number(dotted[1]) });
  return day === null ? null : only(oneDay(day), 3);
}

/** Times told from today: "yesterday", "last 30 days", "this week", "next quarter", "year to date". */
import { amountAt, unitNamed } from "./amounts.ts";
import { calendarUnit, rollingBack, rollingOn, type Unit } from "./calendar.ts";
import { soFarAt, type TimeContext, wordAt } from "./time-context.ts";
import { fixed, lengthened, type TimePhrase } from "./time-phrase.ts";
import { weekdayAt } from "./weekdays.ts";

const LAST: ReadonlySet<string> = new Set("last lst past previous prior preceding trailing rolling latest".split(" "));
const BACKWARD: ReadonlySet<string> = new Set("last previous prior preceding".split(" "));
const THIS: ReadonlySet<string> = new Set("this current".split(" "));
const NEXT: ReadonlySet<string> = new Set("next coming upcoming following".split(" "));
const WHOLE: ReadonlySet<string> = new Set("calendar full entire whole coming".split(" "));
const TO_DATE: ReadonlyMap<string, Unit> = new Map([
  ["wtd", "week"],
  ["mtd", "month"],
  ["qtd", "quarter"],
  ["ytd", "year"],
]);

export function relativeAt(context: TimeContext, at: number): TimePhrase | null {
  const soFar = soFarAt(context, at);
  if (soFar > 0) return lengthened(relativeAt(context, at + soFar), soFar);
  const weekday = weekdayAt(context, at);
  return (
    dayWord(context, at) ??
    (weekday === null ? null : fixed({ from: weekday.day, to: weekday.day }, weekday.length)) ??
    rolling(context, at) ??
    calendar(context, at)
  );
}

function dayWord(context: TimeContext, at: number): TimePhrase | null {
  const { today } = context;
  switch (wordAt(context, at)) {
    case "today": {
      const soFar = soFarAt(context, at + 1);
      const time = fixed({ from: today, to: today }, 1 + soFar);
      return soFar > 0 ? time : { ...time, kind: "day" };
    }
    case "yesterday":
    case "yday":
      return fixed({ from: today - 1, to: today - 1 }, 1);
    case "tomorrow":
      return fixed({ from: today + 1, to: today + 1 }, 1);
    default:
      return null;
  }
}

/** "last 30 days", "past week", "next 14 days", "30d". */
function rolling(context: TimeContext, at: number): TimePhrase | null {
  const { today } = context;
  const word = wordAt(context, at);
  const short = /^l?(\d{1,3})d$/.exec(word);
  if (short !== null && Number(short[1]) > 0) return fixed(rollingBack("day", Number(short[1]), today), 1);
  const amount = amountAt(context, at + 1);
  if (LAST.has(word) && amount !== null) return fixed(rollingBack(amount.unit, amount.count, today), 1 + amount.length);
  if (NEXT.has(word) && amount !== null) return fixed(rollingOn(amount.unit, amount.count, today), 1 + amount.length);
  const unit = unitNamed(wordAt(context, at + 1));
  if (word === "past" && unit !== null) return fixed(rollingBack(unit, 1, today), 2);
  if (LAST.has(word) && wordAt(context, at + 1) === "fortnight") return fixed(rollingBack("week", 2, today), 2);
  return null;
}

/** "this week", "last month", "next quarter", "year to date". */
function calendar(context: TimeContext, at: number): TimePhrase | null {
  const { today } = context;
  const word = wordAt(context, at);
  const short = TO_DATE.get(word);
  if (short !== undefined) return unitUntilToday(short, 1, context);
  const direct = unitNamed(word);
  if (direct !== null && wordAt(context, at + 1) === "to" && wordAt(context, at + 2) === "date")
    return unitUntilToday(direct, 3, context);
  const gap = WHOLE.has(wordAt(context, at + 1)) ? 2 : 1;
  const unit = unitNamed(wordAt(context, at + gap));
  if (unit === null) return null;
  if (THIS.has(word) && wordAt(context, at + 1) === "coming") return fixed(calendarUnit(unit, today, 1), gap + 1);
  if (THIS.has(word)) return unitUntilToday(unit, gap + 1 + soFarAt(context, at + gap + 1), context);
  if (BACKWARD.has(word)) return { ...fixed(calendarUnit(unit, today, -1), gap + 1), calendarUnit: unit };
  return NEXT.has(word) ? { ...fixed(calendarUnit(unit, today, 1), gap + 1), calendarUnit: unit } : null;
}

/** Looking back, a calendar unit ends today; looking ahead it is all of it. */
export function unitUntilToday(unit: Unit, length: number, { today }: TimeContext): TimePhrase {
  const whole = calendarUnit(unit, today, 0);
  return { kind: "window", back: { from: whole.from, to: today }, ahead: whole, calendarUnit: unit, length };
}

/** "In the last month" are the days up to today, where "last month" is the one before this. */
export function recently(context: TimeContext, at: number): TimePhrase | null {
  const unit = wordAt(context, at) === "last" ? unitNamed(wordAt(context, at + 1)) : null;
  return unit === null ? null : fixed(rollingBack(unit, 1, context.today), 2);
}

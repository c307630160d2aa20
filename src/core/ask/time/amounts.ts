/** So much time: calendar units, and how many of them ("30 days", "two weeks", "30d"). */
import { numberOf } from "../lexicon/numbers.ts";
import { rollingBack, rollingOn, type Unit, UNITS } from "./calendar.ts";
import { type TimeContext, wordAt } from "./time-context.ts";
import type { TimePhrase } from "./time-phrase.ts";

export interface Amount {
  count: number;
  unit: Unit | "day";
  /** How many tokens it takes. */
  length: number;
}

const SHORT_UNITS: ReadonlyMap<string, string> = new Map([
  ["wk", "week"],
  ["wks", "weeks"],
  ["mo", "month"],
  ["mos", "months"],
  ["mth", "month"],
  ["qtr", "quarter"],
  ["yr", "year"],
]);
const MOST_DAYS = 3_660;
const DAYS_IN = { day: 1, week: 7, month: 30, quarter: 90, year: 365 } as const satisfies Record<Unit | "day", number>;

/** "week", and with days also "day", "days" and the plural of all of them. */
export function unitNamed(word: string): Unit | null;
export function unitNamed(word: string, orDay: true): Unit | "day" | null;
export function unitNamed(word: string, orDay = false): Unit | "day" | null {
  if (orDay && (word === "day" || word === "days")) return "day";
  const said = SHORT_UNITS.get(word) ?? word;
  return UNITS.find((unit) => unit === said || (orDay && `${unit}s` === said)) ?? null;
}

/** `null` also of more time than anybody asks for. */
export function amountAt(context: TimeContext, at: number): Amount | null {
  const glued = /^(\d{1,4})(d|w|days?|weeks?|months?)$/.exec(wordAt(context, at));
  const gluedUnit = unitNamed({ d: "day", w: "week" }[glued?.[2] ?? ""] ?? glued?.[2] ?? "", true);
  if (glued !== null && gluedUnit !== null) return inReach(Number(glued[1]), gluedUnit, 1);
  const count = numberOf(wordAt(context, at));
  const gap = wordAt(context, at + 1) === "calendar" ? 2 : 1;
  const unit = unitNamed(wordAt(context, at + gap), true);
  return count === null || unit === null ? null : inReach(count, unit, gap + 1);
}

const inReach = (count: number, unit: Unit | "day", length: number): Amount | null =>
  count < 1 || count * DAYS_IN[unit] > MOST_DAYS ? null : { count, unit, length };

function oneUnit(context: TimeContext, at: number): Amount | null {
  const unit = unitNamed(wordAt(context, at + 1), true);
  return unit === null ? null : { count: 1, unit, length: 2 };
}

/** "30 days", "two weeks", and after "for" and "in" also "a week". */
export function durationAt(context: TimeContext, at: number, isAfterPrefix: boolean): TimePhrase | null {
  const word = wordAt(context, at);
  const amount = isAfterPrefix && (word === "a" || word === "one") ? oneUnit(context, at) : amountAt(context, at);
  if (amount === null) return null;
  const { count, unit, length } = amount;
  const isFromNow = wordAt(context, at + length) === "from" && wordAt(context, at + length + 1) === "now";
  return {
    kind: "duration",
    back: rollingBack(unit, count, context.today),
    ahead: rollingOn(unit, count, context.today),
    length: length + (isFromNow ? 2 : 0),
  };
}

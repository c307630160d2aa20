/** From the times in a question to the windows of a plan, each rule by its own manner of time. */
import type { Day, Window } from "../../health/model.ts";
import { calendarUnit, DAYS_A_WEEK, justBefore, type Unit } from "./calendar.ts";
import type { AskWindow } from "../model.ts";
import type { Clock } from "./time-context.ts";
import type { TimePhrase } from "./time-phrase.ts";

/** What is taken where no time is said. */
export const DEFAULT_DAYS = 28;
/** The same of what is spoken of as going on ("still", "currently"). */
export const PRESENT_DAYS = 7;
/** The same of what was given up: as long as it takes to be told from a pause. */
export const SILENT_DAYS = 14;

/**
 * What a rule does with times. `past`: one or none, of what was. `ahead`: the same of what is to come. `two`: two of
 * them, or one and the one before it. `now`: none, bar "today". `week`: none or the last seven days. `silence`: as
 * `past`, or a stretch like "for 30 days".
 */
export type TimeUse = "now" | "past" | "ahead" | "two" | "week" | "silence";

/** A time and the words it was read from. */
interface SaidTime {
  time: TimePhrase;
  text: string;
}

export interface Windows {
  window: AskWindow;
  before: AskWindow;
  ever: AskWindow;
  /** Whether no time was said. */
  isDefault: boolean;
}

interface Tense {
  /** Whether the question is of what has ended. */
  isOver?: boolean;
  /** The days that are taken where no time is said. */
  days?: number;
}

/** `null` where the times are none that the rule takes. */
export function windowsFor(
  use: TimeUse,
  times: readonly SaidTime[],
  { today, firstDay }: Clock,
  { isOver = false, days = DEFAULT_DAYS }: Tense = {},
): Windows | null {
  const base = {
    ever: { from: Math.min(firstDay ?? today, today), to: today, phrase: "ever" },
    isDefault: times.length === 0,
  };
  const usual: AskWindow = { from: today - days + 1, to: today, phrase: null };
  const one = (window: AskWindow, unit?: Unit): Windows => ({
    ...base,
    window,
    before: { ...timeBefore(window, unit), phrase: window.phrase },
  });
  const [first] = times;
  if (use === "two") return twoOf(times, usual, base);
  if (times.length > 1) return null;
  switch (use) {
    case "now":
      return first === undefined || first.time.kind === "day" ? one(usual) : null;
    case "week":
      return first === undefined || isLastWeek(first.time, today) ? one(usual) : null;
    case "past":
      if (first === undefined) return one(usual);
      return isWindow(first.time) ? one(said(first, first.time.back), first.time.calendarUnit) : null;
    case "silence":
      if (first === undefined) return one(usual);
      // Who was silent in a window that is over may be back, and "since October" may mean its end.
      if (first.time.isSinceStretch === true) return null;
      return first.time.kind !== "previous" && first.time.back.to >= today ? one(said(first, first.time.back)) : null;
    case "ahead":
      if (first === undefined) return one(isOver ? usual : { from: today, to: today + days - 1, phrase: null });
      if (isWindow(first.time)) return one(said(first, isOver ? first.time.back : first.time.ahead));
      return first.time.kind === "duration" && !isOver ? one(said(first, first.time.ahead)) : null;
  }
}

const isWindow = ({ kind }: TimePhrase): boolean => kind === "window" || kind === "day";

/** The last seven days, or this week. */
const isLastWeek = ({ kind, back, calendarUnit: unit }: TimePhrase, today: Day): boolean =>
  kind === "window" && back.to === today && (unit === "week" || back.to - back.from + 1 === DAYS_A_WEEK);

const said = ({ text }: SaidTime, { from, to }: Window): AskWindow => ({ from, to, phrase: text });

/** The later of two and the earlier, which must lie apart; or one and the one before it. */
function twoOf(
  times: readonly SaidTime[],
  usual: AskWindow,
  base: Pick<Windows, "ever" | "isDefault">,
): Windows | null {
  const previous = times.filter(({ time }) => time.kind === "previous");
  const windows = times.filter(({ time }) => isWindow(time));
  if (windows.length + previous.length !== times.length || previous.length > 1) return null;
  const [first, second] = windows.map((time) => said(time, time.time.back)).toSorted((a, b) => b.from - a.from);
  if (previous[0] !== undefined) {
    if (second !== undefined) return null;
    const window = first ?? usual;
    const { unit, isCounted, back } = previous[0].time;
    if (isCounted === true && back.to - back.from !== window.to - window.from) return null;
    const isUnit = windows.some(({ time }) => time.calendarUnit === unit);
    const before = unit === undefined ? justBefore(window) : unitBefore(unit, window, isUnit);
    if (before === null) return null;
    return { ...base, isDefault: first === undefined, window, before: { ...before, phrase: previous[0].text } };
  }
  if (first === undefined || second === undefined || windows.length !== 2 || second.to >= first.from) return null;
  return { ...base, window: first, before: second };
}

/** What a window is held against: of a calendar unit that has only begun, as many days of the one before. */
function timeBefore(window: AskWindow, unit: Unit | undefined): Window {
  const isBegun = unit !== undefined && window.to < calendarUnit(unit, window.from, 0).to;
  if (!isBegun) return justBefore(window);
  const whole = calendarUnit(unit, window.from, -1);
  return { from: whole.from, to: Math.min(whole.to, whole.from + window.to - window.from) };
}

/** "The week before" is that of a week, whole or so far; of seven days it is the seven before. Of other times it is none. */
function unitBefore(unit: Unit, window: AskWindow, isUnit: boolean): Window | null {
  const whole = calendarUnit(unit, window.from, 0);
  if (isUnit || (window.from === whole.from && window.to === whole.to)) return calendarUnit(unit, window.from, -1);
  const isWeekLong = unit === "week" && window.to - window.from + 1 === DAYS_A_WEEK;
  return isWeekLong ? justBefore(window) : null;
}

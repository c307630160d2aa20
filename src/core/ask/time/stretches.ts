/** Stretches that begin, end or lie where another time does: "since March", "between A and B", "the month before", "ever". */
import { type Amount, amountAt, unitNamed } from "./amounts.ts";
import { rollingBack } from "./calendar.ts";
import { relativeAt, unitUntilToday } from "./relative-times.ts";
import { articleAt, phraseLength, type TimeContext, untilToday, wordAt } from "./time-context.ts";
import { fixed, longest, type TimePhrase } from "./time-phrase.ts";
import type { Point } from "./point.ts";
import { pointAt, pointPhrase } from "./time-points.ts";

const EVER: readonly string[] = [
  "ever",
  "all time",
  "of all time",
  "to date",
  "since the beginning",
  "since the very beginning",
  "since inception",
  "since day one",
  "since the start",
  "in its lifetime",
  "over all time",
  "historically",
  "in their lifetime",
  "so far",
  "up to now",
  "until now",
  "in total ever",
];
const PREVIOUS: readonly string[] = [
  "previous period",
  "prior period",
  "preceding period",
  "period before",
  "period before that",
  "same period before",
  "same length before",
  "before that",
  "than before",
  "previous one",
  "period just before",
  "period right before",
  "prior one",
  "one before",
  "time before",
];
/** Words after a time, and before one, that tell of the time before another. */
const BEFORE: ReadonlySet<string> = new Set("before prior earlier".split(" "));
const BEFORE_OTHERS: ReadonlySet<string> = new Set("previous preceding prior".split(" "));
/** What two times are compared by: "the last 28 days with the previous 28 days". */
const JOINTS: ReadonlySet<string> = new Set("vs versus with to against than and".split(" "));

/** From the first event on. */
export function ever(context: TimeContext, at: number): TimePhrase | null {
  const length = phraseLength(context, at, EVER);
  const { today, firstDay } = context;
  return length === 0 ? null : fixed({ from: Math.min(firstDay ?? today, today), to: today }, length);
}

/** "The month before", "the 14 days before", "with the previous 14 days", "the period before". */
export function previous(context: TimeContext, at: number): TimePhrase | null {
  const { today } = context;
  const none = { from: today, to: today };
  const unit = unitNamed(wordAt(context, at));
  if (unit !== null && BEFORE.has(wordAt(context, at + 1))) return { ...fixed(none, 2), kind: "previous", unit };
  const amount = amountBefore(context, at);
  if (amount !== null) {
    const window = rollingBack(amount.unit, amount.count, today);
    return { ...fixed(window, amount.length + 1), kind: "previous", isCounted: true };
  }
  const length = phraseLength(context, at, PREVIOUS);
  return length === 0 ? null : { ...fixed(none, length), kind: "previous" };
}

/** By itself "the previous 14 days" are those up to today. */
function amountBefore(context: TimeContext, at: number): Amount | null {
  const joint = at - 1 - articleAt(context, at - 1);
  const isJoined = BEFORE_OTHERS.has(wordAt(context, at)) && JOINTS.has(wordAt(context, joint));
  const counted = isJoined ? amountAt(context, at + 1) : null;
  const amount = counted ?? amountAt(context, at);
  return counted !== null || (amount !== null && BEFORE.has(wordAt(context, at + amount.length))) ? amount : null;
}

/** "since 1 March", "since last week", "since the start of the quarter", "from 1 March on". */
export function since(context: TimeContext, at: number): TimePhrase | null {
  const word = wordAt(context, at);
  if (word !== "since" && word !== "from" && word !== "starting") return null;
  let inside = at + 1 + articleAt(context, at + 1);
  const isBeginning = ["start", "beginning"].includes(wordAt(context, inside)) && wordAt(context, inside + 1) === "of";
  if (isBeginning) inside += 2 + articleAt(context, inside + 2);
  const unit = isBeginning ? unitNamed(wordAt(context, inside)) : null;
  const point =
    unit === null
      ? longest([relativeAt(context, inside), pointPhrase(context, inside)])
      : unitUntilToday(unit, 1, context);
  if (point === null) return null;
  const end = inside + point.length;
  const isOpen = ["on", "onward", "onwards"].includes(wordAt(context, end));
  if (word !== "since" && !isOpen) return null;
  const length = end - at + (isOpen && word !== "since" ? 1 : 0);
  return {
    ...fixed({ from: point.back.from, to: Math.max(context.today, point.back.from) }, length),
    ...(!isBeginning && point.back.from !== point.back.to && { isSinceStretch: true }),
  };
}

/** "between A and B", "from A to B", "A to B" of days. Both ends are included; neither is told from today. */
export function range(context: TimeContext, at: number): TimePhrase | null {
  const opening = wordAt(context, at);
  const isOpened = opening === "between" || opening === "from";
  const begin = isOpened ? at + 1 + articleAt(context, at + 1) : at;
  const first = pointAt(context, begin);
  if (first === null || (!isOpened && !isOneDay(first))) return null;
  const joint = begin + first.length;
  const joints = opening === "between" ? ["and"] : ["to", "until", "till", "through", "thru"];
  const isDashed = opening !== "between" && areDashed(context, joint);
  if (!isDashed && !joints.includes(wordAt(context, joint))) return null;
  const end = joint + (isDashed ? 0 : 1);
  const last = end + articleAt(context, end);
  const second = pointAt(context, last) ?? todayPoint(context, last);
  if (second === null || (!isOpened && !isOneDay(second))) return null;
  // Of both the last that has begun, and of what lies ahead the first that has not ended.
  const back = { from: first.back.from, to: second.back.to };
  const ahead = { from: first.ahead.from, to: second.ahead.to };
  const windows = [back, ahead].filter(({ from, to }) => from <= to);
  const [before = null, after = before] = windows;
  const length = last + second.length - at;
  return before === null || after === null
    ? null
    : { kind: "window", back: untilToday(before, context), ahead: after, length };
}

/** "1 Oct - 15 Oct": no more than a dash between two tokens. */
function areDashed({ text, tokens }: TimeContext, at: number): boolean {
  const [before, after] = [tokens[at - 1], tokens[at]];
  return (
    before !== undefined && after !== undefined && /^\s*(?:[-–—]|\.\.)\s*$/.test(text.slice(before.end, after.start))
  );
}

const isOneDay = ({ back }: Point): boolean => back.from === back.to;

function todayPoint(context: TimeContext, at: number): Point | null {
  const { today } = context;
  const window = { from: today, to: today };
  return ["today", "now"].includes(wordAt(context, at)) ? { back: window, ahead: window, length: 1 } : null;
}

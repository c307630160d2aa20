/** Reads times: "in the last 30 days", "this month", "October", "since 1 March", "between May and July", "next quarter". */
import type { Day } from "../../health/model.ts";
import { UNITS, type WindowName } from "../query/model.ts";
import { isoDate, startOf } from "../query/windows.ts";
import * as calendar from "./calendar.ts";

const { dateIn, lastUnits, monthOf, months, nextUnits, oneDay, since, span, unitOf } = calendar;

export interface TimePhrase {
  window: WindowName;
  /** The window for a date that may be in the future: "in January" is the next one. */
  ahead: WindowName;
  /** How many characters of the text it takes. */
  length: number;
  /** "before March": the window bounds dates that may be in the future. */
  isBound?: "before" | "after";
}

const AMOUNT = `(\\d{1,3}|a|an|couple of|few|${[...calendar.NUMBERS.keys()].join("|")})`;
const UNIT = "(day|week|month|quarter|year|fortnight|business day|working day)s?";
const LONG_UNIT = "(week|month|quarter|year)";
const MONTH = `(${calendar.MONTHS.map((name) => `${name}|${name.slice(0, 3)}`).join("|")}|sept)`;
const WEEKDAY = `(${calendar.WEEKDAYS.join("|")})`;
const YEAR = "(?: (\\d{4}))?";
const DATE = `(?:(\\d{4}) (\\d{2}) (\\d{2})|(?:the )?(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH}${YEAR}|${MONTH} (\\d{1,2})(?:st|nd|rd|th)?${YEAR})`;
/** A day or a month. */
const POINT = `(?:${DATE}|${MONTH}${YEAR})`;
const IN = "(?:(?:in|on|over|during|for|within|from|of|at|throughout) )?";
const START = "(?:the )?(?:start|beginning) of";
const MEETING = "(?:my |our |the )?(?:last |previous )?(?:call|meeting|review|qbr|ebr|kickoff) on";
const TO = "(?:and|to|until|till|through)";

/** @param isAhead whether the time belongs to a date that may be in the future, such as a contract's end */
type Groups = readonly [string, string, string, string, ...string[]];
type Reading = (groups: Groups, today: Day, isAhead: boolean) => WindowName | null;

/** Groups of `POINT`. */
function pointIn(groups: readonly string[], today: Day, isAhead: boolean): calendar.Span | null {
  const [month = "", year = ""] = groups.slice(9);
  return month === "" ? oneDay(dateIn(groups, today, isAhead)) : months(monthOf(month), 1, year, today, isAhead);
}

/** The phrases of windows, each with how its groups are read. The longest phrase that fits counts. */
const PHRASES: readonly (readonly [pattern: string, read: Reading])[] = [
  [
    `${IN}(?:the )?(first|second|third|fourth|last) quarter of (last|this|next) year`,
    ([which, year], today) =>
      months(3 * Math.min(3, calendar.ORDINALS.indexOf(which)), 3, calendar.yearNamed(year, today), today, true),
  ],
  [
    `${IN}(this|last) ${MONTH}`,
    ([which, month], today) =>
      months(monthOf(month), 1, which === "this" ? calendar.yearNamed("", today) : "", today, which === "this"),
  ],
  [
    `${IN}${MONTH} (?:of )?(last|this|next) year`,
    ([month, year], today) => months(monthOf(month), 1, calendar.yearNamed(year, today), today, true),
  ],
  [
    `(?:at )?(?:the )?end of ${MONTH}${YEAR}`,
    ([month, year], today, isAhead) => calendar.lastDay(months(monthOf(month), 1, year, today, isAhead)),
  ],
  [`(?:at )?(?:the )?end of last ${LONG_UNIT}`, ([unit], today) => oneDay(startOf(unitOf(unit), today) - 1)],
  [`${AMOUNT} ${UNIT} (?:ago|back)`, ([n, word], today) => oneDay(calendar.daysAgo(n, word, today))],
  [
    `${IN}(?:the |our |these |those )?(?:last|past|previous|prior|preceding|trailing|recent) ${AMOUNT} ${UNIT}`,
    ([n, unit]) => lastUnits(n, unit),
  ],
  [`(\\d{1,3}) ?(d|day|w|week)s?`, ([n, letter]) => lastUnits(n, letter.startsWith("w") ? "week" : "day")],
  [`(?:with)?in ${AMOUNT} ${UNIT}`, ([n, unit], _, isAhead) => (isAhead ? nextUnits(n, unit) : lastUnits(n, unit))],
  [
    `(?:since|for|over|more than|at least) ${AMOUNT} ${UNIT}(?: or (?:more|longer)| now)?`,
    ([n, unit]) => lastUnits(n, unit),
  ],
  [
    `(?:(?:in|over|during|within|for) the last|${IN}(?:the )?past|${IN}(?:last|previous)(?= fortnight)) ${UNIT}`,
    ([unit]) => lastUnits("a", unit),
  ],
  [`${IN}(?:last|previous) (day|week|month|quarter|year)`, ([unit]) => ({ previous: unitOf(unit) })],
  [
    `(?:so far )?${IN}(?:this|the current|current) ${LONG_UNIT}(?: (?:so far|to date|until now))?`,
    ([unit]) => ({ this: unitOf(unit) }),
  ],
  [`${LONG_UNIT} to date|since ${START} (?:the|this) ${LONG_UNIT}`, ([a, b]) => ({ this: unitOf(a || b) })],
  [`(w|m|q|y)td`, ([letter]) => ({ this: UNITS.find((unit) => unit.startsWith(letter)) ?? "month" })],
  [`${IN}today(?: so far)?|so far today`, () => ({ this: "day" })],
  [`so far`, () => ({ all: true })],
  [`yesterday`, () => ({ previous: "day" })],
  [`(?:by |on |for )?tomorrow`, (_, today) => oneDay(today + 1)],
  [
    `(?:since|after) (?:the )?(?:very )?(?:beginning|start|we started recording|you started counting)|(?:(?:since|from) )?(?:ever|all time|of all time|in total ever|to date|since the (?:very )?(?:beginning|start)|since (?:we )?(?:started|began)(?: recording)?|over all time|in the whole (?:recorded )?period|historically)`,
    () => ({ all: true }),
  ],
  [
    `(?:(?:with)?in (?:the )?(?:next )?${AMOUNT} ${UNIT} from (?:now|today)|${IN}(?:the )?(?:next|coming|upcoming|following) ${AMOUNT} ${UNIT})`,
    ([n, unit, other, otherUnit]) => nextUnits(n || other, unit || otherUnit),
  ],
  [`(?:in|over|during|within|for) the (?:next|coming) ${UNIT}`, ([unit]) => nextUnits("a", unit)],
  [
    `${IN}(?:the )?(?:next|coming) ${LONG_UNIT}`,
    ([unit], today) => calendar.unitAt(unitOf(unit), calendar.endOf(unitOf(unit), today) + 1),
  ],
  [
    `(?:by|until|before) (?:the end of (?:the|this) ${LONG_UNIT}|(?:the )?(month|quarter|year) end)`,
    ([a, b], today) => span(today, calendar.endOf(unitOf(a || b), today)),
  ],
  [
    `${IN}(?:q|quarter )([1-4])(?: (?:of )?(\\d{4}))?`,
    ([quarter, year], today, isAhead) => months(3 * Number(quarter) - 3, 3, year, today, isAhead),
  ],
  [
    `${IN}(?:the )?(?:whole |month )?(?:of )?${MONTH}${YEAR}`,
    ([month, year], today, isAhead) => months(monthOf(month), 1, year, today, isAhead),
  ],
  [
    `(?:(?:in|during|for|of|from|throughout) )?(20\\d\\d)`,
    ([year], today, isAhead) => months(0, 12, year, today, isAhead),
  ],
  [`(?:on |last |this |this past )${WEEKDAY}`, ([name], today) => calendar.weekday(name, today)],
  [`${IN}${DATE}`, (groups, today) => oneDay(dateIn(groups, today))],
  [
    `(?:since|from|starting) (?:last )?${WEEKDAY}(?: on)?`,
    ([name], today) => since(calendar.weekday(name, today), today),
  ],
  [
    `(?:since|starting|from) (?:${START} |${MEETING} )?${POINT}(?: on| onwards?)?`,
    (groups, today) => since(pointIn(groups, today, false), today),
  ],
  [
    `since (?:yesterday|last ${LONG_UNIT})`,
    ([unit], today) => span(startOf(unitOf(unit), startOf(unitOf(unit), today) - 1), today),
  ],
  [
    `(?:between|from) (?:the )?(\\d{1,2})(?:st|nd|rd|th)? ${TO} ${DATE}`,
    ([first, ...groups], today) => {
      const to = dateIn(groups, today);
      return to === null ? null : span(to - (Number(isoDate(to).slice(8)) - Number(first)), to);
    },
  ],
  [
    `(?:between|from) ${POINT} ${TO} ${POINT}`,
    (groups, today, isAhead) =>
      calendar.joined(pointIn(groups.slice(0, 11), today, isAhead), pointIn(groups.slice(11), today, isAhead)),
  ],
];

const BOUNDS: readonly (readonly [pattern: string, read: Reading, isBound: "before" | "after"])[] = [
  [
    `(?:more than|over) ${AMOUNT} ${UNIT} ago`,
    ([n, word], today) => oneDay(calendar.daysAgo(n, word, today) - 1),
    "before",
  ],
  [`before ${POINT}`, (groups, today, isAhead) => calendar.dayBefore(pointIn(groups, today, isAhead)), "before"],
  [`(?:until|by|till|up to) ${DATE}`, (groups, today, isAhead) => oneDay(dateIn(groups, today, isAhead)), "before"],
  [
    `(?:before|until|by|till) (?:the )?end of ${MONTH}${YEAR}`,
    ([month, year], today, isAhead) => calendar.lastDay(months(monthOf(month), 1, year, today, isAhead)),
    "before",
  ],
  [`after ${POINT}`, (groups, today, isAhead) => calendar.dayAfter(pointIn(groups, today, isAhead)), "after"],
];

const COMPILED = [...PHRASES, ...BOUNDS].map(([pattern, read, isBound]) => ({
  pattern: new RegExp(`(?:${pattern})(?![^ ])`, "y"),
  read,
  isBound,
}));

/**
 * Reads the longest time that begins at a position.
 * @param text normalized words, divided by single spaces
 */
export function timeAt(text: string, at: number, today: Day): TimePhrase | null {
  let best: TimePhrase | null = null;
  for (const { pattern, read, isBound } of COMPILED) {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match === null || match[0].length <= (best?.length ?? 0)) continue;
    const [, a = "", b = "", c = "", d = "", ...rest] = match;
    const groups: Groups = [a, b, c, d, ...rest.map((group: string | undefined) => group ?? "")];
    const window = read(groups, today, false);
    if (window === null) continue;
    const ahead = read(groups, today, true) ?? window;
    best = { window, ahead, length: match[0].length, ...(isBound && { isBound }) };
  }
  return best;
}

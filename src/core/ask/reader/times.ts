/** Reads times: "in the last 30 days", "this month", "October", "since 1 March", "between May and July", "next quarter". */
import type { Day } from "../../health/model.ts";
import { UNITS, type WindowName } from "../query/model.ts";
import { isoDate, startOf } from "../query/windows.ts";
import {
  betweenDates,
  dateIn,
  dayAfter,
  dayBefore,
  daysAgo,
  endOf,
  joined,
  lastDay,
  lastUnits,
  monthOf,
  MONTHS,
  months,
  nextUnit,
  nextUnits,
  NUMBERS,
  oneDay,
  ORDINALS,
  since,
  span,
  unitOf,
  weekday,
  WEEKDAYS,
  yearNamed,
  yearOf,
} from "./calendar.ts";

export interface TimePhrase {
  window: WindowName;
  /** The window for a date that may be in the future: "in January" is the next one. */
  ahead: WindowName;
  /** How many characters of the text it takes. */
  length: number;
  /** "before March": the window bounds dates that may be in the future. */
  isBound?: "before" | "after";
}
const AMOUNT = `(\\d{1,3}|a|an|couple of|few|${NUMBERS.join("|")}|twenty|thirty|sixty|ninety)`;
const UNIT = "(day|week|month|quarter|year|fortnight|business day|working day)s?";
const MONTH = `(${MONTHS.map((name) => `${name}|${name.slice(0, 3)}`).join("|")}|sept)`;
const WEEKDAY = `(${WEEKDAYS.join("|")})`;
const DATE = `(?:(\\d{4}) (\\d{2}) (\\d{2})|(?:the )?(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH}(?: (\\d{4}))?|${MONTH} (\\d{1,2})(?:st|nd|rd|th)?(?: (\\d{4}))?)`;
const IN = "(?:(?:in|on|over|during|for|within|from|of|at|throughout) )?";

/** @param isAhead whether the time belongs to a date that may be in the future, such as a contract's end */
type Reading = (groups: readonly string[], today: Day, isAhead: boolean) => WindowName | null;

/** Patterns of times, with functions that read their groups. The longest match counts. */
const PHRASES: readonly (readonly [pattern: string, read: Reading])[] = [
  [
    `${IN}(?:the )?(first|second|third|fourth|last) quarter of (last|this|next) year`,
    ([which = "", year = ""], today) =>
      months(3 * Math.max(0, ORDINALS.indexOf(which)), 3, yearNamed(year, today), today, true),
  ],
  [
    `${IN}(this|last) ${MONTH}`,
    ([which = "", month = ""], today) =>
      months(monthOf(month), 1, which === "this" ? String(yearOf(today)) : "", today, which === "this"),
  ],
  [
    `${IN}${MONTH} (?:of )?(last|this|next) year`,
    ([month = "", year = ""], today) => months(monthOf(month), 1, yearNamed(year, today), today, true),
  ],
  [
    `(?:at )?(?:the )?end of ${MONTH}(?: (\\d{4}))?`,
    ([month = "", year = ""], today, isAhead) => lastDay(months(monthOf(month), 1, year, today, isAhead)),
  ],
  [
    `(?:at )?(?:the )?end of last (week|month|quarter|year)`,
    ([unit = ""], today) => oneDay(startOf(unitOf(unit), today) - 1),
  ],
  [`${AMOUNT} ${UNIT} (?:ago|back)`, ([n = "", word = ""], today) => oneDay(daysAgo(n, word, today))],
  [
    `(?:since|after) (?:the )?(?:very )?(?:beginning|start|we started recording|you started counting)`,
    () => ({ all: true }),
  ],
  [
    `${IN}(?:the |our |these |those )?(?:last|past|previous|prior|preceding|trailing|recent) ${AMOUNT} ${UNIT}`,
    ([n = "", unit = ""]) => lastUnits(n, unit),
  ],
  [`(\\d{1,3}) ?(d|day|days)`, ([n = ""]) => ({ last: Number(n), unit: "day" })],
  [`(\\d{1,3}) ?(w|week|weeks)`, ([n = ""]) => ({ last: Number(n), unit: "week" })],
  [
    `(?:with)?in ${AMOUNT} ${UNIT}`,
    ([n = "", unit = ""], _, isAhead) => (isAhead ? nextUnits(n, unit) : lastUnits(n, unit)),
  ],
  [
    `(?:since|for|over|more than|at least) ${AMOUNT} ${UNIT}(?: or (?:more|longer)| now)?`,
    ([n = "", unit = ""]) => lastUnits(n, unit),
  ],
  [`(?:in|over|during|within|for) the (?:last|past) ${UNIT}`, ([unit = ""]) => lastUnits("a", unit)],
  [`${IN}(?:the )?past ${UNIT}`, ([unit = ""]) => lastUnits("a", unit)],
  [`${IN}(?:last|previous) (day|week|month|quarter|year)`, ([unit = ""]) => ({ previous: unitOf(unit) })],
  [`${IN}(?:last|previous) fortnight`, () => ({ last: 14, unit: "day" })],
  [
    `(?:so far )?${IN}(?:this|the current|current) (week|month|quarter|year)(?: (?:so far|to date|until now))?`,
    ([unit = ""]) => ({ this: unitOf(unit) }),
  ],
  [`(week|month|quarter|year) to date`, ([unit = ""]) => ({ this: unitOf(unit) })],
  [`(w|m|q|y)td`, ([letter = ""]) => ({ this: UNITS.find((unit) => unit.startsWith(letter)) ?? "month" })],
  [`${IN}today(?: so far)?|so far today`, () => ({ this: "day" })],
  [`(?:by |on |for )?tomorrow`, (_, today) => oneDay(today + 1)],
  [
    `(?:by|until|before) (?:the )?(month|quarter|year) end`,
    ([unit = ""], today) => span(today, endOf(unitOf(unit), today)),
  ],
  [`yesterday`, () => ({ previous: "day" })],
  [
    `(?:(?:since|from) )?(?:ever|all time|of all time|in total ever|to date|since the (?:very )?(?:beginning|start)|since (?:we )?(?:started|began)(?: recording)?|over all time|in the whole (?:recorded )?period|historically)`,
    () => ({ all: true }),
  ],
  [`${IN}(?:the )?(?:next|coming|upcoming|following) ${AMOUNT} ${UNIT}`, ([n = "", word = ""]) => nextUnits(n, word)],
  [
    `(?:with)?in (?:the )?(?:next )?${AMOUNT} ${UNIT}(?: from (?:now|today))`,
    ([n = "", word = ""]) => nextUnits(n, word),
  ],
  [`(?:in|over|during|within|for) the (?:next|coming) ${UNIT}`, ([unit = ""]) => nextUnits("a", unit)],
  [`${IN}(?:the )?(?:next|coming) (week|month|quarter|year)`, ([unit = ""], today) => nextUnit(unitOf(unit), today)],
  [
    `(?:by|until|before) the end of (?:the|this) (week|month|quarter|year)`,
    ([unit = ""], today) => span(today, endOf(unitOf(unit), today)),
  ],
  [
    `${IN}(?:q|quarter )([1-4])(?: (?:of )?(\\d{4}))?`,
    ([quarter = "", year = ""], today, isAhead) => months(3 * Number(quarter) - 3, 3, year, today, isAhead),
  ],
  [
    `${IN}(?:the )?(?:whole |month )?(?:of )?${MONTH}(?: (\\d{4}))?`,
    ([month = "", year = ""], today, isAhead) => months(monthOf(month), 1, year, today, isAhead),
  ],
  [
    `(?:(?:in|during|for|of|from|throughout) )?(20\\d\\d)`,
    ([year = ""], today, isAhead) => months(0, 12, year, today, isAhead),
  ],
  [`(?:on |last |this |this past )${WEEKDAY}`, ([name = ""], today) => weekday(name, today)],
  [`${IN}${DATE}`, (groups, today) => oneDay(dateIn(groups, today))],
  [`(?:since|from|starting) (?:last )?${WEEKDAY}(?: on)?`, ([name = ""], today) => since(weekday(name, today), today)],
  [`(?:since|starting|from) ${DATE}(?: on| onwards?)?`, (groups, today) => span(dateIn(groups, today) ?? today, today)],
  [
    `since (?:the )?(?:start|beginning) of ${MONTH}(?: (\\d{4}))?`,
    ([month = "", year = ""], today, isAhead) => since(months(monthOf(month), 1, year, today, isAhead), today),
  ],
  [
    `since (?:the )?(?:start|beginning) of (?:the|this) (week|month|quarter|year)`,
    ([unit = ""]) => ({ this: unitOf(unit) }),
  ],
  [
    `since ${MONTH}(?: (\\d{4}))?`,
    ([month = "", year = ""], today, isAhead) => since(months(monthOf(month), 1, year, today, isAhead), today),
  ],
  [
    `since last (week|month|quarter|year)`,
    ([unit = ""], today) => span(startOf(unitOf(unit), startOf(unitOf(unit), today) - 1), today),
  ],
  [`since yesterday`, (_, today) => span(today - 1, today)],
  [
    `(?:between|from) (?:the )?(\\d{1,2})(?:st|nd|rd|th)? (?:and|to|until|till|through) ${DATE}`,
    ([first = "", ...groups], today) => {
      const to = dateIn(groups, today);
      return to === null ? null : span(to - (Number(isoDate(to).slice(8)) - Number(first)), to);
    },
  ],
  [
    `since (?:my |our |the )?(?:last |previous )?(?:call|meeting|review|qbr|ebr|kickoff) on ${DATE}`,
    (groups, today) => span(dateIn(groups, today) ?? today, today),
  ],
  [`(?:between|from) ${DATE} (?:and|to|until|till|through) ${DATE}`, (groups, today) => betweenDates(groups, today)],
  [
    `(?:between|from) ${MONTH}(?: (\\d{4}))? (?:and|to|until|till|through) ${MONTH}(?: (\\d{4}))?`,
    ([a = "", ya = "", b = "", yb = ""], today, isAhead) =>
      joined(months(monthOf(a), 1, ya, today, isAhead), months(monthOf(b), 1, yb, today, isAhead)),
  ],
];

const BOUNDS: readonly (readonly [pattern: string, isBound: "before" | "after", read: Reading])[] = [
  [
    `(?:more than|over) ${AMOUNT} ${UNIT} ago`,
    "before",
    ([n = "", word = ""], today) => oneDay(daysAgo(n, word, today) - 1),
  ],
  [`before ${DATE}`, "before", (groups, today, isAhead) => dayBefore(oneDay(dateIn(groups, today, isAhead)))],
  [`(?:until|by|till|up to) ${DATE}`, "before", (groups, today, isAhead) => oneDay(dateIn(groups, today, isAhead))],
  [
    `(?:before|until|by|till) (?:the )?end of ${MONTH}(?: (\\d{4}))?`,
    "before",
    ([month = "", year = ""], today, isAhead) => lastDay(months(monthOf(month), 1, year, today, isAhead)),
  ],
  [
    `before ${MONTH}(?: (\\d{4}))?`,
    "before",
    ([month = "", year = ""], today, isAhead) => dayBefore(months(monthOf(month), 1, year, today, isAhead)),
  ],
  [
    `after ${MONTH}(?: (\\d{4}))?`,
    "after",
    ([month = "", year = ""], today, isAhead) => dayAfter(months(monthOf(month), 1, year, today, isAhead)),
  ],
  [`after ${DATE}`, "after", (groups, today, isAhead) => dayAfter(oneDay(dateIn(groups, today, isAhead)))],
];

const COMPILED = [
  ...PHRASES.map(([pattern, read]) => ({ pattern: new RegExp(`${pattern}(?![^ ])`, "y"), read, isBound: undefined })),
  ...BOUNDS.map(([pattern, isBound, read]) => ({ pattern: new RegExp(`${pattern}(?![^ ])`, "y"), read, isBound })),
];

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
    const window = read(match.slice(1), today, false);
    if (window === null) continue;
    const ahead = read(match.slice(1), today, true) ?? window;
    best = { window, ahead, length: match[0].length, ...(isBound && { isBound }) };
  }
  return best;
}

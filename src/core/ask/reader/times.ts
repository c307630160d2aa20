/** Reads times: "in the last 30 days", "this month", "October", "since 1 March", "between May and July", "next quarter". */
import type { Day } from "../../health/model.ts";
import { UNITS, type Unit, type WindowName } from "../query/model.ts";
import { dayOf, daysOf, isoDate, startOf } from "../query/windows.ts";

export interface TimePhrase {
  window: WindowName;
  /** The same for a date that may be to come: "in January" is the next one. */
  ahead: WindowName;
  /** How many characters of the text it takes. */
  length: number;
  /** "before March": everything up to a day, for dates that are still to come. */
  isBound?: "before" | "after";
}

const NUMBERS = "one two three four five six seven eight nine ten eleven twelve".split(" ");
const AMOUNT = `(\\d{1,3}|a|an|couple of|few|${NUMBERS.join("|")}|twenty|thirty|sixty|ninety)`;
const UNIT = "(day|week|month|quarter|year|fortnight|business day|working day)s?";
const MONTHS = "january february march april may june july august september october november december".split(" ");
const MONTH = `(${MONTHS.map((name) => `${name}|${name.slice(0, 3)}`).join("|")}|sept)`;
const WEEKDAYS = "sunday monday tuesday wednesday thursday friday saturday".split(" ");
const WEEKDAY = `(${WEEKDAYS.join("|")})`;
const DATE = `(?:(\\d{4}) (\\d{2}) (\\d{2})|(?:the )?(\\d{1,2})(?:st|nd|rd|th)?(?: of)? ${MONTH}(?: (\\d{4}))?|${MONTH} (\\d{1,2})(?:st|nd|rd|th)?(?: (\\d{4}))?)`;
const IN = "(?:(?:in|on|over|during|for|within|from|of|at|throughout) )?";

const amountOf = (text: string): number => {
  if (/^\d+$/.test(text)) return Number(text);
  const named: Readonly<Record<string, number>> = {
    a: 1,
    an: 1,
    "couple of": 2,
    few: 3,
    twenty: 20,
    thirty: 30,
    sixty: 60,
    ninety: 90,
  };
  return named[text] ?? NUMBERS.indexOf(text) + 1;
};

const unitOf = (word: string): Unit => UNITS.find((unit) => unit === word) ?? "day";

/** A number of units, counted in days where a fortnight is meant. */
const counted = (amount: number, word: string): { count: number; unit: Unit } =>
  word === "fortnight"
    ? { count: 14 * amount, unit: "day" }
    : { count: amount, unit: unitOf(word.split(" ").at(-1) ?? "") };

/** @param isAhead whether it is the time of a date that may be to come, as of a contract's end */
type Reading = (groups: readonly string[], today: Day, isAhead: boolean) => WindowName | null;

const lastUnits = (amount: string, word: string): WindowName => {
  const { count, unit } = counted(amountOf(amount), word);
  return { last: count, unit };
};

const span = (from: Day, to: Day): WindowName | null => (from > to ? null : { from: isoDate(from), to: isoDate(to) });

/** The phrases of windows, each with how its groups are read. The longest phrase that fits counts. */
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
    `(?:at |by )?(?:the )?end of ${MONTH}(?: (\\d{4}))?`,
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
  [`${IN}(20\\d\\d)`, ([year = ""], today, isAhead) => months(0, 12, year, today, isAhead)],
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
  [`(?:between|from) ${DATE} (?:and|to|until|till|through) ${DATE}`, (groups, today) => betweenDates(groups, today)],
  [
    `(?:between|from) ${MONTH}(?: (\\d{4}))? (?:and|to|until|till|through) ${MONTH}(?: (\\d{4}))?`,
    ([a = "", ya = "", b = "", yb = ""], today, isAhead) =>
      joined(months(monthOf(a), 1, ya, today, isAhead), months(monthOf(b), 1, yb, today, isAhead)),
  ],
];

const BOUNDS: readonly (readonly [pattern: string, isBound: "before" | "after", read: Reading])[] = [
  [`(?:before|until|by|till) ${DATE}`, "before", (groups, today) => oneDay(dateIn(groups, today, true))],
  [
    `(?:before|until|by|till) (?:the )?end of ${MONTH}(?: (\\d{4}))?`,
    "before",
    ([month = "", year = ""], today) => lastDay(months(monthOf(month), 1, year, today, true)),
  ],
  [
    `(?:before|until|till) ${MONTH}(?: (\\d{4}))?`,
    "before",
    ([month = "", year = ""], today) => dayBefore(months(monthOf(month), 1, year, today, true)),
  ],
  [
    `after ${MONTH}(?: (\\d{4}))?`,
    "after",
    ([month = "", year = ""], today) => dayAfter(months(monthOf(month), 1, year, today, true)),
  ],
  [`(?:after) ${DATE}`, "after", (groups, today) => oneDay(dateIn(groups, today, true))],
];

const COMPILED = [
  ...PHRASES.map(([pattern, read]) => ({ pattern: new RegExp(`${pattern}(?![^ ])`, "y"), read, isBound: undefined })),
  ...BOUNDS.map(([pattern, isBound, read]) => ({ pattern: new RegExp(`${pattern}(?![^ ])`, "y"), read, isBound })),
];

/**
 * Reads the longest time that begins at a place of a folded text.
 * @param text words divided by single spaces
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

const ORDINALS = ["first", "second", "third", "fourth"];
const yearNamed = (word: string, today: Day): string =>
  String(yearOf(today) + (word === "next" ? 1 : word === "last" ? -1 : 0));

const lastDay = (window: WindowName | null): WindowName | null =>
  window !== null && "to" in window ? { from: window.to, to: window.to } : null;
const dayBefore = (window: WindowName | null): WindowName | null =>
  window !== null && "from" in window ? oneDay(dayOf(window.from) - 1) : null;
const dayAfter = (window: WindowName | null): WindowName | null =>
  window !== null && "to" in window ? oneDay(dayOf(window.to) + 1) : null;

/** So many days, or the last day of the window of so many units. */
function daysAgo(amount: string, word: string, today: Day): Day {
  const { count, unit } = counted(amountOf(amount), word);
  return daysOf({ last: count, unit }, today).from - 1;
}

function nextUnits(amount: string, word: string): WindowName {
  const { count, unit } = counted(amountOf(amount), word);
  return { next: count, unit };
}

const endOf = (unit: Unit, day: Day): Day => {
  const start = startOf(unit, day);
  let next = day;
  while (startOf(unit, next) === start) next += 1;
  return next - 1;
};

function nextUnit(unit: Unit, today: Day): WindowName | null {
  const first = endOf(unit, today) + 1;
  return span(first, endOf(unit, first));
}

const monthOf = (name: string): number => MONTHS.findIndex((month) => month.startsWith(name.slice(0, 3)));

const utcDay = (year: number, month: number, date: number): Day =>
  dayOf(isoDate(Date.UTC(year, month, date) / 86_400_000));

const yearOf = (day: Day): number => Number(isoDate(day).slice(0, 4));

/** Months of a year, or else of the latest year in which they have begun; up to today, if they aren't over. */
function months(first: number, count: number, year: string, today: Day, isAhead = false): WindowName | null {
  if (isAhead) {
    const isOver = utcDay(yearOf(today), first + count, 1) <= today;
    const next = year === "" ? yearOf(today) + (isOver ? 1 : 0) : Number(year);
    return span(utcDay(next, first, 1), utcDay(next, first + count, 1) - 1);
  }
  const latest = utcDay(yearOf(today), first, 1) > today ? yearOf(today) - 1 : yearOf(today);
  const chosen = year === "" ? latest : Number(year);
  const [from, to] = [utcDay(chosen, first, 1), utcDay(chosen, first + count, 1) - 1];
  return span(from, from <= today ? Math.min(to, today) : to);
}

/** Groups of `DATE`. Without a year it is the latest such day, or the next one where a day ahead is meant. */
function dateIn(groups: readonly (string | undefined)[], today: Day, isAhead = false): Day | null {
  const [isoYear, isoMonth, isoDay, dateA, monthA, yearA, monthB, dateB, yearB] = groups;
  if (isoYear !== undefined) return valid(Number(isoYear), Number(isoMonth) - 1, Number(isoDay));
  const [date, month, year] = [Number(dateA ?? dateB), monthOf(monthA ?? monthB ?? ""), yearA ?? yearB];
  if (year !== undefined) return valid(Number(year), month, date);
  const here = valid(yearOf(today), month, date);
  if (here === null) return null;
  if (isAhead) return here < today ? valid(yearOf(today) + 1, month, date) : here;
  return here > today ? valid(yearOf(today) - 1, month, date) : here;
}

/** There is no 30 February. */
function valid(year: number, month: number, date: number): Day | null {
  const day = utcDay(year, month, date);
  return Number(isoDate(day).slice(8)) === date ? day : null;
}

const oneDay = (day: Day | null): WindowName | null => (day === null ? null : span(day, day));

const since = (window: WindowName | null, today: Day): WindowName | null =>
  window !== null && "from" in window ? span(dayOf(window.from), today) : null;

/** The latest such day before today. */
function weekday(name: string, today: Day): WindowName | null {
  const distance = (7 + ((today + 4) % 7) - WEEKDAYS.indexOf(name)) % 7;
  return oneDay(today - (distance === 0 ? 7 : distance));
}

function betweenDates(groups: readonly (string | undefined)[], today: Day): WindowName | null {
  const [from, to] = [dateIn(groups.slice(0, 9), today), dateIn(groups.slice(9), today)];
  return from === null || to === null ? null : span(from, to);
}

function joined(a: WindowName | null, b: WindowName | null): WindowName | null {
  return a !== null && b !== null && "from" in a && "from" in b ? span(dayOf(a.from), dayOf(b.to)) : null;
}

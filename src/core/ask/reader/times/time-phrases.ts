/**
 * The phrases of times. A simple time, such as "October" or "last week", may have a part chosen ("the first half of
 * October"), and fills the `{}` of phrases: "since October", "from last Monday to now", "before the end of October".
 */
import type { Day } from "../../../health/model.ts";
import { UNITS, type WindowName } from "../../query/model.ts";
import { windowDays, startOf } from "../../query/windows.ts";
import * as calendar from "./calendar.ts";

const { dateIn, endOf, lastUnits, monthOf, months, nextUnits, oneDay, range, unitAfter, unitOf } = calendar;

const AMOUNT = `(\\d{1,3}|a|an|half a(?= (?:fortnight|month|year))|couple of|a couple of|couple|few|a few|${[...calendar.NUMBER_WORDS.keys()].join("|")}|(?:twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety) (?:one|two|three|four|five|six|seven|eight|nine))`;
const UNIT = "(day|week|month|quarter|year|fortnight|business day|working day|workday|weekday)s?";
const LONG_UNIT = "(week|month|quarter|year)";
const MONTH = `(${calendar.MONTH_WORDS.map((name) => `${name}|${name.slice(0, 3)}`).join("|")}|sept)`;
const WEEKDAY = `(${calendar.WEEKDAY_WORDS.flatMap((name) => [name, name.slice(0, 3)]).join("|")}|tues|thur|thurs)`;
const YEAR = "(?:(?: of)?(?: |/)(20\\d\\d|(?:last|this|next) year))?";
const NTH = "(\\d{1,2})(?:st|nd|rd|th)";
const DATE = `(?:(20\\d\\d)(?: |/)(\\d{2})(?: |/)(\\d{2})|(?:the )?(\\d{1,2}|first(?= of))(?:st|nd|rd|th)?(?: of)? ${MONTH}${YEAR}|${MONTH} (?:the )?(\\d{1,2})(?:st|nd|rd|th)?${YEAR})`;
const IN =
  "(?:(?:in|on|over(?! 20\\d\\d| (?:\\w+ ){1,3}ago)|during|for|within|from(?! (?:the )?(?:very )?(?:begin|start))|of|at|throughout|as of) )?";
const HALF = "(?:the )?(first|1st|second|2nd) half(?: of)?";
const MEETING = "(?:my |our |the )?(?:last |previous )?(?:call|meeting|review|qbr|ebr|kickoff) on";
const TO = "(?: (?:(?:up )?to|until|till|til|(?:up |through |thru )(?:to|until|till|til)|through|thru)(?: the)? |[-–])";
const AND = `(?: and(?: the)? |${TO})`;
const NOW = "(?:now|today|date|the present|present|this day)";
const BEGAN =
  "(?:start|starts|started|begin|begins|began|beginning|launch|launched|came out|release|released|rollout|inception|day one)";
const RECORDING =
  "(?:record|records|recording|recordings|tracking|counting|collecting|collection|measuring|logging|data|history|time)";
/** The beginning of all records. */
const RECORDED = `(?:(?:whenever |when |time |moment |the |our |your |its |we |you |it |they |was |were )*(?:very )?(?:(?:first )?${BEGAN}(?: of)?(?: the| our)?(?: data)?(?: ${RECORDING})?|(?:data )?${RECORDING} (?:was |were |has )?${BEGAN}))`;

type Groups = readonly [string, string, string, string, ...string[]];
interface PhraseContext extends calendar.TimeContext {
  /** The times in the places of the phrase. */
  times: readonly WindowName[];
}
type ReadWindow = (groups: Groups, context: PhraseContext) => WindowName | null;
export type Phrase = readonly [pattern: string, read: ReadWindow, isBound?: "before" | "after"];

const lastOf: ReadWindow = ([n, unit], { today }) => lastUnits(n, unit, today);

/** Times that stand alone. */
export const SIMPLE_TIMES: readonly Phrase[] = [
  [
    `(?:the )?(first|second|third|fourth|last) quarter of ((?:last|this|next|the) year|20\\d\\d)`,
    ([which, year], { today }) =>
      months(3 * Math.min(3, calendar.ORDINAL_WORDS.indexOf(which)), 3, year, { today, isAhead: true }),
  ],
  [
    `(this|last|next) ${MONTH}`,
    ([which, month], { today }) =>
      months(monthOf(month), 1, which === "this" ? "this year" : "", { today, isAhead: which !== "last" }),
  ],
  [
    `(?:the )?(?:whole |entire |month )?(?:of )?${MONTH}${YEAR}`,
    ([month, year], when) => months(monthOf(month), 1, year, when),
  ],
  [`(?:q|quarter )([1-4])${YEAR}`, ([quarter, year], when) => months(3 * Number(quarter) - 3, 3, year, when)],
  [
    `(20\\d\\d|(?:last|this|next) year)(?: |/)q([1-4])`,
    ([year, quarter], when) => months(3 * Number(quarter) - 3, 3, year, when),
  ],
  [`h([12])${YEAR}`, ([half, year], when) => months(6 * Number(half) - 6, 6, year, when)],
  [
    `(?:kw|cw|calendar week|week|week number) ?(\\d{1,2})${YEAR}`,
    ([week, year], when) => calendar.weekOf(Number(week), year, when),
  ],
  [`(20\\d\\d)`, ([year], when) => months(0, 12, year, when)],
  [DATE, (groups, when) => dateIn(groups, when)],
  [
    `(\\d{1,2})([/.])(\\d{1,2})(?:\\2(20\\d\\d))?`,
    ([a, sign, b, year], when) => calendar.numericDate(a, b, year, sign === ".", when),
  ],
  [
    `${WEEKDAY} (?:of )?(last|this|next) week|(last|this|next) week(?: s| on)? ${WEEKDAY}`,
    ([a, weekA, weekB, b], { today }) => calendar.weekdayOf(a || b, weekA || weekB, today),
  ],
  [`(?:on |last |this |this past |past )${WEEKDAY}`, ([name], when) => calendar.weekday(name, when)],
  [
    `(?:next |coming |this coming )${WEEKDAY}`,
    ([name], { today }) => calendar.weekday(name, { today: today + 1, isAhead: true }),
  ],
  [`(?:the )?(last|past|this|the|next|coming) weekend`, ([which], when) => calendar.weekend(which, when)],
  [`(?:this|today) morning|today|(?:in )?the morning of today`, () => ({ this: "day" })],
  [`yesterday`, () => ({ previous: "day" })],
  [`tomorrow`, (_, { today }) => oneDay(today + 1)],
  [`(?:the )?day before yesterday`, (_, { today }) => oneDay(today - 2)],
  [`yesterday and today|today and yesterday|overnight|(?:last|yesterday) night`, () => ({ last: 2, unit: "day" })],
  [`${AMOUNT} ${UNIT} (?:ago|back)`, ([n, word], { today }) => oneDay(calendar.daysAgo(n, word, today))],
  [`${LONG_UNIT} ago`, ([word], { today }) => oneDay(calendar.daysAgo("a", word, today))],
  [`(?:the )?(?:last|previous) (day|week|month|quarter|year)`, ([unit]) => ({ previous: unitOf(unit) })],
  [
    `(?:the |this )?${LONG_UNIT} (?:that |which )?(?:passed|has passed|just passed)`,
    ([unit]) => ({ previous: unitOf(unit) }),
  ],
  [`the ${LONG_UNIT} (?:that|which) comes`, ([unit], { today }) => unitAfter(unitOf(unit), 1, today)],
  [
    `(?:this|the current|current) ${LONG_UNIT}(?: (?:so far|to date|until now|till now|up to now))?`,
    ([unit]) => ({ this: unitOf(unit) }),
  ],
  [`(?:the )?(?:next|coming) ${LONG_UNIT}`, ([unit], { today }) => unitAfter(unitOf(unit), 1, today)],
  [
    `(?:the )?${LONG_UNIT} (before last|after next)`,
    ([unit, which], { today }) => unitAfter(unitOf(unit), which === "before last" ? -2 : 2, today),
  ],
];

/** Times that need a word before them: "on the 15th", "by New Year". */
export const TIMES_AFTER_WORD: readonly Phrase[] = [
  [WEEKDAY, ([name], when) => calendar.weekday(name, when)],
  [`weekend`, (_, when) => calendar.weekend("", when)],
  [`the ${LONG_UNIT}`, ([unit]) => ({ this: unitOf(unit) })],
  [`(?:the )?${LONG_UNIT} end|end of ${LONG_UNIT}`, ([a, b], { today }) => oneDay(endOf(unitOf(a || b), today))],
  [
    `the ${NTH}(?= (?:at|by|in|for|from|of|to|until|till|and|or|vs|than|did|was|were|have|has|how|what|who|which) |$)`,
    ([date], when) => calendar.dateOfMonth(Number(date), when),
  ],
  [`(?:the )?(new years?(?: eve)?|christmas(?: eve)?|xmas)(?: day)?`, ([name], when) => calendar.holiday(name, when)],
];

/** Returns days chosen from those of the time in the place of a phrase. */
const daysIn =
  (choose: (from: Day, to: Day, today: Day, groups: Groups) => [Day, Day], isWhole = false): ReadWindow =>
  (groups, { times: [time], today }) => {
    if (time === undefined) return null;
    const { from, to } = windowDays(time, today);
    return range(...choose(from, isWhole && "this" in time ? endOf(time.this, from) : to, today, groups));
  };
const partOfTime = (choose: (from: Day, to: Day, groups: Groups) => [Day, Day]): ReadWindow =>
  daysIn((from, to, _, groups) => choose(from, to, groups), true);

/** Parts of a simple time. */
export const PARTS_OF_TIMES: readonly Phrase[] = [
  [
    `(?:the )?(?:mid|middle)(?: of)? {}`,
    partOfTime((from, to) => [from + ((to - from) >> 1) - 1, from + ((to - from) >> 1) - 1]),
  ],
  [
    `${HALF} {}`,
    partOfTime((from, to, [which]) => {
      const half = from + Math.floor((to - from + 1) / 2);
      const middle = to - from > 180 ? startOf("month", half) : half;
      return which === "first" || which === "1st" ? [from, middle - 1] : [middle, to];
    }),
  ],
  [
    `(?:the )?(first|last) (?:${AMOUNT} )?(day|week)s? of {}`,
    partOfTime((from, to, [which, n, unit]) => {
      const days = calendar.parseAmount(n) * (unit === "week" ? 7 : 1);
      return which === "first" ? [from, from + days - 1] : [to - days + 1, to];
    }),
  ],
  [
    `(?:the )?week (?:of|starting|beginning|commencing|from) {}`,
    partOfTime((from, to) => [startOf("week", from), from === to ? startOf("week", from) + 6 : 0]),
  ],
  [`(?:at )?(?:the )?(?:very )?(?:start|beginning) of {}`, partOfTime((from) => [from, from])],
  [`(?:at )?(?:the )?(?:very )?end of {}`, partOfTime((_, to) => [to, to])],
];

const joinedTimes: ReadWindow = (_, { times: [a, b], today }) =>
  a === undefined || b === undefined ? null : calendar.joinTimes(a, b, today);

/** "In more than 90 days": from the day after. */
const beyond: ReadWindow = ([more, n, word], { today }) =>
  oneDay(windowDays(nextUnits(n, word), today).to + (more === "at least" ? 0 : 1));

/** The phrases of windows. The longest match wins. */
export const WINDOW_PHRASES: readonly Phrase[] = [
  [
    `(?:since |${IN})(?:the |our |these |those )?(?:last|past|previous|prior|preceding|trailing|recent|latest) ${AMOUNT} ${UNIT}`,
    lastOf,
  ],
  [
    `(?:since |${IN}(?:the )?(?:last|past|previous) )?(24|48|72) ?(?:h|hr|hour)s?`,
    ([hours]) => ({ last: Math.max(2, Number(hours) / 24), unit: "day" }),
  ],
  [
    `${IN}(?:the )?(?:last|past|previous) (?:${AMOUNT} )?(?:full|complete|whole|completed) ${LONG_UNIT}s?`,
    ([n, unit], { today }) => calendar.fullUnits(calendar.parseAmount(n), unitOf(unit), today),
  ],
  [
    `(?:${IN}(?:the )?(last|past|previous) )?(\\d{1,3}) ?(d|day|w|week)s?`,
    ([past, n, unit], { today, isAhead }) => (isAhead && past === "" ? nextUnits(n, unit) : lastUnits(n, unit, today)),
  ],
  // "Against the 3 months before": the same time again.
  [`(?:the )?${AMOUNT} (month|quarter|year)s(?= (?:before|prior|earlier)(?: |$))`, lastOf],
  [
    `(?:(?:with)?in|inside) (?:less than |under )?${AMOUNT} ${UNIT}`,
    ([n, unit], { today, isAhead }) => (isAhead ? nextUnits(n, unit) : lastUnits(n, unit, today)),
  ],
  [
    `(?:since|(?:(?:for|since) )?(?:over|more than|at least)|for) ${AMOUNT} ${UNIT}(?: or (?:more|longer)| now)?`,
    lastOf,
  ],
  [
    `(?:(?:in|over|during|within|for) the last|${IN}(?:the )?past|${IN}(?:last|previous)(?= fortnight)) ${UNIT}`,
    ([unit], { today }) => lastUnits("a", unit, today),
  ],
  [
    `(?:so far )?${IN}(?:the )?${LONG_UNIT} to date|(?:since|from) (?:the )?(?:start|beginning) of (?:the|this) ${LONG_UNIT}`,
    ([a, b]) => ({ this: unitOf(a || b) }),
  ],
  [`(?:less than|under) ${AMOUNT} ${UNIT} ago`, lastOf],
  [`(w|m|q|y)td`, ([letter]) => ({ this: UNITS.find((unit) => unit.startsWith(letter)) ?? "month" })],
  [`(?:in|over|during|within|for) the (?:next|coming) ${UNIT}(?<!s)`, ([unit]) => nextUnits("a", unit)],
  [`(?:so far )?${IN}(?!mid|the mid){alone}(?: so far)?`, (_, { times: [time] }) => time ?? null],
  [
    `(?:in|on|over(?! 20\\d\\d| (?:\\w+ ){1,3}ago)|during|for|within|at|as of) (?!mid|the mid){}`,
    (_, { times: [time] }) => time ?? null,
  ],
  [
    `so far|(?:since|after|from) ${RECORDED}|(?:(?:since|from) )?(?:ever|at (?:any|some) (?:time|point)|all time|of all time|in total ever|to date|over all time|(?:in|over|during) the (?:whole|entire) (?:recorded )?(?:period|time)|historically)|(?:up )?(?:until|till|to) ${NOW}`,
    () => ({ all: true }),
  ],
  [
    `(?:(?:with)?in (?:the )?(?:next )?${AMOUNT} ${UNIT} from (?:now|today)|${IN}(?:the )?(?:next|coming|upcoming|following) ${AMOUNT} ${UNIT})`,
    ([n, unit, other, otherUnit]) => nextUnits(n || other, unit || otherUnit),
  ],
  [`(?:since|starting|from)(?: ${MEETING})? {}(?: beginning)?`, daysIn((from, _, today) => [from, today])],
  [
    `(?:since|starting|from) (?:the )?(?:very )?(?:begin|beginning|start)(?: of)? {}`,
    daysIn((from, _, today) => [from, today]),
  ],
  // "On 1 October and now" are two times.
  [`(?:since|between|from) {}${AND}${NOW}`, daysIn((from, _, today) => [from, today])],
  [`{}${TO}${NOW}`, daysIn((from, _, today) => [from, today])],
  [`(?:between|from) {}${AND}{}`, joinedTimes],
  // "From now to June": the next one, if June is over.
  [`(?:between|from) ${NOW}${AND}{}`, daysIn((_, to, today) => [today, to < today ? to + 365 : to])],
  [`since (?:yesterday|last) (?:morning|noon|afternoon|evening|night)`, () => ({ last: 2, unit: "day" })],
  [`{}${TO}{}`, joinedTimes],
  [
    `${IN}this ${LONG_UNIT} (?:or (?:the )?(?:last|previous)|and the previous)(?: one| \\1)?`,
    ([unit], { today }) => range(startOf(unitOf(unit), startOf(unitOf(unit), today) - 1), today),
  ],
  [
    `(?:on )?${WEEKDAY}(?: (?:and|or) (?:on )?|/)${WEEKDAY}`,
    ([a, b], when) => calendar.adjacent(calendar.weekday(a, when), calendar.weekday(b, when)),
  ],
  [
    `(?:(?:between|from) )?(?:the )?(\\d{1,2})(?:st|nd|rd|th)?${AND}${DATE}`,
    ([first, ...groups], when) => calendar.endingOn(Number(first), dateIn(groups, when)),
  ],
  [
    `(?:(?:between|from) )?${MONTH} (\\d{1,2})(?:st|nd|rd|th)?${TO}(\\d{1,2})(?:st|nd|rd|th)?${YEAR}`,
    ([month, first, last, year], when) =>
      calendar.endingOn(Number(first), dateIn(["", "", "", "", "", "", month, last, year ?? ""], when)),
  ],
  // Bounds of dates that may be in the future
  [`in (over|more than|at least) ${AMOUNT} ${UNIT}(?: from (?:now|today))?`, beyond, "after"],
  [`(over|more than|at least) ${AMOUNT} ${UNIT} (?:from (?:now|today)|away|ahead)`, beyond, "after"],
  [
    `(?:more than|over) ${AMOUNT} ${UNIT} ago`,
    ([n, word], { today }) => oneDay(calendar.daysAgo(n, word, today) - 1),
    "before",
  ],
  [
    `(?:(?:until|by|till|up to) (?!the ${LONG_UNIT}(?! end))|before (?=(?:the )?(?:(?:very )?end of|${LONG_UNIT} end))){}`,
    daysIn((_, to) => [to, to]),
    "before",
  ],
  [`(?:since|starting|from) {} on(?! (?:the|a) )`, daysIn((from) => [from, from]), "after"],
  [`(?:(?:since|starting|from) )?{} onwards?`, daysIn((from) => [from, from]), "after"],
  [`before {}`, daysIn((from) => [from - 1, from - 1]), "before"],
  [`after {}`, daysIn((_, to) => [to + 1, to + 1]), "after"],
];

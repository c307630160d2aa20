/** Writes filters as clauses, which follow a noun, complete "How many accounts", or ask about one subject. */
import { isWindowed } from "./canonical.ts";
import * as clauseWords from "./clause-words.ts";
import { byName, COUNTS, type DimensionType } from "./dimensions.ts";
import type { Filter, FilterValue, Find } from "./model.ts";
import { labelOf, entityText, numberText, quoteIfNeeded, type DisplayNames } from "./display-names.ts";
import { dayText, whenText } from "./window-texts.ts";
import { ENTITY_TYPES } from "./subjects.ts";
import { codeWords, fillTemplate, ONE, capitalize, WINDOWS } from "./words.ts";

export interface Clause {
  /** Follows a noun: `on the Business plan`, `that had no events`. */
  after: string;
  /** Completes "How many accounts": `are on the Business plan`. `null` if there is no such form. */
  main: string | null;
  /** Asks about one subject. */
  ask: (subject: string) => string;
  /** States or denies it for one subject. */
  say: (subject: string, holds: boolean) => string;
  /** What the clause denies: "active" for "not active". */
  opposite?: Clause;
}

export function clauseOf(filter: Filter, names: DisplayNames, find: Find = "accounts"): Clause {
  const { dimension, asOf, window, after, first } = filter;
  const type = byName(names.dimensions).get(dimension)?.type ?? "text";
  const asOfDay = asOf === undefined ? "" : fillTemplate(WINDOWS.asOf, { day: dayText(asOf) });
  const when = window === undefined || !isWindowed(filter) ? "" : ` ${whenText(window)}`;
  const before = clauseWords.AFTER[dimension === "plan" ? "plan" : "other"];
  const from = after === undefined ? "" : fillTemplate(before, { v: valueOf(dimension, type, after, names) });
  const label = labelOf(dimension, names);
  const [kind, places] = said(filter, type, names);
  // Restated queries have one form for the ends of all times.
  const isOver = names.isUnquoted === true && isOfPast(filter);
  const ended = isOver ? clauseWords.ENDED[dimension] : undefined;
  const own = ended ?? clauseWords.CLAUSES[`${find}.${dimension}`] ?? clauseWords.CLAUSES[dimension];
  const isLong = type === "boolean" || label.includes(" ");
  const ofType = (isLong ? clauseWords.LONG_LABEL[kind] : undefined) ?? clauseWords.CLAUSES_OF_TYPES[kind];
  const isOutcome = dimension !== "plan" && filter.became !== "trial";
  const isPlain = kind === "became" && isOutcome && after === undefined && first === undefined;
  const all = { ...places, label, changed: isPlain ? clauseWords.SOME_TIME : "" };
  const verb = clauseWords.BECAME[`${dimension} ${filter.became}`];
  const positive = positiveOf(filter);
  return {
    ...toClause(verb ?? own?.[kind] ?? ofType, all, `${first ? clauseWords.FIRST : ""}${from}${asOfDay}${when}`),
    ...(positive && { opposite: clauseOf(positive, names, find) }),
  };
}

const isOfPast = ({ within }: Filter): boolean => within !== undefined && ("last" in within || "previous" in within);

/** Returns what a filter denies, if it denies something. */
function positiveOf({ isNot, isUnknown, ...filter }: Filter): Filter | null {
  if (isNot !== undefined) return { ...filter, is: isNot };
  if (isUnknown === true) return { ...filter, isUnknown: false };
  const { is, ...rest } = filter;
  if (filter.dimension === "active" && is === false) return { ...rest, is: true };
  return is === 0 && COUNTS.has(filter.dimension) ? { ...rest, from: 1 } : null;
}

type Said = readonly [kind: clauseWords.ClauseKind, places: Readonly<Record<string, string>>];

function said(filter: Filter, type: DimensionType, names: DisplayNames): Said {
  const { dimension, is, in: several, within, isUnknown, changed } = filter;
  if (isUnknown !== undefined) return ["unknown", isUnknown ? clauseWords.UNKNOWN : clauseWords.KNOWN];
  if (changed !== undefined) return ["changed", clauseWords.CHANGES[changed]];
  if (within !== undefined) return ["date", { d: whenText(within) }];
  if (type === "date") return ["date", bounded(filter, type)];
  if (type === "number" || type === "percent") return [COUNTS.has(dimension) ? "count" : type, bounded(filter, type)];
  if (dimension === "active") return [is === true ? "is" : "isNot", {}];
  const kind = (["became", "newly", "isNot"] as const).find((each) => filter[each] !== undefined) ?? "is";
  const values = several ?? [filter[kind] ?? ""];
  return [kind, { v: values.map((each) => valueOf(dimension, type, each, names)).join(" or ") }];
}

function valueOf(dimension: string, type: DimensionType, value: FilterValue, names: DisplayNames): string {
  const entity = ENTITY_TYPES.get(dimension);
  if (entity !== undefined) return entityText(entity, value, names);
  if (type === "code") return codeWords(dimension, String(value));
  return type === "boolean" ? String(value) : quoteIfNeeded(String(value));
}

const BOUNDS = ["is", "isNot", "over", "under", "from", "to"] as const;

/** Returns the bound of a number or a date. */
function bounded(filter: Filter, type: DimensionType): Record<string, string> {
  const bound = BOUNDS.find((each) => filter[each] !== undefined) ?? "is";
  const { count, amount, ...on } = clauseWords.BOUNDS[bound];
  if ("day" in on && type === "date") return { d: `${on.day} ${dayText(String(filter[bound]))}` };
  const number = `${numberText(Number(filter[bound]))}${type === "percent" ? "%" : ""}`;
  const isNone = filter.is === 0 && (filter.dimension === "seats" || COUNTS.has(filter.dimension));
  return { n: isNone ? clauseWords.UNKNOWN.some : `${count} ${number}`, a: `${amount} ${number}` };
}

function toClause(words: clauseWords.ClauseWords, places: Record<string, string>, end: string): Clause {
  const { v = "", n = "", changed = "" } = places;
  const { after, main, auxiliary, base, one, whose } = words;
  const counted = (text: string) => (n.endsWith(" 1") ? text.replace(/( 1 (?:active |unused )?\w+)s\b/, "$1") : text);
  const filled = (text: string) => counted(fillTemplate(text, places));
  const ofOne = (text: string) => `${filled(text)}${end}`.replace(v, () => ONE.get(v) ?? v);
  const of = (subject: string) => (whose === undefined ? subject : `the ${fillTemplate(whose, places)} of ${subject}`);
  const denied = base.startsWith("not ") ? base.slice(4) : `not ${base}`;
  return {
    after: `${filled(after)}${changed}${end}`,
    main: main === null ? null : `${filled(main)}${changed}${end}`,
    ask: (subject) => `${capitalize(auxiliary)} ${of(subject)} ${ofOne(base)}`,
    say: (subject, holds) => `${of(subject)} ${holds ? ofOne(one) : `${auxiliary} ${ofOne(denied)}`}`,
  };
}

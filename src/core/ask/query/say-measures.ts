/** What restatements and answers both say of a query: its window, its comparison and the order of its measure. */
import { showsPast, usesWindow } from "./canonical.ts";
import { isSubject } from "./check.ts";
import { MEASURES, type Measure, type Query, type WindowName } from "./model.ts";
import { sayEntity, type Speech } from "./say-names.ts";
import { sayWhen, sayWindow } from "./say-windows.ts";
import { DEFAULT_WINDOW } from "./windows.ts";
import * as formWords from "./words-of-forms.ts";
import * as words from "./words.ts";

export const upper = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

/** The window that is said at the end. A summary has one only if it was given. */
export function windowOf(query: Query): WindowName | undefined {
  const isSaid =
    usesWindow(query) || (query.show === "summary" && query.where.some(({ window }) => window !== undefined));
  return isSaid ? (query.window ?? DEFAULT_WINDOW) : query.window;
}

/** ` in October 2026`, ` at the end of October 2026`: when something is counted, or when values are read. */
export function whenOf(query: Query, window: WindowName, other = false): string {
  if (!showsPast(query)) return ` ${sayWhen(window, other)}`;
  if (usesWindow(query)) return ` ${sayWhen(window, other)}${words.AT_ITS_END}`;
  return words.fill(words.AT_END, {
    w: "previous" in window && window.previous === "day" ? "yesterday" : sayWindow(window, other),
  });
}

/** Whether a restatement can begin with the window. */
export const canLead = (query: Query): boolean => query.compare === undefined && !showsPast(query);

/** `average MRR`, `median number of seats` */
export function aggregateOf({ aggregate, measure = "" }: Query, label: string): string | undefined {
  if (aggregate === undefined) return undefined;
  const isNumber = isCount(measure) || measure === "seats";
  return words.fill(formWords.AGGREGATE_WORDS[aggregate], {
    m: isNumber ? words.fill(formWords.NUMBER_OF, { m: label }) : label,
  });
}

export const joined = (texts: readonly string[]): string =>
  texts.length < 2 ? texts.join("") : `${texts.slice(0, -1).join(", ")} and ${texts.at(-1)}`;

const COUNTED: ReadonlySet<string> = new Set([
  "events",
  "active_users",
  "active_days",
  "active_accounts",
  "features_used",
]);
export const isCount = (measure: string): boolean => COUNTED.has(measure);

/** The kind of words that a measure or a dimension is ordered with. */
export function orderKind(by: string, { dimensions }: Speech): "count" | "amount" | "date" | "text" {
  if (isCount(by)) return "count";
  const type = dimensions.find(({ name }) => name === by)?.type;
  if (MEASURES.some((measure) => measure === by) || type === "number" || type === "percent") return "amount";
  return type === "date" ? "date" : "text";
}

/** `the last 28 days compared with …`: what a comparison is with. */
export function thenOf({ compare, window = DEFAULT_WINDOW }: Query, speech: Speech): string {
  if (compare === undefined) return "";
  const { to } = compare;
  if (to === "before") {
    const isDays = "last" in window && window.unit === "day";
    if (!isDays) return formWords.COMPARED.before[0];
    return `in ${words.fill(formWords.COMPARED.before[1], { n: String(window.last), unit: words.UNIT_WORDS.day[1] })}`;
  }
  if (!isSubject(to)) return sayWindow(to);
  if ("account" in to) return sayEntity("account", to.account, speech);
  return "user" in to ? sayEntity("user", to.user, speech) : sayEntity("feature", to.feature, speech);
}

export const isMeasure = (name: string): name is Measure => MEASURES.some((measure) => measure === name);

/** Writes values: numbers with their units, amounts, dates, and what they were before. */
import { isMoney } from "./check.ts";
import { ACTIVITY, byName, COUNTS } from "./dimensions.ts";
import { labelOf } from "./display-names.ts";
import { aggregateOf, countPhrase } from "./noun-phrases.ts";
import type { ResultRow } from "./result.ts";
import { type AnswerContext, comparisonText } from "./answer-context.ts";
import { isoDate } from "./windows.ts";
import { codeWords, ONE } from "./words.ts";

export const isCountMeasure = (measure: string): boolean => COUNTS.has(measure) || measure === "seats";

/** `12 events`, `$1,200`, `80% of seats`, `at risk`. `null` if the value is unknown. */
export function valueText(row: ResultRow, context: AnswerContext, name = context.query.measure ?? "events") {
  const { result, evidence } = context;
  const { value = null } = row;
  if (name === "account" && row.account) return evidence.name(row.account);
  if (value === null) return null;
  if (typeof value === "number") {
    if (isMoney(name)) return evidence.money(name, value, row.currency ?? null);
    const window = ACTIVITY.has(name) ? (result.window ?? undefined) : undefined;
    const state = name === "score" ? stateText(row, 0, context) : "";
    const figures = `${evidence.number(name, value, window)}${UNITS[name] ?? ""}${state}`;
    return aggregateOf(context) === undefined && isCountMeasure(name)
      ? countPhrase(figures, { plural: labelOf(name, context) })
      : figures;
  }
  const type = byName(context.dimensions).get(name)?.type;
  if (type === "date" && /^\d{4}-\d{2}-\d{2}$/.test(String(value))) return evidence.date(name, String(value));
  evidence.add(name, value);
  const text = cellText(name, value, context);
  return ONE.get(text)?.replace(/^a /, "") ?? text;
}

const UNITS: Readonly<Record<string, string>> = { seat_use: "% of seats", adoption: "% of active accounts" };

/** Returns a value that isn't a number. */
export function cellText(name: string, value: string | boolean, { dimensions }: AnswerContext): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  const isCode = byName(dimensions).get(name)?.type === "code";
  // "Scored as churned" tells the health from the stage, which a label does too.
  return isCode ? codeWords(name, value).replace(/^scored as /, "") : value;
}

/** ` (on watch)`: the state that belongs to a score, if scores are compared. */
function stateText({ states }: ResultRow, index: 0 | 1, { evidence }: AnswerContext): string {
  const state = states?.[index];
  if (typeof state !== "string") return "";
  evidence.add("health", state);
  return ` (${codeWords("health", state)})`;
}

/** `, 52 in the 28 days before: 35% fewer` */
export function beforeText(row: ResultRow, context: AnswerContext, other = comparisonText(context)): string {
  const { value, before, currency = null, since } = row;
  const { query, result, evidence } = context;
  const { measure = "events" } = query;
  if (query.compare === undefined || typeof value !== "number") return "";
  const then = since === undefined ? other : `on ${evidence.date("since", isoDate(since))}, the first score`;
  if (before === undefined || before === null) return `; no data ${then}`;
  const shown = isMoney(measure)
    ? evidence.money(measure, before, currency)
    : `${evidence.number(measure, before, result.before ?? undefined)}${UNITS[measure] ?? ""}${stateText(row, 1, context)}`;
  return `, ${shown} ${then}${changeText(value, before, context)}`;
}

function changeText(value: number, before: number, { query, evidence }: AnswerContext): string {
  const { measure = "events" } = query;
  const difference = Math.abs(value - before);
  const more = value > before ? "more" : isCountMeasure(measure) ? "fewer" : "less";
  if (value === before) return ": no change";
  if (UNITS[measure] !== undefined) return `: ${evidence.number("change", difference)} percentage points ${more}`;
  if (measure === "score")
    return `: ${value > before ? "up" : "down"} ${countPhrase(evidence.number("change", difference), { plural: "points" })}`;
  const percent = Math.round((100 * difference) / before);
  if (before <= 0 || !Number.isFinite(percent)) return "";
  return percent === 0 ? `: slightly ${more}` : `: ${evidence.number("change", percent)}% ${more}`;
}

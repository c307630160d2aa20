/** Rows in words: values, lines of a list, and groups. */
import type { Day } from "../../health/model.ts";
import { isPeriod, isSubject } from "./check.ts";
import { ACTIVITY, COUNTS } from "./dimensions.ts";
import { MAX_ROWS, type Unit } from "./model.ts";
import { labelOf } from "./names.ts";
import { aggregateOf, counted, directionOf, measureOf, orderKind, orderOf, textOf, thereAre } from "./nouns.ts";
import type { Cell, Entity, ResultRow } from "./result.ts";
import { type Answered, opening, thenText, timeText, type Told, told } from "./telling.ts";
import { dayOf, isoDate, startOf } from "./windows.ts";
import { codeWords, MOST, ONE, upper } from "./words.ts";

/** Maximum rows in the text. The value has all rows. */
const MAX_LINES = 10;

export function list(answered: Answered): Told {
  const { query, result, noun, voice, evidence } = answered;
  const { find, measure, limit, order } = query;
  const { rows, total } = result;
  const time = timeText(answered);
  if (rows.length === 0) return told(answered, `${upper(thereAre("0", noun))}${time}.`, []);
  const then = thenText(answered).replace(/^(?:in|of) /, "");
  const some = limit !== undefined && limit < total ? `${evidence.number("limit", rows.length)} of ` : "";
  const found = `${some}${counted(evidence.number(find, total), noun)}`;
  const by = order?.by ?? measure;
  const isOrdered = by !== undefined && total > 1 && orderKind(by, voice) !== "text";
  const areApart =
    new Set(rows.map(({ currency }) => currency)).size > 1 && isMoney(by === "change" ? (measure ?? "") : (by ?? ""));
  const sorted = isOrdered ? `, ${orderOf(query, by, voice)} first${areApart ? " in each currency" : ""}` : "";
  const compared = then === "" ? "" : `, compared with ${then}`;
  const comma = sorted === "" || time === "" ? "" : ",";
  const head = `${noun.names === null ? found : opening(answered, noun.text)}${sorted}${comma}${time}${compared}`;
  return told(answered, `${head}:${rowLines(answered, some === "" ? total : rows.length)}`, rowsOf(answered));
}

/** `Acme (churned)` */
export const nameText = (entity: Entity, { evidence }: Answered): string =>
  `${evidence.name(entity)}${entity.stage === "churned" ? " (churned)" : ""}`;

/** Writes a line for each row: its name and its values. */
export function rowLines(answered: Answered, total = answered.result.total): string {
  const { query, result, evidence } = answered;
  // The first line of the answer has the window.
  const then = query.compare !== undefined && !isSubject(query.compare.to) ? "before" : thenText(answered);
  const lines = result.rows.map((row) => {
    const name = row.entity ? nameText(row.entity, answered) : "the whole workspace";
    const texts = (query.with ?? []).map((column) => columnText(column, row, answered));
    if (row.item) texts.push(itemText(row.item, answered));
    else if (query.measure !== undefined) {
      const value = valueText(row, answered);
      texts.unshift(value === null ? "unknown" : `${value}${beforeText(row, answered, then)}`);
    } else if (query.show === "when" && typeof row.value === "string") texts.push(evidence.date("changed", row.value));
    return texts.length === 0 ? name : `${name}: ${texts.join(", ")}`;
  });
  return linesOf(lines, total, answered);
}

function itemText(item: NonNullable<ResultRow["item"]>, { evidence }: Answered): string {
  const { kind, severity, opened, about, status } = item;
  if (about !== null) evidence.add("about", about);
  const subject = about === null ? "" : ` (${about})`;
  const state = status === "open" ? "" : `, ${status}`;
  const day = evidence.date("opened", isoDate(opened));
  return `${codeWords("item_kind", kind)}${subject}, ${severity} severity${state}, opened ${day}`;
}

/** `plan Business`, `5 seats`, `MRR €100` */
function columnText(measure: string, { with: columns, currency = null }: ResultRow, answered: Answered): string {
  const text = valueText({ value: columns?.[measure] ?? null, currency }, answered, measure);
  return text !== null && isCounted(measure) ? text : `${labelOf(measure, answered.voice)} ${text ?? "unknown"}`;
}

/** Writes a line for each group, with its values in all currencies. */
export function groups(answered: Answered): Told {
  const { query, result, noun, voice, evidence } = answered;
  const { show, find, per = "", order, limit } = query;
  const what = measureOf(answered);
  const label = labelOf(per, voice);
  const time = timeText(answered);
  if (result.rows.length === 0)
    return told(answered, `${upper(thereAre("0", noun, find === "events" ? ["was", "were"] : undefined))}${time}.`, []);
  const values = new Map<string, string>();
  for (const row of result.rows) {
    const group = groupText(row.group ?? null, answered);
    const text = show === "count" ? evidence.number(find, Number(row.value ?? 0)) : valueText(row, answered);
    const others = values.get(group);
    values.set(group, `${others === undefined ? "" : `${others} and `}${text ?? "unknown"}`);
  }
  const [[group, value] = ["", ""]] = values;
  const top = `The ${label} with the ${MOST[directionOf(query)]} ${what}${time} is ${group}, with ${value}.`;
  if (order !== undefined && limit === 1) return told(answered, top, rowsOf(answered));
  const lines = Array.from(values, (each) => each.join(": "));
  const total = lines.length + (limit === undefined ? result.total - result.rows.length : 0);
  const text = linesOf(lines, total, answered, isPeriod(per) && order === undefined);
  const lead = show === "count" ? textOf(`${noun.head} per ${label}`, noun.clauses) : `${what} per ${label}`;
  return told(answered, `${upper(lead)}${time}:${text}`, rowsOf(answered));
}

function groupText(group: Entity | Cell, answered: Answered): string {
  const { query, evidence, voice } = answered;
  const { per = "" } = query;
  if (group === null) return `no ${labelOf(per, voice)}`;
  if (isEntity(group)) return nameText(group, answered);
  if (isPeriod(per)) {
    const day = evidence.date(per, String(group));
    const name = per === "month" ? day.slice(day.indexOf(" ") + 1) : per === "week" ? `the week from ${day}` : day;
    return `${name}${partText(per, dayOf(String(group)), answered)}`;
  }
  evidence.add(per, group);
  return cellText(per, typeof group === "number" ? String(group) : group, answered);
}

/** ` (from 24 Sep 2026)`, ` (so far)`: which part of a period was counted. */
function partText(unit: Unit, start: Day, { result: { window }, telling, evidence }: Answered): string {
  if (window === null) return "";
  if (start < window.from) return ` (from ${evidence.date("window", isoDate(window.from))})`;
  const isOver = startOf(unit, telling.today) > start;
  return isOver ? "" : " (so far)";
}

const isEntity = (group: Entity | Cell | undefined): group is Entity => typeof group === "object" && group !== null;

/** Writes at most ten lines, and how many more there are. Of periods, it keeps the newest. */
export function linesOf(lines: readonly string[], total: number, answered: Answered, areNewestLast = false): string {
  const shown = areNewestLast ? lines.slice(-MAX_LINES) : lines.slice(0, MAX_LINES);
  const more = total - shown.length;
  if (more <= 0) return shown.map((line) => `\n- ${line}`).join("");
  const rest = `and ${answered.evidence.number("more", more)} ${areNewestLast ? "earlier" : "more"}`;
  return (areNewestLast ? [rest, ...shown] : [...shown, rest]).map((line) => `\n- ${line}`).join("");
}

/** Rows as the answer's value has them. */
export function rowsOf({ query, result }: Answered): Record<string, unknown>[] {
  const measure = query.measure ?? (query.show === "count" ? "count" : query.find === "events" ? "events" : "value");
  return result.rows
    .slice(0, MAX_ROWS)
    .map(({ entity, group, value, with: columns, before, currency, account, item, health }) => ({
      ...(entity && idsOf(entity)),
      ...(group !== undefined && { [query.per ?? "group"]: isEntity(group) ? idsOf(group) : group }),
      ...(item && {
        id: item.id,
        kind: item.kind,
        severity: item.severity,
        status: item.status,
        opened: isoDate(item.opened),
      }),
      ...(value !== undefined && { [measure]: finite(value) }),
      ...(columns && Object.fromEntries(Object.entries(columns).map(([name, cell]) => [name, finite(cell)]))),
      ...(before !== undefined && { before: finite(before) }),
      ...(currency !== undefined && { currency }),
      ...(account && { account: account.externalId }),
      ...(health && { state: health.state, score: finite(health.score) }),
    }));
}

/** Churned accounts are marked wherever they are listed. */
const idsOf = ({ externalId, name, stage }: Entity) => ({
  externalId,
  ...(name !== null && { name }),
  ...(stage === "churned" && { stage }),
});

const finite = (value: Cell): Cell => (typeof value !== "number" ? value : Number.isFinite(value) ? value + 0 : null);

const isMoney = (measure: string): boolean => measure === "mrr" || measure === "arr";
export const isCounted = (measure: string): boolean => COUNTS.has(measure) || measure === "seats";

/** `12 events`, `$1,200`, `80% of seats`, `at risk`. `null` if the value is unknown. */
export function valueText(row: ResultRow, answered: Answered, name = answered.query.measure ?? "events") {
  const { result, evidence, voice } = answered;
  const { value = null } = row;
  if (name === "account" && row.account) return evidence.name(row.account);
  if (value === null || (typeof value === "number" && !Number.isFinite(value))) return null;
  if (typeof value === "number") {
    if (isMoney(name)) return evidence.money(name, value, row.currency ?? null);
    const window = ACTIVITY.has(name) ? (result.window ?? undefined) : undefined;
    const figures = `${evidence.number(name, value, window)}${UNITS[name] ?? ""}`;
    return aggregateOf(answered) === undefined && isCounted(name)
      ? counted(figures, { plural: labelOf(name, voice), clauses: [] })
      : figures;
  }
  const type = voice.dimensions.find((each) => each.name === name)?.type;
  if (type === "date" && /^\d{4}-\d{2}-\d{2}$/.test(String(value))) return evidence.date(name, String(value));
  evidence.add(name, value);
  const text = cellText(name, value, answered);
  return ONE.get(text)?.replace(/^a /, "") ?? text;
}

const UNITS: Readonly<Record<string, string>> = { seat_use: "% of seats", adoption: "% of active accounts" };

/** A value that isn't a number. */
function cellText(name: string, value: string | boolean, { voice }: Answered): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  const isCode = voice.dimensions.some((dimension) => dimension.name === name && dimension.type === "code");
  return isCode ? codeWords(name, value) : value;
}

/** `, 52 in the 28 days before: 35% fewer` */
export function beforeText(row: ResultRow, answered: Answered, then = thenText(answered)): string {
  const { value, before, currency = null } = row;
  const { query, result, evidence } = answered;
  const { measure = "events" } = query;
  if (query.compare === undefined || typeof value !== "number" || !Number.isFinite(value)) return "";
  if (before === undefined || before === null || !Number.isFinite(before)) return `; nothing known ${then}`;
  const shown = isMoney(measure)
    ? evidence.money(measure, before, currency)
    : `${evidence.number(measure, before, result.before ?? undefined)}${UNITS[measure] ?? ""}`;
  return `, ${shown} ${then}${changeText(value, before, answered)}`;
}

function changeText(value: number, before: number, { query, evidence }: Answered): string {
  const { measure = "events" } = query;
  const difference = Math.abs(value - before);
  const more = value > before ? "more" : isCounted(measure) ? "fewer" : "less";
  if (value === before) return ": no change";
  if (UNITS[measure] !== undefined) return `: ${evidence.number("change", difference)} percentage points ${more}`;
  const percent = Math.round((100 * difference) / before);
  if (before <= 0 || !Number.isFinite(percent)) return "";
  return percent === 0 ? `: slightly ${more}` : `: ${evidence.number("change", percent)}% ${more}`;
}

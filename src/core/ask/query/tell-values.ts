/** The values of rows in words. */
import { isListed } from "./canonical.ts";
import { figuresOf, type Telling } from "./telling.ts";
import type { Query } from "./model.ts";
import type { Cell, Entity, QueryResult, ResultRow } from "./result.ts";
import { type Grounds, several } from "./figures.ts";
import { labelOf } from "./say-names.ts";
import { isCount } from "./say-measures.ts";
import { CODES } from "./words.ts";

/** At most this many rows are told in the text. The value has the others too. */
const MAX_LINES = 10;

/** `12 events`, `$1,200`, `80% of seats`, `at risk`. `null` if the value is unknown. */
export function valueText(
  row: ResultRow,
  query: Query,
  result: QueryResult,
  grounds: Grounds,
  telling: Telling,
): string | null {
  const measure = query.measure ?? "events";
  const window = result.window ?? undefined;
  const { value = null } = row;
  if (measure === "account" && row.account) return grounds.name(row.account);
  if (value === null) return null;
  if (typeof value === "boolean") {
    grounds.add("trait", measure, value);
    return value ? "yes" : "no";
  }
  if (typeof value === "string") return textValue(measure, value, grounds, telling);
  if (!Number.isFinite(value)) return null;
  if (measure === "mrr" || measure === "arr") return grounds.money(measure, value, row.currency ?? null);
  if (measure === "seat_use") return `${grounds.number(measure, value, window)}% of seats`;
  if (measure === "adoption") return `${grounds.number(measure, value, window)}% of active accounts`;
  const figures = grounds.number(measure, value, figuresOf(measure) ? window : undefined);
  if (query.aggregate !== undefined) return figures;
  return isCount(measure) || measure === "seats" ? several(figures, labelOf(measure, telling)) : figures;
}

function textValue(measure: string, value: string, grounds: Grounds, { dimensions }: Telling): string {
  const isDate = dimensions.some(({ name, type }) => name === measure && type === "date");
  if (isDate && /^\d{4}-\d{2}-\d{2}$/.test(value)) return grounds.date(measure, value);
  grounds.add(measure.includes(".") ? "trait" : "attribute", measure, value);
  return measure === "stage" && value === "active" ? "customer" : (CODES[measure]?.[value] ?? value);
}

/** `, 52 in the 28 days before: 35% fewer` */
export function beforeText(
  { value, before, currency = null }: ResultRow,
  query: Query,
  result: QueryResult,
  then: string,
  grounds: Grounds,
): string {
  if (query.compare === undefined || typeof value !== "number" || !Number.isFinite(value)) return "";
  const measure = query.measure ?? "events";
  if (before === undefined || before === null || !Number.isFinite(before)) return `; nothing known ${then}`;
  const isMoney = measure === "mrr" || measure === "arr";
  const shown = isMoney
    ? grounds.money(measure, before, currency)
    : grounds.number(measure, before, result.before ?? undefined);
  const unit = measure === "seat_use" || measure === "adoption" ? "%" : "";
  return `, ${shown}${unit} ${then}${changeText(value, before, isCount(measure) || measure === "seats", grounds)}`;
}

function changeText(value: number, before: number, isCounted: boolean, grounds: Grounds): string {
  if (value === before) return ": no change";
  if (before <= 0) return "";
  const percent = Math.round((100 * Math.abs(value - before)) / before);
  if (!Number.isFinite(percent)) return "";
  if (percent === 0) return value > before ? ": slightly more" : ": slightly less";
  const less = isCounted ? "fewer" : "less";
  return `: ${grounds.number("change", percent)}% ${value > before ? "more" : less}`;
}

/** `Acme (churned)` */
export function nameText(entity: Entity, grounds: Grounds): string {
  return `${grounds.name(entity)}${entity.stage === "churned" ? " (churned)" : ""}`;
}

const isEntity = (group: Entity | Cell | undefined): group is Entity => typeof group === "object" && group !== null;

/** Rows as the answer's value has them. */
export function rowsOf(query: Query, rows: readonly ResultRow[]): Record<string, unknown>[] {
  const measure = query.measure ?? (query.show === "count" ? "count" : query.find === "events" ? "events" : "value");
  return rows.slice(0, 100).map(({ entity, group, value, with: columns, before, currency, account, item, health }) => ({
    ...(entity && idsOf(entity)),
    ...(group !== undefined && { [query.per ?? "group"]: isEntity(group) ? idsOf(group) : group }),
    ...(item && { id: item.id, kind: item.kind, severity: item.severity, status: item.status, opened: item.opened }),
    ...(value !== undefined && { [measure]: finite(value) }),
    ...(columns && Object.fromEntries(Object.entries(columns).map(([name, cell]) => [name, finite(cell)]))),
    ...(before !== undefined && { before: finite(before) }),
    ...(currency !== undefined && { currency }),
    ...(account && { account: account.externalId }),
    ...(health && { state: health.state, score: finite(health.score) }),
  }));
}

const idsOf = ({ externalId, name }: Entity) => ({ externalId, ...(name !== null && { name }) });

const finite = (value: Cell): Cell => (typeof value !== "number" ? value : Number.isFinite(value) ? value + 0 : null);

/** One line per row, at most ten, and how many more there are. Of periods the newest are told. */
export function linesOf(lines: readonly string[], total: number, grounds: Grounds, areNewestLast = false): string {
  const shown = areNewestLast ? lines.slice(-MAX_LINES) : lines.slice(0, MAX_LINES);
  const more = total - shown.length;
  const rest = more > 0 ? [`and ${grounds.number("more", more)} ${areNewestLast ? "earlier" : "more"}`] : [];
  const all = areNewestLast ? [...rest, ...shown] : [...shown, ...rest];
  return all.map((line) => `\n- ${line}`).join("");
}

/** A row of a list: the name and what is known of it. */
export function rowLine(
  row: ResultRow,
  query: Query,
  result: QueryResult,
  then: string,
  grounds: Grounds,
  telling: Telling,
): string {
  const name = row.entity ? nameText(row.entity, grounds) : "the whole workspace";
  if (row.item) {
    const { kind, severity, opened, about, status } = row.item;
    const subject = about === null ? "" : ` (${about})`;
    if (about !== null) grounds.add("item", "about", about);
    const since = grounds.date("opened", new Date(opened * 86_400_000).toISOString().slice(0, 10));
    const state = status === "open" ? "" : `, ${status}`;
    return `${name}: ${CODES["item_kind"]?.[kind]}${subject}, ${severity}${state}, opened ${since}`;
  }
  if (query.measure === undefined && query.show === "when" && typeof row.value === "string")
    return `${name}: ${grounds.date("changed", row.value)}`;
  if (!isListed(query)) return name;
  const columns = (query.with ?? []).map((column) => columnText(column, row, result, query, grounds, telling));
  if (query.measure === undefined) return columns.length === 0 ? name : `${name}: ${columns.join(", ")}`;
  const value = valueText(row, query, result, grounds, telling);
  const change = value === null ? "" : beforeText(row, query, result, then, grounds);
  return `${name}: ${[`${value ?? "unknown"}${change}`, ...columns].join(", ")}`;
}

/** `plan Business`, `5 seats`, `MRR €100` */
function columnText(
  measure: string,
  row: ResultRow,
  result: QueryResult,
  { find, where, show }: Query,
  grounds: Grounds,
  telling: Telling,
): string {
  const value = row.with?.[measure] ?? null;
  const label = labelOf(measure, telling);
  const { currency = row.currency } = row.with ?? {};
  const isMoney = measure === "mrr" || measure === "arr";
  if (isMoney && currency === undefined && typeof value === "number" && Number.isFinite(value))
    return `${label} ${grounds.number(measure, value)}`;
  const cell = { value, currency: typeof currency === "string" ? currency : null };
  const text = valueText(cell, { find, where, show, measure }, result, grounds, telling);
  return text !== null && (isCount(measure) || measure === "seats") ? text : `${label} ${text ?? "unknown"}`;
}

/** The rows of a grouping, those of one group in one line. */
export function groupLines(query: Query, result: QueryResult, grounds: Grounds, telling: Telling): string[] {
  const lines = new Map<string, string[]>();
  for (const row of result.rows) {
    const key = groupText(row.group ?? null, query.per ?? "", grounds, telling);
    const counted =
      query.show === "count"
        ? grounds.number(query.find, Number(row.value ?? 0))
        : valueText(row, query, result, grounds, telling);
    lines.set(key, [...(lines.get(key) ?? []), counted ?? "unknown"]);
  }
  return Array.from(lines, ([group, values]) => `${group}: ${values.join(" and ")}`);
}

function groupText(group: Entity | Cell, per: string, grounds: Grounds, telling: Telling): string {
  if (group === null) return `no ${labelOf(per, telling)}`;
  if (isEntity(group)) return nameText(group, grounds);
  if (per === "day" || per === "week" || per === "month")
    return `${per === "day" ? "" : `${per} from `}${grounds.date(per, String(group))}`;
  grounds.add("attribute", per, group);
  return typeof group === "boolean" ? (group ? "yes" : "no") : (CODES[per]?.[String(group)] ?? String(group));
}

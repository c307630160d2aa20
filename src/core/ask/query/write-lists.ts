/** Writes lists and groups. */
import type { Day } from "../../health/model.ts";
import { defaultAggregate } from "./canonical.ts";
import { isMoney, isPeriod } from "./check.ts";
import type { Unit } from "./model.ts";
import { labelOf } from "./display-names.ts";
import { countPhrase, directionOf, measureOf, nounOf, orderKind, orderOf, textOf, thereAre } from "./noun-phrases.ts";
import type { Cell, Entity, ResultRow } from "./result.ts";
import {
  type AnswerContext,
  asOpening,
  comparisonText,
  timeText,
  type WrittenAnswer,
  answerWith,
} from "./answer-context.ts";
import { comparesWithEntity } from "./subjects.ts";
import { countedPart, dayOf, isoDate, windowDays } from "./windows.ts";
import { beforeText, cellText, isCountMeasure, valueText } from "./value-texts.ts";
import { AGGREGATE_WORDS, codeWords, fillTemplate, ORDERS, capitalize } from "./words.ts";

/** Maximum rows in the text; twice as many for rankings in several currencies. The value has all rows. */
const MAX_LINES = 10;

export function writeList(context: AnswerContext): WrittenAnswer {
  const { query, result, noun, evidence } = context;
  const { find, measure, limit, order } = query;
  const { rows, total } = result;
  const time = timeText(context);
  if (rows.length === 0) return answerWith(context, noneText(context), []);
  const then = comparisonText(context).replace(/^(?:in|of|on|from) /, "");
  const some = limit !== undefined && limit < total ? `${evidence.number("limit", rows.length)} of ` : "";
  // Accounts without an amount aren't ranked.
  const isRanked = some !== "" && ranksMoney(context) && !query.where.some(({ dimension }) => dimension === "mrr");
  const known =
    isRanked && /^(?:mrr|arr)$/.test(order?.by ?? measure ?? "") ? [{ dimension: "mrr", isUnknown: false }] : [];
  const ranked = known.length === 0 ? noun : nounOf({ ...query, where: [...query.where, ...known] }, context);
  const found = `${some}${countPhrase(evidence.number(find, total), ranked)}`;
  const by = order?.by ?? measure;
  const isOrdered = by !== undefined && total > 1;
  const isText = isOrdered && orderKind(by, context) === "text";
  const isInbox = find === "items" && by === undefined && total > 1;
  const urgent = isInbox && query.where.some(({ dimension, is }) => dimension === "status" && is === "open");
  const sorted = urgent
    ? ", most urgent first"
    : isText
      ? `, sorted by ${orderOf(query, by, context)}`
      : isOrdered
        ? `, ${FIRST[by]?.[directionOf(query)] ?? orderOf(query, by, context)} first${currencyText(context)}`
        : "";
  const compared = then === "" ? "" : `, compared with ${then}`;
  const comma = sorted === "" || time === "" ? "" : ",";
  const what = noun.named === null ? found : asOpening(context, noun.text);
  // "Events in October 2026": each line names the account or user.
  const isBare = noun.named === "some" && noun.clauses.length === 0 && measure !== undefined;
  const head = isBare
    ? `${capitalize(labelOf(measure, context))}${time}${compared}`
    : `${what}${sorted}${comma}${time}${compared}`;
  return answerWith(context, `${head}:${rowLines(context, some === "" ? total : rows.length)}`, rowsOf(context));
}

/** What comes first, if "latest first day first" would say it badly. */
const FIRST: Partial<Readonly<Record<string, readonly [string, string]>>> = {
  first_seen: ["newest", "oldest"],
  last_seen: ["most recently active", "longest inactive"],
};

/** `There are no accounts.` Accounts without a loss aren't listed, so there may be some. */
export function noneText(context: AnswerContext): string {
  const { query, noun, evidence } = context;
  const of = query.where.length === 0 ? "" : ` of ${noun.text}`;
  if (query.measure === "mrr_lost") return `No MRR${of} was lost to churn and contraction${timeText(context)}.`;
  if (query.order?.by === "change") {
    const changed = query.order.direction === "up" ? "lost" : "gained";
    const { measure = "events", ...unmeasured } = query;
    return `No ${noun.many} ${changed} ${labelOf(measure, context)}${timeText({ ...context, query: unmeasured })}.`;
  }
  return `${capitalize(thereAre(evidence.number(query.find, 0), context))}${timeText(context)}.`;
}

/** `Acme (churned)` */
export const nameText = (entity: Entity, { evidence }: AnswerContext): string =>
  `${evidence.name(entity)}${entity.stage === "churned" ? " (churned)" : ""}`;

/** Writes a line for each row: its name and its values. */
export function rowLines(context: AnswerContext, total = context.result.total): string {
  const { query, result, evidence } = context;
  // The first line of the answer has the window.
  const then =
    query.compare !== undefined && !comparesWithEntity(query.compare.to) ? "before" : comparisonText(context);
  const lines = result.rows.map((row) => {
    const name = row.entity ? nameText(row.entity, context) : "the whole workspace";
    const texts = Object.keys(row.with ?? {}).map((column) => columnText(column, row, context));
    if (row.item) texts.unshift(itemText(row.item, context));
    else if (query.measure !== undefined) {
      const value = valueText(row, context);
      texts.unshift(
        value === null ? `no known ${labelOf(query.measure, context)}` : `${value}${beforeText(row, context, then)}`,
      );
    } else if (query.show === "when" && typeof row.value === "string") texts.push(evidence.date("changed", row.value));
    return texts.length === 0 ? name : `${name}: ${texts.join(", ")}`;
  });
  const rankings = [...Map.groupBy(lines, (_, index) => isApart(context) && result.rows[index]?.currency).values()];
  if (rankings.length < 2) return linesOf(lines, total, context);
  const each = Math.max(1, Math.floor((2 * MAX_LINES) / rankings.length));
  const first = rankings.flatMap((ranking) => ranking.slice(0, each)).slice(0, 2 * MAX_LINES);
  return linesOf(first, total, context, false, first.length);
}

/** Tests whether each currency has a ranking of its own. */
const isApart = (context: AnswerContext): boolean =>
  context.rates === undefined && ranksMoney(context) && hasSeveralCurrencies(context);

const hasSeveralCurrencies = ({ result: { rows } }: AnswerContext): boolean =>
  new Set(rows.map(({ currency }) => currency)).size > 1;

const ranksMoney = ({ query: { order, measure } }: AnswerContext): boolean =>
  isMoney(order === undefined || order.by === "change" ? measure : order.by);

/** Returns how amounts in several currencies are ranked. Those that aren't shown may be in another one. */
function currencyText(context: AnswerContext): string {
  const { rows, total } = context.result;
  if (isApart(context)) return " in each currency";
  const isAtRates = context.rates !== undefined && ranksMoney(context);
  return isAtRates && (hasSeveralCurrencies(context) || rows.length < total)
    ? " at the workspace's exchange rates"
    : "";
}

function itemText(item: NonNullable<ResultRow["item"]>, { evidence }: AnswerContext): string {
  const { kind, severity, opened, about, status } = item;
  if (about !== null) evidence.add("about", about);
  const subject = about === null ? "" : ` (${about})`;
  const state = status === "open" ? "" : `, ${status}`;
  const day = evidence.date("opened", isoDate(opened));
  return `${codeWords("item_kind", kind)}${subject}, ${severity} severity${state}, opened ${day}`;
}

/** `plan Business`, `5 seats`, `MRR €100` */
function columnText(measure: string, { with: columns, currency = null }: ResultRow, context: AnswerContext): string {
  const own = context.query.where.find(
    ({ dimension, window }) => dimension === measure && window !== undefined,
  )?.window;
  const window = own === undefined ? context.result.window : windowDays(own, context.today);
  const shown = { ...context, result: { ...context.result, window } };
  const text = valueText({ value: columns?.[measure] ?? null, currency }, shown, measure);
  if (text === null) return `no known ${labelOf(measure, context)}`;
  if (measure === "snoozed_until") return `snoozed until ${text}`;
  return isCountMeasure(measure) ? text : `${labelOf(measure, context)} ${text}`;
}

/** Writes a line for each group, with its values in all currencies. */
export function writeGroups(context: AnswerContext): WrittenAnswer {
  const { query, result, noun, evidence } = context;
  const { show, find, per = "", order, limit } = query;
  const isAverage = query.aggregate === undefined && defaultAggregate(query.measure) === "average";
  const what = isAverage ? fillTemplate(AGGREGATE_WORDS.average, { m: measureOf(context) }) : measureOf(context);
  const label = labelOf(per, context);
  const time = timeText(context);
  if (result.rows.length === 0) return answerWith(context, noneText(context), []);
  const values = new Map<string, string>();
  for (const row of result.rows) {
    const group = groupText(row.group ?? null, context);
    const text = show === "count" ? evidence.number(find, Number(row.value ?? 0)) : valueText(row, context);
    const others = values.get(group);
    values.set(group, `${others === undefined ? "" : `${others} and `}${text ?? "unknown"}`);
  }
  const [[group, value] = ["", ""]] = values;
  const kind = show === "count" ? "count" : orderKind(query.measure ?? "events", context);
  const most = fillTemplate(ORDERS[kind][directionOf(query)], { m: what });
  const top = `The ${label} with the ${most}${time} is ${group}, with ${value}.`;
  if (order !== undefined && limit === 1) return answerWith(context, top, rowsOf(context));
  const lines = Array.from(values, (each) => each.join(": "));
  const total = lines.length + (limit === undefined ? result.total - result.rows.length : 0);
  const text = linesOf(lines, total, context, isPeriod(per) && order === undefined);
  const lead = show === "count" ? textOf(`${noun.head} per ${label}`, noun.clauses) : `${what} per ${label}`;
  return answerWith(context, `${capitalize(lead)}${time}:${text}`, rowsOf(context));
}

function groupText(group: Entity | Cell, context: AnswerContext): string {
  const { query, evidence } = context;
  const { per = "" } = query;
  if (group === null) return `no ${labelOf(per, context)}`;
  if (isEntity(group)) return nameText(group, context);
  if (isPeriod(per)) {
    const day = evidence.date(per, String(group));
    const name = per === "month" ? day.slice(day.indexOf(" ") + 1) : per === "week" ? `the week from ${day}` : day;
    return `${name}${partText(per, dayOf(String(group)), context)}`;
  }
  evidence.add(per, group);
  return cellText(per, typeof group === "number" ? String(group) : group, context);
}

/** ` (from 24 Sep 2026)`, ` (so far)`, ` (no data)`: which part of a period was counted. */
function partText(unit: Unit, start: Day, context: AnswerContext): string {
  const part = countedPart(unit, start, context.result.window, context);
  if (typeof part === "number") return ` (from ${context.evidence.date("window", isoDate(part))})`;
  return part === null ? "" : ` (${part})`;
}

const isEntity = (group: Entity | Cell | undefined): group is Entity => typeof group === "object" && group !== null;

/** Writes at most ten lines, or `most`, and how many more there are. Of periods, it keeps the newest. */
export function linesOf(
  lines: readonly string[],
  total: number,
  context: AnswerContext,
  areNewestLast = false,
  most = MAX_LINES,
): string {
  const shown = areNewestLast ? lines.slice(-most) : lines.slice(0, most);
  const more = total - shown.length;
  const word = areNewestLast ? "earlier" : "more";
  const rest = more > 0 ? [`and ${context.evidence.number("more", more)} ${word}`] : [];
  return (areNewestLast ? [...rest, ...shown] : [...shown, ...rest]).map((line) => `\n- ${line}`).join("");
}

/** Returns rows as the answer's value has them. */
export function rowsOf({ query, result }: AnswerContext): Record<string, unknown>[] {
  const measure = query.measure ?? (query.show === "count" ? "count" : query.find === "events" ? "events" : "value");
  return result.rows.map(({ entity, group, value, with: columns, before, currency, account, item, health }) => ({
    ...(entity && idsOf(entity)),
    ...(group !== undefined && { [query.per ?? "group"]: isEntity(group) ? idsOf(group) : group }),
    ...(item && {
      id: item.id,
      kind: item.kind,
      severity: item.severity,
      status: item.status,
      opened: isoDate(item.opened),
    }),
    ...(value !== undefined && { [measure]: value }),
    ...columns,
    ...(before !== undefined && { before }),
    ...(currency !== undefined && { currency }),
    ...(account && { account: account.externalId }),
    ...(health && { state: health.state, score: health.score }),
  }));
}

/** Churned accounts are marked wherever they are listed. */
const idsOf = ({ externalId, name, stage }: Entity) => ({
  externalId,
  ...(name !== null && { name }),
  ...(stage === "churned" && { stage }),
});

/** Answers a query by going through all data of a world. */
import { showsPast, usesWindow } from "../../../src/core/ask/query/canonical.ts";
import { comparesWithEntity } from "../../../src/core/ask/query/subjects.ts";
import { type Filter, MAX_ROWS, MEASURES, PERIODS, type Query } from "../../../src/core/ask/query/model.ts";
import type { QueryResult, ResultRow } from "../../../src/core/ask/query/result.ts";
import { comparedDays, daysNamed } from "./days.ts";
import { boundValue, countedEvents, currencyOf, isMoneyName, matching, measureOf, population } from "./filters.ts";
import { accountEntity, type OracleInput, entityOf, healthOf, nameOf, type OracleRows, shown } from "./rows.ts";
import { sortedBy, type OracleWorld, textOf } from "./rows.ts";
import { periods, share, total } from "./totals.ts";
import { keyOf, pastValue, type Row, statusOf, type StoredItem, type Value } from "./values.ts";

/** Answers a query. `keyOf` or external ids replace internal ids in the result. */
export function oracleAnswer(world: OracleWorld, given: Query): QueryResult {
  const query = { ...given, where: [...withoutSupposed(given), ...openItems(given)] };
  const { window, before } = comparedDays(query, world.today);
  const isPast = before !== null || (query.window !== undefined && window.to < world.today);
  const ask = (own: Query): OracleInput => {
    const asked = { ...world, query: own, window, isPast, counted: [] };
    return own.find === "features" ? { ...asked, counted: countedEvents(asked) } : asked;
  };
  const asked = ask(query);
  const isCounted = query.show === "count" && (query.find === "accounts" || query.find === "users");
  const other = query.compare && (before === null ? ask(ofOther(query)) : { ...asked, window: before });
  const own = result(asked, other);
  const named = matching(asked)[0] ?? null;
  const hasStates =
    before !== null &&
    query.show === "value" &&
    query.measure === "score" &&
    query.where.some(({ dimension, is }) => dimension === "account" && is !== undefined);
  const days = query.where.flatMap(({ asOf }) =>
    asOf === undefined ? [] : [daysNamed({ from: asOf, to: asOf }, 0).to],
  );
  const existed = ({ account }: Row) =>
    query.find !== "accounts" || days.length === 0 || (account?.firstDay ?? Infinity) <= Math.max(...days);
  const stateOn = (day: number) => textOf(pastValue(asked, named?.account ?? null, "health", day));
  return {
    population: isCounted ? population(asked).filter(existed).length : null,
    ...own,
    ...(hasStates && {
      rows: own.rows.map((row) => ({
        ...row,
        states: [stateOn(window.to), stateOn(before.to)],
        ...(row.value !== null && row.before === null && firstScoreIn(asked, named, before.to + 1)),
      })),
    }),
    window: usesWindow(query) || showsPast(query) ? window : null,
    before,
  };
}

/** Returns the first score of an account from a day to the end of the window, if it had none before. */
function firstScoreIn(
  { healthDays, window }: OracleInput,
  named: Row | null,
  from: number,
): Pick<ResultRow, "before" | "since"> {
  const scored = healthDays.filter(({ account, score, day }) => {
    const isOwn = named?.account != null && account === keyOf(named.account);
    return isOwn && score !== null && day <= window.to;
  });
  const [first] = scored.toSorted((a, b) => a.day - b.day);
  return first === undefined || first.day < from ? {} : { before: first.score, since: first.day };
}

/** "Why is Acme at risk" explains any state of Acme. */
function withoutSupposed({ show, where }: Query): Query["where"] {
  const isOfOne = show === "why" && where.some(({ dimension, is }) => dimension === "account" && is !== undefined);
  const supposed = where.findIndex(({ dimension, is, asOf }) => dimension === "health" && is !== undefined && !asOf);
  return isOfOne ? where.filter((_, index) => index !== supposed) : where;
}

/** Finds open items, unless the query names their status or asks when they were opened. */
function openItems({ find, show, where, per = "", order }: Query): Query["where"] {
  const sorted = show === "list" && order !== undefined ? order.by : "";
  const named = [...where.map(({ dimension }) => dimension.replace("opened", "status")), per, sorted];
  return find === "items" && !named.some((name) => /^(?:status|resolved|dismissed|snoozed_until)$/.test(name))
    ? [{ dimension: "status", is: "open" }]
    : [];
}

/** Returns the query about the other side of its comparison. */
function ofOther(query: Query): Query {
  const to = query.compare?.to;
  if (to === undefined || !comparesWithEntity(to)) return query;
  const [[kind, name] = ["", ""]] = Object.entries(to);
  const dimension = kind === "feature" ? "event" : kind;
  return {
    ...query,
    where: query.where.map((filter) => (filter.dimension === dimension ? { dimension, is: name } : filter)),
  };
}

/** @param other the query about the other side of the comparison */
function result(asked: OracleInput, other: OracleInput | undefined): OracleRows & Partial<QueryResult> {
  const { find, show, measure, per } = asked.query;
  if (PERIODS.some((period) => period === per)) return periods(asked);
  if (show === "share") return share(asked);
  const isValue =
    (show === "value" || (show === "yes_no" && asked.query.compare !== undefined)) &&
    find !== "features" &&
    (MEASURES as readonly (string | undefined)[]).includes(measure);
  if (find !== "events" && show !== "count" && !isValue) return list(asked, other);
  const now = total(asked);
  if (other === undefined) return now;
  const then = new Map(total(other).rows.map(({ currency, value }) => [currency, value]));
  return { ...now, rows: now.rows.map((row) => ({ ...row, before: numberOf(then.get(row.currency)) })) };
}

const numberOf = (value: Value | undefined): number | null =>
  typeof value === "number" && Number.isFinite(value) ? value : null;

function list(asked: OracleInput, other: OracleInput | undefined): OracleRows {
  const { query, dimensions } = asked;
  const { measure, show, find, compare } = query;
  const order = query.order ?? orderOfEnds(query);
  const columns = columnsOf({ ...query, ...(order && { order }) });
  const isOtherEntity =
    compare !== undefined && comparesWithEntity(compare.to) && (find === "features" || !("feature" in compare.to));
  const listed = matching(asked).map((row) => {
    const value = measureOf(asked, row);
    const otherRow = isOtherEntity ? matching(other ?? asked)[0] : row;
    return { row, value, before: other === undefined || otherRow === undefined ? null : measureOf(other, otherRow) };
  });
  const by = order?.by ?? measure;
  const dimensionOf = (name: string | undefined) => dimensions.find((each) => each.name === name);
  const codes = dimensionOf(by)?.type === "code" ? dimensionOf(by)?.values : undefined;
  const ranksMoney = isMoneyName(by === "change" ? measure : by);
  const currencyIn = ({ row }: (typeof listed)[number]) => textOf(currencyOf(asked, row, measure));
  const rateOf = (each: (typeof listed)[number]) => (ranksMoney ? asked.rates?.[currencyIn(each) ?? ""] : undefined);
  const sortValue = (each: (typeof listed)[number]): Value => {
    const { row, value, before } = each;
    if (by === undefined) return row.item?.rank ?? null;
    if (by === "change")
      return typeof value === "number" && typeof before === "number" ? (value - before) * (rateOf(each) ?? 1) : null;
    const own = measureOf(asked, row, asked.window, by);
    if (ranksMoney) return typeof own === "number" ? own * (rateOf(each) ?? 1) : null;
    return codes === undefined || own === null ? own : codes.indexOf(String(own));
  };
  const ranked = sortedBy(listed, sortValue, order?.direction === "up", ({ row }) =>
    row.item ? -row.item.number : nameOf(row),
  ).filter((each) =>
    by === "change"
      ? Number(sortValue(each)) * (order?.direction === "up" ? -1 : 1) > 0
      : !isMoneyName(by) || sortValue(each) !== null,
  );
  const limit = query.limit ?? MAX_ROWS;
  // Those with a rate come first, in one ranking.
  const rankingOf = (each: (typeof listed)[number]) => (rateOf(each) === undefined ? currencyIn(each) : "");
  const apart = Map.groupBy(ranked, (each) => (ranksMoney ? rankingOf(each) : null));
  const sorted = sortedBy(
    [...apart],
    ([each]) => each,
    true,
    () => null,
  )
    .flatMap(([, each]) => each.slice(0, limit))
    .slice(0, ranksMoney && asked.rates !== undefined ? limit : MAX_ROWS);
  const shownAs = (value: Value, name: string | undefined) => shown(value, dimensionOf(name)?.type);
  const rows = sorted.map(({ row, value, before }): ResultRow => ({
    ...(row.item ? itemOf(asked, row, row.item) : { entity: entityOf(asked, row) }),
    ...(find === "users" && { account: accountEntity(asked, row.account) }),
    ...(measure === undefined
      ? show === "when" && { value: shown(value, "date") }
      : { value: shownAs(value, measure) }),
    ...(compare !== undefined && { before: numberOf(before) }),
    ...((ranksMoney || [measure, ...columns.map(({ name }) => name)].some(isMoneyName)) && {
      currency: textOf(currencyOf(asked, row, measure)),
    }),
    ...(columns.length > 0 && {
      with: Object.fromEntries(
        columns.map(({ name, filter }) => [
          name,
          shownAs(filter ? boundValue(asked, row, filter) : measureOf(asked, row, asked.window, name), name),
        ]),
      ),
    }),
    ...(show === "why" && { health: healthOf(asked, row) }),
  }));
  return { rows, total: ranked.length };
}

const isSpan = (filter: Filter): boolean =>
  (filter.within !== undefined && !("from" in filter.within && filter.within.from === filter.within.to)) ||
  typeof filter.from === "string" ||
  typeof filter.to === "string";

const isEnd = (name: string): boolean => name === "trial_ends" || name === "contract_ends";

/** Lists of trials and contracts by their ends have the nearest one first. */
function orderOfEnds({ find, show, where, measure = "", compare }: Query): Query["order"] {
  const isNamed = where.some(({ dimension, is }) => dimension === "account" && is !== undefined);
  if (find !== "accounts" || compare !== undefined || isNamed || show === "why") return undefined;
  if (isEnd(measure)) return { by: measure, direction: "up" };
  const spans = where.filter(
    (filter) => isSpan(filter) && (isEnd(filter.dimension) || filter.dimension.startsWith("account.")),
  );
  const [by] = spans.map(({ dimension }) => dimension).toSorted();
  if (by === undefined) return undefined;
  const own = spans.filter(({ dimension }) => dimension === by);
  const isPast = own.every(
    ({ to, within }) => to !== undefined || (within !== undefined && ("last" in within || "previous" in within)),
  );
  return { by, direction: isPast ? "down" : "up" };
}

const NOT_SHOWN = new Set(["opened", "item_kind", "severity", "status", "account", "change"]);

/** Returns what a list shows beside its measure: the query's columns, the order, and what filters bound. */
function columnsOf({
  find,
  show,
  where,
  measure,
  order,
  with: named = [],
}: Query): { name: string; filter?: Filter }[] {
  const columns = new Map<string, { name: string; filter?: Filter }>(named.map((name) => [name, { name }]));
  const add = (name: string, filter?: Filter) => {
    if (show !== "why" && !NOT_SHOWN.has(name) && !columns.has(name))
      columns.set(name, { name, ...(filter && { filter }) });
  };
  if (order !== undefined) add(order.by);
  for (const filter of where) {
    const { dimension: name, isNot, over, under, from, to, within, changed } = filter;
    const isBound = [over, under, from, to, within].some((each) => each !== undefined) || typeof isNot === "number";
    const isOwn = find !== "features" || /^(?:first_seen|last_seen|active|event|events|adoption|active_.*)$/.test(name);
    if (isOwn && (isBound || changed !== undefined)) add(name, isBound ? filter : undefined);
  }
  const isOf = (name: string, ...conditions: readonly string[]) =>
    where.some((each) => each.dimension === name && Object.keys(each).some((key) => conditions.includes(key)));
  if (show === "list" && find === "items" && where.some(({ is }) => is === "snoozed")) add("snoozed_until");
  if (show === "list" && find === "accounts") {
    if (isOf("health", "is", "in", "newly") && where.every(({ asOf }) => asOf === undefined)) add("score");
    if (isOf("contract_ends", "within", "from", "to")) {
      if (measure !== "mrr_lost" && measure !== "arr") add("mrr");
      add("health");
    }
  }
  columns.delete(measure ?? "");
  return [...columns.values()];
}

const itemOf = (asked: OracleInput, { account }: Row, item: StoredItem): Pick<ResultRow, "entity" | "item"> => {
  const { id, kind, severity, openedDay: opened, about } = item;
  return {
    entity: accountEntity(asked, account),
    item: { id, kind, severity, status: statusOf(item, asked.now), opened, about },
  };
};

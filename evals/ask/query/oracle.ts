/** Answers a query by going through everything that is known of a world. */
import { type Aggregate, MAX_ROWS, type Query } from "../../../src/core/ask/query/model.ts";
import { type QueryResult, type ResultRow } from "../../../src/core/ask/query/result.ts";
import { countEvents, countItems, featureValue, listItems, meetsOfFeature } from "./activity.ts";
import { comparedDays, type Days } from "./days.ts";
import { distinct } from "./fold.ts";
import {
  accountEntity,
  type All,
  codeOrder,
  entityOf,
  finite,
  groupsOf,
  healthOf,
  nameOf,
  type Part,
  shown,
  sortedBy,
  type Surroundings,
  textOf,
} from "./rows.ts";
import {
  changeDay,
  countOf,
  isIn,
  isSuperseded,
  meets,
  pastValue,
  restrictedTo,
  type Row,
  type Value,
  valueOf,
} from "./values.ts";

/** Internal ids in the result are those of `keyOf`, or external ids. */
export function answer(world: Surroundings, query: Query): QueryResult {
  const { window, before } = comparedDays(query, world.today);
  const asked = { ...world, query, window };
  const isCounted = query.show === "count" && (query.find === "accounts" || query.find === "users");
  const everyone = population({ ...asked, query: { ...query, where: [] } });
  return {
    population: isCounted ? everyone.length : null,
    ...result(asked, before),
    window: isWindowUsed(asked) ? window : null,
    before,
  };
}

function isWindowUsed(asked: All): boolean {
  const { query, dimensions } = asked;
  const { find, where, of = [], measure, order, compare } = query;
  const isActivity = (name: string | undefined) =>
    dimensions.some((each) => each.name === name && each.isActivity === true);
  const isRead = (name: string) => isActivity(name) || (isPast(asked, null) && HISTORIC.has(name));
  return (
    find === "events" ||
    compare !== undefined ||
    [measure ?? [], order?.by ?? [], query.with ?? []].flat().some(isRead) ||
    [...where, ...of].some(({ dimension, window, became, changed }) => {
      const counts =
        (isActivity(dimension) && (find !== "features" || dimension !== "event")) ||
        became !== undefined ||
        changed !== undefined;
      return window === undefined && counts;
    })
  );
}

const HISTORIC: ReadonlySet<string> = new Set(["stage", "plan", "seats", "mrr", "arr", "health", "score"]);

/** Whether past values are shown: those at the end of the window. */
const isPast = ({ query, window, today }: All, before: Days | null): boolean =>
  before !== null || (query.window !== undefined && window.to < today);

function result(asked: All, before: Days | null): Part & Partial<QueryResult> {
  const { find, show, measure } = asked.query;
  switch (find) {
    case "events":
      return compared(asked, before, countEvents);
    case "items":
      return show === "count" ? countItems(asked) : listItems(asked);
    case "features":
      return show === "count" ? countFeatures(asked) : listEntities(asked, before, featureMeasure);
    case "accounts":
    case "users":
      if (show === "share") return share(asked);
      if (show === "count" || (show === "value" && (measure === undefined || isTotal(measure))))
        return compared(asked, before, total);
      return listEntities(asked, before, measureOf);
  }
}

const COUNTS = ["events", "active_days", "active_users", "active_accounts", "features_used"];
const isTotal = (measure: string): boolean => [...COUNTS, "mrr", "arr", "seats", "seat_use", "score"].includes(measure);

/** A total with that of the other window, or of the other subject. */
function compared(asked: All, before: Days | null, of: (asked: All, day: number | null) => Part): Part {
  const to = asked.query.compare?.to;
  const day = isPast(asked, before) ? asked.window.to : null;
  if (to === undefined) return of(asked, day);
  const now = of(asked, day);
  const then =
    before === null ? of({ ...asked, query: ofOther(asked.query) }, day) : of({ ...asked, window: before }, before.to);
  return { ...now, rows: now.rows.map((row) => ({ ...row, before: beforeIn(then, row) })) };
}

const beforeIn = ({ rows }: Part, { currency }: ResultRow): number | null => {
  const found = rows.find((row) => row.currency === currency)?.value;
  return typeof found === "number" && Number.isFinite(found) ? found : null;
};

/** The query about what it is compared with. */
function ofOther(query: Query): Query {
  const to = query.compare?.to;
  if (typeof to !== "object") return query;
  const [[kind, name] = ["", ""]] = Object.entries(to);
  const dimension = kind === "feature" ? "event" : kind;
  return {
    ...query,
    where: query.where.map((filter) => (filter.dimension === dimension ? { dimension, is: String(name) } : filter)),
  };
}

/** The accounts, users or features that there are, with their filters not yet applied. */
function population(asked: All): Row[] {
  const { accounts, users, events, query } = asked;
  if (query.find === "users") return users.map((user) => ({ user, account: user.account }));
  if (query.find === "features")
    return distinct(events.map(({ name }) => name)).map((feature) => ({ feature, account: null }));
  return accounts.filter((account) => !isSuperseded(account, asked)).map((account) => ({ account }));
}

const matching = (asked: All): Row[] =>
  asked.query.find === "features"
    ? population(asked).filter((row) => asked.query.where.every((filter) => meetsOfFeature(asked, row, filter)))
    : population(asked).filter((row) => asked.query.where.every((filter) => meets(asked, row, filter)));

/** The measure of a row in a window; past values at its end. */
function measureOf(asked: All, row: Row, window: Days, isPastShown: boolean): Value {
  const { measure, show, where } = asked.query;
  const change = where.find(({ became, changed }) => became !== undefined || changed !== undefined);
  if (measure === undefined) return show === "when" && change !== undefined ? changeDay(asked, row, change) : null;
  const stored = measure === "arr" ? "mrr" : measure;
  const isOfDay = isPastShown && HISTORIC.has(stored);
  const value = isOfDay ? pastValue(asked, row.account, stored, window.to) : valueOf(asked, row, stored, window);
  return measure === "arr" && typeof value === "number" ? 12 * value : value;
}

type Measure = typeof measureOf;

function listEntities(asked: All, before: Days | null, of: Measure): Part {
  const { query } = asked;
  const { measure, order, show, find, compare } = query;
  const isPastShown = isPast(asked, before);
  const other = compare !== undefined && before === null ? { ...asked, query: ofOther(query) } : null;
  const otherValue = (row: Row): Value => {
    if (before !== null) return of(asked, row, before, true);
    if (other === null) return null;
    if (find !== "features" && typeof compare?.to === "object" && "feature" in compare.to)
      return of(other, row, asked.window, isPastShown);
    const [only] = matching(other);
    return only === undefined ? null : of(other, only, asked.window, isPastShown);
  };
  const further = (row: Row, name: string): Value =>
    of({ ...asked, query: { ...query, measure: name } }, row, asked.window, isPastShown);
  const listed = matching(asked).map((row) => ({
    row,
    value: of(asked, row, asked.window, isPastShown),
    before: otherValue(row),
  }));
  const sortValue = (each: (typeof listed)[number]): Value => {
    const by = order?.by ?? measure;
    if (by === undefined) return nameOf(each.row);
    if (by === "change")
      return typeof each.value === "number" && typeof each.before === "number" ? each.value - each.before : null;
    if (by === measure) return each.value;
    return further(each.row, by);
  };
  const byName = order === undefined && measure === undefined;
  const isUp = (order?.direction ?? (byName ? "up" : "down")) === "up";
  const codes = asked.dimensions.find(({ name, type }) => name === (order?.by ?? measure) && type === "code")?.values;
  const sorted = sortedBy(
    listed,
    (each) => codeOrder(sortValue(each), codes),
    isUp,
    ({ row }) => nameOf(row),
  );
  const typeOf = (name: string | undefined) => asked.dimensions.find((each) => each.name === name)?.type;
  const type = typeOf(measure) ?? (show === "when" ? "date" : undefined);
  const rows = sorted.map(({ row, value, before: earlier }): ResultRow => ({
    entity: entityOf(asked, row),
    ...(find === "users" && { account: accountEntity(asked, row.account) }),
    ...((measure !== undefined || show === "when") && { value: shown(value, type) }),
    ...(compare !== undefined && { before: typeof earlier === "number" && Number.isFinite(earlier) ? earlier : null }),
    ...((measure === "mrr" || measure === "arr") && { currency: textOf(valueOf(asked, row, "currency")) }),
    ...(query.with && {
      with: Object.fromEntries(query.with.map((name) => [name, shown(further(row, name), typeOf(name))])),
    }),
    ...(show === "why" && { health: healthOf(asked, row) }),
  }));
  return { rows: rows.slice(0, query.limit ?? MAX_ROWS), total: rows.length, matched: rows.length };
}

/** What the matching accounts or users come to together, per group and currency. */
function total(asked: All, pastDay: number | null): Part {
  const { query } = asked;
  const { show, per, order, limit, find, aggregate } = query;
  const measure = show === "value" ? (query.measure ?? "count") : "count";
  const rows = matching(asked);
  const isMoney = measure === "mrr" || measure === "arr";
  const groups = groupsOf(asked, rows, per);
  const all = groups.length > 0 || per !== undefined ? groups : [{ key: null, label: null, shown: null, rows: [] }];
  const ownValue = (row: Row): number | null => {
    const value = measureOf(asked, row, asked.window, pastDay !== null);
    return typeof value === "number" ? value : null;
  };
  const sums = all.flatMap((group) => {
    const known = group.rows.filter((row) =>
      aggregate !== undefined
        ? ownValue(row) !== null
        : measure === "count" || COUNTS.includes(measure) || storedValue(asked, row, measure, pastDay) !== null,
    );
    if (known.length === 0 && (per !== undefined || isMoney)) return [];
    const currencies = isMoney ? distinct(known.map((row) => textOf(valueOf(asked, row, "currency")))) : [null];
    return currencies.map((currency) => {
      const own = isMoney ? known.filter((row) => valueOf(asked, row, "currency") === currency) : known;
      const value =
        aggregate === undefined
          ? sumOf(asked, own, measure, pastDay)
          : aggregated(
              aggregate,
              own.flatMap((row) => ownValue(row) ?? []),
            );
      return { group, currency, value, count: own.length };
    });
  });
  const isUp = order?.direction === "up";
  const byCurrency = sortedBy(
    sums,
    () => 0,
    true,
    ({ currency }) => currency,
  );
  const sorted = sortedBy(
    byCurrency,
    ({ value }) => value,
    isUp,
    ({ group }) => group.label,
  );
  const shownRows = sorted.map(({ group, currency, value, count }): ResultRow => ({
    ...(per !== undefined && { group: group.shown }),
    ...(isMoney && { currency }),
    value: finite(value),
    count,
  }));
  return {
    rows: shownRows.slice(0, limit ?? MAX_ROWS),
    total: shownRows.length,
    matched: find === "accounts" || find === "users" ? rows.length : null,
  };
}

function aggregated(aggregate: Aggregate, values: readonly number[]): number | null {
  const sum = (of: readonly number[]) => of.reduce((all, value) => all + value, 0);
  if (values.length === 0) return null;
  if (aggregate === "sum") return sum(values);
  if (aggregate === "average") return sum(values) / values.length;
  const sorted = values.toSorted((a, b) => a - b);
  const rest = Math.ceil(sorted.length / 2) - 1;
  const middle = sorted.slice(rest, sorted.length - rest);
  return sum(middle) / middle.length;
}

/** How many of those that meet `of` also meet `where`. */
function share(asked: All): Part & Pick<QueryResult, "population"> {
  const all = matching({ ...asked, query: { ...asked.query, where: asked.query.of ?? [] } });
  const count = all.filter((row) => asked.query.where.every((filter) => meets(asked, row, filter))).length;
  const value = all.length === 0 ? null : (100 * count) / all.length;
  return { rows: [{ value, count }], total: 1, matched: count, population: all.length };
}

/** What an account has of money, seats or a score; for the use of seats, its seats. */
function storedValue(asked: All, row: Row, measure: string, pastDay: number | null): number | null {
  const name = measure === "arr" ? "mrr" : measure === "seat_use" ? "seats" : measure;
  const value =
    pastDay === null || measure === "seat_use"
      ? valueOf(asked, row, name)
      : pastValue(asked, row.account, name, pastDay);
  return typeof value === "number" && (measure !== "seat_use" || value > 0) ? value : null;
}

function sumOf(asked: All, rows: readonly Row[], measure: string, pastDay: number | null): number | null {
  if (measure === "count") return rows.length;
  const only = measure === "seat_use" ? null : restrictedTo(asked.query);
  const used = asked.events.filter(
    ({ day, name, account, user }) =>
      isIn(asked.window, day) &&
      (only === null || only.includes(name)) &&
      rows.some((row) => (row.user === undefined ? row.account === account : row.user === user)),
  );
  if (COUNTS.includes(measure)) return countOf(used, measure, asked);
  const sum = rows.reduce((all, row) => all + (storedValue(asked, row, measure, pastDay) ?? 0), 0);
  if (rows.length === 0) return null;
  if (measure === "arr") return 12 * sum;
  if (measure === "score") return sum / rows.length;
  return measure === "seat_use" ? (100 * countOf(used, "active_users", asked)) / sum : sum;
}

const featureMeasure: Measure = (asked, row, window) =>
  asked.query.measure === undefined ? null : featureValue(asked, row, asked.query.measure, window);

function countFeatures(asked: All): Part {
  const count = matching(asked).length;
  return { rows: [{ value: count, count }], total: 1, matched: count };
}

/** Finds the rows that meet a query's filters, and their measures. */
import type { Dimension } from "../../../src/core/ask/query/dimensions.ts";
import { type Filter, type FilterValue, MEASURES } from "../../../src/core/ask/query/model.ts";
import { datesNamed, type Days, daysNamed } from "./days.ts";
import { type Account, distinct, type Event, type FoldedWorld, latest } from "./fold.ts";
import type { OracleInput } from "./rows.ts";
import {
  type QueryInput,
  dayOfTime,
  dimensionOf,
  eventsOf,
  isIn,
  isSuperseded,
  keyOf,
  pastValue,
  restrictedTo,
  type Row,
  stageOf,
  statusOf,
  type Value,
  valueOf,
} from "./values.ts";

/** Returns the last day of the window on which an account's value changed as the filter says; `null` if it didn't. */
function changeDay(asked: QueryInput, { account }: Row, filter: Filter): number | null {
  const window = filter.window === undefined ? asked.window : daysNamed(filter.window, asked.today);
  if (account === null) return null;
  const { dimension: name, became, newly, changed, after, first } = filter;
  const on = (day: number) => pastValue(asked, account, name, day);
  const is = (value: Value, wanted: FilterValue | undefined) =>
    wanted !== undefined && equals(value, wanted, dimensionOf(asked, name));
  const isWanted = (value: Value) => is(value, became ?? newly);
  const isRecovery = name === "health" && newly === "healthy";
  const isAfter = (day: number) =>
    isRecovery ? ["watch", "at_risk"].includes(String(on(day - 1))) : after === undefined || is(on(day - 1), after);
  if (newly !== undefined && !isWanted(valueOf(asked, { account }, name))) return null;
  if (newly !== undefined)
    for (let day = Math.max(asked.today, window.to); day > window.to; day -= 1)
      if (isWanted(on(day)) && !isWanted(on(day - 1)) && isAfter(day)) return null;
  if (first === true) {
    const day = firstDayOf(
      asked,
      account,
      name,
      window.to,
      (each) => isWanted(on(each)) && !isWanted(on(each - 1)) && isAfter(each),
    );
    return day !== null && day >= window.from ? day : null;
  }
  for (let day = window.to; day >= window.from; day -= 1) {
    const [value, before] = [on(day), on(day - 1)];
    if (changed === undefined && isWanted(value) && !isWanted(before) && isAfter(day)) return day;
    if (changed === undefined || typeof value !== "number" || value === before) continue;
    const known = knownBefore(asked, account, name, day);
    if (known !== null && (changed === "up" ? value > known : value < known)) return day;
  }
  return null;
}

/** Finds the first day up to `until` on which a condition holds. Days before a trial don't count without a stage. */
function firstDayOf(
  asked: QueryInput,
  account: Account,
  name: string,
  until: number,
  holds: (day: number) => boolean,
): number | null {
  const days = Array.from({ length: 100 }, (_, past) => until - 99 + past);
  const hadTrial = name === "stage" && days.some((day) => pastValue(asked, account, name, day) === "trial");
  const isUnsaid = (day: number) => hadTrial && latest(account.attributes, name, day) === null;
  return days.find((day) => holds(day) && !isUnsaid(day)) ?? null;
}

/** Returns the last value before a day that is not unknown. */
function knownBefore(asked: QueryInput, account: Account, name: string, day: number): number | null {
  for (let past = day - 1; past > day - 100; past -= 1) {
    const value = pastValue(asked, account, name, past);
    if (typeof value === "number") return value;
  }
  return null;
}

const folded = (text: string): string =>
  text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();

/** Tests whether a value is the one that a filter names. */
function equals(value: Value, wanted: FilterValue, { type }: Dimension): boolean {
  if (value === null) return false;
  if (type === "text") return folded(String(value)) === folded(String(wanted));
  return type === "date" ? value === dayOfTime(String(wanted)) : value === wanted;
}

/** Tests whether a filter is on the features themselves. Other filters choose whose events count. */
const filtersFeatures = ({ dimensions }: QueryInput, { dimension }: Filter): boolean =>
  dimension === "event" || dimensions.some(({ name, of }) => name === dimension && !of.includes("events"));

export function meets(asked: QueryInput, row: Row, filter: Filter): boolean {
  const { dimension: name, asOf } = filter;
  if (row.feature !== undefined && !filtersFeatures(asked, filter)) return true;
  if ((filter.became ?? filter.newly ?? filter.changed) !== undefined) return changeDay(asked, row, filter) !== null;
  const window = filter.window === undefined ? asked.window : daysNamed(filter.window, asked.today);
  if (name === "event" && row.event === undefined && row.feature === undefined)
    return usedEvent(asked, row, filter, window);
  if ((name === "item_kind" || name === "severity") && row.item === undefined) return meetsByItem(asked, row, filter);
  return meetsValue(asked, row, filter, boundValue(asked, row, filter), asOf === undefined ? null : dayOfTime(asOf));
}

/** Returns the value that a filter is about, in its window or on its day. */
export function boundValue(asked: QueryInput, row: Row, { dimension, asOf, window }: Filter): Value {
  if (asOf !== undefined) return pastValue(asked, row.account, dimension, dayOfTime(asOf));
  const only = window === undefined ? restrictedTo(asked.query) : null;
  return valueOf(asked, row, dimension, window === undefined ? asked.window : daysNamed(window, asked.today), only);
}

function meetsValue(asked: QueryInput, { account }: Row, filter: Filter, value: Value, day: number | null): boolean {
  const { dimension: name, is, isNot, over, under, from, to, within, isUnknown } = filter;
  const dimension = dimensionOf(asked, name);
  const named = (each: FilterValue) =>
    equals(value, name === "account" ? accountNamed(asked, String(each)) : each, dimension);
  if (isUnknown !== undefined) {
    if (name !== "stage") return (value === null) === isUnknown;
    const word = account === null ? null : latest(account.attributes, "stage", day ?? undefined);
    return stageOf(word).known !== isUnknown;
  }
  if (isNot !== undefined) return !named(isNot);
  if (value === null) return false;
  if (is !== undefined) return named(is);
  if (filter.in !== undefined) return filter.in.some(named);
  if (over !== undefined) return Number(value) > over;
  if (under !== undefined) return Number(value) < under;
  if (from !== undefined) return Number(value) >= bound(from);
  if (to !== undefined) return Number(value) <= bound(to);
  return within !== undefined && isIn(datesNamed(within, asked.today), Number(value));
}

/** Tests whether an account meets a filter on its open items. */
function meetsByItem(asked: QueryInput, row: Row, { dimension, is, isNot, in: several, isUnknown }: Filter): boolean {
  const own = asked.items.filter((item) => row.account !== null && item.account === keyOf(row.account));
  const found = own
    .filter((item) => statusOf(item, asked.now) === "open")
    .map(({ kind, severity }) => (dimension === "severity" ? severity : kind));
  if (isUnknown !== undefined) return (found.length === 0) === isUnknown;
  const named = new Set<unknown>([is ?? [], isNot ?? [], several ?? []].flat());
  return found.some((value) => named.has(value)) === (isNot === undefined);
}

const bound = (limit: number | string): number => (typeof limit === "number" ? limit : dayOfTime(limit));

/** An external id names the company account or, if there is none, the personal account. */
const accountNamed = ({ accounts }: FoldedWorld, name: string): string =>
  accounts.some(({ kind, externalId }) => kind === "company" && externalId === name)
    ? `company ${name}`
    : `solo ${name}`;

function usedEvent(asked: QueryInput, row: Row, { is, in: several, isNot }: Filter, window: Days): boolean {
  const wanted = new Set([is ?? [], several ?? [], isNot ?? []].flat().map(String));
  const used = eventsOf(asked, row).some(({ name, day }) => isIn(window, day) && wanted.has(name));
  return used === (isNot === undefined);
}

const HISTORIC: ReadonlySet<string> = new Set(["stage", "plan", "seats", "mrr", "arr", "health", "score"]);

const isOfUser = (name: string): boolean => name === "user" || name.startsWith("user.");

/** Returns the events whose accounts and users can meet the filters. A filter on users drops events without a user. */
function eventRows({ events, query: { per = "", where } }: OracleInput): Row[] {
  const isUserNeeded = [per, ...where.map(({ dimension }) => dimension)].some(isOfUser);
  return events.flatMap((event) =>
    isUserNeeded && event.user === null ? [] : [{ account: event.account, user: event.user, event }],
  );
}

/** Returns the events that count for features, given the filters on accounts and users. */
export const countedEvents = (asked: OracleInput): Event[] => {
  const whose = asked.query.where.filter((filter) => !filtersFeatures(asked, filter));
  return eventRows(asked)
    .filter((row) => whose.every((filter) => meets(asked, row, filter)) && !isLeftOut(asked, row))
    .flatMap(({ event }) => event ?? []);
};

/** Returns all accounts, users, features, items, or events of the window. */
export function population(asked: OracleInput): Row[] {
  const { accounts, users, events, items, query, window } = asked;
  switch (query.find) {
    case "accounts":
      return accounts.filter((account) => !isSuperseded(account, asked)).map((account) => ({ account }));
    case "users":
      return users.map((user) => ({ user, account: user.account }));
    case "features":
      return distinct(events.map(({ name }) => name)).map((feature) => ({ feature, account: null }));
    case "items":
      return items.map((item) => ({ item, account: accounts.find((each) => keyOf(each) === item.account) ?? null }));
    case "events":
      return eventRows(asked).filter(({ event }) => event !== undefined && isIn(window, event.day));
  }
}

export const matching = (asked: OracleInput): Row[] =>
  population(asked).filter(
    (row) => asked.query.where.every((filter) => meets(asked, row, filter)) && !isLeftOut(asked, row),
  );

const PAID: ReadonlySet<string | undefined> = new Set(["mrr", "arr", "seat_use", "unused_seats"]);
const LISTS: ReadonlySet<string> = new Set(["list", "when", "why"]);

/** Tests whether a row belongs to a churned account in a query about money that doesn't ask for it. */
export function isLeftOut(asked: OracleInput, { account }: Row): boolean {
  const { find, show, where, of = [], measure, order, per, compare } = asked.query;
  const isMeasured = find !== "items" && (show !== "yes_no" || compare !== undefined);
  const isList = LISTS.has(show) || (show === "value" && !MEASURES.some((each) => each === measure));
  const isShown = (isMeasured && PAID.has(measure)) || (isList && PAID.has(order?.by));
  const amount = [...where, ...of].find(
    ({ dimension, changed, isUnknown }) => PAID.has(dimension) && changed === undefined && isUnknown === undefined,
  );
  const isNamed = [...where, ...of].some(
    ({ dimension, is, isNot, in: several }) =>
      dimension === "stage" ||
      ((dimension === "account" || dimension === "user") && isNot === undefined) ||
      (dimension === "health" && (is === "churned" || several?.includes("churned") === true)),
  );
  if (account === null || per === "stage" || isNamed || (!isShown && amount === undefined)) return false;
  const shownDay = asked.isPast && find !== "items" ? asked.window.to : null;
  const amountDay = amount?.asOf === undefined ? null : dayOfTime(amount.asOf);
  const day = isShown ? shownDay : amountDay;
  const stage = day === null ? valueOf(asked, { account }, "stage") : pastValue(asked, account, "stage", day);
  return stage === "churned";
}

export const isMoneyName = (name: string | undefined): boolean => ["mrr", "arr", "mrr_lost"].includes(name ?? "");

/** Returns the currency of a measure of money. */
export const currencyOf = (asked: QueryInput, row: Row, measure: string | undefined): Value =>
  measure === "mrr_lost" ? lossOf(asked, row, asked.window).currency : valueOf(asked, row, "currency");

/** Returns what an account's MRR fell by in a window, and its currency before that. */
export function lossOf(asked: QueryInput, row: Row, { from, to }: Days): { value: Value; currency: Value } {
  const [became, after] = ["churned", "active"];
  const churned = changeDay({ ...asked, window: { from, to } }, row, { dimension: "stage", became, after });
  const at = (name: string, day: number) => pastValue(asked, row.account, name, day);
  const last = (churned ?? from) - 1;
  const [mrr, currency] = [at("mrr", last), at("currency", last)];
  if (churned !== null) return { value: mrr, currency };
  const isCustomer = [last, to].every((day) => at("stage", day) === "active");
  const fall = Number(mrr) - Number(at("mrr", to));
  const isLess = mrr !== null && at("mrr", to) !== null && fall > 0 && currency === at("currency", to);
  return { value: isCustomer && isLess ? fall : null, currency };
}

/** Returns a measure or a dimension of a row in a window; past values at its end. */
export function measureOf(asked: OracleInput, row: Row, window = asked.window, measure = asked.query.measure): Value {
  const { show, where, find } = asked.query;
  const change = where.find(({ became, newly, changed }) => (became ?? newly ?? changed) !== undefined);
  if (measure === undefined) return show === "when" && change !== undefined ? changeDay(asked, row, change) : null;
  if (measure === "account") return row.account?.externalId ?? null;
  if (measure === "mrr_lost") return lossOf(asked, row, window).value;
  const stored = measure === "arr" ? "mrr" : measure;
  const isOfDay = asked.isPast && HISTORIC.has(stored) && find !== "items";
  const value = isOfDay ? pastValue(asked, row.account, stored, window.to) : valueOf(asked, row, stored, window);
  return measure === "arr" && typeof value === "number" ? 12 * value : value;
}

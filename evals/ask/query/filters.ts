/** Whether a row meets a filter. */
import type { Dimension } from "../../../src/core/ask/query/dimensions.ts";
import type { Filter, FilterValue } from "../../../src/core/ask/query/model.ts";
import { datesNamed, type Days, daysNamed } from "./days.ts";
import { type Account, type Known, latest } from "./fold.ts";
import {
  type Asked,
  dayOfTime,
  dimensionOf,
  eventsOf,
  isIn,
  keyOf,
  pastValue,
  restrictedTo,
  type Row,
  stageOf,
  statusOf,
  type Value,
  valueOf,
} from "./values.ts";

/** The last day of the window on which an account's value changed as the filter says; `null` if on none. */
export function changeDay(asked: Asked, { account }: Row, filter: Filter): number | null {
  const window = filter.window === undefined ? asked.window : daysNamed(filter.window, asked.today);
  if (account === null) return null;
  const { dimension: name, became, changed } = filter;
  const on = (day: number) => pastValue(asked, account, name, day);
  const isWanted = (value: Value) => became !== undefined && equals(value, became, dimensionOf(asked, name));
  for (let day = window.to; day >= window.from; day -= 1) {
    const [value, before] = [on(day), on(day - 1)];
    if (changed === undefined && isWanted(value) && !isWanted(before)) return day;
    if (changed === undefined || typeof value !== "number" || value === before) continue;
    const known = knownBefore(asked, account, name, day);
    if (known !== null && (changed === "up" ? value > known : value < known)) return day;
  }
  return null;
}

/** The last value before a day that is not unknown. */
function knownBefore(asked: Asked, account: Account, name: string, day: number): number | null {
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

/** Whether a value is the one that a filter names. */
function equals(value: Value, wanted: FilterValue, { type }: Dimension): boolean {
  if (value === null) return false;
  if (type === "text") return folded(String(value)) === folded(String(wanted));
  return type === "date" ? value === dayOfTime(String(wanted)) : value === wanted;
}

/** Whether a filter is on the features themselves. The others choose whose events count. */
export const isOfFeature = ({ dimensions }: Asked, { dimension }: Filter): boolean =>
  dimension === "event" || dimensions.some(({ name, of }) => name === dimension && !of.includes("events"));

export function meets(asked: Asked, row: Row, filter: Filter): boolean {
  const { dimension: name, asOf } = filter;
  if (row.feature !== undefined && !isOfFeature(asked, filter)) return true;
  if (filter.became !== undefined || filter.changed !== undefined) return changeDay(asked, row, filter) !== null;
  const window = filter.window === undefined ? asked.window : daysNamed(filter.window, asked.today);
  if (name === "event" && row.event === undefined && row.feature === undefined)
    return usedEvent(asked, row, filter, window);
  if ((name === "item_kind" || name === "severity") && row.item === undefined) return meetsByItem(asked, row, filter);
  const only = filter.window === undefined ? restrictedTo(asked.query) : null;
  const day = asOf === undefined ? null : dayOfTime(asOf);
  const value = day === null ? valueOf(asked, row, name, window, only) : pastValue(asked, row.account, name, day);
  return meetsValue(asked, row, filter, value, day);
}

function meetsValue(asked: Asked, { account }: Row, filter: Filter, value: Value, day: number | null): boolean {
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

/** Whether an account has an open item as a filter says, or none. */
function meetsByItem(asked: Asked, row: Row, { dimension, is, isNot, in: several, isUnknown }: Filter): boolean {
  const own = asked.items.filter((item) => row.account !== null && item.account === keyOf(row.account));
  const found = own
    .filter((item) => statusOf(item, asked.now) === "open")
    .map(({ kind, severity }) => (dimension === "severity" ? severity : kind));
  if (isUnknown !== undefined) return (found.length === 0) === isUnknown;
  const named = new Set<unknown>([is ?? [], isNot ?? [], several ?? []].flat());
  return found.some((value) => named.has(value)) === (isNot === undefined);
}

const bound = (limit: number | string): number => (typeof limit === "number" ? limit : dayOfTime(limit));

/** An external id names the company account, else the personal one. */
const accountNamed = ({ accounts }: Known, name: string): string =>
  accounts.some(({ kind, externalId }) => kind === "company" && externalId === name)
    ? `company ${name}`
    : `solo ${name}`;

function usedEvent(asked: Asked, row: Row, { is, in: several, isNot }: Filter, window: Days): boolean {
  const wanted = new Set([is ?? [], several ?? [], isNot ?? []].flat().map(String));
  const used = eventsOf(asked, row).some(({ name, day }) => isIn(window, day) && wanted.has(name));
  return used === (isNot === undefined);
}

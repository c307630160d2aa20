/** The values of dimensions and measures in a query's rows. */
import { DAY_MS } from "../../../src/core/durations.ts";
import type { Json } from "../../../src/core/json.ts";
import type { ItemKind, ItemStatus, Severity } from "../../../src/core/inbox/model.ts";
import { readStage } from "../../../src/core/health/attributes.ts";
import type { Dimension } from "../../../src/core/ask/query/dimensions.ts";
import type { Query } from "../../../src/core/ask/query/model.ts";
import { type Account, distinct, type Event, isScalar, type FoldedWorld, latest, type User } from "./fold.ts";
import type { Days } from "./days.ts";

/** Data that only the recompute writes, read from the database. */
export interface StoredOutcomes {
  owners: readonly { account: string; owner: string }[];
  health: readonly { account: string; state: string; score: number | null; health: string }[];
  healthDays: readonly { account: string; day: number; state: string; score: number | null }[];
  items: readonly StoredItem[];
}

export interface StoredItem {
  id: string;
  account: string | null;
  kind: ItemKind;
  severity: Severity;
  openedDay: number;
  resolvedDay: number | null;
  dismissedAt: number | null;
  snoozedUntil: number | null;
  rank: number;
  number: number;
  about: string | null;
}

export interface QueryInput extends FoldedWorld, StoredOutcomes {
  dimensions: readonly Dimension[];
  query: Query;
  today: number;
  now: number;
  /** The days that are counted. */
  window: Days;
  /** Whether past values are shown: those at the end of the window. */
  isPast: boolean;
  /** The events that count for features, given the filters on accounts and users. */
  counted: readonly Event[];
}

/** What a query finds: an account, a user with the account, an event with both, or an item. */
export interface Row {
  account: Account | null;
  user?: User | null;
  event?: Event;
  feature?: string;
  item?: StoredItem;
}

export type Value = string | number | boolean | null;

export const keyOf = ({ kind, externalId }: Account): string => `${kind} ${externalId}`;
/** Tests whether a personal account's user has moved to another one. */
export const isSuperseded = ({ kind, externalId }: Account, { users }: FoldedWorld): boolean =>
  kind === "solo" && users.some((user) => user.externalId === externalId && user.account?.kind === "company");

export const dimensionOf = ({ dimensions }: QueryInput, name: string): Dimension => {
  const found = dimensions.find((each) => each.name === name);
  if (found === undefined) throw new Error(`There is no dimension ${name}.`);
  return found;
};

/** Returns the events of a row: of a feature, of an account, or of a user in any account. */
export function eventsOf({ events, counted }: QueryInput, { account, user, feature }: Row): Event[] {
  if (feature !== undefined) return counted.filter(({ name }) => name === feature);
  return events.filter((event) => (user == null ? event.account === account : event.user === user));
}

export const isIn = ({ from, to }: Days, day: number): boolean => day >= from && day <= to;

/** Returns the events that every count of the query is restricted to; `null` for all. */
export function restrictedTo({ where }: Query): string[] | null {
  const names = where.flatMap(({ dimension, window, is, in: several }) =>
    dimension === "event" && window === undefined ? [is ?? [], several ?? []].flat().map(String) : [],
  );
  return names.length === 0 ? null : names;
}

const COUNTED: Readonly<Record<string, (event: Event) => unknown>> = {
  events: (event) => event,
  active_days: ({ day }) => day,
  active_users: ({ user }) => user,
  active_accounts: ({ account }) => account,
  features_used: ({ name }) => name,
};

/** Returns a count of events, all of them in the window. */
export function countOf(events: readonly Event[], name: string, asked: FoldedWorld): number {
  const counted = COUNTED[name];
  if (counted === undefined) throw new Error(`${name} is no count.`);
  const own = events.filter(({ account }) => name !== "active_accounts" || !isSuperseded(account, asked));
  return distinct(own.map(counted).filter((each) => each !== null)).length;
}

/** Returns an activity of an account, a user or a feature in a window. */
function activityOf(asked: QueryInput, row: Row, name: string, window: Days, only: readonly string[] | null): Value {
  const all = eventsOf(asked, row).filter(({ day }) => isIn(window, day));
  const own = all.filter((event) => only === null || only.includes(event.name));
  if (name === "active") return own.length > 0;
  if (name === "adoption") {
    const during = asked.counted.filter(({ day }) => isIn(window, day));
    const active = countOf(during, "active_accounts", asked);
    return active === 0 ? null : (100 * countOf(own, "active_accounts", asked)) / active;
  }
  if (name === "unused_seats") {
    const seats = valueOf(asked, row, "seats");
    return seats === null ? null : Math.max(0, Number(seats) - countOf(all, "active_users", asked));
  }
  if (name !== "seat_use") return countOf(own, name, asked);
  const seats = Number(valueOf(asked, row, "seats"));
  return seats > 0 ? (100 * countOf(all, "active_users", asked)) / seats : null;
}

/** Returns a trait's value in its type: a date as a day. Unknown if it has another type. */
function traitOf(owner: { traits: Account["traits"] } | null | undefined, key: string, { type }: Dimension): Value {
  const value = owner == null ? null : latest(owner.traits, key);
  if (!isScalar(value)) return null;
  if (type === "text") return String(value);
  if (type === "date") return typeof value === "string" && !Number.isNaN(Date.parse(value)) ? dayOfTime(value) : null;
  return typeof value === type ? value : null;
}

export const dayOfTime = (time: string): number => Math.floor(Date.parse(time) / DAY_MS);

const dayAt = (time: number | null | undefined): number | null => (time == null ? null : Math.floor(time / DAY_MS));

/** Returns the value of an entity now, with dates as days. */
export function valueOf(
  asked: QueryInput,
  row: Row,
  name: string,
  window = asked.window,
  only = restrictedTo(asked.query),
): Value {
  const { account, user, event, feature, item } = row;
  const [, owner, key = ""] = /^(account|user)\.(.+)$/s.exec(name) ?? [];
  if (owner !== undefined) return traitOf(owner === "account" ? account : user, key, dimensionOf(asked, name));
  const attribute = (of: string) => {
    const value = account && latest(account.attributes, of);
    return isScalar(value) ? value : null;
  };
  const dayOf = (of: "trialEndsAt" | "contractEndsAt") => {
    const value = attribute(of);
    return value === null ? null : dayOfTime(String(value));
  };
  const health = account && asked.health.find((each) => each.account === keyOf(account));
  const stored: Readonly<Record<string, Value | undefined>> = {
    account: account && keyOf(account),
    user: user?.externalId,
    event: event?.name ?? feature,
    kind: account?.kind,
    stage: account && stageOf(attribute("stage")).stage,
    plan: attribute("plan"),
    seats: attribute("seats"),
    mrr: attribute("mrr"),
    currency: attribute("currency"),
    owner: account && asked.owners.find((each) => each.account === keyOf(account))?.owner,
    trial_ends: dayOf("trialEndsAt"),
    contract_ends: dayOf("contractEndsAt"),
    health: health?.state,
    score: health?.score,
    item_kind: item?.kind,
    severity: item?.severity,
    status: item && statusOf(item, asked.now),
    opened: item?.openedDay,
    resolved: item?.resolvedDay,
    dismissed: dayAt(item?.dismissedAt),
    snoozed_until: dayAt(item?.snoozedUntil),
  };
  if (Object.hasOwn(stored, name)) return stored[name] ?? null;
  if (name === "first_seen" && user === undefined && feature === undefined) return account?.firstDay ?? null;
  const days = eventsOf(asked, row).map(({ day }) => day);
  if (name === "first_seen") return days.length > 0 ? Math.min(...days) : null;
  if (name === "last_seen") return days.length > 0 ? Math.max(...days) : null;
  return activityOf(asked, row, name, window, only);
}

export function statusOf({ resolvedDay, dismissedAt, snoozedUntil }: StoredItem, now: number): ItemStatus {
  if (resolvedDay !== null) return "resolved";
  if (dismissedAt !== null) return "dismissed";
  return (snoozedUntil ?? 0) > now ? "snoozed" : "open";
}

/** Reads a stage from the sender's word. */
export const stageOf = (value: Json) => readStage(typeof value === "string" ? value : undefined);

/** Returns the value of an account at the end of a day. Before its first day an account has none. */
export function pastValue({ healthDays }: QueryInput, account: Account | null, name: string, day: number): Value {
  if (account === null) return null;
  if (name === "health" || name === "score") {
    const rows = healthDays.filter((each) => each.account === keyOf(account) && each.day <= day);
    const last = rows.toSorted((a, b) => a.day - b.day).at(-1);
    return (name === "health" ? last?.state : last?.score) ?? null;
  }
  const value = latest(account.attributes, name, day);
  if (name !== "stage") return isScalar(value) ? value : null;
  const reports = account.attributes.filter((each) => each.name === "stage" && each.hasWaited !== true);
  const first = Math.min(account.firstDay ?? day + 1, ...reports.map(({ at }) => Math.floor(at / DAY_MS)));
  return first > day ? null : stageOf(value).stage;
}

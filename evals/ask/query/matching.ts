/** What a query finds, and what each of them has of a measure. */
import { changeDay, isOfFeature, meets } from "./filters.ts";
import { distinct, type Event } from "./fold.ts";
import type { All } from "./rows.ts";
import { isIn, isSuperseded, keyOf, pastValue, type Row, type Value, valueOf } from "./values.ts";

const HISTORIC: ReadonlySet<string> = new Set(["stage", "plan", "seats", "mrr", "arr", "health", "score"]);

const isOfUser = (name: string): boolean => name === "user" || name.startsWith("user.");

/** The events whose accounts and users can meet the filters on them. A filter on users leaves only events of users. */
function eventRows({ events, query: { per = "", where } }: All): Row[] {
  const isUserNeeded = [per, ...where.map(({ dimension }) => dimension)].some(isOfUser);
  return events.flatMap((event) =>
    isUserNeeded && event.user === null ? [] : [{ account: event.account, user: event.user, event }],
  );
}

/** The events that the filters on accounts and users leave for features. */
export const countedEvents = (asked: All): Event[] => {
  const whose = asked.query.where.filter((filter) => !isOfFeature(asked, filter));
  return eventRows(asked)
    .filter((row) => whose.every((filter) => meets(asked, row, filter)))
    .flatMap(({ event }) => event ?? []);
};

/** All accounts, users, features, items, or events of the window. */
export function population(asked: All): Row[] {
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

export const matching = (asked: All): Row[] =>
  population(asked).filter((row) => asked.query.where.every((filter) => meets(asked, row, filter)));

/** A measure or a dimension of a row in a window; past values at its end. */
export function measureOf(asked: All, row: Row, window = asked.window, measure = asked.query.measure): Value {
  const { show, where, find } = asked.query;
  const change = where.find(({ became, changed }) => became !== undefined || changed !== undefined);
  if (measure === undefined) return show === "when" && change !== undefined ? changeDay(asked, row, change) : null;
  if (measure === "account") return row.account?.externalId ?? null;
  const stored = measure === "arr" ? "mrr" : measure;
  const isOfDay = asked.isPast && HISTORIC.has(stored) && find !== "items";
  const value = isOfDay ? pastValue(asked, row.account, stored, window.to) : valueOf(asked, row, stored, window);
  return measure === "arr" && typeof value === "number" ? 12 * value : value;
}

/** Counts events, features and items, one by one. */
import { type Filter, MAX_ROWS, PERIODS } from "../../../src/core/ask/query/model.ts";
import { type ResultRow } from "../../../src/core/ask/query/result.ts";
import { comparedDays, type Days, startOf } from "./days.ts";
import { meets, meetsValue } from "./filters.ts";
import { distinct, type Event } from "./fold.ts";
import { accountEntity, type All, codeOrder, groupsOf, isoDay, type Part, sortedBy } from "./rows.ts";
import { countOf, dimensionOf, isIn, keyOf, type Row, statusOf, type Value, valueOf } from "./values.ts";

/** The events that the filters on accounts, users and events leave. */
export const eventsWithin = (asked: All, where: readonly Filter[], window: Days): Event[] => {
  const ofUsers = [asked.query.per ?? "", ...where.map(({ dimension }) => dimension)].some(
    (name) => name === "user" || name.startsWith("user."),
  );
  return asked.events
    .filter(({ day, user }) => isIn(window, day) && (!ofUsers || user !== null))
    .filter((event) => {
      const row = { account: event.account, user: event.user, event };
      return where.every((filter) => meets(asked, row, filter));
    });
};

export function countEvents(asked: All): Part {
  const { query, window } = asked;
  const { per, measure = "events", limit = MAX_ROWS, order } = query;
  const events = eventsWithin(asked, query.where, window);
  const period = PERIODS.find((each) => each === per);
  if (period !== undefined) {
    const starts = distinct(
      Array.from({ length: window.to - window.from + 1 }, (_, place) => startOf(period, window.from + place)),
    );
    const rows = starts.map((start) => ({
      group: isoDay(start),
      value: countOf(
        events.filter(({ day }) => startOf(period, day) === start),
        measure,
        asked,
      ),
    }));
    const sorted = () =>
      sortedBy(
        rows,
        ({ value }) => value,
        order?.direction === "up",
        ({ group }) => group,
      );
    const shownRows = order === undefined ? rows.slice(-limit) : sorted().slice(0, limit);
    return { rows: shownRows, total: rows.length, matched: null };
  }
  const rows = events.map((event): Row => ({ account: event.account, user: event.user, event }));
  if (per === undefined) return { rows: [{ value: countOf(events, measure, asked) }], total: 1, matched: null };
  const groups = groupsOf(asked, rows, per).map((group) => ({
    ...group,
    value: countOf(
      group.rows.flatMap(({ event }) => event ?? []),
      measure,
      asked,
    ),
  }));
  const sorted = sortedBy(
    groups.filter(({ value }) => value > 0),
    ({ value }) => value,
    order?.direction === "up",
    ({ label }) => label,
  );
  const shownRows = sorted.map(({ shown: group, value }) => ({ group, value }));
  return { rows: shownRows.slice(0, limit), total: shownRows.length, matched: null };
}

/** Filters on the features themselves. The others choose whose events count. */
export const isOfFeature = ({ dimensions }: All, name: string): boolean =>
  name === "event" || dimensions.some(({ name: own, of }) => own === name && !of.includes("events"));

export function featureValue(asked: All, { feature }: Row, name: string, window: Days): Value {
  const whose = asked.query.where.filter(({ dimension }) => !isOfFeature(asked, dimension));
  const during = eventsWithin(
    asked,
    whose,
    name.endsWith("_seen") ? { from: asked.today - 799, to: asked.today } : window,
  );
  const own = during.filter((event) => event.name === feature);
  const days = own.map(({ day }) => day);
  switch (name) {
    case "event":
      return feature ?? null;
    case "active":
      return own.length > 0;
    case "first_seen":
      return days.length === 0 ? null : Math.min(...days);
    case "last_seen":
      return days.length === 0 ? null : Math.max(...days);
    case "adoption": {
      const active = countOf(during, "active_accounts", asked);
      return active === 0 ? null : (100 * countOf(own, "active_accounts", asked)) / active;
    }
    default:
      return countOf(own, name, asked);
  }
}

export function meetsOfFeature(asked: All, row: Row, filter: Filter): boolean {
  if (!isOfFeature(asked, filter.dimension)) return true;
  const own =
    filter.window === undefined
      ? asked.window
      : comparedDays({ ...asked.query, window: filter.window, compare: undefined }, asked.today).window;
  return meetsValue(asked, row, filter, featureValue(asked, row, filter.dimension, own));
}

// Items.

export function itemsOf(asked: All): Row[] {
  return asked.items
    .map((item): Row => ({ item, account: asked.accounts.find((account) => keyOf(account) === item.account) ?? null }))
    .filter((row) => asked.query.where.every((filter) => meets(asked, row, filter)));
}

export function listItems(asked: All): Part {
  const { order, limit = MAX_ROWS } = asked.query;
  const newest = itemsOf(asked).toSorted((a, b) => (b.item?.number ?? 0) - (a.item?.number ?? 0));
  const codes =
    order === undefined || dimensionOf(asked, order.by).type !== "code"
      ? undefined
      : dimensionOf(asked, order.by).values;
  const key = (row: Row): Value =>
    order === undefined ? (row.item?.rank ?? 0) : codeOrder(valueOf(asked, row, order.by), codes);
  const rows = sortedBy(newest, key, order?.direction === "up", () => null).map((row): ResultRow => {
    const { item } = row;
    if (item === undefined) throw new Error("An item's row has an item.");
    return {
      entity: accountEntity(asked, row.account),
      item: {
        id: item.id,
        kind: item.kind,
        severity: item.severity,
        status: statusOf(item, asked.now),
        opened: item.openedDay,
        about: item.about,
      },
    };
  });
  return { rows: rows.slice(0, limit), total: rows.length, matched: rows.length };
}

export function countItems(asked: All): Part {
  const { per, limit = MAX_ROWS, order } = asked.query;
  const rows = itemsOf(asked);
  if (per === undefined) return { rows: [{ value: rows.length }], total: 1, matched: rows.length };
  const groups = groupsOf(asked, rows, per);
  const sorted = sortedBy(
    groups,
    (group) => group.rows.length,
    order?.direction === "up",
    ({ label }) => label,
  );
  const shownRows = sorted.map((group) => ({ group: group.shown, value: group.rows.length }));
  return { rows: shownRows.slice(0, limit), total: groups.length, matched: rows.length };
}

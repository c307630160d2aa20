/** Compiles queries about events: counts of events, users and accounts, per period or per dimension. */
import { isPeriod } from "../../../core/ask/query/check.ts";
import { MAX_ROWS, type Period } from "../../../core/ask/query/model.ts";
import { namesIn } from "../../../core/ask/query/subjects.ts";
import { isoDate, startOf } from "../../../core/ask/query/windows.ts";
import { type Compiling, type Part } from "./compiling.ts";
import { addGroups } from "./groups.ts";
import { countOf } from "./measures.ts";
import { scopeOf } from "./scope.ts";
import type { EventCondition } from "./uses-sql.ts";

/** The first day of the period that contains `day`, in SQL. Weeks begin on Monday. */
const PERIOD_STARTS: Readonly<Record<Period, string>> = {
  day: "x.day",
  week: "x.day - (x.day + 3) % 7",
  month: "unixepoch(x.day * 86400, 'unixepoch', 'start of month') / 86400",
};

/** Exceeds the number of days in the longest window. */
const MAX_PERIODS = 1_000;

export function addEvents(compiling: Compiling): () => Part {
  const { query, window } = compiling;
  const { per, where, measure = "events" } = query;
  const period = per !== undefined && isPeriod(per) ? per : null;
  const isOfSubject = per !== undefined && period === null && per !== "event";
  const onSubjects = where.filter(({ dimension }) => dimension !== "event");
  const scope = scopeOf(compiling, onSubjects, isOfSubject ? per : undefined);
  const { sql, grain } = countOf(measure);
  const uses = scope.uses(window, { ...grain, ...(per === "event" && { event: true }) }, chosenEvents(compiling));
  const group = period === null ? (per === "event" ? "x.event" : "NULL") : PERIOD_STARTS[period];
  const groups = {
    definitions: scope.definitions,
    groups: `
  SELECT ${isOfSubject ? "grp, label" : `${group} AS grp, ${group} AS label`}, NULL AS currency,
    coalesce(${sql}, 0) AS value
  FROM (${uses}) x ${scope.groups} ${per === undefined ? "" : "GROUP BY 1 HAVING value > 0"}`,
  };
  if (period === null) return addGroups(compiling, groups);
  const readGroups = addGroups(compiling, groups, MAX_PERIODS);
  return () => periodsOf(period, compiling, readGroups());
}

/** The events that meet all filters on events. */
function chosenEvents({ query, values }: Compiling): EventCondition {
  const lists = query.where
    .filter(({ dimension }) => dimension === "event")
    .map((filter) => `${filter.isNot === undefined ? "" : "NOT "}IN ${values.addList(namesIn(filter))}`);
  return lists.length === 0 ? null : (name) => lists.map((list) => `${name} ${list}`).join(" AND ");
}

/** The newest periods of the window, oldest first, or those that an order puts first. Without events they have 0. */
function periodsOf(period: Period, { window, query }: Compiling, { rows }: Part): Part {
  const { from, to } = window;
  const { limit = MAX_ROWS, order } = query;
  const values = new Map(rows.map(({ group, value }) => [Number(group), Number(value)]));
  const starts = [...new Set(Array.from({ length: to - from + 1 }, (_, place) => startOf(period, from + place)))];
  const all = starts.map((start) => ({ group: isoDate(start), value: values.get(start) ?? 0 }));
  const sign = order?.direction === "up" ? 1 : -1;
  const first = () => all.toSorted((a, b) => sign * (a.value - b.value)).slice(0, limit);
  return { rows: order === undefined ? all.slice(-limit) : first(), total: all.length };
}

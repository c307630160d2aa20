/** Compiles queries about events: how many there were, by how many, per period or per dimension. */
import { isPeriod } from "../../../core/ask/query/check.ts";
import { MAX_ROWS, type Period, type Query } from "../../../core/ask/query/model.ts";
import type { ResultRow } from "../../../core/ask/query/result.ts";
import { isoDate, startOf } from "../../../core/ask/query/windows.ts";
import { featureOf } from "./entity-columns.ts";
import { type Compiled, groupIn, type GroupRow, groupStatement } from "./groups.ts";
import { scopeOf } from "./scope.ts";
import { COUNTS, isCount } from "./measures.ts";
import { type Compiling, namedDimension } from "./tables.ts";
import type { EventCondition } from "./uses-sql.ts";

/** The first day of the period that contains `day`, in SQL. Weeks begin on Monday. */
const PERIOD_STARTS: Readonly<Record<Period, string>> = {
  day: "x.day",
  week: "x.day - (x.day + 3) % 7",
  month: "unixepoch(x.day * 86400, 'unixepoch', 'start of month') / 86400",
};

/** More periods than the longest window has days. */
const MAX_PERIODS = 1_000;

export function compileEvents(compiling: Compiling): Compiled<GroupRow> {
  const { query, window } = compiling;
  const { per, where } = query;
  const count = query.measure ?? "events";
  if (!isCount(count)) throw new Error(`${count} is no count of events.`);
  const period = per !== undefined && isPeriod(per) ? per : null;
  const ofEvents = period !== null || per === "event" ? undefined : per;
  const scope = scopeOf(
    compiling,
    where.filter(({ dimension }) => dimension !== "event"),
    ofEvents,
  );
  const grain = { ...COUNTS[count].grain, ...(per === "event" && { event: true }) };
  const group = period === null ? (per === "event" ? "x.event" : "NULL") : PERIOD_STARTS[period];
  const groups = `
  SELECT ${ofEvents === undefined ? `${group} AS grp, ${group} AS label` : "grp, label"}, NULL AS currency,
    coalesce(${COUNTS[count].sql}, 0) AS value, NULL AS count
  FROM (${scope.uses(window, grain, chosenEvents(compiling))}) x ${scope.groups} ${per === undefined ? "" : "GROUP BY 1 HAVING value > 0"}`;
  const source = { definitions: scope.definitions, groups, matched: "NULL" };
  return {
    statement: groupStatement(compiling, source, period === null ? undefined : MAX_PERIODS),
    read(rows) {
      if (period !== null) return { ...periodRows(period, compiling, rows), matched: null };
      const found = rows.filter((row) => row.groups !== null);
      const read = found.map((row) => ({
        ...(per !== undefined && { group: namedGroup(compiling, per, row) }),
        value: row.value,
      }));
      return { rows: read, total: found[0]?.groups ?? 0, matched: null };
    },
  };
}

const namedGroup = (compiling: Compiling, per: string, row: GroupRow) =>
  per === "event" ? featureOf(String(row.grp)) : groupIn(row, namedDimension(compiling, per));

/** The events that all filters on events leave. */
function chosenEvents({ query, values }: Compiling): EventCondition {
  const lists = query.where.flatMap(({ dimension, is, isNot, in: several }) =>
    dimension === "event"
      ? [{ isNot: isNot !== undefined, list: values.addList([is ?? [], several ?? [], isNot ?? []].flat()) }]
      : [],
  );
  if (lists.length === 0) return null;
  return (name) => lists.map(({ isNot, list }) => `${name} ${isNot ? "NOT " : ""}IN ${list}`).join(" AND ");
}

/**
 * The newest periods of the window, oldest first, or those that an order puts first. A period without events has the
 * value 0.
 */
function periodRows(
  period: Period,
  { window: { from, to }, query: { limit = MAX_ROWS, order } }: { window: Compiling["window"]; query: Query },
  rows: readonly GroupRow[],
): { rows: ResultRow[]; total: number } {
  const values = new Map(rows.map(({ grp, value }) => [Number(grp), value]));
  const starts = [...new Set(Array.from({ length: to - from + 1 }, (_, place) => startOf(period, from + place)))];
  const all = starts.map((start) => ({ group: isoDate(start), value: values.get(start) ?? 0 }));
  const sign = order?.direction === "up" ? 1 : -1;
  const first = () => all.toSorted((a, b) => sign * (a.value - b.value)).slice(0, limit);
  return { rows: order === undefined ? all.slice(-limit) : first(), total: all.length };
}

/** Compiles queries about events: how many there were, by how many, per period or per dimension. */
import { isPeriod } from "../../../core/ask/query/check.ts";
import type { Dimension } from "../../../core/ask/query/dimensions.ts";
import { MAX_ROWS, type Period } from "../../../core/ask/query/model.ts";
import type { Cell, Entity, ResultRow } from "../../../core/ask/query/result.ts";
import { isoDate, startOf } from "../../../core/ask/query/windows.ts";
import type { Window } from "../../../core/health/model.ts";
import { columnsOf } from "../../client/columns-of.ts";
import { statement } from "../../client/statements.ts";
import { accounts, users } from "../../schema/schema.ts";
import { type Compiled, decoded, namedDimension } from "./entities.ts";
import {
  type AccountColumns,
  accountColumns,
  accountIn,
  featureOf,
  type UserColumns,
  userColumns,
  userIn,
} from "./entity-columns.ts";
import { type Compiling, countedEvents, COUNTS, isCount, requireFilters, Tables, valueIn } from "./tables.ts";

const a = columnsOf(accounts, "a");
const u = columnsOf(users, "u");

interface EventRow extends AccountColumns, UserColumns {
  grp: Cell;
  value: number;
  groups: number;
}

/** The first day of the period that contains `day`, in SQL. Weeks begin on Monday. */
const PERIOD_STARTS: Readonly<Record<Period, string>> = {
  day: "x.day",
  week: "x.day - (x.day + 3) % 7",
  month: "unixepoch(x.day * 86400, 'unixepoch', 'start of month') / 86400",
};

export function compileEvents(compiling: Compiling): Compiled<EventRow> {
  const { query, values, lookups, window } = compiling;
  const { per } = query;
  const count = query.measure ?? "events";
  if (!isCount(count)) throw new Error(`${count} is no count of events.`);
  const ofUsers =
    per === "user" || query.where.some(({ dimension }) => dimension === "user" || dimension.startsWith("user."));
  const tables = new Tables(compiling, ofUsers ? "users" : "accounts");
  requireFilters(tables);
  const dimension = per === undefined || isPeriod(per) ? null : namedDimension(compiling, per);
  const group = groupOf(tables, per);
  const grain = { ...COUNTS[count].grain, ...(per === "event" && { event: true }) };
  const uses = tables.uses({ window, grain, events: countedEvents(compiling) });
  const sql = `${tables.matched({ grp: dimension === null || per === "event" || per === "user" ? "NULL" : valueIn(tables, dimension) })}
SELECT w.*, ${accountColumns("a")}, ${userColumns("u")}
FROM (
  SELECT ${group} AS grp, ${COUNTS[count].sql} AS value, count(*) OVER () AS groups
  FROM (${uses}) x CROSS JOIN matched r ON r.id = x.id GROUP BY 1 ORDER BY value DESC, grp LIMIT ${per !== undefined && isPeriod(per) ? MAX_PERIODS : (query.limit ?? MAX_ROWS)}
) w
LEFT JOIN ${a.table} ON ${per === "account" ? `${a.number} = w.grp` : "FALSE"}
LEFT JOIN ${u.table} ON ${per === "user" ? `${u.number} = w.grp` : "FALSE"}
ORDER BY w.value DESC, w.grp`;
  return {
    statement: statement<EventRow>(sql, values.json(), lookups.now),
    read(rows) {
      if (per === undefined) return { rows: [{ value: rows[0]?.value ?? 0 }], total: 1, matched: null };
      const read = isPeriod(per)
        ? periodRows(per, window, rows)
        : rows.map((row) => ({ group: groupIn(row, per, dimension?.type), value: row.value }));
      return { rows: read, total: isPeriod(per) ? read.length : (rows[0]?.groups ?? 0), matched: null };
    },
  };
}

/** More periods than the longest window has days. */
const MAX_PERIODS = 1_000;

const groupOf = (tables: Tables, per: string | undefined): string => {
  if (per === undefined) return "NULL";
  if (isPeriod(per)) return PERIOD_STARTS[per];
  if (per === "event") return "x.event";
  return per === "user" ? "x.id" : "r.grp";
};

function groupIn(row: EventRow, per: string, type: Dimension["type"] | undefined): Entity | Cell {
  if (per === "account") return accountIn(row);
  if (per === "user") return userIn(row);
  return per === "event" ? featureOf(String(row.grp)) : decoded(row.grp, type);
}

/** The newest periods of the window, oldest first. A period without events has the value 0. */
function periodRows(per: Period, { from, to }: Window, rows: readonly EventRow[]): ResultRow[] {
  const values = new Map(rows.map(({ grp, value }) => [Number(grp), value]));
  const starts = new Set(Array.from({ length: to - from + 1 }, (_, place) => startOf(per, from + place)));
  return [...starts].slice(-MAX_ROWS).map((start) => ({ group: isoDate(start), value: values.get(start) ?? 0 }));
}

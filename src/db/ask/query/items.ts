/** Compiles queries about inbox items. */
import { MAX_ROWS } from "../../../core/ask/query/model.ts";
import { ITEM_STATUSES } from "../../../core/ask/query/dimensions.ts";
import type { Cell } from "../../../core/ask/query/result.ts";
import { columnsOf } from "../../client/columns-of.ts";
import { statement } from "../../client/statements.ts";
import { accounts, eventNames, health, inboxItems, inboxMarks, users } from "../../schema/schema.ts";
import { shownId } from "../../users/erased-ids.ts";
import { decodeItem, ITEM_COLUMNS, type RawItem } from "../../inbox/stored-items.ts";
import { oneOf } from "../stored-codes.ts";
import { ITEM_STATUS, meets, valueOf } from "./dimension-sql.ts";
import { type Compiled, decoded, namedDimension } from "./entities.ts";
import { type AccountColumns, accountColumns, accountIn } from "./entity-columns.ts";
import type { Compiling } from "./tables.ts";

const a = columnsOf(accounts, "a");
const e = columnsOf(eventNames, "e");
const h = columnsOf(health, "h");
const i = columnsOf(inboxItems, "i");
const k = columnsOf(inboxMarks, "k");
const u = columnsOf(users, "u");

interface ItemRow extends RawItem, AccountColumns {
  status: string;
  about: string | null;
  total: number;
}

const SOURCE = `${i.table}
LEFT JOIN ${k.table} ON ${k.item} = ${i.number}
LEFT JOIN ${a.table} ON ${a.number} = ${i.account}
LEFT JOIN ${h.table} ON ${h.workspace} = ?1 AND ${h.account} = ${i.account}`;

/** Only resolved items may be anything but open: the index on open items is smaller. */
function whereOf({ query, dimensions, values, lookups }: Compiling): string {
  const conditions = query.where.flatMap((filter) => {
    const dimension = dimensions.get(filter.dimension);
    if (dimension === undefined) return [];
    const value = dimension.name === "status" ? ITEM_STATUS : valueOf(dimension, values);
    const open = dimension.name === "status" && filter.is !== undefined && filter.is !== "resolved";
    return [meets(value, dimension, filter, values, lookups), ...(open ? [`${i.resolvedDay} IS NULL`] : [])];
  });
  return [`${i.workspace} = ?1`, ...conditions].join("\n  AND ");
}

/** Lists items, those of the highest rank first. */
export function compileItems(compiling: Compiling): Compiled<ItemRow> {
  const { query, values, lookups } = compiling;
  const by = query.order === undefined ? i.rank : valueOf(namedDimension(compiling, query.order.by), values);
  const direction = query.order?.direction === "up" ? "ASC" : "DESC";
  const sql = `
SELECT ${ITEM_COLUMNS}, ${accountColumns("a")}, ${ITEM_STATUS} AS status,
  coalesce(${u.externalId}, ${e.name}) AS about, count(*) OVER () AS total
FROM ${SOURCE}
LEFT JOIN ${u.table} ON ${i.kind} = 'key_user_quiet' AND ${u.number} = CAST(${i.subject} AS INTEGER)
LEFT JOIN ${e.table} ON ${i.kind} = 'feature_dropped' AND ${e.number} = CAST(${i.subject} AS INTEGER)
WHERE ${whereOf(compiling)}
ORDER BY ${by} ${direction}, ${i.number} DESC LIMIT ${query.limit ?? MAX_ROWS}`;
  return {
    statement: statement<ItemRow>(sql, values.json(), lookups.now),
    read: (rows) => ({
      rows: rows.map((row) => {
        const { kind, severity, openedDay } = decodeItem(row);
        return {
          entity: accountIn(row),
          item: {
            id: String(row.id),
            kind,
            severity,
            status: oneOf(ITEM_STATUSES, row.status),
            opened: openedDay,
            about: row.about === null ? null : shownId(row.about),
          },
        };
      }),
      total: rows[0]?.total ?? 0,
      matched: rows[0]?.total ?? 0,
    }),
  };
}

interface GroupRow extends AccountColumns {
  grp: Cell;
  count: number;
  groups: number;
}

export function compileItemCount(compiling: Compiling): Compiled<GroupRow> {
  const { query, values, lookups } = compiling;
  const per = query.per === undefined ? null : namedDimension(compiling, query.per);
  const group = per === null ? "NULL" : per.name === "status" ? ITEM_STATUS : valueOf(per, values);
  const sql = `
SELECT w.*, ${accountColumns("g")}
FROM (
  SELECT ${group} AS grp, count(*) AS count, count(*) OVER () AS groups FROM ${SOURCE}
  WHERE ${whereOf(compiling)} GROUP BY 1 ORDER BY count DESC, grp LIMIT ${query.limit ?? MAX_ROWS}
) w
LEFT JOIN ${columnsOf(accounts, "g").table} ON ${per?.name === "account" ? `${columnsOf(accounts, "g").number} = w.grp` : "FALSE"}
ORDER BY w.count DESC, w.grp`;
  return {
    statement: statement<GroupRow>(sql, values.json(), lookups.now),
    read(rows) {
      if (per === null) return { rows: [{ value: rows[0]?.count ?? 0 }], total: 1, matched: rows[0]?.count ?? 0 };
      const grouped = rows.map((row) => ({
        group: per.name === "account" ? accountIn(row) : decoded(row.grp, per.type),
        value: row.count,
      }));
      return { rows: grouped, total: rows[0]?.groups ?? 0, matched: null };
    },
  };
}

/** Compiles queries about inbox items. */
import { MAX_ROWS } from "../../../core/ask/query/model.ts";
import type { ItemStatus } from "../../../core/ask/query/dimensions.ts";
import { columnsOf } from "../../client/columns-of.ts";
import { accounts, eventNames, health, inboxItems, inboxMarks, users } from "../../schema/schema.ts";
import { shownId } from "../../users/erased-ids.ts";
import { decodeItem, ITEM_COLUMNS, type RawItem } from "../../inbox/stored-items.ts";
import { meets, valueOf } from "./dimension-sql.ts";
import { sortable } from "./entities.ts";
import { type AccountColumns, accountColumns, accountIn } from "./entity-columns.ts";
import { type Compiled, groupIn, type GroupRow, groupStatement } from "./groups.ts";
import { type Compiling, namedDimension } from "./tables.ts";

const a = columnsOf(accounts, "a");
const e = columnsOf(eventNames, "e");
const h = columnsOf(health, "h");
const i = columnsOf(inboxItems, "i");
const k = columnsOf(inboxMarks, "k");
const u = columnsOf(users, "u");

interface ItemRow extends RawItem, AccountColumns {
  status: ItemStatus;
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
    const dimension = namedDimension({ dimensions }, filter.dimension);
    const isOpen = dimension.name === "status" && filter.is !== undefined && filter.is !== "resolved";
    const condition = meets(valueOf(dimension, values), dimension, filter, values, lookups);
    return [condition, ...(isOpen ? [`${i.resolvedDay} IS NULL`] : [])];
  });
  return [`${i.workspace} = ?1`, ...conditions].join("\n  AND ");
}

/** Lists items, those of the highest rank first. */
export function compileItems(compiling: Compiling): Compiled<ItemRow> {
  const { query, values } = compiling;
  const by = query.order === undefined ? null : namedDimension(compiling, query.order.by);
  const key = by === null ? i.rank : sortable(valueOf(by, values), by);
  const direction = query.order?.direction === "up" ? "ASC" : "DESC";
  const sql = `
SELECT ${ITEM_COLUMNS}, ${accountColumns("a")},
  ${valueOf(namedDimension(compiling, "status"), values)} AS status, coalesce(${u.externalId}, ${e.name}) AS about, count(*) OVER () AS total
FROM ${SOURCE}
LEFT JOIN ${u.table} ON ${i.kind} = 'key_user_quiet' AND ${u.number} = CAST(${i.subject} AS INTEGER)
LEFT JOIN ${e.table} ON ${i.kind} = 'feature_dropped' AND ${e.number} = CAST(${i.subject} AS INTEGER)
WHERE ${whereOf(compiling)}
ORDER BY (${key}) IS NULL, ${key} ${direction}, ${i.number} DESC LIMIT ${query.limit ?? MAX_ROWS}`;
  return {
    statement: values.bind<ItemRow>(sql),
    read: (rows) => ({
      rows: rows.map((row) => {
        const { kind, severity, openedDay } = decodeItem(row);
        return {
          entity: accountIn(row),
          item: {
            id: String(row.id),
            kind,
            severity,
            status: row.status,
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

/** Counts items, per value of a dimension if the query says so. */
export function compileItemCount(compiling: Compiling): Compiled<GroupRow> {
  const { query, values } = compiling;
  const per = query.per === undefined ? null : namedDimension(compiling, query.per);
  const group = per === null ? "NULL" : valueOf(per, values);
  const label = per?.name === "account" ? a.externalId : group;
  const definitions = `matched AS MATERIALIZED (SELECT ${group} AS grp, ${label} AS label FROM ${SOURCE} WHERE ${whereOf(compiling)})`;
  const groups = `
  SELECT grp, label, NULL AS currency, count(*) AS value, NULL AS count FROM matched ${per === null ? "" : "GROUP BY grp"}`;
  return {
    statement: groupStatement(compiling, { definitions, groups, matched: "(SELECT count(*) FROM matched)" }),
    read(rows) {
      const found = rows.filter((row) => row.groups !== null);
      const read = found.map((row) => ({ ...(per !== null && { group: groupIn(row, per) }), value: row.value }));
      return { rows: read, total: found[0]?.groups ?? 0, matched: rows[0]?.matched ?? 0 };
    },
  };
}

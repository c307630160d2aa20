/** Compiles queries about inbox items. */
import type { ItemStatus } from "../../../core/inbox/model.ts";
import { shownId } from "../../users/erased-ids.ts";
import { decodeItem, ITEM_COLUMNS, type RawItem } from "../../inbox/list-items.ts";
import { a, e, h, i, k, u } from "./aliases.ts";
import type { Compiling } from "./compiling.ts";
import { LABELS, meetsNow, valueOf } from "./dimension-sql.ts";
import { accountIn, ENTITY_COLUMNS, type EntityRow } from "./entity-columns.ts";
import type { Selection } from "./lists.ts";
import { aliased } from "./tables.ts";

interface ItemRow extends RawItem, EntityRow {
  status: ItemStatus;
  eventName: string | null;
}

const JOINED = `LEFT JOIN ${k.table} ON ${k.item} = ${i.number}
LEFT JOIN ${a.table} ON ${a.number} = ${i.account}`;

export function itemsIn(compiling: Compiling): Selection<ItemRow> {
  const status = valueOf(compiling, "status");
  return {
    table: "matched",
    // Among items of the same rank, the newest come first.
    definitions: (columns) => `matched AS MATERIALIZED (
  SELECT ${aliased({ id: i.number, name: `-${i.number}`, ...columns })}
  FROM ${i.table} ${JOINED}
  LEFT JOIN ${h.table} ON ${h.workspace} = ?1 AND ${h.account} = ${i.account}
  WHERE ${whereOf(compiling)})`,
    valueIn: (name, at) => (name === undefined ? "NULL" : (LABELS[name] ?? valueOf(at, name))),
    rank: i.rank,
    columns: `${ITEM_COLUMNS}, ${ENTITY_COLUMNS}, ${status} AS status, ${e.name} AS eventName`,
    joins: `JOIN ${i.table} ON ${i.number} = listed.id ${JOINED}
LEFT JOIN ${u.table} ON ${i.kind} = 'key_user_quiet' AND ${u.number} = CAST(${i.subject} AS INTEGER)
LEFT JOIN ${e.table} ON ${i.kind} = 'feature_dropped' AND ${e.number} = CAST(${i.subject} AS INTEGER)`,
    read(row) {
      const { kind, severity, openedDay: opened } = decodeItem(row);
      const subject = row.userExternalId ?? row.eventName;
      const about = subject === null ? null : shownId(subject);
      return {
        entity: accountIn(row),
        item: { id: String(row.id), kind, severity, status: row.status, opened, about },
      };
    },
  };
}

export function itemGroups(compiling: Compiling): Record<string, string> {
  const { per } = compiling.query;
  if (per === undefined) return {};
  const grp = valueOf(compiling, per);
  return { grp, label: LABELS[per] ?? grp };
}

/** Restricts to unresolved items if the query allows it, because their index is smaller. */
function whereOf(compiling: Compiling): string {
  const conditions = compiling.query.where.flatMap((filter) => {
    const isOpen = filter.dimension === "status" && filter.is !== undefined && filter.is !== "resolved";
    return [meetsNow(compiling, filter), ...(isOpen ? [`${i.resolvedDay} IS NULL`] : [])];
  });
  return [`${i.workspace} = ?1`, ...conditions].join("\n  AND ");
}

/** Counts and totals per group. Without groups there is one row. */
import { isMoney } from "../../../core/ask/query/check.ts";
import { type Query, MAX_ROWS } from "../../../core/ask/query/model.ts";
import type { Cell, Entity } from "../../../core/ask/query/result.ts";
import { isoDate } from "../../../core/ask/query/windows.ts";
import type { Dimension } from "../../../core/ask/query/dimensions.ts";
import { a, u } from "./aliases.ts";
import type { Compiling, Part } from "./compiling.ts";
import { accountIn, ENTITY_COLUMNS, type EntityRow, featureOf, userIn } from "./entity-columns.ts";

interface GroupRow extends EntityRow {
  grp: Cell;
  label: Cell;
  currency: string | null;
  value: number | null;
  /** The number of groups. */
  total: number;
}

/** What a query finds, as a table with `id`, `name` and further columns. */
export interface Found {
  table: string;
  /** Defines the table and the tables that it reads. */
  definitions(columns: Readonly<Record<string, string>>): string;
}

interface Groups {
  definitions: string;
  /** Selects `grp`, `label`, `currency` and `value`. */
  groups: string;
}

/** Adds a count or another total of what is found, per group and currency. */
export function addTotals(
  compiling: Compiling,
  found: Found,
  columns: Readonly<Record<string, string>> = {},
  { source, total } = { source: found.table, total: "count(*)" },
): () => Part {
  const isGrouped = compiling.query.per !== undefined || isSumOfMoney(compiling.query);
  return addGroups(compiling, {
    definitions: found.definitions({ grp: "NULL", label: "NULL", currency: "NULL", ...columns }),
    groups: `
  SELECT min(grp) AS grp, min(label) AS label, min(currency) AS currency, ${total} AS value
  FROM ${source} ${isGrouped ? "GROUP BY grp, currency" : ""}`,
  });
}

/** Adds a statement that selects the groups with the highest values, or the lowest if the query says so. */
export function addGroups(
  { batch, query, values, dimensions }: Compiling,
  { definitions, groups }: Groups,
  limit = query.limit ?? MAX_ROWS,
): () => Part {
  const { per, order } = query;
  const sort = (g: string) => `${g}.value IS NULL, ${g}.value ${order?.direction === "up" ? "ASC" : "DESC"},
  ${g}.label IS NULL, ${g}.label, ${g}.currency IS NULL, ${g}.currency, ${g}.grp`;
  const sql = `WITH ${definitions}
SELECT w.*, ${ENTITY_COLUMNS}
FROM (SELECT g.*, count(*) OVER () AS total FROM (${groups}) g ORDER BY ${sort("g")} LIMIT ${limit}) w
LEFT JOIN ${a.table} ON ${a.number} = ${per === "account" ? "w.grp" : "NULL"}
LEFT JOIN ${u.table} ON ${u.number} = ${per === "user" ? "w.grp" : "NULL"}
ORDER BY ${sort("w")}`;
  const readRows = batch.addStatement(values.bind<GroupRow>(sql));
  return () => {
    const rows = readRows();
    return {
      rows: rows.map((row) => ({
        ...(per !== undefined && { group: groupIn(row, per, dimensions.get(per)?.type) }),
        ...(isSumOfMoney(query) && { currency: row.currency }),
        value: finite(row.value),
      })),
      total: rows[0]?.total ?? 0,
    };
  };
}

function groupIn(row: GroupRow, per: string, type: Dimension["type"] | undefined): Entity | Cell {
  if (per === "account") return accountIn(row);
  if (per === "event") return featureOf(String(row.grp));
  return per === "user" ? userIn(row) : decoded(row.grp, type);
}

/** Sums of money are per currency. */
const isSumOfMoney = ({ show, measure }: Query): boolean => show === "value" && isMoney(measure);

/** Turns numbers of days into dates, and 1 or 0 of a boolean into true or false. */
export function decoded(value: Cell, type: Dimension["type"] | undefined): Cell {
  if (type === "date" && value !== null) return isoDate(Number(value));
  if (type === "boolean" && value !== null) return value === 1;
  return typeof value === "number" ? finite(value) : value;
}

/** A sum that overflows is unknown. */
export const finite = (value: number | null): number | null => (Number.isFinite(value) ? value : null);

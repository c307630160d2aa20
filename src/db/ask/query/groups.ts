/** Groups of a result: their order, and the entities that they are named by. */
import type { Dimension } from "../../../core/ask/query/dimensions.ts";
import { MAX_ROWS } from "../../../core/ask/query/model.ts";
import type { Cell, Entity, ResultRow } from "../../../core/ask/query/result.ts";
import { isoDate } from "../../../core/ask/query/windows.ts";
import { columnsOf } from "../../client/columns-of.ts";
import type { Statement } from "../../client/statements.ts";
import { accounts, users } from "../../schema/schema.ts";
import {
  type AccountColumns,
  accountColumns,
  accountIn,
  type UserColumns,
  userColumns,
  userIn,
} from "./entity-columns.ts";
import { valueIn } from "./measures.ts";
import { type Compiling, namedDimension, type Tables } from "./tables.ts";

const a = columnsOf(accounts, "a");
const u = columnsOf(users, "u");

/** A compiled query: its statement, and how to read what comes back. */
export interface Compiled<Row> {
  statement: Statement<Row>;
  read: (rows: readonly Row[]) => { rows: ResultRow[]; total: number; matched: number | null; population?: number };
}

/** Without groups there is one row, with the number of groups `null`. */
export interface GroupRow extends AccountColumns, UserColumns {
  grp: Cell;
  label: Cell;
  currency: string | null;
  value: number | null;
  count: number;
  groups: number | null;
  matched: number | null;
}

/** The columns of `matched` by which it is grouped: the value, and what groups of equal values are sorted by. */
export function groupColumns(tables: Tables, per: string): { grp: string; label: string } {
  const grp = valueIn(tables, namedDimension(tables.compiling, per));
  if (per === "account") return { grp, label: tables.column(a.externalId) };
  return { grp, label: per === "user" ? tables.column(u.externalId) : grp };
}

interface Groups {
  definitions: string;
  /** Selects `grp`, `label`, `currency`, `value` and `count`. */
  groups: string;
  /** The SQL of how many rows match, before they are grouped. */
  matched: string;
}

/** Selects the groups of the highest value, or of the lowest if the query says so. */
export function groupStatement(
  compiling: Compiling,
  { definitions, groups, matched }: Groups,
  limit?: number,
): Statement<GroupRow> {
  const { per, order } = compiling.query;
  const sort = (g: string) => `${g}.value IS NULL, ${g}.value ${order?.direction === "up" ? "ASC" : "DESC"},
  ${g}.label IS NULL, ${g}.label, ${g}.currency IS NULL, ${g}.currency, ${g}.grp`;
  const sql = `WITH ${definitions}
SELECT c.matched, w.*, ${accountColumns("a")}, ${userColumns("u")}
FROM (SELECT ${matched} AS matched) c LEFT JOIN (
  SELECT g.*, count(*) OVER () AS groups FROM (${groups}) g ORDER BY ${sort("g")} LIMIT ${limit ?? compiling.query.limit ?? MAX_ROWS}
) w
LEFT JOIN ${a.table} ON ${a.number} = ${per === "account" ? "w.grp" : "NULL"}
LEFT JOIN ${u.table} ON ${u.number} = ${per === "user" ? "w.grp" : "NULL"}
ORDER BY ${sort("w")}`;
  return compiling.values.bind<GroupRow>(sql);
}

export function groupIn(row: GroupRow, { name, type }: Dimension): Entity | Cell {
  if (name === "account") return accountIn(row);
  return name === "user" ? userIn(row) : decoded(row.grp, type);
}

/** Numbers of days become dates, and 1 or 0 of a boolean true or false. */
export function decoded(value: Cell, type: Dimension["type"] | undefined): Cell {
  if (type === "date" && value !== null) return isoDate(Number(value));
  if (type === "boolean" && value !== null) return value === 1;
  return typeof value === "number" ? finite(value) : value;
}

/** A sum that is beyond all numbers is unknown. */
export const finite = (value: number | null): number | null => (Number.isFinite(value) ? value : null);

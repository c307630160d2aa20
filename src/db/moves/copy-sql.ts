/**
 * The statements that read, write, delete and compare rows of any table of the schema. They are SQL text, built for
 * each table. Their parameters have no names, because conditions carry their own values.
 */
import { getTableColumns } from "drizzle-orm";

import { columnsOf } from "../client/columns-of.ts";
import { jsonParts } from "../client/run-statements.ts";
import type { Row, Statement } from "../client/statement.ts";
import type { Session } from "../recompute/session.ts";
import { workspaceStates } from "../schema/schema.ts";
import { isBetween, type OwnRange, type Position } from "../workspaces/own-ranges.ts";
import { isHeld } from "../recompute/lease-sql.ts";

/** The workspace in both databases. A part of a move holds the leases of its sessions. */
export interface Copy {
  source: Session;
  target: Session;
}

/** The maximum size of a page. A single row may be larger. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;
const MAX_PAGE_ROWS = 10_000;
/** The memory that a number or a short text takes. */
const BYTES_PER_COLUMN = 16;

const state = columnsOf(workspaceStates);

export const columnsIn = ({ table }: OwnRange) =>
  Object.values(getTableColumns(table)).map((column) => ({ name: column.name, type: column.getSQLType() }));

const namesIn = (range: OwnRange): string[] => columnsIn(range).map(({ name }) => name);

/**
 * Selects the next rows of a range. Their sizes are summed up first, so that a page never fills the memory. All rows of a
 * table of numbers have one size, and are read once.
 * @param maxRows more than the default apply only to tables of numbers: elsewhere sizes are summed up for all these rows
 */
export function pageQuery(range: OwnRange, after: Position, maxRows = MAX_PAGE_ROWS): Statement<Row> {
  const size = columnsIn(range).map(
    ({ name, type }) => `${BYTES_PER_COLUMN}${type === "text" ? ` + coalesce(octet_length(${name}), 0)` : ""}`,
  );
  const rows = isBetween({ ...range, start: after });
  const from = `FROM ${range.tableName} WHERE ${rows.sql} ORDER BY ${range.key.join(", ")}`;
  const select = `SELECT ${namesIn(range).join(", ")} ${from}`;
  if (columnsIn(range).every(({ type }) => type !== "text")) {
    const fitting = Math.floor(MAX_PAGE_BYTES / (BYTES_PER_COLUMN * size.length));
    return { sql: `${select} LIMIT ${Math.min(maxRows, fitting)}`, values: rows.values };
  }
  const sql = `${select} LIMIT (
    SELECT max(1, count(*)) FROM (
      SELECT sum(bytes) OVER (ROWS UNBOUNDED PRECEDING) AS total
      FROM (SELECT ${size.join(" + ")} AS bytes ${from} LIMIT ${Math.min(maxRows, MAX_PAGE_ROWS)})
    ) WHERE total <= ${MAX_PAGE_BYTES}
  )`;
  return { sql, values: [...rows.values, ...rows.values] };
}

/** Whether a part still holds the lease of the target. Every write of the copy has this condition. */
export const mayCopy = ({ target: { workspace, holder } }: Copy): Statement => ({
  sql: `${isHeld("?", "?")} AND EXISTS (
    SELECT 1 FROM ${state.table} WHERE ${state.number} = ? AND ${state.state} = 'arriving')`,
  values: [workspace.number, holder, workspace.number],
});

/** Writes rows, and replaces older ones. Columns that they lack, because their backup is older, get their defaults. */
export function writeRows(range: OwnRange, rows: readonly Row[], may: Statement): Statement[] {
  const names = namesIn(range).filter((name) => rows[0] !== undefined && name in rows[0]);
  const values = names.map((_, index) => `value ->> ${index}`).join(", ");
  const sql = `INSERT OR REPLACE INTO ${range.tableName} (${names.join(", ")})
    SELECT ${values} FROM json_each(?) WHERE ${may.sql}`;
  const parts = jsonParts(rows.map((row) => names.map((name) => row[name])));
  return parts.map((part) => ({ sql, values: [part, ...may.values] }));
}

export interface Checksum {
  count: number;
  checksum: number | null;
}

/** Counts rows, and adds up their numbers, and the length and the first, the middle and the last character of their texts. */
export function checksumQuery(range: OwnRange): Statement<Checksum> {
  const terms = columnsIn(range).map(({ name, type }, index) => {
    const character = (at: string) => `unicode(substr(${name}, ${at}, 1))`;
    const middle = character(`length(${name}) / 2 + 1`);
    const text = `octet_length(${name}) * 31 + ${character("1")} + ${middle} * 3 + ${character("-1")} * 7`;
    const number = `CAST(${name} * ${type === "real" ? 1_000 : 1} AS INTEGER) % 1000003`;
    return `coalesce(${type === "text" ? text : number}, -1) * ${index + 1}`;
  });
  const { sql, values } = isBetween(range);
  const sums = `count(*) AS count, sum(${terms.join(" + ")}) AS checksum`;
  return { sql: `SELECT ${sums} FROM ${range.tableName} WHERE ${sql}`, values };
}

export type Kind = "account" | "user";

/** The kind of the first number in a key, for tables whose key doesn't say it. */
const KIND_OF: Readonly<Record<string, Kind>> = {
  accounts: "account",
  users: "user",
  memberships: "user",
  pendingAttributeDays: "user",
};

/** The rows of a range about accounts or users with numbers in a JSON list; `null` for a range without such rows. */
export function rowsAbout({ name, key, start }: OwnRange, kind: Kind, number: number, list: string): Statement | null {
  if ((KIND_OF[name] ?? (start.length > 1 ? start[0] : kind)) !== kind) return null;
  const kindColumn = key.find((column) => column.endsWith("kind"));
  const own = key[0] === "workspace" ? `workspace = ${number} AND ` : "";
  const subject = kindColumn === undefined ? key[0] : `${own}${kindColumn} = '${kind}' AND subject`;
  return { sql: `${subject} IN (SELECT CAST(value AS INTEGER) FROM json_each(?))`, values: [list] };
}

export const selectRows = (range: OwnRange, { sql, values }: Statement): Statement<Row> => ({
  sql: `SELECT ${namesIn(range).join(", ")} FROM ${range.tableName} WHERE ${sql}`,
  values,
});

export const deleteRows = ({ tableName }: OwnRange, where: Statement, may: Statement): Statement => ({
  sql: `DELETE FROM ${tableName} WHERE ${where.sql} AND ${may.sql}`,
  values: [...where.values, ...may.values],
});

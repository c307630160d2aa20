/** The statements that copy rows: they read, write, delete and compare ranges of any table of the schema. */
import { getTableColumns } from "drizzle-orm";

import { columnsOf } from "../client/columns-of.ts";
import { type Row, type Statement, statement } from "../client/statements.ts";
import { identityTraits, names, traits, workspaceStates } from "../schema/schema.ts";
import { isBetween, type OwnRange, type Position } from "../workspaces/own-ranges.ts";
import { isHeld } from "./leases-sql.ts";

/** What a page holds at most. A single row may be larger. */
const MAX_PAGE_BYTES = 4 * 1024 * 1024;
const MAX_PAGE_ROWS = 10_000;
/** What a number or a short text takes in memory. */
const BYTES_PER_COLUMN = 16;

const w = columnsOf(workspaceStates);

interface StoredColumn {
  name: string;
  type: string;
}

const columnsIn = ({ table }: OwnRange): StoredColumn[] =>
  Object.values(getTableColumns(table)).map((column) => ({ name: column.name, type: column.getSQLType() }));

const listOf = (range: OwnRange): string =>
  columnsIn(range)
    .map(({ name }) => name)
    .join(", ");

/** Selects the next rows of a range. Their sizes are summed up first, so that a page never fills the memory. */
export function pageQuery(range: OwnRange, after: Position): Statement<Row> {
  const { tableName, end } = range;
  const key = range.key.join(", ");
  const sizes = columnsIn(range).map(
    ({ name, type }) => `${BYTES_PER_COLUMN}${type === "text" ? ` + coalesce(octet_length(${name}), 0)` : ""}`,
  );
  const from = `FROM ${tableName} WHERE ${isBetween(range, after, end)} ORDER BY ${key}`;
  return statement<Row>(
    `SELECT ${listOf(range)} ${from} LIMIT (
      SELECT max(1, count(*)) FROM (
        SELECT sum(bytes) OVER (ROWS UNBOUNDED PRECEDING) AS total
        FROM (SELECT ${sizes.join(" + ")} AS bytes ${from} LIMIT ${MAX_PAGE_ROWS})
      ) WHERE total <= ${MAX_PAGE_BYTES}
    )`,
    ...after,
    ...end,
    ...after,
    ...end,
  );
}

/** The part of a move that writes, and the workspace. */
export interface Writer {
  holder: string;
  number: number;
}

/** Whether the part still holds the lease of the target, with the parameters in the order of the text. */
export const mayCopy = ({ holder, number }: Writer): Statement =>
  statement(
    `${isHeld("?", "?")} AND EXISTS (SELECT 1 FROM ${w.table} WHERE ${w.number} = ? AND ${w.state} = 'moving')`,
    number,
    holder,
    number,
  );

/** Writes rows, also in place of older ones. @param rows arrays in the order of the table's columns, as JSON */
export function writeRows(range: OwnRange, rows: string, writer: Writer): Statement {
  const { sql, values } = mayCopy(writer);
  const selected = columnsIn(range).map((_, place) => `value ->> ${place}`);
  return statement(
    `INSERT OR REPLACE INTO ${range.tableName} (${listOf(range)}) SELECT ${selected.join(", ")} FROM json_each(?) WHERE ${sql}`,
    rows,
    ...values,
  );
}

/** Arranges a row for {@link writeRows}. */
export const valuesOf = (range: OwnRange, row: Row) => columnsIn(range).map(({ name }) => row[name] ?? null);

export interface Checksum {
  count: number;
  checksum: number | null;
}

/** Counts the rows of a range and sums up their numbers and the lengths of their texts. Both databases must agree. */
export function checksumQuery(range: OwnRange): Statement<Checksum> {
  const { tableName, start, end } = range;
  const terms = columnsIn(range).map(({ name, type }, place) => {
    const value =
      type === "text"
        ? `octet_length(${name}) * 31 + unicode(${name})`
        : `CAST(${name} * ${type === "real" ? 1_000 : 1} AS INTEGER) % 1000003`;
    return `coalesce(${value}, -1) * ${place + 1}`;
  });
  return statement<Checksum>(
    `SELECT count(*) AS count, sum(${terms.join(" + ")}) AS checksum FROM ${tableName} WHERE ${isBetween(range, start, end)}`,
    ...start,
    ...end,
  );
}

/** By table, the condition that a row is about one of the accounts or users in a JSON list of numbers. */
const ABOUT: Readonly<Record<string, Partial<Record<Kind, string>>>> = {
  accounts: { account: "number" },
  users: { user: "number" },
  memberships: { user: "user" },
  pendingAttributeDays: { user: "user" },
  "traits account": { account: `${columnsOf(traits).subjectKind} = 'account' AND subject` },
  "traits user": { user: `${columnsOf(traits).subjectKind} = 'user' AND subject` },
  identityTraits: ofKinds(columnsOf(identityTraits).subjectKind),
  names: ofKinds(columnsOf(names).kind),
};

function ofKinds(kind: string): Record<Kind, string> {
  const of = (value: Kind) =>
    `workspace = (SELECT value >> 32 FROM json_each(?1) LIMIT 1) AND ${kind} = '${value}' AND subject`;
  return { account: of("account"), user: of("user") };
}

export type Kind = "account" | "user";

/** The rows of a range that are about accounts or users; `null` when the range has none of the kind. */
export function aboutSubjects(range: OwnRange, kind: Kind): string | null {
  const columns = ABOUT[range.name];
  if (columns === undefined) throw new Error(`nothing says whom the rows of ${range.name} are about`);
  const column = columns[kind];
  return column === undefined ? null : `${column} IN (SELECT CAST(value AS INTEGER) FROM json_each(?1))`;
}

export const subjectsQuery = (range: OwnRange, about: string, numbers: string): Statement<Row> =>
  statement<Row>(`SELECT ${listOf(range)} FROM ${range.tableName} WHERE ${about}`, numbers);

export const deleteSubjects = (range: OwnRange, about: string, numbers: string, writer: Writer): Statement => {
  const { sql, values } = mayCopy(writer);
  return statement(`DELETE FROM ${range.tableName} WHERE ${about} AND ${sql}`, numbers, ...values);
};

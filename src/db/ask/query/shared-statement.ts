/**
 * Joins the parts of a query into one statement, in which each table is computed once for all parts that need it. A
 * statement before it adds up what the parts would read, and ends the transaction if that is too much: a database runs
 * one transaction at a time, so a heavy query of one workspace would keep all others waiting.
 */
import type { Batch } from "../../client/batch.ts";
import { TOO_MANY_ROWS } from "../../client/faults.ts";
import { prepare, prepareQuery } from "../../client/prepare.ts";
import { type RankedColumn, rankedColumns, type RankedRow } from "./ranked-row.ts";
import type { Values } from "./values.ts";

/** The budget of a query. A unit is a row that is only counted; a row that is also sorted counts more. */
export const MAX_READ_UNITS = 850_000;
/** SQLite in D1 refuses longer compounds. */
const MAX_COMPOUND = 5;

/** The cost of reading a table, in units. */
export interface Read {
  /** The SQL of a cheap upper bound. If all reads have one and their sum fits the budget, no rows are counted. */
  upperBound?: string;
  /** The rows to count, after FROM, and the units of each. Default: the bound is exact. */
  counted?: readonly { from: string; units: number | string }[];
}

export type Column = Exclude<RankedColumn, "part">;

export function newSharedStatement(batch: Batch, { toJson }: Values) {
  const tables = new Map<string, { name: string; sql: () => string }>();
  const parts: { columns: ReadonlySet<Column>; sql: string }[] = [];
  const reads: Read[] = [];
  let readRows: (() => readonly RankedRow[]) | null = null;
  return {
    /**
     * Defines a table, unless one with the same key is defined already.
     * @param sql is called once all parts are added
     * @returns its name
     */
    define(prefix: string, key: string, sql: () => string): string {
      const id = `${prefix} ${key}`;
      const { name } = tables.get(id) ?? { name: `${prefix}${tables.size}` };
      if (!tables.has(id)) tables.set(id, { name, sql });
      return name;
    },
    addRead: (read: Read): unknown => reads.push(read),
    addPart(columns: readonly Column[], sql: string): () => readonly RankedRow[] {
      const index = parts.push({ columns: new Set(columns), sql }) - 1;
      return () => (readRows?.() ?? []).filter(({ part }) => part === index);
    },
    /** Adds the statements to the batch. */
    finish(tail: string): void {
      const all = [...new Set(parts.flatMap(({ columns }) => [...columns]))];
      const selects = parts.map(({ columns, sql }, index) => {
        const shown = all.map((name) => (columns.has(name) ? name : `NULL AS ${name}`));
        return `SELECT ${[`${index} AS part`, ...shown].join(", ")} FROM (${sql})`;
      });
      const defined = Array.from(tables.values(), ({ name, sql }) => `${name} AS MATERIALIZED (${sql()})`);
      const definitions = `WITH ${[tail, ...defined].join(",\n")}\n`;
      const query = prepareQuery(
        rankedColumns(["part", ...all]),
        (columns) => `${definitions}SELECT ${columns} FROM (${unionAll(selects)})`,
      );
      const values = { values: toJson() };
      batch.add(prepare(definitions + requireFewRows(reads)), values);
      readRows = batch.add(query, values);
    },
  };
}
export type SharedStatement = ReturnType<typeof newSharedStatement>;

/** Fails if the query would read too much. `DatabaseUnavailable` recognizes the text of the error. */
function requireFewRows(reads: readonly Read[]): string {
  const boundOf = (some: readonly Read[]) =>
    ["0", ...some.map(({ upperBound = MAX_READ_UNITS + 1 }) => upperBound)].join(" + ");
  const known = boundOf(reads.filter(({ counted }) => counted === undefined));
  const sources = reads.flatMap(({ counted = [] }) => counted);
  const selects = sources.map(({ from, units }) => `SELECT ${units} AS units FROM ${from}`);
  const least = Math.min(...sources.map(({ units }) => (typeof units === "number" ? units : 1)));
  const limit = Math.ceil((MAX_READ_UNITS + 1) / least);
  const units =
    sources.length === 0
      ? "0"
      : `(SELECT coalesce(sum(units), 0) FROM (SELECT * FROM (${unionAll(selects)}) LIMIT ${limit}))`;
  return `SELECT json_extract('{}', iif(
  CASE WHEN ${known} > ${MAX_READ_UNITS} THEN TRUE WHEN ${boundOf(reads)} <= ${MAX_READ_UNITS} THEN FALSE
    ELSE ${known} + ${units} > ${MAX_READ_UNITS} END,
  '${TOO_MANY_ROWS}', '$'))`;
}

function unionAll(selects: readonly string[]): string {
  if (selects.length <= MAX_COMPOUND) return selects.join("\nUNION ALL\n");
  const groups = Array.from({ length: Math.ceil(selects.length / MAX_COMPOUND) }, (_, index) =>
    unionAll(selects.slice(index * MAX_COMPOUND, (index + 1) * MAX_COMPOUND)),
  );
  return unionAll(groups.map((group) => `SELECT * FROM (${group})`));
}

/**
 * Joins the parts of a query into one statement, in which each table is computed once for all parts that need it. A
 * statement before it adds up what the parts would read, and ends the transaction if that is too much: a database runs
 * one transaction at a time, so a heavy query of one workspace would keep all others waiting.
 */
import type { Batch } from "../../client/batch.ts";
import { TOO_MANY_ROWS } from "../../client/faults.ts";
import type { RankedRow } from "./ranked-row.ts";
import type { Values } from "./values.ts";

/** What a query may read. A unit is a row that is only counted; one that is sorted too counts more. */
export const MAX_READ_UNITS = 850_000;
/** The bound of a read that is always counted. */
export const COUNTED = String(MAX_READ_UNITS + 1);
/** SQLite in D1 refuses longer compounds. */
const MAX_COMPOUND = 5;

/** What a table reads, in units. */
export interface Read {
  /** The SQL of an upper bound that is cheap to compute. If the bounds fit together, nothing is counted. */
  most: string;
  /** Selects the units of each row. Default: the bound is exact. */
  rows?: readonly string[];
}

export type Column = Exclude<keyof RankedRow, "part">;

export function newSharedStatement(batch: Batch, { bind }: Values) {
  const tables = new Map<string, { name: string; sql: () => string }>();
  const parts: { columns: ReadonlySet<Column>; sql: string }[] = [];
  const reads: Read[] = [];
  const results: (() => readonly RankedRow[])[] = [];
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
      const place = parts.push({ columns: new Set(columns), sql }) - 1;
      return () => results.flatMap((rows) => rows()).filter(({ part }) => part === place);
    },
    /** Adds the statements to the batch. */
    finish(tail: string): void {
      const all = [...new Set(parts.flatMap(({ columns }) => [...columns]))];
      const selects = parts.map(({ columns, sql }, place) => {
        const shown = all.map((name) => (columns.has(name) ? name : `NULL AS ${name}`));
        return `SELECT ${[`${place} AS part`, ...shown].join(", ")} FROM (${sql})`;
      });
      const defined = Array.from(tables.values(), ({ name, sql }) => `${name} AS MATERIALIZED (${sql()})`);
      const definitions = `WITH ${[tail, ...defined].join(",\n")}\n`;
      batch.addStatement(bind(definitions + requireFewRows(reads)));
      results.push(batch.addStatement(bind<RankedRow>(definitions + unionAll(selects))));
    },
  };
}
export type SharedStatement = ReturnType<typeof newSharedStatement>;

/** Fails, with a text that `DatabaseUnavailable` knows, if there is too much to read. */
function requireFewRows(reads: readonly Read[]): string {
  const most = (of: readonly Read[]) => ["0", ...of.map((read) => read.most)].join(" + ");
  const counted = reads.flatMap(({ rows = [] }) => rows);
  const known = most(reads.filter(({ rows }) => rows === undefined));
  const units =
    counted.length === 0
      ? "0"
      : `(SELECT coalesce(sum(units), 0) FROM (SELECT * FROM (${unionAll(counted)}) LIMIT ${MAX_READ_UNITS + 1}))`;
  return `SELECT json_extract('{}', iif(
  CASE WHEN ${most(reads)} <= ${MAX_READ_UNITS} THEN FALSE ELSE ${known} + ${units} > ${MAX_READ_UNITS} END,
  '${TOO_MANY_ROWS}', '$'))`;
}

function unionAll(selects: readonly string[]): string {
  if (selects.length <= MAX_COMPOUND) return selects.join("\nUNION ALL\n");
  const groups = Array.from({ length: Math.ceil(selects.length / MAX_COMPOUND) }, (_, place) =>
    unionAll(selects.slice(place * MAX_COMPOUND, (place + 1) * MAX_COMPOUND)),
  );
  return unionAll(groups.map((group) => `SELECT * FROM (${group})`));
}

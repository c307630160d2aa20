/**
 * Names tables and columns in SQL text. The names come from the Drizzle schema, so that renaming a column breaks the
 * build of every statement that uses it.
 */
import { type Column, getTableColumns, getTableName, type Table } from "drizzle-orm";
import { getTableConfig, type SQLiteTable } from "drizzle-orm/sqlite-core";

import type { Expression } from "./expression.ts";

/** A column's values as D1 returns them: JSON columns are text, and booleans are numbers. */
type Stored<C extends Column> =
  | (C["_"]["data"] extends string | number ? C["_"]["data"] : Extract<C["_"]["driverParam"], string | number>)
  | (C["_"]["notNull"] extends true ? never : null);

/** By property name of the schema: the column's name, with the alias in front if the table has one. */
export type ColumnNames<T extends Table> = {
  readonly [Name in keyof T["_"]["columns"]]: Expression<Stored<T["_"]["columns"][Name]>>;
} & {
  /** The table's name, followed by its alias if it has one. */
  readonly table: string;
};

/**
 * Lists a table's column names for SQL text.
 * @example
 * const message = columnsOf(messages, "message");
 * `SELECT ${message.receivedAt} FROM ${message.table}` // SELECT message.received_at FROM messages message
 */
export function columnsOf<T extends Table>(table: T, alias?: string): ColumnNames<T>;
export function columnsOf(table: Table, alias?: string): Record<string, string> {
  const prefix = alias === undefined ? "" : `${alias}.`;
  const names = Object.entries(getTableColumns(table)).map(([property, { name }]) => [property, prefix + name]);
  const tableName = getTableName(table);
  return { ...Object.fromEntries(names), table: alias === undefined ? tableName : `${tableName} ${alias}` };
}

/** A row of all columns as D1 returns it: JSON columns are text, and booleans are numbers. */
export type RawRow<T extends Table> = { readonly [Name in keyof T["$inferSelect"]]: string | number | null };

/** Decodes a row of all columns as Drizzle's own queries do. */
export function decodeRow<T extends Table>(table: T, row: RawRow<T>): T["$inferSelect"];
export function decodeRow(table: Table, row: Record<string, unknown>): Record<string, unknown> {
  const decoded = Object.entries(getTableColumns(table)).map(([property, column]) => {
    const value = row[property];
    return [property, value === null ? null : column.mapFromDriverValue(value)];
  });
  return Object.fromEntries(decoded);
}

/** Lists the names of the columns of a table's primary key. */
export function primaryKeyOf(table: SQLiteTable): string[] {
  const { columns, primaryKeys } = getTableConfig(table);
  const key = primaryKeys[0]?.columns ?? columns.filter(({ primary }) => primary);
  return key.map(({ name }) => name);
}

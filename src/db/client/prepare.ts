/**
 * Prepares SQL text, once, when a module loads. Parameters have names, such as `:workspace`, and the type of a row
 * follows from the columns that it selects. See ../README.md for when to write SQL text.
 */
import type { Expression } from "./expression.ts";
import type { Statement, Value } from "./statement.ts";

/** The row of columns, by their names. */
export type RowOf<Columns> = {
  -readonly [Name in keyof Columns]: Columns[Name] extends Expression<infer T> ? T : never;
};

export interface Prepared<R = Record<string, never>> {
  /** Binds the values that the statement names; others are ignored. @throws Error when one is missing */
  bind(values: Readonly<Record<string, Value>>): Statement<R>;
}

/** Matches text in which a colon starts no parameter, or else the name of a parameter. */
const PARAMETER = /'[^']*'|:([a-z]\w*)/gi;

/** Prepares a statement that returns no row, or whose rows a caller types by `expression`. */
export function prepare(sql: string): Prepared {
  return prepareText(sql);
}

/**
 * Prepares a statement that returns rows.
 * @param columns by their names in the row
 * @param write receives the list of columns, for `SELECT` or `RETURNING`
 * @example
 * const SELECT_NAME = prepareQuery({ name: account.name }, (columns) => `
 * SELECT ${columns} FROM ${account.table} WHERE ${account.number} = :account`);
 * SELECT_NAME.bind({ account: 7 }) // Statement<{ name: string | null }>
 */
export const prepareQuery = <const C extends Readonly<Record<string, Expression<unknown>>>>(
  columns: C,
  write: (columns: string) => string,
): Prepared<RowOf<C>> => prepareText(write(selectList(columns)));

/** Lists columns for `SELECT`, by their names in the row. */
export const selectList = (columns: Readonly<Record<string, string>>): string =>
  Object.entries(columns)
    .map(([name, sql]) => `${sql} AS ${name}`)
    .join(", ");

/** D1 knows numbered parameters only, so each name gets a number. */
function prepareText<R>(text: string): Prepared<R> {
  const names: string[] = [];
  const sql = text.replaceAll(PARAMETER, (found, name?: string) => {
    if (name === undefined) return found;
    if (!names.includes(name)) names.push(name);
    return `?${names.indexOf(name) + 1}`;
  });
  return {
    bind: (values) => ({ sql, values: names.map((name) => required(values[name], name)) }),
  };
}

function required(value: Value | undefined, name: string): Value {
  if (value === undefined) throw new Error(`The statement needs a value for :${name}.`);
  return value;
}

/** SQL text that knows the type of its values. */

declare const type: unique symbol;

/** SQL text of an expression whose values have a type, as D1 returns them. */
export type Expression<T> = string & { readonly [type]?: T };

/** States the type of an expression, such as `count(*)`. */
export function expression<T>(sql: string): Expression<T>;
export function expression(sql: string): string {
  return sql;
}

/** Marks a column of a table that an outer join may lack. */
export const nullable = <T>(column: Expression<T>): Expression<T | null> => expression(column);

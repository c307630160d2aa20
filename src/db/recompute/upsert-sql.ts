/** Fragments of statements that upsert the rows of a JSON array. */

/** Selects the members of each row `value`. */
export const members = (count: number): string =>
  Array.from({ length: count }, (_, place) => `value ->> ${place}`).join(", ");

/** Replaces these columns of a stored row. An equal row is not written. */
export const replaceChanged = (columns: readonly string[]): string => `
DO UPDATE SET ${columns.map((column) => `${column} = excluded.${column}`).join(", ")}
WHERE (${columns.join(", ")}) IS NOT (${columns.map((column) => `excluded.${column}`).join(", ")})`;

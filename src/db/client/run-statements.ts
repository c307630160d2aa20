/** Runs SQL text. Statements in one batch are one transaction and one round trip. */
import type { Database } from "./database.ts";
import { withRetry } from "./faults.ts";
import type { Statement } from "./statement.ts";

export type Results<S extends readonly Statement<unknown>[]> = {
  -readonly [Index in keyof S]: S[Index] extends Statement<infer R> ? D1Result<R> : never;
};

/**
 * Runs statements as one transaction, and again after a transient fault. A second run must change nothing more.
 * @throws DatabaseUnavailable, as `withRetry` does
 */
export const runBatch = <const S extends readonly Statement<unknown>[]>(
  db: Database,
  statements: S,
): Promise<Results<S>> => withRetry(() => sendBatch(db, statements));

/** Runs statements as one transaction, without a retry. */
export function sendBatch<const S extends readonly Statement<unknown>[]>(
  db: Database,
  statements: S,
): Promise<Results<S>>;
export async function sendBatch({ $client }: Database, statements: readonly Statement<unknown>[]): Promise<D1Result[]> {
  if (statements.length === 0) return [];
  return $client.batch(statements.map(({ sql, values }) => $client.prepare(sql).bind(...values)));
}

/** Runs one statement, without a retry. A batch of one takes a tenth longer. */
export const sendStatement = <R>({ $client }: Database, { sql, values }: Statement<R>): Promise<D1Result<R>> =>
  $client
    .prepare(sql)
    .bind(...values)
    .run<R>();

/** Characters of at most four bytes each: D1 accepts 2 MB per value. */
export const MAX_PART_CHARACTERS = 400_000;

/** Serializes rows as JSON arrays that D1 accepts as one value each. */
export function jsonParts(rows: readonly unknown[]): string[] {
  const parts: string[] = [];
  let part: string[] = [];
  let size = 0;
  for (const row of rows.map((each) => JSON.stringify(each))) {
    if (size + row.length > MAX_PART_CHARACTERS && part.length > 0) {
      parts.push(`[${part.join(",")}]`);
      part = [];
      size = 0;
    }
    part.push(row);
    size += row.length;
  }
  return part.length === 0 ? parts : [...parts, `[${part.join(",")}]`];
}

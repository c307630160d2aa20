/**
 * Limits how much a step loads at once, by the length of its rows. An isolate has 128 MB, and parsed rows take several
 * times the memory of their text. A few accounts with thousands of users are larger than thousands of small ones.
 */
import { expression } from "../client/expression.ts";
import { type Prepared, prepareQuery } from "../client/prepare.ts";
import type { Statement } from "../client/statement.ts";
import type { Session } from "./session.ts";

/** The rows of an account without its days: scores, items and attributes. This is about the most that they take. */
export const ACCOUNT_BYTES = 32_768;
/** The numbers of a day without its users and features. */
export const DAY_BYTES = 32;

export interface Page {
  /** How many rows fit: at least one if there is any. */
  count: number;
  /** 1 if rows are left after them. */
  more: number;
}

/**
 * Prepares the statement that counts the first of `rows` that fit into `:maxBytes` together.
 * @param rows a SELECT of `bytes` and the columns in `order`, of at most `:limit` rows
 */
export const countFitting = (rows: string, order: string): Prepared<Page> =>
  prepareQuery(
    { count: expression<number>("fitting"), more: expression<number>("found > fitting OR found = :limit") },
    (columns) => `
SELECT ${columns} FROM (
  SELECT count(*) FILTER (WHERE place = 1 OR total <= :maxBytes) AS fitting, count(*) AS found
  FROM (
    SELECT row_number() OVER earlier AS place, sum(bytes) OVER earlier AS total
    FROM (${rows}) WINDOW earlier AS (ORDER BY ${order} ROWS UNBOUNDED PRECEDING)
  )
)`,
  );

/** @param query from `countFitting` */
export async function readPage(session: Session, query: Statement<Page>): Promise<Page> {
  const [{ results }] = await session.batch([query]);
  return results[0] ?? { count: 0, more: 0 };
}

/** Decodes rows one at a time, so that only one of them is in memory. */
export function* inTurn<Row, Decoded>(rows: Iterable<Row>, decode: (row: Row) => Decoded): Generator<Decoded> {
  for (const row of rows) yield decode(row);
}

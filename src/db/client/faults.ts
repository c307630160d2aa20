/**
 * Classifies D1's errors. D1 never retries writes. The service's writes are safe to retry, because the message id and
 * the ingest id make a second run store nothing. An overloaded database is not retried.
 */
import { DrizzleQueryError } from "drizzle-orm";

import { timed } from "../../call-times.ts";
import { typedKeys } from "../../core/typed-keys.ts";
import { leases } from "../schema/schema.ts";
import { columnsOf } from "./columns-of.ts";

/** The text of the error that ends a query which would read too much. */
export const TOO_MANY_ROWS = "too many rows to read";

const lease = columnsOf(leases, "leases");

/**
 * D1's errors by their meaning. The first match wins. An error has no field for its code: SQLite's codes are at the end
 * of the message, and D1's own errors have nothing but their texts.
 */
const SIGNS = {
  /** The error of `requireLive`: the workspace is being erased, has moved, or is about to. */
  not_live: [`${lease.expiresAt}: SQLITE_CONSTRAINT`],
  too_many_rows: [TOO_MANY_ROWS],
  /** The database lacks a migration that the code needs. */
  outdated: ["no such table", "no such column", "has no column named"],
  /** D1 refused the work. The last two mean that the invocation's calls or the free plan's rows are used up. */
  refused: ["overloaded", "too many requests queued", "by single worker invocation", "free tier daily"],
  /** The database or the account has no room. The transaction was rolled back. */
  full: ["SQLITE_FULL", "exceeded maximum db size", "maximum account storage"],
  transient: [
    "network connection lost",
    "storage caused object to be reset",
    "reset because its code was updated",
    "cannot resolve d1 db",
    "client disconnected",
  ],
  /** D1 stopped the work or never answered. Whether the work was applied is unknown, and a retry may overload D1 again. */
  timed_out: ["exceeded timeout", "exceeded its cpu time limit", "exceeded its memory limit", "internal error"],
};
const PAUSE_MS = 50;

type Kind =
  | keyof typeof SIGNS
  /** The workspace is not in the database: see `read.ts`. */
  | "absent";

/** The database did not answer, refused the work, or is full. */
export class DatabaseUnavailable extends Error {
  /** True when the database refused the work, so that nothing was stored. */
  readonly notApplied: boolean;
  readonly kind: Kind;

  constructor(cause: unknown, notApplied: boolean, kind: Kind = "refused") {
    super("The database is unavailable.", { cause });
    this.name = "DatabaseUnavailable";
    this.notApplied = notApplied;
    this.kind = kind;
  }
}

/**
 * Runs a query, and runs it again after a transient fault.
 * @param run receives the number of the attempt, from 1
 * @throws DatabaseUnavailable when the database is at fault; any other error as D1 reported it
 */
export async function withRetry<T>(run: (attempt: number) => Promise<T>): Promise<T> {
  try {
    return await timed("databaseMs", () => run(1));
  } catch (error) {
    if (kindOf(withoutParameters(error)) !== "transient") throw asUnavailable(error, true);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  return once(() => run(2), false);
}

/**
 * Runs a query that must not be retried.
 * @throws DatabaseUnavailable when the database is at fault; any other error as D1 reported it
 */
export async function once<T>(run: () => Promise<T>, firstAttempt = true): Promise<T> {
  try {
    return await timed("databaseMs", run);
  } catch (error) {
    throw asUnavailable(error, firstAttempt);
  }
}

function asUnavailable(error: unknown, firstAttempt: boolean): unknown {
  const own = withoutParameters(error);
  const kind = kindOf(own);
  if (kind === "other") return own;
  const refused = kind !== "transient" && kind !== "timed_out";
  return new DatabaseUnavailable(own, firstAttempt && refused, kind);
}

/** Unwraps D1's own error. Drizzle's wrapper lists the query's parameters, which must not reach the log. */
function withoutParameters(error: unknown): unknown {
  return error instanceof DrizzleQueryError ? (error.cause ?? new Error("a query failed")) : error;
}

function kindOf(error: unknown): Kind | "other" {
  const text = String(error).toLowerCase();
  return typedKeys(SIGNS).find((kind) => SIGNS[kind].some((sign) => text.includes(sign.toLowerCase()))) ?? "other";
}

/**
 * What D1's errors mean. D1 repeats no write by itself; ours are safe to repeat (the message id and the ingest id
 * make a second run store nothing), so an answer lost on the way is asked for once more. An overloaded database
 * is left alone.
 */
import { DrizzleQueryError } from "drizzle-orm";

const TRANSIENT = [
  "network connection lost",
  "storage caused object to be reset",
  "reset because its code was updated",
  "cannot resolve d1 db",
];
const OVERLOADED = ["overloaded", "too many requests queued"];
/** It gave up on the work, or never answered: what of it was done is not known, and to repeat it may be too much. */
const TIMED_OUT = ["exceeded timeout", "exceeded its cpu time limit", "exceeded its memory limit", "internal error"];
const PAUSE_MS = 50;

/** The database did not answer, or has more to do than it can. */
export class DatabaseUnavailable extends Error {
  /** True when the database refused the work outright, so that none of it was done. */
  readonly notApplied: boolean;
  /** True when it was there and gave up on this work: other work may fare better. */
  readonly timedOut: boolean;

  constructor(cause: unknown, notApplied: boolean, timedOut = false) {
    super("the database is unavailable", { cause });
    this.name = "DatabaseUnavailable";
    this.notApplied = notApplied;
    this.timedOut = timedOut;
  }
}

/**
 * Runs a query, once more after a passing fault.
 * @param run gets the number of the attempt, from 1
 * @throws DatabaseUnavailable where the fault is the database's; any other error as D1 gave it
 */
export async function withRetry<T>(run: (attempt: number) => Promise<T>): Promise<T> {
  try {
    return await run(1);
  } catch (error) {
    if (kindOf(withoutParameters(error)) !== "transient") throw asUnavailable(error, true);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  try {
    return await run(2);
  } catch (error) {
    throw asUnavailable(error, false);
  }
}

/**
 * Runs a query that must not be repeated.
 * @throws DatabaseUnavailable where the fault is the database's; any other error as D1 gave it
 */
export async function once<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw asUnavailable(error, true);
  }
}

function asUnavailable(error: unknown, firstAttempt: boolean): unknown {
  const own = withoutParameters(error);
  const kind = kindOf(own);
  if (kind === "other") return own;
  return new DatabaseUnavailable(own, firstAttempt && kind === "overloaded", kind === "timed_out");
}

/** D1's own error. Drizzle wraps it in one whose message lists the query's parameters, which belong in no log. */
function withoutParameters(error: unknown): unknown {
  return error instanceof DrizzleQueryError ? (error.cause ?? new Error("a query failed")) : error;
}

function kindOf(error: unknown): "transient" | "overloaded" | "timed_out" | "other" {
  const text = String(error).toLowerCase();
  if (OVERLOADED.some((words) => text.includes(words))) return "overloaded";
  if (TRANSIENT.some((words) => text.includes(words))) return "transient";
  return TIMED_OUT.some((words) => text.includes(words)) ? "timed_out" : "other";
}

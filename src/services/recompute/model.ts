/** What a run of the recompute is asked for, and what it tells. */

export interface RecomputeOptions {
  /** The moment it judges as of, milliseconds since the epoch: days before its UTC day are complete. */
  now: number;
  trigger: "cron" | "admin";
  /** The time by the clock, for the lease and the budget. */
  clock: () => number;
  /** So long it goes on, by the clock; what is left is done by the next run. */
  budgetMs: number;
  /** Messages are deleted that were received longer ago, once they are folded. */
  retentionDays: number;
  /** How much a step takes; `STEP_SIZES` unless told. */
  stepSizes?: StepSizes;
}

/** A step is a transaction, or two round trips: what is lost at a crash, and the time between two looks at the budget. */
export interface StepSizes {
  /** Messages folded at once: well below a second of SQL. */
  messages: number;
  /** Messages deleted at once. */
  deletions: number;
  /** Accounts condensed or compared at once. */
  compared: number;
  /** Accounts read, judged and written at once. */
  scored: number;
}

export const STEP_SIZES: StepSizes = { messages: 10_000, deletions: 5_000, compared: 250, scored: 50 };

export interface RunFigures {
  eventsFolded: number;
  accountsScored: number;
  itemsOpened: number;
  itemsResolved: number;
  /** Messages past their retention. */
  eventsDeleted: number;
  /** Rows of the database, by its own count. */
  rowsRead: number;
  rowsWritten: number;
}

export interface RunRecord extends RunFigures {
  id: string;
  trigger: "cron" | "admin";
  /** Milliseconds since the epoch: the `now` of the run, and its beginning and end by the clock. */
  asOf: number;
  startedAt: number;
  finishedAt: number;
  /** False when it ran out of its budget, or lost its lease: the next run goes on where it stopped. */
  complete: boolean;
}

export type RecomputeOutcome = { outcome: "done"; run: RunRecord } | { outcome: "skipped"; reason: "running" };

/** The options and the result of a run of the recompute. */
import type { RunStart } from "../../db/recompute/runs.ts";

export interface RecomputeOptions {
  /** The moment that scores refer to, in milliseconds since the epoch. Days before its UTC day are complete. */
  now: number;
  trigger: "cron" | "admin";
  /** The wall clock, for the lease and the budget. */
  clock: () => number;
  /** How long the run may take. The next run does the rest. */
  budgetMs: number;
  /** Folded messages received longer ago are deleted. */
  retentionDays: number;
  /** Default: `STEP_SIZES`. */
  stepSizes?: StepSizes;
}

/** A step is one transaction, or two round trips. A crash loses one step, and the budget is checked between steps. */
export interface StepSizes {
  /** Messages folded at once, which takes well below a second of SQL. */
  messages: number;
  /** Messages deleted at once. */
  deletions: number;
  /** Accounts rolled up or compared at once. */
  compared: number;
  /** Accounts read, scored and written at once. */
  scored: number;
}

export const STEP_SIZES: StepSizes = { messages: 10_000, deletions: 5_000, compared: 250, scored: 50 };

export const FIGURES = [
  "eventsFolded",
  "accountsScored",
  "itemsOpened",
  "itemsResolved",
  "eventsDeleted",
  "rowsRead",
  "rowsWritten",
] as const;

/** What a run has done. Rows are the database's own count. */
export type RunFigures = Record<(typeof FIGURES)[number], number>;

export interface RunRecord extends RunFigures, RunStart {
  finishedAt: number;
  /** False when the run exceeded its budget or lost its lease. The next run continues. */
  complete: boolean;
}

export type RecomputeOutcome = { outcome: "done"; run: RunRecord } | { outcome: "skipped"; reason: "running" };

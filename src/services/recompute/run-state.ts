/** The options, the state and the result of a run of the recompute. */
import type { WorkspaceRef } from "../../db/client/database.ts";
import type { RunStart } from "../../db/recompute/runs.ts";
import type { Session, StatementCount } from "../../db/recompute/session.ts";

export interface RecomputeOptions {
  /** The moment that scores refer to, in milliseconds since the epoch. Days before its UTC day are complete. */
  now: number;
  trigger: "cron" | "admin";
  clock?: () => number;
  /** How long the run may take, and how many statements its invocation may send. The next run does the rest. */
  budgetMs?: number;
  maxStatements?: number;
  /** The statements that the invocation has sent. By default the run is the invocation's only work. */
  count?: StatementCount;
  /** How many days of counts and scores to keep. By default, the deployment sets this and the budget. */
  historyDays?: number;
  stepSizes?: Partial<StepSizes>;
}

/** D1 ends an invocation at 1,000 queries. A step begins only below this number, and takes far fewer than are left. */
export const MAX_RUN_STATEMENTS = 800;

/** A step is one transaction, or two round trips. A crash loses one step, and the budget is checked between steps. */
export const STEP_SIZES = {
  /** Messages folded at once, which takes well below a second of SQL. */
  messages: 10_000,
  /** Accounts whose days are summarized, compared or scored at once. */
  summarized: 250,
  compared: 2_000,
  scored: 100,
  /** The maximum rollups to summarize at once, unless an account has more on a day: a tenth of a second of SQL. */
  rollups: 50_000,
  /** The maximum bytes of accounts to compare or to score at once. */
  bytes: 16 * 2 ** 20,
  /**
   * The maximum numbers that a comparison adds up: one or two per account and day. More accounts mean fewer days at
   * once.
   */
  sums: 1_000_000,
};
type StepSizes = typeof STEP_SIZES;

/** The work of a run. The database itself counts the rows. */
export const NO_FIGURES = {
  eventsFolded: 0,
  accountsScored: 0,
  itemsOpened: 0,
  itemsResolved: 0,
  rowsRead: 0,
  rowsWritten: 0,
};

export type RunFigures = typeof NO_FIGURES;

export interface RunRecord extends RunFigures, Omit<RunStart, "workspace"> {
  finishedAt: number;
  /** False when the run exceeded its budget or lost its lease. The next run continues. */
  complete: boolean;
}

export type RecomputeOutcome = { outcome: "done"; run: RunRecord } | { outcome: "skipped"; reason: "running" };

export interface RunState {
  env: Env;
  workspace: WorkspaceRef;
  session: Session;
  /** The moment that scores refer to, and its UTC day, which is not complete. */
  now: number;
  today: number;
  /** Counts and scores of earlier days are past their retention. */
  historyFrom: number;
  /** Whether the budget is used up. Checked between steps. */
  isOver: () => boolean;
  sizes: StepSizes;
  figures: RunFigures;
}

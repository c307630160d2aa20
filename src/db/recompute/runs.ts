/**
 * The log of runs. A run that never finished keeps its start without an end. The statements of the start are SQL text
 * because the insertion checks the lease.
 */
import { and, eq, exists, sql } from "drizzle-orm";

import { DAY_MS } from "../../core/durations.ts";
import type { Batch } from "../client/batch.ts";
import { columnsOf, decodeRow } from "../client/columns-of.ts";
import type { Database, WorkspaceRef } from "../client/database.ts";
import { DatabaseUnavailable, withRetry } from "../client/faults.ts";
import { prepare, prepareQuery } from "../client/prepare.ts";
import { runBatch } from "../client/run-statements.ts";
import { folds, leases, recomputeRuns } from "../schema/schema.ts";
import { MAY_WRITE } from "./lease-sql.ts";
import type { Session } from "./session.ts";

export type RecomputeRun = typeof recomputeRuns.$inferSelect;

export type RunStart = Pick<RecomputeRun, "id" | "workspace" | "trigger" | "asOf" | "startedAt">;
type RunEnd = Omit<RecomputeRun, keyof RunStart | "finishedAt"> & { finishedAt: number };

const KEPT_DAYS = 30;

const run = columnsOf(recomputeRuns);

const DELETE_EXPIRED = prepare(`
DELETE FROM ${run.table} WHERE ${run.workspace} = :workspace AND ${run.startedAt} < :keptFrom`);

const INSERT_START = prepare(`
INSERT INTO ${run.table} (${run.workspace}, ${run.id}, ${run.trigger}, ${run.asOf}, ${run.startedAt})
SELECT :workspace, :holder, :trigger, :asOf, :startedAt WHERE ${MAY_WRITE}
ON CONFLICT DO NOTHING`);

/** Deletes old records and adds one. A full database has no room for it, and the run continues without it. */
export async function recordStart({ db }: Session, start: RunStart): Promise<void> {
  const values = { ...start, holder: start.id, keptFrom: start.startedAt - KEPT_DAYS * DAY_MS };
  await runBatch(db, [DELETE_EXPIRED.bind(values), INSERT_START.bind(values)]).catch((error: unknown) => {
    if (!(error instanceof DatabaseUnavailable && error.kind === "full")) throw error;
  });
}

/**
 * Records the end of a run and, if it is complete, the moment that outcomes refer to from now on.
 * @param isScored false while an import makes scoring wait: outcomes then refer to the same moment as before
 * @returns whether the run is complete. A run that lost its lease is not: its last writes changed nothing.
 */
export async function recordEnd(
  { db, holder }: Session,
  { id, workspace, asOf }: RunStart,
  end: RunEnd,
  isScored: boolean,
): Promise<boolean> {
  const own = and(eq(leases.workspace, workspace), eq(leases.holder, holder));
  const isComplete = and(sql`${end.complete ? 1 : 0}`, exists(db.select().from(leases).where(own)));
  const [, moved] = await withRetry(() =>
    db.batch([
      db
        .update(recomputeRuns)
        .set({ ...end, complete: sql`${isComplete}` })
        .where(and(eq(recomputeRuns.workspace, workspace), eq(recomputeRuns.id, id))),
      db
        .update(folds)
        .set({ asOf: isScored ? sql`max(coalesce(${folds.asOf}, 0), ${asOf})` : sql`${folds.asOf}` })
        .where(and(eq(folds.workspace, workspace), isComplete))
        .returning({ asOf: folds.asOf }),
    ]),
  );
  return moved.length === 1;
}

const { table: RUNS, ...columns } = run;

const SELECT_RUNS = prepareQuery(
  columns,
  (list) => `
SELECT ${list} FROM ${RUNS} WHERE ${run.workspace} = :workspace ORDER BY ${run.startedAt} DESC LIMIT :limit`,
);

/** Adds the query of the last runs of a workspace, newest first. */
export function selectRuns(batch: Batch, limit: number): () => RecomputeRun[] {
  const read = batch.add(SELECT_RUNS, { limit });
  return () => read().map((row) => decodeRow(recomputeRuns, row));
}

/** Queries the moment that a workspace's outcomes refer to. */
export const asOfQuery = (db: Database, { number }: WorkspaceRef) =>
  db.select({ asOf: folds.asOf }).from(folds).where(eq(folds.workspace, number));

/** The log of runs. A run that never finished keeps its start without an end. */
import { and, desc, eq, exists, gt, isNotNull, lt, sql } from "drizzle-orm";

import { DAY_MS } from "../../core/durations.ts";
import type { Database } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { leases, recomputeRuns } from "../schema/schema.ts";
import { LEASE } from "./lease-sql.ts";
import type { Session } from "./session.ts";

type StoredRun = typeof recomputeRuns.$inferSelect;

export type RunStart = Pick<StoredRun, "id" | "trigger" | "asOf" | "startedAt">;
type RunEnd = Omit<StoredRun, keyof RunStart | "finishedAt"> & { finishedAt: number };

const KEPT_DAYS = 30;

export async function recordStart({ db }: Session, start: RunStart): Promise<void> {
  await withRetry(() =>
    db.batch([
      db.delete(recomputeRuns).where(lt(recomputeRuns.startedAt, start.startedAt - KEPT_DAYS * DAY_MS)),
      db.insert(recomputeRuns).values(start).onConflictDoNothing(),
    ]),
  );
}

/** @returns whether the run is complete. A run that lost its lease is not: its last writes changed nothing. */
export async function recordEnd({ db, holder }: Session, id: string, end: RunEnd): Promise<boolean> {
  const own = and(eq(leases.name, LEASE), eq(leases.holder, holder));
  const held = exists(db.select({ name: leases.name }).from(leases).where(own));
  const [recorded] = await withRetry(() =>
    db
      .update(recomputeRuns)
      .set({ ...end, complete: sql`${end.complete ? 1 : 0} AND ${held}` })
      .where(eq(recomputeRuns.id, id))
      .returning({ complete: recomputeRuns.complete }),
  );
  return recorded?.complete === true;
}

/**
 * Queries the moment that outcomes refer to: `asOf` of the last run that finished. A run that failed on some workspace
 * counts too, because all other workspaces are up to date.
 */
export const lastRunQuery = (db: Database) =>
  db
    .select({ asOf: recomputeRuns.asOf })
    .from(recomputeRuns)
    // The lower bound changes no result. It makes SQLite seek in the index instead of scanning it.
    .where(and(gt(recomputeRuns.startedAt, 0), isNotNull(recomputeRuns.finishedAt)))
    .orderBy(desc(recomputeRuns.startedAt))
    .limit(1);

/** What the console's settings page shows: keys, agreements and the last recompute runs. */
import { desc, eq, gt, isNotNull } from "drizzle-orm";

import { type RecordedAgreement, recordedColumns } from "../identity/agreement.ts";
import { type Database, databaseOf, type WorkspaceRef } from "../client/database.ts";
import { withRepeat } from "../client/faults.ts";
import { type KeySummary, summaryColumns } from "./api-keys.ts";
import { agreements, apiKeys, recomputeRuns } from "../schema/schema.ts";

/** The most rows of each that the page shows. */
const MAX_KEYS = 50;
const MAX_AGREEMENTS = 20;
const MAX_RUNS = 10;

/** A run of the recompute. It covers all workspaces. */
export interface RecomputeRun {
  trigger: "cron" | "admin";
  startedAt: number;
  /** `null` while it runs, and if it was interrupted. */
  finishedAt: number | null;
  complete: boolean;
  eventsFolded: number;
  accountsScored: number;
  itemsOpened: number;
  itemsResolved: number;
  /** Why it failed. */
  fault: string | null;
}

export interface WorkspaceSettings {
  /** Active keys first, then revoked keys; each newest first. */
  keys: KeySummary[];
  /** Whether there are more keys. */
  moreKeys: boolean;
  /** Newest first. */
  agreements: RecordedAgreement[];
  /** Newest first. */
  runs: RecomputeRun[];
}

/** Reads everything in one round trip: the workspace's database also has the tables of the directory. */
export async function readSettings(env: Env, workspace: WorkspaceRef): Promise<WorkspaceSettings> {
  const db = databaseOf(env, workspace);
  const [keys, recorded, runs] = await withRepeat(() =>
    db.batch([selectingKeys(db, workspace), selectingAgreements(db, workspace), selectingRuns(db)]),
  );
  return { keys: keys.slice(0, MAX_KEYS), moreKeys: keys.length > MAX_KEYS, agreements: recorded, runs };
}

const selectingKeys = (db: Database, { number }: WorkspaceRef) =>
  db
    .select(summaryColumns)
    .from(apiKeys)
    .where(eq(apiKeys.workspace, number))
    .orderBy(isNotNull(apiKeys.revokedAt), desc(apiKeys.createdAt))
    .limit(MAX_KEYS + 1);

const selectingAgreements = (db: Database, { number }: WorkspaceRef) =>
  db
    .select(recordedColumns)
    .from(agreements)
    .where(eq(agreements.workspace, number))
    .orderBy(desc(agreements.id))
    .limit(MAX_AGREEMENTS);

const selectingRuns = (db: Database) =>
  db
    .select({
      trigger: recomputeRuns.trigger,
      startedAt: recomputeRuns.startedAt,
      finishedAt: recomputeRuns.finishedAt,
      complete: recomputeRuns.complete,
      eventsFolded: recomputeRuns.eventsFolded,
      accountsScored: recomputeRuns.accountsScored,
      itemsOpened: recomputeRuns.itemsOpened,
      itemsResolved: recomputeRuns.itemsResolved,
      fault: recomputeRuns.fault,
    })
    .from(recomputeRuns)
    // The bound lets SQLite seek in the index instead of scanning it.
    .where(gt(recomputeRuns.startedAt, 0))
    .orderBy(desc(recomputeRuns.startedAt))
    .limit(MAX_RUNS);

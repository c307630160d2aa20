/** What stands behind a workspace's settings: its keys, the record of its agreement, and the last runs of the recompute. */
import { desc, eq, gt, isNotNull } from "drizzle-orm";

import { type RecordedAgreement, recordedColumns } from "../identity/agreement.ts";
import { type Database, databaseOf, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { type KeySummary, summaryColumns } from "./api-keys.ts";
import { agreements, apiKeys, recomputeRuns } from "../schema/schema.ts";

/** The most of each that a page shows. */
const MAX_KEYS = 50;
const MAX_AGREEMENTS = 20;
const MAX_RUNS = 10;

/** A run of the recompute, which is one for all workspaces. */
export interface RecomputeRun {
  trigger: "cron" | "admin";
  startedAt: number;
  /** `null` while it is under way, and of one that never came to its end. */
  finishedAt: number | null;
  complete: boolean;
  eventsFolded: number;
  accountsScored: number;
  itemsOpened: number;
  itemsResolved: number;
  /** Why it failed, in our own words. */
  fault: string | null;
}

export interface WorkspaceSettings {
  /** Those that stand before those that were revoked, each the newest first. */
  keys: KeySummary[];
  /** Whether there are more of them. */
  moreKeys: boolean;
  /** The newest first. */
  agreements: RecordedAgreement[];
  /** The newest first. */
  runs: RecomputeRun[];
}

/** All of it in one round trip, from the database of the workspace's data: the directory's tables stand in it, too. */
export async function readSettings(env: Env, workspace: WorkspaceRef): Promise<WorkspaceSettings> {
  const db = databaseOf(env, workspace);
  const [keys, recorded, runs] = await withRetry(() =>
    db.batch([keysQuery(db, workspace), agreementsQuery(db, workspace), runsQuery(db)]),
  );
  return { keys: keys.slice(0, MAX_KEYS), moreKeys: keys.length > MAX_KEYS, agreements: recorded, runs };
}

const keysQuery = (db: Database, { number }: WorkspaceRef) =>
  db
    .select(summaryColumns)
    .from(apiKeys)
    .where(eq(apiKeys.workspace, number))
    .orderBy(isNotNull(apiKeys.revokedAt), desc(apiKeys.createdAt))
    .limit(MAX_KEYS + 1);

const agreementsQuery = (db: Database, { number }: WorkspaceRef) =>
  db
    .select(recordedColumns)
    .from(agreements)
    .where(eq(agreements.workspace, number))
    .orderBy(desc(agreements.id))
    .limit(MAX_AGREEMENTS);

const runsQuery = (db: Database) =>
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
    // The bound changes no answer: it makes SQLite seek in the index where it would walk along it.
    .where(gt(recomputeRuns.startedAt, 0))
    .orderBy(desc(recomputeRuns.startedAt))
    .limit(MAX_RUNS);

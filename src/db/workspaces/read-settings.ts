/** Reads what the settings page shows: API keys, the record of the agreement, and the last runs of the recompute. */
import { desc, eq, isNotNull } from "drizzle-orm";

import { agreementColumns } from "../identity/agreement.ts";
import { databaseOf, directory, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { summaryColumns } from "./api-keys.ts";
import { agreements, apiKeys, recomputeRuns } from "../schema/schema.ts";

/** The most rows that the page shows of each list. */
const MAX_KEYS = 50;
const MAX_AGREEMENTS = 20;
const MAX_RUNS = 10;

/** A run of the recompute. */
export type RecomputeRun = typeof recomputeRuns.$inferSelect;

/** Lists active keys, then revoked ones. All lists begin with the newest. */
export async function readSettings(env: Env, workspace: WorkspaceRef) {
  const db = directory(env);
  const { number } = workspace;
  const [[keys, recorded], runs] = await Promise.all([
    withRetry(() =>
      db.batch([
        db
          .select(summaryColumns)
          .from(apiKeys)
          .where(eq(apiKeys.workspace, number))
          .orderBy(isNotNull(apiKeys.revokedAt), desc(apiKeys.createdAt))
          .limit(MAX_KEYS + 1),
        db
          .select(agreementColumns)
          .from(agreements)
          .where(eq(agreements.workspace, number))
          .orderBy(desc(agreements.id))
          .limit(MAX_AGREEMENTS),
      ]),
    ),
    withRetry(() =>
      databaseOf(env, workspace)
        .select()
        .from(recomputeRuns)
        .where(eq(recomputeRuns.workspace, number))
        .orderBy(desc(recomputeRuns.startedAt))
        .limit(MAX_RUNS),
    ),
  ]);
  return { keys: keys.slice(0, MAX_KEYS), moreKeys: keys.length > MAX_KEYS, agreements: recorded, runs };
}

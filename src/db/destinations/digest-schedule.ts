/** Moves the times of digests when a workspace gets another time zone. */
import { and, eq } from "drizzle-orm";

import { nextDigestAt } from "../../core/notify/digest-times.ts";
import { databaseOf, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { destinations } from "../schema/schema.ts";
import { requireLiveQuery } from "../workspaces/require-live.ts";
import { listDestinations } from "./destinations.ts";

/**
 * Schedules the next digests by a time zone. May be repeated. Digests that are due already are sent.
 * @param now in milliseconds since the epoch
 */
export async function rescheduleDigests(
  env: Env,
  workspace: WorkspaceRef,
  timezone: string,
  now: number,
): Promise<void> {
  const db = databaseOf(env, workspace);
  const updates = (await listDestinations(env, workspace)).flatMap(({ number, digest, digestDueAt }) => {
    if (digest === null || digestDueAt === null || digestDueAt <= now) return [];
    // A destination whose digests were changed meanwhile keeps its new time.
    const unchanged = and(eq(destinations.number, number), eq(destinations.digestDueAt, digestDueAt));
    return [
      db
        .update(destinations)
        .set({ digestDueAt: nextDigestAt(digest, timezone, now) })
        .where(unchanged),
    ];
  });
  if (updates.length === 0) return;
  await withRetry(() => db.batch([requireLiveQuery(db, workspace), ...updates]));
}

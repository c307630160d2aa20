import { and, desc, gt, isNotNull } from "drizzle-orm";

import type { Database } from "../client/database.ts";
import { recomputeRuns } from "../schema/schema.ts";

/**
 * As of when outcomes stand: the moment that the last recompute which came to its end judged by, milliseconds since
 * the epoch. One that failed on some workspace counts too: that must not make all others look out of date. A query,
 * for what reads outcomes to send along in its own batch.
 */
export const lastRunQuery = (db: Database) =>
  db
    .select({ asOf: recomputeRuns.asOf })
    .from(recomputeRuns)
    // The bound on the start changes no answer: it makes SQLite seek in the index where it would walk along it.
    .where(and(gt(recomputeRuns.startedAt, 0), isNotNull(recomputeRuns.finishedAt)))
    .orderBy(desc(recomputeRuns.startedAt))
    .limit(1);

/** Reads the newest messages and rejections of a workspace. */
import { and, between, desc, eq, gte, type SQL } from "drizzle-orm";

import { DAY_MS } from "../../core/durations.ts";
import { subjectColumns, withSubjects } from "../accounts/subjects.ts";
import { type Database, databaseOf, ownRange, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { unpackMapping } from "../ingest/stored-mapping.ts";
import { accounts, folds, messages, rejectionCounts, rejections, users } from "../schema/schema.ts";
import { REJECTION_RETENTION_DAYS, type RejectedArrival } from "./rejections.ts";

/** A stored message. Its mapping is `null` once the user is erased. */
export type Arrival = ReturnType<typeof toArrival>;

export interface NewestArrivals {
  /** Newest first. */
  messages: Arrival[];
  rejections: RejectedArrival[];
  /** All messages ever stored, including deleted ones. */
  stored: number;
  /** The latest time of receipt of messages that have left the log: `null` if none have. */
  archivedUntil: number | null;
  /** A rejection code of the last day with rejections, including codes that are only counted. */
  rejectedAs: string | null;
}

export const arrivalsQuery = (db: Database, where: SQL | undefined, limit: number) =>
  db
    .select({
      seq: messages.seq,
      messageId: messages.messageId,
      type: messages.type,
      source: messages.source,
      event: messages.event,
      properties: messages.properties,
      occurredAt: messages.occurredAt,
      receivedAt: messages.receivedAt,
      mapping: messages.mapping,
      ...subjectColumns,
    })
    .from(messages)
    .leftJoin(accounts, eq(accounts.number, messages.account))
    .leftJoin(users, eq(users.number, messages.user))
    .where(where)
    .orderBy(desc(messages.seq))
    .limit(limit);

export const toArrival = ({ mapping, ...row }: Awaited<ReturnType<typeof arrivalsQuery>>[number]) => ({
  ...withSubjects(row),
  mapping: mapping === null ? null : unpackMapping(mapping),
});

/** Reads the newest messages and rejections of a workspace, at most `limit` of each, in one round trip. */
export async function newestArrivals(
  env: Env,
  workspace: WorkspaceRef,
  limit: number,
  now = Date.now(),
): Promise<NewestArrivals> {
  const db = databaseOf(env, workspace);
  const { first, last } = ownRange(workspace);
  // Counts outlive kept rejections, so older counts are ignored.
  const keptSince = Math.ceil(now / DAY_MS) - REJECTION_RETENTION_DAYS;
  const [arrived, rejected, [fold], [counted]] = await withRetry(() =>
    db.batch([
      arrivalsQuery(db, between(messages.seq, first, last), limit),
      db
        .select()
        .from(rejections)
        .where(between(rejections.seq, first, last))
        .orderBy(desc(rejections.seq))
        .limit(limit),
      db
        .select({ watermark: folds.watermark, archivedUntil: folds.archivedUntil })
        .from(folds)
        .where(eq(folds.workspace, workspace.number)),
      db
        .select({ code: rejectionCounts.code })
        .from(rejectionCounts)
        .where(and(eq(rejectionCounts.workspace, workspace.number), gte(rejectionCounts.day, keptSince)))
        .orderBy(desc(rejectionCounts.day))
        .limit(1),
    ]),
  );
  return {
    messages: arrived.map(toArrival),
    rejections: rejected,
    stored: countStored(workspace, arrived[0]?.seq, fold?.watermark),
    archivedUntil: fold?.archivedUntil ?? null,
    rejectedAs: counted?.code ?? null,
  };
}

/**
 * Counts all messages ever stored. A workspace's messages are numbered from 1, so the newest number is their count. The
 * watermark remains when all messages are deleted.
 */
export function countStored(
  workspace: WorkspaceRef,
  newestSeq: number | null | undefined,
  watermark: number | null | undefined,
): number {
  const { first } = ownRange(workspace);
  return Math.max(newestSeq ?? 0, watermark ?? 0, first - 1) - first + 1;
}

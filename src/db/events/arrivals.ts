/** Reads stored messages, newest first: the newest with the rejections, or pages of events. */
import { and, between, desc, eq, gte, max, min, type SQL } from "drizzle-orm";

import { DAY_MS } from "../../core/durations.ts";
import type { JsonObject } from "../../core/json.ts";
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

const arrivalsQuery = (db: Database, where: SQL | undefined, limit: number) =>
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

const toArrival = ({ mapping, ...row }: Awaited<ReturnType<typeof arrivalsQuery>>[number]) => ({
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

interface StoredEvent extends Omit<Arrival, "type" | "event" | "mapping"> {
  name: string;
  properties: JsonObject;
}

/** The most messages that a page reads: it skips messages that are not events. */
const MAX_SCANNED = 5_000;

/**
 * Lists behavior events that arrived before `before`, newest first.
 * @returns at most `limit` events, and the position of the next page: `null` at the end of the log. `archivedUntil` is the
 * latest time of receipt of messages that have left the log, in milliseconds since the epoch: `null` if none have
 */
export async function listEvents(
  env: Env,
  workspace: WorkspaceRef,
  limit: number,
  before: number | null,
): Promise<{ events: StoredEvent[]; next: number | null; archivedUntil: number | null }> {
  const db = databaseOf(env, workspace);
  const { first, last } = ownRange(workspace);
  const isOwn = between(messages.seq, first, last);
  // Pages count back from the newest message, so new arrivals don't shift them. Positions come from clients: one past the
  // own log must not read the next workspace's.
  const [newest] =
    before === null
      ? await withRetry(() =>
          db
            .select({ seq: max(messages.seq) })
            .from(messages)
            .where(isOwn),
        )
      : [];
  const top = before === null ? (newest?.seq ?? 0) : Math.min(before - 1, last);
  const bottom = Math.max(first, top - MAX_SCANNED + 1);
  const isEvent = and(between(messages.seq, bottom, top), eq(messages.type, "track"));
  const [rows, [log], [fold]] = await withRetry(() =>
    db.batch([
      arrivalsQuery(db, isEvent, limit + 1),
      db
        .select({ oldest: min(messages.seq) })
        .from(messages)
        .where(isOwn),
      db.select({ archivedUntil: folds.archivedUntil }).from(folds).where(eq(folds.workspace, workspace.number)),
    ]),
  );
  const events = rows.slice(0, limit).map(toEvent);
  const archivedUntil = fold?.archivedUntil ?? null;
  if (rows.length > limit) return { events, next: events.at(-1)?.seq ?? null, archivedUntil };
  return { events, next: bottom > (log?.oldest ?? last) ? bottom : null, archivedUntil };
}

function toEvent(row: Parameters<typeof toArrival>[0]): StoredEvent {
  const { type: _type, event, mapping: _mapping, properties, ...arrival } = toArrival(row);
  return { ...arrival, name: event ?? "", properties: properties ?? {} };
}

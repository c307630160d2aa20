/** Reads stored messages, newest first: the newest with the rejections, or pages of events. */
import { and, between, desc, eq, gte, type SQL, sql } from "drizzle-orm";

import { DAY_MS } from "../../core/durations.ts";
import type { Mapping } from "../../core/ingest/message.ts";
import { accountColumn, userColumn } from "../accounts/subjects.ts";
import { type Database, ownRange, type WorkspaceRef } from "../client/database.ts";
import { readQueries } from "../client/read.ts";
import { newestSeq, oldestSeq } from "../client/sql-fragments.ts";
import { unpackMapping } from "../ingest/stored-mapping.ts";
import { accounts, folds, messages, rejectionCounts, rejections, users } from "../schema/schema.ts";
import { REJECTION_RETENTION_DAYS } from "./rejections.ts";

/** A stored message. */
export type Arrival = Awaited<ReturnType<typeof arrivalsQuery>>[number];

export type NewestArrivals = Awaited<ReturnType<typeof readNewestArrivals>>;

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
      /** `null` once the user is erased. */
      mapping: sql`${messages.mapping}`
        .mapWith((json: string): Mapping | null => unpackMapping(JSON.parse(json)))
        .as("mapping"),
      account: accountColumn,
      user: userColumn,
    })
    .from(messages)
    .leftJoin(accounts, eq(accounts.number, messages.account))
    .leftJoin(users, eq(users.number, messages.user))
    .where(where)
    .orderBy(desc(messages.seq))
    .limit(limit);

/** Reads the newest messages and rejections of a workspace, at most `limit` of each, in one round trip. */
export async function readNewestArrivals(env: Env, workspace: WorkspaceRef, limit: number, now = Date.now()) {
  const { first, last } = ownRange(workspace);
  // Counts outlive kept rejections, so older counts are ignored.
  const keptSince = Math.ceil(now / DAY_MS) - REJECTION_RETENTION_DAYS;
  const [newest, rejected, [fold], [counted]] = await readQueries(env, workspace, (db) => [
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
  ]);
  return {
    messages: newest,
    rejections: rejected,
    /** All messages ever stored, including deleted ones. */
    stored: countStored(workspace, newest[0]?.seq, fold?.watermark),
    /** The latest time of receipt of messages that have left the log: `null` if all are still in it. */
    archivedUntil: fold?.archivedUntil ?? null,
    /** A rejection code of the last day with rejections, including codes that are only counted. */
    rejectedAs: counted?.code ?? null,
  };
}

/**
 * Counts all messages ever stored. A workspace's messages are numbered from 1, so the newest number is their count. The
 * watermark remains when all messages are deleted.
 */
export function countStored(
  workspace: WorkspaceRef,
  newest: number | null | undefined,
  watermark: number | null | undefined,
): number {
  const { first } = ownRange(workspace);
  return Math.max(newest ?? 0, watermark ?? 0, first - 1) - first + 1;
}

/** The most messages that a page reads: it skips messages that are not events. */
const MAX_SCANNED = 5_000;

/**
 * Lists behavior events that arrived before `before`, newest first.
 * @returns at most `limit` events, and the position of the next page: `null` at the end of the log. `archivedUntil` is
 *   the latest time of receipt of messages that have left the log, in milliseconds since the epoch: `null` before that
 */
export async function listEvents(env: Env, workspace: WorkspaceRef, limit: number, before: number | null) {
  const { first, last } = ownRange(workspace);
  const [newest, oldest] = [newestSeq, oldestSeq].map((seq) => sql.raw(seq(String(workspace.number))));
  // Pages count back from the newest message, so new arrivals don't shift them. Positions come from clients: a position
  // beyond the workspace's log must not read the next workspace's log.
  const top = before === null ? sql`${newest}` : sql`${Math.min(before - 1, last)}`;
  const bottom = sql`max(${first}, ${top} - ${MAX_SCANNED - 1})`;
  const [rows, [log]] = await readQueries(env, workspace, (db) => [
    arrivalsQuery(db, and(between(messages.seq, bottom, top), eq(messages.type, "track")), limit + 1),
    db
      .select({
        rest: sql<number | null>`iif(${bottom} > ${oldest}, ${bottom}, NULL)`.as("rest"),
        archivedUntil: sql<
          number | null
        >`(SELECT ${folds.archivedUntil} FROM ${folds} WHERE ${folds.workspace} = ${workspace.number})`.as(
          "archived_until",
        ),
      })
      .from(sql`(SELECT 1)`),
  ]);
  const events = rows.slice(0, limit);
  const next = (rows.length > limit ? events.at(-1)?.seq : log?.rest) ?? null;
  return { events, next, archivedUntil: log?.archivedUntil ?? null };
}

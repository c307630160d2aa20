/** Reads messages of the log in the form of the archive and exports. */
import { type ArchivedMessage, MAX_FILE_BYTES } from "../../core/archive/message.ts";
import { DAY_MS, HOUR_MS } from "../../core/durations.ts";
import type { Window } from "../../core/health/model.ts";
import { columnsOf } from "../client/columns-of.ts";
import { readableDatabaseOf, type WorkspaceRef } from "../client/database.ts";
import { newestSeq, oldestSeq, withinWorkspace } from "../client/sql-fragments.ts";
import { runBatch, statement } from "../client/statements.ts";
import { accounts, messages, users } from "../schema/schema.ts";
import { isNotErased } from "../users/erased-ids.ts";
import { type ArchiveErasure, type ArchiveFile, NEXT_FILE, SELECT_ERASURES } from "./files.ts";

const a = columnsOf(accounts, "a");
const m = columnsOf(messages, "m");
const own = columnsOf(messages);
const u = columnsOf(users, "u");

/**
 * The first message of the workspace ?1 received at a time or later. A binary search finds it, because the time of receipt
 * has no index and the log has no gaps. Messages are numbered when they are stored, so some that were received around that
 * time may be on the wrong side.
 */
export const firstReceived = (time: string): string => `(
  WITH RECURSIVE search (low, high) AS (
    SELECT ${oldestSeq("?1")}, ${newestSeq("?1")} + 1
    UNION ALL
    SELECT iif(${own.receivedAt} < ${time}, ${own.seq} + 1, low), iif(${own.receivedAt} < ${time}, high, ${own.seq})
    FROM search CROSS JOIN ${own.table} ON ${own.seq} = (low + high) / 2 WHERE low < high
  )
  SELECT low FROM search WHERE low = high
)`;

/** What a message takes without its texts of variable length. */
const MESSAGE_BYTES = 130;

/** The size of a message in the log, roughly. Its id is in an index too. */
export const messageBytes = `${MESSAGE_BYTES} + 2 * octet_length(${own.messageId})
  + ${[own.event, own.properties, own.attributes, own.mapping].map((text) => `coalesce(octet_length(${text}), 0)`).join(" + ")}`;

/** The external id of an erased person is a control character and the internal id; this is the latter. */
const shown = (externalId: string): string => `ltrim(${externalId}, char(1))`;
const unlessErased = (value: string, condition = "TRUE"): string =>
  `iif(NOT ${isNotErased(u.externalId)} AND ${condition}, NULL, ${value})`;

export type MessageRow = ArchivedMessage & { seq: number };

/**
 * Selects messages as {@link MessageRow}, in their order. A person's messages are cleared here as soon as the erasure has
 * begun, even those that it has not reached in the log yet.
 */
export const selectMessages = (where: string): string => `
SELECT ${m.seq} AS seq, ${m.messageId} AS messageId, ${m.type} AS type, ${m.source} AS source,
  ${shown(a.externalId)} AS accountId, ${a.kind} AS accountKind, ${shown(u.externalId)} AS userId, ${m.event} AS event,
  ${unlessErased(m.properties)} AS properties, ${unlessErased(m.attributes, `${m.account} IS NULL AND ${u.account} IS NULL`)} AS attributes,
  ${m.occurredAt} AS occurredAt, ${m.receivedAt} AS receivedAt,
  coalesce(iif(${isNotErased(u.externalId)}, 1, -1) * ${withinWorkspace(u.number)}, 0) AS user
FROM ${m.table} LEFT JOIN ${a.table} ON ${a.number} = ${m.account} LEFT JOIN ${u.table} ON ${u.number} = ${m.user}
WHERE ${where} ORDER BY ${m.seq}`;

/** One more than a page of an export has, which shows whether there is a next page. */
const MAX_MESSAGES = 10_001;
/** Messages are numbered when they are stored, so a message may have a higher number than one received after it. */
const MAX_DISORDER_MS = HOUR_MS / 4;

/** ?5 and ?6 the time of receipt, from and before. */
const IN_WINDOW = `${own.seq} > ?2 AND ${own.seq} >= ${firstReceived(`?5 - ${MAX_DISORDER_MS}`)}
  AND ${own.seq} < ${firstReceived(`?6 + ${MAX_DISORDER_MS}`)} AND ${own.receivedAt} >= ?5 AND ${own.receivedAt} < ?6`;
const NEXT_MESSAGES = `
WITH found AS (
  SELECT ${own.seq} AS seq, ${messageBytes} AS bytes FROM ${own.table}
  WHERE ${IN_WINDOW} AND NOT EXISTS (${NEXT_FILE}) ORDER BY ${own.seq} LIMIT ${MAX_MESSAGES}
)
${selectMessages(`m.seq IN (
  SELECT seq FROM (
    SELECT seq, row_number() OVER earlier AS place, sum(bytes) OVER earlier AS total
    FROM found WINDOW earlier AS (ORDER BY seq ROWS UNBOUNDED PRECEDING)
  ) WHERE total <= ${MAX_FILE_BYTES} OR place = 1
)`)}`;

/**
 * Reads what comes after a position in one transaction, so that a message that is archived meanwhile is neither missing nor
 * repeated. Messages of the log come after all files.
 * @param after the seq of the last message that was read
 */
export async function readNext(
  env: Env,
  workspace: WorkspaceRef,
  { from, to }: Window,
  after: number,
): Promise<{ file: ArchiveFile | null; erased: Set<number>; rows: MessageRow[] }> {
  const window = [workspace.number, after, from, to] as const;
  const [{ results: files }, { results: erasures }, { results: rows }] = await runBatch(
    readableDatabaseOf(env, workspace),
    [
      statement<ArchiveFile>(NEXT_FILE, ...window),
      statement<ArchiveErasure>(SELECT_ERASURES, workspace.number),
      statement<MessageRow>(NEXT_MESSAGES, ...window, from * DAY_MS, (to + 1) * DAY_MS),
    ],
  );
  return { file: files[0] ?? null, erased: new Set(erasures.map(({ number }) => number)), rows };
}

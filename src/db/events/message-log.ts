/**
 * Reads pages of a workspace's log for people: stored and rejected messages, newest first, and searches of them. SQL text, because
 * the log shares one batch with the rest of its page.
 */
import { DAY_MS } from "../../core/durations.ts";
import { mapEventName } from "../../core/ingest/event-name.ts";
import type { Arrival } from "./arrivals.ts";
import { type Batch, newBatch } from "../client/batch.ts";
import { columnsOf, decodeRow } from "../client/columns-of.ts";
import { ownRange, type WorkspaceRef } from "../client/database.ts";
import { expression, nullable } from "../client/expression.ts";
import { prepareQuery, type RowOf } from "../client/prepare.ts";
import { newestSeq, oldestSeq } from "../client/sql-fragments.ts";
import { unpackMapping } from "../ingest/stored-mapping.ts";
import { accounts, folds, messages, rejections, users } from "../schema/schema.ts";
import { shownId } from "../users/erased-ids.ts";
import { countStored } from "./arrivals.ts";
import { REJECTION_RETENTION_DAYS, type RejectedArrival } from "./rejections.ts";
import { selectTraffic, type TrafficSpan } from "./traffic.ts";

const message = columnsOf(messages, "message");
const account = columnsOf(accounts, "account");
const user = columnsOf(users, "user");
const { table: REJECTIONS, ...rejection } = columnsOf(rejections, "rejection");
const fold = columnsOf(folds, "fold");

/** The most messages that one page of a search reads. */
export const MAX_SEARCHED = 5_000;

const COLUMNS = {
  seq: message.seq,
  messageId: message.messageId,
  type: message.type,
  source: message.source,
  event: message.event,
  properties: expression<string | null>(message.properties),
  occurredAt: message.occurredAt,
  receivedAt: message.receivedAt,
  mapping: expression<string | null>(message.mapping),
  accountId: nullable(account.id),
  accountName: nullable(account.externalId),
  accountKind: nullable(account.kind),
  userId: nullable(user.id),
  userName: nullable(user.externalId),
};

const selectStored = (condition: string) =>
  prepareQuery(
    COLUMNS,
    (columns) => `
SELECT ${columns} FROM ${message.table}
LEFT JOIN ${account.table} ON ${account.number} = ${message.account}
LEFT JOIN ${user.table} ON ${user.number} = ${message.user}
WHERE ${condition} ORDER BY ${message.seq} DESC LIMIT :limit`,
  );

const namedAccount = columnsOf(accounts, "named_account");
const namedUser = columnsOf(users, "named_user");

/** The first message that a search reads: no index finds the messages of an account or an event. */
const SEARCHED_FROM = `(min(:before, ${newestSeq(":workspace")} + 1) - ${MAX_SEARCHED})`;

/** `:sought` is NULL without a search. */
const SELECT_STORED = selectStored(`
  ${message.seq} >= max(:first, iif(:sought IS NULL, 0, ${SEARCHED_FROM})) AND ${message.seq} < :before
  AND (:sought IS NULL OR ${message.event} IN (:sought, :event)
    OR ${message.account} IN (SELECT ${namedAccount.number} FROM ${namedAccount.table}
      WHERE ${namedAccount.workspace} = :workspace AND ${namedAccount.kind} IN ('company', 'solo')
        AND ${namedAccount.externalId} = :sought)
    OR ${message.user} IN (SELECT ${namedUser.number} FROM ${namedUser.table}
      WHERE ${namedUser.workspace} = :workspace AND ${namedUser.externalId} = :sought))`);

const SELECT_BY_MESSAGE_ID = selectStored(`
  ${message.workspace} = :workspace AND ${message.source} IN ('cdp', 'native') AND ${message.messageId} = :sought`);

const SELECT_REJECTED = prepareQuery(
  rejection,
  (columns) => `
SELECT ${columns} FROM ${REJECTIONS}
WHERE ${rejection.seq} >= :first AND ${rejection.seq} < :beforeRejection AND ${rejection.receivedAt} >= :keptSince
  AND (:sought IS NULL OR ${rejection.event} IN (:sought, :event)
    OR :sought IN (${rejection.messageId}, ${rejection.accountId}, ${rejection.userId}))
ORDER BY ${rejection.seq} DESC LIMIT :rejectionLimit`,
);

const SELECT_LOG = prepareQuery(
  {
    newest: expression<number | null>(newestSeq(":workspace")),
    watermark: expression<number | null>(
      `(SELECT ${fold.watermark} FROM ${fold.table} WHERE ${fold.workspace} = :workspace)`,
    ),
    archivedUntil: expression<number | null>(
      `(SELECT ${fold.archivedUntil} FROM ${fold.table} WHERE ${fold.workspace} = :workspace)`,
    ),
    unread: expression<number | null>(`iif(${SEARCHED_FROM} > ${oldestSeq(":workspace")}, ${SEARCHED_FROM}, NULL)`),
  },
  (columns) => `SELECT ${columns}`,
);

const arrivalOf = ({
  accountId,
  accountName,
  accountKind,
  userId,
  userName,
  ...row
}: RowOf<typeof COLUMNS>): Arrival => ({
  ...row,
  properties: row.properties === null ? null : JSON.parse(row.properties),
  mapping: row.mapping === null ? null : unpackMapping(JSON.parse(row.mapping)),
  account:
    accountId === null || accountName === null || accountKind === null
      ? null
      : { id: accountId, externalId: shownId(accountName), kind: accountKind },
  user: userId === null || userName === null ? null : { id: userId, externalId: shownId(userName) },
});

export const LOG_KINDS = ["all", "stored", "rejected"] as const;
export type LogKind = (typeof LOG_KINDS)[number];

/** The seqs before which a page of the log begins: of messages, and of rejections. */
type LogPosition = readonly [message: number, rejection: number];

export type LogEntry = { kind: "stored"; message: Arrival } | { kind: "rejected"; message: RejectedArrival };

interface LogRequest {
  kind: LogKind;
  /** A message id, an event, or the sender's id of an account or a user. */
  sought: string | null;
  /** `null` for the newest page. */
  before: LogPosition | null;
  limit: number;
  now: number;
}

export interface MessageLog {
  entries: LogEntry[];
  /** The position of this page, which stays the same when messages arrive. */
  position: LogPosition;
  /** The position of the next page: `null` at the end of the log. */
  next: LogPosition | null;
  /** Whether a search has not read the messages of the next page, so that they may not match. */
  isUnread: boolean;
  /** All messages ever stored, including deleted ones. */
  stored: number;
  /** The latest time of receipt of messages that have left the log: `null` if all are still in it. */
  archivedUntil: number | null;
}

/** Reads a page of the log and the volume of messages in one round trip. */
export async function readLogAndTraffic(env: Env, workspace: WorkspaceRef, span: TrafficSpan, request: LogRequest) {
  const batch = newBatch(env, workspace);
  const readTraffic = selectTraffic(batch, span, request.now);
  const readLog = selectLog(batch, workspace, request);
  await batch.run();
  return { log: readLog(), buckets: readTraffic() };
}

/** Adds the queries of a page of the log. A search finds a message id in the whole log, and anything else in parts of it. */
function selectLog(batch: Batch, workspace: WorkspaceRef, request: LogRequest): () => MessageLog {
  const { kind, sought, limit, now } = request;
  const { first, last } = ownRange(workspace);
  // Positions come from clients, and must not lead to the next workspace's rows.
  const [before, beforeRejection] = (request.before ?? [last, last]).map((seq) => Math.min(seq, last));
  const values = {
    first,
    before: before ?? last,
    beforeRejection: beforeRejection ?? last,
    sought,
    event: sought === null ? null : mapEventName(sought),
    keptSince: now - REJECTION_RETENTION_DAYS * DAY_MS,
    limit: kind === "rejected" ? 0 : limit + 1,
    rejectionLimit: kind === "stored" ? 0 : limit + 1,
  };
  const readStored = batch.add(SELECT_STORED, values);
  const readById = sought === null ? () => [] : batch.add(SELECT_BY_MESSAGE_ID, values);
  const readRejected = batch.add(SELECT_REJECTED, values);
  const readLog = batch.add(SELECT_LOG, values);
  return () => {
    const [log] = readLog();
    const byId = readById();
    const stored = (byId.length > 0 ? byId : readStored()).map(arrivalOf);
    const rejected = readRejected().map((row) => decodeRow(rejections, row));
    const entries = newestFirst(stored, rejected, limit);
    const shown = entries.filter((entry) => entry.kind === "stored").length;
    const [start, rejectionStart] = request.before ?? [first, first];
    const position: LogPosition = [seqAfter(stored[0]) ?? start, seqAfter(rejected[0]) ?? rejectionStart];
    const rest: LogPosition = [
      stored[shown - 1]?.seq ?? position[0],
      rejected[entries.length - shown - 1]?.seq ?? position[1],
    ];
    const hasMore = stored.length + rejected.length > limit;
    const unread = sought === null || byId.length > 0 || kind === "rejected" ? null : (log?.unread ?? null);
    return {
      entries,
      position,
      next: hasMore ? rest : unread === null ? null : [unread, rest[1]],
      isUnread: !hasMore && unread !== null,
      stored: countStored(workspace, log?.newest, log?.watermark),
      archivedUntil: log?.archivedUntil ?? null,
    };
  };
}

const seqAfter = (row: { seq: number } | undefined): number | undefined => row && row.seq + 1;

/** Merges two lists by the time of receipt. Neither changes its order, which is the order of the positions. */
function newestFirst(stored: readonly Arrival[], rejected: readonly RejectedArrival[], limit: number): LogEntry[] {
  const entries: LogEntry[] = [];
  let at = 0;
  while (entries.length < Math.min(limit, stored.length + rejected.length)) {
    const [next, other] = [stored[at], rejected[entries.length - at]];
    if (next !== undefined && (other === undefined || next.receivedAt >= other.receivedAt)) {
      entries.push({ kind: "stored", message: next });
      at += 1;
    } else if (other !== undefined) {
      entries.push({ kind: "rejected", message: other });
    }
  }
  return entries;
}

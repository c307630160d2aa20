/**
 * Reads messages of the log in the format of the archive and of exports. It is SQL text because it needs window
 * functions and a recursive search.
 */
import { type ArchivedMessage, MAX_FILE_BYTES } from "../../core/archive/message.ts";
import { DAY_MS, HOUR_MS } from "../../core/durations.ts";
import type { Window } from "../../core/health/model.ts";
import { columnsOf } from "../client/columns-of.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { readStatements } from "../client/read.ts";
import { expression, nullable } from "../client/expression.ts";
import { type Prepared, prepareQuery } from "../client/prepare.ts";
import { newestSeq, oldestSeq, withinWorkspace } from "../client/sql-fragments.ts";
import { accounts, messages, users } from "../schema/schema.ts";
import { isNotErased } from "../users/erased-ids.ts";
import { type ArchiveFile, NEXT_FILE, SELECT_ERASURES, SELECT_NEXT_FILE } from "./manifest-sql.ts";

const account = columnsOf(accounts, "account");
const logged = columnsOf(messages);
const message = columnsOf(messages, "message");
const user = columnsOf(users, "user");

/**
 * The first message of the workspace received at a time or later. A binary search finds it, because the time of receipt
 * has no index and the log has no gaps. Messages are numbered when they are stored, so some that were received around that
 * time may be on the wrong side.
 */
export const firstReceived = (time: string): string => `(
  WITH RECURSIVE search (low, high) AS (
    SELECT ${oldestSeq(":workspace")}, ${newestSeq(":workspace")} + 1
    UNION ALL
    SELECT iif(${logged.receivedAt} < ${time}, ${logged.seq} + 1, low), iif(${logged.receivedAt} < ${time}, high, ${logged.seq})
    FROM search CROSS JOIN ${logged.table} ON ${logged.seq} = (low + high) / 2 WHERE low < high
  )
  SELECT low FROM search WHERE low = high
)`;

/** The bytes that a message takes without its variable-length texts. */
const MESSAGE_BYTES = 130;

/** The size of a message in the log, roughly. Its id is in an index too. */
export const messageBytes = `${MESSAGE_BYTES} + 2 * octet_length(${logged.messageId})
  + ${[logged.event, logged.properties, logged.attributes, logged.mapping].map((text) => `coalesce(octet_length(${text}), 0)`).join(" + ")}`;

/** Extracts the internal id from an erased person's external id, which is a control character and the internal id. */
const shown = (externalId: string) => expression<string | null>(`ltrim(${externalId}, char(1))`);
const unlessErased = (value: string, condition = "TRUE") =>
  expression<string | null>(`iif(NOT ${isNotErased(user.externalId)} AND ${condition}, NULL, ${value})`);

export type MessageRow = ArchivedMessage & { seq: number };

/**
 * Prepares the statement that selects messages in order. It clears a person's messages as soon as their erasure has
 * begun, even messages that the erasure has not reached in the log yet.
 * @param where picks messages, called `message`
 * @param found a WITH clause for `where`
 */
export const selectMessages = (where: string, found = ""): Prepared<MessageRow> =>
  prepareQuery(
    {
      seq: message.seq,
      messageId: message.messageId,
      type: message.type,
      source: message.source,
      accountId: shown(account.externalId),
      accountKind: nullable(account.kind),
      userId: shown(user.externalId),
      event: message.event,
      properties: unlessErased(message.properties),
      attributes: unlessErased(message.attributes, `${message.account} IS NULL AND ${user.account} IS NULL`),
      occurredAt: message.occurredAt,
      receivedAt: message.receivedAt,
      user: expression<number>(
        `coalesce(iif(${isNotErased(user.externalId)}, 1, -1) * ${withinWorkspace(user.number)}, 0)`,
      ),
    },
    (columns) => `
${found}
SELECT ${columns} FROM ${message.table} LEFT JOIN ${account.table} ON ${account.number} = ${message.account}
  LEFT JOIN ${user.table} ON ${user.number} = ${message.user}
WHERE ${where} ORDER BY ${message.seq}`,
  );

/** Reads one message more than a page of an export has, to see whether a next page exists. */
const MAX_MESSAGES = 10_001;
/** Messages are numbered when they are stored, so a message may have a higher number than one received after it. */
const MAX_DISORDER_MS = HOUR_MS / 4;

const IN_WINDOW = `${logged.seq} > :after AND ${logged.seq} >= ${firstReceived(`:receivedFrom - ${MAX_DISORDER_MS}`)}
  AND ${logged.seq} < ${firstReceived(`:receivedBefore + ${MAX_DISORDER_MS}`)}
  AND ${logged.receivedAt} >= :receivedFrom AND ${logged.receivedAt} < :receivedBefore`;
const SELECT_NEXT_MESSAGES = selectMessages(
  `${message.seq} IN (
  SELECT seq FROM (
    SELECT seq, row_number() OVER earlier AS place, sum(bytes) OVER earlier AS total
    FROM found WINDOW earlier AS (ORDER BY seq ROWS UNBOUNDED PRECEDING)
  ) WHERE total <= ${MAX_FILE_BYTES} OR place = 1
)`,
  `WITH found AS (
  SELECT ${logged.seq} AS seq, ${messageBytes} AS bytes FROM ${logged.table}
  WHERE ${IN_WINDOW} AND NOT EXISTS (SELECT 1 ${NEXT_FILE}) ORDER BY ${logged.seq} LIMIT ${MAX_MESSAGES}
)`,
);

/**
 * Reads the messages and files after a position in one transaction, so that a message that is archived meanwhile is
 * neither missing nor repeated. Messages of the log come after all files.
 * @param after the seq of the last message that was read
 */
export async function readNext(
  env: Env,
  workspace: WorkspaceRef,
  { from, to }: Window,
  after: number,
): Promise<{ file: ArchiveFile | null; erased: Set<number>; rows: MessageRow[] }> {
  const days = { firstDay: from, lastDay: to, receivedFrom: from * DAY_MS, receivedBefore: (to + 1) * DAY_MS };
  const values = { workspace: workspace.number, after, ...days };
  const [{ results: files }, { results: erasures }, { results: rows }] = await readStatements(env, workspace, [
    SELECT_NEXT_FILE.bind(values),
    SELECT_ERASURES.bind(values),
    SELECT_NEXT_MESSAGES.bind(values),
  ]);
  return { file: files[0] ?? null, erased: new Set(erasures.map(({ number }) => number)), rows };
}

/**
 * Keeps and counts rejected messages. SQL text, because a retried transaction must not do this twice when its first run was
 * committed. It recognizes that run by two marks: its own first message in the log, and its own id on a count, which stores
 * the last request that counted. One case is counted twice: a request without a new message, when another request counted
 * between its two runs.
 */
import { columnsOf } from "../client/columns-of.ts";
import { prepare } from "../client/prepare.ts";
import { lastNumber } from "../client/sql-fragments.ts";
import { messages, rejectionCounts, rejections } from "../schema/schema.ts";

const counted = columnsOf(rejectionCounts);
const message = columnsOf(messages);
const rejection = columnsOf(rejections);

/** :firstMessageId is the id of the request's first valid message, or ''. */
const FIRST_RUN = `NOT EXISTS (
  SELECT 1 FROM ${message.table} WHERE ${message.workspace} = :workspace AND ${message.source} = :source
    AND ${message.messageId} = :firstMessageId AND ${message.ingestId} = :ingestId
)`;

const MAX_KEPT_REJECTIONS = 1_000;

const LAST = lastNumber({ table: rejection.table, number: rejection.seq }, ":workspace");

/** The columns of a row of `rejectionRows`. */
const SENT = [
  rejection.code,
  rejection.reason,
  rejection.path,
  rejection.type,
  rejection.messageId,
  rejection.userId,
  rejection.accountId,
  rejection.event,
  rejection.properties,
  rejection.traits,
] as const;

/** Runs before the rejections are counted. */
export const INSERT_REJECTIONS = prepare(`
INSERT INTO ${rejection.table} (${rejection.seq}, ${rejection.receivedAt}, ${rejection.keyId}, ${SENT.join(", ")})
SELECT ${LAST} + row_number() OVER (ORDER BY sent.key), :receivedAt, :keyId,
  ${SENT.map((_, index) => `sent.value ->> ${index}`).join(", ")}
FROM json_each(:rows) sent
WHERE ${FIRST_RUN} AND NOT EXISTS (
  SELECT 1 FROM ${counted.table}
  WHERE ${counted.workspace} = :workspace AND ${counted.day} = :day AND ${counted.ingestId} = :ingestId
)`);

/** :rows lists `[code, count]`. */
export const COUNT_REJECTIONS = prepare(`
INSERT INTO ${counted.table} (${counted.workspace}, ${counted.day}, ${counted.code}, ${counted.count}, ${counted.ingestId})
SELECT :workspace, :day, sent.value ->> 0, sent.value ->> 1, :ingestId FROM json_each(:rows) sent WHERE ${FIRST_RUN}
ON CONFLICT (${counted.workspace}, ${counted.day}, ${counted.code}) DO UPDATE
SET ${counted.count} = ${counted.count} + excluded.${counted.count}, ${counted.ingestId} = excluded.${counted.ingestId}
WHERE ${counted.ingestId} <> excluded.${counted.ingestId}`);

export const TRIM_REJECTIONS = prepare(`
DELETE FROM ${rejection.table}
WHERE ${rejection.seq} > :workspace << 32 AND ${rejection.seq} <= ${LAST} - ${MAX_KEPT_REJECTIONS}`);

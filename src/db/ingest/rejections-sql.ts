/**
 * Keeps and counts rejected messages: ?1 the workspace's number, ?2 the ingest id, ?3 the day, ?4 the source, ?5 the id
 * of the request's first valid message or '', ?6 rows.
 *
 * A retried transaction must not do this twice when its first run was committed. It recognizes that run by two marks: its
 * own first message in the log, and its own id on a count, which stores the last request that counted. One case is
 * counted twice: a request without a new message, when another request counted between its two runs.
 */
import { columnsOf } from "../client/columns-of.ts";
import { lastNumber } from "../client/sql-fragments.ts";
import { messages, rejectionCounts, rejections } from "../schema/schema.ts";

const c = columnsOf(rejectionCounts);
const m = columnsOf(messages);
const r = columnsOf(rejections);

const FIRST_RUN = `NOT EXISTS (
  SELECT 1 FROM ${m.table}
  WHERE ${m.workspace} = ?1 AND ${m.source} = ?4 AND ${m.messageId} = ?5 AND ${m.ingestId} = ?2
)`;

const MAX_KEPT_REJECTIONS = 1_000;

const LAST = lastNumber({ table: r.table, number: r.seq }, "?1");

const SENT = [
  r.code,
  r.reason,
  r.path,
  r.type,
  r.messageId,
  r.userId,
  r.accountId,
  r.event,
  r.properties,
  r.traits,
] as const;

/** ?7 the time of receipt, ?8 the key's id. Runs before the rejections are counted. */
export const INSERT_REJECTIONS = `
INSERT INTO ${r.table} (${r.seq}, ${r.receivedAt}, ${r.keyId}, ${SENT.join(", ")})
SELECT ${LAST} + row_number() OVER (ORDER BY r.key),
  ?7, ?8, ${SENT.map((_, index) => `r.value ->> ${index}`).join(", ")}
FROM json_each(?6) r
WHERE ${FIRST_RUN} AND NOT EXISTS (
  SELECT 1 FROM ${c.table} WHERE ${c.workspace} = ?1 AND ${c.day} = ?3 AND ${c.ingestId} = ?2
)`;

/** ?6 `[[code, count]…]`. */
export const COUNT_REJECTIONS = `
INSERT INTO ${c.table} (${c.workspace}, ${c.day}, ${c.code}, ${c.count}, ${c.ingestId})
SELECT ?1, ?3, r.value ->> 0, r.value ->> 1, ?2 FROM json_each(?6) r WHERE ${FIRST_RUN}
ON CONFLICT (${c.workspace}, ${c.day}, ${c.code}) DO UPDATE
SET ${c.count} = ${c.count} + excluded.${c.count}, ${c.ingestId} = excluded.${c.ingestId}
WHERE ${c.ingestId} <> excluded.${c.ingestId}`;

export const TRIM_REJECTIONS = `
DELETE FROM ${r.table} WHERE ${r.seq} > ?1 << 32 AND ${r.seq} <= ${LAST} - ${MAX_KEPT_REJECTIONS}`;

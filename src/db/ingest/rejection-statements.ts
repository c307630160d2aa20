/**
 * Keeping and counting rejected messages: ?1 the workspace's number, ?2 the ingest id, ?3 the day, ?4 the source,
 * ?5 the id of the request's first valid message or '', ?6 rows.
 *
 * A transaction that is repeated must not do it twice if its first run did commit. It knows so by two marks: its own
 * first message in the log, and its own id on a count, which remembers the request that counted last. Only the rejects
 * of a request without a new message are counted again, if another request's came just between the two runs.
 */
const FIRST_RUN = `EXISTS (SELECT 1 FROM workspaces WHERE number = ?1 AND erased_at IS NULL)
  AND NOT EXISTS (SELECT 1 FROM messages WHERE workspace = ?1 AND source = ?4 AND message_id = ?5 AND ingest_id = ?2)`;

/** A workspace keeps its newest ones. */
export const MAX_KEPT_REJECTIONS = 1_000;

/** ?7 the time of receipt, ?8 the key's id. Runs before they are counted. */
export const INSERT_REJECTIONS = `
INSERT INTO rejections (seq, received_at, key_id, code, reason, path, type, message_id, user_id, account_id, event, properties, traits)
SELECT
  coalesce((SELECT max(seq) FROM rejections WHERE seq > ?1 << 32 AND seq < (?1 + 1) << 32), ?1 << 32)
    + row_number() OVER (ORDER BY r.key),
  ?7, ?8, r.value ->> 0, r.value ->> 1, r.value ->> 2, r.value ->> 3, r.value ->> 4, r.value ->> 5, r.value ->> 6,
  r.value ->> 7, r.value ->> 8, r.value ->> 9
FROM json_each(?6) r
WHERE ${FIRST_RUN}
  AND NOT EXISTS (SELECT 1 FROM rejection_counts WHERE workspace = ?1 AND day = ?3 AND ingest_id = ?2)`;

/** ?6 `[[code, count]…]`. */
export const COUNT_REJECTIONS = `
INSERT INTO rejection_counts (workspace, day, code, count, ingest_id)
SELECT ?1, ?3, r.value ->> 0, r.value ->> 1, ?2 FROM json_each(?6) r WHERE ${FIRST_RUN}
ON CONFLICT (workspace, day, code) DO UPDATE SET count = count + excluded.count, ingest_id = excluded.ingest_id
WHERE ingest_id <> excluded.ingest_id`;

export const TRIM_REJECTIONS = `
DELETE FROM rejections
WHERE seq > ?1 << 32
  AND seq <= (SELECT max(seq) FROM rejections WHERE seq > ?1 << 32 AND seq < (?1 + 1) << 32) - ${MAX_KEPT_REJECTIONS}`;

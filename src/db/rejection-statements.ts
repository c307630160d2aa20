/**
 * Keeping rejected messages. ?1 the workspace's number, ?2 the source, ?3 the ingest id, ?4 the id of the request's
 * first valid message or ''. A repeated transaction whose first run did commit finds that message as its own, and
 * counts and keeps nothing twice.
 */
const FIRST_RUN = `NOT EXISTS (
  SELECT 1 FROM messages WHERE workspace = ?1 AND source = ?2 AND message_id = ?4 AND ingest_id = ?3)
  AND EXISTS (SELECT 1 FROM workspaces WHERE number = ?1 AND erased_at IS NULL)`;

/** A workspace keeps its newest ones. */
export const MAX_KEPT_REJECTIONS = 1_000;

/** ?5 the day, ?6 `[[code, count]…]`. */
export const COUNT_REJECTIONS = `
INSERT INTO rejection_counts (workspace, day, code, count)
SELECT ?1, ?5, r.value ->> 0, r.value ->> 1 FROM json_each(?6) r WHERE ${FIRST_RUN}
ON CONFLICT (workspace, day, code) DO UPDATE SET count = count + excluded.count`;

/** ?5 the time of receipt, ?6 the key's id, ?7 rows. */
export const INSERT_REJECTIONS = `
INSERT INTO rejections (seq, received_at, key_id, code, reason, path, type, message_id, user_id, account_id, event, properties, traits)
SELECT
  coalesce((SELECT max(seq) FROM rejections WHERE seq > ?1 << 32 AND seq < (?1 + 1) << 32), ?1 << 32) + row_number() OVER (ORDER BY r.key),
  ?5, ?6, r.value ->> 0, r.value ->> 1, r.value ->> 2, r.value ->> 3, r.value ->> 4, r.value ->> 5, r.value ->> 6, r.value ->> 7,
  r.value ->> 8, r.value ->> 9
FROM json_each(?7) r WHERE ${FIRST_RUN}`;

export const TRIM_REJECTIONS = `
DELETE FROM rejections
WHERE seq > ?1 << 32
  AND seq <= (SELECT max(seq) FROM rejections WHERE seq > ?1 << 32 AND seq < (?1 + 1) << 32) - ${MAX_KEPT_REJECTIONS}`;

/** Deletes messages that are past their retention: from the oldest on, and none that is not folded yet. */
import type { WorkspaceRef } from "../client/database.ts";
import { type KeptMessage, keptMessage } from "./fold-store.ts";
import { mayWrite, type Session } from "./session.ts";

/**
 * Deletes up to `limit` of the workspace's oldest messages that were received before `cutoff`, and stops at the first
 * that was not: what is left of the log has no holes. Their ids can be stored again. Deletes nothing while a rebuild
 * is under way, which counts on all that was there when it was asked for.
 * @returns the oldest message that is left, if any; `null` where the run may not write any more
 */
export async function deleteExpired(
  session: Session,
  workspace: WorkspaceRef,
  { cutoff, limit }: { cutoff: number; limit: number },
): Promise<{ oldest: KeptMessage | null } | null> {
  const values = [workspace.number, cutoff, limit, session.holder] as const;
  const [, , left] = await session.batch([
    [
      `
UPDATE folds SET deleted_until = max(coalesce(deleted_until, 0), e.received_at)
FROM (SELECT max(m.received_at) AS received_at FROM messages m WHERE ${EXPIRED}) e
WHERE folds.workspace = ?1 AND e.received_at IS NOT NULL AND ${mayWrite("?4", "?1")}`,
      ...values,
    ],
    [`DELETE FROM messages AS m WHERE ${EXPIRED} AND ${mayWrite("?4", "?1")}`, ...values],
    [
      `SELECT m.seq, m.received_at FROM (SELECT 1) LEFT JOIN messages m ON m.seq = ${OLDEST} WHERE ${mayWrite("?2", "?1")}`,
      workspace.number,
      session.holder,
    ],
  ]);
  const row = left?.results[0];
  return row === undefined ? null : { oldest: keptMessage(row["seq"], row["received_at"]) };
}

const OLDEST = "(SELECT min(seq) FROM messages WHERE seq > ?1 << 32 AND seq < (?1 + 1) << 32)";

/** Within the limit, before the first message of those that is not expired, and not past the watermark. */
const EXPIRED = `m.seq >= ${OLDEST} AND m.seq < min(
  ${OLDEST} + ?3,
  coalesce((
    SELECT seq FROM messages WHERE seq >= ${OLDEST} AND seq < ${OLDEST} + ?3 AND received_at >= ?2 ORDER BY seq LIMIT 1
  ), ${OLDEST} + ?3),
  (SELECT watermark + 1 FROM folds WHERE workspace = ?1 AND rebuild_day IS NULL)
)`;

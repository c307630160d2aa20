/** Deletes messages that are past their retention: from the oldest on, and none that is not folded yet. */
import type { WorkspaceRef } from "../database.ts";
import { mayWrite, type Session } from "./session.ts";

/**
 * Deletes up to `limit` of the workspace's oldest messages that were received before `cutoff`, and stops at the first
 * that was not: what is left of the log has no holes. Their ids can be stored again.
 * @returns how many
 */
export async function deleteExpired(
  session: Session,
  workspace: WorkspaceRef,
  { cutoff, limit }: { cutoff: number; limit: number },
): Promise<number> {
  const values = [workspace.number, cutoff, limit, session.holder] as const;
  const [, deleted] = await session.batch([
    [
      `
UPDATE folds SET deleted_until = max(coalesce(deleted_until, 0), e.received_at)
FROM (SELECT max(m.received_at) AS received_at FROM messages m WHERE ${EXPIRED}) e
WHERE folds.workspace = ?1 AND e.received_at IS NOT NULL AND ${mayWrite("?4", "?1")}`,
      ...values,
    ],
    [`DELETE FROM messages AS m WHERE ${EXPIRED} AND ${mayWrite("?4", "?1")}`, ...values],
  ]);
  return deleted?.meta.changes ?? 0;
}

const OWN = "seq > ?1 << 32 AND seq < (?1 + 1) << 32";

/** Before the first message that is not expired, not past the watermark, and within the limit. */
const EXPIRED = `m.seq > ?1 << 32 AND m.seq < min(
  coalesce((SELECT seq FROM messages WHERE ${OWN} AND received_at >= ?2 ORDER BY seq LIMIT 1), (?1 + 1) << 32),
  coalesce((SELECT min(seq) FROM messages WHERE ${OWN}), 0) + ?3,
  (SELECT watermark + 1 FROM folds WHERE workspace = ?1)
) AND m.received_at < ?2`;

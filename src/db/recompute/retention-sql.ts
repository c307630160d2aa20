/** Deletes messages past their retention, oldest first, and only folded ones. */
import { columnsOf } from "../client/columns-of.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { oldestSeq } from "../client/sql-fragments.ts";
import { statement } from "../client/statements.ts";
import { archiveSteps, folds, messages } from "../schema/schema.ts";
import { mayWrite } from "./lease-sql.ts";
import type { Session } from "./session.ts";

const f = columnsOf(folds);
const s = columnsOf(archiveSteps);
const m = columnsOf(messages, "m");
const own = columnsOf(messages);
const OLDEST = oldestSeq("?1");

/** Within the limit, before the first message that has not expired, and not past the watermark. None while some are being archived. */
const EXPIRED = `${m.seq} >= ${OLDEST} AND ${m.seq} < min(
  ${OLDEST} + ?3,
  coalesce((
    SELECT ${own.seq} FROM ${own.table}
    WHERE ${own.seq} >= ${OLDEST} AND ${own.seq} < ${OLDEST} + ?3 AND ${own.receivedAt} >= ?2
    ORDER BY ${own.seq} LIMIT 1
  ), ${OLDEST} + ?3),
  (SELECT ${f.watermark} + 1 FROM ${f.table} WHERE ${f.workspace} = ?1 AND ${f.rebuildDay} IS NULL
    AND NOT EXISTS (SELECT 1 FROM ${s.table} WHERE ${s.workspace} = ?1))
)`;

const SET_DELETED_UNTIL = `
UPDATE ${f.table} SET ${f.deletedUntil} = max(coalesce(${f.deletedUntil}, 0), e.received_at),
  ${f.archivedUntil} = max(coalesce(${f.archivedUntil}, 0), e.received_at)
FROM (SELECT max(${m.receivedAt}) AS received_at FROM ${m.table} WHERE ${EXPIRED}) e
WHERE ${f.table}.${f.workspace} = ?1 AND e.received_at IS NOT NULL AND ${mayWrite("?4", "?1")}`;

const DELETE_EXPIRED = `DELETE FROM ${own.table} AS m WHERE ${EXPIRED} AND ${mayWrite("?4", "?1")}`;

const SELECT_OLDEST = `
SELECT ${m.seq} AS seq, ${m.receivedAt} AS receivedAt
FROM (SELECT 1) LEFT JOIN ${m.table} ON ${m.seq} = ${OLDEST} WHERE ${mayWrite("?2", "?1")}`;

/** Both are `null` for an empty log. */
interface OldestMessage {
  seq: number | null;
  receivedAt: number | null;
}

/**
 * Deletes up to `limit` of the oldest messages received before `cutoff`. Stops at the first message received later, so
 * that the rest of the log has no gaps. Deleted message ids can be stored again. Deletes nothing during a rebuild, which
 * needs every message that existed when it was requested.
 * @returns the oldest message that is left; `null` when the run may no longer write
 */
export async function deleteExpired(
  session: Session,
  workspace: WorkspaceRef,
  { cutoff, limit }: { cutoff: number; limit: number },
): Promise<OldestMessage | null> {
  const values = [workspace.number, cutoff, limit, session.holder] as const;
  const [, , { results }] = await session.batch([
    statement(SET_DELETED_UNTIL, ...values),
    statement(DELETE_EXPIRED, ...values),
    statement<OldestMessage>(SELECT_OLDEST, workspace.number, session.holder),
  ]);
  return results[0] ?? null;
}

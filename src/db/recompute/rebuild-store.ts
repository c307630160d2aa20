/**
 * The rebuild: throws away the rollups of the days that lie wholly inside the retained log, and folds those days anew. Runs
 * in steps, of which each is a transaction that says how far it came; nothing is folded or scored of the workspace
 * before it is through.
 */
import type { Day } from "../../core/health/model.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { type Stretch, stretch } from "./fold-store.ts";
import { forgettingInputs } from "./outcome-store.ts";
import { HISTORY_DAYS } from "./score-store.ts";
import { mayWrite, type Row, type Session, type Statement } from "./session.ts";

const ROWS_PER_STEP = 20_000;

const OWN_ACCOUNTS = "(SELECT account FROM activity WHERE workspace = ?1)";
const OWN_USERS = "(SELECT number FROM users WHERE workspace = ?1)";

const REPLACED: readonly [table: string, key: string, own: string][] = [
  ["rollups", "account, day, user, event", `account IN ${OWN_ACCOUNTS}`],
  ["account_days", "account, day", `account IN ${OWN_ACCOUNTS}`],
  ["attribute_days", "account, day", `account IN ${OWN_ACCOUNTS}`],
  ["pending_attribute_days", "user, day", `user IN ${OWN_USERS}`],
  ["workspace_days", "workspace, day", "workspace = ?1"],
];

/** Deletes a step of what is to be folded anew. @returns whether there was anything to delete */
export async function deleteReplaced(session: Session, workspace: WorkspaceRef, day: Day): Promise<boolean> {
  const deletions = REPLACED.map(([table, key, own]): Statement => [
    `
DELETE FROM ${table} WHERE (${key}) IN (SELECT ${key} FROM ${table} WHERE ${own} AND day >= ?2 LIMIT ${ROWS_PER_STEP})
AND ${mayWrite("?3", "?1")}`,
    workspace.number,
    day,
    session.holder,
  ]);
  const deleted = await session.batch(deletions);
  return deleted.some(({ meta }) => meta.changes > 0);
}

/** Begins the folding. @returns the seq before its first; `null` where the run may not write any more */
export async function beginRefold(session: Session, workspace: WorkspaceRef, day: Day): Promise<number | null> {
  const results = await session.batch([
    [
      `
UPDATE folds SET rebuilt_through = coalesce(
  (SELECT min(seq) - 1 FROM messages WHERE seq > ?1 << 32 AND seq < (?1 + 1) << 32), watermark)
WHERE workspace = ?1 AND rebuild_day = ?2 AND rebuilt_through IS NULL AND ${mayWrite("?3", "?1")}`,
      workspace.number,
      day,
      session.holder,
    ],
    [REACHED, workspace.number, session.holder],
  ]);
  return reachedIn(results);
}

/** Folds a stretch anew. @returns false where the run may not write any more */
export async function refoldStretch(
  session: Session,
  workspace: WorkspaceRef,
  { from, through, day }: Stretch & { day: Day },
): Promise<boolean> {
  const results = await session.batch([
    ...stretch(session, workspace, "rebuilt_through", { from, through, today: 0, firstDay: day }),
    [REACHED, workspace.number, session.holder],
  ]);
  return (reachedIn(results) ?? 0) >= through;
}

const REACHED = `SELECT rebuilt_through AS reached FROM folds WHERE workspace = ?1 AND ${mayWrite("?2", "?1")}`;

function reachedIn(results: readonly D1Result<Row>[]): number | null {
  const reached = results.at(-1)?.results[0]?.["reached"];
  return reached == null ? null : Number(reached);
}

/**
 * Ends a rebuild: all accounts are due, their days condensed anew, and what compares them on the days that are judged again
 * is computed again.
 */
export async function finishRebuild(session: Session, workspace: WorkspaceRef, day: Day): Promise<void> {
  const mine = `EXISTS (SELECT 1 FROM folds WHERE workspace = ?1 AND rebuild_day = ?2)`;
  await session.batch([
    [
      `
UPDATE activity SET roll_up_from = min(coalesce(roll_up_from, ?2), ?2), score_from = min(score_from, ?2), due_at = 0
WHERE workspace = ?1 AND ${mine} AND ${mayWrite("?3", "?1")}`,
      workspace.number,
      day,
      session.holder,
    ],
    // What an account is judged by of its own may be the same; what it is compared by is not.
    [forgettingInputs(`${mine} AND ${mayWrite("?3", "?1")}`), workspace.number, day, session.holder],
    [
      `
DELETE FROM workspace_contexts WHERE workspace = ?1 AND day >= ?2
AND day > (SELECT max(day) FROM workspace_contexts WHERE workspace = ?1) - ${HISTORY_DAYS} AND ${mine} AND ${mayWrite("?3", "?1")}`,
      workspace.number,
      day,
      session.holder,
    ],
    [
      `UPDATE folds SET rebuild_day = NULL, rebuilt_through = NULL WHERE workspace = ?1 AND rebuild_day = ?2 AND ${mayWrite("?3", "?1")}`,
      workspace.number,
      day,
      session.holder,
    ],
  ]);
}

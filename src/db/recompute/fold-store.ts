/** Folds the log: which workspaces have something to fold or to score, and stretch by stretch the folding itself. */
import type { Day } from "../../core/health/model.ts";
import type { WorkspaceRef } from "../client/database.ts";
import { foldStatements, type Progress } from "./fold-statements.ts";
import { namingStretch } from "./name-store.ts";
import { mayWrite, type Session, type Statement } from "./session.ts";

/** A message of the log. */
export interface KeptMessage {
  seq: number;
  /** Milliseconds since the epoch. */
  receivedAt: number;
}

/** A workspace as a run finds it. */
export interface WorkspaceProgress {
  workspace: WorkspaceRef;
  /** The seq up to which its log is folded, and that of its newest message; the same where nothing is new. */
  watermark: number;
  newest: number;
  /** The oldest message that is kept, and when it was received. */
  oldest: KeptMessage | null;
  /** The seq that a rebuild under way has come to and the first day it takes; `null` for none. */
  rebuild: { day: Day; through: number | null } | null;
  /** When the first of its accounts is due, milliseconds since the epoch. */
  dueAt: number | null;
}

const BEFORE_ALL_DAYS = -1_000_000_000;

const FOLD: Record<Progress, string[]> = {
  watermark: foldStatements("watermark"),
  rebuilt_through: foldStatements("rebuilt_through"),
};

/** All workspaces of the database, those first whose accounts have waited the longest for their turn. */
export async function listProgress(session: Session): Promise<WorkspaceProgress[]> {
  const [listed] = await session.batch([
    [
      `
SELECT w.id, w.number, coalesce(f.watermark, w.number << 32) AS watermark, f.rebuild_day, f.rebuilt_through,
  (SELECT max(seq) FROM messages WHERE seq > w.number << 32 AND seq < (w.number + 1) << 32) AS newest,
  o.seq AS oldest_seq, o.received_at AS oldest_received_at,
  (SELECT min(due_at) FROM activity WHERE workspace = w.number AND due_at IS NOT NULL) AS due_at
FROM workspaces w LEFT JOIN folds f ON f.workspace = w.number
LEFT JOIN messages o ON o.seq = (SELECT min(seq) FROM messages WHERE seq > w.number << 32 AND seq < (w.number + 1) << 32)
WHERE w.erased_at IS NULL
ORDER BY coalesce(f.scored_at, 0), w.number`,
    ],
  ]);
  return (listed?.results ?? []).map((row) => {
    const watermark = Number(row["watermark"]);
    const rebuildDay = numberOrNull(row["rebuild_day"]);
    return {
      workspace: { id: String(row["id"]), number: Number(row["number"]) },
      watermark,
      newest: Math.max(watermark, numberOrNull(row["newest"]) ?? 0),
      oldest: keptMessage(row["oldest_seq"], row["oldest_received_at"]),
      rebuild: rebuildDay === null ? null : { day: rebuildDay, through: numberOrNull(row["rebuilt_through"]) },
      dueAt: numberOrNull(row["due_at"]),
    };
  });
}

/** Writes down that it is the workspace's turn: those that wait the longest come first. */
export async function beginTurn(session: Session, { number }: WorkspaceRef, now: number): Promise<void> {
  await session.batch([
    [
      `
INSERT INTO folds (workspace, watermark, scored_at) SELECT ?1, ?1 << 32, ?2 WHERE ${mayWrite("?3", "?1")}
ON CONFLICT (workspace) DO UPDATE SET scored_at = excluded.scored_at`,
      number,
      now,
      session.holder,
    ],
  ]);
}

/** A stretch of the log: what lies after `from`, up to and with `through`. */
export interface Stretch {
  from: number;
  through: number;
}

/**
 * Folds a stretch, and moves the watermark to its end.
 * @param today events of earlier days make their accounts due
 * @returns false where the run may not write any more
 */
export async function foldStretch(
  session: Session,
  workspace: WorkspaceRef,
  { from, through, today }: Stretch & { today: Day },
): Promise<boolean> {
  const own = [workspace.number, session.holder] as const;
  const naming = await namingStretch(session, workspace, { from, through });
  const folding = stretch(session, workspace, "watermark", { from, through, today, firstDay: BEFORE_ALL_DAYS });
  const results = await session.batch([
    [
      `INSERT INTO folds (workspace, watermark) SELECT ?1, ?1 << 32 WHERE ${mayWrite("?2", "?1")} ON CONFLICT DO NOTHING`,
      ...own,
    ],
    ...folding.slice(0, -1),
    // Before the watermark moves, and once event names have numbers.
    ...naming,
    ...folding.slice(-1),
    [`SELECT watermark AS reached FROM folds WHERE workspace = ?1 AND ${mayWrite("?2", "?1")}`, ...own],
  ]);
  return Number(results.at(-1)?.results[0]?.["reached"] ?? 0) >= through;
}

/** The statements that fold a stretch, for those who send more with them. */
export function stretch(
  session: Session,
  workspace: WorkspaceRef,
  progress: Progress,
  { from, through, today, firstDay }: Stretch & { today: Day; firstDay: Day },
): Statement[] {
  const values = [workspace.number, from, through, session.holder, today, firstDay];
  return FOLD[progress].map((sql) => [sql, ...values.slice(0, parametersOf(sql))]);
}

/** D1 refuses values that a statement has no place for. */
const parametersOf = (sql: string): number =>
  Math.max(...[...sql.matchAll(/\?(\d)/g)].map(([, place]) => Number(place)));

/** From the columns of a message that may not be there. */
export const keptMessage = (seq: unknown, receivedAt: unknown): KeptMessage | null =>
  seq == null ? null : { seq: Number(seq), receivedAt: Number(receivedAt) };

const numberOrNull = (value: unknown): number | null => (value == null ? null : Number(value));

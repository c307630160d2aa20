/**
 * The directory's record of moves. A part of a move claims its row first, and every later change requires the claim. So
 * a part that was paused until another one took over, or until the move was canceled, changes nothing.
 */
import { and, eq, exists, inArray, isNotNull, isNull, lte, ne, or } from "drizzle-orm";

import type { AuditEntry } from "../../core/audit.ts";
import { auditStatement, changeAudited } from "../audit/audit-log.ts";
import { columnsOf } from "../client/columns-of.ts";
import { directory, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { prepare } from "../client/prepare.ts";
import { runBatch } from "../client/run-statements.ts";
import { moves, workspaces } from "../schema/schema.ts";
import type { CopyCursor } from "../schema/workspaces.ts";
import { workspaceRefColumns } from "../workspaces/find-workspace.ts";

export type Move = typeof moves.$inferSelect;

/** Another part has taken over, or the workspace is being erased. */
export class ClaimLost extends Error {}

const started = columnsOf(moves);
const entry = columnsOf(workspaces);

/** Text, because the builder inserts a SELECT only with values for all columns. */
const INSERT_MOVE = prepare(`
INSERT INTO ${started.table} (${started.workspace}, ${started.from}, ${started.to}, ${started.state}, ${started.startedAt},
  ${started.backup}, ${started.cursor})
SELECT ${entry.number}, ${entry.database}, :target, 'copying', :now, :backup, :cursor FROM ${entry.table}
WHERE ${entry.number} = :workspace AND ${entry.erasedAt} IS NULL AND ${entry.importStartedAt} IS NULL
  AND ${entry.database} <> :target
ON CONFLICT DO NOTHING`);

/**
 * Records a move, or the restore of a backup.
 * @returns false while the workspace has another one or an import, or once it is in the target
 */
export async function insertMove(
  env: Env,
  { number }: WorkspaceRef,
  { target, restore }: { target: string; restore?: { backup: string; cursor: CopyCursor } },
  now: number,
  audit: AuditEntry,
): Promise<boolean> {
  const cursor = restore ? JSON.stringify(restore.cursor) : null;
  const insertion = INSERT_MOVE.bind({ workspace: number, target, backup: restore?.backup ?? null, cursor, now });
  const [{ meta }] = await runBatch(directory(env), [insertion, auditStatement(audit)]);
  return meta.changes > 0;
}

export async function readMove(env: Env, { number }: WorkspaceRef): Promise<Move | null> {
  const [move] = await withRetry(() => directory(env).select().from(moves).where(eq(moves.workspace, number)));
  return move ?? null;
}

/** Cancels a move, and takes it away from the running part. @returns false when its final step has begun */
export async function markCancelled(env: Env, { number }: WorkspaceRef, audit: AuditEntry): Promise<boolean> {
  const early = and(eq(moves.workspace, number), inArray(moves.state, ["copying", "failed", "cancelling"]));
  const cancelled = { state: "cancelling", claim: null, claimedUntil: 0 } as const;
  return (await changeAudited(env, directory(env).update(moves).set(cancelled).where(early), audit)).meta.changes > 0;
}

/** A failed move keeps its cursor until the copy is deleted. */
const hasWork = or(ne(moves.state, "failed"), isNotNull(moves.cursor));

/** Lists the workspaces whose moves have something left to do, and whether the recompute must wait for it. */
export async function listMoves(
  env: Env,
): Promise<(Pick<Move, "to" | "backup"> & { workspace: WorkspaceRef; isCopied: boolean })[]> {
  const rows = await withRetry(() =>
    directory(env)
      .select({ ...workspaceRefColumns, state: moves.state, to: moves.to, backup: moves.backup })
      .from(moves)
      .innerJoin(workspaces, eq(workspaces.number, moves.workspace))
      .where(and(hasWork, isNull(workspaces.erasedAt))),
  );
  return rows.map(({ state, to, backup, ...workspace }) => ({ workspace, to, backup, isCopied: state !== "erasing" }));
}

/** Claims a move for one part. @returns `null` when there is nothing to do, or another part is doing it */
export async function claimMove(
  env: Env,
  { number }: WorkspaceRef,
  { claim, now, until }: { claim: string; now: number; until: number },
): Promise<Move | null> {
  const db = directory(env);
  const live = db
    .select({ number: workspaces.number })
    .from(workspaces)
    .where(and(eq(workspaces.number, number), isNull(workspaces.erasedAt)));
  const isFree = or(lte(moves.claimedUntil, now), eq(moves.claim, claim));
  const claimable = and(eq(moves.workspace, number), isFree, hasWork, exists(live));
  const claimed = { claim, claimedUntil: until };
  const [move] = await withRetry(() => db.update(moves).set(claimed).where(claimable).returning());
  return move ?? null;
}

const own = ({ workspace, claim }: Move) => and(eq(moves.workspace, workspace), eq(moves.claim, claim ?? ""));

/** Records progress in the row and in `move`. @throws ClaimLost */
export async function saveMove(env: Env, move: Move, progress: Partial<Move>): Promise<void> {
  const { meta } = await withRetry(() => directory(env).update(moves).set(progress).where(own(move)));
  if (meta.changes === 0) throw new ClaimLost();
  Object.assign(move, progress);
}

/**
 * Names the target as the workspace's database. This decides the move: until then the source has the workspace, and
 * afterwards the target.
 * @throws ClaimLost
 */
export async function switchDatabase(env: Env, move: Move, now: number): Promise<void> {
  const db = directory(env);
  const switched = { state: "erasing", switchedAt: now, cursor: null } as const;
  const claimed = exists(db.select({ workspace: moves.workspace }).from(moves).where(own(move)));
  const live = and(eq(workspaces.number, move.workspace), isNull(workspaces.erasedAt), claimed);
  const [, { meta }] = await withRetry(() =>
    db.batch([
      db.update(workspaces).set({ database: move.to }).where(live),
      db.update(moves).set(switched).where(own(move)),
    ]),
  );
  if (meta.changes === 0) throw new ClaimLost();
  Object.assign(move, switched);
}

export async function deleteMove(env: Env, move: Move): Promise<void> {
  await withRetry(() => directory(env).delete(moves).where(own(move)));
}

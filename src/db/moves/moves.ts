/**
 * The directory's record of moves. A part of a move claims its row first. Every change of the row requires the claim, so a
 * part that was paused until another one took over changes nothing.
 */
import { and, eq, exists, inArray, isNull, lte, ne, or, sql } from "drizzle-orm";

import { directory, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { runBatch, statement } from "../client/statements.ts";
import { moves, workspaces } from "../schema/schema.ts";
import { workspaceRefColumns } from "../workspaces/workspace-ref.ts";

export type Move = typeof moves.$inferSelect;
type Progress = Partial<Pick<Move, "state" | "cursor" | "rowsCopied" | "rowsTotal" | "fault" | "claimedUntil">>;

const liveIn = (env: Env, number: number) =>
  directory(env)
    .select({ number: workspaces.number })
    .from(workspaces)
    .where(and(eq(workspaces.number, number), isNull(workspaces.erasedAt)));

const INSERT_MOVE = `
INSERT INTO moves (workspace, from_database, to_database, state, started_at)
SELECT number, database, ?2, 'copying', ?3 FROM workspaces WHERE number = ?1 AND erased_at IS NULL AND database <> ?2
ON CONFLICT DO NOTHING`;

/** Records a move. @returns false while the workspace has another one */
export async function insertMove(env: Env, { number }: WorkspaceRef, to: string, now: number): Promise<boolean> {
  const [{ meta }] = await runBatch(directory(env), [statement(INSERT_MOVE, number, to, now)]);
  return meta.changes > 0;
}

export async function readMove(env: Env, { number }: WorkspaceRef): Promise<Move | null> {
  const [move] = await withRetry(() => directory(env).select().from(moves).where(eq(moves.workspace, number)));
  return move ?? null;
}

/** Cancels a move that has not reached its final step. @returns false when it has */
export async function cancelMove(env: Env, { number }: WorkspaceRef): Promise<boolean> {
  const early = and(eq(moves.workspace, number), inArray(moves.state, ["copying", "failed", "cancelling"]));
  const { meta } = await withRetry(() => directory(env).update(moves).set({ state: "cancelling" }).where(early));
  return meta.changes > 0;
}

export interface RunningMove {
  workspace: WorkspaceRef;
  state: Move["state"];
}

/** Lists the moves with something left to do. */
export async function listMoves(env: Env): Promise<RunningMove[]> {
  const rows = await withRetry(() =>
    directory(env)
      .select({ ...workspaceRefColumns, state: moves.state })
      .from(moves)
      .innerJoin(workspaces, eq(workspaces.number, moves.workspace))
      .where(and(ne(moves.state, "failed"), isNull(workspaces.erasedAt))),
  );
  return rows.map(({ state, ...workspace }) => ({ workspace, state }));
}

/** Claims a move for one part. @returns `null` when there is nothing to do, or another part is doing it */
export async function claimMove(
  env: Env,
  { number }: WorkspaceRef,
  claim: string,
  { now, until }: { now: number; until: number },
): Promise<Move | null> {
  const isFree = or(lte(moves.claimedUntil, now), eq(moves.claim, claim));
  const [move] = await withRetry(() =>
    directory(env)
      .update(moves)
      .set({ claim, claimedUntil: until })
      .where(and(eq(moves.workspace, number), isFree, ne(moves.state, "failed"), exists(liveIn(env, number))))
      .returning(),
  );
  return move ?? null;
}

/** @returns false when the part has lost its claim, or the move was cancelled */
export async function saveMove(env: Env, { workspace, claim, state }: Move, progress: Progress): Promise<boolean> {
  const own = and(eq(moves.workspace, workspace), eq(moves.claim, claim ?? ""), eq(moves.state, state));
  const { meta } = await withRetry(() => directory(env).update(moves).set(progress).where(own));
  return meta.changes > 0;
}

/** Lets another part continue, whatever the state is by now. */
export async function releaseMove(env: Env, { workspace, claim }: Move): Promise<void> {
  const own = and(eq(moves.workspace, workspace), eq(moves.claim, claim ?? ""));
  await withRetry(() => directory(env).update(moves).set({ claimedUntil: 0 }).where(own));
}

/**
 * Names the target as the workspace's database. This decides the move: before it the source has the workspace, from then
 * on the target.
 * @returns false when the part has lost its claim
 */
export async function switchDatabase(env: Env, { workspace, claim, to }: Move, now: number): Promise<boolean> {
  const db = directory(env);
  const own = and(eq(moves.workspace, workspace), eq(moves.claim, claim ?? ""));
  const [, , [move]] = await withRetry(() =>
    db.batch([
      db
        .update(workspaces)
        .set({ database: to })
        .where(
          and(
            eq(workspaces.number, workspace),
            isNull(workspaces.erasedAt),
            exists(
              db
                .select({ one: sql`1` })
                .from(moves)
                .where(and(own, eq(moves.state, "final"))),
            ),
          ),
        ),
      db
        .update(moves)
        .set({ state: "erasing", switchedAt: now, cursor: null, fault: null })
        .where(and(own, eq(moves.state, "final"))),
      db.select({ state: moves.state }).from(moves).where(own),
    ]),
  );
  return move?.state === "erasing";
}

export async function deleteMove(env: Env, { workspace, claim }: Move): Promise<void> {
  await withRetry(() =>
    directory(env)
      .delete(moves)
      .where(and(eq(moves.workspace, workspace), eq(moves.claim, claim ?? ""))),
  );
}

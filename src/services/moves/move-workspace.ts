/**
 * Moves workspaces to another database, in parts that the queue and the cron start. A part ends with its budget, and a
 * crash loses at most a page: the next part continues. See docs/decisions/0026-moving-a-workspace.md.
 *
 * | move | source | target | a write |
 * | --- | --- | --- | --- |
 * | copying | live | arriving | is stored at the source |
 * | final | moving | arriving, at the end moving | returns 503, for a few seconds at most |
 * | erasing | moving, then without rows | live | is stored at the target |
 * | cancelling, failed | live | arriving, then without rows | is stored at the source |
 *
 * A write fails in its own transaction where the workspace isn't live (db/workspaces/require-live.ts). Then it tries the
 * database that the directory names, and is refunded if that fails too (services/write-within-limit.ts).
 */
import { recordMove } from "../../archive/journal.ts";
import { KEY_OUTAGE_MS } from "../../config.ts";
import type { Actor, AuditEntry } from "../../core/audit.ts";
import { describeFault } from "../../core/describe-fault.ts";
import { databaseNames, type WorkspaceRef } from "../../db/client/database.ts";
import { CopyDiffers } from "../../db/moves/copy.ts";
import {
  ClaimLost,
  claimMove,
  deleteMove,
  insertMove,
  markCancelled,
  readMove,
  saveMove,
} from "../../db/moves/move-records.ts";
import { acceptWrites, deleteFrom, leaseTarget, reopenSource } from "../../db/moves/open-and-close.ts";
import { hasImport } from "../../db/workspaces/imports.ts";
import { releaseLease } from "../../db/recompute/lease-sql.ts";
import { openSession } from "../../db/recompute/session.ts";
import { configureLimiter } from "../../limiter/call-limiter.ts";
import { closeOthers, restoreWorkspace } from "../backups/restore-workspace.ts";
import { findOpenDatabase } from "../database-placement.ts";
import { enqueueRest } from "../tasks/enqueue.ts";
import { copyWorkspace, type MovePart } from "./copy-workspace.ts";

/** How long a part may stall before another one takes over. */
const CLAIM_MS = 30_000;
/** How long a part may take. */
const BUDGET_MS = 20_000;
/** How long the source is kept after the switch: an edge may have cached a key with it. */
export const ERASE_AFTER_MS = 1.5 * KEY_OUTAGE_MS;

type StartOutcome = "started" | "import_running" | "move_running" | "not_open" | "same_database";

/** Lists the names of the databases that a workspace isn't in, open or not. */
export const listMoveTargets = (env: Env, { database }: WorkspaceRef): string[] =>
  databaseNames(env).filter((name) => name !== database);

/** Starts to move a workspace to another database. @param database the binding's name */
export async function startMove(
  env: Env,
  workspace: WorkspaceRef,
  database: string,
  now: number,
  actor: Actor,
): Promise<StartOutcome> {
  if (database === workspace.database) return "same_database";
  if ((await findOpenDatabase(env, database)) === null) return "not_open";
  // This comes first: otherwise a restore of the target would look like one to a time before the workspace was created.
  await recordMove(env, workspace);
  const details = { from: workspace.database, to: database };
  const audit: AuditEntry = { workspace: workspace.id, actor, action: "move_started", details };
  if (!(await insertMove(env, workspace, { target: database }, now, audit)))
    return (await hasImport(env, workspace)) ? "import_running" : "move_running";
  await enqueueRest(env, { task: "move", workspace });
  return "started";
}

/** Cancels a move and deletes the copy. @returns `move_running` when its final step has begun */
export async function cancelMove(
  env: Env,
  workspace: WorkspaceRef,
  actor: Actor,
): Promise<"cancelled" | "no_move" | "move_running"> {
  if (!(await markCancelled(env, workspace, { workspace: workspace.id, actor, action: "move_cancelled" }))) {
    return (await readMove(env, workspace)) === null ? "no_move" : "move_running";
  }
  await enqueueRest(env, { task: "move", workspace });
  return "cancelled";
}

export interface MoveOptions {
  clock?: () => number;
  /** How many statements a part may send before its final step. */
  maxStatements?: number;
}

/**
 * Runs one part of a workspace's move.
 * @returns false when the next part can begin at once; true when nothing is left to do, or nothing until later
 */
export async function runMove(
  env: Env,
  workspace: WorkspaceRef,
  { clock = Date.now, maxStatements = 400 }: MoveOptions = {},
): Promise<boolean> {
  const now = clock();
  // D1 limits patterns of GLOB to 50 bytes.
  const claim = crypto.randomUUID().slice(-12);
  const move = await claimMove(env, workspace, { claim, now, until: now + CLAIM_MS });
  if (move === null) return true;
  const count = { sent: 0 };
  const isOver = () => clock() - now >= BUDGET_MS || ++count.sent > maxStatements;
  const session = (database: string) =>
    openSession(env, { ...workspace, database }, `move_${move.startedAt}_${claim}`, count);
  // The source of a restore is in the bucket, and the database may be gone.
  const copy = { source: session(move.backup === null ? move.from : move.to), target: session(move.to) };
  const part = { env, copy, move, now, isOver };
  try {
    return await runMovePart(part);
  } catch (error) {
    // Another part does the work: the one that took over, or the one that the cancellation queued.
    if (error instanceof ClaimLost) {
      // After a canceled or failed move, no part is left to release a lease that this one took late.
      if (((await readMove(env, workspace))?.state ?? "failed") === "failed") await releaseLease(copy.source);
      return true;
    }
    // If this fails too, the next part continues from here.
    await recordFault(part, error).catch(() => undefined);
    if (error instanceof CopyDiffers) return false;
    throw error;
  } finally {
    await saveMove(env, move, { claimedUntil: 0 }).catch(() => undefined); // the claim also expires
  }
}

async function runMovePart(part: MovePart): Promise<boolean> {
  const { env, copy, move, now, isOver } = part;
  const { source, target } = copy;
  if (move.state === "cancelling" || move.state === "failed") {
    // Before its first part, a restore has changed nothing in the target, which may hold rows.
    if (move.backup === null || (move.cursor?.at ?? 0) > 0) {
      // From here on, parts that are still copying can't write.
      await leaseTarget(copy, now);
      if (!(await deleteFrom(target, isOver))) return false;
    }
    await acceptWrites(source);
    if (move.state === "failed") {
      // The row stays, so that the administration shows why the move failed until it is canceled.
      await saveMove(env, move, { cursor: null });
      return true;
    }
  } else {
    const copied = move.state === "erasing" ? "switched" : await copyPart(part);
    if (copied !== "switched") return copied === "later";
    if (!(await acceptWrites(target)))
      throw new Error("A restore has taken the workspace away. Reconcile the databases.");
    await configureLimiter(env, target.workspace.id, { database: move.to });
    if (move.backup !== null) {
      // A database that didn't answer may still accept writes. The row stays until it is closed.
      if (!(await closeOthers(part))) return true;
    } else {
      if (now < (move.switchedAt ?? now) + ERASE_AFTER_MS) return true;
      if (!(await deleteFrom(source, isOver))) return false;
    }
  }
  await deleteMove(env, move);
  return true;
}

const copyPart = (part: MovePart): Promise<"again" | "later" | "switched"> =>
  part.move.backup === null ? copyWorkspace(part) : restoreWorkspace(part, part.move.backup);

/** Records why a part failed. Before the switch, the source accepts writes again until the next attempt. */
async function recordFault({ env, copy, move }: MovePart, error: unknown): Promise<void> {
  if (move.state === "failed") return; // the row says why it failed
  const isCopying = move.backup === null && (move.state === "copying" || move.state === "final");
  if (isCopying) await reopenSource(copy);
  const state = error instanceof CopyDiffers ? "failed" : "copying";
  await saveMove(env, move, { fault: describeFault(error), ...(isCopying && { state }) });
}

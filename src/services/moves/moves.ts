/** Starts and cancels moves of workspaces. The queue runs them. */
import type { WorkspaceRef } from "../../db/client/database.ts";
import { insertMove, markCancelled, readMove } from "../../db/moves/moves.ts";
import { findOpenDatabase } from "../databases.ts";
import { enqueueRest } from "../tasks/enqueue.ts";

export { listMoves, type Move, readMove } from "../../db/moves/moves.ts";

type StartOutcome = "started" | "move_running" | "not_open" | "same_database";

/** Starts to move a workspace to another database. @param database the binding's name */
export async function startMove(
  env: Env,
  workspace: WorkspaceRef,
  database: string,
  now: number,
): Promise<StartOutcome> {
  if (database === workspace.database) return "same_database";
  if ((await findOpenDatabase(env, database)) === null) return "not_open";
  if (!(await insertMove(env, workspace, database, now))) return "move_running";
  await enqueueRest(env, { task: "move", workspace, now });
  return "started";
}

/** Cancels a move and deletes the copy. @returns `move_running` when its final step has begun */
export async function cancelMove(
  env: Env,
  workspace: WorkspaceRef,
  now: number,
): Promise<"cancelled" | "no_move" | "move_running"> {
  if (!(await markCancelled(env, workspace))) {
    return (await readMove(env, workspace)) === null ? "no_move" : "move_running";
  }
  await enqueueRest(env, { task: "move", workspace, now });
  return "cancelled";
}

/** Starts and cancels moves of workspaces. The queue runs them. */
import type { WorkspaceRef } from "../../db/client/database.ts";
import { insertMove, markCancelled, readMove } from "../../db/moves/moves.ts";
import { type Call, timed } from "../call.ts";
import { findOpenDatabase } from "../databases.ts";
import { enqueueRest } from "../tasks/enqueue.ts";

export type { Move } from "../../db/moves/moves.ts";

type StartOutcome = "started" | "move_running" | "not_open" | "same_database";

/** Starts to move a workspace to another database. @param database the binding's name */
export async function startMove(
  call: Call,
  workspace: WorkspaceRef,
  database: string,
  now: number,
): Promise<StartOutcome> {
  if (database === workspace.database) return "same_database";
  if ((await timed(call, "databaseMs", () => findOpenDatabase(call.env, database))) === null) return "not_open";
  if (!(await timed(call, "databaseMs", () => insertMove(call.env, workspace, database, now)))) return "move_running";
  await enqueueRest(call.env, { task: "move", workspace, now });
  return "started";
}

/** Cancels a move and deletes the copy. @returns `move_running` when its final step has begun */
export async function cancelMove(
  call: Call,
  workspace: WorkspaceRef,
  now: number,
): Promise<"cancelled" | "no_move" | "move_running"> {
  if (await timed(call, "databaseMs", () => markCancelled(call.env, workspace))) {
    await enqueueRest(call.env, { task: "move", workspace, now });
    return "cancelled";
  }
  const move = await timed(call, "databaseMs", () => readMove(call.env, workspace));
  return move === null ? "no_move" : "move_running";
}

/** Finds what is due, and runs what the queue delivers. */
import { recomputeSettings } from "../../config.ts";
import { databaseNames, type WorkspaceRef } from "../../db/client/database.ts";
import { continueUserErasures, listUserErasures } from "../../db/users/erase-user.ts";
import { listMoves } from "../../db/moves/moves.ts";
import { listMarkedErased } from "../../db/workspaces/erase-workspace.ts";
import { archiveWorkspace, listDueArchives } from "../archive/archive-workspace.ts";
import { runMove } from "../moves/run-move.ts";
import { listRecomputes } from "../recompute/recompute.ts";
import { recomputeWorkspace } from "../recompute/recompute-workspace.ts";
import { settleAll } from "../settle-all.ts";
import { continueWorkspaceErasure } from "../workspaces/erase-workspace.ts";
import { enqueue, type Task } from "./enqueue.ts";

const ERASE_AGAIN_SECONDS = 10;
/** A workspace that was marked later may still be in the hands of the request that creates or erases it. */
const INTERRUPTED_AFTER_MS = 60_000;

/**
 * Queues everything that is due.
 * @param isHourly also marks the outcomes of idle workspaces as good as new, which costs a row for each
 * @throws AggregateError when a database or the queue failed, after all others had their turn
 */
export async function enqueueDue(env: Env, now: number, isHourly: boolean): Promise<void> {
  const moves = listMoves(env);
  const enqueueAll = async (task: Task["task"], listing: Promise<WorkspaceRef[]>) => {
    const tasks = (await listing).map((workspace) => ({ task, workspace, now }));
    await enqueue(env, tasks);
  };
  await settleAll([
    enqueueAll(
      "move",
      moves.then((running) => running.map(({ workspace }) => workspace)),
    ),
    enqueueAll("erase_workspace", listMarkedErased(env, now - INTERRUPTED_AFTER_MS)),
    ...databaseNames(env).flatMap((database) => [
      enqueueAll("recompute", withoutMoving(listRecomputes(env, database, now, isHourly), moves)),
      enqueueAll("archive", withoutMoving(listDueArchives(env, database, now), moves)),
      enqueueAll("erase_users", listUserErasures(env, database)),
    ]),
  ]);
}

/** Leaves out workspaces that are being copied: their recompute or archive would find the lease taken, or keep the move from taking it. */
async function withoutMoving(
  due: Promise<WorkspaceRef[]>,
  moves: ReturnType<typeof listMoves>,
): Promise<WorkspaceRef[]> {
  // A directory that is down must not keep the other databases from their work.
  const [workspaces, running] = await Promise.all([due, moves.catch(() => [])]);
  const copied = new Set(running.flatMap(({ workspace, isCopied }) => (isCopied ? workspace.number : [])));
  return workspaces.filter(({ number }) => !copied.has(number));
}

/** Runs a task, and queues it again if anything is left. */
export async function runTask(env: Env, task: Task): Promise<void> {
  if (await runPart(env, task)) return;
  // An erasure may have to wait for a run of the archive.
  await enqueue(env, [task], task.task === "erase_workspace" ? ERASE_AGAIN_SECONDS : 0);
}

/** @returns whether the task is finished, or another run has taken it over */
async function runPart(env: Env, { task, workspace, now }: Task): Promise<boolean> {
  switch (task) {
    case "recompute": {
      const options = { now, trigger: "cron", clock: Date.now, ...recomputeSettings(env) } as const;
      const result = await recomputeWorkspace(env, workspace, options);
      console.log(JSON.stringify({ operation: "recompute", workspace: workspace.id, ...result }));
      return result.outcome === "skipped" || result.run.complete;
    }
    case "archive": {
      const result = await archiveWorkspace(env, workspace, { now });
      console.log(JSON.stringify({ operation: "archive", workspace: workspace.id, ...result }));
      return result.outcome === "skipped" || result.complete;
    }
    case "erase_workspace":
      return continueWorkspaceErasure(env, workspace, now);
    case "move":
      return runMove(env, workspace);
    case "erase_users":
      return continueUserErasures(env, workspace);
  }
}

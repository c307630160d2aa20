/** Finds the work of single workspaces that is due, and queues a task for each. run-task.ts runs them. */
import { databaseNames, type WorkspaceRef } from "../../db/client/database.ts";
import { listMoves } from "../../db/moves/move-records.ts";
import { listUserErasures } from "../../db/users/erase-user-rows.ts";
import { listMarkedErased } from "../../db/workspaces/erase-workspace.ts";
import { listLimited } from "../../db/workspaces/find-workspace.ts";
import { listDueArchives } from "../archive/archive-workspace.ts";
import { listRecomputes } from "../recompute/recompute-workspaces.ts";
import { enqueue, type Task } from "./enqueue.ts";

/** If a workspace was marked later, the request that creates or erases it may still be running. */
const INTERRUPTED_AFTER_MS = 60_000;

/**
 * Queues everything that is due.
 * @param isHourly also measures workspaces with a storage limit, and confirms the outcomes of idle ones, a row for each
 * @returns a promise for each list, which rejects when its database or the queue failed
 */
export function enqueueDue(env: Env, now: number, isHourly: boolean): Promise<void>[] {
  const moves = listMoves(env);
  const queue = async (task: Task["task"], listing: Promise<readonly Due[]>) => {
    const due = await listing;
    await enqueue(
      env,
      due.map(({ workspace, through }) => ({ task, workspace, now, through })),
    );
  };
  // A recompute or an archive would find the lease of a copied workspace taken, or would keep the move from taking it.
  const copied = moves.then((running) => running.filter(({ isCopied }) => isCopied));
  return [
    queue("move", moves),
    // Duplicates and erasures change what a limited workspace stores without a run.
    ...(isHourly ? [queue("archive", listLimited(env).then(asDue))] : []),
    queue("erase_workspace", listMarkedErased(env, now - INTERRUPTED_AFTER_MS).then(asDue)),
    ...databaseNames(env).flatMap((database) => {
      const archives = listDueArchives(env, database, now);
      // To make room, even today's log is archived. A recompute would need room and hold the lease.
      const urgent = archives.then((due) => due.filter(({ isUrgent }) => isUrgent));
      const recomputes = listRecomputes(env, database, now, { onRequest: false, confirming: isHourly }).then(asDue);
      return [
        queue("archive", without(archives, copied)),
        queue("recompute", without(recomputes, copied, urgent)),
        queue("erase_users", listUserErasures(env, database).then(asDue)),
      ];
    }),
  ];
}

type Due = Pick<Task, "workspace" | "through">;

const asDue = (workspaces: readonly WorkspaceRef[]): Due[] => workspaces.map((workspace) => ({ workspace }));

/** Leaves out the workspaces of other lists. A list that can't be read must not keep a database from its work. */
async function without(listing: Promise<Due[]>, ...others: Promise<Due[]>[]): Promise<Due[]> {
  const [due, ...lists] = await Promise.all([listing, ...others.map((other) => other.catch(() => []))]);
  const left = new Set(lists.flat().map(({ workspace }) => workspace.number));
  return due.filter(({ workspace }) => !left.has(workspace.number));
}

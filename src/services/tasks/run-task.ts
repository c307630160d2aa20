/** Finds what is due, and runs what the queue delivers. */
import { describeFault } from "../../core/describe-fault.ts";
import { databaseNames, type WorkspaceRef } from "../../db/client/database.ts";
import { continueUserErasures, listUserErasures } from "../../db/users/erase-user.ts";
import { listMoves } from "../../db/moves/move-records.ts";
import { listLimited } from "../../db/workspaces/find-workspace.ts";
import { listMarkedErased } from "../../db/workspaces/erase-workspace.ts";
import { archiveWorkspace, listDueArchives } from "../archive/archive-workspace.ts";
import { runMove } from "../moves/move-workspace.ts";
import { listRecomputes, recomputeWorkspace } from "../recompute/recompute-workspaces.ts";
import { continueWorkspaceErasure } from "../workspaces/workspace-changes.ts";
import { updateRoomAfterRun } from "../workspaces/storage-limits.ts";
import { enqueue, type Task } from "./enqueue.ts";

const ERASE_AGAIN_SECONDS = 10;
/** How long a task waits after its first, second and third failure. */
const RETRY_SECONDS = [10, 60, 300] as const;
/** If a workspace was marked later, the request that creates or erases it may still be running. */
const INTERRUPTED_AFTER_MS = 60_000;

/**
 * Queues everything that is due.
 * @param isHourly also measures workspaces with a storage limit, and confirms the outcomes of idle ones, which writes a
 *   row for each
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
      const recomputes = listRecomputes(env, database, now, isHourly).then(asDue);
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

/** Acknowledges each task that ran. A failed task returns after growing pauses, then goes to the dead-letter queue. */
export async function runQueued({ messages }: MessageBatch<Task>, env: Env): Promise<void> {
  for (const message of messages) {
    try {
      await runTask(env, message.body);
      message.ack();
    } catch (error) {
      const { task, workspace } = message.body;
      console.error(JSON.stringify({ operation: task, workspace: workspace.id, fault: describeFault(error) }));
      message.retry({ delaySeconds: RETRY_SECONDS[message.attempts - 1] ?? RETRY_SECONDS[2] });
    }
  }
}

/** Runs a task, and queues it again if anything is left. */
export async function runTask(env: Env, task: Task): Promise<void> {
  if (await runTaskPart(env, task)) return;
  // An erasure may have to wait for a run of the archive.
  await enqueue(env, [task], task.task === "erase_workspace" ? ERASE_AGAIN_SECONDS : 0);
}

/** @returns whether the task is finished, or another run has taken it over */
async function runTaskPart(env: Env, { task, workspace, now, through }: Task): Promise<boolean> {
  switch (task) {
    case "recompute": {
      const result = await recomputeWorkspace(env, workspace, { now, trigger: "cron" });
      console.log(JSON.stringify({ operation: "recompute", workspace: workspace.id, ...result }));
      await updateRoomAfterRun(env, workspace);
      return result.outcome === "skipped" || result.run.complete;
    }
    case "archive": {
      const result = await archiveWorkspace(env, workspace, { now, through, isEarly: through !== undefined });
      return result === null || result.complete;
    }
    case "erase_workspace":
      return continueWorkspaceErasure(env, workspace, now);
    case "move":
      return runMove(env, workspace);
    case "erase_users":
      return continueUserErasures(env, workspace);
  }
}

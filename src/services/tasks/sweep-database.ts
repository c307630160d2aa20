/** Finds the work of a database's workspaces that is due, and queues a task for each. run-task.ts runs them. */
import { maxDatabaseBytes } from "../../config.ts";
import type { WorkspaceRef } from "../../db/client/database.ts";
import { FULL_SHARE } from "../../core/database-size.ts";
import { DAY_MS } from "../../core/durations.ts";
import { listDueBackups } from "../../db/backups/backup-sql.ts";
import { purgeNotifications } from "../../db/destinations/deliveries.ts";
import { purgeExpiredRejections } from "../../db/events/rejections.ts";
import { listMoves } from "../../db/moves/move-records.ts";
import { listUserErasures } from "../../db/users/erase-user-rows.ts";
import { measureDatabase } from "../../db/databases/database-capacity.ts";
import type { MarkedTask } from "../../db/recompute/queued-tasks-sql.ts";
import { listDueArchives } from "../archive/archive-workspace.ts";
import { queueDeliveries } from "../notify/deliver.ts";
import { queueDigests } from "../notify/digest.ts";
import { reseal } from "../sealing/reseal.ts";
import { listRecomputes } from "../recompute/recompute-workspaces.ts";
import { enqueueOnce, type Sweep, type WorkspaceTask } from "./enqueue.ts";
import { settleAll } from "./settle-all.ts";

/**
 * Queues everything that is due in a database, and measures it. An hourly sweep also confirms the outcomes of idle
 * workspaces, a row for each, deletes rejected messages and notifications that are past their retention, and seals secrets again.
 * @throws AggregateError after everything had its turn
 */
export async function sweepDatabase(env: Env, { database, isHourly }: Sweep, now: number): Promise<void> {
  const archives = listDueArchives(env, database, now);
  // A recompute or an archive would find the lease of a copied workspace taken, or would keep the move from taking it.
  const copied = listMoves(env).then((running) => running.filter(({ isCopied }) => isCopied));
  // To make room, even today's log is archived. A recompute would need room and hold the lease.
  const urgent = archives.then((due) => due.filter(({ isUrgent }) => isUrgent));
  const share = measure(env, database);
  // Only folded messages can be archived, so a nearly full database folds all that waits.
  const needsRoom = share.then((part) => part >= FULL_SHARE).catch(() => false);
  const recomputes = needsRoom
    .then((all) => listRecomputes(env, database, now, { all, confirming: isHourly }))
    .then(({ due, oldestUnfoldedMs }) => {
      console.log(JSON.stringify({ operation: "list_recomputes", database, oldestUnfoldedMs }));
      return asDue(due);
    });
  const queue = async (task: MarkedTask, listing: Promise<Due[]>) => {
    const due = (await listing).map(({ workspace, through }) => ({ workspace, through }));
    await enqueueOnce(env, database, task, due, now);
  };
  const backups = listDueBackups(env, database, now - DAY_MS);
  await settleAll("sweep", [
    queue("archive", without(archives, copied)),
    queue("recompute", without(recomputes, copied, urgent)),
    queue("backup", without(backups.then(asDue), copied, urgent)),
    queue("erase_users", listUserErasures(env, database).then(asDue)),
    queueDigests(env, database, now).finally(() => queueDeliveries(env, database, now)),
    share,
    ...(isHourly ? [backups.then((due) => logOverdue(due, now))] : []),
    ...(isHourly
      ? [purgeExpiredRejections(env, database, now), purgeNotifications(env, database, now), reseal(env, database)]
      : []),
  ]);
}

/** Records the size of a database, and logs which part of it is full. @returns this part, from 0 to 1 */
async function measure(env: Env, database: string): Promise<number> {
  const share = (await measureDatabase(env, database)) / maxDatabaseBytes(env);
  console.log(JSON.stringify({ operation: "measure", database, share: Number(share.toFixed(4)) }));
  return share;
}

/** Logs the workspaces without a backup of the last two days, because a run keeps failing or never gets the lease. */
function logOverdue(due: Awaited<ReturnType<typeof listDueBackups>>, now: number): void {
  for (const { id: workspace, since } of due) {
    const overdueDays = Math.floor((now - (since ?? now)) / DAY_MS);
    if (overdueDays >= 2) console.warn(JSON.stringify({ operation: "backup", workspace, overdueDays }));
  }
}

type Due = Pick<WorkspaceTask, "workspace" | "through">;

const asDue = (workspaces: readonly WorkspaceRef[]): Due[] =>
  workspaces.map(({ id, number, database }) => ({ workspace: { id, number, database } }));

/** Leaves out the workspaces of other lists. A list that can't be read must not keep a database from its work. */
async function without(listing: Promise<Due[]>, ...others: Promise<Due[]>[]): Promise<Due[]> {
  const [due, ...lists] = await Promise.all([listing, ...others.map((other) => other.catch(() => []))]);
  const left = new Set(lists.flat().map(({ workspace }) => workspace.number));
  return due.filter(({ workspace }) => !left.has(workspace.number));
}

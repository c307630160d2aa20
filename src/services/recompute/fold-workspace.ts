import { foldRange } from "../../db/recompute/fold.ts";
import type { WorkspaceProgress } from "../../db/recompute/progress-sql.ts";
import { beginRefold, deleteReplaced, finishRebuild, refoldRange } from "../../db/recompute/rebuild-sql.ts";
import { deleteExpired } from "../../db/recompute/retention-sql.ts";
import type { Run } from "./run.ts";

/**
 * Folds the rest of the workspace's log, after finishing a running rebuild.
 * @returns false when the run must stop early
 */
export async function foldWorkspace(run: Run, progress: WorkspaceProgress): Promise<boolean> {
  const { session, today } = run;
  const { workspace, newest, rebuild } = progress;
  if (rebuild !== null && !(await rebuildRollups(run, progress, rebuild))) return false;
  for (let from = progress.watermark; from < newest;) {
    if (run.isOver()) return false;
    const through = Math.min(from + run.sizes.messages, newest);
    if (!(await foldRange(session, workspace, { from, through, today }))) return false;
    run.figures.eventsFolded += through - from;
    from = through;
  }
  return true;
}

/** @returns false when the run must stop before the rebuild ends */
async function rebuildRollups(
  run: Run,
  { workspace, watermark }: WorkspaceProgress,
  rebuild: { day: number; through: number | null },
): Promise<boolean> {
  const { session } = run;
  const { day } = rebuild;
  let from = rebuild.through;
  if (from === null) {
    do {
      if (run.isOver()) return false;
    } while (await deleteReplaced(session, workspace, day));
    from = await beginRefold(session, workspace, day);
    if (from === null) return false;
  }
  while (from < watermark) {
    if (run.isOver()) return false;
    const through: number = Math.min(from + run.sizes.messages, watermark);
    if (!(await refoldRange(session, workspace, { from, through, day }))) return false;
    run.figures.eventsFolded += through - from;
    from = through;
  }
  await finishRebuild(session, workspace, day);
  return true;
}

/** Deletes messages past their retention. @returns false when the run must stop before all are deleted */
export async function deleteOldMessages(run: Run, { workspace, oldest, newest }: WorkspaceProgress): Promise<boolean> {
  for (let first = oldest; first !== null && first.receivedAt < run.cutoff;) {
    if (run.isOver()) return false;
    const left = await deleteExpired(run.session, workspace, { cutoff: run.cutoff, limit: run.sizes.deletions });
    if (left === null) return false;
    const deleted = (left.oldest?.seq ?? newest + 1) - first.seq;
    if (deleted === 0) return true; // the rest has to wait for a rebuild
    run.figures.eventsDeleted += deleted;
    first = left.oldest;
  }
  return true;
}

import type { Day } from "../../core/health/model.ts";
import { selectFiles } from "../../db/archive/manifest-sql.ts";
import { refoldMessages } from "../../db/archive/refold.ts";
import { foldRange } from "../../db/recompute/fold.ts";
import type { FoldKind, LogRange } from "../../db/recompute/fold-rollups-sql.ts";
import type { WorkspaceProgress } from "../../db/recompute/progress-sql.ts";
import { deleteOldDays, recordHistory } from "../../db/recompute/old-days-sql.ts";
import { ALL_DAYS, beginRefold, DAYS_AHEAD, deleteReplaced, finishRebuild } from "../../db/recompute/rebuild-sql.ts";
import { readMessages } from "../archive/read-archive.ts";
import type { RunState } from "./run-state.ts";

/**
 * Folds the rest of the workspace's log, after finishing a running rebuild.
 * @returns false when the run must stop early
 */
export async function foldWorkspace(run: RunState, progress: WorkspaceProgress): Promise<boolean> {
  const { watermark, newest, rebuildDay } = progress;
  if (rebuildDay !== null && !(await rebuildRollups(run, progress, rebuildDay))) return false;
  return foldRanges(run, "fold", { from: watermark, through: newest, firstDay: ALL_DAYS });
}

/** @returns false when the run must stop before the rebuild ends */
async function rebuildRollups(
  run: RunState,
  { watermark, rebuiltThrough }: WorkspaceProgress,
  day: Day,
): Promise<boolean> {
  const { session, workspace } = run;
  let from = rebuiltThrough;
  if (from === null) {
    do {
      if (run.isOver()) return false;
    } while (await deleteReplaced(session, workspace, day));
    from = await beginRefold(session, workspace, day);
    if (from === null) return false;
  }
  const archivedThrough = await refoldArchive(run, { from, firstDay: day });
  if (archivedThrough === null) return false;
  const log = { from: archivedThrough, through: watermark, firstDay: day };
  if (!(await foldRanges(run, "rebuild", log))) return false;
  await finishRebuild(session, workspace, { firstDay: day, lastDay: run.today - 1 });
  return true;
}

/** Folds archived messages again. @returns the last seq that was folded; `null` when the run must stop early */
async function refoldArchive(
  run: RunState,
  { from: first, firstDay }: Pick<LogRange, "from" | "firstDay">,
): Promise<number | null> {
  const { session, workspace } = run;
  let from = first;
  const days = { from: firstDay - DAYS_AHEAD, to: Number.MAX_SAFE_INTEGER };
  const [{ results: files }] = await session.batch([selectFiles(workspace, days, first)]);
  for (const file of files) {
    if (run.isOver()) return null;
    const messages = await readMessages(run.env, workspace, file);
    for (let index = Math.max(from + 1 - file.first, 0); index < messages.length; index += run.sizes.messages) {
      if (run.isOver()) return null;
      const part = messages.slice(index, index + run.sizes.messages);
      if (!(await refoldMessages(session, { from, firstDay }, part, run.today))) return null;
      run.figures.eventsFolded += part.length;
      from = part.at(-1)?.seq ?? from;
    }
  }
  return from;
}

/** Folds a part of the log in steps. @returns false when the run must stop before its end */
async function foldRanges(
  run: RunState,
  kind: FoldKind,
  { from: first, through: last, firstDay }: LogRange,
): Promise<boolean> {
  for (let from = first; from < last;) {
    if (run.isOver()) return false;
    const through = Math.min(from + run.sizes.messages, last);
    if (!(await foldRange(run.session, run.workspace, kind, { from, through, firstDay }, run.today))) return false;
    run.figures.eventsFolded += through - from;
    from = through;
  }
  return true;
}

/** Deletes counts and scores of days before the history, once a day. @returns false when the run must stop early */
export async function shortenHistory(run: RunState, { historyFrom: reached }: WorkspaceProgress): Promise<boolean> {
  const { session, workspace, historyFrom } = run;
  if ((reached ?? -Infinity) >= historyFrom) return true;
  for (let after: number | null = 0; after !== null;) {
    if (run.isOver()) return false;
    after = await deleteOldDays(session, workspace, { historyFrom, after });
  }
  await recordHistory(session, workspace, historyFrom);
  return true;
}

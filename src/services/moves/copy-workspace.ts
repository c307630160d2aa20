/**
 * Copies a workspace while it is used, and in the final step, while it refuses writes for a moment, what has changed since.
 */
import { ClaimLost, compare, clearTarget, copyAgain, copyPage, copyTail, rangesOf } from "../../db/moves/copy.ts";
import { saveMove, switchDatabase } from "../../db/moves/moves.ts";
import { countRows, leaseSource, leaseTarget, readEnds, stopWrites } from "../../db/moves/sides.ts";
import type { CopyCursor } from "../../db/schema/moves.ts";
import { enqueueRest } from "../tasks/enqueue.ts";
import type { Part } from "./model.ts";

/** The final step begins when fewer messages and changed subjects are left. */
const SMALL_TAIL = 500;
/** Continues a final step that crashed, soon after its claim has expired. */
const RESUME_AFTER_SECONDS = 35;

/**
 * @returns `again` when the budget is used up or the move was cancelled; `later` when a run of the recompute holds the
 *   lease; `switched` when the target has the workspace
 */
export async function copyWorkspace(part: Part): Promise<"again" | "later" | "switched"> {
  const { copy } = part;
  const leased = await leaseSource(copy, part);
  if (leased === null) return "later";
  await leaseTarget(copy, part);
  const copied = await copyRanges(part, leased.lastRun);
  const cursor = copied && (await copyTails(part, copied));
  if (cursor === null || !(await save(part, { state: "final" }))) return "again";
  await copyRest(part, cursor);
  return "switched";
}

/** Records progress in the move's row. @returns false when the move was cancelled or taken over */
async function save({ env, move }: Part, progress: Parameters<typeof saveMove>[2]): Promise<boolean> {
  const isSaved = await saveMove(env, move, { fault: null, ...progress });
  if (isSaved) Object.assign(move, progress);
  return isSaved;
}

/** Copies all that is copied before the final step. @returns `null` when the part must stop before the end */
async function copyRanges(part: Part, lastRun: string | null): Promise<CopyCursor | null> {
  const { move, copy, isOver } = part;
  const ranges = rangesOf(copy, "log", "subjects", "derived");
  let { cursor } = move;
  // A run of the recompute since the last part has changed what is copied.
  if (cursor !== null && cursor.lastRun !== lastRun) {
    cursor = null;
    if (!(await save(part, { cursor }))) return null;
  }
  if (cursor === null) {
    if (!(await clearTarget(copy, [...ranges, ...rangesOf(copy, "final")], isOver))) return null;
    cursor = { range: ranges[0]?.name ?? null, after: null, lastRun, ...(await readEnds(copy)) };
    if (!(await save(part, { cursor, rowsCopied: 0, rowsTotal: await countRows(copy) }))) return null;
  }
  const { range: begun } = cursor;
  for (const range of begun === null ? [] : ranges.slice(ranges.findIndex(({ name }) => name === begun))) {
    for (let after = (cursor.range === range.name && cursor.after) || range.start; ;) {
      if (isOver()) return null;
      const { rows, last } = await copyPage(copy, range, after);
      if (rows.length === 0) break;
      after = last;
      const log: number = range.copied === "log" ? Number(last[0]) : cursor.log;
      cursor = { ...cursor, range: range.name, after: [...last], log };
      if (!(await save(part, { cursor, rowsCopied: move.rowsCopied + rows.length }))) return null;
    }
  }
  return { ...cursor, range: null, after: null };
}

/** Copies what has changed since, until little is left. @returns `null` when the part must stop before that */
async function copyTails(part: Part, copied: CopyCursor): Promise<CopyCursor | null> {
  let cursor = copied;
  for (let left = SMALL_TAIL; left >= SMALL_TAIL;) {
    if (part.isOver()) return null;
    ({ cursor, copied: left } = await copyTail(part.copy, cursor));
    if (!(await save(part, { cursor }))) return null;
  }
  return cursor;
}

/** The final step. @throws CopyDiffers; ClaimLost */
async function copyRest({ env, move, copy, now }: Part, from: CopyCursor): Promise<void> {
  await enqueueRest(env, { task: "move", workspace: copy.workspace, now }, RESUME_AFTER_SECONDS);
  await stopWrites(copy);
  for (let tail = { cursor: from, copied: 1 }; tail.copied > 0;) tail = await copyTail(copy, tail.cursor);
  const few = rangesOf(copy, "final");
  await Promise.all(few.map((range) => copyAgain(copy, range)));
  await compare(copy, [...rangesOf(copy, "subjects"), ...few]);
  if (!(await switchDatabase(env, move, now))) throw new ClaimLost();
  Object.assign(move, { state: "erasing", switchedAt: now });
}

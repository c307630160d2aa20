/**
 * Copies a workspace while it is used. In the final step the workspace refuses writes for a moment, and the part copies
 * the rows that have changed since.
 */
import { ownRange } from "../../db/client/database.ts";
import {
  clearTarget,
  copyAgain,
  CopyDiffers,
  copyPage,
  copyTail,
  findDifference,
  rangesOf,
} from "../../db/moves/copy.ts";
import type { Copy } from "../../db/moves/copy-sql.ts";
import { ClaimLost, type Move, saveMove, switchDatabase } from "../../db/moves/move-records.ts";
import {
  completeCopy,
  countRows,
  leaseSource,
  leaseTarget,
  MAX_PAUSE_MS,
  stopWrites,
} from "../../db/moves/open-and-close.ts";
import type { CopyCursor } from "../../db/schema/workspaces.ts";
import { roomFor } from "../database-placement.ts";
import { enqueueRest } from "../tasks/enqueue.ts";

/** The final step begins when fewer messages and changed subjects are left. */
const SMALL_TAIL = 500;
/** A crashed final step continues after this time, soon after its claim has expired. */
const RESUME_AFTER_SECONDS = 35;

/** One part of a move, in an invocation of its own. */
export interface MovePart {
  env: Env;
  copy: Copy;
  /** The directory's row; kept up to date. */
  move: Move;
  now: number;
  /** Whether the budget is used up. Counts a statement. */
  isOver: () => boolean;
}

/**
 * @returns `again` when the budget is used up; `later` when a run of the recompute holds the lease; `switched` when the
 *   target has the workspace
 * @throws ClaimLost; CopyDiffers
 */
export async function copyWorkspace(part: MovePart): Promise<"again" | "later" | "switched"> {
  const { copy, now } = part;
  if (!(await leaseSource(copy, now))) return "later";
  if (!(await leaseTarget(copy, now))) throw new ClaimLost();
  // A part that was paused until others had finished gives its leases back.
  await save(part, {});
  const cursor = await beginCopy(part);
  const copied = cursor && (await copyRanges(part, cursor));
  const rest = copied && (await copyTails(part, copied));
  if (rest === null) return "again";
  await save(part, { state: "final" });
  await copyRest(part, rest);
  return "switched";
}

/** Stops a copy before its target's other workspaces notice it. @throws Error that names the target */
export function requireRoom({ env, copy: { target } }: MovePart): void {
  if (roomFor(env, target.size.bytes) <= 0)
    throw new Error(`${target.workspace.database} is full. Make room there, or cancel, and choose another database.`);
}

/** Records progress in the move's row. @throws ClaimLost */
const save = ({ env, move }: MovePart, progress: Partial<Move>): Promise<void> =>
  saveMove(env, move, { fault: null, ...progress });

/** @returns where the copy continues; `null` when the part must stop before it begins */
async function beginCopy(part: MovePart): Promise<CopyCursor | null> {
  const { copy, move, now: at, isOver } = part;
  if (move.cursor !== null && at < move.cursor.at + MAX_PAUSE_MS) return { ...move.cursor, at };
  if (move.cursor !== null) await save(part, { cursor: null });
  if (!(await clearTarget(copy, rangesOf(copy, "log", "subjects", "derived", "final"), isOver))) return null;
  const before = ownRange(copy.source.workspace).first - 1;
  const cursor = { range: "messages", after: null, at, log: before, changes: before };
  await save(part, { cursor, rowsCopied: 0, rowsTotal: await countRows(copy) });
  return cursor;
}

/** Copies all ranges that don't wait for the final step. @returns `null` when the part must stop before the end */
async function copyRanges(part: MovePart, from: CopyCursor): Promise<CopyCursor | null> {
  const { copy, move, isOver } = part;
  const ranges = rangesOf(copy, "log", "subjects", "derived");
  let { log } = from;
  const left = from.range === null ? [] : ranges.slice(ranges.findIndex(({ name }) => name === from.range));
  for (const range of left) {
    for (let after = (range.name === from.range && from.after) || range.start; ;) {
      if (isOver()) return null;
      requireRoom(part);
      const { rows, last } = await copyPage(copy, range, after);
      if (rows.length === 0) break;
      after = last;
      if (range.copied === "log") log = Number(last[0]);
      const cursor = { ...from, range: range.name, after, log };
      const rowsCopied = move.rowsCopied + rows.length;
      // Ingest may have added rows since they were counted.
      await save(part, { cursor, rowsCopied, rowsTotal: Math.max(move.rowsTotal, rowsCopied) });
    }
  }
  return { ...from, range: null, after: null, log };
}

/** Copies rows that have changed since, until few are left. @returns `null` when the part must stop before that */
async function copyTails(part: MovePart, from: CopyCursor): Promise<CopyCursor | null> {
  let [cursor, copied] = [from, SMALL_TAIL];
  while (copied >= SMALL_TAIL) {
    if (part.isOver()) return null;
    ({ cursor, copied } = await copyTail(part.copy, cursor));
    await save(part, { cursor });
  }
  return cursor;
}

/** The final step. */
async function copyRest({ env, copy, move, now }: MovePart, from: CopyCursor): Promise<void> {
  await enqueueRest(env, { task: "move", workspace: copy.source.workspace }, RESUME_AFTER_SECONDS);
  await stopWrites(copy);
  for (let tail = { cursor: from, copied: 1 }; tail.copied > 0;) tail = await copyTail(copy, tail.cursor);
  const few = rangesOf(copy, "final");
  await Promise.all(few.map((range) => copyAgain(copy, range)));
  const different = await findDifference(copy, [...rangesOf(copy, "subjects"), ...few]);
  if (different !== undefined) throw new CopyDiffers(different);
  await completeCopy(copy);
  await switchDatabase(env, move, now);
}

/**
 * Moves messages from the log to the archive, deletes old files, and rewrites those with erased people.
 * A run holds the workspace's lease, so it never meets the recompute, a move or another run. It works in steps and may stop
 * anywhere: see docs/decisions/0027-the-archive.md.
 */
import { MAX_RECOMPUTE_STALL_MS, maxDatabaseBytes, MIN_HOT_DAYS_IN_NEED, retentionBounds } from "../../config.ts";
import { MAX_FILE_MESSAGES, packUsers } from "../../core/archive/message.ts";
import { archiveKey } from "../../core/archive/file-names.ts";
import { ARCHIVE_EARLY_SHARE, ARCHIVED_SHARE, FULL_SHARE } from "../../core/database-size.ts";
import { DAY_MS } from "../../core/durations.ts";
import type { Day } from "../../core/health/model.ts";
import { countMessages, writeParquet } from "../../archive/parquet.ts";
import { ArchiveUnavailable, ArchiveWriteFailed, deleteFiles, readEtag, writeFile } from "../../archive/store.ts";
import { forgetFiles, listArchives, listExpired } from "../../db/archive/manifest-sql.ts";
import { type ArchiveStep, beginStep, endStep, readStep } from "../../db/archive/steps.ts";
import type { WorkspaceRef } from "../../db/client/database.ts";
import { acquireLease, releaseLease } from "../../db/recompute/lease-sql.ts";
import { listLargest } from "../../db/archive/storage-sql.ts";
import { openSession } from "../../db/recompute/session.ts";
import { MAX_RUN_STATEMENTS } from "../recompute/run-state.ts";
import { updateRoomAfterRun } from "../workspaces/storage-limits.ts";
import { type ArchiveRun, rewriteErased } from "./rewrite-erased.ts";

export interface ArchiveOptions {
  /** Decides which days are old, in milliseconds since the epoch. */
  now: number;
  /** Archives messages received up to this day, whatever their age. */
  through?: Day | undefined;
  /** Stops archiving them once the database has room. */
  isEarly?: boolean;
  clock?: () => number;
  maxStatements?: number;
  /** The maximum number of messages in a file. */
  maxMessages?: number;
}

/** A run begins nothing after this time. Its lease lasts longer, so that it can finish what it has begun. */
const BUDGET_MS = 20_000;

/** The sizes of workspaces are estimates. */
const SPARE_FACTOR = 2;

/**
 * Lists the workspaces of a database whose archive has work. In a database with little room, the list also has as many
 * of the largest workspaces as have to be archived early, with some to spare. It archives their messages received up to
 * the day `through`. The archives of a nearly full database are urgent: they run before anything else is written.
 */
export async function listDueArchives(env: Env, database: string, now: number) {
  const { hot, kept, isOff } = retentionBounds(env, now);
  const { workspaces, bytes } = await listArchives(env, database, { expired: kept, cold: hot * DAY_MS });
  const due = workspaces.map((workspace) => ({ workspace, isUrgent: false }));
  const maxBytes = maxDatabaseBytes(env);
  const share = bytes / maxBytes;
  if (isOff || share < ARCHIVE_EARLY_SHARE) return due;
  const isUrgent = share >= FULL_SHARE;
  const today = Math.floor(now / DAY_MS);
  const through = isUrgent ? today : today - MIN_HOT_DAYS_IN_NEED - 1;
  let excess = SPARE_FACTOR * (bytes - ARCHIVED_SHARE * maxBytes);
  const early = new Map<number, { workspace: WorkspaceRef; through: Day; isUrgent: boolean }>();
  for (const { bytes: oldBytes, ...workspace } of await listLargest(env, database, through)) {
    if (excess <= 0) break;
    early.set(workspace.number, { workspace, through, isUrgent });
    excess -= oldBytes;
  }
  return [...early.values(), ...due.filter(({ workspace }) => !early.has(workspace.number))];
}

/**
 * Runs until nothing is left or the budget is used up, and logs what was archived. If a part of the run fails, the
 * other parts run before it throws: a lost file must not keep messages from the archive, and a failed step must not
 * stop the erasure of people.
 * @returns `null` while another run holds the workspace's lease
 * @throws ArchiveUnavailable; ArchiveFileMissing; DatabaseUnavailable
 */
export async function archiveWorkspace(
  env: Env,
  workspace: WorkspaceRef,
  options: ArchiveOptions,
): Promise<{ files: number; messages: number; complete: boolean } | null> {
  const { now, through, isEarly = false, clock = Date.now } = options;
  const { maxStatements = MAX_RUN_STATEMENTS, maxMessages = MAX_FILE_MESSAGES } = options;
  const startedAt = clock();
  const count = { sent: 0 };
  const session = openSession(env, workspace, `archive_${crypto.randomUUID()}`, count);
  const expiresAt = startedAt + BUDGET_MS + MAX_RECOMPUTE_STALL_MS;
  if (!(await acquireLease(session, "archive", { now: startedAt, expiresAt }))) {
    await updateRoomAfterRun(env, workspace);
    return null;
  }
  const { hot, kept } = retentionBounds(env, now);
  const run: ArchiveRun = {
    env,
    session,
    clock,
    expiresAt,
    kept,
    maxMessages,
    isOver: () => clock() - startedAt >= BUDGET_MS || count.sent >= maxStatements,
    archived: { files: 0, messages: 0 },
    deleted: 0,
  };
  const roomyBytes = isEarly ? ARCHIVED_SHARE * maxDatabaseBytes(env) : 0;
  const archiveOld = async () =>
    (await archiveMessages(run, hot)) && (through === undefined || archiveMessages(run, through + 1, roomyBytes));
  let complete = true;
  const faults: unknown[] = [];
  for (const part of [deleteExpired, archiveOld, rewriteErased]) {
    try {
      complete = (await part(run)) && complete;
    } catch (error) {
      complete = false;
      faults.push(error);
    }
  }
  // Until the lease expires, nobody erases the workspace's files.
  const mayWriteLate = faults.some((fault) => fault instanceof ArchiveWriteFailed);
  if (!mayWriteLate) await releaseLease(session).catch(() => undefined); // the lease also expires
  const { archived, deleted } = run;
  console.log(JSON.stringify({ operation: "archive", workspace: workspace.id, ...archived, complete, deleted }));
  await updateRoomAfterRun(env, workspace);
  if (faults.length > 0) throw faults[0];
  return { ...archived, complete };
}

/** Deletes files of days before `kept`, and then forgets them. Reads hide them already. */
async function deleteExpired({ env, session, isOver, kept }: ArchiveRun): Promise<boolean> {
  for (;;) {
    if (isOver()) return false;
    const files = await listExpired(session, kept);
    if (files.length === 0) return true;
    const keys = files.map((file) => archiveKey(session.workspace.id, file));
    await deleteFiles(env, keys);
    await forgetFiles(session, files);
  }
}

/** Archives the messages of days before `before`, file by file, while the database is not smaller than `roomyBytes`. */
async function archiveMessages(run: ArchiveRun, before: Day, roomyBytes = 0): Promise<boolean> {
  while (run.session.size.bytes >= roomyBytes) {
    if (run.isOver()) return false;
    const step = await beginStep(run.session, before, run.maxMessages);
    if (step === null) return true;
    await archiveStep(run, step);
  }
  return true;
}

/**
 * Archives the messages of a step, or deletes them if their file would be past its retention, as it always is without
 * an archive. If a person was erased meanwhile, it does nothing, and the next run repeats the step.
 */
async function archiveStep(run: ArchiveRun, step: ArchiveStep): Promise<void> {
  const { env, session, clock, archived } = run;
  const key = archiveKey(session.workspace.id, step);
  if (step.day < run.kept) {
    if (clock() >= run.expiresAt) return;
    // An interrupted run may have written the file.
    await deleteFiles(env, [key]);
    if (await endStep(session, step, null)) run.deleted += step.last - step.first + 1;
    return;
  }
  const etag = await readEtag(env, key);
  const read = await readStep(session, step);
  if (read === null || clock() >= run.expiresAt) return;
  const bytes = writeParquet(read.rows);
  if (countMessages(bytes) !== read.rows.length) throw new Error("the file has fewer messages than were read");
  const written = await writeFile(env, key, bytes, etag);
  if (written === null) throw new ArchiveUnavailable("Another run has written the file.");
  const file = { ...written, users: packUsers(read.rows) };
  if (!(await endStep(session, { ...step, revision: read.revision }, file))) return;
  archived.files += 1;
  archived.messages += read.rows.length;
}

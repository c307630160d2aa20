/**
 * Backs a workspace up once a day, if it has changed. A run holds the workspace's lease, also between its parts, so that
 * neither the recompute nor the archive changes anything meanwhile. Senders go on: the log is copied up to the message
 * that was the last one when the backup began. See docs/decisions/0042-backups.md.
 */
import { backupName } from "../../core/archive/file-names.ts";
import { DAY_MS } from "../../core/durations.ts";
import { backedUpRanges, endBackup, keepLease, readBeginning, readPage } from "../../db/backups/backup-sql.ts";
import type { WorkspaceRef } from "../../db/client/database.ts";
import { columnsIn } from "../../db/moves/copy-sql.ts";
import { keyOf } from "../../db/workspaces/own-ranges.ts";
import { acquireLease, releaseLease } from "../../db/recompute/lease-sql.ts";
import { openSession, type Session } from "../../db/recompute/session.ts";
import { MAX_RUN_STATEMENTS } from "../recompute/run-state.ts";
import {
  type BackupFile,
  type BackupRef,
  type Begun,
  deleteBackup,
  describeFile,
  listBackups,
  listFiles,
  newestComplete,
  readBackupFile,
  readBegun,
  recordBegun,
  writeBackupFile,
  writeManifest,
} from "./backup-files.ts";

/**
 * A run deletes older backups. It comes once a day, so a person is in no backup 35 days after the erasure. The newest one
 * stays: an erasure is a change, so there is a newer one a day later.
 */
const KEPT_DAYS = 34;

/** How long a part may take, and how long the lease is kept for the next part. */
const BUDGET_MS = 20_000;
const LEASE_MS = 600_000;

export interface BackupOptions {
  /** When the backup begins, in milliseconds since the epoch. */
  now: number;
  clock?: () => number;
  maxStatements?: number;
}

/** A part of a backup. */
interface BackupRun {
  env: Env;
  session: Session;
  backup: BackupRef;
  /** Whether the budget is used up. */
  isOver: () => boolean;
}

/**
 * Runs one part of a backup.
 * @returns whether nothing is left to do now, also because another run holds the workspace's lease
 * @throws ArchiveUnavailable; DatabaseUnavailable. The next part then continues
 */
export async function backUpWorkspace(
  env: Env,
  workspace: WorkspaceRef,
  { now, clock = Date.now, maxStatements = MAX_RUN_STATEMENTS }: BackupOptions,
): Promise<boolean> {
  const startedAt = clock();
  const expiresAt = startedAt + LEASE_MS;
  const count = { sent: 0 };
  const isOver = () => clock() - startedAt >= BUDGET_MS || count.sent >= maxStatements;
  const runOf = (name: string): BackupRun => {
    // Erasing the workspace waits for the holder of such a lease, because it may still write a file.
    const session = openSession(env, workspace, `archive_${name}`, count);
    return { env, session, backup: { workspaceId: workspace.id, name }, isOver };
  };
  const names = await listBackups(env, workspace.id);
  const complete = await newestComplete(env, workspace.id, names);
  const deleteAll = async (which: readonly string[]) => {
    for (const name of which) await deleteBackup(env, { workspaceId: workspace.id, name });
  };
  const oldest = backupName(now - KEPT_DAYS * DAY_MS);
  await deleteAll(names.filter((name) => name < oldest && name !== complete?.name));
  const unfinished = names.filter((name) => complete === null || name > complete.name);
  const last = unfinished.at(-1);
  let run = runOf(last ?? backupName(now));
  let begun = last === undefined ? null : await continueBackup(run, expiresAt);
  let isChanged = true;
  if (begun === null) {
    run = runOf(backupName(now));
    if (!(await acquireLease(run.session, "backup", { now: startedAt, expiresAt }))) return true;
    await deleteAll(unfinished);
    begun = { at: now, ...(await readBeginning(run.session)) };
    isChanged = complete === null || (await readBegun(env, complete))?.fingerprint !== begun.fingerprint;
    if (isChanged) await recordBegun(env, run.backup, begun);
  }
  let files: BackupFile[] = [];
  if (isChanged) {
    const copied = await copyRows(run, begun);
    if (copied === "again") return false;
    if (copied === "lost") {
      await releaseLease(run.session);
      return true;
    }
    files = copied;
    await writeManifest(env, run.backup, { through: begun.through, agreement: begun.agreement, files });
  }
  await endBackup(run.session, begun.at);
  console.log(JSON.stringify({ operation: "backup", workspace: workspace.id, files: files.length }));
  return true;
}

/** @returns `null` if it can't be continued, because another run may have changed the workspace meanwhile */
async function continueBackup({ env, session, backup }: BackupRun, expiresAt: number): Promise<Begun | null> {
  const begun = await readBegun(env, backup);
  return begun !== null && (await keepLease(session, expiresAt)) ? begun : null;
}

/**
 * Copies the rows after those of the last file, page by page.
 * @returns all files; `again` when the budget is used up; `lost` when the lease is
 */
async function copyRows(
  { env, session, backup, isOver }: BackupRun,
  { through }: Begun,
): Promise<BackupFile[] | "again" | "lost"> {
  const files = await listFiles(env, backup);
  const last = files.at(-1);
  const reached = last && { range: describeFile(last).range, row: (await readBackupFile(env, backup, last)).at(-1) };
  const ranges = backedUpRanges(session.workspace, through);
  for (const range of ranges.slice(
    Math.max(
      0,
      ranges.findIndex(({ name }) => name === reached?.range),
    ),
  )) {
    const columns = columnsIn(range);
    let after = range.name === reached?.range ? keyOf(range, reached.row) : range.start;
    for (;;) {
      if (isOver()) return "again";
      const rows = await readPage(session, range, after);
      if (rows === null) return "lost";
      if (rows.length === 0) break;
      files.push(await writeBackupFile(env, backup, { index: files.length, range: range.name, columns }, rows));
      after = keyOf(range, rows.at(-1));
    }
  }
  return files;
}

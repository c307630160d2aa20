/**
 * Backs a workspace up once a day, if it has changed. A run holds the workspace's lease, also between its parts, so that
 * neither the recompute nor the archive changes anything meanwhile. Senders go on: the log is copied up to the message
 * that was the last one when the backup began. See docs/decisions/0042-backups.md.
 */
import * as backups from "../../archive/backups.ts";
import { backupName } from "../../core/archive/file-names.ts";
import { DAY_MS } from "../../core/durations.ts";
import { backedUpRanges, readBeginning, readPage, updateLease, withoutLater } from "../../db/backups/backup-sql.ts";
import type { WorkspaceRef } from "../../db/client/database.ts";
import { columnsIn } from "../../db/moves/copy-sql.ts";
import { readMove } from "../../db/moves/move-records.ts";
import { acquireLease, releaseLease } from "../../db/recompute/lease-sql.ts";
import { openSession, type Session } from "../../db/recompute/session.ts";
import { keyOf } from "../../db/workspaces/own-ranges.ts";
import { MAX_RUN_STATEMENTS } from "../recompute/run-state.ts";

/**
 * A run deletes a backup when the next one is as old as this. An erasure is a change, so there is a next one a day later, and
 * runs come once a day: a person is in no backup 35 days after the erasure.
 */
const KEPT_DAYS = 33;
/** How long a part may take, and how long the lease is kept for the next part. */
const BUDGET_MS = 20_000;
const LEASE_MS = 600_000;

/**
 * Runs one part of a backup.
 * @param options `now` is when a new backup begins, in milliseconds since the epoch
 * @returns whether nothing is left to do now, also because another run holds the workspace's lease
 * @throws ArchiveUnavailable; DatabaseUnavailable. The next part then continues
 */
export async function backUpWorkspace(
  env: Env,
  workspace: WorkspaceRef,
  options: { now: number; clock?: () => number; maxStatements?: number },
): Promise<boolean> {
  const { now, clock = Date.now, maxStatements = MAX_RUN_STATEMENTS } = options;
  const startedAt = clock();
  const expiresAt = startedAt + LEASE_MS;
  const count = { sent: 0 };
  const isOver = () => clock() - startedAt >= BUDGET_MS || count.sent >= maxStatements;
  // Erasing the workspace waits for the holder of such a lease, because it may still write a file.
  const sessionOf = (name: string) => openSession(env, workspace, `archive_${name}`, count);

  const all = await backups.listBackups(env, workspace.id);
  const complete = await backups.findComplete(env, all);
  const unfinished = all.filter(({ name }) => complete === null || name > complete.name);
  const last = unfinished.at(-1);
  const begun = last && (await backups.readValid(env, last));
  // Otherwise another run may have changed the workspace meanwhile.
  if (last && begun && (await updateLease(sessionOf(last.name), { expiresAt, backupQueuedAt: null })))
    return copyRows(env, sessionOf(last.name), last, begun, isOver);

  const backup = { workspaceId: workspace.id, name: backupName(now) };
  const session = sessionOf(backup.name);
  if (!(await acquireLease(session, "backup", { now: startedAt, expiresAt }))) return true;
  const move = await readMove(env, workspace);
  if (move?.state === "copying" && move.backup !== null) {
    // A restore reads a backup, and is about to close these rows.
    await releaseLease(session);
    return true;
  }
  const oldest = backupName(now - KEPT_DAYS * DAY_MS);
  const finished = all.slice(0, all.length - unfinished.length);
  const expired = finished.filter((_, index) => (finished[index + 1]?.name ?? oldest) < oldest);
  for (const each of [...expired, ...unfinished]) await backups.deleteBackup(env, each);
  const manifest = { ...(await readBeginning(session)), workspaceId: workspace.id, at: now, files: null };
  if (manifest.fingerprint === complete?.manifest.fingerprint) return endBackup(session, now, 0);
  await backups.writeManifest(env, backup, manifest);
  return copyRows(env, session, backup, manifest, isOver);
}

/** Copies the rows after those of the last file, page by page. @returns false when the budget is used up */
async function copyRows(
  env: Env,
  session: Session,
  backup: backups.Backup,
  manifest: backups.Manifest,
  isOver: () => boolean,
): Promise<boolean> {
  const files = await backups.listBackupFiles(env, backup);
  const last = files.at(-1);
  const reached = last && backups.describeFile(last).range;
  const row = last && (await backups.readBackupFile(env, backup, last)).at(-1);
  const ranges = backedUpRanges(session.workspace, manifest.through);
  for (const range of ranges.slice(
    Math.max(
      0,
      ranges.findIndex(({ name }) => name === reached),
    ),
  )) {
    for (let after = range.name === reached ? keyOf(range, row) : range.start; ;) {
      const rows = await readPage(session, range, after);
      if (rows === null) {
        // The workspace is being erased, or another run has the lease. A later one begins anew.
        await releaseLease(session);
        return true;
      }
      if (rows.length === 0) break;
      after = keyOf(range, rows.at(-1));
      const kept = withoutLater(range, rows, manifest);
      if (kept.length === 0) continue;
      const next = { index: files.length, range: range.name, columns: columnsIn(range) };
      files.push(await backups.writeBackupFile(env, backup, next, kept));
      // A part that wrote no file would begin at the same place again.
      if (isOver()) return false;
    }
  }
  await backups.writeManifest(env, backup, { ...manifest, files });
  return endBackup(session, manifest.at, files.length);
}

async function endBackup(session: Session, backedUpAt: number, files: number): Promise<true> {
  await updateLease(session, { holder: null, backedUpAt });
  console.log(JSON.stringify({ operation: "backup", workspace: session.workspace.id, files }));
  return true;
}

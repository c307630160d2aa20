/**
 * Restores a workspace from a backup, into another database. It is a move whose source is the bucket: see
 * services/moves/move-workspace.ts. The directory names the restored rows only when everything that was erased or
 * withdrawn since is erased again, so that nobody reads it. In the workspace's own database, everybody would.
 */
import { type Backup, describeFile, findComplete, listBackups, readBackupFile } from "../../archive/backups.ts";
import { readManifest } from "../../archive/backups.ts";
import { recordMove } from "../../archive/journal.ts";
import type { Actor, AuditEntry } from "../../core/audit.ts";
import { databaseNames, type WorkspaceRef } from "../../db/client/database.ts";
import { followDirectory } from "../../db/identity/agreement.ts";
import { clearTarget, writePage } from "../../db/moves/copy.ts";
import { insertMove, readMove, saveMove, switchDatabase } from "../../db/moves/move-records.ts";
import { acceptWrites, completeRestored, leaseTarget } from "../../db/moves/open-and-close.ts";
import { closeCopies, listSides } from "../../db/reconcile/repairs.ts";
import { ownRanges } from "../../db/workspaces/own-ranges.ts";
import { reconcileFiles } from "../archive/reconcile-files.ts";
import { findOpenDatabase } from "../database-placement.ts";
import type { MovePart } from "../moves/copy-workspace.ts";
import { erasePeople } from "../reconcile/erase-people.ts";
import { enqueueRest } from "../tasks/enqueue.ts";

type RestoreStart =
  | { outcome: "started"; backup: string }
  | { outcome: "move_running" }
  | { outcome: "no_backup"; message: string }
  /** `path` is the field of the request that has to change. */
  | { outcome: "invalid"; path: "database" | "giveUp"; message: string };

/**
 * Starts to restore a workspace.
 * @param wanted the backup's day, by default the newest's; whether rows of the workspace in databases are given up
 */
export async function startRestore(
  env: Env,
  workspace: WorkspaceRef,
  { database, date = "", giveUp }: { database: string; date?: string | undefined; giveUp: boolean },
  now: number,
  actor: Actor,
): Promise<RestoreStart> {
  if (database === workspace.database)
    return {
      outcome: "invalid",
      path: "database",
      message: "is the workspace's own database: name or add another one",
    };
  if ((await findOpenDatabase(env, database)) === null)
    return { outcome: "invalid", path: "database", message: "is not an open database" };
  if ((await readMove(env, workspace)) !== null) return { outcome: "move_running" };
  const all = await listBackups(env, workspace.id);
  const backup = await findComplete(
    env,
    all.filter(({ name }) => name.startsWith(date)),
  );
  if (backup === null) {
    const newest = await findComplete(env, all);
    const message = `The workspace has no complete backup${date && ` of ${date}`}.${newest ? ` The newest is ${newest.name}.` : ""}`;
    return { outcome: "no_backup", message };
  }
  const holders = giveUp ? [] : await findHolders(env, workspace);
  if (holders.length > 0) {
    const message = `must be true to overwrite or close what is left: ${holders.join(", ")}`;
    return { outcome: "invalid", path: "giveUp", message };
  }
  await recordMove(env, workspace);
  const details = { from: workspace.database, to: database, backup: backup.name, giveUp };
  const audit: AuditEntry = { workspace: workspace.id, actor, action: "restore_started", details };
  if (!(await insertMove(env, workspace, { target: database, backup: backup.name }, now, audit)))
    return { outcome: "move_running" };
  await enqueueRest(env, { task: "move", workspace });
  return { outcome: "started", backup: backup.name };
}

/** Lists the databases that hold the workspace, or may hold it. */
async function findHolders(env: Env, { id, number, database }: WorkspaceRef): Promise<string[]> {
  const names = databaseNames(env);
  const found = names.map(async (name) => {
    const sides = await listSides(env, name, 1, number + 1).catch(() => null);
    if (sides === null) return `${name} doesn't answer`;
    const isHeld = sides.some((side) => side.number === number && side.id === id && side.state !== "arriving");
    return isHeld ? `${name} holds the workspace` : [];
  });
  return [...(await Promise.all(found)).flat(), ...(names.includes(database) ? [] : [`${database} isn't bound`])];
}

/** Refuses writes wherever the workspace is open. A database that doesn't answer is left out, because it is given up. */
const closeAll = (env: Env, workspace: WorkspaceRef, without?: string) =>
  Promise.allSettled(
    databaseNames(env).flatMap((database) => (database === without ? [] : closeCopies(env, workspace, [{ database }]))),
  );

/**
 * Runs a part of a restore. Each step that erases or repairs something has an invocation of its own.
 * @returns `later` while a run holds the lease of the restored rows
 * @throws ClaimLost; ArchiveFileMissing, which names the file; ArchiveUnavailable
 */
export async function restoreWorkspace(part: MovePart, name: string): Promise<"again" | "later" | "switched"> {
  const { env, copy, move, now } = part;
  const { workspace } = copy.target;
  if (move.cursor?.range !== null) {
    await copyFiles(part, { workspaceId: workspace.id, name });
    return "again";
  }
  if (!(await acceptWrites(copy.target))) throw new Error("The restored rows are gone. Cancel the restore.");
  if ((await erasePeople(env, workspace, now)) || !(await followDirectory(env, workspace))) return "again";
  const found = new Set((await reconcileFiles(env, workspace, now)).map(({ finding }) => finding));
  if (found.has("busy")) return "later";
  if (found.has("files_repaired")) return "again";
  await closeAll(env, workspace, move.to);
  await switchDatabase(env, move, now);
  return "switched";
}

/** Copies the files after the last one that was copied, until the budget is used up or all are copied. */
async function copyFiles({ env, copy, move, now, isOver }: MovePart, backup: Backup): Promise<void> {
  const { workspace } = copy.target;
  if (move.cursor === null) await closeAll(env, workspace);
  if (!(await leaseTarget(copy, now))) throw new Error(`${move.to} holds the workspace. Cancel the restore.`);
  const manifest = await readManifest(env, backup);
  if (manifest?.files == null) throw new Error(`The bucket has no manifest of the backup ${backup.name}.`);
  const { files } = manifest;
  const ranges = ownRanges(workspace).filter(({ name }) => name !== "leases");
  const cursor = { range: "", after: null, log: 0, changes: 0, ...move.cursor, at: now };
  if (move.cursor === null) {
    if (!(await clearTarget(copy, ranges, isOver))) return;
    const rowsTotal = files.reduce((sum, file) => sum + describeFile(file).rows, 0);
    await saveMove(env, move, { cursor, rowsCopied: 0, rowsTotal });
  }
  for (const file of files.slice(files.findIndex(({ name }) => name === cursor.range) + 1)) {
    if (isOver()) return;
    const { range: name, rows } = describeFile(file);
    const range = ranges.find((each) => each.name === name);
    if (range === undefined) throw new Error(`The schema has no table for ${file.name}.`);
    await writePage(copy, range, await readBackupFile(env, backup, file));
    const rowsCopied = move.rowsCopied + rows;
    await saveMove(env, move, { cursor: { ...cursor, range: file.name }, rowsCopied, fault: null });
  }
  await completeRestored(copy, manifest);
  await saveMove(env, move, { cursor: { ...cursor, range: null }, fault: null });
}

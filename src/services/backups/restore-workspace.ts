/**
 * Restores a workspace from a backup, into another database. It is a move whose source is the bucket: see
 * services/moves/move-workspace.ts. The directory names the restored rows only when everything that was erased or
 * withdrawn since is erased again, so that nobody reads it. In the workspace's own database, everybody would.
 */
import { type Backup, describeFile, findComplete, listBackups, readBackupFile } from "../../archive/backups.ts";
import { listBackupFiles, readManifest, readValid, totalOf } from "../../archive/backups.ts";
import { recordMove } from "../../archive/journal.ts";
import type { Actor, AuditEntry } from "../../core/audit.ts";
import { databaseNames, ownRange, type WorkspaceRef } from "../../db/client/database.ts";
import { measureDatabase } from "../../db/databases/database-capacity.ts";
import { followDirectory } from "../../db/identity/agreement.ts";
import { clearTarget, writePage } from "../../db/moves/copy.ts";
import { insertMove, readMove, saveMove, switchDatabase } from "../../db/moves/move-records.ts";
import { acceptWrites, completeRestored, leaseTarget } from "../../db/moves/open-and-close.ts";
import { closeCopies, listSides } from "../../db/reconcile/repairs.ts";
import { hasImport } from "../../db/workspaces/imports.ts";
import { ownRanges } from "../../db/workspaces/own-ranges.ts";
import { reconcileFiles } from "../archive/reconcile-files.ts";
import { findOpenDatabase, roomFor } from "../database-placement.ts";
import { type MovePart, requireRoom } from "../moves/copy-workspace.ts";
import { erasePeople } from "../reconcile/erase-people.ts";
import { enqueueRest } from "../tasks/enqueue.ts";

type RestoreStart =
  | { outcome: "started"; backup: string }
  | { outcome: "import_running" | "move_running" }
  | { outcome: "no_backup"; message: string }
  /** `path` is the field of the request that has to change. */
  | { outcome: "invalid"; path: "database" | "giveUp"; message: string };

/**
 * Starts to restore a workspace.
 * @param wanted the backup, or its day, by default the newest one; whether rows of the workspace in databases are given up
 */
export async function startRestore(
  env: Env,
  workspace: WorkspaceRef,
  wanted: { database: string; date?: string | undefined; backup?: string | undefined; giveUp: boolean },
  now: number,
  actor: Actor,
): Promise<RestoreStart> {
  const { database, giveUp } = wanted;
  const prefix = wanted.backup ?? wanted.date ?? "";
  if (await hasImport(env, workspace)) return { outcome: "import_running" };
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
    all.filter(({ name }) => name.startsWith(prefix)),
  );
  if (backup === null) {
    const newest = await findComplete(env, all);
    const message = `The workspace has no complete backup${prefix && ` ${prefix}`}.${newest ? ` The newest is ${newest.name}.` : ""}`;
    return { outcome: "no_backup", message };
  }
  const { bytes } = totalOf(backup.manifest.files ?? []);
  const room = roomFor(env, await measureDatabase(env, database));
  if (room < bytes) {
    const message = `has room for ${Math.max(0, room)} bytes, and the backup needs ${bytes}`;
    return { outcome: "invalid", path: "database", message };
  }
  const holders = giveUp ? [] : await findHolders(env, workspace);
  if (holders.length > 0) {
    const message = `must be true to overwrite or close what is left: ${holders.join(", ")}`;
    return { outcome: "invalid", path: "giveUp", message };
  }
  await recordMove(env, workspace);
  const details = { from: workspace.database, to: database, backup: backup.name, giveUp };
  const audit: AuditEntry = { workspace: workspace.id, actor, action: "restore_started", details };
  const before = ownRange(workspace).first - 1;
  const cursor = { range: "", after: null, log: before, changes: before, at: 0, giveUp };
  if (!(await insertMove(env, workspace, { target: database, restore: { backup: backup.name, cursor } }, now, audit)))
    return { outcome: (await hasImport(env, workspace)) ? "import_running" : "move_running" };
  await enqueueRest(env, { task: "move", workspace });
  return { outcome: "started", backup: backup.name };
}

/** Lists a workspace's backups, the newest first. Those that aren't complete have the rows and bytes that they have so far. */
export async function describeBackups(env: Env, { id }: WorkspaceRef) {
  const described = (await listBackups(env, id)).toReversed().map(async (backup) => {
    const files = (await readValid(env, backup))?.files ?? null;
    const total = totalOf(files ?? (await listBackupFiles(env, backup)));
    return { name: backup.name, ...total, complete: files !== null };
  });
  return Promise.all(described);
}

/** Reads the workspace's state in each database: `undefined` where it isn't, `null` where the database doesn't answer. */
const readStates = (env: Env, { id, number }: WorkspaceRef) =>
  Promise.all(
    databaseNames(env).map(async (database) => {
      const sides = await listSides(env, database, 1, number + 1).catch(() => null);
      return { database, state: sides && sides.find((side) => side.number === number && side.id === id)?.state };
    }),
  );

/** Lists the databases that hold the workspace, or may hold it. */
async function findHolders(env: Env, workspace: WorkspaceRef): Promise<string[]> {
  const found = (await readStates(env, workspace)).flatMap(({ database, state }) => {
    if (state === null) return `${database} doesn't answer`;
    return state === undefined ? [] : `${database} holds the workspace`;
  });
  return [...found, ...(databaseNames(env).includes(workspace.database) ? [] : [`${workspace.database} isn't bound`])];
}

/**
 * Refuses writes in every database but the target, and reads too once the target is in use.
 * @returns whether all have answered
 * @throws ClaimLost: a part that was paused must not close what a later move has opened
 */
export async function closeOthers({ env, copy, move }: MovePart): Promise<boolean> {
  await saveMove(env, move, { fault: null });
  const others = databaseNames(env).filter((database) => database !== move.to);
  const isReplaced = move.state === "erasing";
  const closing = others.map((database) => closeCopies(env, copy.target.workspace, [{ database }], isReplaced));
  return (await Promise.allSettled(closing)).every(({ status }) => status === "fulfilled");
}

/**
 * Runs a part of a restore. Each step that erases or repairs something has an invocation of its own.
 * @returns `later` while a run holds the lease of the restored rows
 * @throws ClaimLost; ArchiveFileMissing, which names the file; ArchiveUnavailable
 */
export async function restoreWorkspace(part: MovePart, name: string): Promise<"again" | "later" | "switched"> {
  const { env, copy, move, now } = part;
  const { workspace } = copy.target;
  if (move.cursor?.at === 0 && move.cursor.giveUp !== true) {
    // A database may have come back since the restore was started.
    const holders = await findHolders(env, { ...workspace, database: move.from });
    if (holders.length > 0) throw new Error(`Not given up: ${holders.join(", ")}. Cancel the restore.`);
  }
  await closeOthers(part);
  if (move.cursor?.range !== null) {
    await copyFiles(part, { workspaceId: workspace.id, name });
    return "again";
  }
  // From here on, the archive's files change, so the rows that were given up are no longer whole.
  await saveMove(env, move, { state: "final" });
  if (!(await acceptWrites(copy.target))) {
    await saveMove(env, move, { state: "copying" });
    throw new Error("The restored rows are gone. Cancel the restore.");
  }
  if ((await erasePeople(env, workspace, now)) || !(await followDirectory(env, workspace))) return "again";
  const found = new Set((await reconcileFiles(env, workspace, now)).map(({ finding }) => finding));
  if (found.has("busy")) return "later";
  if (found.has("files_repaired")) return "again";
  await switchDatabase(env, move, now);
  return "switched";
}

/** Copies the files after the last one that was copied, until the budget is used up or all are copied. */
async function copyFiles(part: MovePart, backup: Backup): Promise<void> {
  const { env, copy, move, now, isOver } = part;
  const { workspace } = copy.target;
  if (move.cursor === null) throw new Error("The restore lacks its cursor. Cancel it.");
  const cursor = { ...move.cursor, at: now };
  if (cursor.range === "") {
    const open = (await readStates(env, workspace)).find(({ state }) => state === "live");
    if (open?.database === move.to) throw new Error(`${move.to} holds the workspace. Cancel the restore.`);
    // A database that doesn't answer is given up.
    if (open !== undefined) throw new Error(`${open.database} still accepts writes of the workspace.`);
    // From here on, cancelling deletes the target's rows.
    await saveMove(env, move, { cursor });
  }
  const isCopy = await leaseTarget(copy, now);
  // A part that was paused until others had finished gives its lease back.
  await saveMove(env, move, { fault: null });
  if (!isCopy) throw new Error(`${move.to} holds the workspace. Cancel the restore.`);
  const manifest = await readManifest(env, backup);
  if (manifest?.files == null) throw new Error(`The bucket has no manifest of the backup ${backup.name}.`);
  const { files } = manifest;
  const ranges = ownRanges(workspace).filter(({ name }) => name !== "leases");
  if (cursor.range === "") {
    if (!(await clearTarget(copy, ranges, isOver))) return;
    await saveMove(env, move, { cursor, rowsCopied: 0, rowsTotal: totalOf(files).rows });
  }
  for (const file of files.slice(files.findIndex(({ name }) => name === cursor.range) + 1)) {
    if (isOver()) return;
    requireRoom(part);
    const { range: name, rows } = describeFile(file);
    const range = ranges.find((each) => each.name === name);
    if (range === undefined) throw new Error(`The schema has no table for ${file.name}.`);
    await writePage(copy, range, await readBackupFile(env, backup, file));
    const rowsCopied = move.rowsCopied + rows;
    await saveMove(env, move, { cursor: { ...cursor, range: file.name }, rowsCopied, fault: null });
  }
  await completeRestored(copy, manifest, now);
  await saveMove(env, move, { cursor: { ...cursor, range: null }, fault: null });
}

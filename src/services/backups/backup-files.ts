/**
 * The files of backups in the bucket. A backup is a folder: `begun`, which says what it begins with, a file for each page of
 * a table, and at last `manifest.json`, which makes it complete. See docs/decisions/0042-backups.md.
 */
import * as z from "zod";

import { attempt, deletePrefix, digestOf, listObjects, readVersion } from "../../archive/store.ts";
import { writeFile, ArchiveUnavailable } from "../../archive/store.ts";
import { readTable, type TableColumn, writeTable } from "../../archive/table-parquet.ts";
import { backupPrefix } from "../../core/archive/file-names.ts";
import type { Beginning } from "../../db/backups/backup-sql.ts";
import type { Row } from "../../db/client/statement.ts";

const BEGUN = "begun";
const MANIFEST = "manifest.json";
const DIGITS = 5;

const Begun = z.object({
  at: z.coerce.number(),
  through: z.coerce.number(),
  agreement: z.coerce.number(),
  fingerprint: z.string(),
});
export type Begun = Beginning & { at: number };

const File = z.object({ name: z.string(), sha256: z.string() });
export type BackupFile = z.infer<typeof File>;
const Manifest = z.object({ through: z.number(), agreement: z.number(), files: z.array(File) });

/** A backup of a workspace: the workspace's id, and the backup's name. */
export interface BackupRef {
  workspaceId: string;
  name: string;
}

const keyOf = ({ workspaceId, name }: BackupRef, file: string): string => `${backupPrefix(workspaceId)}${name}/${file}`;

/** Lists the names of a workspace's backups, also of incomplete ones, the oldest first. */
export async function listBackups(env: Env, workspaceId: string): Promise<string[]> {
  const prefix = backupPrefix(workspaceId);
  const { delimitedPrefixes } = await attempt(() => env.ARCHIVE.list({ prefix, delimiter: "/" }));
  return delimitedPrefixes.map((folder) => folder.slice(prefix.length, -1));
}

export const isComplete = async (env: Env, backup: BackupRef): Promise<boolean> =>
  (await attempt(() => env.ARCHIVE.head(keyOf(backup, MANIFEST)))) !== null;

/** @returns the newest complete one of these backups; `null` if none is complete */
export async function newestComplete(
  env: Env,
  workspaceId: string,
  names: readonly string[],
): Promise<BackupRef | null> {
  for (const name of names.toReversed()) {
    if (await isComplete(env, { workspaceId, name })) return { workspaceId, name };
  }
  return null;
}

export async function recordBegun(env: Env, backup: BackupRef, { at, through, agreement, fingerprint }: Begun) {
  const customMetadata = { at: String(at), through: String(through), agreement: String(agreement), fingerprint };
  await attempt(() => env.ARCHIVE.put(keyOf(backup, BEGUN), "", { customMetadata }));
}

/** @returns `null` if the backup has none */
export async function readBegun(env: Env, backup: BackupRef): Promise<Begun | null> {
  const object = await attempt(() => env.ARCHIVE.head(keyOf(backup, BEGUN)));
  return object === null ? null : Begun.parse(object.customMetadata);
}

/** Lists the files that a backup has so far, in their order. */
export async function listFiles(env: Env, backup: BackupRef): Promise<BackupFile[]> {
  const files: BackupFile[] = [];
  for await (const objects of listObjects(env, keyOf(backup, ""))) {
    for (const object of objects) {
      const name = object.key.slice(keyOf(backup, "").length);
      if (name.endsWith(".parquet")) files.push({ name, sha256: digestOf(object) ?? "" });
    }
  }
  return files;
}

/** The files of a range, which may have several words in its name. */
const rangeInName = (range: string): string => range.replace(" ", "-");

/** Says which range a file belongs to, and how many rows it has. */
export function describeFile({ name }: BackupFile): { range: string; rows: number } {
  const [, range = "", rows] = name.replace(".parquet", "").split("_");
  return { range: range.replace("-", " "), rows: Number(rows) };
}

/** Writes the next file. @throws ArchiveUnavailable also if another run has written it */
export async function writeBackupFile(
  env: Env,
  backup: BackupRef,
  { index, range, columns }: { index: number; range: string; columns: readonly TableColumn[] },
  rows: readonly Row[],
): Promise<BackupFile> {
  const name = `${String(index).padStart(DIGITS, "0")}_${rangeInName(range)}_${rows.length}.parquet`;
  return { name, sha256: await write(env, backup, name, writeTable(columns, rows)) };
}

/** Completes a backup. */
export async function writeManifest(env: Env, backup: BackupRef, manifest: z.infer<typeof Manifest>): Promise<void> {
  await write(env, backup, MANIFEST, new TextEncoder().encode(JSON.stringify(manifest)));
}

async function write(
  env: Env,
  backup: BackupRef,
  file: string,
  bytes: Parameters<typeof writeFile>[2],
): Promise<string> {
  const written = await writeFile(env, keyOf(backup, file), bytes, null);
  if (written === null) throw new ArchiveUnavailable("Another run has written the file.");
  return written.sha256;
}

/** @throws Error that names the backup, if it is gone or not complete */
export async function readManifest(env: Env, backup: BackupRef): Promise<z.infer<typeof Manifest>> {
  const object = await attempt(() => env.ARCHIVE.get(keyOf(backup, MANIFEST)));
  if (object === null) throw new Error(`The bucket has no ${keyOf(backup, MANIFEST)}.`);
  return Manifest.parse(JSON.parse(await attempt(() => object.text())));
}

/** @throws ArchiveFileMissing also when the file has another SHA-256 than in the manifest */
export const readBackupFile = async (env: Env, backup: BackupRef, { name, sha256 }: BackupFile): Promise<Row[]> =>
  readTable(await readVersion(env, keyOf(backup, name), sha256));

/** Deletes a backup. The manifest goes first, because keys are deleted in no order. */
export async function deleteBackup(env: Env, backup: BackupRef): Promise<void> {
  await attempt(() => env.ARCHIVE.delete(keyOf(backup, MANIFEST)));
  while (!(await deletePrefix(env, keyOf(backup, ""))));
}

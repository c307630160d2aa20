/**
 * The backups of workspaces in the bucket. A backup is a folder: a Parquet file for each page of a table, and
 * `manifest.json`, which says what it begins with and at last lists the files. See docs/decisions/0042-backups.md.
 */
import { sum } from "d3-array";
import { parquetReadObjects } from "hyparquet";
import { parquetWriteBuffer } from "hyparquet-writer";
import * as z from "zod";

import { describeFault } from "../core/describe-fault.ts";
import { backupPrefix } from "../core/archive/file-names.ts";
import { ArchiveUnavailable, attempt, deleteFiles, deletePrefix, digestOf } from "./store.ts";
import { listObjects, listPages, readVersion, writeFile } from "./store.ts";

const MANIFEST = "manifest.json";
const DIGITS = 5;

const File = z.object({ name: z.string(), sha256: z.string() });
export type BackupFile = z.infer<typeof File>;

const Manifest = z.object({
  /** The id. The keys of the rows have its number. */
  workspaceId: z.string(),
  /** When it began, in milliseconds since the epoch. */
  at: z.number(),
  /** The last message. */
  through: z.number(),
  /** The numbers of the last account and of the last user. */
  lastAccount: z.number(),
  lastUser: z.number(),
  agreement: z.number(),
  /** Equal for equal states of a workspace, as far as they can't be computed. */
  fingerprint: z.string(),
  /** `null` until it is complete. */
  files: z.array(File).nullable(),
});
export type Manifest = z.infer<typeof Manifest>;

export interface Backup {
  workspaceId: string;
  name: string;
}

const keyOf = ({ workspaceId, name }: Backup, file = ""): string => `${backupPrefix(workspaceId)}${name}/${file}`;

/** Lists a workspace's backups, also incomplete ones, the oldest first. */
export async function listBackups(env: Env, workspaceId: string): Promise<Backup[]> {
  const prefix = backupPrefix(workspaceId);
  const folders: string[] = [];
  for await (const page of listPages(env, { prefix, delimiter: "/" })) folders.push(...page.delimitedPrefixes);
  return folders.map((folder) => ({ workspaceId, name: folder.slice(prefix.length, -1) }));
}

/** A manifest isn't one, or belongs to another workspace. */
export class ManifestInvalid extends Error {
  constructor(key: string, cause: unknown) {
    super(`${key} is no manifest of this workspace.`, { cause });
    this.name = "ManifestInvalid";
  }
}

/** @returns `null` if the backup has none @throws ManifestInvalid, which names the key */
export async function readManifest(env: Env, backup: Backup): Promise<Manifest | null> {
  const key = keyOf(backup, MANIFEST);
  const object = await attempt(() => env.ARCHIVE.get(key));
  if (object === null) return null;
  const text = await attempt(() => object.text());
  try {
    return Manifest.refine(({ workspaceId }) => workspaceId === backup.workspaceId).parse(JSON.parse(text));
  } catch (error) {
    throw new ManifestInvalid(key, error);
  }
}

/** Logs an invalid manifest, and takes it for none: its backup is incomplete. */
export async function readValid(env: Env, backup: Backup): Promise<Manifest | null> {
  try {
    return await readManifest(env, backup);
  } catch (error) {
    if (!(error instanceof ManifestInvalid)) throw error;
    console.error(JSON.stringify({ operation: "backup", workspace: backup.workspaceId, fault: describeFault(error) }));
    return null;
  }
}

export async function writeManifest(env: Env, backup: Backup, manifest: Manifest): Promise<void> {
  await attempt(() => env.ARCHIVE.put(keyOf(backup, MANIFEST), JSON.stringify(manifest)));
}

/** Finds the newest complete one of these backups. */
export async function findComplete(env: Env, backups: readonly Backup[]) {
  for (const backup of backups.toReversed()) {
    const manifest = await readValid(env, backup);
    if (manifest !== null && manifest.files !== null) return { ...backup, manifest };
  }
  return null;
}

/** Deletes a backup, the manifest first: it makes a backup complete. */
export async function deleteBackup(env: Env, backup: Backup): Promise<void> {
  await deleteFiles(env, [keyOf(backup, MANIFEST)]);
  while (!(await deletePrefix(env, keyOf(backup))));
}

/** Lists the files that a backup has so far, in their order. */
export async function listBackupFiles(env: Env, backup: Backup): Promise<BackupFile[]> {
  const files: BackupFile[] = [];
  for await (const objects of listObjects(env, keyOf(backup))) {
    files.push(
      ...objects.map((file) => ({ name: file.key.slice(keyOf(backup).length), sha256: digestOf(file) ?? "" })),
    );
  }
  return files.filter(({ name }) => name !== MANIFEST);
}

/**
 * Says which range of a table a file belongs to, and how many rows it has.
 * @returns `bytes`: what the rows take in a database, within a tenth
 */
export function describeFile({ name }: BackupFile): { range: string; rows: number; bytes: number } {
  const [, range = "", rows, bytes] = name.replace(/\.parquet$/, "").split("_");
  return { range, rows: Number(rows), bytes: Number(bytes) };
}

/** Adds up what the files say. */
export const totalOf = (files: readonly BackupFile[]): { rows: number; bytes: number } => {
  const described = files.map(describeFile);
  return { rows: sum(described, ({ rows }) => rows), bytes: sum(described, ({ bytes }) => bytes) };
};

type Row = Record<string, string | number | null>;

/** @param type SQLite's */
const parquetType = (type: string): "STRING" | "INT64" | "DOUBLE" =>
  type === "text" ? "STRING" : type === "integer" ? "INT64" : "DOUBLE";

/**
 * Writes the next file, with at least one row, and reads it back.
 * @param columns with SQLite's types
 * @throws ArchiveUnavailable also if another run has written it
 */
export async function writeBackupFile(
  env: Env,
  backup: Backup,
  { index, range, columns }: { index: number; range: string; columns: readonly { name: string; type: string }[] },
  rows: readonly Row[],
): Promise<BackupFile> {
  const columnData = columns.map(({ name, type }) => ({
    name,
    type: parquetType(type),
    data: rows.map(({ [name]: value = null }) => (type === "integer" && value !== null ? BigInt(value) : value)),
  }));
  // As JSON, rows are about as long as in a database with its indexes. As Parquet, they are 2 to 13 times shorter.
  const bytes = new TextEncoder().encode(JSON.stringify(rows.map((row) => Object.values(row)))).length;
  const name = `${String(index).padStart(DIGITS, "0")}_${range}_${rows.length}_${bytes}.parquet`;
  const written = await writeFile(env, keyOf(backup, name), parquetWriteBuffer({ columnData }), null);
  if (written === null) throw new ArchiveUnavailable("Another run has written the file.");
  return { name, sha256: written.sha256 };
}

const Rows = z.array(
  z.record(z.string(), z.union([z.string(), z.number(), z.null(), z.bigint().transform((value) => Number(value))])),
);

/** @throws ArchiveFileMissing also when the file has another SHA-256 than in the manifest */
export const readBackupFile = async (env: Env, backup: Backup, { name, sha256 }: BackupFile): Promise<Row[]> =>
  Rows.parse(await parquetReadObjects({ file: await readVersion(env, keyOf(backup, name), sha256) }));

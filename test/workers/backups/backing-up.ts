/** Backs workspaces up in tests, loses their databases, and restores them. */
import { env } from "cloudflare:workers";
import * as z from "zod";

import type { WorkspaceRef } from "../../../src/db/client/database.ts";
import { findComplete, listBackups, readBackupFile, writeBackupFile } from "../../../src/archive/backups.ts";
import { sha256 } from "../../../src/archive/store.ts";
import { backupPrefix } from "../../../src/core/archive/file-names.ts";
import { backUpWorkspace } from "../../../src/services/backups/back-up-workspace.ts";
import { isBetween, ownRanges } from "../../../src/db/workspaces/own-ranges.ts";
import { calm } from "../moves/moving.ts";
import { sendWith } from "../support/faulty-env.ts";
import { admin, ADMIN_HEADERS } from "../support/workspace.ts";

/** Backs a workspace up, in as many parts as that takes. @returns how many */
export async function backUp(workspace: WorkspaceRef, now = Date.now(), maxStatements = 800): Promise<number> {
  for (let parts = 1; parts <= 100; parts += 1) {
    if (await backUpWorkspace(calm, workspace, { now, maxStatements })) return parts;
  }
  throw new Error("the backup does not end");
}

/** The keys of a workspace's backups, without the workspace's prefix. */
export async function backupKeys({ id }: Pick<WorkspaceRef, "id">): Promise<string[]> {
  const prefix = backupPrefix(id);
  const keys: string[] = [];
  for (let cursor: string | undefined; ;) {
    const page: R2Objects = await env.ARCHIVE.list({ prefix, ...(cursor !== undefined && { cursor }) });
    keys.push(...page.objects.map(({ key }) => key.slice(prefix.length)));
    if (!page.truncated) return keys;
    cursor = page.cursor;
  }
}

/** Deletes all rows of a workspace from a database, as if the database was lost and created again. */
export async function lose(workspace: WorkspaceRef, database: D1Database): Promise<void> {
  const statements = ownRanges(workspace).map((range) => {
    const { sql, values } = isBetween(range);
    return database.prepare(`DELETE FROM ${range.tableName} WHERE ${sql}`).bind(...values);
  });
  const state = database.prepare("DELETE FROM workspace_states WHERE number = ?").bind(workspace.number);
  await database.batch([...statements, state]);
}

/** Starts a restore by the API. */
export const startRestore = (id: string, body: object, changed: Env = calm) =>
  sendWith(changed, "POST", `/admin/workspaces/${id}/restore`, body, { headers: ADMIN_HEADERS });

const Listed = z.array(
  z.strictObject({ name: z.string(), at: z.string(), rows: z.number(), bytes: z.number(), complete: z.boolean() }),
);
/** A workspace's backups as the API lists them. */
export const listedBackups = async ({ id }: { id: string }) =>
  Listed.parse((await admin("GET", `/workspaces/${id}/backups`)).body["backups"]);

/** The names of a workspace's complete backups. */
export async function backupNames({ id }: Pick<WorkspaceRef, "id">): Promise<string[]> {
  const names: string[] = [];
  for (const backup of await listBackups(env, id)) {
    if ((await findComplete(env, [backup])) !== null) names.push(backup.name);
  }
  return names;
}

async function get(name: string): Promise<ArrayBuffer> {
  const object = await env.ARCHIVE.get(name);
  if (object === null) throw new Error(`the bucket has no ${name}`);
  return object.arrayBuffer();
}

/** A file of a workspace's only backup, to damage it. @param range whose file */
export async function fileOf(workspace: Pick<WorkspaceRef, "id">, range: string) {
  const prefix = backupPrefix(workspace.id);
  const [backup = ""] = await backupNames(workspace);
  const found = (await backupKeys(workspace)).find((key) => key.includes(`_${range}_`));
  if (found === undefined) throw new Error(`the backup has no file of ${range}`);
  const key = prefix + found;
  const manifest = `${prefix}${backup}/manifest.json`;
  const own = async () => {
    const bytes = await get(key);
    return { bytes, sha256: await sha256(bytes) };
  };
  return {
    key,
    read: own,
    rows: async () => {
      const { sha256: digest } = await own();
      return readBackupFile(
        env,
        { workspaceId: workspace.id, name: backup },
        { name: found.slice(backup.length + 1), sha256: digest },
      );
    },
    /** Writes other rows in their place. */
    replace: async (rows: Record<string, string | number | null>[]) => {
      await env.ARCHIVE.delete(key);
      const columns = Object.entries(rows[0] ?? {}).map(([name, value]) => {
        return { name, type: typeof value === "number" ? "integer" : "text" };
      });
      const next = { index: Number(found.slice(backup.length + 1).split("_")[0]), range, columns };
      const written = await writeBackupFile(env, { workspaceId: workspace.id, name: backup }, next, rows);
      // Their bytes are in the name, and the manifest has the old one.
      await env.ARCHIVE.put(key, await get(`${prefix}${backup}/${written.name}`));
      return written.sha256;
    },
    write: async (bytes: ArrayBuffer) => {
      await env.ARCHIVE.put(key, bytes);
      return sha256(bytes);
    },
    changeManifest: async (change: (text: string) => string) => {
      await env.ARCHIVE.put(manifest, change(new TextDecoder().decode(await get(manifest))));
    },
  };
}

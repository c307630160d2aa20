import { readParquet } from "../../archive/parquet.ts";
import { ArchiveUnavailable, readFile, sha256 } from "../../archive/store.ts";
import type { ArchiveFile } from "../../db/archive/files.ts";
import type { MessageRow } from "../../db/archive/messages-sql.ts";
import type { WorkspaceRef } from "../../db/client/database.ts";
import { keyOf } from "./keys.ts";

/**
 * Reads the messages of a file of the manifest.
 * @throws ArchiveUnavailable also when R2 has another version: an old one is stale, and a new one isn't recorded yet
 */
export async function readMessages(env: Env, workspace: WorkspaceRef, file: ArchiveFile): Promise<MessageRow[]> {
  const stored = await readFile(env, keyOf(workspace, file));
  if (stored === null || (await sha256(stored.bytes)) !== file.sha256)
    throw new ArchiveUnavailable("The archive lacks this version of a file.");
  const messages = await readParquet(stored.bytes);
  return messages.map((message, place) => ({ ...message, seq: file.first + place }));
}

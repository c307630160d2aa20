import { readParquet } from "../../archive/parquet.ts";
import { ArchiveUnavailable, readFile } from "../../archive/store.ts";
import type { ArchiveFile } from "../../db/archive/files.ts";
import type { MessageRow } from "../../db/archive/messages-sql.ts";
import type { WorkspaceRef } from "../../db/client/database.ts";
import { keyOf } from "./keys.ts";

/** Reads the messages of a file of the manifest. @throws ArchiveUnavailable */
export async function readMessages(env: Env, workspace: WorkspaceRef, file: ArchiveFile): Promise<MessageRow[]> {
  const stored = await readFile(env, keyOf(workspace, file));
  if (stored === null) throw new ArchiveUnavailable("The archive lacks a file.");
  const messages = await readParquet(stored.bytes);
  return messages.map((message, place) => ({ ...message, seq: file.first + place }));
}

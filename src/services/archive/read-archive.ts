/** Reads the log and the archive together: docs/wire.md §17. */
import { type ByteRange, openPart, readVersion } from "../../archive/store.ts";
import { readParquet, toLine } from "../../archive/parquet.ts";
import { archiveKey, archiveName, firstIn } from "../../core/archive/names.ts";
import { measureStorage } from "../../db/archive/storage-sql.ts";
import { readNext } from "../../db/archive/export.ts";
import { type ArchiveFile, type Days, findFile, listFiles } from "../../db/archive/files.ts";
import type { MessageRow } from "../../db/archive/messages-sql.ts";
import { ownRange, type WorkspaceRef } from "../../db/client/database.ts";
import { archiveDays } from "./archive-workspace.ts";

export type { Days };

/** The most lines of a page, and about the most characters. */
const MAX_LINES = 10_000;
const MAX_CHARACTERS = 8 * 1024 * 1024;
/** The most files that a page reads: days may be almost empty. */
const MAX_READS = 100;
/** The most reads of an invocation. Each sends three statements, and D1 allows 1,000. */
const MAX_DOWNLOAD_READS = 250;

/** Reads the messages of a file of the manifest. @throws ArchiveUnavailable */
export async function readMessages(env: Env, workspace: WorkspaceRef, file: ArchiveFile): Promise<MessageRow[]> {
  const messages = await readParquet(await readVersion(env, archiveKey(workspace.id, file), file.sha256));
  return messages.map((message, place) => ({ ...message, seq: file.first + place }));
}

/** Hides files that are past their retention, whether or not they are deleted yet. */
const withoutExpired = (env: Env, { from, to }: Days, now: number): Days => ({
  from: Math.max(from, archiveDays(env, now).kept),
  to,
});

/**
 * Exports messages received on some days, oldest first, without those of erased people.
 * @param after the `next` of the page before; `null` for the first page
 * @returns lines of JSON; `next` is `null` on the last page
 */
export async function exportPage(
  env: Env,
  workspace: WorkspaceRef,
  days: Days,
  after: number | null,
  now: number,
): Promise<{ lines: string[]; next: number | null }> {
  const window = withoutExpired(env, days, now);
  const lines: string[] = [];
  let characters = 0;
  let position = after ?? ownRange(workspace).first - 1;
  for (let reads = 0; reads < MAX_READS; reads += 1) {
    // One message more than the page takes shows whether there is a next page.
    const next = await readNext(env, workspace, window, position, MAX_LINES + 1 - lines.length);
    const rows = next.file === null ? next.rows : await readMessages(env, workspace, next.file);
    if (rows.length === 0) return { lines, next: null };
    for (const { seq, ...message } of rows) {
      if (seq <= position) continue;
      if (lines.length === MAX_LINES || characters > MAX_CHARACTERS) return { lines, next: position };
      position = seq;
      if (message.user < 0 || next.erased.has(message.user)) continue;
      const line = toLine(message);
      lines.push(line);
      characters += line.length;
    }
  }
  return { lines, next: position };
}

/** Exports all messages received on some days. @returns `null` if they are too many for one invocation */
export async function exportDays(
  env: Env,
  workspace: WorkspaceRef,
  days: Days,
  now: number,
): Promise<ReadableStream | null> {
  const [files, { hot }] = await Promise.all([
    listFiles(env, workspace, withoutExpired(env, days, now)),
    measureStorage(env, workspace, now),
  ]);
  const archived = files.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const pages = (archived + hot.messages) / MAX_LINES + hot.bytes / MAX_CHARACTERS;
  if (2 * files.length + pages > MAX_DOWNLOAD_READS) return null;
  let after: number | null = null;
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const page = await exportPage(env, workspace, days, after, now);
      controller.enqueue(encoder.encode(page.lines.join("")));
      after = page.next;
      if (after === null) controller.close();
    },
  });
}

const present = ({ first, last, ...file }: ArchiveFile) => ({
  name: archiveName({ ...file, first, last }),
  messages: last - first + 1,
  ...file,
});
type ListedFile = ReturnType<typeof present>;

/** Lists the files of some days, oldest first. @returns also the position from which {@link exportPage} returns the rest */
export async function listArchive(
  env: Env,
  workspace: WorkspaceRef,
  days: Days,
  now: number,
): Promise<{ files: ListedFile[]; last: number | null }> {
  const files = await listFiles(env, workspace, withoutExpired(env, days, now));
  return { files: files.map(present), last: files.at(-1)?.last ?? null };
}

/**
 * Finds a file by its name in the API.
 * @returns `null` for an unknown file; `rewriting` while an erased person may be in it
 */
export async function findArchiveFile(
  env: Env,
  workspace: WorkspaceRef,
  name: string,
  now: number,
): Promise<(ListedFile & { open: (range: ByteRange) => ReturnType<typeof openPart> }) | "rewriting" | null> {
  const found = await findFile(env, workspace, ownRange(workspace).first - 1 + firstIn(name));
  if (found === null || present(found.file).name !== name || found.file.day < archiveDays(env, now).kept) return null;
  if (found.isRewritten) return "rewriting";
  return {
    ...present(found.file),
    open: (range) => openPart(env, archiveKey(workspace.id, found.file), found.file.sha256, range),
  };
}

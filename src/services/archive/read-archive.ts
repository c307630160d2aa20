/** Reads the log and the archive together: docs/wire/export.md §17. */
import { ArchiveFileMissing, ArchiveUnavailable, readVersion } from "../../archive/store.ts";
import { readParquet, toLine } from "../../archive/parquet.ts";
import { retentionBounds } from "../../config.ts";
import type { Window } from "../../core/health/model.ts";
import { archiveKey, archiveFileName, firstMessageNumber } from "../../core/archive/file-names.ts";
import { readStorage } from "../../db/archive/storage-sql.ts";
import { type ArchiveFile, findFile, listFiles } from "../../db/archive/manifest-sql.ts";
import { type MessageRow, readNext } from "../../db/archive/messages-sql.ts";
import { ownRange, type WorkspaceRef } from "../../db/client/database.ts";

/** The maximum number of lines in a page, and roughly the maximum number of characters. */
const MAX_LINES = 10_000;
const MAX_CHARACTERS = 8 * 1024 * 1024;
/** The most files that a page reads: days may be almost empty. */
const MAX_READS = 100;
/**
 * The most files and pages of a download. A file sends three statements, and D1 allows 1,000. A page takes 0.1 s of
 * CPU.
 */
const MAX_DOWNLOAD_READS = 200;

/** Reads a file of the manifest. @throws ArchiveUnavailable, also if its retention has ended meanwhile; ArchiveFileMissing */
async function readBytes(env: Env, { id }: WorkspaceRef, file: ArchiveFile): Promise<ArrayBuffer> {
  try {
    return await readVersion(env, archiveKey(id, file), file.sha256);
  } catch (error) {
    const isExpired = file.day < retentionBounds(env, Date.now()).kept;
    throw isExpired && error instanceof ArchiveFileMissing
      ? new ArchiveUnavailable("The file was deleted.", error)
      : error;
  }
}

export async function readMessages(env: Env, workspace: WorkspaceRef, file: ArchiveFile): Promise<MessageRow[]> {
  const messages = await readParquet(await readBytes(env, workspace, file));
  return messages.map((message, index) => ({ ...message, seq: file.first + index }));
}

/** Hides files that are past their retention, even those that still exist. */
const withoutExpired = (env: Env, { from, to }: Window, now: number): Window => ({
  from: Math.max(from, retentionBounds(env, now).kept),
  to,
});

/**
 * Reads the messages after a position, oldest first and without those of erased people, a file or a part of the log at a time.
 * @returns also the position of the last message
 */
async function* readParts(
  env: Env,
  workspace: WorkspaceRef,
  days: Window,
  now: number,
  after = 0,
): AsyncGenerator<{ messages: MessageRow[]; last: number }, undefined> {
  const window = withoutExpired(env, days, now);
  for (let position = after; ;) {
    const { file, rows: hot, erased } = await readNext(env, workspace, window, position);
    const rows = file === null ? hot : await readMessages(env, workspace, file);
    const last = rows.at(-1)?.seq;
    if (last === undefined) return;
    const isShown = ({ seq, user }: MessageRow) => seq > position && user >= 0 && !erased.has(user);
    yield { messages: rows.filter(isShown), last };
    position = last;
  }
}

/**
 * Exports messages received on some days, oldest first, without those of erased people.
 * @param after the `next` of the previous page; `null` for the first page
 * @returns lines of JSON; `next` is `null` on the last page
 */
export async function exportPage(
  env: Env,
  workspace: WorkspaceRef,
  days: Window,
  after: number | null,
  now: number,
): Promise<{ lines: string[]; next: number | null }> {
  const lines: string[] = [];
  let [characters, reads, next] = [0, 0, after ?? 0];
  for await (const { messages, last } of readParts(env, workspace, days, now, next)) {
    for (const message of messages) {
      if (lines.length === MAX_LINES || characters > MAX_CHARACTERS) return { lines, next };
      const line = toLine(message);
      lines.push(line);
      characters += line.length;
      next = message.seq;
    }
    next = last;
    reads += 1;
    if (reads === MAX_READS) return { lines, next };
  }
  return { lines, next: null };
}

/** Exports all messages received on some days. @returns `null` if they are too many for one invocation */
export async function exportDays(
  env: Env,
  workspace: WorkspaceRef,
  days: Window,
  now: number,
): Promise<ReadableStream | null> {
  const [files, { hot }] = await Promise.all([
    listFiles(env, workspace, withoutExpired(env, days, now)),
    readStorage(env, workspace, now),
  ]);
  const archived = files.reduce((sum, { first, last }) => sum + last - first + 1, 0);
  const pages = (archived + hot.messages) / MAX_LINES + hot.bytes / MAX_CHARACTERS;
  if (files.length + pages > MAX_DOWNLOAD_READS) return null;
  // A copy of the object has no session: the primary reads each part, because it shows who was erased meanwhile.
  const parts = readParts(env, { ...workspace }, days, now);
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { value } = await parts.next();
      if (value === undefined) controller.close();
      else controller.enqueue(encoder.encode(value.messages.map(toLine).join("")));
    },
  });
}

/** Lists the files of some days, oldest first. */
export const listArchive = (env: Env, workspace: WorkspaceRef, days: Window, now: number): Promise<ArchiveFile[]> =>
  listFiles(env, workspace, withoutExpired(env, days, now));

/**
 * Finds a file by its name in the API.
 * @returns `null` for an unknown file; `rewriting` while an erased person may be in it
 */
export async function findArchiveFile(
  env: Env,
  workspace: WorkspaceRef,
  name: string,
  now: number,
): Promise<{ file: ArchiveFile; read: () => Promise<ArrayBuffer> } | "rewriting" | null> {
  const found = await findFile(env, workspace, ownRange(workspace).first - 1 + firstMessageNumber(name));
  if (found === null || archiveFileName(found.file) !== name || found.file.day < retentionBounds(env, now).kept)
    return null;
  return found.isRewritten ? "rewriting" : { file: found.file, read: () => readBytes(env, workspace, found.file) };
}

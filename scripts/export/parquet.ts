/**
 * Downloads the files of the archive into `received_date=…` folders. An interrupted file continues where it stopped, and
 * files that are already there are not downloaded again unless they were rewritten, because a person was erased. The
 * messages that are not archived yet come as lines, and are written to files beside the others.
 */
import { hash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";

import * as z from "zod";

import { fromLine, writeParquet } from "../../src/archive/parquet.ts";
import { MAX_FILE_BYTES, MAX_FILE_MESSAGES } from "../../src/core/archive/message.ts";
import type { ArchivedMessage } from "../../src/core/archive/message.ts";
import { type Client, ExportFailure, type ExportOptions, get, linkOf } from "./client.ts";
import { downloadLines } from "./ndjson.ts";
import { megabytes, showProgress } from "./progress.ts";

/** The first attempt fails if it continues an old version. */
const MAX_ATTEMPTS = 2;
/** Lines are almost in the order of days. */
const MAX_OPEN_DAYS = 2;
const DATE_LENGTH = "2026-11-23".length;

const File = z.object({ name: z.string(), day: z.string(), bytes: z.number(), sha256: z.string() });
type File = z.infer<typeof File>;
const FilesResponse = z.object({ files: z.array(File) });

/** @returns the pattern of the files */
export async function exportParquet(client: Client, options: ExportOptions): Promise<string> {
  const { from, to, out } = options;
  const listed = await get(client, `/api/v1/archive?from=${from}&to=${to}`);
  const { files } = FilesResponse.parse(await listed.json());
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  for (const file of files) {
    await download(client, file, join(out, `received_date=${file.day}`, file.name));
    done += file.bytes;
    showProgress(done / total, `${megabytes(done)} of ${megabytes(total)} of the archive`);
  }
  const rest = linkOf(listed, "related");
  if (rest === null) throw new ExportFailure("The service is older than this command.");
  const lines = await downloadLines(client, options, rest, join(out, "recent.ndjson"));
  // Messages of an earlier export may be archived by now.
  await removeRecent(options);
  await writeRecent(lines, out);
  await rm(lines);
  return join(out, "*", "*.parquet");
}

const RECENT = "recent-";

/** Removes the files of {@link writeRecent} of an earlier export of these days. */
async function removeRecent({ from, to, out }: ExportOptions): Promise<void> {
  for (const folder of await readdir(out)) {
    const [, day] = /^received_date=(.*)$/.exec(folder) ?? [];
    if (day === undefined || day < from || day > to) continue;
    const recent = (await readdir(join(out, folder))).filter((name) => name.startsWith(RECENT));
    for (const name of recent) await rm(join(out, folder, name));
  }
}

/** Reads lines that end with `\n`. The module `readline` also splits at U+2028, which JSON may contain. */
async function* linesOf(path: string): AsyncGenerator<string, void> {
  let rest = "";
  for await (const chunk of createReadStream(path, "utf8")) {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    yield* lines;
  }
}

/** Writes the messages that are not archived, read from lines, to files like those of the archive. */
async function writeRecent(path: string, out: string): Promise<void> {
  const byDay = new Map<string, { messages: ArchivedMessage[]; characters: number }>();
  let written = 0;
  const write = async (day: string) => {
    const folder = join(out, `received_date=${day}`);
    await mkdir(folder, { recursive: true });
    const bytes = new Uint8Array(writeParquet(byDay.get(day)?.messages ?? []));
    await writeFile(join(folder, `${RECENT}${(written += 1)}.parquet`), bytes);
    byDay.delete(day);
  };
  for await (const line of linesOf(path)) {
    const message = fromLine(line);
    const day = new Date(message.receivedAt).toISOString().slice(0, DATE_LENGTH);
    const rows = byDay.get(day) ?? { messages: [], characters: 0 };
    byDay.set(day, rows);
    const [oldest = day] = byDay.keys();
    if (byDay.size > MAX_OPEN_DAYS) await write(oldest);
    rows.characters += line.length;
    if (rows.messages.push(message) === MAX_FILE_MESSAGES || rows.characters > MAX_FILE_BYTES) await write(day);
  }
  for (const day of byDay.keys()) await write(day);
}

/**
 * Downloads a file, or the rest of it. Its ETag is its SHA-256: the one in the list, unless it was rewritten since. Then the
 * service sends all of it.
 */
async function download(client: Client, { name, bytes, sha256 }: File, path: string): Promise<void> {
  if ((await sha256Of(path)) === sha256) return;
  await mkdir(dirname(path), { recursive: true });
  const part = `${path}.part`;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
    let expected = sha256;
    const { size } = await stat(part).catch(() => ({ size: 0 }));
    if (size < bytes) {
      const rest = size === 0 ? {} : { range: `bytes=${size}-`, "if-range": `"${sha256}"` };
      const response = await get(client, `/api/v1/archive/${name}`, { "accept-encoding": "identity", ...rest });
      expected = /[0-9a-f]{64}/.exec(response.headers.get("etag") ?? "")?.[0] ?? sha256;
      await pipeline(response.body ?? [], createWriteStream(part, { flags: response.status === 206 ? "a" : "w" }));
    }
    if ((await sha256Of(part)) === expected) return rename(part, path);
    await rm(part); // it began with another version
  }
  throw new ExportFailure(`The SHA-256 of ${name} differs from the one in the list.`);
}

/** @returns `null` without a file */
async function sha256Of(path: string): Promise<string | null> {
  const content = await readFile(path).catch(() => null);
  return content && hash("sha256", content);
}

/**
 * Downloads the files of the archive into `received_date=…` folders. An interrupted file continues where it stopped, and
 * files that are already there are not downloaded again unless they were rewritten, because a person was erased.
 */
import { hash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";

import * as z from "zod";

import { type Client, ExportFailure, type ExportOptions, get } from "./client.ts";
import { megabytes, showProgress } from "./progress.ts";

/** A part of an old version fails once. */
const MAX_ATTEMPTS = 2;
const DATE_LENGTH = "2026-11-23".length;

const File = z.object({ name: z.string(), day: z.string(), bytes: z.number(), sha256: z.string() });
type File = z.infer<typeof File>;
const FilesResponse = z.object({ files: z.array(File) });
const EventsResponse = z.object({ archivedUntil: z.string().nullable() });

/** @returns the pattern of the files */
export async function exportParquet(client: Client, { from, to, out }: ExportOptions): Promise<string> {
  // Before the list: messages that are archived in between are in it.
  const { archivedUntil } = EventsResponse.parse(await (await get(client, "/api/v1/events?limit=1")).json());
  const { files } = FilesResponse.parse(await (await get(client, `/api/v1/archive?from=${from}&to=${to}`)).json());
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  let done = 0;
  for (const file of files) {
    await download(client, file, join(out, `received_date=${file.day}`, file.name));
    done += file.bytes;
    showProgress(done / total, `${megabytes(done)} of ${megabytes(total)}`);
  }
  const missing = archivedUntil === null || archivedUntil < from ? from : archivedUntil.slice(0, DATE_LENGTH);
  if (missing <= to) {
    console.log(
      `Messages received since ${missing} that are not archived yet are missing. Export these days with --format ndjson, or archive them first: POST /admin/workspaces/{id}/archive.`,
    );
  }
  return join(out, "*", "*.parquet");
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

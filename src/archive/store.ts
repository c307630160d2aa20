/**
 * Stores files in R2. A write replaces only the version of a file that the writer has seen. So a run that was paused until
 * another one took over can't overwrite what the other one has written.
 */
import { hex } from "../core/hex.ts";

/** R2 did not answer, or has another version of a file. Nothing is lost: every write to the archive may be repeated. */
export class ArchiveUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "ArchiveUnavailable";
  }
}

/** A file of the manifest is not in R2. An operator has to put it back or give it up: docs/operations.md. */
export class ArchiveFileMissing extends Error {
  constructor(key: string, digest: string) {
    super(`The archive lacks ${key} (SHA-256 ${digest}).`);
    this.name = "ArchiveFileMissing";
  }
}

export interface ByteRange {
  offset: number;
  length: number;
}

export interface StoredFile {
  bytes: ArrayBuffer;
  etag: string;
}

async function attempt<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw new ArchiveUnavailable("The archive is unavailable.", error);
  }
}

export const sha256 = async (bytes: ArrayBuffer): Promise<string> =>
  hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));

/** @throws ArchiveUnavailable, like all functions here */
export async function readFile(env: Env, key: string): Promise<StoredFile | null> {
  return attempt(async () => {
    const object = await env.ARCHIVE.get(key);
    return object === null ? null : { bytes: await object.arrayBuffer(), etag: object.etag };
  });
}

/** Reads the version of a file, but not the file. @returns `null` if there is no file */
export const readEtag = (env: Env, key: string): Promise<string | null> =>
  attempt(async () => (await env.ARCHIVE.head(key))?.etag ?? null);

/**
 * Writes a file in place of the one with `etag`, and reads it back.
 * @param etag `null` when no file has the key
 * @returns `null` when another run has written the file
 * @throws ArchiveUnavailable also when R2 returns other bytes than were written
 */
export async function writeFile(
  env: Env,
  key: string,
  bytes: ArrayBuffer,
  etag: string | null,
): Promise<{ bytes: number; sha256: string } | null> {
  const digest = await sha256(bytes);
  const onlyIf = etag === null ? { etagDoesNotMatch: "*" } : { etagMatches: etag };
  const httpMetadata = { contentType: "application/vnd.apache.parquet" };
  const written = await attempt(() => env.ARCHIVE.put(key, bytes, { onlyIf, httpMetadata, sha256: digest }));
  if (written === null) return null;
  const stored = await readFile(env, key);
  if (stored === null || (await sha256(stored.bytes)) !== digest) {
    throw new ArchiveUnavailable("The archive returned different bytes than were written.");
  }
  return { bytes: bytes.byteLength, sha256: digest };
}

export const deleteFiles = (env: Env, keys: string[]): Promise<void> => attempt(() => env.ARCHIVE.delete(keys));

/** Each has a thousand files. */
const MAX_LISTS = 20;

/** Deletes files whose key begins with `prefix`. @returns whether none is left */
export async function deletePrefix(env: Env, prefix: string): Promise<boolean> {
  for (let lists = 0; lists < MAX_LISTS; lists += 1) {
    const { objects } = await attempt(() => env.ARCHIVE.list({ prefix }));
    if (objects.length === 0) return true;
    await deleteFiles(
      env,
      objects.map(({ key }) => key),
    );
  }
  return false;
}

/**
 * Reads one version of a file.
 * @param digest the version's SHA-256, in hex
 * @throws ArchiveUnavailable also when R2 has another version: an old one is stale, and a new one isn't recorded yet
 * @throws ArchiveFileMissing
 */
export async function readVersion(env: Env, key: string, digest: string): Promise<ArrayBuffer> {
  const stored = await readFile(env, key);
  if (stored === null) throw new ArchiveFileMissing(key, digest);
  if ((await sha256(stored.bytes)) !== digest) throw otherVersion(key);
  return stored.bytes;
}

/** Opens a part of one version of a file, as {@link readVersion}. A copy that an operator has uploaded may have no SHA-256. */
export async function openPart(env: Env, key: string, digest: string, range: ByteRange): Promise<R2ObjectBody["body"]> {
  const object = await attempt(() => env.ARCHIVE.get(key, { range }));
  if (object === null) throw new ArchiveFileMissing(key, digest);
  const { sha256: stored } = object.checksums;
  if (stored !== undefined && hex(new Uint8Array(stored)) !== digest) throw otherVersion(key);
  return object.body;
}

const otherVersion = (key: string) => new ArchiveUnavailable(`The archive has another version of ${key}.`);

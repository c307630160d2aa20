/**
 * Stores files in R2. A write replaces only the version of a file that the writer has seen. So a run that was paused
 * until another one took over can't overwrite the other run's files.
 */
import { hex } from "../core/hex.ts";

/** R2 did not answer, or has another version of a file. Nothing is lost: every write to the archive may be repeated. */
export class ArchiveUnavailable extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = "ArchiveUnavailable";
  }
}

/** A write failed. It may still reach R2 later. */
export class ArchiveWriteFailed extends ArchiveUnavailable {}

/** R2 lacks a file of the manifest. An operator has to put it back or give it up: docs/archive.md. */
export class ArchiveFileMissing extends Error {
  constructor(key: string, digest: string) {
    super(`The archive lacks ${key} (SHA-256 ${digest}).`);
    this.name = "ArchiveFileMissing";
  }
}

export interface StoredFile {
  bytes: ArrayBuffer;
  etag: string;
  /** Whether its SHA-256 is the expected one. */
  matches: boolean;
}

/** Makes a call to R2. @throws `Failure` */
export async function attempt<T>(run: () => Promise<T>, Failure = ArchiveUnavailable): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw new Failure("The archive is unavailable.", error);
  }
}

export const sha256 = async (bytes: ArrayBuffer | ArrayBufferView): Promise<string> =>
  hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));

/**
 * Reads a file of the manifest: the version that the manifest has, or one that a run has written in its place but not
 * recorded. Any other file is not used: an old copy that an operator has uploaded may contain erased people.
 * @param digest the SHA-256 in the manifest, in hex
 * @returns `null` if R2 has neither
 * @throws ArchiveUnavailable, like all functions here
 */
export async function readFile(env: Env, key: string, digest: string): Promise<StoredFile | null> {
  const object = await attempt(() => env.ARCHIVE.get(key));
  if (object === null) return null;
  const bytes = await attempt(() => object.arrayBuffer());
  const matches = (await sha256(bytes)) === digest;
  if (!matches && object.customMetadata?.["replaces"] !== digest) return null;
  return { bytes, etag: object.etag, matches };
}

/** Reads the version of a file, but not the file. @returns `null` if the file doesn't exist */
export const readEtag = (env: Env, key: string): Promise<string | null> =>
  attempt(async () => (await env.ARCHIVE.head(key))?.etag ?? null);

/**
 * Writes a file in place of the one with `etag`, and reads it back.
 * @param etag `null` when no file has the key
 * @param replaces the SHA-256 that the manifest has for the file, if any
 * @returns `null` when another run has written the file
 * @throws ArchiveUnavailable also when R2 returns other bytes than were written
 */
export async function writeFile(
  env: Env,
  key: string,
  bytes: ArrayBuffer,
  etag: string | null,
  replaces = "",
): Promise<{ bytes: number; sha256: string } | null> {
  const digest = await sha256(bytes);
  const onlyIf = etag === null ? { etagDoesNotMatch: "*" } : { etagMatches: etag };
  const httpMetadata = { contentType: "application/vnd.apache.parquet" };
  const options = { onlyIf, httpMetadata, customMetadata: { replaces, sha256: digest }, sha256: digest };
  if ((await attempt(() => env.ARCHIVE.put(key, bytes, options), ArchiveWriteFailed)) === null) return null;
  if (!(await readFile(env, key, digest))?.matches) {
    throw new ArchiveUnavailable("The archive returned different bytes than were written.");
  }
  return { bytes: bytes.byteLength, sha256: digest };
}

export const deleteFiles = (env: Env, keys: string[]): Promise<void> => attempt(() => env.ARCHIVE.delete(keys));

/** Lists all objects whose key begins with `prefix`, with their metadata, up to a thousand at a time. */
export async function* listObjects(env: Env, prefix: string): AsyncGenerator<R2Object[]> {
  for await (const { objects } of listPages(env, { prefix, include: ["customMetadata"] })) yield objects;
}

export async function* listPages(env: Env, options: R2ListOptions): AsyncGenerator<R2Objects> {
  for (let cursor: string | undefined; ;) {
    const page = await attempt(() => env.ARCHIVE.list({ ...options, ...(cursor !== undefined && { cursor }) }));
    yield page;
    if (!page.truncated) return;
    ({ cursor } = page);
  }
}

/** Deletes up to a thousand files whose key begins with `prefix`. @returns whether all are deleted */
export async function deletePrefix(env: Env, prefix: string): Promise<boolean> {
  const { objects, truncated } = await attempt(() => env.ARCHIVE.list({ prefix }));
  const keys = objects.map(({ key }) => key);
  if (keys.length > 0) await deleteFiles(env, keys);
  return !truncated;
}

/** Returns the SHA-256 that a file was written with, in hex. @returns `null` if an operator has put it there */
export const digestOf = ({ customMetadata }: R2Object): string | null => customMetadata?.["sha256"] ?? null;

/** Reads the newest version of a file. @throws ArchiveUnavailable also when it is gone */
export async function readNewest(env: Env, key: string): Promise<ArrayBuffer> {
  const object = await attempt(() => env.ARCHIVE.get(key));
  if (object === null) throw new ArchiveUnavailable(`The archive has no ${key} any more.`);
  return attempt(() => object.arrayBuffer());
}

/**
 * Reads the version of a file that the manifest has.
 * @throws ArchiveUnavailable also when a new version isn't recorded yet
 * @throws ArchiveFileMissing
 */
export async function readVersion(env: Env, key: string, digest: string): Promise<ArrayBuffer> {
  const stored = await readFile(env, key, digest);
  if (stored === null) throw new ArchiveFileMissing(key, digest);
  if (!stored.matches) throw new ArchiveUnavailable(`The archive has a newer version of ${key}.`);
  return stored.bytes;
}

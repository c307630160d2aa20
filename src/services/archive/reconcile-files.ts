/**
 * Repairs the manifest of a workspace whose database was restored. Since then, files were written, rewritten and deleted.
 * Only this service writes files, so the newest version of each is valid.
 *
 * The log can't have messages under the numbers of a file that the manifest doesn't list: they may belong to other messages
 * by now. So the file's messages are stored again, which skips those that the log has, and the file is deleted.
 */
import { type ErasedPerson, personHash } from "../../archive/journal.ts";
import { readParquet } from "../../archive/parquet.ts";
import { deleteFiles, digestOf, isOwn, listObjects, readNewest, sha256 } from "../../archive/store.ts";
import { MAX_RECOMPUTE_STALL_MS } from "../../config.ts";
import { type ArchivedMessage, packUsers, unarchive } from "../../core/archive/message.ts";
import { archiveKey, archivePrefix, rangeOfKey } from "../../core/archive/names.ts";
import type { FindingKind } from "../../core/reconcile/findings.ts";
import { type ArchiveFile, readManifest, replaceFile } from "../../db/archive/files.ts";
import { ownRange, type WorkspaceRef } from "../../db/client/database.ts";
import { storeBatch } from "../../db/ingest/store-messages.ts";
import { acquireLease, releaseLease } from "../../db/recompute/lease-sql.ts";
import { openSession } from "../../db/recompute/session.ts";
import { archiveDays, readMessages } from "./read-archive.ts";

/** A file then takes at most 40 transactions, because D1 also limits the size of their values. */
const MESSAGES_PER_BATCH = 2_500;

/** Repairs a file, if any needs it. */
export async function reconcileFiles(
  env: Env,
  workspace: WorkspaceRef,
  people: readonly ErasedPerson[],
  now: number,
): Promise<FindingKind[]> {
  const { different, isComplete } = await compareFiles(env, workspace, now);
  const findings: FindingKind[] = isComplete ? [] : ["file_missing"];
  if (different.length === 0) return findings;
  const session = openSession(env, workspace, `archive_${crypto.randomUUID()}`, { sent: 0 });
  if (!(await acquireLease(session, now, now + MAX_RECOMPUTE_STALL_MS))) return [...findings, "busy"];
  // A run may have changed them until now.
  const {
    different: [first],
    files,
  } = await compareFiles(env, workspace, now);
  if (first !== undefined) {
    const { key, listed } = first;
    const bytes = await readNewest(env, key);
    const messages = await readParquet(bytes);
    if (listed !== undefined) {
      const written = { bytes: bytes.byteLength, sha256: await sha256(bytes), users: packUsers(messages) };
      await replaceFile(session, listed, written);
    } else {
      if (!first.isExpired) await storeAgain(env, workspace, { messages, files, people, ...first }, now);
      await deleteFiles(env, [key]);
    }
    findings.push("files_repaired");
  }
  // After a failure it expires, because the deletion may still arrive.
  await releaseLease(session);
  return findings;
}

/** Compares the bucket with the manifest, which comes first: a file that is listed meanwhile must not seem to be missing. */
async function compareFiles(env: Env, workspace: WorkspaceRef, now: number) {
  const { files, step } = await readManifest(env, workspace);
  const objects = await listObjects(env, archivePrefix(workspace.id));
  const { kept } = archiveDays(env, now);
  const keyOf = (file: Pick<ArchiveFile, "first" | "last" | "day">) => archiveKey(workspace.id, file);
  const listed = new Map(files.map((file) => [keyOf(file), file]));
  const keys = new Set(objects.map(({ key }) => key));
  const different = objects.flatMap((object) => {
    const { key } = object;
    const range = rangeOfKey(key);
    const file = listed.get(key);
    const isWritten = step !== null && keyOf(step) === key;
    if (range === null || isWritten || !isOwn(object) || digestOf(object) === file?.sha256) return [];
    return [{ key, range, listed: file, isExpired: range.day < kept }];
  });
  return { files, different, isComplete: files.every((file) => file.day < kept || keys.has(keyOf(file))) };
}

const idOf = ({ source, messageId }: ArchivedMessage): string => `${source} ${messageId}`;

interface Unlisted {
  messages: readonly ArchivedMessage[];
  /** Numbers within the workspace. */
  range: { first: number; last: number };
  files: readonly ArchiveFile[];
  people: readonly ErasedPerson[];
}

/** Stores the messages of a file again, except those of erased people and those that a listed file has. */
async function storeAgain(env: Env, workspace: WorkspaceRef, unlisted: Unlisted, now: number): Promise<void> {
  const { messages, range, files, people } = unlisted;
  const before = ownRange(workspace).first - 1;
  const archived = new Set<string>();
  for (const file of files) {
    if (file.last < before + range.first || file.first > before + range.last) continue;
    for (const message of await readMessages(env, workspace, file)) archived.add(idOf(message));
  }
  const userIds = [...new Set(people.length === 0 ? [] : messages.flatMap(({ userId }) => userId ?? []))];
  const hashes = await Promise.all(userIds.map((id) => personHash(workspace.id, id)));
  const hashOf = new Map(userIds.map((id, index) => [id, hashes[index]]));
  const erasedAt = new Map(people.toSorted((a, b) => a.at - b.at).map(({ hash, at }) => [hash, at]));
  const isErased = ({ user, userId, receivedAt }: ArchivedMessage) =>
    user < 0 || receivedAt < (erasedAt.get(hashOf.get(userId ?? "") ?? "") ?? -Infinity);
  const lost = messages.filter((message) => !isErased(message) && !archived.has(idOf(message)));
  for (const source of ["cdp", "native"] as const) {
    const own = lost.filter((message) => message.source === source).map(unarchive);
    for (let from = 0; from < own.length; from += MESSAGES_PER_BATCH) {
      const batch = { source, receivedAt: now, messages: own.slice(from, from + MESSAGES_PER_BATCH), rejections: [] };
      await storeBatch(env, workspace, "", batch);
    }
  }
}

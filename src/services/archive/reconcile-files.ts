/**
 * Repairs the archive of a workspace whose database was restored. Files may have been written, rewritten and deleted
 * since the restored state. Only this service writes files, so the newest version of each is valid.
 *
 * A file that the restored manifest doesn't list can't be listed again: by now its numbers may belong to other messages
 * and users. So the repair stores its messages again, skips messages that the log has, and deletes the file.
 */
import { hashOf, readErasedPeople } from "../../archive/journal.ts";
import { readParquet } from "../../archive/parquet.ts";
import { deleteFiles, listObjects, readNewest, sha256, digestOf } from "../../archive/store.ts";
import { MAX_RECOMPUTE_STALL_MS, retentionBounds } from "../../config.ts";
import { type ArchivedMessage, packUsers, restoreMessage } from "../../core/archive/message.ts";
import { archiveKey, archivePrefix, parseArchiveKey } from "../../core/archive/file-names.ts";
import type { WorkspaceFinding } from "../../core/reconcile/plan-repairs.ts";
import { type ArchiveFile, readArchiveManifest, replaceFile } from "../../db/archive/manifest-sql.ts";
import { ownRange, type WorkspaceRef } from "../../db/client/database.ts";
import { storeBatch } from "../../db/ingest/store-messages.ts";
import { acquireLease, releaseLease } from "../../db/recompute/lease-sql.ts";
import { openSession } from "../../db/recompute/session.ts";
import { readMessages } from "./read-archive.ts";

/** The transactions of a file then stay below 850 statements, because a file has at most 8 MB of rows. */
const MESSAGES_PER_BATCH = 2_500;

const RUN_DETAIL = `A run, or a reconciliation that failed, keeps the lease for up to ${MAX_RECOMPUTE_STALL_MS / 1_000} s.`;

/** Repairs one file, if any needs it. */
export async function reconcileFiles(env: Env, workspace: WorkspaceRef, now: number): Promise<WorkspaceFinding[]> {
  const { different, missing } = await compareFiles(env, workspace, now);
  const found = { workspace: workspace.id, detail: null };
  const findings: WorkspaceFinding[] = missing.map((detail) => ({ ...found, finding: "file_missing", detail }));
  if (different.length === 0) return findings;
  const session = openSession(env, workspace, `archive_${crypto.randomUUID()}`, { sent: 0 });
  if (!(await acquireLease(session, "archive", { now, expiresAt: now + MAX_RECOMPUTE_STALL_MS })))
    return [...findings, { ...found, finding: "busy", detail: RUN_DETAIL }];
  // A run may have changed the files before this one took the lease.
  const {
    different: [first],
    files,
  } = await compareFiles(env, workspace, now);
  if (first !== undefined) {
    const bytes = await readNewest(env, first.key);
    const messages = await readParquet(bytes);
    if (first.listed !== undefined) {
      const written = { bytes: bytes.byteLength, sha256: await sha256(bytes), users: packUsers(messages) };
      await replaceFile(session, first.listed, written);
    } else {
      const lost = first.isExpired ? [] : await withoutArchived(env, workspace, first.range, files, messages);
      await storeAgain(env, workspace, await withoutErased(env, workspace, lost), now);
      await deleteFiles(env, [first.key]);
    }
    findings.push({ ...found, finding: "files_repaired" });
  }
  // After a failure the lease expires instead, because a deletion may still arrive.
  await releaseLease(session);
  return findings;
}

/**
 * Compares the bucket with the manifest, by digests that this service has recorded and by sizes. The manifest comes first: a
 * file that is listed meanwhile must not seem to be missing.
 */
async function compareFiles(env: Env, workspace: WorkspaceRef, now: number) {
  const { files, step } = await readArchiveManifest(env, workspace);
  const objects: R2Object[] = [];
  for await (const page of listObjects(env, archivePrefix(workspace.id))) objects.push(...page);
  const { kept } = retentionBounds(env, now);
  const listed = new Map(files.map((file) => [archiveKey(workspace.id, file), file]));
  const beingWritten = step && archiveKey(workspace.id, step);
  const different = objects.flatMap((object) => {
    const { key } = object;
    const [range, digest, file] = [parseArchiveKey(key), digestOf(object), listed.get(key)];
    if (range === null || digest === null || digest === file?.sha256 || key === beingWritten) return [];
    return [{ key, range, listed: file, isExpired: range.day < kept }];
  });
  const sizes = new Map(objects.map(({ key, size }) => [key, size]));
  const newer = new Set(different.map(({ key }) => key));
  const missing = [...listed].flatMap(([key, file]) => {
    const size = sizes.get(key);
    if (file.day < kept || size === file.bytes || newer.has(key) || key === beingWritten) return [];
    const what = size === undefined ? "" : ` has ${size} bytes instead of ${file.bytes}`;
    return `${key}${what} (SHA-256 ${file.sha256}).`;
  });
  return { files, different, missing };
}

const idOf = ({ source, messageId }: ArchivedMessage): string => `${source} ${messageId}`;

/** Leaves out messages that listed files with the same numbers have. @param range within the workspace */
async function withoutArchived(
  env: Env,
  workspace: WorkspaceRef,
  range: { first: number; last: number },
  files: readonly ArchiveFile[],
  messages: readonly ArchivedMessage[],
): Promise<ArchivedMessage[]> {
  const before = ownRange(workspace).first - 1;
  const archived = new Set<string>();
  for (const file of files) {
    if (file.last < before + range.first || file.first > before + range.last) continue;
    for (const message of await readMessages(env, workspace, file)) archived.add(idOf(message));
  }
  return messages.filter((message) => !archived.has(idOf(message)));
}

/** Leaves out messages of people who were erased after them. */
async function withoutErased(
  env: Env,
  { id }: WorkspaceRef,
  messages: readonly ArchivedMessage[],
): Promise<ArchivedMessage[]> {
  const userIds = new Set(messages.flatMap(({ userId }) => userId ?? []));
  const hashed = await Promise.all(Array.from(userIds, async (userId) => [await hashOf(id, userId), userId] as const));
  const userIdOf = new Map(hashed);
  const erasedAt = new Map<string | null, number>();
  for await (const people of readErasedPeople(env, id)) {
    for (const { hash, at } of people) {
      const userId = userIdOf.get(hash);
      if (userId !== undefined) erasedAt.set(userId, Math.max(at, erasedAt.get(userId) ?? 0));
    }
  }
  return messages.filter(({ user, userId, receivedAt }) => user >= 0 && receivedAt >= (erasedAt.get(userId) ?? 0));
}

async function storeAgain(
  env: Env,
  workspace: WorkspaceRef,
  lost: readonly ArchivedMessage[],
  now: number,
): Promise<void> {
  for (const [source, own] of Map.groupBy(lost, (message) => message.source)) {
    for (let from = 0; from < own.length; from += MESSAGES_PER_BATCH) {
      const messages = own.slice(from, from + MESSAGES_PER_BATCH).map(restoreMessage);
      await storeBatch(env, workspace, "", { source, receivedAt: now, messages, rejections: [] });
    }
  }
}

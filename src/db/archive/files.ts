/** Reads and changes the manifest: the files of a workspace's archive, and the people who may still be in them. */
import { unpackUsers } from "../../core/archive/message.ts";
import type { Day, Window } from "../../core/health/model.ts";
import { DAY_MS } from "../../core/durations.ts";
import { columnsOf } from "../client/columns-of.ts";
import { databaseOf, type WorkspaceRef } from "../client/database.ts";
import { inOwnRange, oldestSeq, withinWorkspace } from "../client/sql-fragments.ts";
import { runBatch, type Statement, statement } from "../client/statements.ts";
import { mayWrite } from "../recompute/lease-sql.ts";
import type { Session } from "../recompute/session.ts";
import {
  archiveErasures,
  archiveFiles,
  archiveSteps,
  folds,
  messages,
  users,
  workspaceStates,
} from "../schema/schema.ts";

const e = columnsOf(archiveErasures);
const f = columnsOf(archiveFiles);
const fold = columnsOf(folds);
const m = columnsOf(messages);
const s = columnsOf(archiveSteps);
const u = columnsOf(users, "u");
const w = columnsOf(workspaceStates, "w");

type FileWithUsers = typeof archiveFiles.$inferSelect;

/** A file as the manifest records it. Its first and last message are seqs of the log. */
export type ArchiveFile = Omit<FileWithUsers, "users">;

export type WrittenFile = Pick<FileWithUsers, "bytes" | "sha256" | "users">;

const FILE = `${f.first} AS first, ${f.last} AS last, ${f.day} AS day, ${f.bytes} AS bytes, ${f.sha256} AS sha256`;

const LIST_DUE = `
SELECT ${w.id} AS id, ${w.number} AS number FROM ${w.table} WHERE ${w.state} = 'live' AND (
  EXISTS (SELECT 1 FROM ${s.table} WHERE ${s.workspace} = ${w.number})
  OR EXISTS (SELECT 1 FROM ${e.table} WHERE ${inOwnRange(e.user, w.number)})
  OR (SELECT ${f.day} FROM ${f.table} WHERE ${inOwnRange(f.first, w.number)} ORDER BY ${f.first} LIMIT 1) < ?1
  OR EXISTS (
    SELECT 1 FROM ${m.table} WHERE ${m.seq} = ${oldestSeq(w.number)} AND ${m.receivedAt} < ?2 AND ${m.seq} <= (
      SELECT ${fold.watermark} FROM ${fold.table} WHERE ${fold.workspace} = ${w.number} AND ${fold.rebuildDay} IS NULL
    )
  )
)`;

/**
 * Lists the workspaces of a database whose archive has work, and measures the database.
 * @param expired files of earlier days are deleted
 * @param cold messages received before this time are archived; milliseconds since the epoch
 */
export async function listArchives(
  env: Env,
  database: string,
  { expired, cold }: { expired: Day; cold: number },
): Promise<{ workspaces: WorkspaceRef[]; bytes: number }> {
  const due = statement<{ id: string; number: number }>(LIST_DUE, expired, cold);
  const [{ results, meta }] = await runBatch(databaseOf(env, { database }), [due]);
  return { workspaces: results.map((workspace) => ({ ...workspace, database })), bytes: meta.size_after };
}

/** The files that end after ?2, a seq, of the days from ?3 to ?4. */
const LIST_FILES = `
SELECT ${FILE} FROM ${f.table} WHERE ${inOwnRange(f.first, "?1")} AND ${f.last} > ?2 AND ${f.day} >= ?3 AND ${f.day} <= ?4
ORDER BY ${f.first}`;
export const NEXT_FILE = `${LIST_FILES} LIMIT 1`;

/** Selects the files of some days, oldest first. @param after a seq: leaves out files that end before */
export const selectFiles = ({ number }: WorkspaceRef, { from, to }: Window, after = 0): Statement<ArchiveFile> =>
  statement<ArchiveFile>(LIST_FILES, number, after, from, to);

export async function listFiles(env: Env, workspace: WorkspaceRef, days: Window): Promise<ArchiveFile[]> {
  return (await runBatch(databaseOf(env, workspace), [selectFiles(workspace, days)]))[0].results;
}

const SELECT_STEP = `
SELECT ${s.first} AS first, ${s.last} AS last, ${s.day} AS day FROM ${s.table} WHERE ${s.workspace} = ?1`;

/** Reads the whole manifest, and which file a run may have written without recording it. */
export async function readManifest(
  env: Env,
  workspace: WorkspaceRef,
): Promise<{ files: ArchiveFile[]; step: Pick<ArchiveFile, "first" | "last" | "day"> | null }> {
  const [{ results: files }, { results: steps }] = await runBatch(databaseOf(env, workspace), [
    selectFiles(workspace, { from: 0, to: Number.MAX_SAFE_INTEGER }),
    statement<Pick<ArchiveFile, "first" | "last" | "day">>(SELECT_STEP, workspace.number),
  ]);
  return { files, step: steps[0] ?? null };
}

/** Selects a file of the workspace ?1 by its first message, with its users. */
const FIND_FILE = `SELECT ${FILE}, ${f.users} AS users FROM ${f.table} WHERE ${f.first} = ?2 AND ${inOwnRange(f.first, "?1")}`;
export const SELECT_ERASURES = `
SELECT ${withinWorkspace(e.user)} AS number, ${u.id} AS id, ${u.account} IS NOT NULL AS hasAccount
FROM ${e.table} JOIN ${u.table} ON ${u.number} = ${e.user} WHERE ${inOwnRange(e.user, "?1")}`;

/** An erased person who may be in files. */
export interface ArchiveErasure {
  /** Within the workspace. */
  number: number;
  /** The internal id. */
  id: string;
  /** 1 if the user had an account. */
  hasAccount: number;
}

export const containsAny = (numbers: ReadonlySet<number>, erasures: readonly ArchiveErasure[]): boolean =>
  erasures.some(({ number }) => numbers.has(number));

/** Finds a file. @returns `null` without one; `isRewritten` while an erased person may be in it */
export async function findFile(
  env: Env,
  workspace: WorkspaceRef,
  first: number,
): Promise<{ file: ArchiveFile; isRewritten: boolean } | null> {
  const [{ results: files }, { results: erasures }] = await runBatch(databaseOf(env, workspace), [
    statement<FileWithUsers>(FIND_FILE, workspace.number, first),
    statement<ArchiveErasure>(SELECT_ERASURES, workspace.number),
  ]);
  const [file] = files;
  if (file === undefined) return null;
  return { file, isRewritten: containsAny(unpackUsers(file.users), erasures) };
}

/** Lists of users are the largest part of the manifest, so few are read at once. */
const FILES_PER_PAGE = 100;

const NEXT_FILES = `
SELECT ${FILE}, ${f.users} AS users FROM ${f.table}
WHERE ${inOwnRange(f.first, "?1")} AND ${f.first} > ?2 ORDER BY ${f.first} LIMIT ${FILES_PER_PAGE}`;

/** Reads the erased people, and the next files in which to search for them. @param after the last file searched */
export async function readErasures(
  session: Session,
  after: number,
): Promise<{ erasures: ArchiveErasure[]; files: { file: ArchiveFile; users: Set<number> }[] }> {
  const [{ results: erasures }, { results: files }] = await session.batch([
    statement<ArchiveErasure>(SELECT_ERASURES, session.workspace.number),
    statement<FileWithUsers>(NEXT_FILES, session.workspace.number, after),
  ]);
  return { erasures, files: files.map(({ users: packed, ...file }) => ({ file, users: unpackUsers(packed) })) };
}

/** Records a new version of a file. */
const REPLACE_FILE = `
UPDATE ${f.table} SET ${f.bytes} = ?5, ${f.sha256} = ?4, ${f.users} = ?6
WHERE ${f.first} = ?2 AND ${mayWrite("?3", "?1")}`;

/** @returns whether the run may still write */
export async function replaceFile(
  session: Session,
  { first }: ArchiveFile,
  { bytes, sha256, users: packed }: WrittenFile,
): Promise<boolean> {
  const values = [session.workspace.number, first, session.holder, sha256, bytes, packed] as const;
  return (await session.batch([statement(REPLACE_FILE, ...values)]))[0].meta.changes === 1;
}

const END = `
DELETE FROM ${e.table} WHERE ${e.user} IN (SELECT (?1 << 32) + value FROM json_each(?2)) AND ${mayWrite("?3", "?1")}`;

/** Records that no file contains these people any more. */
export async function endErasures(session: Session, erasures: readonly ArchiveErasure[]): Promise<void> {
  const numbers = JSON.stringify(erasures.map(({ number }) => number));
  await session.batch([statement(END, session.workspace.number, numbers, session.holder)]);
}

/** Selects no files during a rebuild, which reads them. */
const EXPIRED = `
FROM (SELECT * FROM ${f.table} WHERE ${inOwnRange(f.first, "?1")} ORDER BY ${f.first} LIMIT ${FILES_PER_PAGE})
WHERE day < ?2 AND ${mayWrite("?3", "?1")}
  AND EXISTS (SELECT 1 FROM ${fold.table} WHERE ${fold.workspace} = ?1 AND ${fold.rebuildDay} IS NULL)`;

/** Some files of these days may be deleted already, so later rebuilds don't read them. */
const SET_DELETED_UNTIL = `
UPDATE ${fold.table} SET ${fold.deletedUntil} = max(coalesce(${fold.deletedUntil}, 0), e.day * ${DAY_MS} + ${DAY_MS - 1})
FROM (SELECT max(day) AS day ${EXPIRED}) e
WHERE ${fold.table}.${fold.workspace} = ?1 AND e.day IS NOT NULL`;

/** Lists some of the oldest files, if they are of days before `before`, and records that they will be deleted. */
export async function listExpired(session: Session, before: Day): Promise<ArchiveFile[]> {
  const values = [session.workspace.number, before, session.holder] as const;
  const [, { results }] = await session.batch([
    statement(SET_DELETED_UNTIL, ...values),
    statement<ArchiveFile>(`SELECT ${FILE} ${EXPIRED}`, ...values),
  ]);
  return results;
}

const FORGET = `
DELETE FROM ${f.table} WHERE ${f.first} IN (SELECT value FROM json_each(?2)) AND ${mayWrite("?3", "?1")}`;

/** Removes files from the manifest after they were deleted. */
export async function forgetFiles(session: Session, files: readonly ArchiveFile[]): Promise<void> {
  const firsts = JSON.stringify(files.map(({ first }) => first));
  await session.batch([statement(FORGET, session.workspace.number, firsts, session.holder)]);
}

/**
 * Reads and changes the manifest: the files of a workspace's archive, and the people who may still be in them. It is
 * SQL text because every write checks the lease, and transactions of SQL text share the reads.
 */
import { unpackUsers } from "../../core/archive/message.ts";
import type { Day, Window } from "../../core/health/model.ts";
import { DAY_MS } from "../../core/durations.ts";
import { columnsOf } from "../client/columns-of.ts";
import { databaseOf, type WorkspaceRef } from "../client/database.ts";
import { readStatements } from "../client/read.ts";
import { expression } from "../client/expression.ts";
import { prepare, type Prepared, prepareQuery } from "../client/prepare.ts";
import { inOwnRange, oldestSeq, withinWorkspace } from "../client/sql-fragments.ts";
import { runBatch } from "../client/run-statements.ts";
import type { Statement } from "../client/statement.ts";
import { MAY_WRITE } from "../recompute/lease-sql.ts";
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

const erasure = columnsOf(archiveErasures);
const fold = columnsOf(folds);
const message = columnsOf(messages);
const state = columnsOf(workspaceStates, "state");
const step = columnsOf(archiveSteps);
const user = columnsOf(users, "user");
const file = columnsOf(archiveFiles);
const { table: _table, ...WITH_USERS } = file;
const { users: _users, ...FILE } = WITH_USERS;
const IS_OWN = inOwnRange(file.first, ":workspace");

type FileWithUsers = typeof archiveFiles.$inferSelect;

/** A file as the manifest records it. Its first and last message are seqs of the log. */
export type ArchiveFile = Omit<FileWithUsers, "users">;

export type WrittenFile = Pick<FileWithUsers, "bytes" | "sha256" | "users">;

const LIST_DUE = prepareQuery(
  { id: state.id, number: state.number },
  (columns) => `
SELECT ${columns} FROM ${state.table} WHERE ${state.state} = 'live' AND (
  EXISTS (SELECT 1 FROM ${step.table} WHERE ${step.workspace} = ${state.number})
  OR EXISTS (SELECT 1 FROM ${erasure.table} WHERE ${inOwnRange(erasure.user, state.number)})
  OR (SELECT ${file.day} FROM ${file.table} WHERE ${inOwnRange(file.first, state.number)} ORDER BY ${file.first} LIMIT 1) < :expired
  OR EXISTS (
    SELECT 1 FROM ${message.table}
    WHERE ${message.seq} = ${oldestSeq(state.number)} AND ${message.receivedAt} < :cold AND ${message.seq} <= (
      SELECT ${fold.watermark} FROM ${fold.table} WHERE ${fold.workspace} = ${state.number} AND ${fold.rebuildDay} IS NULL
    )
  )
)`,
);

/**
 * Lists the workspaces of a database whose archives have work to do, and measures the database.
 * @param expired files of earlier days are deleted
 * @param cold messages received before this time are archived; milliseconds since the epoch
 */
export async function listArchives(
  env: Env,
  database: string,
  bounds: { expired: Day; cold: number },
): Promise<{ workspaces: WorkspaceRef[]; bytes: number }> {
  const [{ results, meta }] = await runBatch(databaseOf(env, { database }), [LIST_DUE.bind(bounds)]);
  return { workspaces: results.map((workspace) => ({ ...workspace, database })), bytes: meta.size_after };
}

/** The files of some days that end after `:after`, a seq; oldest first. */
const OF_DAYS = `FROM ${file.table} WHERE ${IS_OWN} AND ${file.last} > :after
  AND ${file.day} >= :firstDay AND ${file.day} <= :lastDay ORDER BY ${file.first}`;
const SELECT_FILES = prepareQuery(FILE, (columns) => `SELECT ${columns} ${OF_DAYS}`);
export const NEXT_FILE = `${OF_DAYS} LIMIT 1`;
export const SELECT_NEXT_FILE = prepareQuery(FILE, (columns) => `SELECT ${columns} ${NEXT_FILE}`);

/** Selects the files of some days, oldest first. @param after a seq: leaves out files that end before */
export const selectFiles = ({ number }: WorkspaceRef, { from, to }: Window, after = 0): Statement<ArchiveFile> =>
  SELECT_FILES.bind({ workspace: number, after, firstDay: from, lastDay: to });

export async function listFiles(env: Env, workspace: WorkspaceRef, days: Window): Promise<ArchiveFile[]> {
  return (await readStatements(env, workspace, [selectFiles(workspace, days)]))[0].results;
}

const SELECT_STEP = prepareQuery(
  { first: step.first, last: step.last, day: step.day },
  (columns) => `SELECT ${columns} FROM ${step.table} WHERE ${step.workspace} = :workspace`,
);

/** Reads the whole manifest, and the file that a run may have written but not recorded. */
export async function readArchiveManifest(
  env: Env,
  workspace: WorkspaceRef,
): Promise<{ files: ArchiveFile[]; step: Pick<ArchiveFile, "first" | "last" | "day"> | null }> {
  const [{ results: files }, { results: steps }] = await runBatch(databaseOf(env, workspace), [
    selectFiles(workspace, { from: 0, to: Number.MAX_SAFE_INTEGER }),
    SELECT_STEP.bind({ workspace: workspace.number }),
  ]);
  return { files, step: steps[0] ?? null };
}

const FIND_FILE = prepareQuery(
  WITH_USERS,
  (columns) => `SELECT ${columns} FROM ${file.table} WHERE ${file.first} = :first AND ${IS_OWN}`,
);

/** An erased person who may be in files. */
export interface ArchiveErasure {
  /** Within the workspace. */
  number: number;
  /** The internal id. */
  id: string;
  /** 1 if the user had an account. */
  hasAccount: number;
}

export const SELECT_ERASURES: Prepared<ArchiveErasure> = prepareQuery(
  {
    number: expression<number>(withinWorkspace(erasure.user)),
    id: user.id,
    hasAccount: expression<number>(`${user.account} IS NOT NULL`),
  },
  (columns) => `
SELECT ${columns} FROM ${erasure.table} JOIN ${user.table} ON ${user.number} = ${erasure.user}
WHERE ${inOwnRange(erasure.user, ":workspace")}`,
);

export const containsAny = (numbers: ReadonlySet<number>, erasures: readonly ArchiveErasure[]): boolean =>
  erasures.some(({ number }) => numbers.has(number));

/** Finds a file. @returns `null` for an unknown file; `isRewritten` while it may contain an erased person */
export async function findFile(
  env: Env,
  workspace: WorkspaceRef,
  first: number,
): Promise<{ file: ArchiveFile; isRewritten: boolean } | null> {
  const [{ results: files }, { results: erasures }] = await readStatements(env, workspace, [
    FIND_FILE.bind({ workspace: workspace.number, first }),
    SELECT_ERASURES.bind({ workspace: workspace.number }),
  ]);
  const [found] = files;
  if (found === undefined) return null;
  return { file: found, isRewritten: containsAny(unpackUsers(found.users), erasures) };
}

/** Lists of users are the largest part of the manifest, so few are read at once. */
const FILES_PER_PAGE = 100;

const NEXT_FILES = prepareQuery(
  WITH_USERS,
  (columns) => `
SELECT ${columns} FROM ${file.table} WHERE ${IS_OWN} AND ${file.first} > :after
ORDER BY ${file.first} LIMIT ${FILES_PER_PAGE}`,
);

/** Reads the erased people, and the next files in which to search for them. @param after the last file searched */
export async function readErasures(
  session: Session,
  after: number,
): Promise<{ erasures: ArchiveErasure[]; files: { file: ArchiveFile; users: Set<number> }[] }> {
  const values = { workspace: session.workspace.number, after };
  const [{ results: erasures }, { results: files }] = await session.batch([
    SELECT_ERASURES.bind(values),
    NEXT_FILES.bind(values),
  ]);
  return { erasures, files: files.map(({ users: packed, ...found }) => ({ file: found, users: unpackUsers(packed) })) };
}

const valuesOf = ({ workspace, holder }: Session) => ({ workspace: workspace.number, holder });

/** Records a new version of a file. */
const REPLACE_FILE = prepare(`
UPDATE ${file.table} SET ${file.bytes} = :bytes, ${file.sha256} = :sha256, ${file.users} = :users
WHERE ${file.first} = :first AND ${MAY_WRITE}`);

/** @returns whether the run may still write */
export async function replaceFile(session: Session, { first }: ArchiveFile, written: WrittenFile): Promise<boolean> {
  const replacement = REPLACE_FILE.bind({ ...written, ...valuesOf(session), first });
  return (await session.batch([replacement]))[0].meta.changes === 1;
}

const END = prepare(`
DELETE FROM ${erasure.table}
WHERE ${erasure.user} IN (SELECT (:workspace << 32) + value FROM json_each(:users)) AND ${MAY_WRITE}`);

/** Records that no file contains these people anymore. */
export async function endErasures(session: Session, erasures: readonly ArchiveErasure[]): Promise<void> {
  const numbers = JSON.stringify(erasures.map(({ number }) => number));
  await session.batch([END.bind({ ...valuesOf(session), users: numbers })]);
}

/** Selects no files during a rebuild, because the rebuild reads them. */
const EXPIRED = `
FROM (SELECT * FROM ${file.table} WHERE ${IS_OWN} ORDER BY ${file.first} LIMIT ${FILES_PER_PAGE})
WHERE ${file.day} < :before AND ${MAY_WRITE}
  AND EXISTS (SELECT 1 FROM ${fold.table} WHERE ${fold.workspace} = :workspace AND ${fold.rebuildDay} IS NULL)`;

/** Some files of these days may be deleted already, so later rebuilds don't read them. */
const SET_DELETED_UNTIL = prepare(`
UPDATE ${fold.table} SET
  ${fold.deletedUntil} = max(coalesce(${fold.deletedUntil}, 0), last.day * ${DAY_MS} + ${DAY_MS - 1})
FROM (SELECT max(${file.day}) AS day ${EXPIRED}) last
WHERE ${fold.table}.${fold.workspace} = :workspace AND last.day IS NOT NULL`);
const SELECT_EXPIRED = prepareQuery(FILE, (columns) => `SELECT ${columns} ${EXPIRED}`);

/** Lists some of the oldest files of days before `before`, and records that they will be deleted. */
export async function listExpired(session: Session, before: Day): Promise<ArchiveFile[]> {
  const values = { ...valuesOf(session), before };
  const [, { results }] = await session.batch([SET_DELETED_UNTIL.bind(values), SELECT_EXPIRED.bind(values)]);
  return results;
}

const FORGET = prepare(`
DELETE FROM ${file.table} WHERE ${file.first} IN (SELECT value FROM json_each(:firsts)) AND ${MAY_WRITE}`);

/** Removes files from the manifest after they were deleted. */
export async function forgetFiles(session: Session, files: readonly ArchiveFile[]): Promise<void> {
  const firsts = JSON.stringify(files.map(({ first }) => first));
  await session.batch([FORGET.bind({ ...valuesOf(session), firsts })]);
}

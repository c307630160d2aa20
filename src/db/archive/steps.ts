/**
 * Takes messages out of the log. A step first records which messages its file will have, then the file is written, and then
 * one transaction adds the file to the manifest and deletes the messages. Messages past the archive's retention are deleted
 * without a file. Every statement requires the workspace's lease.
 */
import { MAX_FILE_BYTES } from "../../core/archive/message.ts";
import { DAY_MS } from "../../core/durations.ts";
import type { Day } from "../../core/health/model.ts";
import { columnsOf } from "../client/columns-of.ts";
import { dayOf, oldestSeq } from "../client/sql-fragments.ts";
import { statement } from "../client/statements.ts";
import { mayWrite } from "../recompute/lease-sql.ts";
import type { Session } from "../recompute/session.ts";
import { archiveFiles, archiveSteps, folds, messages } from "../schema/schema.ts";
import type { WrittenFile } from "./files.ts";
import { firstReceived, messageBytes, type MessageRow, selectMessages } from "./messages-sql.ts";

const f = columnsOf(archiveFiles);
const fold = columnsOf(folds);
const m = columnsOf(messages);
const s = columnsOf(archiveSteps);

/** Messages of one file: consecutive ones, received on one day. */
export type ArchiveStep = Omit<typeof archiveSteps.$inferSelect, "workspace">;

/** The last message that may be archived: NULL before the first fold, and during a rebuild, which needs all messages. */
const LAST_FOLDED = `(SELECT ${fold.watermark} FROM ${fold.table} WHERE ${fold.workspace} = ?1 AND ${fold.rebuildDay} IS NULL)`;

const OLDEST = `
SELECT ${m.seq} AS first, ${dayOf(m.receivedAt)} AS day FROM ${m.table} WHERE ${m.seq} = ${oldestSeq("?1")}`;

/** ?2 the first day to keep, ?3 the run, ?4 the most messages. */
const BEGIN = `
INSERT INTO ${s.table} (${s.workspace}, ${s.first}, ${s.last}, ${s.day})
SELECT ?1, first, max(seq), day
FROM (
  SELECT ${m.seq} AS seq, oldest.*, sum(${messageBytes}) OVER earlier AS total,
    max(${dayOf(m.receivedAt)} <> day) OVER earlier AS has_other
  FROM (${OLDEST}) oldest CROSS JOIN ${m.table} ON ${m.seq} >= first
    AND ${m.seq} < min(first + ?4, ${LAST_FOLDED} + 1, ${firstReceived(`min(?2, day + 1) * ${DAY_MS}`)})
  WINDOW earlier AS (ORDER BY ${m.seq} ROWS UNBOUNDED PRECEDING)
)
WHERE NOT has_other AND (total <= ${MAX_FILE_BYTES} OR seq = first) AND day < ?2 AND ${mayWrite("?3", "?1")}
HAVING count(*) > 0
ON CONFLICT DO NOTHING`;

const SELECT_STEP = `
SELECT ${s.first} AS first, ${s.last} AS last, ${s.day} AS day, ${s.revision} AS revision
FROM ${s.table} WHERE ${s.workspace} = ?1 AND ${s.last} <= ${LAST_FOLDED} AND ${mayWrite("?2", "?1")}`;

/**
 * Continues an interrupted step, or begins one with the oldest messages.
 * @param before the first day to keep
 * @returns `null` when nothing is left to archive, a rebuild is running, or the run may no longer write
 */
export async function beginStep(session: Session, before: Day, maxMessages: number): Promise<ArchiveStep | null> {
  const { number } = session.workspace;
  const [, { results }] = await session.batch([
    statement(BEGIN, number, before, session.holder, maxMessages),
    statement<ArchiveStep>(SELECT_STEP, number, session.holder),
  ]);
  return results[0] ?? null;
}

const SELECT_MESSAGES = selectMessages("m.seq >= ?1 AND m.seq <= ?2");

/**
 * Reads the messages of a step, and its revision at the same moment.
 * @returns `null` when the run may no longer write
 * @throws Error when messages are missing, which means a defect
 */
export async function readStep(
  session: Session,
  { first, last }: ArchiveStep,
): Promise<{ revision: number; rows: MessageRow[] } | null> {
  const [{ results: steps }, { results: rows }] = await session.batch([
    statement<ArchiveStep>(SELECT_STEP, session.workspace.number, session.holder),
    statement<MessageRow>(SELECT_MESSAGES, first, last),
  ]);
  const [step] = steps;
  if (step?.first !== first) return null;
  if (rows.length !== last - first + 1)
    throw new Error(`${last - first + 1 - rows.length} messages to archive are missing`);
  return { revision: step.revision, rows };
}

/** ?2 the first message and ?3 the revision that were read, ?4 the run. */
const STEP = `FROM ${s.table} WHERE ${s.workspace} = ?1 AND ${s.first} = ?2 AND ${s.revision} = ?3
  AND ${s.last} <= ${LAST_FOLDED} AND ${mayWrite("?4", "?1")}`;
const OF_STEP = `${m.seq} >= ?2 AND ${m.seq} <= (SELECT ${s.last} ${STEP})`;

const setUntil = (column: string): string => `
UPDATE ${fold.table} SET ${column} = max(coalesce(${column}, 0), (SELECT max(${m.receivedAt}) FROM ${m.table} WHERE ${OF_STEP}))
WHERE ${fold.workspace} = ?1 AND EXISTS (SELECT 1 ${STEP})`;
const UPDATE_ARCHIVED_UNTIL = setUntil(fold.archivedUntil);
const UPDATE_DELETED_UNTIL = setUntil(fold.deletedUntil);
const DELETE_MESSAGES = `DELETE FROM ${m.table} WHERE ${OF_STEP}`;

/** This row is large, so it comes after the deletion: a full database has no room before. ?5 to ?7 the file. */
const INSERT_FILE = `
INSERT INTO ${f.table} (${f.first}, ${f.last}, ${f.day}, ${f.bytes}, ${f.sha256}, ${f.users})
SELECT ${s.first}, ${s.last}, ${s.day}, ?5, ?6, ?7 ${STEP}`;

/**
 * Adds the file of a step to the manifest and deletes its messages, unless a person was erased since they were read.
 * @param file `null` to delete the messages for good
 * @returns whether it did. A repetition after a lost answer changes nothing, so it returns false.
 */
export async function endStep(
  session: Session,
  { first, revision }: ArchiveStep,
  file: WrittenFile | null,
): Promise<boolean> {
  const values = [session.workspace.number, first, revision, session.holder] as const;
  const results = await session.batch([
    statement(UPDATE_ARCHIVED_UNTIL, ...values),
    ...(file === null ? [statement(UPDATE_DELETED_UNTIL, ...values)] : []),
    statement(DELETE_MESSAGES, ...values),
    ...(file === null ? [] : [statement(INSERT_FILE, ...values, file.bytes, file.sha256, file.users)]),
    statement(`DELETE ${STEP}`, ...values),
  ]);
  return results.at(-1)?.meta.changes === 1;
}

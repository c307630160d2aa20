/**
 * Takes messages out of the log. A step first records the messages of its file and writes the file. Then one
 * transaction adds the file to the manifest and deletes the messages. Messages past the archive's retention are deleted
 * without a file. Every statement checks the workspace's lease in its own transaction, so this is SQL text.
 */
import { MAX_FILE_BYTES } from "../../core/archive/message.ts";
import { DAY_MS } from "../../core/durations.ts";
import type { Day } from "../../core/health/model.ts";
import { columnsOf } from "../client/columns-of.ts";
import { prepare, prepareQuery } from "../client/prepare.ts";
import { dayOf, oldestSeq } from "../client/sql-fragments.ts";
import { MAY_WRITE } from "../recompute/lease-sql.ts";
import type { Session } from "../recompute/session.ts";
import { archiveFiles, archiveSteps, folds, messages } from "../schema/schema.ts";
import type { WrittenFile } from "./manifest-sql.ts";
import { firstReceived, messageBytes, type MessageRow, selectMessages } from "./messages-sql.ts";

const file = columnsOf(archiveFiles);
const fold = columnsOf(folds);
const message = columnsOf(messages);
const step = columnsOf(archiveSteps);

/** Messages of one file: consecutive ones, received on one day. */
export type ArchiveStep = Omit<typeof archiveSteps.$inferSelect, "workspace">;

/** The last message that may be archived: NULL before the first fold, and during a rebuild, which needs all messages. */
const LAST_FOLDED = `(
  SELECT ${fold.watermark} FROM ${fold.table} WHERE ${fold.workspace} = :workspace AND ${fold.rebuildDay} IS NULL
)`;

const OLDEST = `
SELECT ${message.seq} AS first, ${dayOf(message.receivedAt)} AS day FROM ${message.table}
WHERE ${message.seq} = ${oldestSeq(":workspace")}`;

/** `:before` is the first day to keep. */
const BEGIN = prepare(`
INSERT INTO ${step.table} (${step.workspace}, ${step.first}, ${step.last}, ${step.day})
SELECT :workspace, first, max(seq), day
FROM (
  SELECT ${message.seq} AS seq, oldest.*, sum(${messageBytes}) OVER earlier AS total,
    max(${dayOf(message.receivedAt)} <> day) OVER earlier AS has_other
  FROM (${OLDEST}) oldest CROSS JOIN ${message.table} ON ${message.seq} >= first AND ${message.seq} < min(
    first + :maxMessages, ${LAST_FOLDED} + 1, ${firstReceived(`min(:before, day + 1) * ${DAY_MS}`)}
  )
  WINDOW earlier AS (ORDER BY ${message.seq} ROWS UNBOUNDED PRECEDING)
)
WHERE NOT has_other AND (total <= ${MAX_FILE_BYTES} OR seq = first) AND day < :before AND ${MAY_WRITE}
HAVING count(*) > 0
ON CONFLICT DO NOTHING`);

const MAY_END = `${step.workspace} = :workspace AND ${step.last} <= ${LAST_FOLDED} AND ${MAY_WRITE}`;
const SELECT_STEP = prepareQuery(
  { first: step.first, last: step.last, day: step.day, revision: step.revision },
  (columns) => `SELECT ${columns} FROM ${step.table} WHERE ${MAY_END}`,
);

/**
 * Continues an interrupted step, or begins one with the oldest messages.
 * @param before the first day to keep
 * @returns `null` when nothing is left to archive, a rebuild is running, or the run may no longer write
 */
export async function beginStep(session: Session, before: Day, maxMessages: number): Promise<ArchiveStep | null> {
  const values = { workspace: session.workspace.number, holder: session.holder, before, maxMessages };
  const [, { results }] = await session.batch([BEGIN.bind(values), SELECT_STEP.bind(values)]);
  return results[0] ?? null;
}

const SELECT_MESSAGES = selectMessages("message.seq >= :first AND message.seq <= :last");

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
    SELECT_STEP.bind({ workspace: session.workspace.number, holder: session.holder }),
    SELECT_MESSAGES.bind({ first, last }),
  ]);
  const [current] = steps;
  if (current?.first !== first) return null;
  if (rows.length !== last - first + 1)
    throw new Error(`${last - first + 1 - rows.length} messages to archive are missing`);
  return { revision: current.revision, rows };
}

/** The step, if its revision is still the `:revision` that was read with its messages. */
const OF_STEP = `FROM ${step.table} WHERE ${MAY_END} AND ${step.first} = :first AND ${step.revision} = :revision`;
const IN_STEP = `${message.seq} >= :first AND ${message.seq} <= (SELECT ${step.last} ${OF_STEP})`;

const setUntil = (column: string) =>
  prepare(`
UPDATE ${fold.table} SET ${column} = max(
  coalesce(${column}, 0), (SELECT max(${message.receivedAt}) FROM ${message.table} WHERE ${IN_STEP})
)
WHERE ${fold.workspace} = :workspace AND EXISTS (SELECT 1 ${OF_STEP})`);
const SET_ARCHIVED_UNTIL = setUntil(fold.archivedUntil);
const SET_DELETED_UNTIL = setUntil(fold.deletedUntil);
const DELETE_MESSAGES = prepare(`DELETE FROM ${message.table} WHERE ${IN_STEP}`);

/** This row is large, so it comes after the deletion: before it, a full database has no room. */
const INSERT_FILE = prepare(`
INSERT INTO ${file.table} (${file.first}, ${file.last}, ${file.day}, ${file.bytes}, ${file.sha256}, ${file.users})
SELECT ${step.first}, ${step.last}, ${step.day}, :bytes, :sha256, :users ${OF_STEP}`);
const DELETE_STEP = prepare(`DELETE ${OF_STEP}`);

/**
 * Adds the file of a step to the manifest and deletes its messages, unless a person was erased since they were read.
 * @param written `null` to delete the messages for good
 * @returns whether it did; false when it repeats a call whose answer was lost, because it then changes nothing
 */
export async function endStep(
  session: Session,
  { first, revision }: ArchiveStep,
  written: WrittenFile | null,
): Promise<boolean> {
  const values = { workspace: session.workspace.number, holder: session.holder, first, revision };
  const results = await session.batch([
    SET_ARCHIVED_UNTIL.bind(values),
    ...(written === null ? [SET_DELETED_UNTIL.bind(values)] : []),
    DELETE_MESSAGES.bind(values),
    ...(written === null ? [] : [INSERT_FILE.bind({ ...written, ...values })]),
    DELETE_STEP.bind(values),
  ]);
  return results.at(-1)?.meta.changes === 1;
}

/** Reads the next messages for an export: a file of the archive, or messages of the log. */
import { MAX_FILE_BYTES } from "../../core/archive/message.ts";
import { DAY_MS, HOUR_MS } from "../../core/durations.ts";
import { columnsOf } from "../client/columns-of.ts";
import { databaseOf, type WorkspaceRef } from "../client/database.ts";
import { runBatch, statement } from "../client/statements.ts";
import { messages } from "../schema/schema.ts";
import { type ArchiveErasure, type ArchiveFile, type Days, NEXT_FILE, SELECT_ERASURES } from "./files.ts";
import { firstReceived, messageBytes, type MessageRow, selectMessages } from "./messages-sql.ts";

const m = columnsOf(messages);

/** One more than a page of an export has, which shows whether there is a next page. */
const MAX_MESSAGES = 10_001;
/** Messages are numbered when they are stored, so a message may have a higher number than one received after it. */
const MAX_DISORDER_MS = HOUR_MS / 4;

/** ?5 and ?6 the time of receipt, from and before. */
const IN_WINDOW = `${m.seq} > ?2 AND ${m.seq} >= ${firstReceived(`?5 - ${MAX_DISORDER_MS}`)}
  AND ${m.seq} < ${firstReceived(`?6 + ${MAX_DISORDER_MS}`)} AND ${m.receivedAt} >= ?5 AND ${m.receivedAt} < ?6`;
const NEXT_MESSAGES = `
WITH found AS (
  SELECT ${m.seq} AS seq, ${messageBytes} AS bytes FROM ${m.table}
  WHERE ${IN_WINDOW} AND NOT EXISTS (${NEXT_FILE}) ORDER BY ${m.seq} LIMIT ${MAX_MESSAGES}
)
${selectMessages(`m.seq IN (
  SELECT seq FROM (
    SELECT seq, row_number() OVER earlier AS place, sum(bytes) OVER earlier AS total
    FROM found WINDOW earlier AS (ORDER BY seq ROWS UNBOUNDED PRECEDING)
  ) WHERE total <= ${MAX_FILE_BYTES} OR place = 1
)`)}`;

/**
 * Reads what comes after a position in one transaction, so that a message that is archived meanwhile is neither missing nor
 * repeated. Messages of the log come after all files.
 * @param after the seq of the last message that was read
 */
export async function readNext(
  env: Env,
  workspace: WorkspaceRef,
  { from, to }: Days,
  after: number,
): Promise<{ file: ArchiveFile | null; erased: Set<number>; rows: MessageRow[] }> {
  const window = [workspace.number, after, from, to] as const;
  const [{ results: files }, { results: erasures }, { results: rows }] = await runBatch(databaseOf(env, workspace), [
    statement<ArchiveFile>(NEXT_FILE, ...window),
    statement<ArchiveErasure>(SELECT_ERASURES, workspace.number),
    statement<MessageRow>(NEXT_MESSAGES, ...window, from * DAY_MS, (to + 1) * DAY_MS),
  ]);
  return { file: files[0] ?? null, erased: new Set(erasures.map(({ number }) => number)), rows };
}

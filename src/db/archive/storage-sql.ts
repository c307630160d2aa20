/** Measures how much workspaces store: in the log, by a sample of its messages, and in the archive, by the manifest. */
import { DAY_MS } from "../../core/durations.ts";
import type { Day } from "../../core/health/model.ts";
import { messageBytes } from "./messages-sql.ts";
import { columnsOf } from "../client/columns-of.ts";
import { databaseOf, readableDatabaseOf, type WorkspaceRef } from "../client/database.ts";
import { dayOf, eventsADay, inOwnRange, newestSeq, oldestSeq } from "../client/sql-fragments.ts";
import { runBatch, statement } from "../client/statements.ts";
import { archiveFiles, folds, messages, workspaceStates } from "../schema/schema.ts";

const a = columnsOf(archiveFiles);
const f = columnsOf(folds, "f");
const m = columnsOf(messages, "m");
const w = columnsOf(workspaceStates, "w");

/** A log of up to so many messages is measured exactly. */
const SAMPLED = 1_000;
/** Enough to compare workspaces. A database may have hundreds. */
const SAMPLED_TO_COMPARE = 100;

/**
 * Selects number, id, messages and bytes of live workspaces with messages in the log. The log has no gaps, so each message
 * of the sample takes one seek.
 * @param bytes what a message counts
 */
const measured = (condition: string, sampled: number, bytes = messageBytes): string => `
WITH RECURSIVE places (place) AS (SELECT 0 UNION ALL SELECT place + 1 FROM places WHERE place < ${sampled - 1}),
logs AS (
  SELECT ${w.number} AS number, ${w.id} AS id, ${oldestSeq(w.number)} AS first, ${newestSeq(w.number)} AS last
  FROM ${w.table} WHERE ${w.state} = 'live' AND ${condition}
)
SELECT number, id, last - first + 1 AS messages, CAST((last - first + 1) * (
  SELECT avg(${bytes}) FROM places CROSS JOIN ${m.table}
  ON ${m.seq} = first + place * ((last - first + ${sampled}) / ${sampled}) AND ${m.seq} <= last
) AS INTEGER) AS bytes
FROM logs WHERE first IS NOT NULL`;

export interface Stored {
  messages: number;
  bytes: number;
}

const HOT = measured(`${w.number} = ?1`, SAMPLED);
const ARCHIVED = `
SELECT coalesce(sum(${a.last} - ${a.first} + 1), 0) AS messages, coalesce(sum(${a.bytes}), 0) AS bytes
FROM ${a.table} WHERE ${inOwnRange(a.first, "?1")}`;

const NOTHING: Stored = { messages: 0, bytes: 0 };

export type Storage = Awaited<ReturnType<typeof readStorage>>;

/**
 * Measures what a workspace stores, and how many events come in a day, on average in the last seven complete days. The bytes
 * in the database are an estimate, of rows and their index.
 * @param now milliseconds since the epoch
 */
export async function readStorage(env: Env, workspace: WorkspaceRef, now: number) {
  const { number } = workspace;
  const db = readableDatabaseOf(env, workspace);
  const [{ results: hot }, { results: archived }, { results: rates }] = await runBatch(db, [
    statement<Stored>(HOT, number),
    statement<Stored>(ARCHIVED, number),
    statement<{ events: number }>(`SELECT ${eventsADay("?1", "?2")} AS events`, number, Math.floor(now / DAY_MS)),
  ]);
  return { hot: hot[0] ?? NOTHING, archived: archived[0] ?? NOTHING, eventsADay: rates[0]?.events ?? 0 };
}

const LARGEST = `
${measured("true", SAMPLED_TO_COMPARE, `iif(${dayOf(m.receivedAt)} <= ?1, ${messageBytes}, 0)`)} AND EXISTS (
  SELECT 1 FROM ${m.table} CROSS JOIN ${f.table} ON ${f.workspace} = number AND ${f.watermark} >= first AND ${f.rebuildDay} IS NULL
  WHERE ${m.seq} = first AND ${dayOf(m.receivedAt)} <= ?1
)
ORDER BY bytes DESC`;

/** Lists the workspaces of a database with folded messages received up to a day, and the bytes of these. The largest are first. */
export async function listLargest(env: Env, database: string, through: Day) {
  const largest = statement<{ number: number; id: string; bytes: number }>(LARGEST, through);
  const [{ results }] = await runBatch(databaseOf(env, { database }), [largest]);
  return results.map((workspace) => ({ ...workspace, database }));
}

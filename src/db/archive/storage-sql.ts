/**
 * Measures how much workspaces store: in the log, by a sample of its messages, and in the archive, by the manifest. It
 * is SQL text because a recursive query takes the sample.
 */
import { DAY_MS } from "../../core/durations.ts";
import type { Day } from "../../core/health/model.ts";
import { messageBytes } from "./messages-sql.ts";
import { type Batch, newBatch } from "../client/batch.ts";
import { columnsOf } from "../client/columns-of.ts";
import { databaseOf, type WorkspaceRef } from "../client/database.ts";
import { expression } from "../client/expression.ts";
import { prepareQuery } from "../client/prepare.ts";
import { dayOf, eventsADay, inOwnRange, newestSeq, oldestSeq } from "../client/sql-fragments.ts";
import { runBatch } from "../client/run-statements.ts";
import { archiveFiles, folds, messages, workspaceStates } from "../schema/schema.ts";

const file = columnsOf(archiveFiles);
const fold = columnsOf(folds, "fold");
const message = columnsOf(messages, "message");
const state = columnsOf(workspaceStates, "state");

/** A log of up to this many messages is measured exactly. */
const SAMPLED = 1_000;
/** This many messages are enough to compare workspaces. A database may have hundreds of workspaces. */
const SAMPLED_TO_COMPARE = 100;

/**
 * Prepares the statement that measures the logs of live workspaces with messages. The log has no gaps, so each message of
 * the sample takes one seek.
 * @param condition picks workspaces, called `state`
 * @param bytes the SQL of a message's size
 * @param rest further SQL that limits and sorts the logs
 */
const measure = (condition: string, sampled: number, bytes = messageBytes, rest = "") =>
  prepareQuery(
    {
      number: expression<number>("number"),
      id: expression<string>("id"),
      messages: expression<number>("last - first + 1"),
      bytes: expression<number>(`CAST((last - first + 1) * (
  SELECT avg(${bytes}) FROM places CROSS JOIN ${message.table}
  ON ${message.seq} = first + place * ((last - first + ${sampled}) / ${sampled}) AND ${message.seq} <= last
) AS INTEGER)`),
    },
    (columns) => `
WITH RECURSIVE places (place) AS (SELECT 0 UNION ALL SELECT place + 1 FROM places WHERE place < ${sampled - 1}),
logs AS (
  SELECT ${state.number} AS number, ${state.id} AS id, ${oldestSeq(state.number)} AS first, ${newestSeq(state.number)} AS last
  FROM ${state.table} WHERE ${state.state} = 'live' AND ${condition}
)
SELECT ${columns} FROM logs WHERE first IS NOT NULL ${rest}`,
  );

export interface Stored {
  messages: number;
  bytes: number;
}

const MEASURE_LOG = measure(`${state.number} = :workspace`, SAMPLED);
const MEASURE_ARCHIVE = prepareQuery(
  {
    messages: expression<number>(`coalesce(sum(${file.last} - ${file.first} + 1), 0)`),
    bytes: expression<number>(`coalesce(sum(${file.bytes}), 0)`),
  },
  (columns) => `SELECT ${columns} FROM ${file.table} WHERE ${inOwnRange(file.first, ":workspace")}`,
);
const SELECT_RATE = prepareQuery(
  { events: expression<number>(eventsADay(":workspace", ":today")) },
  (columns) => `SELECT ${columns}`,
);

const NOTHING: Stored = { messages: 0, bytes: 0 };

export type Storage = Awaited<ReturnType<typeof readStorage>>;

/**
 * Measures how much a workspace stores, and how many events arrive a day, on average over the last seven complete days.
 * The bytes in the database are an estimate for rows and their index.
 * @param now milliseconds since the epoch
 */
export async function readStorage(env: Env, workspace: WorkspaceRef, now: number) {
  const batch = newBatch(env, workspace);
  const read = selectStorage(batch, now);
  await batch.run();
  return read();
}

/** Adds the queries of `readStorage`. */
export function selectStorage(batch: Batch, now: number) {
  const readHot = batch.add(MEASURE_LOG);
  const readArchived = batch.add(MEASURE_ARCHIVE);
  const readRate = batch.add(SELECT_RATE, { today: Math.floor(now / DAY_MS) });
  return () => ({
    hot: readHot()[0] ?? NOTHING,
    archived: readArchived()[0] ?? NOTHING,
    eventsADay: readRate()[0]?.events ?? 0,
  });
}

const IS_COLD = `${dayOf(message.receivedAt)} <= :through`;
const MEASURE_COLD = measure(
  "TRUE",
  SAMPLED_TO_COMPARE,
  `iif(${IS_COLD}, ${messageBytes}, 0)`,
  `AND EXISTS (
  SELECT 1 FROM ${message.table} CROSS JOIN ${fold.table}
  ON ${fold.workspace} = number AND ${fold.watermark} >= first AND ${fold.rebuildDay} IS NULL
  WHERE ${message.seq} = first AND ${IS_COLD}
)
ORDER BY bytes DESC`,
);

/** Lists a database's workspaces with folded messages received up to a day, and the messages' bytes, largest first. */
export async function listLargest(env: Env, database: string, through: Day) {
  const [{ results }] = await runBatch(databaseOf(env, { database }), [MEASURE_COLD.bind({ through })]);
  return results.map((workspace) => ({ ...workspace, database }));
}

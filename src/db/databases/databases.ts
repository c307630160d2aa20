/** Reads and changes what the directory knows of databases: which ones take new workspaces, and how large they are. */
import { sql } from "drizzle-orm";

import { FULL_SHARE, ROOMY_SHARE } from "../../core/database-size.ts";
import { DAY_MS } from "../../core/durations.ts";
import { columnsOf } from "../client/columns-of.ts";
import { databaseNames, databaseOf, directory } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { newestSeq, oldestSeq } from "../client/sql-fragments.ts";
import { runBatch, statement } from "../client/statements.ts";
import { databases, folds, messages, workspaceDays, workspaceStates } from "../schema/schema.ts";

/** `full` and `draining` databases take no new workspace. */
export type DatabaseState = "open" | "draining" | "full";

export interface KnownDatabase {
  /** Of the binding. */
  name: string;
  state: DatabaseState;
  /** The size when the cron last measured it. */
  bytes: number;
}

export interface DatabaseFigures extends KnownDatabase {
  workspaces: number;
  /** When the oldest message that no recompute has folded was received. */
  oldestUnfoldedAt: number | null;
  /** Messages in the database, and the events of the last seven complete days. */
  messages: number;
  recentEvents: number;
}

/** Lists all databases that the deployment binds. */
export async function listDatabases(env: Env): Promise<KnownDatabase[]> {
  const rows = await withRetry(() => directory(env).select().from(databases));
  const known = new Map(rows.map((row) => [row.name, row]));
  return databaseNames(env).map((name) => {
    const { draining = false, full = false, bytes = 0 } = known.get(name) ?? {};
    return { name, state: draining ? "draining" : full ? "full" : "open", bytes };
  });
}

/** The days that show how fast a database grows. */
export const RATE_DAYS = 7;

const d = columnsOf(workspaceDays);
const f = columnsOf(folds, "f");
const m = columnsOf(messages);
const w = columnsOf(workspaceStates, "w");

/** ?1 today. */
const SELECT_FIGURES = `
SELECT count(*) AS workspaces, coalesce(sum(${newestSeq(w.number)} - ${oldestSeq(w.number)} + 1), 0) AS messages,
  coalesce(sum((SELECT sum(${d.events}) FROM ${d.table}
    WHERE ${d.workspace} = ${w.number} AND ${d.day} >= ?1 - ${RATE_DAYS} AND ${d.day} < ?1)), 0) AS recentEvents,
  min((SELECT ${m.receivedAt} FROM ${m.table}
    WHERE ${m.seq} > coalesce(${f.watermark}, ${w.number} << 32) AND ${m.seq} < (${w.number} + 1) << 32
    ORDER BY ${m.seq} LIMIT 1)) AS oldestUnfoldedAt
FROM ${w.table} LEFT JOIN ${f.table} ON ${f.workspace} = ${w.number} WHERE ${w.state} = 'live'`;

type Counted = Pick<DatabaseFigures, "workspaces" | "oldestUnfoldedAt" | "messages" | "recentEvents">;
const NOTHING: Counted = { workspaces: 0, oldestUnfoldedAt: null, messages: 0, recentEvents: 0 };

/** Reads the figures of a database, with its size now. @param now milliseconds since the epoch */
export async function readFigures(env: Env, database: KnownDatabase, now: number): Promise<DatabaseFigures> {
  const figures = statement<Counted>(SELECT_FIGURES, Math.floor(now / DAY_MS));
  const [{ results, meta }] = await runBatch(databaseOf(env, { database: database.name }), [figures]);
  return { ...database, ...(results[0] ?? NOTHING), bytes: meta.size_after };
}

export async function setDraining(env: Env, name: string, draining: boolean): Promise<void> {
  const upsert = directory(env).insert(databases).values({ name, draining });
  await withRetry(() => upsert.onConflictDoUpdate({ target: databases.name, set: { draining } }));
}

/** Measures a database, and records its size. */
export async function measureDatabase(env: Env, name: string, maxBytes: number): Promise<void> {
  const [{ meta }] = await runBatch(databaseOf(env, { database: name }), [statement("SELECT 1")]);
  await recordSize(env, name, meta.size_after, maxBytes);
}

/** Records the size of a database. It is full from 90 % on, and until it is below 80 % again. */
export async function recordSize(env: Env, name: string, bytes: number, maxBytes: number): Promise<void> {
  const upsert = directory(env)
    .insert(databases)
    .values({ name, bytes, full: bytes >= FULL_SHARE * maxBytes });
  const full = sql`${bytes} >= ${FULL_SHARE * maxBytes} OR (${databases.full} AND ${bytes} >= ${ROOMY_SHARE * maxBytes})`;
  await withRetry(() => upsert.onConflictDoUpdate({ target: databases.name, set: { bytes, full } }));
}

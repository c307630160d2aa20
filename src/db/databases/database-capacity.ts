/** Reads and changes the directory's records of databases: which ones take new workspaces, and how large they are. */
import { sql } from "drizzle-orm";

import { maxDatabaseBytes } from "../../config.ts";
import type { AuditEntry } from "../../core/audit.ts";
import { FULL_SHARE, ROOMY_SHARE } from "../../core/database-size.ts";
import { DAY_MS } from "../../core/durations.ts";
import { changeAudited } from "../audit/audit-log.ts";
import { columnsOf } from "../client/columns-of.ts";
import { databaseNames, databaseOf, directory } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { expression } from "../client/expression.ts";
import { prepare, prepareQuery } from "../client/prepare.ts";
import { eventsADay, newestSeq, oldestSeq } from "../client/sql-fragments.ts";
import { runBatch } from "../client/run-statements.ts";
import { databases, folds, messages, workspaceStates } from "../schema/schema.ts";

/** Lists all databases that the deployment binds, with their size when the cron last measured it. */
export async function listDatabases(env: Env) {
  const rows = await withRetry(() => directory(env).select().from(databases));
  const known = new Map(rows.map((row) => [row.name, row]));
  return databaseNames(env).map((name) => {
    const { draining = false, full = false, bytes = 0 } = known.get(name) ?? {};
    // Full and draining databases take no new workspace.
    return { name, state: draining ? "draining" : full ? "full" : "open", bytes } as const;
  });
}

const fold = columnsOf(folds, "fold");
const message = columnsOf(messages);
const state = columnsOf(workspaceStates, "state");

/** Counts all messages, and those that arrive in a day. SQL text, because it shares expressions with other text. */
const SELECT_FIGURES = prepareQuery(
  {
    workspaces: expression<number>("count(*)"),
    messages: expression<number>(`coalesce(sum(${newestSeq(state.number)} - ${oldestSeq(state.number)} + 1), 0)`),
    newMessages: expression<number>(`coalesce(sum(${eventsADay(state.number, ":today")}), 0)`),
    /** When the oldest message that no recompute has folded was received. */
    oldestUnfoldedAt: expression<number | null>(`min((
  SELECT ${message.receivedAt} FROM ${message.table}
  WHERE ${message.seq} > coalesce(${fold.watermark}, ${state.number} << 32) AND ${message.seq} < (${state.number} + 1) << 32
  ORDER BY ${message.seq} LIMIT 1))`),
  },
  (columns) => `
SELECT ${columns} FROM ${state.table} LEFT JOIN ${fold.table} ON ${fold.workspace} = ${state.number}
WHERE ${state.state} = 'live'`,
);

export type DatabaseFigures = Awaited<ReturnType<typeof readDatabases>>[number];

/** Reads the figures of all databases, with their size now. */
export async function readDatabases(env: Env, now = Date.now()) {
  const maxBytes = maxDatabaseBytes(env);
  const query = SELECT_FIGURES.bind({ today: Math.floor(now / DAY_MS) });
  const read = (await listDatabases(env)).map(async (known) => {
    const [{ results, meta }] = await runBatch(databaseOf(env, { database: known.name }), [query]);
    const bytes = meta.size_after;
    return results.map(({ messages: count, newMessages, ...figures }) => {
      const bytesADay = (bytes / count) * newMessages;
      // At last week's rate, and if nothing were archived; `null` for never.
      const fullInDays = bytesADay > 0 ? Math.max(0, Math.floor((maxBytes - bytes) / bytesADay)) : null;
      return { ...known, ...figures, bytes, share: bytes / maxBytes, fullInDays };
    });
  });
  return (await Promise.all(read)).flat();
}

export async function setDraining(env: Env, name: string, draining: boolean, audit: AuditEntry): Promise<void> {
  const upsert = directory(env).insert(databases).values({ name, draining });
  await changeAudited(env, upsert.onConflictDoUpdate({ target: databases.name, set: { draining } }), audit);
}

const MEASURE = prepare("SELECT 1").bind({});

/** Records the size of a database. @returns its bytes */
export async function measureDatabase(env: Env, name: string): Promise<number> {
  const [{ meta }] = await runBatch(databaseOf(env, { database: name }), [MEASURE]);
  await recordSize(env, name, meta.size_after);
  return meta.size_after;
}

/** Records the size of a database. A database is full from 90 % on, and stays full until it is below 80 %. */
export async function recordSize(env: Env, name: string, bytes: number): Promise<void> {
  const maxBytes = maxDatabaseBytes(env);
  const upsert = directory(env)
    .insert(databases)
    .values({ name, bytes, full: bytes >= FULL_SHARE * maxBytes });
  const full = sql`${bytes} >= ${FULL_SHARE * maxBytes} OR (${databases.full} AND ${bytes} >= ${ROOMY_SHARE * maxBytes})`;
  await withRetry(() => upsert.onConflictDoUpdate({ target: databases.name, set: { bytes, full } }));
}

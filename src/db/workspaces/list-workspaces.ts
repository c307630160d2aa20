/** Lists workspaces with what the console and the administration show of them. */
import { and, desc, eq, gt, lt, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

import { agreementColumns, type RecordedAgreement } from "../identity/agreement.ts";
import { columnsOf } from "../client/columns-of.ts";
import { type Database, databaseOf, directory } from "../client/database.ts";
import { countStored } from "../events/arrivals.ts";
import { newestSeq } from "../client/sql-fragments.ts";
import { withRetry } from "../client/faults.ts";
import type { Move } from "../moves/moves.ts";
import { type KeySummary, summaryColumns } from "./api-keys.ts";
import { type Workspace, workspaceColumns } from "./workspace-columns.ts";
import { notErased } from "./workspaces.ts";
import {
  agreements,
  apiKeys,
  folds,
  messages,
  moves,
  rejectionCounts,
  workspaces,
  workspaceStates,
} from "../schema/schema.ts";

/**
 * Lists workspaces, newest first, that come after the one with the number `before`. Without it, the lower bound changes no
 * result: it makes SQLite seek instead of scanning the table.
 */
export function listEntries(env: Env, limit: number, before: number | null): Promise<Workspace[]> {
  const isListed = and(notErased, before === null ? gt(workspaces.number, 0) : lt(workspaces.number, before));
  const query = directory(env).select(workspaceColumns).from(workspaces).where(isListed);
  return withRetry(() => query.orderBy(desc(workspaces.number)).limit(limit));
}

/** Whether a column names one of the workspaces. As JSON, because D1 binds at most 100 values. */
const among = (column: SQLiteColumn, listed: readonly Workspace[]) =>
  sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(listed.map(({ number }) => number))}))`;

/** The seq of the newest message of a workspace in the outer query. */
const NEWEST_SEQ = sql.raw(newestSeq(columnsOf(workspaceStates, "workspace_states").number));
/** The figures of a workspace that its database doesn't have. */
const NOT_IN_USE = { newest: null, watermark: null, lastRecomputeAt: null, lastMessageAt: null };

export interface ListedWorkspace extends Workspace {
  /** All messages ever stored. */
  stored: number;
  /** When the newest kept message was received. */
  lastMessageAt: number | null;
  /** The moment that outcomes refer to: `asOf` of the last complete run. */
  lastRecomputeAt: number | null;
}

/** Runs a query in each database of the workspaces. */
async function inDatabases<Row>(
  env: Env,
  entries: readonly Workspace[],
  query: (db: Database, own: readonly Workspace[]) => Promise<Row[]>,
): Promise<Row[]> {
  const groups = Map.groupBy(entries, ({ database }) => database);
  const rows = Array.from(groups, ([database, own]) => withRetry(() => query(databaseOf(env, { database }), own)));
  return (await Promise.all(rows)).flat();
}

async function addFigures(env: Env, entries: readonly Workspace[]): Promise<ListedWorkspace[]> {
  const read = await inDatabases(env, entries, (db, own) =>
    db
      .select({
        number: workspaceStates.number,
        watermark: folds.watermark,
        lastRecomputeAt: folds.asOf,
        newest: messages.seq,
        lastMessageAt: messages.receivedAt,
      })
      .from(workspaceStates)
      .leftJoin(folds, eq(folds.workspace, workspaceStates.number))
      .leftJoin(messages, eq(messages.seq, NEWEST_SEQ))
      .where(among(workspaceStates.number, own)),
  );
  const figures = new Map(read.map((each) => [each.number, each]));
  return entries.map((workspace) => {
    const { newest, watermark, ...known } = figures.get(workspace.number) ?? NOT_IN_USE;
    return { ...workspace, ...known, stored: countStored(workspace, newest, watermark) };
  });
}

/** Counts the messages ever rejected, by the workspace's number. */
async function countRejected(env: Env, entries: readonly Workspace[]): Promise<Map<number, number>> {
  const { workspace, count } = rejectionCounts;
  const read = await inDatabases(env, entries, (db, own) =>
    db
      .select({ workspace, count: sql<number>`sum(${count})` })
      .from(rejectionCounts)
      .where(among(workspace, own))
      .groupBy(workspace),
  );
  return new Map(read.map((each) => [each.workspace, each.count]));
}

/** Lists workspaces as `listEntries` does, with figures. */
export const listWorkspaces = async (env: Env, limit: number, before: number | null): Promise<ListedWorkspace[]> =>
  addFigures(env, await listEntries(env, limit, before));

export interface WorkspaceDetails extends ListedWorkspace {
  /** All messages ever rejected. */
  rejected: number;
  keys: KeySummary[];
  /** All acceptances of the data processing agreement, newest first. */
  agreements: RecordedAgreement[];
  /** The running move to another database. */
  move: Move | null;
}

const MAX_AGREEMENTS = 200;

/** Reads what the administration shows of workspaces, in their order. The number of statements doesn't depend on theirs. */
export async function readWorkspaceDetails(env: Env, entries: readonly Workspace[]): Promise<WorkspaceDetails[]> {
  const db = directory(env);
  const [[keys, recorded, running], listed, rejected] = await Promise.all([
    withRetry(() =>
      db.batch([
        db
          .select({ workspace: apiKeys.workspace, key: summaryColumns })
          .from(apiKeys)
          .where(among(apiKeys.workspace, entries))
          .orderBy(apiKeys.createdAt),
        db
          .select({ workspace: agreements.workspace, agreement: agreementColumns })
          .from(agreements)
          .where(among(agreements.workspace, entries))
          .orderBy(desc(agreements.id)),
        db.select().from(moves).where(among(moves.workspace, entries)),
      ]),
    ),
    addFigures(env, entries),
    countRejected(env, entries),
  ]);
  return listed.map((workspace) => {
    const { number } = workspace;
    const accepted = recorded.flatMap(({ workspace: own, agreement }) => (own === number ? [agreement] : []));
    return {
      ...workspace,
      rejected: rejected.get(number) ?? 0,
      keys: keys.flatMap(({ workspace: own, key }) => (own === number ? [key] : [])),
      agreements: accepted.slice(0, MAX_AGREEMENTS),
      move: running.find(({ workspace: own }) => own === number) ?? null,
    };
  });
}

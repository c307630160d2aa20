/** Creates, reads and changes workspaces. */
import { max } from "d3-array";
import { and, desc, eq, gt, isNotNull, isNull, lt, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";

import { agreementColumns, type RecordedAgreement } from "../identity/agreement.ts";
import { columnsOf } from "../client/columns-of.ts";
import { type Database, databaseOf, directory, type WorkspaceRef } from "../client/database.ts";
import { countStored } from "../events/newest-arrivals.ts";
import { newestSeq } from "../client/sql-fragments.ts";
import { once, withRetry } from "../client/faults.ts";
import type { Move } from "../moves/moves.ts";
import { workspaceRefColumns } from "./workspace-ref.ts";
import { insertKeyQuery, type KeySummary, type NewKey, summaryColumns } from "./api-keys.ts";
import {
  agreements,
  apiKeys,
  folds,
  MAX_WORKSPACE_NUMBER,
  messages,
  moves,
  NUMBER_LIMIT,
  rejectionCounts,
  workspaces,
  workspaceStates,
} from "../schema/schema.ts";

export type Workspace = Pick<typeof workspaces.$inferSelect, keyof typeof workspaceColumns>;

export interface WorkspaceDetails extends Workspace {
  keys: KeySummary[];
  /** All acceptances of the data processing agreement, newest first. */
  agreements: RecordedAgreement[];
  /** All messages ever stored, and ever rejected. */
  stored: number;
  rejected: number;
  /** The moment that outcomes refer to: `asOf` of the last complete run. */
  lastRecomputeAt: number | null;
  /** The running move to another database. */
  move: Move | null;
}

const MAX_AGREEMENTS = 200;

const live = isNull(workspaces.erasedAt);
export const workspaceColumns = {
  ...workspaceRefColumns,
  name: workspaces.name,
  writeLimit: workspaces.writeLimit,
  storageLimitBytes: workspaces.storageLimitBytes,
  createdAt: workspaces.createdAt,
};

/**
 * Enters a new workspace in the directory. Until it is opened, it is marked as being erased, so that the cron removes it
 * when its creation is interrupted.
 * @returns its number, or `null` when a workspace has this id
 * @throws an error that says so when no workspace number is left
 */
export async function insertWorkspace(env: Env, workspace: Omit<Workspace, "number">): Promise<number | null> {
  const [inserted] = await once(() =>
    directory(env)
      .insert(workspaces)
      .values({ ...workspace, erasedAt: workspace.createdAt })
      .onConflictDoNothing({ target: workspaces.id })
      .returning({ number: workspaces.number }),
  ).catch(describeLimit);
  return inserted?.number ?? null;
}

/** Opens a new workspace with its first key. @returns false when the cron removes it, because this came too late */
export async function openWorkspace(
  env: Env,
  { id, number, database, createdAt }: Workspace,
  key: NewKey,
): Promise<boolean> {
  const state = databaseOf(env, { database }).insert(workspaceStates).values({ number, id, state: "live" });
  await withRetry(() => state.onConflictDoNothing());
  const db = directory(env);
  const [opened] = await once(() =>
    db.batch([
      db
        .update(workspaces)
        .set({ erasedAt: null })
        .where(and(eq(workspaces.number, number), eq(workspaces.erasedAt, createdAt))),
      insertKeyQuery(db, id, key),
    ]),
  );
  return opened.meta.changes > 0;
}

function describeLimit(error: unknown): never {
  if (!String(error).includes(NUMBER_LIMIT)) throw error;
  throw new Error(`All ${MAX_WORKSPACE_NUMBER} workspace numbers are assigned, and none is ever reused.`, {
    cause: error,
  });
}

export const findWorkspace = (env: Env, id: string): Promise<Workspace | null> =>
  findWhere(env, and(eq(workspaces.id, id), live));

/** Also finds a workspace whose erasure was interrupted. */
export const findWorkspaceToErase = (env: Env, id: string): Promise<WorkspaceRef | null> =>
  findWhere(env, eq(workspaces.id, id));

async function findWhere(env: Env, condition: SQL | undefined): Promise<Workspace | null> {
  const [row] = await withRetry(() => directory(env).select(workspaceColumns).from(workspaces).where(condition));
  return row ?? null;
}

/**
 * Whether a workspace comes after the one with the number `before`, the last on the previous page, when the newest is
 * first. The lower bound changes no result. It makes SQLite seek instead of scanning the table.
 */
const isListed = (before: number | null) =>
  and(live, before === null ? gt(workspaces.number, 0) : lt(workspaces.number, before));

export interface ListedWorkspace extends Workspace {
  /** All messages ever stored, including deleted ones. */
  stored: number;
  /** When the newest kept message was received. */
  lastMessageAt: number | null;
}

interface WorkspaceList {
  /** Newest first. */
  workspaces: ListedWorkspace[];
  /** When accounts were last scored; `null` before the first recompute. */
  updatedAt: number | null;
}

/** The seq of the newest message of a workspace in the outer query. */
const NEWEST_SEQ = sql.raw(newestSeq(columnsOf(workspaceStates, "workspace_states").number));

/** Whether a column names one of the workspaces. As JSON, because D1 binds at most 100 values. */
const among = (column: SQLiteColumn, listed: readonly Workspace[]) =>
  sql`${column} IN (SELECT value FROM json_each(${JSON.stringify(listed.map(({ number }) => number))}))`;

const figuresQuery = (db: Database, listed: readonly Workspace[]) =>
  db
    .select({
      number: workspaceStates.number,
      watermark: folds.watermark,
      asOf: folds.asOf,
      newest: messages.seq,
      lastMessageAt: messages.receivedAt,
    })
    .from(workspaceStates)
    .leftJoin(folds, eq(folds.workspace, workspaceStates.number))
    .leftJoin(messages, eq(messages.seq, NEWEST_SEQ))
    .where(among(workspaceStates.number, listed));

/** Runs a query in each database that holds some of the workspaces. */
async function inTheirDatabases<R>(
  env: Env,
  listed: readonly Workspace[],
  query: (db: Database, own: readonly Workspace[]) => Promise<R[]>,
): Promise<R[]> {
  const groups = Map.groupBy(listed, ({ database }) => database);
  const read = Array.from(groups, ([database, own]) => query(databaseOf(env, { database }), own));
  return (await Promise.all(read)).flat();
}

/** Lists workspaces with figures, newest first, that come after the one with the number `before`. */
export async function listWorkspaces(env: Env, limit: number, before: number | null): Promise<WorkspaceList> {
  const rows = await withRetry(() =>
    directory(env)
      .select(workspaceColumns)
      .from(workspaces)
      .where(isListed(before))
      .orderBy(desc(workspaces.number))
      .limit(limit),
  );
  const read = await inTheirDatabases(env, rows, (db, own) => withRetry(() => figuresQuery(db, own)));
  const figures = new Map(read.map((each) => [each.number, each]));
  return {
    workspaces: rows.map((workspace) => {
      const { watermark, newest, lastMessageAt = null } = figures.get(workspace.number) ?? {};
      return { ...workspace, stored: countStored(workspace, newest, watermark), lastMessageAt };
    }),
    updatedAt: max(read, ({ asOf }) => asOf) ?? null,
  };
}

/** Reads what the administration shows of workspaces, in their order. The number of statements doesn't depend on theirs. */
export async function readWorkspaceDetails(env: Env, listed: readonly Workspace[]): Promise<WorkspaceDetails[]> {
  const entries = directory(env);
  const [[keys, recorded, running], read] = await Promise.all([
    withRetry(() =>
      entries.batch([
        entries
          .select({ workspace: apiKeys.workspace, key: summaryColumns })
          .from(apiKeys)
          .where(among(apiKeys.workspace, listed))
          .orderBy(apiKeys.createdAt),
        entries
          .select({ workspace: agreements.workspace, agreement: agreementColumns })
          .from(agreements)
          .where(among(agreements.workspace, listed))
          .orderBy(desc(agreements.id)),
        entries.select().from(moves).where(among(moves.workspace, listed)),
      ]),
    ),
    inTheirDatabases(env, listed, async (db, own) => {
      const [figures, rejected] = await withRetry(() => db.batch([figuresQuery(db, own), rejectedQuery(db, own)]));
      const counts = new Map(rejected.map(({ workspace, count }) => [workspace, count]));
      return figures.map((each) => ({ ...each, rejected: counts.get(each.number) ?? 0 }));
    }),
  ]);
  const figures = new Map(read.map((each) => [each.number, each]));
  return listed.map((workspace) => {
    const { number } = workspace;
    const { newest, watermark, rejected = 0, asOf = null } = figures.get(number) ?? {};
    return {
      ...workspace,
      keys: keys.flatMap(({ workspace: own, key }) => (own === number ? [key] : [])),
      agreements: recorded
        .flatMap(({ workspace: own, agreement }) => (own === number ? [agreement] : []))
        .slice(0, MAX_AGREEMENTS),
      stored: countStored(workspace, newest, watermark),
      rejected,
      lastRecomputeAt: asOf,
      move: running.find(({ workspace: own }) => own === number) ?? null,
    };
  });
}

const rejectedQuery = (db: Database, listed: readonly Workspace[]) =>
  db
    .select({ workspace: rejectionCounts.workspace, count: sql<number>`sum(${rejectionCounts.count})` })
    .from(rejectionCounts)
    .where(among(rejectionCounts.workspace, listed))
    .groupBy(rejectionCounts.workspace);

/** Lists the workspaces with a storage limit. */
export const listLimited = (env: Env): Promise<WorkspaceRef[]> =>
  withRetry(() =>
    directory(env)
      .select(workspaceRefColumns)
      .from(workspaces)
      .where(and(live, isNotNull(workspaces.storageLimitBytes))),
  );

/** @returns `null` without a limit */
export async function readStorageLimit(env: Env, { number }: WorkspaceRef): Promise<number | null> {
  const { storageLimitBytes } = workspaces;
  const read = directory(env).select({ storageLimitBytes }).from(workspaces).where(eq(workspaces.number, number));
  return (await withRetry(() => read))[0]?.storageLimitBytes ?? null;
}

/** The fields of a workspace that may change. Those that are absent or undefined stay. */
export interface WorkspaceChange {
  name?: string | undefined;
  writeLimit?: number | undefined;
  storageLimitBytes?: number | null | undefined;
}

export async function updateWorkspace(env: Env, workspace: WorkspaceRef, change: WorkspaceChange): Promise<void> {
  if (Object.values(change).every((value) => value === undefined)) return;
  const update = directory(env).update(workspaces).set(change);
  await withRetry(() => update.where(eq(workspaces.number, workspace.number)));
}

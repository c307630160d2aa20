/** Creates, reads and changes workspaces. */
import { and, desc, eq, gt, isNull, lt, type SQL, sql } from "drizzle-orm";

import { agreementsQuery, type RecordedAgreement } from "../identity/agreement.ts";
import { columnsOf } from "../client/columns-of.ts";
import { databaseOf, directory, type WorkspaceRef } from "../client/database.ts";
import { countStored, newestSeqQuery } from "../events/newest-arrivals.ts";
import { newestSeq } from "../client/sql-fragments.ts";
import { once, withRetry } from "../client/faults.ts";
import { insertKeyQuery, type KeySummary, type NewKey, summaryColumns } from "./api-keys.ts";
import { lastRunQuery } from "../recompute/runs.ts";
import {
  apiKeys,
  folds,
  MAX_WORKSPACE_NUMBER,
  messages,
  NUMBER_LIMIT,
  rejectionCounts,
  workspaces,
} from "../schema/schema.ts";

export type Workspace = Pick<typeof workspaces.$inferSelect, keyof typeof workspaceColumns>;

export interface WorkspaceDetails extends Workspace {
  keys: KeySummary[];
  /** All acceptances of the data processing agreement, newest first. */
  agreements: RecordedAgreement[];
  /** All messages ever stored, and ever rejected. */
  stored: number;
  rejected: number;
  /** The moment that outcomes refer to: `asOf` of the last run that finished. */
  lastRecomputeAt: number | null;
}

const MAX_AGREEMENTS = 200;

const live = isNull(workspaces.erasedAt);
const workspaceColumns = {
  id: workspaces.id,
  number: workspaces.number,
  name: workspaces.name,
  writeLimit: workspaces.writeLimit,
  createdAt: workspaces.createdAt,
};

/** @throws an error that says so when no workspace number is left */
export async function insertWorkspace(env: Env, workspace: Omit<Workspace, "number">, key: NewKey): Promise<void> {
  const db = directory(env);
  try {
    await once(() => db.batch([db.insert(workspaces).values(workspace), insertKeyQuery(db, workspace.id, key)]));
  } catch (error) {
    if (!String(error).includes(NUMBER_LIMIT)) throw error;
    throw new Error(`All ${MAX_WORKSPACE_NUMBER} workspace numbers are assigned, and none is ever reused.`, {
      cause: error,
    });
  }
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
const NEWEST_SEQ = sql.raw(newestSeq(columnsOf(workspaces, "workspaces").number));

/** Lists workspaces with figures, newest first, that come after the one with the number `before`. */
export async function listWorkspaces(env: Env, limit: number, before: number | null): Promise<WorkspaceList> {
  const db = directory(env);
  const [rows, [run]] = await withRetry(() =>
    db.batch([
      db
        .select({
          ...workspaceColumns,
          watermark: folds.watermark,
          newest: messages.seq,
          lastMessageAt: messages.receivedAt,
        })
        .from(workspaces)
        .leftJoin(folds, eq(folds.workspace, workspaces.number))
        .leftJoin(messages, eq(messages.seq, NEWEST_SEQ))
        .where(isListed(before))
        .orderBy(desc(workspaces.number))
        .limit(limit),
      lastRunQuery(db),
    ]),
  );
  return {
    workspaces: rows.map(({ watermark, newest, ...workspace }) => ({
      ...workspace,
      stored: countStored(workspace, newest, watermark),
    })),
    updatedAt: run?.asOf ?? null,
  };
}

/** Reads what the administration shows of a workspace. Its database has its keys and agreements too. */
export async function readWorkspaceDetails(env: Env, workspace: Workspace): Promise<WorkspaceDetails> {
  const db = databaseOf(env, workspace);
  const { number } = workspace;
  const [keys, recorded, [log], [fold], [run], [rejections]] = await withRetry(() =>
    db.batch([
      db.select(summaryColumns).from(apiKeys).where(eq(apiKeys.workspace, number)).orderBy(apiKeys.createdAt),
      agreementsQuery(db, workspace, MAX_AGREEMENTS),
      newestSeqQuery(db, workspace),
      db.select({ watermark: folds.watermark }).from(folds).where(eq(folds.workspace, number)),
      lastRunQuery(db),
      db
        .select({ count: sql<number>`coalesce(sum(${rejectionCounts.count}), 0)` })
        .from(rejectionCounts)
        .where(eq(rejectionCounts.workspace, number)),
    ]),
  );
  return {
    ...workspace,
    keys,
    agreements: recorded,
    stored: countStored(workspace, log?.newest, fold?.watermark),
    rejected: rejections?.count ?? 0,
    lastRecomputeAt: run?.asOf ?? null,
  };
}

export async function updateWorkspace(
  env: Env,
  workspace: WorkspaceRef,
  { name, writeLimit }: { name?: string | undefined; writeLimit?: number | undefined },
): Promise<void> {
  if (name === undefined && writeLimit === undefined) return;
  const change = directory(env).update(workspaces).set({ name, writeLimit });
  await withRetry(() => change.where(eq(workspaces.number, workspace.number)));
}

/** Creates, reads and changes workspaces. */
import { and, desc, eq, isNull, lt, type SQL, sql } from "drizzle-orm";

import { agreementsQuery, type RecordedAgreement } from "../identity/agreement.ts";
import { databaseOf, directory, type WorkspaceRef } from "../client/database.ts";
import { countStored, newestSeqQuery } from "../events/newest-arrivals.ts";
import { once, withRetry } from "../client/faults.ts";
import { insertKeyQuery, type KeySummary, type NewKey, summaryColumns } from "./api-keys.ts";
import { lastRunQuery } from "../recompute/runs.ts";
import { apiKeys, folds, rejectionCounts, workspaces } from "../schema/schema.ts";

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

/** The most acceptances in a response. */
const MAX_AGREEMENTS = 200;

const live = isNull(workspaces.erasedAt);
export const workspaceColumns = {
  id: workspaces.id,
  number: workspaces.number,
  name: workspaces.name,
  writeLimit: workspaces.writeLimit,
  createdAt: workspaces.createdAt,
};

/** Creates a workspace and its first key in one transaction. */
export async function insertWorkspace(env: Env, workspace: Omit<Workspace, "number">, key: NewKey): Promise<void> {
  const db = directory(env);
  await once(() => db.batch([db.insert(workspaces).values(workspace), insertKeyQuery(db, workspace.id, key)]));
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

/** Lists workspaces, newest first, that come after the one with the number `before`. */
export async function listWorkspaces(env: Env, limit: number, before: number | null): Promise<Workspace[]> {
  return withRetry(() =>
    directory(env)
      .select(workspaceColumns)
      .from(workspaces)
      .where(and(live, before === null ? undefined : lt(workspaces.number, before)))
      .orderBy(desc(workspaces.number))
      .limit(limit),
  );
}

/** Reads what the administration shows of a workspace. */
export async function describeWorkspace(env: Env, workspace: Workspace): Promise<WorkspaceDetails> {
  const db = databaseOf(env, workspace);
  const [[keys, recorded], [[log], [fold], [run], [rejections]]] = await Promise.all([
    withRetry(() =>
      directory(env).batch([
        directory(env)
          .select(summaryColumns)
          .from(apiKeys)
          .where(eq(apiKeys.workspace, workspace.number))
          .orderBy(apiKeys.createdAt),
        agreementsQuery(directory(env), workspace, MAX_AGREEMENTS),
      ]),
    ),
    withRetry(() =>
      db.batch([
        newestSeqQuery(db, workspace),
        db.select({ watermark: folds.watermark }).from(folds).where(eq(folds.workspace, workspace.number)),
        lastRunQuery(db),
        db
          .select({ count: sql<number>`coalesce(sum(${rejectionCounts.count}), 0)` })
          .from(rejectionCounts)
          .where(eq(rejectionCounts.workspace, workspace.number)),
      ]),
    ),
  ]);
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

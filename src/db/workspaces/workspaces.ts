/** Workspaces, as the administration makes, reads, changes and erases them. */
import { and, desc, eq, isNull, sql } from "drizzle-orm";

import { type RecordedAgreement, recordedColumns } from "../identity/agreement.ts";
import { databaseOf, directory, seqRange, type WorkspaceRef } from "../client/database.ts";
import { once, withRetry } from "../client/faults.ts";
import { insertKeyQuery, type KeySummary, type NewKey, summaryColumns } from "./api-keys.ts";
import { lastRunQuery } from "../recompute/runs.ts";
import { agreements, apiKeys, folds, messages, rejectionCounts, workspaces } from "../schema/schema.ts";

export interface Workspace extends WorkspaceRef {
  name: string;
  /** Messages per window. */
  writeLimit: number;
  createdAt: number;
}

export interface WorkspaceDetails extends Workspace {
  keys: KeySummary[];
  /** Every acceptance of the data processing agreement, the newest first. */
  agreements: RecordedAgreement[];
  /** Messages ever stored, and ever rejected. */
  stored: number;
  rejected: number;
  /** As of when outcomes stand: the moment that the last recompute which came to its end judged by. */
  lastRecomputeAt: number | null;
}

/** The most of them that an answer carries. */
const MAX_AGREEMENTS = 200;

const live = isNull(workspaces.erasedAt);
const workspaceColumns = {
  id: workspaces.id,
  number: workspaces.number,
  name: workspaces.name,
  writeLimit: workspaces.writeLimit,
  createdAt: workspaces.createdAt,
};

/** Makes a workspace and its first key together. */
export async function insertWorkspace(env: Env, workspace: Omit<Workspace, "number">, key: NewKey): Promise<void> {
  const db = directory(env);
  await once(() => db.batch([db.insert(workspaces).values(workspace), insertKeyQuery(db, workspace.id, key)]));
}

export async function findWorkspace(env: Env, id: string): Promise<Workspace | null> {
  const [row] = await withRetry(() =>
    directory(env)
      .select(workspaceColumns)
      .from(workspaces)
      .where(and(eq(workspaces.id, id), live)),
  );
  return row ?? null;
}

/** Also finds one whose erasure began and did not come to its end. */
export async function findWorkspaceToErase(env: Env, id: string): Promise<WorkspaceRef | null> {
  const [row] = await withRetry(() =>
    directory(env)
      .select({ id: workspaces.id, number: workspaces.number })
      .from(workspaces)
      .where(eq(workspaces.id, id)),
  );
  return row ?? null;
}

/** The newest first, from `before` (a workspace's number) on. */
export async function listWorkspaces(env: Env, limit: number, before: number | null): Promise<Workspace[]> {
  return withRetry(() =>
    directory(env)
      .select(workspaceColumns)
      .from(workspaces)
      .where(and(live, before === null ? undefined : sql`${workspaces.number} < ${before}`))
      .orderBy(desc(workspaces.number))
      .limit(limit),
  );
}

/** What the administration shows of a workspace. */
export async function describeWorkspace(env: Env, workspace: Workspace): Promise<WorkspaceDetails> {
  const db = databaseOf(env, workspace);
  const { first, last } = seqRange(workspace);
  const [[keys, recorded], [[log], [fold], [run], [rejections]]] = await Promise.all([
    withRetry(() =>
      directory(env).batch([
        directory(env)
          .select(summaryColumns)
          .from(apiKeys)
          .where(eq(apiKeys.workspace, workspace.number))
          .orderBy(apiKeys.createdAt),
        directory(env)
          .select(recordedColumns)
          .from(agreements)
          .where(eq(agreements.workspace, workspace.number))
          .orderBy(desc(agreements.id))
          .limit(MAX_AGREEMENTS),
      ]),
    ),
    withRetry(() =>
      db.batch([
        // The log numbers a workspace's messages from 1, so the newest number is their count, those deleted included.
        db
          .select({ newest: sql<number | null>`max(${messages.seq})` })
          .from(messages)
          .where(sql`${messages.seq} BETWEEN ${first} AND ${last}`),
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
    stored: Math.max(log?.newest ?? 0, fold?.watermark ?? 0, first - 1) - first + 1,
    rejected: rejections?.count ?? 0,
    lastRecomputeAt: run?.asOf ?? null,
  };
}

export async function updateWorkspace(
  env: Env,
  workspace: WorkspaceRef,
  change: { name?: string | undefined; writeLimit?: number | undefined },
): Promise<void> {
  const set = {
    ...(change.name === undefined ? {} : { name: change.name }),
    ...(change.writeLimit === undefined ? {} : { writeLimit: change.writeLimit }),
  };
  if (Object.keys(set).length === 0) return;
  await withRetry(() => directory(env).update(workspaces).set(set).where(eq(workspaces.number, workspace.number)));
}

/** Creates, finds and changes workspaces. */
import { and, eq, isNotNull, isNull, type SQL, sql } from "drizzle-orm";

import { columnsOf } from "../client/columns-of.ts";
import { databaseOf, directory, type WorkspaceRef } from "../client/database.ts";
import { once, withRetry } from "../client/faults.ts";
import { sendBatch, statement } from "../client/statements.ts";
import { workspaces, workspaceStates } from "../schema/schema.ts";
import { findGrant, insertKeyStatement, type KeyGrant, type NewKey } from "./api-keys.ts";

export type Workspace = typeof workspaces.$inferSelect;

/** The columns of a `WorkspaceRef`. */
export const workspaceRefColumns = { id: workspaces.id, number: workspaces.number, database: workspaces.database };

export const notErased = isNull(workspaces.erasedAt);

/**
 * Enters a new workspace in the directory. Until it is opened, it is marked as being erased, so that the cron removes it
 * when its creation is interrupted.
 * @returns `null` when a workspace has this id
 */
export async function insertWorkspace(
  env: Env,
  workspace: Pick<Workspace, "id" | "name" | "writeLimit" | "database" | "createdAt">,
): Promise<Workspace | null> {
  const insertion = directory(env)
    .insert(workspaces)
    .values({ ...workspace, erasedAt: workspace.createdAt });
  const [inserted] = await once(() => insertion.onConflictDoNothing({ target: workspaces.id }).returning());
  return inserted ?? null;
}

const w = columnsOf(workspaces);
const OPEN = `UPDATE ${w.table} SET ${w.erasedAt} = NULL WHERE ${w.number} = ?1 AND ${w.erasedAt} = ?2`;

/**
 * Gives a workspace that is being created a number above all others, when the journal knows another workspace with its own.
 * @param newest the highest number in the journal
 * @returns `null` when the cron removes the workspace
 */
export async function renumber(env: Env, { number, createdAt }: Workspace, newest: number): Promise<Workspace | null> {
  const next = { number: sql`(SELECT max(max(${workspaces.number}), ${newest}) + 1 FROM ${workspaces})` };
  const own = and(eq(workspaces.number, number), eq(workspaces.erasedAt, createdAt));
  const [changed] = await once(() => directory(env).update(workspaces).set(next).where(own).returning());
  return changed ?? null;
}

/**
 * Opens a new workspace with its first key.
 * @returns false when another request has opened it, when the cron removes it because this came too late, or when its
 *   database knows another workspace with this number
 */
export async function openWorkspace(
  env: Env,
  { id, number, database, createdAt }: Workspace,
  key: NewKey,
): Promise<boolean> {
  const db = databaseOf(env, { database });
  const own = db
    .select()
    .from(workspaceStates)
    .where(and(eq(workspaceStates.number, number), eq(workspaceStates.id, id)));
  const insertion = db.insert(workspaceStates).values({ number, id, state: "live" }).onConflictDoNothing();
  if ((await withRetry(() => db.batch([insertion, own])))[1].length === 0) return false;
  const opening = [insertKeyStatement(id, key, createdAt), statement(OPEN, number, createdAt)] as const;
  const [, opened] = await once(() => sendBatch(directory(env), opening));
  return opened.meta.changes > 0;
}

export const findWorkspace = (env: Env, id: string): Promise<Workspace | null> =>
  findWhere(env, and(eq(workspaces.id, id), notErased));

export interface OpenWorkspace extends Workspace {
  /** The scopes of the key; `null` for all. */
  scopes: KeyGrant["scopes"];
}

/** Opens the workspace of a console session: an administrator's by its id, a key's by the key's id, while both exist. */
export async function findOpened(env: Env, opener: { id: string } | { keyId: string }): Promise<OpenWorkspace | null> {
  if ("keyId" in opener) {
    const grant = await findGrant(env, opener);
    return grant && { ...grant.workspace, scopes: grant.scopes };
  }
  const workspace = await findWorkspace(env, opener.id);
  return workspace && { ...workspace, scopes: null };
}

/** Also finds a workspace that is being created or erased. */
export const findInAnyState = (env: Env, id: string): Promise<Workspace | null> =>
  findWhere(env, eq(workspaces.id, id));

async function findWhere(env: Env, condition: SQL | undefined): Promise<Workspace | null> {
  const [row] = await withRetry(() => directory(env).select().from(workspaces).where(condition));
  return row ?? null;
}

export const listWhere = (env: Env, condition: SQL | undefined): Promise<WorkspaceRef[]> =>
  withRetry(() => directory(env).select(workspaceRefColumns).from(workspaces).where(condition));

/** Lists the workspaces with a storage limit. */
export const listLimited = (env: Env): Promise<WorkspaceRef[]> =>
  listWhere(env, and(notErased, isNotNull(workspaces.storageLimitBytes)));

type Changeable = "name" | "writeLimit" | "storageLimitBytes" | "rates" | "currency";
/** The fields of a workspace that may change. Those that are absent or undefined stay. */
export type WorkspaceChange = { [Field in Changeable]?: Workspace[Field] | undefined };

/** @returns the changed workspace */
export async function updateWorkspace(env: Env, workspace: Workspace, change: WorkspaceChange): Promise<Workspace> {
  if (Object.values(change).every((value) => value === undefined)) return workspace;
  const update = directory(env).update(workspaces).set(change).where(eq(workspaces.number, workspace.number));
  const [changed = workspace] = await withRetry(() => update.returning());
  return changed;
}

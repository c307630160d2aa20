/** Finds workspaces in the directory. */
import { and, eq, isNotNull, isNull, type SQL } from "drizzle-orm";

import { directory, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { workspaces } from "../schema/schema.ts";
import { findGrant, type KeyGrant } from "./api-keys.ts";

export type Workspace = typeof workspaces.$inferSelect;

/** The columns of a `WorkspaceRef`. */
export const workspaceRefColumns = { id: workspaces.id, number: workspaces.number, database: workspaces.database };

export const notErased = isNull(workspaces.erasedAt);

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

/** Finds workspaces in the directory. */
import { and, eq, isNotNull, isNull, type SQL } from "drizzle-orm";

import { DIRECTORY } from "../../config.ts";
import { directory, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { newReadSession, type ReadSession, shareSession } from "../client/read.ts";
import { workspaces } from "../schema/schema.ts";
import { findGrant, type KeyGrant } from "./api-keys.ts";

export type Workspace = typeof workspaces.$inferSelect;

/** The columns of a `WorkspaceRef`. */
export const workspaceRefColumns = { id: workspaces.id, number: workspaces.number, database: workspaces.database };

export const notErased = isNull(workspaces.erasedAt);

export const findWorkspace = (env: Env, id: string, session?: ReadSession): Promise<Workspace | null> =>
  findWhere(env, and(eq(workspaces.id, id), notErased), session);

export interface OpenWorkspace extends Workspace {
  /** The scopes of the key; `null` for all. */
  scopes: KeyGrant["scopes"];
  /** `null` for the administrator. */
  key: Pick<KeyGrant, "keyId" | "name"> | null;
}

type Opener = { id: string } | { keyId: string };

/**
 * Opens the workspace of a console session: an administrator's by its id, a key's by the key's id, while both exist.
 * @param onlyReads whether the request writes nothing, so that a read replica may run its later reads
 */
export async function findOpened(env: Env, opener: Opener, onlyReads: boolean): Promise<OpenWorkspace | null> {
  const session = newReadSession(env, DIRECTORY);
  const opened = await findOpenedIn(session, env, opener);
  if (opened !== null && onlyReads) shareSession(opened, session);
  return opened;
}

async function findOpenedIn(session: ReadSession, env: Env, opener: Opener): Promise<OpenWorkspace | null> {
  if ("keyId" in opener) {
    const grant = await findGrant(env, opener, session);
    return grant && { ...grant.workspace, scopes: grant.scopes, key: grant };
  }
  const workspace = await findWorkspace(env, opener.id, session);
  return workspace && { ...workspace, scopes: null, key: null };
}

/** Also finds a workspace that is being created or erased. */
export const findInAnyState = (env: Env, id: string): Promise<Workspace | null> =>
  findWhere(env, eq(workspaces.id, id));

async function findWhere(env: Env, condition: SQL | undefined, session?: ReadSession): Promise<Workspace | null> {
  const [row] = await withRetry(() => directory(env, session).select().from(workspaces).where(condition));
  return row ?? null;
}

export const listWhere = (env: Env, condition: SQL | undefined): Promise<WorkspaceRef[]> =>
  withRetry(() => directory(env).select(workspaceRefColumns).from(workspaces).where(condition));

/** Lists the workspaces with a storage limit. */
export const listLimited = (env: Env): Promise<WorkspaceRef[]> =>
  listWhere(env, and(notErased, isNotNull(workspaces.storageLimitBytes)));

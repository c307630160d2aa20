/** Finds workspaces in the directory. */
import { and, eq, isNotNull, isNull, type SQL } from "drizzle-orm";

import { DIRECTORY } from "../../config.ts";
import { isAdministrator, READ_ONLY, scopesOf } from "../../core/role.ts";
import { directory, type WorkspaceRef } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { newReadSession, type ReadSession, shareSession } from "../client/read.ts";
import type { AdminToken, Person } from "../people/people.ts";
import { adminTokens, people, workspaces } from "../schema/schema.ts";
import { findGrant, type KeyGrant } from "./api-keys.ts";

export type Workspace = typeof workspaces.$inferSelect;

/** The columns of a `WorkspaceRef`. */
export const workspaceRefColumns = { id: workspaces.id, number: workspaces.number, database: workspaces.database };

export const notErased = isNull(workspaces.erasedAt);

export const findWorkspace = (env: Env, id: string, session?: ReadSession): Promise<Workspace | null> =>
  findWhere(env, and(eq(workspaces.id, id), notErased), session);

/** What a request to the console proves of its user, before the directory is asked. */
export type Proof =
  | { by: "admin" }
  | { by: "token"; tokenId: string }
  | { by: "key"; keyId: string }
  | { by: "person"; email: string };

/** Who uses the console. A key's session opens only the workspace of that key. */
export type ConsoleUser =
  | { by: "admin" }
  | { by: "token"; token: AdminToken }
  | { by: "key"; key: KeyGrant }
  | { by: "person"; person: Person };

export interface OpenWorkspace extends Workspace {
  /** The scopes of the user; `null` for all. */
  scopes: KeyGrant["scopes"];
  user: ConsoleUser;
}

/**
 * Finds the user of the console, and the workspace to open, in one round trip.
 * @param id of the workspace; `undefined` for none. A key opens its own
 * @param onlyReads whether the request writes nothing, so that a read replica may run its later reads
 * @returns `user` is `null` once the token, the key or the person is gone; `workspace` also if the user may not open it
 */
export async function findOpened(
  env: Env,
  proof: Proof,
  id: string | undefined,
  onlyReads: boolean,
): Promise<{ user: ConsoleUser | null; workspace: OpenWorkspace | null }> {
  if (proof.by === "admin" && id === undefined) return { user: proof, workspace: null };
  const session = newReadSession(env, DIRECTORY);
  const { user, workspace: found } = await findIn(session, env, proof, id ?? "");
  if (user === null || found === null || !mayOpen(user, found)) return { user, workspace: null };
  const workspace = { ...found, scopes: scopesOfUser(user), user };
  if (onlyReads) shareSession(workspace, session);
  return { user, workspace };
}

interface Found {
  user: ConsoleUser | null;
  workspace: Workspace | null;
}

async function findIn(session: ReadSession, env: Env, proof: Proof, id: string): Promise<Found> {
  if (proof.by === "admin") return { user: proof, workspace: await findWorkspace(env, id, session) };
  if (proof.by === "key") {
    const key = await findGrant(env, proof, session);
    return { user: key && { by: "key", key }, workspace: key && key.workspace };
  }
  const db = directory(env, session);
  const opened = db
    .select()
    .from(workspaces)
    .where(and(eq(workspaces.id, id), notErased));
  if (proof.by === "token") {
    const named = db.select().from(adminTokens).where(eq(adminTokens.id, proof.tokenId));
    const [[token], [workspace = null]] = await withRetry(() => db.batch([named, opened]));
    return { user: token === undefined ? null : { by: "token", token }, workspace };
  }
  const registered = db.select().from(people).where(eq(people.email, proof.email));
  const [[person], [workspace = null]] = await withRetry(() => db.batch([registered, opened]));
  return { user: person === undefined ? null : { by: "person", person }, workspace };
}

const mayOpen = (user: ConsoleUser, { id }: Workspace): boolean =>
  user.by !== "person" ||
  isAdministrator(user) ||
  user.person.workspaces === null ||
  user.person.workspaces.includes(id);

/** The scopes of a user in a workspace; `null` for all. */
export function scopesOfUser(user: ConsoleUser): KeyGrant["scopes"] {
  if (user.by === "key") return user.key.scopes;
  if (user.by === "person") return scopesOf(user.person.role);
  return user.by === "token" && user.token.readOnly ? READ_ONLY : null;
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

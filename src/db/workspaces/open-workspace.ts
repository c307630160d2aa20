/** Opens the workspace of a console session: an administrator's by its id, a key's by the key's id, while both exist. */
import { findGrant } from "./api-keys.ts";
import type { Workspace } from "./workspace-columns.ts";
import { findWorkspace } from "./workspaces.ts";

export type Opener = { by: "id"; id: string } | { by: "key"; keyId: string };

export interface OpenWorkspace extends Workspace {
  /** The scopes of the key; `null` for all. */
  scopes: string[] | null;
}

export async function findOpened(env: Env, opener: Opener): Promise<OpenWorkspace | null> {
  if (opener.by === "key") {
    const grant = await findGrant(env, opener);
    return grant && { ...grant.workspace, scopes: grant.scopes };
  }
  const workspace = await findWorkspace(env, opener.id);
  return workspace && { ...workspace, scopes: null };
}

/** Opens the workspace of a console session: an administrator's by its id, a key's by the key's id, while both exist. */
import { and, eq, isNull, sql } from "drizzle-orm";

import { directory } from "../client/database.ts";
import { withRetry } from "../client/faults.ts";
import { apiKeys, workspaces } from "../schema/schema.ts";
import { type Workspace, workspaceColumns } from "./workspaces.ts";

export type Opener = { by: "id"; id: string } | { by: "key"; keyId: string };

export interface OpenWorkspace extends Workspace {
  /** The scopes of the key; `null` for all. */
  scopes: string[] | null;
}

export async function findOpened(env: Env, opener: Opener): Promise<OpenWorkspace | null> {
  const db = directory(env);
  const live = isNull(workspaces.erasedAt);
  const query =
    opener.by === "id"
      ? db
          .select({ ...workspaceColumns, scopes: sql<null>`NULL`.as("scopes") })
          .from(workspaces)
          .where(and(live, eq(workspaces.id, opener.id)))
      : db
          .select({ ...workspaceColumns, scopes: apiKeys.scopes })
          .from(apiKeys)
          .innerJoin(workspaces, eq(workspaces.number, apiKeys.workspace))
          .where(and(live, eq(apiKeys.id, opener.keyId), isNull(apiKeys.revokedAt)));
  const [row] = await withRetry<OpenWorkspace[]>(() => query);
  return row ?? null;
}

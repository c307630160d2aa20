/** Workspaces in another database, with the directory in the first. */
import { env } from "cloudflare:workers";

import type { WorkspaceRef } from "../../../src/db/client/database.ts";
import { createWorkspace } from "../../../src/services/workspaces/workspace-changes.ts";
import { send } from "../support/send.ts";

/** Creates a workspace with its data in a database, by default `DB_1`. */
export async function elsewhere(changed: Env = env, database = "DB_1") {
  const settings = { name: "Elsewhere", writeLimit: 1_000, database };
  const created = await createWorkspace(changed, settings, Date.now(), "admin");
  if (created.outcome !== "created") throw new Error("the workspace was not created");
  const { id } = created.workspace;
  const headers = { Authorization: `Bearer ${created.key}`, "Content-Type": "application/json" };
  return {
    id,
    key: created.key,
    post: (path: string, body: unknown) => send("POST", path, body, { headers }),
    get: (path: string) => send("GET", path, undefined, { headers }),
    erase: (userId: string) => send("DELETE", `/api/v1/users/${userId}`, undefined, { headers }),
    ref: () => refOf(id),
  };
}

export async function refOf(id: string): Promise<WorkspaceRef> {
  const ref = await env.DB.prepare("SELECT id, number, database FROM workspaces WHERE id = ?")
    .bind(id)
    .first<WorkspaceRef>();
  if (ref === null) throw new Error("the directory does not list the workspace");
  return ref;
}

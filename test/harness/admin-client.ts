/** Calls the admin API of a running service. */
import { z } from "zod";

const NewWorkspace = z.object({ workspace: z.object({ id: z.string() }), key: z.object({ key: z.string() }) });

export interface Workspace {
  id: string;
  /** The first key, with all scopes. */
  key: string;
}

export interface AdminClient {
  readonly url: string;
  readonly adminToken: string;
  admin(method: string, path: string, body?: unknown): Promise<Response>;
  createWorkspace(options?: { name?: string; writeLimit?: number; database?: string }): Promise<Workspace>;
}

export function adminClient(url: string, adminToken: string): AdminClient {
  const admin = (method: string, path: string, body?: unknown): Promise<Response> =>
    fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  return {
    url,
    adminToken,
    admin,
    createWorkspace: async ({ name = "Workspace", writeLimit, database } = {}) => {
      const response = await admin("POST", "/admin/workspaces", { name, writeLimit, database });
      const answer = await response.text();
      if (response.status !== 201) throw new Error(`POST /admin/workspaces answered ${response.status}: ${answer}`);
      const { workspace, key } = NewWorkspace.parse(JSON.parse(answer));
      return { id: workspace.id, key: key.key };
    },
  };
}

/** The served console, and the API calls that tests make beside it. */
import { z } from "zod";

const NewWorkspace = z.object({ workspace: z.object({ id: z.string() }), key: z.object({ key: z.string() }) });
const Item = z.object({ account: z.object({ id: z.string() }) });
const Inbox = z.object({ items: z.tuple([Item], Item) });
const NewKey = z.object({ key: z.object({ id: z.string(), key: z.string() }) });

/** What the global setup provides to tests: plain data. */
export interface Served {
  url: string;
  adminToken: string;
  /** A workspace with many kinds of accounts. Tests must not change it. */
  full: Workspace;
  /** The workspace for screenshots: the same, or the one of `npm run demo`. */
  shown: Workspace;
}

export interface Workspace {
  id: string;
  name: string;
  /** The first key, with all scopes. */
  key: string;
}

export interface Console extends Served {
  /** Creates an empty workspace. */
  createWorkspace(name?: string): Promise<Workspace>;
  createKey(workspace: Workspace, scopes: string[], name?: string): Promise<string>;
  revokeKey(workspace: Workspace, key: string): Promise<void>;
  admin(method: string, path: string, body?: unknown): Promise<Response>;
  /** Returns the path of the account of the first inbox item. */
  accountOfFirstItem(workspace: Workspace): Promise<string>;
  /** Sends messages. @returns the status */
  send(workspace: Workspace, messages: readonly object[]): Promise<number>;
  /** Attaches identity traits. @returns the status */
  attach(workspace: Workspace, identity: object): Promise<number>;
}

declare module "vitest" {
  interface ProvidedContext {
    served: Served;
  }
}

export function consoleOf(served: Served): Console {
  const { url, adminToken } = served;
  const call = (method: string, path: string, token: string, body?: unknown): Promise<Response> =>
    fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  const keyIds = new Map<string, string>();
  const admin: Console["admin"] = (method, path, body) => call(method, path, adminToken, body);

  return {
    ...served,
    admin,
    createWorkspace: async (name = "Test") => {
      const answer = NewWorkspace.parse(await (await admin("POST", "/admin/workspaces", { name })).json());
      return { id: answer.workspace.id, name, key: answer.key.key };
    },
    createKey: async ({ id }, scopes, name) => {
      const answer = await admin("POST", `/admin/workspaces/${id}/keys`, { scopes, ...(name && { name }) });
      const made = NewKey.parse(await answer.json()).key;
      keyIds.set(made.key, made.id);
      return made.key;
    },
    revokeKey: async ({ id }, key) => {
      const answer = await admin("DELETE", `/admin/workspaces/${id}/keys/${keyIds.get(key)}`);
      if (!answer.ok) throw new Error(`The key was not revoked: ${answer.status}`);
    },
    accountOfFirstItem: async ({ id, key }) => {
      const answer = await call("GET", "/api/v1/inbox?limit=1", key);
      return `/console/w/${id}/accounts/${Inbox.parse(await answer.json()).items[0].account.id}`;
    },
    send: async ({ key }, batch) => statusOf(await call("POST", "/api/v1/cdp", key, { batch })),
    attach: async ({ key }, identity) => statusOf(await call("POST", "/api/v1/identity", key, identity)),
  };
}

async function statusOf(answer: Response): Promise<number> {
  await answer.body?.cancel();
  return answer.status;
}

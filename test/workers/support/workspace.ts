/** Creates workspaces through the admin API. Each test has its own, because the tests of a file share storage. */
import { env } from "cloudflare:workers";

import type { WorkspaceRef } from "../../../src/db/client/database.ts";
import { type Answer, send, type SendInit } from "./send.ts";

export interface WorkspaceOptions {
  name?: string;
  /** Messages per window, by default 100. */
  writeLimit?: number;
  /** By default the directory's. */
  database?: string;
}

/** Sends requests with one key. */
export interface Sender {
  key: string;
  keyId: string;
  post: (path: string, body: unknown, init?: SendInit) => Promise<Answer>;
  /** Posts with the Content-Type of JSON, which `post` lacks as some senders do. */
  postJson: (path: string, body?: unknown) => Promise<Answer>;
  get: (path: string, init?: SendInit) => Promise<Answer>;
}

export interface TestWorkspace extends Sender {
  id: string;
  /** Accepts the agreement, so that identity traits may be attached. */
  accept: (fields?: { acceptedBy?: string; version?: string }) => Promise<Answer>;
  /** Withdraws the agreement. */
  withdraw: () => Promise<Answer>;
  /** Attaches identity traits. */
  attach: (identity: unknown) => Promise<Answer>;
  /** Erases a user. */
  erase: (externalId: string) => Promise<Answer>;
  /** Creates another key. */
  newKey: (scopes?: string[], name?: string) => Promise<Sender>;
  revoke: (keyId: string) => Promise<Answer>;
  /** Reads the workspace as `src/db` names it. */
  ref: () => Promise<WorkspaceRef>;
}

export const ADMIN_HEADERS = { Authorization: `Bearer ${env.ADMIN_TOKEN}`, "Content-Type": "application/json" };

/** Calls the admin API with a JSON body. */
export async function admin(method: string, path: string, body?: unknown, init: SendInit = {}): Promise<Answer> {
  return send(method, `/admin${path}`, body, { headers: { ...ADMIN_HEADERS, ...init.headers } });
}

/** Creates a workspace in the directory's database, however much room the other one has. */
export async function newWorkspace(options: WorkspaceOptions = {}): Promise<TestWorkspace> {
  const settings = { name: "A workspace of a test", database: "DB", ...options };
  const { body, text } = await admin("POST", "/workspaces", settings);
  const { workspace, key } = body;
  if (workspace === undefined || key === undefined) throw new Error(`no workspace was made: ${text}`);
  const { id } = workspace;
  const sender = senderOf(key);
  const headers = { Authorization: `Bearer ${sender.key}` };
  return {
    id,
    ...sender,
    accept: (fields = {}) => admin("PUT", `/workspaces/${id}/dpa`, { acceptedBy: "Ann", version: "1", ...fields }),
    withdraw: () => admin("DELETE", `/workspaces/${id}/dpa`),
    attach: (identity) => sender.postJson("/api/v1/identity", identity),
    erase: (externalId) => send("DELETE", `/api/v1/users/${encodeURIComponent(externalId)}`, undefined, { headers }),
    newKey: async (scopes, name) => {
      const made = await admin("POST", `/workspaces/${id}/keys`, { scopes, name });
      if (made.body.key === undefined) throw new Error(`no key was made: ${made.text}`);
      return senderOf(made.body.key);
    },
    revoke: (keyId) => admin("DELETE", `/workspaces/${id}/keys/${keyId}`),
    ref: async () => {
      const row = await env.DB.prepare("SELECT id, number, database FROM workspaces WHERE id = ?")
        .bind(id)
        .first<WorkspaceRef>();
      if (row === null) throw new Error("the workspace is not stored");
      return row;
    },
  };
}

function senderOf({ id, key }: { id: string; key: string }): Sender {
  const bearer = ({ headers = {} }: SendInit = {}) => ({ headers: { Authorization: `Bearer ${key}`, ...headers } });
  return {
    key,
    keyId: id,
    post: (path, body, init) => send("POST", path, body, bearer(init)),
    postJson: (path, body) => send("POST", path, body, bearer({ headers: { "Content-Type": "application/json" } })),
    get: (path, init) => send("GET", path, undefined, bearer(init)),
  };
}

/** Reads all pages of a list. @param path has a query */
export async function allPages({ get }: Pick<Sender, "get">, path: string): Promise<Answer[]> {
  const pages = [await get(path)];
  for (let next = pages[0]?.body.nextCursor; next != null; next = pages.at(-1)?.body.nextCursor) {
    pages.push(await get(`${path}&cursor=${next}`));
  }
  return pages;
}

/** For tests that count all rows or all runs. */
export async function eraseAllWorkspaces(): Promise<void> {
  const { body } = await admin("GET", "/workspaces?limit=200");
  for (const { id } of body.workspaces ?? []) await admin("DELETE", `/workspaces/${id}`);
}

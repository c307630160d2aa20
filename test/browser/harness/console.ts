/** The served console, and the API calls that tests make beside it. */
import { z } from "zod";

import { type AdminClient, adminClient, type Workspace } from "../../harness/admin-client.ts";

const Item = z.object({ id: z.string(), account: z.object({ id: z.string() }) });
const Inbox = z.object({ items: z.tuple([Item], Item) });

const User = z.object({ id: z.string() });
const Account = z.object({ account: z.object({ users: z.tuple([User], User) }) });

const Destination = z.object({ destination: z.object({ id: z.string() }) });

/** What the global setup provides to tests: plain data. */
export interface Served extends Pick<AdminClient, "url" | "adminToken"> {
  /** A workspace with many kinds of accounts. Tests must not change it. */
  full: Workspace;
  /** A workspace whose inbox has more than forty items. One test works through them. */
  busy: Workspace;
  /** The workspace for screenshots: the same, or the one of `npm run demo`. */
  shown: Workspace;
}

export interface Console extends Served, AdminClient {
  /** Returns the path of the account of the first inbox item. */
  accountOfFirstItem(workspace: Workspace): Promise<string>;
  /** Returns the id of the first inbox item. */
  firstItem(workspace: Workspace): Promise<string>;
  /** Returns the path of a user of that account. */
  userOfFirstItem(workspace: Workspace): Promise<string>;
  /** Sends messages. @returns the status */
  send(workspace: Workspace, messages: readonly object[]): Promise<number>;
  /** Creates a Slack destination in a new workspace, and sends it a test, which nobody receives. Returns the path of its page. */
  newDestination(): Promise<string>;
  /** Attaches identity traits. @returns the status */
  attach(workspace: Workspace, identity: object): Promise<number>;
}

declare module "vitest" {
  interface ProvidedContext {
    served: Served;
  }
}

export function consoleOf(served: Served): Console {
  const call = (method: string, path: string, { key }: Workspace, body?: object): Promise<Response> =>
    fetch(served.url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const admin = adminClient(served.url, served.adminToken);
  const firstItem = async (workspace: Workspace) =>
    Inbox.parse(await (await call("GET", "/api/v1/inbox?limit=1", workspace)).json()).items[0];
  return {
    ...served,
    ...admin,
    accountOfFirstItem: async (workspace) =>
      `/console/w/${workspace.id}/accounts/${(await firstItem(workspace)).account.id}`,
    userOfFirstItem: async (workspace) => {
      const { account } = await firstItem(workspace);
      const answer = await call("GET", `/api/v1/accounts/${account.id}`, workspace);
      return `/console/w/${workspace.id}/users/${Account.parse(await answer.json()).account.users[0].id}`;
    },
    firstItem: async (workspace) => (await firstItem(workspace)).id,
    send: async (workspace, batch) => statusOf(await call("POST", "/api/v1/cdp", workspace, { batch })),
    newDestination: async () => {
      const workspace = await admin.createWorkspace();
      const url = "https://hooks.example.com/services/T000";
      const digest = { every: "week", at: "09:00" };
      const body = { kind: "slack", url, events: ["inbox.opened", "digest"], digest, filter: { owner: "Ann" } };
      const answer = await call("POST", "/api/v1/destinations", workspace, body);
      const { id } = Destination.parse(await answer.json()).destination;
      await statusOf(await call("POST", `/api/v1/destinations/${id}/test`, workspace));
      return `/console/w/${workspace.id}/settings/destinations/${id}`;
    },
    attach: async (workspace, identity) => statusOf(await call("POST", "/api/v1/identity", workspace, identity)),
  };
}

async function statusOf(answer: Response): Promise<number> {
  await answer.body?.cancel();
  return answer.status;
}

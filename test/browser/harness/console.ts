/** The served console, and the API calls that tests make beside it. */
import { z } from "zod";

import { type AdminClient, adminClient, type Workspace } from "../../harness/admin-client.ts";

const Item = z.object({ account: z.object({ id: z.string() }) });
const Inbox = z.object({ items: z.tuple([Item], Item) });

/** What the global setup provides to tests: plain data. */
export interface Served extends Pick<AdminClient, "url" | "adminToken"> {
  /** A workspace with many kinds of accounts. Tests must not change it. */
  full: Workspace;
  /** The workspace for screenshots: the same, or the one of `npm run demo`. */
  shown: Workspace;
}

export interface Console extends Served, AdminClient {
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
  const call = (method: string, path: string, { key }: Workspace, body?: object): Promise<Response> =>
    fetch(served.url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  return {
    ...served,
    ...adminClient(served.url, served.adminToken),
    accountOfFirstItem: async (workspace) => {
      const answer = await call("GET", "/api/v1/inbox?limit=1", workspace);
      return `/console/w/${workspace.id}/accounts/${Inbox.parse(await answer.json()).items[0].account.id}`;
    },
    send: async (workspace, batch) => statusOf(await call("POST", "/api/v1/cdp", workspace, { batch })),
    attach: async (workspace, identity) => statusOf(await call("POST", "/api/v1/identity", workspace, identity)),
  };
}

async function statusOf(answer: Response): Promise<number> {
  await answer.body?.cancel();
  return answer.status;
}

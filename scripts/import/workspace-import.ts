/** Opens and closes an import of a workspace, and makes the key that its messages are sent with: docs/wire/admin.md §21. */
import { hash } from "node:crypto";

import { ApiError, type Client, dataOf } from "../../clients/typescript/src/client.ts";

/** A hash of the files follows, so that other files don't continue an import. */
const KEY_NAME = "npm run import";

export interface OpenImport {
  key: string;
  /** Keeps the import open, so that it can go on. @returns when it expires; `null` if somebody has ended it */
  stop: () => Promise<string | null>;
  /** Ends the import, whose history is then scored. */
  end: () => Promise<void>;
}

/**
 * Opens an import, or continues the one that is open. An earlier run with the same files loses its key.
 * @param files their names
 * @throws Error while a run with other files has a key
 */
export async function openImport(client: Client, id: string, files: readonly string[]): Promise<OpenImport> {
  const params = { path: { id } };
  const name = `${KEY_NAME} ${hash("sha256", files.toSorted().join("\n")).slice(0, 8)}`;
  const { data, error, response } = await client.POST("/admin/workspaces/{id}/import", { params });
  const failure = data === undefined ? new ApiError(response, error) : null;
  if (failure !== null && failure.code !== "import_running") throw failure;
  const workspace = data === undefined ? await readWorkspace(client, id) : null;
  const keys = workspace === null ? [] : ownKeys(workspace);
  const running = data?.import ?? workspace?.import;
  if (keys.some((key) => key.name !== name))
    throw new OtherImport(`Another import has run since ${running?.startedAt}, with other files. Wait until it ends`);
  if (running) console.log(`${messages(running.writeLimit)} per 10 s until ${running.expiresAt}.`);
  for (const key of keys) await revoke(client, id, key.id);
  const body = { name, scopes: ["ingest" as const] };
  const { key } = await dataOf(client.POST("/admin/workspaces/{id}/keys", { params, body }));
  return {
    key: key.key,
    stop: async () => {
      await revoke(client, id, key.id);
      return (await readWorkspace(client, id)).import?.expiresAt ?? null;
    },
    end: async () => {
      if (await endImport(client, id)) return;
      // It had expired, and the cron had requested a rebuild, which didn't have the last messages.
      await dataOf(client.POST("/admin/workspaces/{id}/rebuild", { params }));
    },
  };
}

/** Says why this import waits for another one, and lacks how to end that. */
export class OtherImport extends Error {}

/** Ends the import, and revokes the keys of all runs, also of those that were killed. @returns whether there was an import */
export async function endImport(client: Client, id: string): Promise<boolean> {
  for (const key of ownKeys(await readWorkspace(client, id))) await revoke(client, id, key.id);
  const ended = await client.DELETE("/admin/workspaces/{id}/import", { params: { path: { id } } });
  if (!ended.response.ok && ended.response.status !== 404) throw new ApiError(ended.response, ended.error);
  if (ended.response.ok) console.log("The import has ended. The accounts are scored within minutes.");
  return ended.response.ok;
}

type Workspace = Awaited<ReturnType<typeof readWorkspace>>;

const readWorkspace = async (client: Client, id: string) =>
  (await dataOf(client.GET("/admin/workspaces/{id}", { params: { path: { id } } }))).workspace;

const ownKeys = ({ keys }: Workspace) =>
  keys.filter(({ name, revokedAt }) => name?.startsWith(KEY_NAME) === true && revokedAt === null);

const revoke = (client: Client, id: string, keyId: string) =>
  dataOf(client.DELETE("/admin/workspaces/{id}/keys/{keyId}", { params: { path: { id, keyId } } }));

const messages = (count: number): string => `${count.toLocaleString("en-US")} messages`;

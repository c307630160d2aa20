/** Opens and closes an import of a workspace, and makes the key that its messages are sent with: docs/wire/admin.md §21. */
import { ApiError, type Client, dataOf } from "../../clients/typescript/src/client.ts";

const KEY_NAME = "npm run import";

export interface OpenImport {
  key: string;
  /** Keeps the import open, so that it can go on. */
  stop: () => Promise<void>;
  /** Ends the import, whose history is then scored. */
  end: () => Promise<void>;
}

/** Opens an import, or continues the one that is open. */
export async function openImport(client: Client, id: string): Promise<OpenImport> {
  const params = { path: { id } };
  const { data, error, response } = await client.POST("/admin/workspaces/{id}/import", { params, body: {} });
  const failure = data === undefined ? new ApiError(response, error) : null;
  if (failure !== null && failure.code !== "import_running") throw failure;
  const running = data?.import ?? (await readWorkspace(client, id)).import;
  if (running !== null) console.log(`${messages(running.writeLimit)} per 10 s until ${running.expiresAt}.`);
  const body = { name: KEY_NAME, scopes: ["ingest" as const] };
  const { key } = await dataOf(client.POST("/admin/workspaces/{id}/keys", { params, body }));
  const revoke = (keyId: string) =>
    dataOf(client.DELETE("/admin/workspaces/{id}/keys/{keyId}", { params: { path: { id, keyId } } }));
  return {
    key: key.key,
    stop: async () => {
      await revoke(key.id);
    },
    end: async () => {
      // Also the keys of runs that were killed.
      const { keys } = await readWorkspace(client, id);
      for (const each of keys) if (each.name === KEY_NAME && each.revokedAt === null) await revoke(each.id);
      const ended = await client.DELETE("/admin/workspaces/{id}/import", { params });
      if (ended.response.ok) return console.log("The import has ended. The accounts are scored within minutes.");
      if (ended.response.status !== 404) throw new ApiError(ended.response, ended.error);
      // It had expired, and the cron had requested a rebuild, which didn't have the last messages.
      await dataOf(client.POST("/admin/workspaces/{id}/rebuild", { params }));
    },
  };
}

const readWorkspace = async (client: Client, id: string) =>
  (await dataOf(client.GET("/admin/workspaces/{id}", { params: { path: { id } } }))).workspace;

const messages = (count: number): string => `${count.toLocaleString("en-US")} messages`;

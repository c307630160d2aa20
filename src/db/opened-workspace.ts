/**
 * Workspaces as sessions of the console open them: an administrator's by its id, a key's by its key, for as long as both
 * are there. Nobody needs the workspace's number for that, so the look-up can go along with other queries.
 */
import { type Batch, newBatchFinding } from "./batch.ts";
import type { Workspace } from "./workspace-store.ts";

export type Opener = { by: "id"; id: string } | { by: "key"; keyId: string };

export interface OpenWorkspace extends Workspace {
  /** The scopes of the key; `null`: all of them. */
  scopes: string[] | null;
}

const NUMBER_BY_ID = "(SELECT number FROM workspaces WHERE id = ?1 AND erased_at IS NULL)";

const NUMBER_BY_KEY = `(SELECT opened.number FROM api_keys opener JOIN workspaces opened ON opened.number = opener.workspace
  WHERE opener.id = ?1 AND opener.revoked_at IS NULL AND opened.erased_at IS NULL)`;

/** ?2: the key's id, if it is one that opens it. */
const OPENED = `
SELECT id, number, name, write_limit, created_at, (SELECT scopes FROM api_keys WHERE id = ?2) AS scopes
FROM workspaces WHERE number = ?1`;

/** A batch about the workspace that is opened, and what it says of that: `null` where the key or the workspace is no more. */
export function openingBatch(env: Env, opener: Opener): { batch: Batch; readOpened: () => OpenWorkspace | null } {
  const batch =
    opener.by === "id"
      ? newBatchFinding(env, NUMBER_BY_ID, opener.id)
      : newBatchFinding(env, NUMBER_BY_KEY, opener.keyId);
  const opened = batch.add(OPENED, opener.by === "key" ? opener.keyId : null);
  return {
    batch,
    readOpened() {
      const [row] = opened();
      if (row === undefined) return null;
      return {
        id: String(row["id"]),
        number: Number(row["number"]),
        name: String(row["name"]),
        writeLimit: Number(row["write_limit"]),
        createdAt: Number(row["created_at"]),
        scopes: row["scopes"] == null ? null : JSON.parse(String(row["scopes"])),
      };
    },
  };
}

/** One round trip. */
export async function findOpened(env: Env, opener: Opener): Promise<OpenWorkspace | null> {
  const { batch, readOpened } = openingBatch(env, opener);
  await batch.run();
  return readOpened();
}

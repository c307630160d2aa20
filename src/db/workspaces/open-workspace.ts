/**
 * Workspaces as sessions of the console open them: an administrator's by its id, a key's by its key, for as long as both
 * are there. Nobody needs the workspace's number for that, so the look-up can go along with other queries.
 */
import { type Batch, newFindingBatch } from "../client/batch.ts";
import type { Workspace } from "./workspaces.ts";

export type Opener = { by: "id"; id: string } | { by: "key"; keyId: string };

export interface OpenWorkspace extends Workspace {
  /** The scopes of the key; `null`: all of them. */
  scopes: string[] | null;
}

/** The rows of a workspace that an id opens, and of one that a key's id does, in SQL. */
const BY_ID = (id: string) => `workspaces opened WHERE opened.id = ${id} AND opened.erased_at IS NULL`;
const BY_KEY = (id: string) => `api_keys opener JOIN workspaces opened ON opened.number = opener.workspace
  WHERE opener.id = ${id} AND opener.revoked_at IS NULL AND opened.erased_at IS NULL`;

const COLUMNS = "opened.id, opened.number, opened.name, opened.write_limit, opened.created_at";

/** A batch about the workspace that is opened, and what it says of that: `null` where the key or the workspace is no more. */
export function openingBatch(env: Env, opener: Opener): { batch: Batch; readOpened: () => OpenWorkspace | null } {
  const [id, rows, scopes] = opener.by === "id" ? [opener.id, BY_ID, "NULL"] : [opener.keyId, BY_KEY, "opener.scopes"];
  const batch = newFindingBatch(env, `(SELECT opened.number FROM ${rows("?1")})`, id);
  const opened = batch.add(`SELECT ${COLUMNS}, ${scopes} AS scopes FROM ${rows("?2")}`, id);
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

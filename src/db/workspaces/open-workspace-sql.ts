/**
 * Opens the workspace of a console session: an administrator's by its id, a key's by the key's id, while both still
 * exist. The lookup needs no workspace number, so it can run in one batch with other queries.
 */
import { type Batch, newLookupBatch } from "../client/batch.ts";
import { columnsOf } from "../client/columns-of.ts";
import { statement } from "../client/statements.ts";
import { apiKeys, workspaces } from "../schema/schema.ts";
import type { Workspace } from "./workspaces.ts";

export type Opener = { by: "id"; id: string } | { by: "key"; keyId: string };

export interface OpenWorkspace extends Workspace {
  /** The scopes of the key; `null` for all. */
  scopes: string[] | null;
}

// The lookup is embedded in other queries, so its aliases must not occur there.
const k = columnsOf(apiKeys, "opener");
const o = columnsOf(workspaces, "opened");

const byId = (id: string) => `${o.table} WHERE ${o.id} = ${id} AND ${o.erasedAt} IS NULL`;
const byKey = (id: string) => `${k.table} JOIN ${o.table} ON ${o.number} = ${k.workspace}
  WHERE ${k.id} = ${id} AND ${k.revokedAt} IS NULL AND ${o.erasedAt} IS NULL`;

const COLUMNS = `${o.id} AS id, ${o.number} AS number, ${o.name} AS name, ${o.writeLimit} AS writeLimit,
  ${o.createdAt} AS createdAt`;

/** `scopes` is JSON. */
type OpenedRow = Workspace & { scopes: string | null };

/** Starts a batch about the opened workspace. `readOpened` returns `null` without a live key or workspace. */
export function openingBatch(env: Env, opener: Opener): { batch: Batch; readOpened: () => OpenWorkspace | null } {
  const [id, rows, scopes] = opener.by === "id" ? [opener.id, byId, "NULL"] : [opener.keyId, byKey, k.scopes];
  const batch = newLookupBatch(env, `(SELECT ${o.number} FROM ${rows("?1")})`, id);
  const opened = batch.addStatement(
    statement<OpenedRow>(`SELECT ${COLUMNS}, ${scopes} AS scopes FROM ${rows("?2")}`, id),
  );
  return {
    batch,
    readOpened() {
      const [row] = opened();
      return row === undefined ? null : { ...row, scopes: row.scopes === null ? null : JSON.parse(row.scopes) };
    },
  };
}

export async function findOpened(env: Env, opener: Opener): Promise<OpenWorkspace | null> {
  const { batch, readOpened } = openingBatch(env, opener);
  await batch.run();
  return readOpened();
}

/** Workspaces that have accepted the agreement, and reads of their identity traits. */
import { env } from "cloudflare:workers";

import { newWorkspace, type TestWorkspace, type WorkspaceOptions } from "../support/workspace.ts";

export const IDENTITY = "/api/v1/identity";

export const jsonBearer = (key: string) => ({
  headers: { Authorization: `Bearer ${key}`, "Content-Type": "application/json" },
});

/** Creates a workspace without the agreement. */
export const newIdentityWorkspace = (options: WorkspaceOptions = {}): Promise<TestWorkspace> =>
  newWorkspace({ writeLimit: 10_000, ...options });

/** Creates a workspace with the agreement, the account `acme` and its user `u1`. */
export async function newIdentifiedWorkspace(options: WorkspaceOptions = {}): Promise<TestWorkspace> {
  const workspace = await newIdentityWorkspace(options);
  await workspace.accept();
  await workspace.post("/api/v1/events", { accountId: "acme", userId: "u1", event: "report.exported" });
  return workspace;
}

/** Reads the internal id of the user or account at a path. */
export async function idOf({ get }: TestWorkspace, path: string): Promise<string> {
  const { body } = await get(path);
  const found = path.includes("/users/") ? body.user : body.account;
  if (!found) throw new Error(`nothing is at ${path}`);
  return found.id;
}

export type Row = Record<string, string | number | null>;

export async function rowsOf(sql: string, ...values: (string | number)[]): Promise<Row[]> {
  const { results } = await env.DB.prepare(sql)
    .bind(...values)
    .all<Row>();
  return results;
}

/** Reads the identity traits and the names made from them, as `kind source key`. */
export async function storedTraits({ ref }: TestWorkspace): Promise<{ traits: string[]; names: string[] }> {
  const { number } = await ref();
  const traits = await rowsOf("SELECT * FROM identity_traits WHERE workspace = ? ORDER BY key", number);
  const names = await rowsOf(
    "SELECT * FROM names WHERE workspace = ? AND source <> 'external_id' AND is_part = 0 ORDER BY source",
    number,
  );
  return {
    traits: traits.map((row) => `${row["subject_kind"]} ${row["key"]} ${row["value"]}`),
    names: names.map((row) => `${row["kind"]} ${row["source"]} ${row["key"]}`),
  };
}

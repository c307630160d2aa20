/** Restores a database to an earlier point, as D1's Time Travel does: all of its tables, and nothing else. */
import * as z from "zod";

import { DAY_MS } from "../../../src/core/durations.ts";
import { track } from "./messages.ts";
import { admin, type TestWorkspace } from "./workspace.ts";

const Page = z.object({
  findings: z.array(z.object({ workspace: z.string(), finding: z.string(), detail: z.string().nullable() })),
  next: z.number().nullable(),
});

type Rows = Record<string, unknown>[];

/** The tables with rows, and the counter of the workspaces' numbers, which a restore takes back too. */
export async function tablesOf(database: D1Database): Promise<string[]> {
  const { results } = await database
    .prepare(
      "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_cf*' AND name NOT IN ('d1_migrations', 'sqlite_stat1')",
    )
    .all<{ name: string }>();
  return results.map(({ name }) => name);
}

/** Remembers the database as it is now. @returns restores it, or makes another database equal to what it was */
export async function restorePoint(database: D1Database): Promise<(into?: D1Database) => Promise<void>> {
  const names = await tablesOf(database);
  const read = await database.batch<Rows[number]>(names.map((name) => database.prepare(`SELECT * FROM ${name}`)));
  const saved = names.map((name, index): [string, Rows] => [name, read[index]?.results ?? []]);
  return async (into = database) => {
    const statements = saved.flatMap(([name, rows]) => [
      into.prepare(`DELETE FROM ${name}`),
      ...rows.map((row) => {
        const columns = Object.keys(row);
        const sql = `INSERT INTO ${name} (${columns.join(", ")}) VALUES (${columns.map(() => "?").join(", ")})`;
        return into.prepare(sql).bind(...Object.values(row));
      }),
    ]);
    await into.batch(statements);
  };
}

interface Finding {
  workspace: string;
  kind: string;
}

/** Reconciles everything. @returns what the findings say, by workspace */
export async function detailsOf({ id }: { id: string }, decisions: object = {}): Promise<(string | null)[]> {
  return (await findingsOf(decisions)).flatMap(({ workspace, detail }) => (workspace === id ? detail : []));
}

/** Reconciles everything, as `npm run databases -- reconcile --erase-copies` does. @returns what was found, without repetitions */
export async function reconcileAll(decisions: object = { eraseCopies: true }): Promise<Finding[]> {
  const found = (await findingsOf(decisions)).map(({ workspace, finding: kind }) => ({ workspace, kind }));
  return [...new Map(found.map((each) => [`${each.workspace} ${each.kind}`, each])).values()];
}

/** Reconciles everything. @returns the kinds of findings about one workspace */
export async function kindsOf({ id }: { id: string }): Promise<string[]> {
  return (await reconcileAll()).filter(({ workspace }) => workspace === id).map(({ kind }) => kind);
}

/** Lists the ids of all messages that the workspace can export, in its order. */
export async function exportedIds(workspace: TestWorkspace): Promise<string[]> {
  const [from, to] = [500, 0].map((days) => new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10));
  const { text, status } = await workspace.get(`/api/v1/export?from=${from}&to=${to}`);
  if (status !== 200) throw new Error(`${status} ${text}`);
  return [...text.matchAll(/"message_id":"([^"]+)"/g)].map(([, id = ""]) => id);
}

async function findingsOf(decisions: object): Promise<z.infer<typeof Page>["findings"]> {
  const found: z.infer<typeof Page>["findings"] = [];
  let before: number | null = null;
  for (let calls = 0; calls === 0 || before !== null; calls += 1) {
    if (calls === 100) throw new Error(`the reconciliation does not end: ${JSON.stringify([...found])}`);
    const { status, text } = await admin("POST", "/reconcile", { before, ...decisions });
    if (status !== 200) throw new Error(`${status} ${text}`);
    const page = Page.parse(JSON.parse(text));
    found.push(...page.findings);
    before = page.next;
  }
  return found;
}

/** Sends a track. @returns the status */
export async function sendOne(workspace: TestWorkspace, messageId: string): Promise<number> {
  return (await workspace.post("/api/v1/cdp", track({ messageId }))).status;
}

/** Reads whether a database has the workspace. */
export const stateIn = (database: D1Database, { id }: { id: string }): Promise<string | null> =>
  database.prepare("SELECT state FROM workspace_states WHERE id = ?").bind(id).first<string>("state");

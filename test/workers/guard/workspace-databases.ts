/**
 * Finds statements about a workspace in a database that doesn't hold it. A statement is about the workspaces whose numbers
 * it binds: their own, or those of their rows. Tests number workspaces from {@link FIRST_WORKSPACE} on, so that no time,
 * count or price looks like one.
 */
import { env } from "cloudflare:workers";

import type { BoundStatement } from "../support/faulty-bindings.ts";

export const FIRST_WORKSPACE = 1_000_001;
const LAST_WORKSPACE = 2 ** 21 - 1;
const ROWS = 2 ** 32;

/** Tables of the directory, which is only in `DB` and holds all workspaces. */
export const DIRECTORY_TABLES: ReadonlySet<string> = new Set([
  "admin_tokens",
  "agreements",
  "api_keys",
  "databases",
  "moves",
  "people",
  "workspaces",
]);

/** The databases that know a workspace, by its number. A workspace that none knows is just being created or erased. */
const known = new Map<number, ReadonlySet<string>>();

/** What was found, also where the code under test has handled the error. */
export const crossings: string[] = [];

/** @throws Error that names the statement */
export async function checkDatabase(name: string, statements: readonly BoundStatement[]): Promise<void> {
  for (const { sql, values } of statements) {
    const kind = kindOf(sql);
    if (kind === "ends a stay") known.clear();
    if (kind === "of a workspace") {
      for (const workspace of workspacesIn(values)) {
        if ((await holdersOf(workspace)).has(name)) continue;
        known.delete(workspace); // the test itself may have moved it
        const holders = await holdersOf(workspace);
        if (holders.size === 0 || holders.has(name)) continue;
        const crossing = `${name} got a statement about workspace ${workspace}, which is in ${[...holders].join()}: ${sql}`;
        crossings.push(crossing);
        throw new Error(crossing);
      }
    }
  }
}

const CHECKS_OWNER = /\b(?:workspace_states|leases)\b/;

/** @throws Error that names a query of a round trip which reads a workspace's rows, and doesn't check whose they are */
export function checkOwner(statements: readonly BoundStatement[]): void {
  if (statements.some(({ sql }) => CHECKS_OWNER.test(sql) || !/^\s*(?:SELECT|WITH)\b/i.test(sql))) return;
  const unchecked = statements.find(
    ({ sql, values }) => kindOf(sql) === "of a workspace" && workspacesIn(values).length > 0,
  );
  if (unchecked !== undefined) throw new Error(`A read doesn't check its workspace's id: ${unchecked.sql}`);
}

/** `ends a stay` when a workspace may leave a database by it. */
type Kind = "of the directory" | "of a workspace" | "ends a stay";
const kinds = new Map<string, Kind>();

function kindOf(sql: string): Kind {
  const kind = kinds.get(sql) ?? findKind(sql);
  kinds.set(sql, kind);
  return kind;
}

/** A reconciliation asks every database which workspaces it holds. */
const LISTS_STATES = /^select .* from "workspace_states" .*"number" < \?/i;

function findKind(sql: string): Kind {
  if (/^\s*(?:UPDATE|DELETE FROM)\s+"?(?:workspace_states|moves)\b/i.test(sql)) return "ends a stay";
  if (LISTS_STATES.test(sql)) return "of the directory";
  const tables = [
    ...sql.replaceAll(/\bdo update set\b/gi, "").matchAll(/\b(?:from|into|update|join)\s+"?([a-z_]+)/gi),
  ].map(([, table = ""]) => table);
  const stored = tables.filter((table) => table !== "json_each");
  const isOfDirectory = stored.length > 0 && stored.every((table) => DIRECTORY_TABLES.has(table));
  return isOfDirectory ? "of the directory" : "of a workspace";
}

/** Lists the workspaces of bound numbers, and of numbers in bound JSON. */
export function workspacesIn(values: readonly unknown[]): number[] {
  const numbers = values.flatMap((value) => {
    if (typeof value === "number") return [value];
    return typeof value === "string" && /^[[{]/.test(value) ? (value.match(/\b\d{7,16}\b/g) ?? []).map(Number) : [];
  });
  const owners = numbers.map((number) => (number > LAST_WORKSPACE ? Math.floor(number / ROWS) : number));
  const found = new Set(owners.filter((owner) => owner >= FIRST_WORKSPACE && owner <= LAST_WORKSPACE));
  // A range of a table with a column for the workspace starts after the number before.
  return [...found].filter((owner) => !found.has(owner + 1));
}

/** Asks the real databases, whatever stands in front of them. */
async function holdersOf(workspace: number): Promise<ReadonlySet<string>> {
  const cached = known.get(workspace);
  if (cached !== undefined) return cached;
  const found = await Promise.all(
    databasesIn(env).map(async ([name, database]) => {
      const row = await database.prepare("SELECT 1 FROM workspace_states WHERE number = ?").bind(workspace).first();
      return row === null ? [] : [name];
    }),
  );
  const holders: ReadonlySet<string> = new Set([...found.flat(), ...(await movesOf(workspace))]);
  if (holders.size > 0) known.set(workspace, holders);
  return holders;
}

/** Lists both databases of a move that is running. */
async function movesOf(workspace: number): Promise<string[]> {
  const sql = "SELECT from_database AS source, to_database AS target FROM moves WHERE workspace = ?";
  const move = await env.DB.prepare(sql).bind(workspace).first<{ source: string; target: string }>();
  return move === null ? [] : [move.source, move.target];
}

/** Lists the bound databases by name. */
export const databasesIn = (bindings: object): [string, D1Database][] =>
  Object.entries(bindings).filter((entry): entry is [string, D1Database] => isDatabase(entry));

const isDatabase = ([name, binding]: [string, unknown]): boolean =>
  /^DB(?:_\d+)?$/.test(name) && typeof binding === "object" && binding !== null && "batch" in binding;

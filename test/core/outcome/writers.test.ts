/** Checks in the sources that only the recompute writes outcomes: no single run could show it. */
import { readdirSync, readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

const SOURCE = new URL("../../../src/", import.meta.url);

const sources = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({ path: path.replaceAll("\\", "/"), text: readFileSync(new URL(path, SOURCE), "utf8") }));

const filesThat = (matches: (text: string) => boolean): string[] =>
  sources
    .filter(({ text }) => matches(text))
    .map(({ path }) => path)
    .toSorted();
const filesWith = (pattern: RegExp): string[] => filesThat((text) => pattern.test(text));

const WRITE = String.raw`\b(?:INSERT(?:\s+OR\s+\w+)?\s+INTO|REPLACE\s+INTO|UPDATE|DELETE\s+FROM)\s+`;

/** Finds writes by the table's name, through Drizzle, and through the columns of a table: `INSERT INTO ${c.table}`. */
function writes(text: string, table: string, member: string): boolean {
  const columns = [...text.matchAll(new RegExp(String.raw`const (\w+) = columnsOf\(${member}\b`, "g"))];
  const names = [String.raw`${table}\b`, ...columns.map(([, name]) => String.raw`\$\{${name}\.table\}`)];
  const inSql = new RegExp(`${WRITE}(?:${names.join("|")})`, "i");
  return inSql.test(text) || new RegExp(String.raw`\.(insert|update|delete)\(\s*(schema\.)?${member}\s*\)`).test(text);
}

describe("§10 only the recompute writes outcomes", () => {
  it.each([
    ["health", "health", "db/recompute/outcomes-sql.ts"],
    ["health_days", "healthDays", "db/recompute/outcomes-sql.ts"],
    ["inbox_items", "inboxItems", "db/recompute/outcomes-sql.ts"],
  ])("§10 one file writes %s", (table, member, file) => {
    expect(filesThat((text) => writes(text, table, member))).toEqual([file]);
  });

  it("§10 only listed files take the table of a write from a variable, which the test above could not read", () => {
    expect(
      filesWith(
        new RegExp(String.raw`${WRITE}\$\{(?!\w+\.table\})[\w.]+\}|\.(insert|update|delete)\(\s*table\s*\)`, "i"),
      ),
    ).toEqual([
      // Account attributes.
      "db/ingest/ingest-fragments-sql.ts",
      // The copy of a moving workspace.
      "db/moves/copy-sql.ts",
      "db/recompute/fold-rollups-sql.ts",
      // Days before the history, and days that a rebuild replaces.
      "db/recompute/old-days-sql.ts",
      // The erasure of a whole workspace, which deletes its outcomes too.
      "db/workspaces/erase-workspace.ts",
    ]);
  });

  it("§10 only the recompute imports the files that write", () => {
    const importers = filesWith(/from "[^"]*\/outcomes-sql\.ts"/);
    expect(importers.filter((path) => !/^(db|services)\/recompute\//.test(path))).toEqual([]);
  });

  it("§10.1 only the queue's tasks and the administration run the recompute", () => {
    expect(filesWith(/from "[^"]*\/recompute\/recompute-workspaces\.ts"/)).toEqual([
      "console/settings/system-route.tsx",
      "http/routes/recompute.ts",
      "services/tasks/run-task.ts",
      // It only lists the workspaces that have work.
      "services/tasks/sweep-database.ts",
    ]);
  });
});

/** Checks in the sources that only the recompute writes outcomes: no single run could show it. */
import { readdirSync, readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

const SOURCE = new URL("../../../src/", import.meta.url);

const sources = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({ path: path.replaceAll("\\", "/"), text: readFileSync(new URL(path, SOURCE), "utf8") }));

const filesWith = (pattern: RegExp): string[] =>
  sources
    .filter(({ text }) => pattern.test(text))
    .map(({ path }) => path)
    .toSorted();

const WRITE = String.raw`\b(INSERT(\s+OR\s+\w+)?\s+INTO|REPLACE\s+INTO|UPDATE|DELETE\s+FROM)\s+`;

/** Finds writes in SQL, by the table's name, and through Drizzle, by its member of the schema. */
const writing = (table: string, member: string): RegExp =>
  new RegExp(String.raw`${WRITE}${table}\b|\.(insert|update|delete)\(\s*(schema\.)?${member}\s*\)`, "i");

describe("§10 only the recompute writes outcomes", () => {
  it.each([
    ["health", "health", "db/recompute/outcome-store.ts"],
    ["health_days", "healthDays", "db/recompute/outcome-store.ts"],
    ["inbox_items", "inboxItems", "db/recompute/item-rows.ts"],
  ])("§10 one file writes %s", (table, member, file) => {
    expect(filesWith(writing(table, member))).toEqual([file]);
  });

  it("§10 only the erasure of a workspace deletes outcomes besides", () => {
    expect(filesWith(/\bstep\(\s*"(health|health_days|inbox_items)"/)).toEqual(["db/workspaces/erase-workspace.ts"]);
  });

  it("§10 no other statement takes its table from a variable, which these tests could not read", () => {
    expect(filesWith(new RegExp(String.raw`${WRITE}\$\{`, "i"))).toEqual([
      "db/client/merge-newest.ts",
      "db/recompute/fold-statements.ts",
      "db/recompute/rebuild-store.ts",
      "db/workspaces/erase-workspace.ts",
    ]);
  });

  it("§10 only the recompute imports the files that write", () => {
    const importers = filesWith(/from "[^"]*\/(outcome-store|item-rows)\.ts"/);
    expect(importers.filter((path) => !/^(db|services)\/recompute\//.test(path))).toEqual([]);
  });

  it("§10.1 only the cron and the administration run the recompute", () => {
    expect(filesWith(/from "[^"]*\/recompute\/recompute\.ts"/)).toEqual([
      "scheduled.ts",
      "services/workspaces/workspace-changes.ts",
    ]);
  });
});

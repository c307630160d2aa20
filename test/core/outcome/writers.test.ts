/** Who writes outcomes: read off the sources, for a rule of the whole service that no single run can show. */
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

/** In SQL, by a table's name or by a member of the schema. */
const writing = (table: string, member: string): RegExp =>
  new RegExp(
    String.raw`\b(INSERT(\s+OR\s+\w+)?\s+INTO|REPLACE\s+INTO|UPDATE|DELETE\s+FROM)\s+${table}\b|\.(insert|update|delete)\(\s*(schema\.)?${member}\s*\)`,
    "i",
  );

/** Erasing a workspace takes the name of a table with its key. */
const ERASING = /\bstep\(\s*"(health|health_days|inbox_items)"/;

describe("§10.5 the only writers of outcomes", () => {
  it.each([
    ["health", "health", ["db/recompute/outcome-store.ts"]],
    ["health_days", "healthDays", ["db/recompute/outcome-store.ts"]],
    ["inbox_items", "inboxItems", ["db/recompute/item-rows.ts"]],
  ])("§10.5 %s is written by one file", (table, member, files) => {
    expect(filesWith(writing(table, member))).toEqual(files);
  });

  it("§10.5 what an erasure deletes aside", () => {
    expect(filesWith(ERASING)).toEqual(["db/erasure.ts"]);
  });

  it("§10.5 no table's name is put into a statement where this would not see it", () => {
    const anyTable = /\b(INSERT(\s+OR\s+\w+)?\s+INTO|REPLACE\s+INTO|UPDATE|DELETE\s+FROM)\s+\$\{/i;
    // The fold's attribute tables, the tables that a rebuild replaces, an erasure, and the merge of attributes.
    expect(filesWith(anyTable)).toEqual([
      "db/erasure.ts",
      "db/merge-newest.ts",
      "db/recompute/fold-statements.ts",
      "db/recompute/rebuild-store.ts",
    ]);
  });

  it("§10.5 and only the recompute imports them", () => {
    const importing = /from "[^"]*\/(outcome-store|item-rows)\.ts"/;
    const importers = filesWith(importing).filter((path) => !/^(db\/)?recompute\//.test(path));
    expect(importers).toEqual([]);
  });

  it("§10.5 which is run by the cron and the administration alone", () => {
    const running = filesWith(/from "[^"]*\/recompute\/recompute\.ts"/);
    expect(running).toEqual(["http/admin/workspace-changes.ts", "scheduled.ts"]);
  });
});

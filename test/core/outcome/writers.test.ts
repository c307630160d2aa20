/** Only the recompute writes outcomes. This rule of the whole service is checked in the sources, since no run can show it. */
import { readdirSync, readFileSync } from "node:fs";

import { describe, expect, it } from "vitest";

const SOURCE = new URL("../../../src/", import.meta.url);

const sources = readdirSync(SOURCE, { recursive: true, encoding: "utf8" })
  .filter((path) => /\.tsx?$/.test(path))
  .map((path) => ({ path: path.replaceAll("\\", "/"), text: readFileSync(new URL(path, SOURCE), "utf8") }));

const filesWith = (matches: (text: string) => boolean): string[] =>
  sources
    .filter(({ text }) => matches(text))
    .map(({ path }) => path)
    .toSorted();

const KEYWORDS = String.raw`\b(?:INSERT(?:\s+OR\s+\w+)?\s+INTO|REPLACE\s+INTO|UPDATE|DELETE\s+FROM)\s+`;

/** Whether a file writes a table: by the query builder, in SQL text by the names of `columnsOf`, or literally. */
function writes(text: string, member: string, table: string): boolean {
  const names = Array.from(
    text.matchAll(new RegExp(String.raw`const (\w+) = columnsOf\(${member}\b`, "g")),
    ([, n]) => n,
  );
  const inText = [...names.map((name) => String.raw`\$\{${name}\.table\}`), String.raw`${table}\b`];
  return (
    new RegExp(String.raw`\.(insert|update|delete)\(\s*(schema\.)?${member}\s*\)`).test(text) ||
    new RegExp(`${KEYWORDS}(?:${inText.join("|")})`).test(text)
  );
}

describe("§10.5 outcomes", () => {
  it.each([
    ["health", "health", ["db/recompute/outcomes-sql.ts"]],
    ["health_days", "healthDays", ["db/recompute/outcomes-sql.ts"]],
    ["inbox_items", "inboxItems", ["db/recompute/items-sql.ts"]],
  ])("§10.5 one file writes %s", (table, member, files) => {
    expect(filesWith((text) => writes(text, member, table))).toEqual(files);
  });

  it("§10.5 only these files write tables that they are given", () => {
    const given = new RegExp(`${KEYWORDS}\\$\\{(?!\\w+\\.table\\})|\\.delete\\(table\\)`);
    expect(filesWith((text) => given.test(text))).toEqual([
      // The attribute tables of the fold, the tables that a rebuild replaces, an erasure, and the merge of attributes.
      "db/ingest/merge-attributes-sql.ts",
      "db/recompute/fold-sql.ts",
      "db/recompute/rebuild-sql.ts",
      "db/workspaces/erase-workspace.ts",
    ]);
  });

  it("§10.5 only the recompute imports their writers", () => {
    const importers = filesWith((text) => /from "[^"]*\/(outcomes-sql|items-sql)\.ts"/.test(text));
    expect(importers.filter((path) => !/^(db|services)\/recompute\//.test(path))).toEqual([]);
  });

  it("§10.5 only the cron and the administration run the recompute", () => {
    const running = filesWith((text) => /import \{[^}]*\brecompute\b[^}]*\} from "[^"]*\/recompute\.ts"/.test(text));
    expect(running).toEqual(["scheduled.ts", "services/workspaces/workspace-changes.ts"]);
  });
});

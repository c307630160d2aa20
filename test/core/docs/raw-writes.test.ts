import { globSync, readFileSync } from "node:fs";
import { matchesGlob } from "node:path";

import { expect, it } from "vitest";

/** A whole statement that writes. A fault's test may name the beginning of a statement of the service. */
const WRITES =
  /\b(?:INSERT(?: OR \w+)? INTO|REPLACE INTO|DELETE FROM) [\w${}]+\s+\S|\bUPDATE [\w${}]+ SET |prepare\(\s*["'`](?:INSERT|REPLACE|UPDATE|DELETE)\b|from "drizzle-orm\/d1"/;

it("lists every file that writes rows past the service, with a reason", () => {
  const table = readFileSync("test/README.md", "utf8").split("## Rows that tests write themselves")[1] ?? "";
  const listed = table
    .match(/^\| `.*$/gm)
    ?.flatMap((row) => Array.from(row.matchAll(/`([\w/*{},.-]+\.ts)`/g), ([, pattern = ""]) => pattern));
  const writing = globSync("{workers,e2e,browser}/**/*.ts", { cwd: "test" }).filter((file) =>
    WRITES.test(readFileSync(`test/${file}`, "utf8")),
  );

  expect(writing.filter((file) => !listed?.some((pattern) => matchesGlob(file, pattern)))).toEqual([]);
  expect(listed?.filter((pattern) => !writing.some((file) => matchesGlob(file, pattern)))).toEqual([]);
});

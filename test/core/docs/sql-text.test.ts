import { globSync, readFileSync } from "node:fs";
import { matchesGlob } from "node:path";
import { expect, it } from "vitest";

const DB = "src/db";

it("lists every file that prepares SQL text, with a reason", () => {
  const table = readFileSync(`${DB}/README.md`, "utf8").match(/^\| `.*$/gm) ?? [];
  const listed = table.flatMap((row) =>
    Array.from(row.matchAll(/`([\w/*{},.-]+\.ts)`/g), ([, pattern = ""]) => pattern),
  );
  const preparing = globSync("**/*.ts", { cwd: DB }).filter((file) =>
    /= prepare(Query)?\(|\bprepareQuery\(|\.map\(prepare\)/.test(readFileSync(`${DB}/${file}`, "utf8")),
  );

  const unlisted = preparing.filter(
    (file) => file !== "client/prepare.ts" && !listed.some((pattern) => matchesGlob(file, pattern)),
  );
  expect(unlisted).toEqual([]);
  expect(listed.filter((pattern) => !preparing.some((file) => matchesGlob(file, pattern)))).toEqual([]);
});

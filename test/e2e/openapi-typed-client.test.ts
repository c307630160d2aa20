/** Makes the typed client of docs/api.md: generates it from the running service, compiles it, and runs it. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { AdminClient } from "../harness/admin-client.ts";
import { commandsOf, inBash } from "../harness/api-guide.ts";
import { sharedWorker } from "../harness/shared-worker.ts";

const SLOW_MS = 300_000;
const HEADING = "Generate a typed client";
const [GENERATE = ""] = commandsOf(HEADING);
const [CLIENT = ""] = commandsOf(HEADING, "ts");

/** Mistakes in the client, and a word of the compiler's complaint about each. */
const MISTAKES: [what: string, from: string, to: string, told: string][] = [
  ["a field that is not one of a capture", "userId:", "userID:", "'userID'"],
  ["a value of another type", '"acme", userId', "true, userId", "'boolean'"],
  ["a field that no response has", "account.externalId", "account.name", "'name'"],
  ["a field of another operation", "question:", "event:", "'event'"],
  ["an unknown path", '"/api/v1/ask"', '"/api/v1/asks"', "/api/v1/asks"],
  ["a method that the path does not take", 'POST("/api/v1/ask"', 'GET("/api/v1/ask"', "/api/v1/ask"],
];
const COMPILE = "npx tsc --strict --noEmit --module nodenext --target es2022 --pretty false client.ts mistake-*.ts";

let worker: AdminClient;
let key: string;
let folder: string;
/** What the compiler says, by file. */
let complaints: string[];
beforeAll(async () => {
  worker = sharedWorker();
  ({ key } = await worker.createWorkspace());
  folder = mkdtempSync(join(tmpdir(), "typed-client-"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  await run(GENERATE);
  writeFileSync(join(folder, "client.ts"), CLIENT);
  for (const [number, [, from, to]] of MISTAKES.entries()) {
    writeFileSync(join(folder, `mistake-${number}.ts`), CLIENT.replace(from, to));
  }
  complaints = (await run(`${COMPILE} || true`)).split("\n");
}, SLOW_MS);
afterAll(() => rmSync(folder, { recursive: true }));

const run = (command: string): Promise<string> =>
  inBash(command, { cwd: folder, env: { ...process.env, URL: worker.url, KEY: key, NO_COLOR: "1" } });

describe("the typed client of docs/api.md", () => {
  it("compiles", () => {
    expect(complaints.filter((line) => line.startsWith("client.ts"))).toEqual([]);
  });

  it("does what it says", async () => {
    expect(await run("node client.ts")).toBe("acme false\n1\n");
  });

  it.each(MISTAKES.map(([what, from, , told], number) => ({ what, from, told, file: `mistake-${number}.ts` })))(
    "does not compile with $what",
    ({ from, told, file }) => {
      expect(CLIENT).toContain(from);
      expect(complaints).toContainEqual(expect.stringMatching(`^${file}.*error.*${told}`));
    },
  );
});

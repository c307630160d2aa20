/** The GUIDE's typed client, made as it says: generated from the running service, compiled, and run against it. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { AdminClient } from "../harness/admin-client.ts";
import { sharedWorker } from "../harness/shared-worker.ts";

const SLOW_MS = 300_000;
const execute = promisify(execFile);
const GUIDE = readFileSync(new URL("../../docs/api.md", import.meta.url), "utf8");
const SECTION = GUIDE.split(/^## /m).find((text) => text.startsWith("Generate a typed client")) ?? "";

/** What stands between the fences of a language in the GUIDE's section. */
const blockOf = (language: string): string =>
  new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "ms").exec(SECTION)?.[1] ?? "";

const CLIENT = blockOf("ts");

/** What is wrong with the client once one thing in it is replaced, and a word of what the compiler says. */
const MISTAKES: [what: string, from: string, to: string, told: string][] = [
  ["a field that is not one of a capture", "userId:", "userID:", "'userID'"],
  ["a value of another type", '"acme", userId', "true, userId", "'boolean'"],
  ["a field that no answer has", "account.externalId", "account.name", "'name'"],
  ["a field of another operation", "question:", "event:", "'event'"],
  ["a path that there is not", '"/api/v1/ask"', '"/api/v1/asks"', "/api/v1/asks"],
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
  await run(blockOf("sh"));
  writeFileSync(join(folder, "client.ts"), CLIENT);
  for (const [number, [, from, to]] of MISTAKES.entries()) {
    writeFileSync(join(folder, `mistake-${number}.ts`), CLIENT.replace(from, to));
  }
  complaints = (await run(`${COMPILE} || true`)).split("\n");
}, SLOW_MS);
afterAll(() => rmSync(folder, { recursive: true }));

/** What a command prints. It must not stop this process meanwhile: the Worker waits for it. */
async function run(command: string): Promise<string> {
  const env = { ...process.env, URL: worker.url, KEY: key, NO_COLOR: "1" };
  return (await execute("bash", ["-euo", "pipefail", "-c", command], { cwd: folder, env })).stdout;
}

describe("The GUIDE's typed client", () => {
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

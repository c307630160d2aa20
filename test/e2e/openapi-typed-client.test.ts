/** The README's typed client, made as it says: generated from the running service, compiled, and run against it. */
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { buildWorker } from "../../scripts/workerd/build-worker.ts";
import { type ServedWorker, serveWorker } from "../../scripts/workerd/serve-worker.ts";

const SLOW_MS = 300_000;
const SECTION = readFileSync(new URL("./typed-client/section.md", import.meta.url), "utf8");

/** What stands between the fences of a language in the README's section. */
const blockOf = (language: string): string =>
  new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "ms").exec(SECTION)?.[1] ?? "";

const CLIENT = blockOf("ts");
const COMPILE = "npx tsc --strict --noEmit --module nodenext --target es2022 client.ts";

let worker: ServedWorker;
let key: string;
let folder: string;
beforeAll(async () => {
  worker = await serveWorker(await buildWorker());
  ({ key } = await worker.createWorkspace());
  folder = mkdtempSync(join(tmpdir(), "typed-client-"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const made = await run(blockOf("sh"));
  if (made.code !== 0) throw new Error(made.printed);
}, SLOW_MS);
afterAll(async () => {
  await worker[Symbol.asyncDispose]();
  rmSync(folder, { recursive: true });
});

/** Not so that this process stops meanwhile: the Worker waits for it. */
function run(command: string): Promise<{ code: number; printed: string }> {
  const env = { ...process.env, URL: worker.url, KEY: key, NO_COLOR: "1" };
  return new Promise((resolve) => {
    const child = execFile("bash", ["-euo", "pipefail", "-c", command], { cwd: folder, env }, (_error, out, problems) =>
      resolve({ code: child.exitCode ?? -1, printed: out + problems }),
    );
  });
}

/** The client with one thing in it replaced, compiled. */
function compile(from: string, to: string): Promise<{ code: number; printed: string }> {
  expect(CLIENT).toContain(from);
  writeFileSync(join(folder, "client.ts"), CLIENT.replace(from, to));
  return run(COMPILE);
}

describe("The README's typed client", () => {
  it("compiles, and does what it says", { timeout: SLOW_MS }, async () => {
    expect(await compile("", "")).toEqual({ code: 0, printed: "" });
    expect(await run("node client.ts")).toEqual({ code: 0, printed: "acme false\n1\n" });
  });

  it.each([
    ["a field that is not one of a capture", "userId:", "userID:", "'userID'"],
    ["a value of another type", '"acme", userId', "true, userId", "boolean"],
    ["a field that no answer has", "account.externalId", "account.name", "'name'"],
    ["a field of another operation", "question:", "event:", "'event'"],
    ["a path that there is not", '"/api/v1/ask"', '"/api/v1/asks"', "/api/v1/asks"],
    ["a method that the path does not take", 'POST("/api/v1/ask"', 'GET("/api/v1/ask"', "/api/v1/ask"],
  ])("does not compile with %s", { timeout: SLOW_MS }, async (_what, from, to, told) => {
    const { code, printed } = await compile(from, to);
    expect(code).not.toBe(0);
    expect(printed).toContain(told);
  });
});

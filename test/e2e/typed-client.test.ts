/** The package `clients/typescript`: packed, installed and compiled as docs/api.md says, and with a busy service. */
import { execFile } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";

import { ApiError, type Client, createClient, dataOf } from "../../clients/typescript/src/client.ts";
import { retrying } from "../../clients/typescript/src/retry.ts";
import type { AdminClient } from "../harness/admin-client.ts";
import { commandsOf, inBash } from "../harness/api-guide.ts";
import { PROJECT_ROOT } from "../harness/project-root.ts";
import { type Proxy, startProxy } from "../harness/proxy.ts";
import { sharedWorker } from "../harness/shared-worker.ts";

const SLOW_MS = 300_000;
const HEADING = "Use the typed client";
const [PACK = "", INSTALL = "", RUN = ""] = commandsOf(HEADING);
const [EXAMPLE = ""] = commandsOf(HEADING, "ts");
const PACKAGE = join(PROJECT_ROOT, "clients/typescript");

let worker: AdminClient;
let folder: string;
beforeAll(() => {
  worker = sharedWorker();
  folder = mkdtempSync(join(tmpdir(), "typed-client-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

it("src/openapi.ts is what npm run client:generate writes", async () => {
  const copy = join(folder, "clients/typescript");
  cpSync(join(PACKAGE, "src"), join(copy, "src"), { recursive: true });
  cpSync(join(PACKAGE, "package.json"), join(copy, "package.json"));
  cpSync(join(PROJECT_ROOT, "package.json"), join(folder, "package.json"));
  symlinkSync(join(PACKAGE, "node_modules"), join(copy, "node_modules"));
  const env = { ...process.env, URL: worker.url };
  await promisify(execFile)("npm", ["run", "client:generate"], { cwd: folder, env });
  const [written, committed] = [copy, PACKAGE].map((root) => readFileSync(join(root, "src/openapi.ts"), "utf8"));
  expect(written === committed, "Run npm run client:generate while npm start runs.").toBe(true);
});

describe("the example of docs/api.md", () => {
  /** Mistakes in the example, and a word of the compiler's complaint about each. */
  const MISTAKES: [what: string, from: string, to: string, told: string][] = [
    ["a field that is not one of a capture", "userId:", "userID:", "'userID'"],
    ["a value of another type", '"acme", userId', "true, userId", "'boolean'"],
    ["a field that no response has", "account.externalId", "account.name", "'name'"],
    ["a field of another operation", "question:", "event:", "'event'"],
    ["an unknown path", '"/api/v1/ask"', '"/api/v1/asks"', "/api/v1/asks"],
    ["a method that the path does not take", 'POST("/api/v1/ask"', 'GET("/api/v1/ask"', "/api/v1/ask"],
    ["a path without its parameter", "{ path: { externalId:", "{ path: { id:", "'id'"],
  ];
  const MISTAKEN = MISTAKES.map(([what, from, , told], number) => ({ what, from, told, file: `mistake-${number}.ts` }));

  let project: string;
  let key: string;
  /** What the compiler says, by file. */
  let complaints: string[];
  beforeAll(async () => {
    project = mkdtempSync(join(folder, "project-"));
    ({ key } = await worker.createWorkspace());
    await inBash(PACK.replaceAll("/tmp", folder), { cwd: PROJECT_ROOT });
    await run(INSTALL.replaceAll("/tmp", folder));
    writeFileSync(join(project, "client.ts"), EXAMPLE);
    for (const [number, [, from, to]] of MISTAKES.entries())
      writeFileSync(join(project, `mistake-${number}.ts`), EXAMPLE.replace(from, to));
    const compile = "npx tsc --strict --noEmit --module nodenext --target es2022 --pretty false client.ts mistake-*.ts";
    complaints = (await run(`${compile} || true`)).split("\n");
  }, SLOW_MS);

  const run = (command: string): Promise<string> =>
    inBash(command, { cwd: project, env: { ...process.env, URL: worker.url, KEY: key, NO_COLOR: "1" } });

  it("compiles and does what it says", async () => {
    expect(complaints.filter((line) => /^\w/.test(line) && !line.startsWith("mistake-"))).toEqual([]);
    expect(await run(RUN)).toBe("acme false\n1\nnot_found No such account.\n");
  });

  it.each(MISTAKEN)("does not compile with $what", ({ from, told, file }) => {
    expect(EXAMPLE).toContain(from);
    expect(complaints).toContainEqual(expect.stringMatching(`^${file}.*error.*${told}`));
  });
});

const track = (event: string) => ({ type: "track" as const, userId: "u2", event });

describe("a client of a service that returns 503 after it has stored", () => {
  let proxy: Proxy;
  let client: Client;
  const pauses: [status: number, seconds: number][] = [];
  beforeAll(async () => {
    proxy = await startProxy(worker.url);
    const { key } = await worker.createWorkspace({ writeLimit: 1_000 });
    client = createClient({
      url: proxy.url,
      key,
      onRetry: ({ status }, seconds) => void pauses.push([status, seconds]),
    });
  });
  afterAll(() => proxy[Symbol.asyncDispose]());

  const capture = (event: string) =>
    client.POST("/api/v1/events", { body: { accountId: "acme", userId: "u1", event } });
  const listed = async (name: string) => {
    const { events } = await dataOf(client.GET("/api/v1/events"));
    return events.filter((event) => event.name === name).length;
  };

  it("stores a capture once, and the same event of another call again", async () => {
    proxy.lose(2);
    expect((await dataOf(capture("report.exported"))).deduped).toBe(true);
    expect(proxy.requests()).toHaveLength(3);
    expect((await dataOf(capture("report.exported"))).deduped).toBe(false);
    expect(await listed("report.exported")).toBe(2);
  });

  it("stores messages without a messageId once", async () => {
    const sent = [
      () => client.POST("/api/v1/cdp", { body: { batch: [track("batched"), track("batched")] } }),
      () => client.POST("/v1/batch", { body: [track("listed")] }),
      () => client.POST("/v1/track", { body: { userId: "u2", event: "alone" } }),
    ];
    for (const send of sent) {
      proxy.lose(1);
      const { stored, duplicates } = await dataOf<{ stored: number; duplicates: number }>(send());
      expect([stored, duplicates > 0]).toEqual([0, true]);
    }
    expect(await Promise.all(["batched", "listed", "alone"].map(listed))).toEqual([2, 1, 1]);
  });

  it("keeps the ids that its caller gives", async () => {
    const params = { header: { "Idempotency-Key": "export-1" } };
    const send = () =>
      client.POST("/api/v1/events", { params, body: { accountId: "acme", userId: "u3", event: "given" } });
    expect([(await dataOf(send())).deduped, (await dataOf(send())).deduped]).toEqual([false, true]);
  });

  it("pauses for Retry-After, and gives up after six attempts", async () => {
    pauses.length = 0;
    proxy.refuse(6);
    await expect(dataOf(capture("too.busy"))).rejects.toMatchObject({ name: "ApiError", code: null });
    expect(pauses).toEqual(Array.from({ length: 5 }, () => [503, 0]));
    expect(await listed("too.busy")).toBe(0);
  });

  it("creates a key once", async () => {
    const { id } = await worker.createWorkspace();
    const administrator = createClient({ url: proxy.url, key: worker.adminToken });
    const called = { params: { path: { id } } };
    proxy.lose(1);
    const { response } = await administrator.POST("/admin/workspaces/{id}/keys", {
      ...called,
      body: { name: "a key" },
    });
    const { workspace } = await dataOf(administrator.GET("/admin/workspaces/{id}", called));
    expect([response.status, workspace.keys.filter(({ name }) => name === "a key").length]).toEqual([503, 1]);
  });

  it.each([
    ["2", 2],
    ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
    ["soon", 1],
  ])("understands Retry-After: %s", async (value, seconds) => {
    const busy = Response.json({}, { status: 503, headers: { "Retry-After": value } });
    const send = vi.spyOn(globalThis, "fetch").mockResolvedValueOnce(busy).mockResolvedValueOnce(new Response());
    const told: number[] = [];
    await retrying({ onRetry: (_, pause) => void told.push(pause) })(new Request(worker.url));
    send.mockRestore();
    expect(told).toEqual([seconds]);
  });

  it("names the invalid fields", async () => {
    const query = { find: "accounts", show: "list", limit: 0 } as const;
    const refused: unknown = await dataOf(client.POST("/api/v1/query", { body: query })).catch(
      (error: unknown) => error,
    );
    expect(refused).toMatchObject({
      code: "invalid_request",
      issues: [{ path: "limit", message: expect.any(String) }],
    });
  });

  it("says what the service says, and stops a pause when it is canceled", async () => {
    const { key } = await worker.createWorkspace({ writeLimit: 1 });
    const stop = new AbortController();
    const post = (options: { maxAttempts?: number; onRetry?: () => void }) =>
      dataOf(
        createClient({ url: worker.url, key, signal: stop.signal, ...options }).POST("/api/v1/events", {
          body: { accountId: "acme", userId: "u1", event: "limited" },
        }),
      );
    await post({});
    const refused: unknown = await post({ maxAttempts: 1 }).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(ApiError);
    expect(refused).toMatchObject({ code: "rate_limited", requestId: expect.any(String), response: { status: 429 } });
    await expect(post({ onRetry: () => stop.abort() })).rejects.toMatchObject({ name: "AbortError" });
  });
});

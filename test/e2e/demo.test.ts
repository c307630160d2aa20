/** Runs `npm run demo` against a real `npm start`. test/evals/demo-world.test.ts checks what it sends. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";

import { commandsOf } from "../harness/api-guide.ts";
import { type ProcessGroup, startGroup } from "../harness/process-group.ts";
import { type Service, startService } from "../harness/service.ts";

/** A run takes 20 s on a quiet machine. */
const DEMO_MS = 180_000;
const SET_UP_MS = 300_000;

const Workspaces = z.object({
  workspaces: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      writeLimit: z.number(),
      dpa: z.unknown(),
      counters: z.object({ stored: z.number(), rejected: z.number() }),
      keys: z.array(z.object({ name: z.string().nullable(), revokedAt: z.string().nullable() })),
    }),
  ),
});
const NewKey = z.object({ key: z.object({ key: z.string() }) });
const Items = z.object({ items: z.array(z.object({ id: z.string() })) });
const READ_KEY = /^demo \d{4}-\d{2}-\d{2}$/;

interface Ended {
  code: number | null;
  output: string;
}

describe("npm run demo", () => {
  let service: Service;
  let canceled: Ended;
  let first: Ended;
  let firstCurl: unknown;
  beforeAll(async () => {
    service = await startService();
    canceled = await cancelDemo();
    first = await demo();
    firstCurl = JSON.parse(execFileSync("bash", ["-c", firstCommandOf(service.output())], { encoding: "utf8" }));
  }, SET_UP_MS);
  afterAll(() => service[Symbol.asyncDispose]());

  function startDemo(env: Record<string, string> = {}): ProcessGroup {
    const settings = { PORT: new URL(service.url).port, STATE_DIR: service.stateDir, ADMIN_TOKEN: service.adminToken };
    return startGroup("npm", ["run", "demo"], { env: { ...settings, ...env } });
  }

  async function demo(env: Record<string, string> = {}): Promise<Ended> {
    const group = startDemo(env);
    return { code: await group.end(DEMO_MS), output: group.output() };
  }

  /** Presses Ctrl-C while the demo sends. */
  async function cancelDemo(): Promise<Ended> {
    const group = startDemo();
    await vi.waitUntil(async () => (await activeKeys()).includes("demo sender"), { timeout: DEMO_MS, interval: 10 });
    group.signalAll("SIGINT");
    return { code: await group.end(DEMO_MS), output: group.output() };
  }

  async function demoWorkspace() {
    const answer = await (await service.admin("GET", "/admin/workspaces")).json();
    const { workspaces } = Workspaces.parse(answer);
    const [workspace] = workspaces;
    if (workspace === undefined || workspaces.length > 1) throw new Error("There is not exactly one workspace");
    return workspace;
  }

  /** Returns the names of the demo's own active keys. */
  async function activeKeys(): Promise<string[]> {
    const { keys } = await demoWorkspace();
    return keys.flatMap(({ name, revokedAt }) =>
      name !== null && /^demo (?!ingest)/.test(name) && revokedAt === null ? [name] : [],
    );
  }

  async function createKey(body: object): Promise<string> {
    const { id } = await demoWorkspace();
    return NewKey.parse(await (await service.admin("POST", `/admin/workspaces/${id}/keys`, body)).json()).key.key;
  }

  /** The number in the first run's output. */
  const printed = (pattern: RegExp): number => Number(pattern.exec(first.output)?.[1]?.replaceAll(",", ""));

  it("ends with 130 on Ctrl-C, and revokes the key that it sends with", () => {
    expect(canceled).toEqual({ code: 130, output: expect.stringContaining("npm run demo: canceled.") });
  });

  it("completes what a canceled run began, and leaves one active key", async () => {
    expect(first).toMatchObject({ code: 0 });
    const workspace = await demoWorkspace();
    expect(workspace.name).toBe("Demo");
    expect(workspace.counters.stored).toBeGreaterThan(30_000);
    expect(workspace.counters.rejected).toBeLessThan(20);
    expect(workspace.dpa).toMatchObject({ acceptedBy: "The demo" });
    expect(await activeKeys()).toEqual([expect.stringMatching(READ_KEY)]);
  });

  it("leaves room in the write limit for the first curl of npm start", () => {
    expect(firstCurl).toMatchObject({ ok: true, deduped: false });
  });

  it("prints message counts that add up", () => {
    const sent =
      printed(/Sending ([\d,]+) messages/) +
      printed(/Sent ([\d,]+) new captures/) +
      printed(/ and (\d+) messages with mistakes/);
    expect(
      printed(/^Messages: ([\d,]+) stored/m) + printed(/stored, ([\d,]+) already stored/) + printed(/, (\d+) rejected/),
    ).toBe(sent);
  });

  it("keeps the own requests of npm start out of its output, and shows those of others", () => {
    const [welcome = "", later] = service.output().split("Ctrl-C stops the service.");
    expect(welcome).not.toContain('{"requestId"');
    expect(later).toContain('{"requestId"');
    expect(service.output()).not.toContain('"operation":"readiness"');
  });

  it("prints a link to the console, and its key once", () => {
    expect(first.output).toMatch(/^ {2}http\S+\/console\/sign-in\?link=/m);
    expect(first.output.match(/bik_\w{30}/g)).toHaveLength(1);
  });

  it("prints commands that work when pasted", () => {
    const commands = first.output.slice(first.output.indexOf("  KEY="));
    const stdio: ["ignore", "pipe", "ignore"] = ["ignore", "pipe", "ignore"];
    const answers = execFileSync("bash", ["-euo", "pipefail", "-c", commands], { encoding: "utf8", stdio });
    const [accounts, answer] = answers.split(/(?<=\})(?=\{"ok")/).map((json): unknown => JSON.parse(json));
    expect(accounts).toMatchObject({ ok: true, accounts: expect.arrayContaining([expect.anything()]) });
    expect(answer).toMatchObject({ ok: true, knows: true, value: expect.any(Number) });
  });

  it("stores names, rejected messages, an account with markup in its id, and handled inbox items", async () => {
    const key = await createKey({ name: "test" });
    const get = async (path: string): Promise<unknown> =>
      (await fetch(service.url + path, { headers: { authorization: `Bearer ${key}` } })).json();
    expect(await get("/api/v1/accounts/juniper-foods")).toMatchObject({
      account: { identity: { company: "Juniper Foods" }, health: { state: "at_risk" } },
    });
    expect(await get(`/api/v1/accounts/${encodeURIComponent("<b>Bobby & Sons</b>")}`)).toMatchObject({
      account: { externalId: "<b>Bobby & Sons</b>", kind: "company" },
    });
    expect(await get("/api/v1/accounts/ida-brandt")).toMatchObject({ account: { kind: "solo" } });
    expect(await get("/api/v1/rejected")).toMatchObject({ rejected: expect.arrayContaining([expect.anything()]) });
    expect(await get("/api/v1/inbox?status=dismissed")).toMatchObject({ items: [{ kind: "gone_silent" }] });
    expect(await get("/api/v1/inbox?status=snoozed")).toMatchObject({ items: [{ kind: "seats_nearly_full" }] });
  });

  it(
    "stores nothing new when it runs again, keeps what people have changed, and revokes leftover keys",
    async () => {
      const key = await createKey({ name: "test" });
      const inbox = async (method: string, path: string): Promise<unknown> =>
        (
          await fetch(`${service.url}/api/v1/inbox${path}`, { method, headers: { authorization: `Bearer ${key}` } })
        ).json();
      const dismissed = async () => Items.parse(await inbox("GET", "?status=dismissed")).items;
      const { id } = await demoWorkspace();
      for (const item of await dismissed()) await inbox("DELETE", `/${item.id}/dismiss`);
      await service.admin("DELETE", `/admin/workspaces/${id}/dpa`);
      await service.admin("PATCH", `/admin/workspaces/${id}`, { writeLimit: 250 });
      await createKey({ name: "demo sender" });

      const before = await demoWorkspace();
      const second = await demo();

      expect(second).toMatchObject({ code: 0, output: expect.stringContaining("Messages: 0 stored") });
      expect(await demoWorkspace()).toMatchObject({ counters: before.counters, writeLimit: 250, dpa: null });
      expect(await dismissed()).toEqual([]);
      expect(await activeKeys()).toEqual([expect.stringMatching(READ_KEY)]);
    },
    SET_UP_MS,
  );

  it("runs beside the workspace that docs/api.md creates for its examples", async () => {
    const [block = ""] = commandsOf("Set up");
    const folder = mkdtempSync(join(tmpdir(), "examples-"));
    try {
      writeFileSync(join(folder, ".dev.vars"), `ADMIN_TOKEN=${service.adminToken}\n`);
      const command = `${block.replace("http://127.0.0.1:8787", service.url)}\nnode -p 'JSON.stringify(process.env)'`;
      const output = execFileSync("bash", ["-euo", "pipefail", "-c", command], { cwd: folder, encoding: "utf8" });
      const { URL: url, KEY: key, WORKSPACE: id } = z.record(z.string(), z.string()).parse(JSON.parse(output));
      const read = await fetch(`${url ?? ""}/api/v1/accounts`, { headers: { authorization: `Bearer ${key ?? ""}` } });
      expect(await read.json()).toMatchObject({ ok: true, accounts: [] });
      expect((await service.admin("DELETE", `/admin/workspaces/${id ?? ""}`)).status).toBe(200);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("says that no service is running", async () => {
    const { code, output } = await demo({ PORT: "1" });
    expect(code).toBe(1);
    expect(output).toContain("npm run demo: Nothing answers at http://127.0.0.1:1. Run npm start in another terminal");
  });

  it("says that the service has another admin token", async () => {
    const { code, output } = await demo({ ADMIN_TOKEN: "another-token-0123456789abcdefghijkl" });
    expect(code).toBe(1);
    expect(output).toContain("npm run demo: The service has another admin token.");
  });
});

/** The first command that `npm start` prints. */
const firstCommandOf = (output: string): string => /^ +curl .*?(?=\n\n)/ms.exec(output)?.[0] ?? "false";

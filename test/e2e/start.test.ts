/** Runs `npm start` as on a fresh clone. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";

import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";

import { listen } from "../harness/free-port.ts";
import type { ProcessGroup } from "../harness/process-group.ts";
import { copyProject, type ProjectCopy } from "../harness/project-copy.ts";
import { CLEAN_END, commandsOf, endOf, LINK, livenessOf, pidsOf, STOP_MS } from "./started.ts";

const RESTART_MS = 60_000;
const TOKEN = "token-of-the-environment-0123456789ab";

let copy: ProjectCopy;
beforeAll(async () => {
  copy = await copyProject();
});
afterAll(() => copy[Symbol.asyncDispose]());

/** Runs a command in bash, as if pasted, and parses the JSON that it prints. */
function paste(command = "false"): unknown {
  const stdio: ["ignore", "pipe", "ignore"] = ["ignore", "pipe", "ignore"];
  return JSON.parse(execFileSync("bash", ["-c", command], { cwd: copy.root, encoding: "utf8", stdio }));
}

const pathOf = (name: string): string => join(copy.root, name);
const devVars = (): string => readFileSync(pathOf(".dev.vars"), "utf8");
const modeOf = (name: string): number => statSync(pathOf(name)).mode & 0o777;

async function adminStatus(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`http://127.0.0.1:${copy.port}/admin/workspaces`, { headers })).status;
}

async function administer(port: number, path: string, body?: object): Promise<unknown> {
  const headers = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" };
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  return (await fetch(`http://127.0.0.1:${port}${path}`, { headers, ...init })).json();
}

const isHealthy = async (): Promise<boolean> => {
  try {
    return (await fetch(`http://127.0.0.1:${copy.port}/healthz`, { signal: AbortSignal.timeout(1_000) })).ok;
  } catch {
    return false;
  }
};

describe("a first start", () => {
  let group: ProcessGroup;
  beforeAll(async () => {
    group = await copy.up();
  });

  it("prints a curl that sends an event, and one that reads it back", () => {
    const [send, read] = commandsOf(group);
    expect(paste(send)).toMatchObject({ ok: true, deduped: false, account: { externalId: "acme" } });
    expect(JSON.stringify(paste(read))).toContain('"report.exported"');
  });

  it("prints a link that signs in to the console", async () => {
    const answer = await fetch(LINK.exec(group.output())?.[1] ?? "", { redirect: "manual" });
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toMatch(/^\/console\/w\/ws_\w+\/live$/);
    expect(answer.headers.get("set-cookie")).toMatch(/^console=/);
  });

  it("writes .dev.vars with random secrets, and lets only the owner read files with secrets", () => {
    for (const name of ["ADMIN_TOKEN", "SECRETS_KEY"]) expect(parseEnv(devVars())[name]).toMatch(/^[0-9a-f]{64}$/);
    expect(modeOf(".dev.vars")).toBe(0o600);
    expect(modeOf("state/demo.json")).toBe(0o600);
  });

  it("logs the requests of others, whatever id they send, and none of its own", async () => {
    expect(livenessOf(group)).toEqual([]);
    await fetch(`http://127.0.0.1:${copy.port}/healthz`, { headers: { "x-request-id": "npm-start" } });
    await vi.waitUntil(() => livenessOf(group).length > 0, { timeout: STOP_MS });
    expect(livenessOf(group)[0]).toContain('{"requestId":"npm-start"');
  });

  it("keeps no URL of a request", async () => {
    await fetch(`http://127.0.0.1:${copy.port}/api/v1/users/qq-erased`);
    for (const name of readdirSync(copy.root, { recursive: true, encoding: "utf8" })) {
      if (!name.startsWith("state/") || statSync(pathOf(name)).isDirectory()) continue;
      expect(readFileSync(pathOf(name)).includes("qq-erased"), name).toBe(false);
    }
  });

  it("serves the path that fires the cron", async () => {
    const cron = `http://127.0.0.1:${copy.port}/cdn-cgi/local/scheduled?cron=*%2F5+*+*+*+*&format=json`;
    expect(await (await fetch(cron)).json()).toMatchObject({ outcome: "ok" });
  });

  it("refuses a second start on the same state directory", async () => {
    const { server, port } = await listen();
    server.close();
    const second = copy.start({ PORT: String(port) });
    expect(await second.end(STOP_MS)).toBe(1);
    expect(second.output()).toMatch(/npm start: Another npm start is using \S+\/state\./);
    expect(await isHealthy()).toBe(true);
  });

  it("ends cleanly on SIGINT to npm", async () => {
    group.signal("SIGINT");
    expect(await endOf(group)).toEqual(CLEAN_END);
  });
});

/** The files that `npm start` has written beside wrangler.toml. */
const written = () => readdirSync(copy.root).filter((name) => name.endsWith("-databases.toml"));

describe("two services in the same folder, with several databases each", () => {
  let one: ProcessGroup;
  let two: ProcessGroup;
  let printed: number;
  let otherPort: number;
  beforeAll(async () => {
    const env = { DATABASES: "2", ADMIN_TOKEN: TOKEN };
    one = await copy.up({ ...env, STATE_DIR: pathOf("state-one") });
    printed = one.output().length;
    const { server, port } = await listen();
    server.close();
    otherPort = port;
    two = await copy.up({ ...env, STATE_DIR: pathOf("state-two"), PORT: String(port) });
  });

  it("have a configuration each, and answer", async () => {
    expect(written()).toHaveLength(2);
    expect((await fetch(`http://127.0.0.1:${otherPort}/readyz`)).status).toBe(200);
  });

  it("have workspaces and the recompute in each database", async () => {
    expect(await administer(otherPort, "/admin/workspaces", { name: "Second", database: "DB_1" })).toMatchObject({
      ok: true,
    });
    expect(await administer(otherPort, "/admin/databases")).toMatchObject({
      databases: [
        { name: "DB", workspaces: 1 },
        { name: "DB_1", workspaces: 1 },
      ],
    });
    expect(await administer(otherPort, "/admin/recompute", {})).toMatchObject({ ok: true });
  });

  it("end alone, and leave nothing", async () => {
    two.signal("SIGTERM");
    expect(await endOf(two)).toEqual(CLEAN_END);
    expect((await fetch(`http://127.0.0.1:${copy.port}/readyz`)).status).toBe(200);
    // Lines of the Worker's log only: it wasn't reloaded.
    const lines = one.output().slice(printed).split("\n");
    expect(lines.filter((line) => line !== "" && !line.startsWith("{"))).toEqual([]);
    one.signal("SIGTERM");
    expect(await endOf(one)).toEqual(CLEAN_END);
    expect(written()).toEqual([]);
  });
});

describe("a later start", () => {
  let group: ProcessGroup;
  let before: string;
  beforeAll(async () => {
    before = devVars();
    group = await copy.up();
  });

  it("keeps the token, the demo workspace with its events, and its keys", () => {
    const [, read] = commandsOf(group);
    expect(JSON.stringify(paste(read))).toContain('"report.exported"');
    expect(devVars()).toBe(before);
  });

  it.each([
    { what: "workerd crashes", command: "workerd", signal: "SIGKILL" },
    { what: "workerd hangs", command: "workerd", signal: "SIGSTOP" },
    { what: "wrangler crashes", command: "wrangler-dist/cli.js", signal: "SIGKILL" },
  ] as const)(
    "restarts the Worker when $what, and says so",
    async ({ command, signal }) => {
      const printed = group.output().length;
      for (const pid of pidsOf(group, command)) process.kill(pid, signal);
      await vi.waitUntil(() => group.output().includes("The service is up again.", printed), { timeout: RESTART_MS });
      expect(group.output().slice(printed)).toMatch(/npm start: .* Restarting…/);
      expect(await isHealthy()).toBe(true);
    },
    RESTART_MS,
  );

  it("ends cleanly on Ctrl-C, which signals all processes", async () => {
    group.signalAll("SIGINT");
    expect(await group.end(STOP_MS)).toBe(0);
    expect(group.members()).toEqual([]);
  });
});

describe("a start with ADMIN_TOKEN in the environment", () => {
  let group: ProcessGroup;
  let before: string;
  beforeAll(async () => {
    before = devVars();
    writeFileSync(pathOf("state/demo.json"), '{"workspaceId":"ws_1","ingestKey":"bik_gone","readKey":"bik_gone"}');
    group = await copy.up({ ADMIN_TOKEN: TOKEN });
  });

  it("uses that token, leaves .dev.vars alone, and shows the token on no command line", async () => {
    expect(await adminStatus(TOKEN)).toBe(200);
    expect(await adminStatus(parseEnv(before)["ADMIN_TOKEN"] ?? "")).toBe(401);
    expect(devVars()).toBe(before);
    expect(group.members().join("\n")).toContain("workerd");
    expect(group.members().join("\n")).not.toContain(TOKEN);
  });

  it("prints commands that work without the token, with new keys for those that no longer work", () => {
    const [send, read] = commandsOf(group);
    expect(paste(send)).toMatchObject({ ok: true });
    expect(JSON.stringify(paste(read))).toContain('"report.exported"');
  });

  it("ends with npm, even when npm is killed", async () => {
    group.signal("SIGKILL");
    await expect.poll(() => group.members(), { timeout: STOP_MS }).toEqual([]);
  });
});

describe("a start with a .dev.vars of a version before notifications", () => {
  it("adds a SECRETS_KEY beside the other lines", async () => {
    const before = `# A comment.\nADMIN_TOKEN=${TOKEN}`;
    writeFileSync(pathOf(".dev.vars"), before);
    const group = await copy.up();
    expect(devVars().startsWith(before)).toBe(true);
    expect(parseEnv(devVars())).toEqual({ ADMIN_TOKEN: TOKEN, SECRETS_KEY: expect.stringMatching(/^[0-9a-f]{64}$/) });
    expect(await adminStatus(TOKEN)).toBe(200);
    group.signal("SIGTERM");
    expect(await endOf(group)).toEqual(CLEAN_END);
  });
});

describe("a start after a rotation of SECRETS_KEY", () => {
  const [first, second, third] = ["first", "second", "third"].map(
    (name) => `the-${name}-key-of-destinations-0123456789`,
  );
  let id: string | undefined;

  it.each([
    ["none before", { SECRETS_KEY: first }, {}, 200],
    ["the one before in .dev.vars", { SECRETS_KEY: second, SECRETS_KEY_PREVIOUS: first }, {}, 200],
    [
      "the one before in the environment",
      {},
      { SECRETS_KEY: third, SECRETS_KEY_PREVIOUS: second, ADMIN_TOKEN_PREVIOUS: third },
      200,
    ],
    ["the one before lost", { SECRETS_KEY: first }, {}, 400],
  ])("opens secrets with %s", async (_, secrets, env, status) => {
    const lines = Object.entries({ ADMIN_TOKEN: TOKEN, ...secrets }).map(([name, value]) => `${name}=${value}\n`);
    writeFileSync(pathOf(".dev.vars"), lines.join(""));
    const group = await copy.up({ ...env, STATE_DIR: pathOf("state-rotated") });
    const { workspaces } = z
      .object({ workspaces: z.array(z.object({ id: z.string() })) })
      .parse(await administer(copy.port, "/admin/workspaces"));
    const name = { name: "rotating", scopes: ["notify"] };
    const { key } = z
      .object({ key: z.object({ key: z.string() }) })
      .parse(await administer(copy.port, `/admin/workspaces/${workspaces[0]?.id}/keys`, name));
    const call = (method: string, path: string, body: object) =>
      fetch(`http://127.0.0.1:${copy.port}/api/v1/destinations${path}`, {
        method,
        headers: { authorization: `Bearer ${key.key}`, "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    const url = "https://hooks.example.com/a";
    if (id === undefined) {
      const created = await call("POST", "", { kind: "webhook", url, events: ["inbox.opened"] });
      ({ id } = z.object({ destination: z.object({ id: z.string() }) }).parse(await created.json()).destination);
    }
    expect((await call("PATCH", `/${id}`, { url })).status).toBe(status);
    expect(await adminStatus(third ?? "")).toBe("ADMIN_TOKEN_PREVIOUS" in env ? 200 : 401);
    group.signal("SIGTERM");
    expect(await endOf(group)).toEqual(CLEAN_END);
    expect(written()).toEqual([]);
  });
});

describe("a start after a crash of everything", () => {
  it("takes over the state directory, and ends cleanly on SIGTERM", async () => {
    const crashed = await copy.up();
    await crashed.kill();

    const group = await copy.up();
    expect(await isHealthy()).toBe(true);
    group.signalAll("SIGTERM");
    expect(await endOf(group)).toEqual(CLEAN_END);
  });

  it("ends cleanly while it is still starting", async () => {
    const group = copy.start();
    await vi.waitUntil(() => pidsOf(group, "migrations").length > 0, { timeout: STOP_MS });
    group.signal("SIGTERM");
    expect(await endOf(group)).toEqual(CLEAN_END);
  });
});

describe("a start that fails", () => {
  it.each([
    ["missing", "OTHER=1\n"],
    ["too short", "ADMIN_TOKEN=short\n"],
  ])("says that ADMIN_TOKEN is %s", async (what, text) => {
    writeFileSync(pathOf(".dev.vars"), text);
    const group = copy.start();
    expect(await group.end(STOP_MS)).toBe(1);
    expect(group.output()).toContain(`ADMIN_TOKEN in .dev.vars is ${what}.`);
    expect(devVars()).toBe(text);
  });

  it("says that SECRETS_KEY is too short", async () => {
    writeFileSync(pathOf(".dev.vars"), `ADMIN_TOKEN=${TOKEN}\nSECRETS_KEY=short\n`);
    const group = copy.start();
    expect(await group.end(STOP_MS)).toBe(1);
    expect(group.output()).toContain("SECRETS_KEY in .dev.vars is too short.");
  });

  it("says that the port is taken", async () => {
    const { server, port } = await listen();
    const group = copy.start({ PORT: String(port) });
    expect(await group.end(STOP_MS)).toBe(1);
    server.close();
    expect(group.output()).toContain(`Port ${port} is taken.`);
  });

  it("says that the folder has more databases", async () => {
    const folder = pathOf("state-three/v3/d1/miniflare-D1DatabaseObject");
    mkdirSync(folder, { recursive: true });
    // What wrangler calls the file of DB_2.
    writeFileSync(join(folder, "504857c4e8a420ba135f21bceb50c83dec8d3b31685ba9d611e52805035a9481.sqlite"), "");
    const group = copy.start({ STATE_DIR: pathOf("state-three"), DATABASES: "2" });
    expect(await group.end(STOP_MS)).toBe(1);
    expect(group.output()).toContain("has 3 databases. Start all of them: DATABASES=3 npm start");
  });

  it("says that PORT is not a port", async () => {
    const group = copy.start({ PORT: "http" });
    expect(await group.end(STOP_MS)).toBe(1);
    expect(group.output()).toContain('PORT is "http".');
    const several = copy.start({ DATABASES: "many" });
    expect(await several.end(STOP_MS)).toBe(1);
    expect(several.output()).toContain('DATABASES is "many".');
    const team = copy.start({ ACCESS_TEAM_DOMAIN: "http://team.example.com", ACCESS_AUD: "x" });
    expect(await team.end(STOP_MS)).toBe(1);
    expect(team.output()).toContain("ACCESS_TEAM_DOMAIN must be the URL of a team");
  });
});

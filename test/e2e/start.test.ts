/**
 * `npm start`, as someone who has just cloned the repository meets it.
 */
import { execFileSync } from "node:child_process";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import { parseEnv } from "node:util";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { QUIET_WRANGLER } from "../../scripts/quiet-wrangler.ts";
import { consoleLink } from "../../scripts/start/console-link.ts";
import { fireCron } from "../../scripts/start/cron.ts";
import { welcome } from "../../scripts/start/welcome.ts";
import { type Clone, makeClone } from "./harness/clone.ts";
import { freePort, listen } from "./harness/free-port.ts";
import type { ProcessGroup } from "./harness/process-group.ts";
import { until } from "./harness/until.ts";

const STOP_MS = 15_000;
const TOKEN = "token-of-the-environment-0123456789ab";

const LINK = /^ +(http:\S+\/console\/sign-in\?link=\S+)$/m;

/** The indented paragraphs but for the console's link: what is there to be pasted. */
function commands(group: ProcessGroup): string[] {
  return group
    .output()
    .split("\n\n")
    .filter((paragraph) => paragraph.split("\n").every((line) => line.startsWith("  ")) && !LINK.test(paragraph));
}

/** Runs a command in bash, as if pasted, and reads the JSON that it prints. */
function paste({ root }: Clone, command = "false"): unknown {
  const stdio: ["ignore", "pipe", "ignore"] = ["ignore", "pipe", "ignore"];
  return JSON.parse(execFileSync("bash", ["-c", command], { cwd: root, encoding: "utf8", stdio }));
}

function devVars({ root }: Clone): string {
  return readFileSync(join(root, ".dev.vars"), "utf8");
}

function mode(path: string): number {
  return statSync(path).mode & 0o777;
}

async function adminStatus({ port }: Clone, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`http://127.0.0.1:${port}/admin/workspaces`, { headers })).status;
}

/** Waits for its end: the exit code. */
async function endOf(group: ProcessGroup): Promise<number | null> {
  await until(() => group.hasEnded(), { withinMs: STOP_MS, what: "the end of npm start" });
  return group.exitCode();
}

describe("a first start", () => {
  let clone: Clone;
  let group: ProcessGroup;
  beforeAll(async () => {
    clone = await makeClone();
    group = await clone.up();
  });
  afterAll(() => clone[Symbol.asyncDispose]());

  it("prints a curl that records an event when pasted, and commands that read it back", () => {
    const [record, readBack] = commands(group);
    expect(paste(clone, record)).toMatchObject({ ok: true, deduped: false, account: { externalId: "acme" } });
    expect(JSON.stringify(paste(clone, readBack))).toContain('"report.exported"');
  });

  it("prints a link to the console, which signs in", async () => {
    const answer = await fetch(LINK.exec(group.output())?.[1] ?? "", { redirect: "manual" });
    expect(answer.status).toBe(303);
    expect(answer.headers.get("location")).toMatch(/^\/console\/w\/ws_\w+\/live$/);
    expect(answer.headers.get("set-cookie")).toMatch(/^console=/);
  });

  it("makes .dev.vars with a random admin token, and what holds a secret is for its owner only", () => {
    expect(parseEnv(devVars(clone))["ADMIN_TOKEN"]).toMatch(/^[0-9a-f]{64}$/);
    expect(mode(join(clone.root, ".dev.vars"))).toBe(0o600);
    expect(mode(join(clone.root, "state", "demo.json"))).toBe(0o600);
  });

  it("leaves wrangler no migration to apply", () => {
    const list = "npx wrangler d1 migrations list DB --local --persist-to state";
    const options = { cwd: clone.root, encoding: "utf8", env: { ...process.env, ...QUIET_WRANGLER } } as const;
    expect(execFileSync("bash", ["-c", list], options)).toContain("No migrations to apply");
  });

  it("has a path that fires the cron", async () => {
    const cron = `http://127.0.0.1:${clone.port}/cdn-cgi/local/scheduled?cron=*%2F5+*+*+*+*&format=json`;
    expect(await (await fetch(cron)).json()).toMatchObject({ outcome: "ok" });
  });
});

describe("on an address that other machines reach", () => {
  const workspace = { workspaceId: "ws_1", ingestKey: "bik_1" };
  const words = (url: string): string => welcome(url, workspace, { value: TOKEN, source: "environment" });

  it.each(["http://192.168.1.5:8787", "http://[fd00::5]:8787"])("no link signs in, and none is told: %s", (url) => {
    expect(consoleLink(url, TOKEN, "/console")).toBeNull();
    expect(words(url)).toContain(`You sign in there with ADMIN_TOKEN:\n\n  ${url}/console\n`);
    expect(words(url)).not.toContain("link=");
  });

  it.each(["http://127.0.0.1:8787", "http://localhost:8787", "http://[::1]:8787"])("but one is on %s", (url) => {
    expect(words(url)).toContain(`  ${url}/console/sign-in?link=`);
  });
});

describe("a further start", () => {
  it("keeps .dev.vars, the demo workspace and its events, and its key as long as it is accepted", async () => {
    await using clone = await makeClone();
    const first = await clone.up();
    const [record] = commands(first);
    paste(clone, record);
    const vars = devVars(clone);
    expect(await first.stop("SIGTERM", STOP_MS)).toBe(0);

    const second = await clone.up();
    const [again, readBack] = commands(second);
    expect(again).toBe(record);
    expect(JSON.stringify(paste(clone, readBack))).toContain('"report.exported"');
    expect(devVars(clone)).toBe(vars);
    await second.stop("SIGTERM", STOP_MS);

    writeFileSync(join(clone.root, "state", "demo.json"), '{"workspaceId":"gone","ingestKey":"bik_gone"}');
    const [other] = commands(await clone.up());
    expect(other).not.toContain("bik_gone");
    expect(paste(clone, other)).toMatchObject({ ok: true });
  });
});

describe("the admin token", () => {
  it("is that of the environment, if there is one: .dev.vars is left alone, and no command line shows it", async () => {
    await using clone = await makeClone();
    const ofFile = "token-of-the-file-0123456789abcdefghij";
    writeFileSync(join(clone.root, ".dev.vars"), `ADMIN_TOKEN="${ofFile}"\n`);
    const group = await clone.up({ ADMIN_TOKEN: TOKEN });
    expect(await adminStatus(clone, TOKEN)).toBe(200);
    expect(await adminStatus(clone, ofFile)).toBe(401);
    expect(devVars(clone)).toBe(`ADMIN_TOKEN="${ofFile}"\n`);
    expect(group.members().join("\n")).toContain("workerd");
    expect(group.members().join("\n")).not.toContain(TOKEN);
  });

  it.each(["", "OTHER=1\n", "ADMIN_TOKEN=short\n"])("missing in .dev.vars or too short is told: %j", async (text) => {
    await using clone = await makeClone();
    writeFileSync(join(clone.root, ".dev.vars"), text);
    const group = clone.start();
    expect(await endOf(group)).toBe(1);
    expect(group.output()).toMatch(/ADMIN_TOKEN in \.dev\.vars is (missing|too short)/);
    expect(devVars(clone)).toBe(text);
  });
});

describe("the end", () => {
  it.each([
    ["SIGINT", "to npm", "signal"],
    ["SIGTERM", "to npm", "signal"],
    ["SIGINT", "to all, as by Ctrl-C,", "signalAll"],
    ["SIGTERM", "to all", "signalAll"],
  ] as const)("%s %s ends it with code 0 and leaves no process behind", async (signal, _to, send) => {
    await using clone = await makeClone();
    const group = await clone.up();
    group[send](signal);
    expect(await endOf(group)).toBe(0);
    expect(group.members()).toEqual([]);
    expect(group.output()).not.toContain("npm start:");
  });

  it("is as clean while it is still starting", async () => {
    await using clone = await makeClone();
    const group = clone.start();
    await until(() => group.members().some((member) => member.includes("migrations")));
    group.signal("SIGTERM");
    expect(await endOf(group)).toBe(0);
    expect(group.members()).toEqual([]);
  });

  it("comes with npm's own, even when npm is killed", async () => {
    await using clone = await makeClone();
    const group = await clone.up();
    group.signal("SIGKILL");
    await expect.poll(() => group.members(), { timeout: STOP_MS }).toEqual([]);
  });

  it("of wrangler is told, with exit code 1, and workerd does not outlive it", async () => {
    await using clone = await makeClone();
    const group = await clone.up();
    const wrangler = group.members().find((member) => member.includes("wrangler-dist/cli.js")) ?? "";
    process.kill(Number.parseInt(wrangler, 10), "SIGKILL");
    expect(await endOf(group)).toBe(1);
    expect(group.output()).toContain("wrangler dev ended by itself");
    expect(group.members()).toEqual([]);
  });
});

describe("what keeps it from starting", () => {
  it("is told in a line when the port is taken", async () => {
    await using clone = await makeClone();
    const { server, port } = await listen();
    const group = clone.start({ PORT: String(port) });
    expect(await endOf(group)).toBe(1);
    server.close();
    expect(group.output()).toContain(`Port ${port} is taken`);
  });

  it("is told when PORT is no port", async () => {
    await using clone = await makeClone();
    const group = clone.start({ PORT: "http" });
    expect(await endOf(group)).toBe(1);
    expect(group.output()).toContain('PORT is "http"');
  });
});

describe("the cron", () => {
  it("fires again and again, whatever the answer, until it is stopped", async () => {
    const asked: (string | undefined)[] = [];
    const port = await freePort();
    const server = createServer((request, response) => {
      asked.push(request.url);
      response.writeHead(asked.length === 1 ? 500 : 200).end();
    }).listen(port, "127.0.0.1");
    const stop = new AbortController();
    const firing = fireCron(`http://127.0.0.1:${port}`, stop.signal, 20);
    await until(() => asked.length >= 3);
    stop.abort();
    await firing;
    server.close();
    expect(new Set(asked)).toEqual(new Set(["/cdn-cgi/local/scheduled?cron=*%2F5+*+*+*+*&format=json"]));
  });
});

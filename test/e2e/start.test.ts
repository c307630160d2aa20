/**
 * `npm start`, as someone who has just cloned the repository meets it. Runs in a copy of the project, so that the
 * .dev.vars and the database of whoever runs the tests stay as they are.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseEnv } from "node:util";

import { afterEach, beforeEach, describe, expect, it } from "vitest";

import { fireCron } from "../../scripts/start/cron.ts";
import { freePort, listen } from "./harness/free-port.ts";
import { type ProcessGroup, PROJECT_ROOT, startGroup } from "./harness/process-group.ts";
import { until } from "./harness/until.ts";

const COPIED = "package.json package-lock.json .npmrc wrangler.toml tsconfig.json tsconfig.base.json src migrations scripts";
const STOP_MS = 15_000;

let root: string;
let port: number;
let group: ProcessGroup | undefined;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "start-"));
  for (const name of COPIED.split(" ")) cpSync(join(PROJECT_ROOT, name), join(root, name), { recursive: true });
  symlinkSync(join(PROJECT_ROOT, "node_modules"), join(root, "node_modules"));
  port = await freePort();
});

afterEach(async () => {
  await group?.kill();
  rmSync(root, { recursive: true });
});

function npmStart(env: Record<string, string> = {}): ProcessGroup {
  group = startGroup("npm", ["start"], { cwd: root, env: { PORT: String(port), STATE_DIR: join(root, "state"), ...env } });
  return group;
}

/** Starts it, and waits until it has printed its last command. */
async function up(env?: Record<string, string>): Promise<ProcessGroup> {
  const started = npmStart(env);
  await until(() => started.output().includes("$READ_KEY") || started.hasEnded(), { withinMs: 60_000, what: "npm start" });
  if (started.hasEnded()) throw new Error(`npm start ended: ${started.output()}`);
  return started;
}

/** The indented paragraphs: what is there to be pasted. */
function commands(output: string): string[] {
  return output.split("\n\n").filter((paragraph) => paragraph.split("\n").every((line) => line.startsWith("  ")));
}

function paste(command: string | undefined): unknown {
  const script = command ?? "false";
  const stdio: ["ignore", "pipe", "ignore"] = ["ignore", "pipe", "ignore"];
  return JSON.parse(execFileSync("bash", ["-c", script], { cwd: root, encoding: "utf8", stdio }));
}

async function adminStatus(token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`http://127.0.0.1:${port}/admin/workspaces`, { headers })).status;
}

function ingestKey(output: string): string | undefined {
  return /Bearer (bik_\w+)/.exec(output)?.[1];
}

function devVars(): string {
  return readFileSync(join(root, ".dev.vars"), "utf8");
}

describe("a first start", () => {
  it("prints a curl that records an event when pasted, and commands that read it back", async () => {
    const [record, readBack] = commands((await up()).output());
    expect(paste(record)).toMatchObject({ ok: true, deduped: false, account: { externalId: "acme" } });
    expect(JSON.stringify(paste(readBack))).toContain('"report.exported"');
  });

  it("makes .dev.vars with a random admin token that only its owner can read", async () => {
    await up();
    expect(parseEnv(devVars())["ADMIN_TOKEN"]).toMatch(/^[0-9a-f]{64}$/);
    expect(statSync(join(root, ".dev.vars")).mode & 0o777).toBe(0o600);
    expect(statSync(join(root, "state", "demo.json")).mode & 0o777).toBe(0o600);
  });
});

describe("a further start", () => {
  it("keeps the demo workspace, its key, its events and .dev.vars", async () => {
    const first = await up();
    const [record] = commands(first.output());
    paste(record);
    const vars = devVars();
    expect(await first.stop("SIGTERM", STOP_MS)).toBe(0);

    const [again, readBack] = commands((await up()).output());
    expect(again).toBe(record);
    expect(JSON.stringify(paste(readBack))).toContain('"report.exported"');
    expect(devVars()).toBe(vars);
  });

  it("makes a new demo workspace when the remembered key is not accepted", async () => {
    const first = await up();
    await first.stop("SIGTERM", STOP_MS);
    const file = join(root, "state", "demo.json");
    writeFileSync(file, JSON.stringify({ workspaceId: "gone", ingestKey: "bik_gone" }));
    const second = await up();
    expect(ingestKey(second.output())).not.toBe("bik_gone");
    expect(readFileSync(file, "utf8")).toContain(ingestKey(second.output()));
  });
});

describe("the admin token", () => {
  it("is that of the environment, if there is one, and .dev.vars is left alone", async () => {
    const ofFile = "token-of-the-file-0123456789abcdefghij";
    const ofEnvironment = "token-of-the-environment-0123456789ab";
    writeFileSync(join(root, ".dev.vars"), `ADMIN_TOKEN="${ofFile}"\n`);
    await up({ ADMIN_TOKEN: ofEnvironment });
    expect(await adminStatus(ofEnvironment)).toBe(200);
    expect(await adminStatus(ofFile)).toBe(401);
    expect(devVars()).toBe(`ADMIN_TOKEN="${ofFile}"\n`);
  });

  it("is on no command line", async () => {
    const token = "token-of-the-environment-0123456789ab";
    const started = await up({ ADMIN_TOKEN: token });
    expect(started.members().join("\n")).toContain("workerd");
    expect(started.members().join("\n")).not.toContain(token);
  });

  it.each(["", "OTHER=1\n", "ADMIN_TOKEN=short\n"])("that is missing in .dev.vars or too short is told: %j", async (text) => {
    writeFileSync(join(root, ".dev.vars"), text);
    const started = npmStart();
    await until(() => started.hasEnded());
    expect(started.exitCode()).toBe(1);
    expect(started.output()).toMatch(/ADMIN_TOKEN in \.dev\.vars is (missing|too short)/);
    expect(devVars()).toBe(text);
  });
});

describe("the end", () => {
  it.each([
    ["SIGINT", "to npm", "signal"],
    ["SIGTERM", "to npm", "signal"],
    ["SIGINT", "to all, as Ctrl-C", "signalAll"],
    ["SIGTERM", "to all", "signalAll"],
  ] as const)("%s %s ends it with code 0 and leaves no process behind", async (signal, _to, send) => {
    const started = await up();
    started[send](signal);
    await until(() => started.hasEnded(), { withinMs: STOP_MS });
    expect(started.exitCode()).toBe(0);
    expect(started.members()).toEqual([]);
    expect(started.output()).not.toContain("npm start:");
  });

  it("comes as cleanly during the start", async () => {
    const started = npmStart();
    await until(() => started.members().some((member) => member.includes("migrations")));
    started.signal("SIGTERM");
    await until(() => started.hasEnded(), { withinMs: STOP_MS });
    expect(started.exitCode()).toBe(0);
    expect(started.members()).toEqual([]);
  });

  it("comes with npm's own, even if npm had no time to tell", async () => {
    const started = await up();
    started.signal("SIGKILL");
    await expect.poll(() => started.members(), { timeout: STOP_MS }).toEqual([]);
  });

  it("of wrangler is told, with exit code 1, and workerd does not outlive it", async () => {
    const started = await up();
    const wrangler = started.members().find((member) => member.includes("wrangler-dist/cli.js"));
    process.kill(Number.parseInt(wrangler ?? "", 10), "SIGKILL");
    await until(() => started.hasEnded(), { withinMs: STOP_MS });
    expect(started.exitCode()).toBe(1);
    expect(started.output()).toContain("wrangler dev ended by itself");
    expect(started.members()).toEqual([]);
  });
});

describe("what keeps it from starting", () => {
  it("is told in a line when the port is taken", async () => {
    const { server, port: taken } = await listen();
    const started = npmStart({ PORT: String(taken) });
    await until(() => started.hasEnded());
    server.close();
    expect(started.exitCode()).toBe(1);
    expect(started.output()).toContain(`Port ${taken} is taken`);
  });

  it("is told when PORT is no port", async () => {
    const started = npmStart({ PORT: "http" });
    await until(() => started.hasEnded());
    expect(started.exitCode()).toBe(1);
    expect(started.output()).toContain('PORT is "http"');
  });
});

describe("the cron", () => {
  it("fires again and again, whatever the answer, until it is stopped", async () => {
    const asked: (string | undefined)[] = [];
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

  it("runs the Worker's scheduled handler", async () => {
    await up();
    const cron = `http://127.0.0.1:${port}/cdn-cgi/local/scheduled?cron=*%2F5+*+*+*+*&format=json`;
    expect(await (await fetch(cron)).json()).toMatchObject({ outcome: "ok" });
  });
});

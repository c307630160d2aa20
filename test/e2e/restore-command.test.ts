/** docs/restore.md: what `npm run restore` says of a restore, and when it stops waiting. */
import { once } from "node:events";
import { createServer } from "node:http";

import { describe, expect, it } from "vitest";

import { startGroup } from "../harness/process-group.ts";

const MAX_MS = 60_000;
const BACKUP = "2026-11-20T031500.000Z";
const FAULT = "The archive lacks a file.";
const MOVE = { from: "DB_1", to: "DB_2", state: "copying", rowsCopied: 3, rowsTotal: 9, backup: BACKUP };
const running = (move: object) => ({ database: "DB_1", move: { ...MOVE, ...move } });
const done = (database: string) => ({ database, move: null });
const BACKUPS = [
  { name: BACKUP, at: "2026-11-20T03:15:00.000Z", rows: 3, bytes: 900, complete: false },
  { name: "2026-11-19T031500.000Z", at: "2026-11-19T03:15:00.000Z", rows: 2, bytes: 600, complete: true },
];

/** @param answer what is typed on a terminal; `undefined` without a terminal */
async function run(args: string[], answer?: string, env: Record<string, string> = {}) {
  const command = ["npm", "run", "restore", "--", ...args];
  const typed = ['printf \'%s\\n\' "$0" | script -qec "$1" /dev/null', answer ?? "", command.join(" ")];
  const [program = "", ...rest] = answer === undefined ? command : ["bash", "-c", ...typed];
  const group = startGroup(program, rest, { env: { ADMIN_TOKEN: "a token of a test", ...env } });
  return { code: await group.end(MAX_MS), output: group.output() };
}

/**
 * Runs the command against an administration that starts a restore with a status, and then returns these workspaces.
 * @returns also the bodies of the calls that start a restore
 */
async function restore(status: number, workspaces: object[], options: string[], issues?: object[], answer?: string) {
  const started: unknown[] = [];
  await using server = createServer((request, response) => {
    const isStart = request.method === "POST";
    if (isStart) request.on("data", (body: Buffer) => started.push(JSON.parse(String(body))));
    const workspace = isStart || workspaces.length === 1 ? workspaces[0] : workspaces.shift();
    const read = request.url?.endsWith("/backups") ? { ok: true, backups: BACKUPS } : { workspace };
    const message = "Invalid body. See issues.";
    const error = issues && { error: { code: "invalid_request", message, issues } };
    response.writeHead(isStart ? status : 200, { "content-type": "application/json" });
    request.on("end", () => response.end(JSON.stringify(isStart ? (error ?? { ok: true, backup: BACKUP }) : read)));
    request.resume();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : address;
  return { ...(await run(["--url", `http://127.0.0.1:${port}`, "--workspace", "ws_1", ...options], answer)), started };
}
const TO_DB_2 = ["--database", "DB_2"];

describe("npm run restore", () => {
  it.each([
    ["ends when the wanted database has the workspace", 202, [running({}), done("DB_2")], []],
    ["ends while rows elsewhere still have to be closed", 202, [running({ state: "erasing" })], []],
    [
      "ends when its restore had ended before another one began",
      202,
      [running({}), { database: "DB_2", move: { ...MOVE, to: "DB_3" } }],
      [],
    ],
    [
      "ends when its restore had ended before it looked",
      202,
      [{ database: "DB_2", move: { ...MOVE, to: "DB_3" } }],
      [],
    ],
    ["follows the same restore", 409, [running({}), done("DB_2")], ["--date", "2026-11-20"]],
    ["follows one whose last attempt failed", 409, [running({ fault: FAULT }), running({}), done("DB_2")], []],
  ])("%s", async (_, status, workspaces, options) => {
    const { code, output } = await restore(status, workspaces, [...TO_DB_2, ...options]);
    expect([code, output]).toEqual([0, expect.stringContaining("DB_2 has the workspace.")]);
    expect(output).toContain("enable those that still hold.\n");
  });

  it.each([
    ["was cancelled", 202, [running({}), done("DB_1")], [], "was cancelled: DB_1 has the workspace"],
    ["is being cancelled", 202, [running({}), running({ state: "cancelling" })], [], "The restore was cancelled.\n"],
    ["was being cancelled before", 409, [running({ state: "cancelling" })], [], "The restore was cancelled.\n"],
    ["gave way to another", 202, [running({}), running({ to: "DB_3" })], [], "to DB_3 instead"],
    ["goes to another database", 409, [running({ to: "DB_3" })], [], "to DB_3 instead"],
    ["has a backup of another day", 409, [running({})], ["--date", "2026-11-21"], `the backup ${BACKUP}`],
    ["has another backup", 409, [running({})], ["--backup", "2026-11-20T000000.000Z"], `the backup ${BACKUP}`],
    ["is a move", 409, [running({ backup: undefined })], [], "a move to DB_2 instead"],
    ["fails again", 409, [running({ fault: FAULT }), running({}), running({ fault: FAULT })], [], FAULT],
  ])("fails when the restore %s", async (_, status, workspaces, options, message) => {
    const { code, output } = await restore(status, workspaces, [...TO_DB_2, ...options]);
    expect([code, output]).toEqual([1, expect.stringContaining(message)]);
  });

  it("lists the backups, and restores the one that is named", async () => {
    const { output } = await restore(200, [], ["--list"]);
    expect(output).toContain(`${BACKUP}  3 rows, 900 bytes in a database, incomplete`);
    expect(output).toContain("2026-11-19T031500.000Z  2 rows, 600 bytes in a database\n");
    const named = await restore(202, [running({}), done("DB_2")], [...TO_DB_2, "--backup", BACKUP]);
    expect(named).toMatchObject({ code: 0, started: [{ database: "DB_2", backup: BACKUP, giveUp: false }] });
  });

  it("gives rows up only with --yes, because there is no terminal", async () => {
    const asked = await restore(202, [done("DB_2")], [...TO_DB_2, "--give-up"]);
    expect(asked).toMatchObject({ code: 1, output: expect.stringContaining("--give-up needs --yes"), started: [] });
    const answered = await restore(202, [done("DB_2")], [...TO_DB_2, "--give-up", "--yes"]);
    expect(answered).toMatchObject({ code: 0, started: [{ database: "DB_2", giveUp: true }] });
  });

  it("names its own options in errors", async () => {
    const issues = [
      { path: "giveUp", message: "must be true to overwrite or close what is left: DB_1 holds the workspace" },
      { path: "database", message: "is not an open database" },
    ];
    const { code, output } = await restore(400, [], TO_DB_2, issues);
    expect(code).toBe(1);
    expect(output).toContain("--give-up is needed to overwrite or close what is left: DB_1 holds the workspace.");
    expect(output).toContain("--database is not an open database.");
    expect(output).not.toMatch(/giveUp|Invalid body/);
  });

  it("names an address that can't be reached, or is none", async () => {
    const away = await run(["--url", "http://127.0.0.1:9", "--workspace", "ws_1", ...TO_DB_2]);
    expect(away).toMatchObject({ code: 1, output: expect.stringContaining("http://127.0.0.1:9 can't be reached") });
    for (const url of ["ingest.example.com", "localhost:8787"]) {
      const none = await run(["--url", url, "--workspace", "ws_1", "--list"], undefined, { ADMIN_TOKEN: "" });
      expect(none).toMatchObject({ code: 1, output: expect.stringContaining(`--url ${url} is no address`) });
    }
  });

  it("asks for an id instead of a name", async () => {
    const { code, output } = await run(["--url", "http://127.0.0.1:9", "--workspace", "Acme", "--list"]);
    expect([code, output]).toEqual([1, expect.stringContaining("No such workspace: Acme. Give its id (ws_…).")]);
  });

  it("says that another service answers", async () => {
    await using server = createServer((_, response) => response.end("ok")).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const url = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
    const { code, output } = await run(["--url", url, "--workspace", "ws_1", "--list"]);
    expect([code, output]).toEqual([1, expect.stringContaining(`${url} doesn't answer as this service does (200).`)]);
  });

  it.each([
    ["ws_1", 0, 1],
    ["Acme", 0, 1],
    ["yes", 1, 0],
    ["", 1, 0],
  ])("on a terminal, gives rows up for the workspace's id or name only: %o", async (answer, code, calls) => {
    const workspaces = [{ id: "ws_1", name: "Acme", ...done("DB_2") }];
    const given = await restore(202, workspaces, [...TO_DB_2, "--give-up"], undefined, answer);
    expect(given).toMatchObject({ code, output: expect.stringContaining("ws_1 (Acme)") });
    expect(given.started).toHaveLength(calls);
  });
});

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

/** Runs the command against an administration that starts a restore with a status, and then returns these workspaces. */
async function restore(status: number, workspaces: object[], ...options: string[]) {
  await using server = createServer((request, response) => {
    const isStart = request.method === "POST";
    const workspace = isStart || workspaces.length === 1 ? workspaces[0] : workspaces.shift();
    response.writeHead(isStart ? status : 200, { "content-type": "application/json" });
    response.end(JSON.stringify(isStart ? { ok: true, backup: BACKUP } : { workspace }));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" ? address?.port : address;
  const args = ["--url", `http://127.0.0.1:${port}`, "--workspace", "ws_1", "--database", "DB_2", ...options];
  const group = startGroup("npm", ["run", "restore", "--", ...args], { env: { ADMIN_TOKEN: "a token of a test" } });
  return { code: await group.end(MAX_MS), output: group.output() };
}

describe("npm run restore", () => {
  it.each([
    ["ends when the wanted database has the workspace", 202, [running({}), done("DB_2")], []],
    ["ends while rows elsewhere still have to be closed", 202, [running({ state: "erasing" })], []],
    ["follows the same restore", 409, [running({}), done("DB_2")], ["--date", "2026-11-20"]],
    ["follows one whose last attempt failed", 409, [running({ fault: FAULT }), running({}), done("DB_2")], []],
  ])("%s", async (_, status, workspaces, options) => {
    const { code, output } = await restore(status, workspaces, ...options);
    expect([code, output]).toEqual([0, expect.stringContaining("DB_2 has the workspace.")]);
  });

  it.each([
    ["was cancelled", 202, [running({}), done("DB_1")], [], "was cancelled: DB_1 has the workspace"],
    ["is being cancelled", 409, [running({ state: "cancelling" })], [], "instead (cancelling)"],
    ["goes to another database", 409, [running({ to: "DB_3" })], [], "to DB_3 instead"],
    ["has a backup of another day", 409, [running({})], ["--date", "2026-11-21"], `the backup ${BACKUP}`],
    ["is a move", 409, [running({ backup: undefined })], [], "a move to DB_2 instead"],
    ["fails again", 409, [running({ fault: FAULT }), running({}), running({ fault: FAULT })], [], FAULT],
  ])("fails when the restore %s", async (_, status, workspaces, options, message) => {
    const { code, output } = await restore(status, workspaces, ...options);
    expect([code, output]).toEqual([1, expect.stringContaining(message)]);
  });
});

/** docs/restore.md: `npm run restore` rebuilds a workspace of `npm start` whose database is gone. */
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

import { expect, it } from "vitest";

import { startGroup } from "../harness/process-group.ts";
import { startService } from "../harness/service.ts";

const ROUND_MS = 300_000;
const POLL = { timeout: 60_000, interval: 500 };

/** Empties the database that holds a workspace, as if it was lost and created again. */
async function loseDatabase(stateDir: string, id: string): Promise<void> {
  const folder = join(stateDir, "v3/d1/miniflare-D1DatabaseObject");
  for (const name of (await readdir(folder)).filter((file) => /^[0-9a-f]+\.sqlite$/.test(file))) {
    using database = new DatabaseSync(join(folder, name));
    if (database.prepare("SELECT 1 FROM workspace_states WHERE id = ?").get(id) === undefined) continue;
    const tables = database.prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND sql LIKE '%`%'").all();
    for (const table of tables) database.exec(`DELETE FROM "${String(table["name"])}"`);
  }
}

it(
  "§9.3 restores a workspace into another database, and refuses while its rows are in use",
  { timeout: ROUND_MS },
  async () => {
    await using service = await startService(3);
    const { id, key } = await service.createWorkspace({ writeLimit: 100_000, database: "DB_1" });
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const send = (event: object) =>
      fetch(`${service.url}/api/v1/events`, { method: "POST", headers, body: JSON.stringify(event) });
    for (let place = 0; place < 20; place += 1)
      expect((await send({ accountId: `a${place % 3}`, userId: `u${place}`, event: "report.exported" })).status).toBe(
        200,
      );
    const read = async () => {
      const paths = ["/api/v1/accounts", `/api/v1/export?from=2026-01-01&to=2099-12-31`];
      return Promise.all(paths.map(async (path) => (await fetch(service.url + path, { headers })).text()));
    };
    const restore = async (...options: string[]) => {
      const env = { ADMIN_TOKEN: service.adminToken };
      const group = startGroup("npm", ["run", "restore", "--", "--url", service.url, "--workspace", id, ...options], {
        env,
      });
      return { code: await group.end(POLL.timeout), output: group.output() };
    };
    expect((await service.admin("POST", "/admin/recompute")).ok).toBe(true);
    await fetch(`${service.url}/cdn-cgi/local/scheduled?cron=*%2F5+*+*+*+*&format=json`);
    await expect
      .poll(async () => (await restore("--database", "DB_2")).output, POLL)
      .toContain("DB_1 holds the workspace");
    const before = await read();
    await service.kill();
    await loseDatabase(service.stateDir, id);
    await service.restart();
    expect((await send({ accountId: "a", userId: "u", event: "report.exported" })).status).toBe(503);
    const { code, output } = await restore("--database", "DB_2");
    expect([code, output]).toEqual([0, expect.stringContaining("DB_2 has the workspace.")]);
    expect((await send({ accountId: "a1", userId: "u1", event: "report.exported" })).status).toBe(200);
    const after = await read();
    expect(after[0]).toEqual(before[0]);
    expect(before[0]).toContain("a1");
    expect(after[1]?.split("\n").slice(0, 20)).toEqual(before[1]?.split("\n").slice(0, 20));
  },
);

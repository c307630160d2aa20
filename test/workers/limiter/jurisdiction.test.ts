/** Objects in a jurisdiction. The local runtime has none, so these stand in for them: the same name is another object in each. */
import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";

import { runScheduled } from "../../../src/scheduled.ts";
import {
  type Changes,
  D1_OVERLOADED,
  databaseWith,
  envWith,
  failing,
  sendWith,
  splitIsolates,
} from "../support/faulty-env.ts";
import { capture } from "../support/messages.ts";
import { heldQueue } from "../support/run-cron.ts";
import { ADMIN_HEADERS } from "../support/workspace.ts";

/** Notes which objects are used, as `jurisdiction/name`. */
function notedObjects(jurisdiction = "none", used = new Set<string>()) {
  const WRITE_LIMITER: Env["WRITE_LIMITER"] = new Proxy(env.WRITE_LIMITER, {
    get(target, name) {
      if (name === "jurisdiction") return (asked: string) => notedObjects(asked, used).WRITE_LIMITER;
      if (name !== "getByName") throw new Error(`not used: ${String(name)}`);
      return (id: string) => {
        used.add(`${jurisdiction}/${id}`);
        return target.getByName(`${jurisdiction}/${id}`);
      };
    },
  });
  return { WRITE_LIMITER, used };
}

beforeEach(splitIsolates);

/** Uses each operation that calls a limiter, and returns the workspace's id. */
async function useWorkspace(changes: Changes): Promise<string> {
  const init = { headers: ADMIN_HEADERS };
  const admin = (method: string, path: string, body?: unknown) =>
    sendWith(envWith(changes), method, `/admin/workspaces${path}`, body, init);
  const fields = { name: "EU", writeLimit: 10, database: "DB_1" };
  const { workspace, key } = (await admin("POST", "", fields)).body;
  const id = workspace?.id ?? "";
  const bearer = { headers: { Authorization: `Bearer ${key?.key}` } };
  const post = (more: Changes = {}) =>
    sendWith(envWith({ ...changes, ...more }), "POST", "/api/v1/events", capture(), bearer);
  expect((await post()).headers.get("RateLimit")).toBe('"writes";r=9;t=10');
  const { DB: overloaded } = databaseWith(failing(D1_OVERLOADED), env.DB_1);
  expect((await post({ DB_1: overloaded })).status).toBe(503);
  expect((await post()).headers.get("RateLimit")).toBe('"writes";r=8;t=10');
  await admin("PATCH", `/${id}`, { writeLimit: 20, storageLimitBytes: 1_000_000 });
  expect((await admin("GET", `/${id}`)).body.workspace).toMatchObject({ writeLimit: 20, counters: { admitted: 2 } });
  await admin("POST", `/${id}/move`, { database: "DB" });
  await admin("DELETE", `/${id}/keys/${key?.id}`);
  expect((await post()).status).toBe(401);
  await runScheduled(envWith({ ...changes, TASKS: heldQueue().TASKS }), Date.now());
  expect((await admin("DELETE", `/${id}`)).status).toBe(200);
  return id;
}

it("every call reaches the object in the deployment's jurisdiction", async () => {
  const { WRITE_LIMITER, used } = notedObjects();
  const id = await useWorkspace({ WRITE_LIMITER, JURISDICTION: "eu" });
  expect([...used]).toEqual([`eu/${id}`]);
});

it("every call reaches the object outside of jurisdictions by default", async () => {
  const { WRITE_LIMITER, used } = notedObjects();
  const id = await useWorkspace({ WRITE_LIMITER });
  expect([...used]).toEqual([`none/${id}`]);
});

it("a laptop, whose runtime has no jurisdictions, works with the setting too", async () => {
  expect(await useWorkspace({ JURISDICTION: "eu" })).toMatch(/^ws_/);
});

it("an unknown jurisdiction creates no workspace, and no object anywhere else", async () => {
  const { WRITE_LIMITER, used } = notedObjects();
  const changes = envWith({ WRITE_LIMITER, JURISDICTION: "europe" });
  const created = await sendWith(changes, "POST", "/admin/workspaces", { name: "x" }, { headers: ADMIN_HEADERS });
  expect([created.status, ...used]).toEqual([503]);
});

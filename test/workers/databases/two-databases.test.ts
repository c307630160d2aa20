/** contract §11: a workspace in another database than the directory's. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";

import { listMarkedErased } from "../../../src/db/workspaces/erase-workspace.ts";
import { emptyTables, rowCounts } from "../support/database.ts";
import { D1_BROKEN, databaseWith, envWith, failing, sendWith } from "../support/faulty-env.ts";
import { addState, setEntry, setState } from "../support/half-changed.ts";
import { runCron } from "../support/run-cron.ts";
import { refusal } from "../support/send.ts";
import { admin, ADMIN_HEADERS, eraseAllWorkspaces } from "../support/workspace.ts";
import { elsewhere, refOf } from "./second-database.ts";

const DAY_MS = 86_400_000;
const CAPTURE = { accountId: "acme", userId: "u1", event: "report.exported" };
const DIRECTORY_ONLY = { api_keys: 1, workspaces: 1 };

beforeEach(eraseAllWorkspaces);

describe("§11 a workspace in DB_1", () => {
  it("§11 captures, is recomputed, asked and listed there, and leaves only directory rows in DB", async () => {
    const workspace = await elsewhere();
    expect((await workspace.post("/api/v1/events", CAPTURE)).status).toBe(200);
    await workspace.post("/api/v1/cdp", { type: "track", event: null });
    await runCron(Date.now() + 2 * DAY_MS);
    expect((await workspace.get("/api/v1/accounts")).body).toMatchObject({
      accounts: [{ externalId: "acme", health: { state: "insufficient_data" } }],
    });
    const asked = await workspace.post("/api/v1/ask", { question: "When was u1 last seen?" });
    expect(asked.body).toMatchObject({ ok: true, knows: true });
    const listed = await admin("GET", "/workspaces");
    expect(listed.body.workspaces).toMatchObject([
      { id: workspace.id, database: "DB_1", move: null, counters: { stored: 1, rejected: 1 } },
    ]);
    expect(await rowCounts()).toEqual(DIRECTORY_ONLY);
    expect(await rowCounts(env.DB_1)).toMatchObject({ messages: 1, accounts: 1, rollups: 1, health: 1, folds: 1 });
  });

  it("§11 keeps identity traits there, and a withdrawal erases them there", async () => {
    const workspace = await elsewhere();
    await workspace.post("/api/v1/events", CAPTURE);
    await admin("PUT", `/workspaces/${workspace.id}/dpa`, { acceptedBy: "Ann", version: "1" });
    const attached = await workspace.post("/api/v1/identity", { userId: "u1", traits: { name: "Jo Doe" } });
    expect(attached.status).toBe(200);
    expect([await rowCounts(), await rowCounts(env.DB_1)]).toMatchObject([{ agreements: 1 }, { identity_traits: 1 }]);
    expect(await rowCounts()).not.toHaveProperty("identity_traits");
    await admin("DELETE", `/workspaces/${workspace.id}/dpa`);
    expect(await rowCounts(env.DB_1)).not.toHaveProperty("identity_traits");
  });

  it("§6.2 erases a user there", async () => {
    const workspace = await elsewhere();
    await workspace.post("/api/v1/events", { ...CAPTURE, properties: { note: "secretive" } });
    expect((await workspace.erase("u1")).status).toBe(200);
    expect((await workspace.get("/api/v1/users/u1")).status).toBe(404);
    const { results } = await env.DB_1.prepare("SELECT properties FROM messages").all();
    expect(results).toEqual([{ properties: null }]);
  });

  it("§9 is erased in both databases", async () => {
    const workspace = await elsewhere();
    await workspace.post("/api/v1/events", CAPTURE);
    await runCron(Date.now());
    expect((await admin("DELETE", `/workspaces/${workspace.id}`)).status).toBe(200);
    expect([await rowCounts(), await rowCounts(env.DB_1)]).toEqual([{}, {}]);
  });

  it("§11 is recomputed and answers while the other database is down for workspaces", async () => {
    const workspace = await elsewhere();
    await workspace.post("/api/v1/events", CAPTURE);
    const { DB } = databaseWith((run, _, statements = []) =>
      statements.some(({ sql }) => sql.includes("workspace_states")) ? Promise.reject(new Error(D1_BROKEN)) : run(),
    );
    const { failed } = await runCron(Date.now() + 2 * DAY_MS, { DB });
    expect(failed).toMatchObject([{ task: "sweep", database: "DB" }]);
    expect((await workspace.get("/api/v1/accounts")).body).toMatchObject({
      accounts: [{ externalId: "acme", health: { state: "insufficient_data" } }],
    });
  });

  it("§1 isn't ready while one of the databases is down", async () => {
    const { DB: broken } = databaseWith(failing(D1_BROKEN), env.DB_1);
    expect((await sendWith(envWith({ DB_1: broken }), "GET", "/readyz")).status).toBe(503);
    expect((await sendWith(envWith({}), "GET", "/readyz")).status).toBe(200);
  });
});

describe("§11 a key that an isolate has cached", () => {
  it("§11 with the database that the workspace has left writes to the one that the limiter names", async () => {
    const workspace = await elsewhere();
    const headers = { Authorization: `Bearer ${workspace.key}`, "Content-Type": "application/json" };
    const post = () => sendWith(envWith({}), "POST", "/api/v1/events", CAPTURE, { headers });
    expect((await post()).status).toBe(200);
    const ref = await workspace.ref();
    await setEntry(ref, { database: "DB" });
    await addState(ref);
    await setState(ref, "moving", env.DB_1);
    expect(await env.WRITE_LIMITER.getByName(workspace.id).configure({ database: "DB" })).toBe(true);
    expect((await post()).status).toBe(200);
    expect([await rowCounts(), await rowCounts(env.DB_1)]).toMatchObject([{ messages: 1 }, { messages: 1 }]);
    // The next request has looked the key up again, so that it reads there too.
    const read = await sendWith(envWith({}), "GET", "/api/v1/users/u1", undefined, { headers });
    const { id } = (await env.DB.prepare("SELECT id FROM users").first<{ id: string }>()) ?? {};
    expect(read.body.user).toMatchObject({ id });
    await emptyTables(["messages", "accounts", "users", "workspace_states", "memberships", "names"], env.DB_1);
  });
});

describe("§9 a creation that is interrupted", () => {
  it.each([
    ["before its database has it", "DB_1", 1, 0],
    ["before the directory opens it", "DB", 3, 1],
  ] as const)("§9 %s works for nobody, and the cron removes it", async (_when, name, from, states) => {
    const { DB } = databaseWith(
      (run, number) => (number >= from ? Promise.reject(new Error(D1_BROKEN)) : run()),
      name === "DB" ? env.DB : env.DB_1,
    );
    await expect(elsewhere(envWith({ [name]: DB }))).rejects.toThrow(D1_BROKEN);
    expect(await rowCounts()).toEqual({ workspaces: 1 });
    expect((await rowCounts(env.DB_1))["workspace_states"] ?? 0).toBe(states);
    expect((await admin("GET", "/workspaces")).body.workspaces).toEqual([]);
    const [marked] = await listMarkedErased(env, Number.MAX_SAFE_INTEGER);
    const { id } = marked ?? { id: "" };
    const created = await sendWith(envWith({}), "POST", `/admin/workspaces/${id}/keys`, {}, { headers: ADMIN_HEADERS });
    expect(created.status).toBe(404);
    await runCron(Date.now());
    expect((await refOf(id)).id).toBe(id); // its request may still be running
    await runCron(Date.now() + 120_000);
    expect([await rowCounts(), await rowCounts(env.DB_1)]).toEqual([{}, {}]);
  });

  it("§9 for over a minute loses to the cron with 503, and leaves no row", async () => {
    const { DB: slow } = databaseWith(async (run, number) => {
      if (number === 1) await runCron(Date.now() + 120_000);
      return run();
    }, env.DB_1);
    const fields = { name: "Late", database: "DB_1" };
    const late = await sendWith(envWith({ DB_1: slow }), "POST", "/admin/workspaces", fields, {
      headers: ADMIN_HEADERS,
    });
    expect(late).toMatchObject(refusal(503, "unavailable"));
    expect(late.headers.get("Retry-After")).toBe("1");
    expect([await rowCounts(), await rowCounts(env.DB_1)]).toEqual([{}, {}]);
  });
});

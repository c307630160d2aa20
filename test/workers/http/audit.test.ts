/** §9.2: each change by administration leaves one row with its actor, and nothing that is secret or personal. */
import { env } from "cloudflare:workers";
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";

import { signedIn } from "../console/support/signed-in.ts";
import { emptyTables } from "../support/database.ts";
import { envWith, D1_BROKEN, databaseWith, limiterWith, objectError, sendWith } from "../support/faulty-env.ts";
import { removeEntry } from "../support/half-changed.ts";
import { track } from "../support/messages.ts";
import { heldQueue, runCron } from "../support/run-cron.ts";
import { type Answer, ORIGIN, refusal } from "../support/send.ts";
import { admin, ADMIN_HEADERS, allPages, eraseAllWorkspaces, newWorkspace } from "../support/workspace.ts";
import { allChanging, API_CHANGES, type Change, CONSOLE_CHANGES, NO_ADMINISTRATION, PERSON } from "./audit-changes.ts";
import type { World } from "./audit-changes.ts";

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2030, 4, 6, 7, 8, 9, 10);

interface Row {
  workspace: string | null;
  actor: string;
  action: string;
  details: string;
}

/** The queue delivers nothing, so that a move stays at its start. */
const { TASKS } = heldQueue();
const calm = envWith({ TASKS });

let cookie: string;
beforeAll(async () => {
  ({ cookie } = await signedIn());
});
beforeEach(async () => {
  await emptyTables(["audit_log", "databases"]);
});
afterEach(() => {
  vi.useRealTimers();
});

const administrator = { get: (path: string) => admin("GET", path) };

const rows = async (): Promise<Row[]> =>
  (await env.DB.prepare("SELECT workspace, actor, action, details FROM audit_log ORDER BY number").all<Row>()).results;

async function newWorld(): Promise<World> {
  const workspace = await newWorkspace();
  await workspace.post("/api/v1/cdp", track({ userId: PERSON, properties: { accountId: PERSON } }));
  return { workspace, key: await workspace.newKey(["identity"]) };
}

const fill = (path: string, values: readonly string[]): string => {
  const left = [...values];
  return path.replaceAll(/\{\w+\}|:\w+/g, () => left.shift() ?? "");
};

/** Calls a route of the API, by the token that it needs, or sends a form of the console. */
function call(
  changed: Env,
  route: string,
  world: World,
  { parameters, body, isCreation, isByKey }: Change,
): Promise<Answer> {
  const [method = "", path = ""] = route.startsWith("/") ? ["post", route] : route.split(" ");
  const target = fill(path, parameters?.(world) ?? []);
  if (route.startsWith("/")) {
    const headers = { Cookie: cookie, Origin: ORIGIN, "Content-Type": "application/x-www-form-urlencoded" };
    const form = new URLSearchParams(Object.entries(body ?? {}).map(([name, value]) => [name, String(value)]));
    if (isCreation) form.set("creationId", crypto.randomUUID().replaceAll("-", "").slice(0, 24));
    return sendWith(changed, "POST", target, form.toString(), { headers });
  }
  const headers = isByKey ? { ...ADMIN_HEADERS, Authorization: `Bearer ${world.workspace.key}` } : ADMIN_HEADERS;
  return sendWith(changed, method.toUpperCase(), target, body, { headers });
}

function actorOf(route: string, { workspace }: World, { isByKey }: Change): string {
  if (isByKey) return `key:${workspace.keyId}`;
  return route.startsWith("/") ? "console:admin" : "admin";
}

const CHANGES = Object.entries({ ...API_CHANGES, ...CONSOLE_CHANGES });

describe("§9.2 a change by administration", () => {
  it("§9.2 is known for each route and form that is not a GET", () => {
    const known = [...Object.keys(API_CHANGES), ...Object.keys(CONSOLE_CHANGES), ...NO_ADMINISTRATION];
    expect(known.toSorted()).toEqual(allChanging().toSorted());
  });

  it.each(CHANGES)(
    "§9.2 by %s leaves one row with its actor, and no secret or personal data",
    async (route, change) => {
      const world = await newWorld();
      await change.after?.(world);
      await emptyTables(["audit_log"]);
      const { status, text } = await call(calm, route, world, change);
      expect([200, 201, 202, 303], text).toContain(status);
      const left = await rows();
      expect(left).toEqual([
        {
          workspace: change.isElsewhere ? left[0]?.workspace : world.workspace.id,
          actor: actorOf(route, world, change),
          action: change.action,
          details: expect.any(String),
        },
      ]);
      expect(JSON.stringify(left)).not.toContain(PERSON);
      expect(JSON.stringify(left)).not.toMatch(/bi[ka]_/);
    },
  );

  it.each(CHANGES)("§9.2 by %s has its row wherever it is interrupted", async (route, change) => {
    const world = await newWorld();
    await change.after?.(world);
    for (let trips = 0; ; trips += 1) {
      await emptyTables(["audit_log"]);
      const before = await state();
      // The directory answers some round trips, and then no more.
      const cut = databaseWith((run, number) => (number > trips ? Promise.reject(new Error(D1_BROKEN)) : run()));
      await call(envWith({ DB: cut.DB, TASKS }), route, world, change).catch(() => undefined);
      const found = await rows();
      const hasChanged = (await state()) !== before;
      expect({ hasChanged, rows: found.length }).not.toEqual({ hasChanged: true, rows: 0 });
      // Later interruptions leave the row, because nothing deletes it.
      if (found.length > 0) break;
      expect(cut.trips()).toBeGreaterThan(trips);
    }
  });

  it("§9.2 that is refused or changes nothing leaves no row", async () => {
    const world = await newWorld();
    const path = `/workspaces/${world.workspace.id}`;
    await emptyTables(["audit_log"]);
    await admin("PATCH", path, { writeLimit: 100 });
    await admin("PATCH", path, { writeLimit: -1 });
    await admin("DELETE", `${path}/keys/key_unknown`);
    await admin("DELETE", `${path}/dpa`);
    await admin("POST", `${path}/move`, { database: "DB" });
    await admin("DELETE", `${path}/move`);
    await admin("PATCH", "/databases/DB_9", { state: "draining" });
    await admin("POST", "/workspaces/ws_unknown/rebuild");
    expect(await rows()).toEqual([]);
  });
});

/** Reads what changes by administration change. A creation is visible once it is complete. */
async function state(): Promise<string> {
  const queries = [
    "SELECT id, name, write_limit, storage_limit_bytes, currency, erased_at FROM workspaces WHERE created_at IS NOT erased_at",
    "SELECT id, revoked_at FROM api_keys",
    "SELECT id, withdrawn_at FROM agreements",
    "SELECT workspace, to_database, state FROM moves",
    "SELECT name FROM databases WHERE draining",
    "SELECT workspace, rebuild_day FROM folds",
    "SELECT external_id FROM users",
    "SELECT id FROM recompute_runs",
    "SELECT id, role FROM people",
    "SELECT id FROM admin_tokens",
  ];
  const read = await env.DB.batch(queries.map((query) => env.DB.prepare(query)));
  return JSON.stringify(read.map(({ results }) => results));
}

describe("§9.2 an interrupted change", () => {
  it("§9.2 of limits keeps its row, and its repetition adds none", async () => {
    const { id } = await newWorkspace({ writeLimit: 100 });
    await emptyTables(["audit_log"]);
    const { WRITE_LIMITER } = limiterWith((run, number) =>
      number > 1 ? Promise.reject(objectError("gone", {})) : run(),
    );
    const init = { headers: ADMIN_HEADERS };
    const path = `/admin/workspaces/${id}`;
    expect((await sendWith(envWith({ WRITE_LIMITER }), "PATCH", path, { writeLimit: 7 }, init)).status).toBe(503);
    expect((await admin("PATCH", `/workspaces/${id}`, { writeLimit: 7 })).status).toBe(200);
    expect((await rows()).map(({ details }) => JSON.parse(details))).toEqual([
      { changed: ["writeLimit"], writeLimit: { from: 100, to: 7 } },
    ]);
  });

  it("§9.2 has neither when the directory's transaction fails", async () => {
    const { id } = await newWorkspace();
    await emptyTables(["audit_log"]);
    await env.DB.prepare("CREATE TRIGGER full BEFORE INSERT ON audit_log BEGIN SELECT RAISE(ABORT, 'no'); END").run();
    const { status } = await admin("POST", `/workspaces/${id}/keys`, {}).finally(() =>
      env.DB.prepare("DROP TRIGGER full").run(),
    );
    expect(status).toBe(500);
    const { body } = await admin("GET", `/workspaces/${id}`);
    expect(body.workspace?.["keys"]).toHaveLength(1);
    expect(await rows()).toEqual([]);
  });
});

describe("§9.2 GET /admin/audit", () => {
  it("§9.2 lists rows newest first, in pages, also those of erased workspaces", async () => {
    vi.setSystemTime(NOW);
    const { id, keyId } = await newWorkspace({ writeLimit: 100 });
    await newWorkspace();
    await admin("PATCH", `/workspaces/${id}`, { name: "Shop", writeLimit: 7 });
    await admin("DELETE", `/workspaces/${id}`);
    const at = new Date(NOW).toISOString();
    const own = { at, workspace: id, actor: "admin" };
    const { body } = await admin("GET", `/audit?workspace=${id}`);
    expect(body).toEqual({
      ok: true,
      audit: [
        { ...own, action: "workspace_erased", details: {} },
        {
          ...own,
          action: "workspace_changed",
          details: { changed: ["name", "writeLimit"], writeLimit: { from: 100, to: 7 } },
        },
        { ...own, action: "workspace_created", details: { writeLimit: 100, database: "DB", keyId } },
      ],
      nextCursor: null,
    });
    const pages = await allPages(administrator, "/audit?limit=1");
    expect(pages.flatMap((page) => page.body["audit"])).toEqual((await admin("GET", "/audit")).body["audit"]);
    expect(pages).toHaveLength(4);
  });

  it("§9.2 refuses a cursor of another list, and unknown parameters", async () => {
    const { id } = await newWorkspace();
    await newWorkspace();
    const { nextCursor } = (await admin("GET", "/audit?limit=1")).body;
    expect(await admin("GET", `/audit?workspace=${id}&cursor=${nextCursor}`)).toMatchObject(
      refusal(400, "invalid_request", "cursor"),
    );
    expect((await admin("GET", "/audit?actor=admin")).status).toBe(400);
  });

  it("§9.2 needs the admin token", async () => {
    const { get } = await newWorkspace();
    expect((await get("/admin/audit")).status).toBe(401);
  });

  it("§9.2 has the findings of a reconciliation, without their details", async () => {
    const { id } = await newWorkspace();
    await removeEntry({ id });
    await admin("POST", "/reconcile", {});
    const details = (await rows()).flatMap((row) =>
      row.action === "reconcile_requested" ? JSON.parse(row.details) : [],
    );
    expect(details).toEqual([
      { eraseCopies: false, startEmpty: null, findings: [{ workspace: id, finding: "entry_missing" }] },
    ]);
  });
});

it("§9.2 the cron deletes rows after 400 days, once an hour", async () => {
  // The cron has work for the workspaces of the other tests.
  await eraseAllWorkspaces();
  await emptyTables(["audit_log"]);
  const hour = Math.ceil(Date.now() / 3_600_000) * 3_600_000;
  const deleted = hour - 400 * DAY_MS;
  vi.setSystemTime(deleted - 1);
  await admin("PATCH", "/databases/DB_1", { state: "draining" });
  vi.setSystemTime(deleted);
  await admin("PATCH", "/databases/DB_1", { state: "open" });
  vi.useRealTimers();
  await runCron(hour + 1_800_000);
  expect(await rows()).toHaveLength(2);
  await runCron(hour);
  expect(await rows()).toHaveLength(1);
});

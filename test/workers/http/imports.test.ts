/** docs/wire/admin.md §21: an import raises the write limit and keeps scoring away until it ends. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";

import { DAY_MS, HOUR_MS } from "../../../src/core/durations.ts";
import { backUp } from "../backups/backing-up.ts";
import { calm } from "../moves/moving.ts";
import { databaseWith, envWith, limiterWith, objectError, sendWith } from "../support/faulty-env.ts";
import { track, tracks } from "../support/messages.ts";
import { kindsOf, reconcileAll, restorePoint, sendOne } from "../support/restores.ts";
import { heldQueue, runCron } from "../support/run-cron.ts";
import { refusal } from "../support/send.ts";
import { admin, ADMIN_HEADERS, eraseAllWorkspaces, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

beforeEach(eraseAllWorkspaces);

const start = ({ id }: { id: string }, body?: object) => admin("POST", `/workspaces/${id}/import`, body);
const end = ({ id }: { id: string }) => admin("DELETE", `/workspaces/${id}/import`);
const read = async ({ id }: { id: string }): Promise<Record<string, unknown>> =>
  (await admin("GET", `/workspaces/${id}`)).body.workspace ?? {};

/** The limit that the next write meets. */
async function limitOf({ post }: TestWorkspace): Promise<number> {
  const { headers } = await post("/api/v1/cdp", track());
  return Number(/q=(\d+)/.exec(headers.get("RateLimit-Policy") ?? "")?.[1]);
}

const isRebuilding = async (workspace: TestWorkspace): Promise<boolean> => {
  const { number } = await workspace.ref();
  const day = await env.DB.prepare("SELECT rebuild_day FROM folds WHERE workspace = ?").bind(number).first();
  return day?.["rebuild_day"] != null;
};

const auditOf = async ({ id }: { id: string }) =>
  (
    await env.DB.prepare("SELECT action, actor FROM audit_log WHERE workspace = ? AND action GLOB 'import_*'")
      .bind(id)
      .all<{ action: string; actor: string }>()
  ).results.map(({ action, actor }) => `${action} ${actor}`);

/** A workspace whose messages were folded once, so that a rebuild has something to do. */
async function foldedWorkspace(): Promise<TestWorkspace> {
  const workspace = await newWorkspace({ writeLimit: 50 });
  await sendOne(workspace, "first");
  await admin("POST", `/workspaces/${workspace.id}/recompute`);
  return workspace;
}

describe("§21 an import", () => {
  it("§21 leaves the whole limit to live senders when it ends", async () => {
    const workspace = await newWorkspace({ writeLimit: 50 });
    await start(workspace);
    expect((await workspace.post("/api/v1/cdp", tracks(400, "a"))).status).toBe(200);
    await end(workspace);
    expect((await workspace.post("/api/v1/cdp", tracks(50, "b"))).status).toBe(200);
    expect((await workspace.post("/api/v1/cdp", track())).status).toBe(429);
  });

  it("§21 has its own write limit until it ends", async () => {
    const workspace = await foldedWorkspace();
    expect(await read(workspace)).toMatchObject({ import: null });
    const { status, body } = await start(workspace);
    expect({ status, body }).toEqual({
      status: 201,
      body: {
        ok: true,
        import: { writeLimit: 10_000, startedAt: expect.any(String), expiresAt: expect.any(String) },
      },
    });
    const { startedAt, expiresAt } = Object(body["import"]);
    expect(Date.parse(expiresAt) - Date.parse(startedAt)).toBe(DAY_MS);
    expect(await read(workspace)).toMatchObject({ writeLimit: 50, import: body["import"] });
    expect(await limitOf(workspace)).toBe(10_000);
    expect(await start(workspace, { writeLimit: 5 })).toMatchObject(refusal(409, "import_running"));
    expect(await limitOf(workspace)).toBe(10_000);
    expect(await isRebuilding(workspace)).toBe(false);

    expect(await end(workspace)).toMatchObject({ status: 200, body: { ok: true } });
    expect(await read(workspace)).toMatchObject({ writeLimit: 50, import: null });
    expect(await limitOf(workspace)).toBe(50);
    expect(await isRebuilding(workspace)).toBe(true);
    expect(await end(workspace)).toMatchObject(refusal(404, "not_found"));
    expect(await auditOf(workspace)).toEqual(["import_started admin", "import_ended admin"]);
  });

  it("§21 restores a limit that was changed meanwhile, beside a storage limit", async () => {
    const workspace = await newWorkspace({ writeLimit: 50 });
    await start(workspace, { writeLimit: 700, ttlHours: 1 });
    await admin("PATCH", `/workspaces/${workspace.id}`, { writeLimit: 60, storageLimitBytes: 1_000_000 });
    expect(await limitOf(workspace)).toBe(700);
    await end(workspace);
    expect(await limitOf(workspace)).toBe(60);
  });

  it("§21 refuses a limit or a time that is out of bounds", async () => {
    const workspace = await newWorkspace();
    const bodies = [{ writeLimit: 0 }, { writeLimit: 100_001 }, { ttlHours: 0 }, { ttlHours: 169 }, { ttlHours: 1.5 }];
    for (const body of bodies)
      expect(await start(workspace, body)).toMatchObject(refusal(400, "invalid_request", Object.keys(body)[0]));
    expect(await start(workspace, { writeLimit: 100_000, ttlHours: 168 })).toMatchObject({ status: 201 });
  });

  it("§21 never runs beside a move or a restore", async () => {
    const workspace = await newWorkspace();
    await sendOne(workspace, "kept");
    await backUp(await workspace.ref());
    const move = (method: string) =>
      sendWith(
        calm,
        method,
        `/admin/workspaces/${workspace.id}/move`,
        method === "POST" ? { database: "DB_1" } : null,
        {
          headers: ADMIN_HEADERS,
        },
      );
    await start(workspace);
    expect(await move("POST")).toMatchObject(refusal(409, "import_running"));
    expect(
      await admin("POST", `/workspaces/${workspace.id}/restore`, { database: "DB_1", giveUp: true }),
    ).toMatchObject(refusal(409, "import_running"));
    await end(workspace);
    expect(await move("POST")).toMatchObject({ status: 202 });
    expect(await start(workspace)).toMatchObject(refusal(409, "move_running"));
    expect(await read(workspace)).toMatchObject({ import: null });
    expect(await move("DELETE")).toMatchObject({ status: 202 });
  });

  it("§21 and a move that start at once exclude each other", async () => {
    const workspace = await newWorkspace();
    // Both have read the workspace before either has written.
    const move = { method: "POST", path: `/admin/workspaces/${workspace.id}/move`, body: { database: "DB_1" } };
    const results = await Promise.all([
      sendWith(calm, move.method, move.path, move.body, { headers: ADMIN_HEADERS }),
      start(workspace),
    ]);
    expect(results.filter(({ status }) => status === 409)).toHaveLength(1);
  });
});

/** Fails from a round trip on, as a crash would. */
const cutAfter = (trips: number) =>
  databaseWith((send, trip) => (trip > trips ? Promise.reject(new Error("D1_ERROR: crashed")) : send()));

describe("§21 the cron ends an import", () => {
  it("§21 that has expired, once", async () => {
    const workspace = await foldedWorkspace();
    await start(workspace, { ttlHours: 2 });
    await runCron(Date.now() + HOUR_MS, heldQueue());
    expect(await limitOf(workspace)).toBe(10_000);
    await Promise.all([1, 2].map(() => runCron(Date.now() + 3 * HOUR_MS, heldQueue())));
    expect(await limitOf(workspace)).toBe(50);
    expect(await isRebuilding(workspace)).toBe(true);
    expect(await read(workspace)).toMatchObject({ import: null });
    expect(await auditOf(workspace)).toEqual(["import_started admin", "import_ended cron"]);
  });

  it("§21 wherever its end was interrupted", async () => {
    const seen = new Set<string>();
    for (let trips = 1; ; trips += 1) {
      const workspace = await foldedWorkspace();
      await start(workspace);
      const path = `/admin/workspaces/${workspace.id}/import`;
      const cut = await sendWith(envWith({ DB: cutAfter(trips).DB }), "DELETE", path, undefined, {
        headers: ADMIN_HEADERS,
      });
      const isEnded = (await read(workspace))["import"] === null;
      seen.add(isEnded ? "ended" : "running");
      if (isEnded) await runCron(Date.now(), heldQueue());
      else await end(workspace);
      expect(await limitOf(workspace), String(trips)).toBe(50);
      expect(await isRebuilding(workspace), String(trips)).toBe(true);
      expect(await auditOf(workspace), String(trips)).toEqual(["import_started admin", "import_ended admin"]);
      expect(await start(workspace)).toMatchObject({ status: 201 });
      if (cut.status === 200) break;
      await admin("DELETE", `/workspaces/${workspace.id}`);
    }
    expect(seen).toEqual(new Set(["running", "ended"]));
  });

  it("§21 whose limiter didn't answer, and a later call of either kind completes it too", async () => {
    const workspace = await foldedWorkspace();
    const { WRITE_LIMITER } = limiterWith(() => Promise.reject(objectError("gone", {})));
    const down = envWith({ WRITE_LIMITER });
    const init = { headers: ADMIN_HEADERS };
    const path = `/admin/workspaces/${workspace.id}/import`;
    expect(await sendWith(down, "POST", path, {}, init)).toMatchObject({ status: 503 });
    expect(await start(workspace)).toMatchObject(refusal(409, "import_running"));
    expect(await limitOf(workspace)).toBe(10_000);
    expect(await sendWith(down, "DELETE", path, undefined, init)).toMatchObject({ status: 503 });
    expect(await limitOf(workspace)).toBe(10_000);
    expect(await start(workspace, { writeLimit: 400 })).toMatchObject({ status: 201 });
    expect(await limitOf(workspace)).toBe(400);
  });

  it("§21 unless its workspace was erased", async () => {
    const workspace = await newWorkspace();
    await start(workspace);
    await admin("DELETE", `/workspaces/${workspace.id}`);
    await runCron(Date.now() + 2 * DAY_MS, heldQueue());
    expect(await auditOf(workspace)).toEqual(["import_started admin"]);
  });
});

describe("§21 a reconciliation", () => {
  it("§21 takes the limit of an import away that a restored directory doesn't know, and asks for a rebuild", async () => {
    const workspace = await foldedWorkspace();
    const restore = await restorePoint(env.DB);
    await start(workspace);
    expect(await reconcileAll()).toEqual([]);
    await restore();
    expect(await kindsOf(workspace)).toEqual(["import_differs"]);
    expect(await limitOf(workspace)).toBe(50);
    expect(await read(workspace)).toMatchObject({ writeLimit: 50, import: null });
    expect(await isRebuilding(workspace)).toBe(true);
    expect(await reconcileAll()).toEqual([]);
  });

  it("§21 gives the limit back to an import that a restored directory has", async () => {
    const workspace = await newWorkspace({ writeLimit: 50 });
    await start(workspace);
    const restore = await restorePoint(env.DB);
    await end(workspace);
    await restore();
    expect(await kindsOf(workspace)).toEqual(["import_differs"]);
    expect(await limitOf(workspace)).toBe(10_000);
    await end(workspace);
    expect(await reconcileAll()).toEqual([]);
  });
});

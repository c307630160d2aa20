/** Section 9: erasing a workspace removes all its data, and ends all writes to it. */
import { abortAllDurableObjects, runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";

import { ROUTES } from "../../../src/http/all-routes.ts";
import { rowCounts } from "../support/database.ts";
import { D1_BROKEN, databaseWith, envWith, limiterWith, sendWith, splitIsolates } from "../support/faulty-env.ts";
import { fullWorkspace, objectStorage, postElsewhere } from "../support/full-workspace.ts";
import { addState, setEntry, setState } from "../support/half-changed.ts";
import { freeLeases, holdLease } from "../support/leases.ts";
import { batch, track, tracks } from "../support/messages.ts";
import { refusal } from "../support/send.ts";
import { admin, ADMIN_HEADERS, eraseAllWorkspaces, type TestWorkspace } from "../support/workspace.ts";

/** All tables with rows of a workspace. */
const TABLES = [
  ..."account_days account_owners account_progress accounts activities agreements api_keys attribute_days".split(" "),
  ..."comparisons delivery_attempts destinations dimension_values event_names folds health".split(" "),
  ..."health_days identity_traits inbox_items inbox_marks leases memberships messages names notifications".split(" "),
  ..."pending_attribute_days recompute_runs rejection_counts rejections rollups saved_views traits user_accounts user_erasures users".split(
    " ",
  ),
  ..."workspace_contexts workspace_days workspace_states workspaces".split(" "),
];
/** What the object of an erased workspace stores: until when it refuses its keys. */
const MARK = { entries: { erasedUntil: expect.any(Number) }, alarm: expect.any(Number) };

beforeAll(() => {
  splitIsolates();
});
beforeEach(eraseAllWorkspaces);

const notRefused = (answers: readonly string[]) => answers.filter((answer) => !answer.startsWith("401 "));

/** Prepares a call of every operation that takes a key in a header, each with a cached key of its own. */
async function preparedCalls({ newKey }: TestWorkspace): Promise<() => Promise<string[]>> {
  const operations = ROUTES.flatMap(({ declaration: { method, paths, access, body } }) =>
    access === null || access === "admin" || access === "browser"
      ? []
      : Object.keys(paths).map((path) => ({ method: method.toUpperCase(), path, body: body?.example })),
  );
  expect(operations.length).toBeGreaterThan(35);
  const calls = await Promise.all(
    operations.map(async ({ method, path, body }) => {
      const { key } = await newKey();
      const headers = { Authorization: `Bearer ${key}`, "Content-Type": "application/json" };
      const url =
        path.replace(/\{\w+\}/, "u1") + (/export|archive$/.test(path) ? "?from=2026-01-01&to=2026-01-02" : "");
      return async () => {
        const { status, headers: answered } = await sendWith(envWith({}), method, url, body, { headers });
        // A 401 that replaces a 503 doesn't ask for a retry.
        const retry = status === 401 && answered.has("Retry-After") ? ", Retry-After" : "";
        return `${status}${retry} ${method} ${path}`;
      };
    }),
  );
  const callAll = () => Promise.all(calls.map((call) => call()));
  expect((await callAll()).filter((answer) => answer.startsWith("401 "))).toEqual([]);
  return callAll;
}

/** Erases the workspace while a run of the archive keeps its rows in the database; calls all; then erases the rest. */
async function eraseDuringRun(database: D1Database, { number, id }: { number: number; id: string }) {
  await holdLease(database, number, "archive_x");
  expect((await admin("DELETE", `/workspaces/${id}`)).status).toBe(202);
  return async () => {
    await freeLeases(database);
    // The queue tries again after ten seconds, and may have erased the rest.
    expect([200, 404]).toContain((await admin("DELETE", `/workspaces/${id}`)).status);
  };
}

describe("§9 DELETE /admin/workspaces/{id}", () => {
  it("§9 removes each row and everything in the object but a mark", async () => {
    const { id } = await fullWorkspace();
    expect(Object.keys(await rowCounts()).toSorted()).toEqual(TABLES);
    expect(Object.keys((await objectStorage(id)).entries)).toEqual(expect.arrayContaining(["limit", "window"]));
    expect(await admin("DELETE", `/workspaces/${id}`)).toMatchObject({ status: 200, body: { ok: true } });
    expect(await rowCounts()).toEqual({});
    expect(await objectStorage(id)).toEqual(MARK);
    expect((await admin("DELETE", `/workspaces/${id}`)).status).toBe(404);
  });

  it("§9 does not change other workspaces", async () => {
    const kept = await fullWorkspace();
    // Otherwise the alarm saves the counters during the test if the machine is slow.
    await runDurableObjectAlarm(env.WRITE_LIMITER.getByName(kept.id));
    const before = [await rowCounts(), await objectStorage(kept.id)];
    const { id } = await fullWorkspace();
    await admin("DELETE", `/workspaces/${id}`);
    expect([await rowCounts(), await objectStorage(kept.id)]).toEqual(before);
    expect((await kept.get("/api/v1/events?limit=200")).body.events).toHaveLength(32);
  });

  it("§9 ends its keys at once, on writes and reads, and its place in the list", async () => {
    const { id, get, post } = await fullWorkspace();
    await admin("DELETE", `/workspaces/${id}`);
    expect((await post("/api/v1/cdp", track())).status).toBe(401);
    expect((await get("/api/v1/events")).status).toBe(401);
    expect((await admin("GET", `/workspaces/${id}`)).status).toBe(404);
    expect((await admin("GET", "/workspaces")).body.workspaces).toEqual([]);
  });

  it("§9 ends its keys even if it is interrupted, and the next call finishes it", async () => {
    const workspace = await fullWorkspace();
    const { DB } = databaseWith((run, number) => (number > 4 ? Promise.reject(new Error(D1_BROKEN)) : run()));
    const init = { headers: ADMIN_HEADERS };
    const cut = await sendWith(envWith({ DB }), "DELETE", `/admin/workspaces/${workspace.id}`, undefined, init);
    expect(cut.status).toBe(500);
    expect((await workspace.post("/api/v1/cdp", track())).status).toBe(401);
    expect((await admin("GET", `/workspaces/${workspace.id}`)).status).toBe(404);
    expect((await admin("DELETE", `/workspaces/${workspace.id}`)).status).toBe(200);
    expect(await rowCounts()).toEqual({});
  });
});

describe("§9 an isolate that has a key of an erased workspace in its cache", () => {
  it("§9 gets 401 from the object, and stores nothing, not even rejected messages", async () => {
    const workspace = await fullWorkspace();
    await admin("DELETE", `/workspaces/${workspace.id}`);
    const [{ DB, trips }, { WRITE_LIMITER, calls }] = [databaseWith((run) => run()), limiterWith((run) => run())];
    const late = await postElsewhere(workspace, batch([track(), track({ event: null })]), { DB, WRITE_LIMITER });
    expect(late).toMatchObject(refusal(401, "unauthorized"));
    // The key was cached, so that only the object could refuse it.
    expect(trips()).toBe(0);
    expect(calls()).toBeGreaterThan(0);
    await postElsewhere(workspace, batch(tracks(125, "late")));
    await postElsewhere(workspace, batch([track({ event: null })]));
    expect(await rowCounts()).toEqual({});
    expect(await objectStorage(workspace.id)).toEqual(MARK);
  });

  it("§9 gets 401 from every operation", async () => {
    const workspace = await fullWorkspace();
    const callAll = await preparedCalls(workspace);
    expect((await admin("DELETE", `/workspaces/${workspace.id}`)).status).toBe(200);
    expect(notRefused(await callAll())).toEqual([]);
  });

  it("§9 gets 401 from every operation while the workspace's rows are still there", async () => {
    const workspace = await fullWorkspace();
    const callAll = await preparedCalls(workspace);
    const finish = await eraseDuringRun(env.DB, await workspace.ref());
    expect(notRefused(await callAll())).toEqual([]);
    expect(await rowCounts()).toMatchObject({ users: 3 });
    await finish();
  });

  it("§9 §9.1 gets 401 from every operation if it still reads the database that the workspace has left", async () => {
    const workspace = await fullWorkspace();
    const callAll = await preparedCalls(workspace);
    const ref = await workspace.ref();
    await setState(ref, "moving");
    await addState(ref, env.DB_1);
    await setEntry(ref, { database: "DB_1" });
    const finish = await eraseDuringRun(env.DB_1, ref);
    expect(notRefused(await callAll())).toEqual([]);
    await finish();
  });

  it("§8 gets 503 if only the database lacks the workspace, and looks the key up again", async () => {
    const workspace = await fullWorkspace();
    const ref = await workspace.ref();
    const read = async () => {
      const headers = { Authorization: `Bearer ${workspace.key}` };
      return sendWith(envWith({}), "GET", "/api/v1/events", undefined, { headers });
    };
    await setState(ref, "erased");
    expect(await read()).toMatchObject(refusal(503, "unavailable"));
    await setState(ref, "live");
    expect((await read()).status).toBe(200);
  });

  it("§9 gets 401 after a restart of the object too", async () => {
    const workspace = await fullWorkspace();
    await admin("DELETE", `/workspaces/${workspace.id}`);
    await abortAllDurableObjects();
    expect((await postElsewhere(workspace, batch([track()]))).status).toBe(401);
    expect(await rowCounts()).toEqual({});
    expect(await objectStorage(workspace.id)).toEqual(MARK);
  });
});

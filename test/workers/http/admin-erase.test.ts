/** Section 9: erasing a workspace leaves nothing of it, and nothing can be written to it afterwards. */
import { abortAllDurableObjects } from "cloudflare:test";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";

import { rowCounts } from "../support/database.ts";
import { D1_BROKEN, databaseWith, envWith, limiterWith, sendWith, splitIsolates } from "../support/faulty-env.ts";
import { fullWorkspace, objectStorage, postElsewhere } from "../support/full-workspace.ts";
import { batch, track, tracks } from "../support/messages.ts";
import { ADMIN_HEADERS, admin, newWorkspace } from "../support/workspace.ts";

const TABLES = ["account_days", "accounts", "activity", "agreements", "api_keys", "attribute_days", "event_names"]
  .concat([
    "folds",
    "health",
    "health_days",
    "identity_traits",
    "inbox_items",
    "inbox_marks",
    "memberships",
    "messages",
  ])
  .concat([
    "name_grams",
    "names",
    "pending_attribute_days",
    "rejection_counts",
    "rejections",
    "rollups",
    "traits",
    "user_accounts",
  ])
  .concat(["user_erasures", "users"])
  .concat(["workspace_contexts", "workspace_days", "workspaces"]);
const NOTHING = { entries: {}, alarm: null };

beforeAll(() => {
  splitIsolates();
});
beforeEach(async () => {
  const { body } = await admin("GET", "/workspaces?limit=200");
  for (const { id } of body.workspaces ?? []) await admin("DELETE", `/workspaces/${id}`);
});

describe("§9 DELETE /admin/workspaces/{id}", () => {
  it("§9 leaves no row in any table", async () => {
    const { id } = await fullWorkspace();
    expect(Object.keys(await rowCounts()).toSorted()).toEqual(TABLES);
    expect(await admin("DELETE", `/workspaces/${id}`)).toMatchObject({ status: 200, body: { ok: true } });
    expect(await rowCounts()).toEqual({});
  });

  it("§9 leaves nothing in the object's storage", async () => {
    const { id } = await fullWorkspace();
    expect(Object.keys((await objectStorage(id)).entries)).toEqual(expect.arrayContaining(["limit", "window"]));
    await admin("DELETE", `/workspaces/${id}`);
    expect(await objectStorage(id)).toEqual(NOTHING);
  });

  it("§9 leaves every other workspace as it was", async () => {
    const kept = await fullWorkspace();
    const before = [await rowCounts(), await objectStorage(kept.id)];
    const { id } = await fullWorkspace();
    await admin("DELETE", `/workspaces/${id}`);
    expect([await rowCounts(), await objectStorage(kept.id)]).toEqual(before);
    expect((await kept.get("/api/v1/events?limit=200")).body.events).toHaveLength(32);
  });

  it("§9 its keys are refused at once, on writes and reads, and it is no longer listed", async () => {
    const { id, get, post } = await fullWorkspace();
    await admin("DELETE", `/workspaces/${id}`);
    expect((await post("/api/v1/cdp", track())).status).toBe(401);
    expect((await get("/api/v1/events")).status).toBe(401);
    expect((await admin("GET", `/workspaces/${id}`)).status).toBe(404);
    expect((await admin("GET", "/workspaces")).body.workspaces).toEqual([]);
  });

  it("§9 erasing what is erased is 404", async () => {
    const { id } = await newWorkspace();
    await admin("DELETE", `/workspaces/${id}`);
    expect((await admin("DELETE", `/workspaces/${id}`)).status).toBe(404);
  });

  it("§9 one that was cut short already refuses keys, and the next call finishes it", async () => {
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

describe("§9 an isolate that knows a key from before", () => {
  it("§9 can't write afterwards: 401, and no row", async () => {
    const workspace = await fullWorkspace();
    await admin("DELETE", `/workspaces/${workspace.id}`);
    const [{ DB, trips }, { WRITE_LIMITER, calls }] = [databaseWith((run) => run()), limiterWith((run) => run())];
    const late = await postElsewhere(workspace, batch([track(), track({ event: null })]), { DB, WRITE_LIMITER });
    expect(late).toMatchObject({ status: 401, body: { error: { code: "unauthorized" } } });
    // The key was known: it was not looked up, and the object refused it.
    expect(trips()).toBe(0);
    expect(calls()).toBeGreaterThan(0);
    expect(await rowCounts()).toEqual({});
  });

  it("§9 can't leave a rejected message either", async () => {
    const workspace = await fullWorkspace();
    await admin("DELETE", `/workspaces/${workspace.id}`);
    await postElsewhere(workspace, batch([track({ event: null }), { type: "page" }]));
    expect(await rowCounts()).toEqual({});
  });

  it("§9 leaves nothing in the object by trying", async () => {
    const workspace = await fullWorkspace();
    await admin("DELETE", `/workspaces/${workspace.id}`);
    await postElsewhere(workspace, batch(tracks(125, "late")));
    expect(await objectStorage(workspace.id)).toEqual(NOTHING);
  });

  it("§9 leaves nothing in the object by trying with rejected messages alone", async () => {
    const workspace = await fullWorkspace();
    await admin("DELETE", `/workspaces/${workspace.id}`);
    await postElsewhere(workspace, batch([track({ event: null })]));
    expect(await objectStorage(workspace.id)).toEqual(NOTHING);
  });

  it("§9 not even when the object was restarted in between", async () => {
    const workspace = await fullWorkspace();
    await admin("DELETE", `/workspaces/${workspace.id}`);
    await abortAllDurableObjects();
    expect((await postElsewhere(workspace, batch([track()]))).status).toBe(401);
    expect(await rowCounts()).toEqual({});
    expect(await objectStorage(workspace.id)).toEqual(NOTHING);
  });
});

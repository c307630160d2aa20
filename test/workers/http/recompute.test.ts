/** Section 10.5: the recompute on demand. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";

import { emptyTables } from "../support/database.ts";
import { databaseWith, envWith, sendWith } from "../support/faulty-env.ts";
import { freeLeases, holdLease } from "../support/leases.ts";
import { batch, track, tracks } from "../support/messages.ts";
import { admin, ADMIN_HEADERS, eraseAllWorkspaces, newWorkspace } from "../support/workspace.ts";

beforeEach(async () => {
  await eraseAllWorkspaces();
  await emptyTables(["recompute_runs"]);
  await freeLeases();
});

const ISO = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);

const newestRun = () => env.DB.prepare("SELECT * FROM recompute_runs").first<Record<string, string | number | null>>();

/** Runs with a time budget that the third round trip uses up: it records the run, after the list and the lease. */
const recomputeInNoTime = () => {
  const { DB } = databaseWith(async (run, number) => {
    if (number === 3) await scheduler.wait(3_100);
    return run();
  });
  const changed = envWith({ RECOMPUTE_BUDGET_MS: "3000", DB });
  return sendWith(changed, "POST", "/admin/recompute", undefined, { headers: ADMIN_HEADERS });
};

describe("§10.5 POST /admin/recompute", () => {
  it("§10.5 returns and records what it did, and ignores a body", async () => {
    const { post, ref } = await newWorkspace();
    const { number } = await ref();
    await post("/api/v1/cdp", batch(tracks(3)));
    const { status, body } = await admin("POST", "/recompute", "{]");
    expect(status).toBe(200);
    expect(body).toEqual({
      ok: true,
      id: expect.stringMatching(/^run_[0-9a-f]{32}$/),
      trigger: "admin",
      asOf: ISO,
      startedAt: ISO,
      finishedAt: ISO,
      eventsFolded: 3,
      accountsScored: 1,
      itemsOpened: 0,
      itemsResolved: 0,
      eventsDeleted: 0,
      rowsRead: expect.any(Number),
      rowsWritten: expect.any(Number),
      complete: true,
    });
    expect(await newestRun()).toEqual({
      id: body["id"],
      trigger: "admin",
      as_of: Date.parse(String(body["asOf"])),
      workspace: number,
      started_at: expect.any(Number),
      finished_at: expect.any(Number),
      events_folded: 3,
      accounts_scored: 1,
      items_opened: 0,
      items_resolved: 0,
      rows_read: body["rowsRead"],
      rows_written: body["rowsWritten"],
      complete: 1,
      fault: null,
    });
  });

  it("§10.1 returns skipped while another recompute runs", async () => {
    const { post, ref } = await newWorkspace();
    await post("/api/v1/cdp", track({ properties: { accountId: "acme" } }));
    await holdLease(env.DB, (await ref()).number, "another");
    const { status, body } = await admin("POST", "/recompute");
    expect([status, body]).toEqual([200, { ok: true, skipped: "running" }]);
    expect(await newestRun()).toBeNull();
  });

  it("§10.5 returns complete false when its time is up, and the next one continues", async () => {
    const { id, post, get } = await newWorkspace();
    await post("/api/v1/cdp", track({ properties: { accountId: "acme" } }));
    const cut = await recomputeInNoTime();
    expect(cut).toMatchObject({ status: 200, body: { ok: true, complete: false, accountsScored: 0 } });
    expect(await newestRun()).toMatchObject({ complete: 0, fault: null, finished_at: expect.any(Number) });
    expect(await lastOf(id)).toBeNull();
    expect((await admin("POST", "/recompute")).body).toMatchObject({ complete: true, accountsScored: 1 });
    expect((await get("/api/v1/accounts")).body).toMatchObject({ accounts: [{ externalId: "acme" }] });
  });
});

describe("§10.5 POST /admin/workspaces/{id}/recompute", () => {
  it("§10.5 recomputes this workspace and no other", async () => {
    const [own, other] = [await newWorkspace(), await newWorkspace()];
    for (const { post } of [own, other]) await post("/api/v1/cdp", batch(tracks(3)));
    const { status, body } = await admin("POST", `/workspaces/${own.id}/recompute`);
    expect([status, body]).toMatchObject([200, { ok: true, trigger: "admin", eventsFolded: 3, complete: true }]);
    expect([await lastOf(own.id), await lastOf(other.id)]).toEqual([body["asOf"], null]);
    expect((await admin("POST", "/workspaces/ws_1/recompute")).status).toBe(404);
  });
});

describe("§10.5 lastRecomputeAt of a workspace", () => {
  it("§10.5 is null at first, and then the time as of which the last recompute scored", async () => {
    const { id } = await newWorkspace();
    expect(await lastOf(id)).toBeNull();
    const { body } = await admin("POST", "/recompute");
    expect(await lastOf(id)).toBe(body["asOf"]);
    expect((await admin("GET", "/workspaces")).body.workspaces?.[0]?.["lastRecomputeAt"]).toBe(body["asOf"]);
  });
});

const lastOf = async (id: string) => (await admin("GET", `/workspaces/${id}`)).body.workspace?.["lastRecomputeAt"];

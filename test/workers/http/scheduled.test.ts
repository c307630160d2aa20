/**
 * What the cron does: section 4.5's retention of rejected messages, erasures of section 9 that were cut short, and the
 * recompute.
 */
import { createScheduledController } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { markErased } from "../../../src/db/workspaces/erase-workspace.ts";
import worker from "../../../src/index.ts";
import { rowCounts } from "../support/database.ts";
import { envWith, limiterWith, objectError, sendWith } from "../support/faulty-env.ts";
import { fullWorkspace, objectStorage } from "../support/full-workspace.ts";
import { batch, track } from "../support/messages.ts";
import { ADMIN_HEADERS, admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const DAY_MS = 86_400_000;
/** Ahead of the real clock, so that no alarm of an object is due by itself. */
const MIDNIGHT = Date.UTC(2100, 0, 31);
const MORNING = MIDNIGHT + 7.5 * 3_600_000;

beforeEach(async () => {
  const { body } = await admin("GET", "/workspaces?limit=200");
  for (const { id } of body.workspaces ?? []) await admin("DELETE", `/workspaces/${id}`);
});
afterEach(() => {
  vi.useRealTimers();
});

/** The cron, due at a moment. */
const run = (at: number, changes: Partial<Env> = {}) =>
  worker.scheduled(createScheduledController({ scheduledTime: new Date(at), cron: "*/5 * * * *" }), envWith(changes));

describe("§9 the cron finishes an erasure that was cut short", () => {
  it("§9 in the database", async () => {
    const workspace = await fullWorkspace();
    await markErased(env, await workspace.ref(), MORNING);
    await run(MORNING);
    expect(await rowCounts()).toEqual({});
  });

  it("§9 and in the workspace's object", async () => {
    const { id } = await fullWorkspace();
    const { WRITE_LIMITER } = limiterWith(() => Promise.reject(objectError("gone", {})));
    const init = { headers: ADMIN_HEADERS };
    const cut = await sendWith(envWith({ WRITE_LIMITER }), "DELETE", `/admin/workspaces/${id}`, undefined, init);
    expect(cut.status).toBe(503);
    await run(MORNING);
    expect(await rowCounts()).toEqual({});
    expect(await objectStorage(id)).toEqual({ entries: {}, alarm: null });
  });

  it("§9 and leaves every other workspace as it was, even when it runs twice at once", async () => {
    const { id } = await fullWorkspace();
    await run(MORNING);
    const before = [await rowCounts(), await objectStorage(id)];
    const doomed = await fullWorkspace();
    await markErased(env, await doomed.ref(), MORNING);
    await Promise.all([run(MORNING), run(MORNING)]);
    expect([await rowCounts(), await objectStorage(id)]).toEqual(before);
  });
});

async function rejectAt(post: TestWorkspace["post"], at: number): Promise<void> {
  vi.setSystemTime(at);
  await post("/api/v1/cdp", batch([track({ event: null })]));
}

describe("§4.5 the cron deletes rejected messages past their 30 days", () => {
  it("§4.5 once they are older, and no younger one", async () => {
    const { post } = await newWorkspace();
    await rejectAt(post, MIDNIGHT - 30 * DAY_MS - 1);
    await rejectAt(post, MIDNIGHT - 30 * DAY_MS);
    await rejectAt(post, MIDNIGHT - 1);
    await run(MIDNIGHT - DAY_MS);
    expect((await rowCounts())["rejections"]).toBe(3);
    await run(MIDNIGHT);
    expect((await rowCounts())["rejections"]).toBe(2);
  });

  it("§4.5 in every workspace", async () => {
    for (let count = 0; count < 3; count += 1) await rejectAt((await newWorkspace()).post, MIDNIGHT - 31 * DAY_MS);
    await run(MIDNIGHT);
    expect((await rowCounts())["rejections"]).toBeUndefined();
  });

  it("§4.5 and goes on after one that it missed", async () => {
    const { post } = await newWorkspace();
    await rejectAt(post, MIDNIGHT - 40 * DAY_MS);
    await run(MIDNIGHT);
    expect((await rowCounts())["rejections"]).toBeUndefined();
  });
});

describe("§10 the cron runs the recompute", () => {
  beforeEach(async () => {
    await env.DB.prepare("DELETE FROM recompute_runs").run();
  });

  it("§10 as of the moment it was due, however late it is", async () => {
    const { post, get } = await newWorkspace();
    await post("/api/v1/cdp", track({ properties: { accountId: "acme" } }));
    const tomorrow = (Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS;
    await run(tomorrow);
    const record = await env.DB.prepare("SELECT * FROM recompute_runs").first();
    expect(record).toMatchObject({ trigger: "cron", as_of: tomorrow, events_folded: 1, complete: 1 });
    const { body } = await get("/api/v1/accounts");
    expect(body).toMatchObject({
      asOf: new Date(tomorrow).toISOString(),
      accounts: [{ externalId: "acme", health: { state: "insufficient_data" } }],
    });
  });

  it("§10.1 once, when it fires twice at once", async () => {
    const { post } = await newWorkspace();
    await post("/api/v1/cdp", track());
    const [due, later] = [Date.now() + DAY_MS, Date.now() + DAY_MS + 1];
    await Promise.all([run(due), run(later)]);
    expect(await env.DB.prepare("SELECT count(*) AS n FROM recompute_runs").first("n")).toBe(1);
    expect(await env.DB.prepare("SELECT sum(count) AS n FROM rollups").first("n")).toBe(1);
  });

  it("§10 and does the rest where that is refused for a wrong setting, which it tells", async () => {
    const doomed = await fullWorkspace();
    const { post } = await newWorkspace();
    await rejectAt(post, MIDNIGHT - 31 * DAY_MS);
    await markErased(env, await doomed.ref(), MORNING);
    await expect(run(MIDNIGHT, { EVENT_RETENTION_DAYS: "7" })).rejects.toThrow("1 of 5 tasks failed");
    expect(await rowCounts()).toEqual({ api_keys: 1, rejection_counts: 1, workspaces: 1 });
  });
});

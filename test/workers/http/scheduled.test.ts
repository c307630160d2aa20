/** The cron finishes interrupted erasures, deletes old rejected messages and runs the recompute. */
import { runDurableObjectAlarm } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { DAY_MS, HOUR_MS } from "../../../src/core/durations.ts";
import { markErased } from "../../../src/db/workspaces/erase-workspace.ts";
import { emptyTables, rowCounts } from "../support/database.ts";
import { envWith, limiterWith, objectError, sendWith } from "../support/faulty-env.ts";
import { fullWorkspace, objectStorage } from "../support/full-workspace.ts";
import { batch, track } from "../support/messages.ts";
import { deliver, heldQueue, runCron } from "../support/run-cron.ts";
import { ADMIN_HEADERS, eraseAllWorkspaces, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

/** In the future, so that no alarm of an object becomes due. */
const MIDNIGHT = Date.UTC(2100, 0, 31);
const MORNING = MIDNIGHT + 7.5 * HOUR_MS;

beforeEach(eraseAllWorkspaces);
afterEach(() => {
  vi.useRealTimers();
});

describe("§9 the cron finishes an interrupted erasure", () => {
  it("§9 in the database and in the workspace's object", async () => {
    const { id } = await fullWorkspace();
    const { WRITE_LIMITER } = limiterWith(() => Promise.reject(objectError("gone", {})));
    const init = { headers: ADMIN_HEADERS };
    const cut = await sendWith(envWith({ WRITE_LIMITER }), "DELETE", `/admin/workspaces/${id}`, undefined, init);
    expect(cut.status).toBe(503);
    await runCron(MORNING);
    expect(await rowCounts()).toEqual({});
    expect(Object.keys((await objectStorage(id)).entries)).toEqual(["erasedUntil"]);
  });

  it("§9 without changing other workspaces, even if it runs twice at once", async () => {
    const { id } = await fullWorkspace();
    // The first run archives the messages, and the second one deletes the file, which is decades old.
    await runCron(MORNING);
    await runCron(MORNING);
    // Otherwise the alarm saves the counters during the test if the machine is slow.
    await runDurableObjectAlarm(env.WRITE_LIMITER.getByName(id));
    const before = [await rowCounts(), await objectStorage(id)];
    const doomed = await fullWorkspace();
    await markErased(env, await doomed.ref(), MORNING - DAY_MS);
    await Promise.all([runCron(MORNING), runCron(MORNING)]);
    expect([await rowCounts(), await objectStorage(id)]).toEqual(before);
  });
});

async function rejectAt(post: TestWorkspace["post"], at: number): Promise<void> {
  vi.setSystemTime(at);
  await post("/api/v1/cdp", batch([track({ event: null })]));
}

describe("§4.5 the cron deletes rejected messages", () => {
  it("§4.5 after 30 days, in every workspace", async () => {
    const { post } = await newWorkspace();
    await rejectAt((await newWorkspace()).post, MIDNIGHT - 40 * DAY_MS);
    await rejectAt(post, MIDNIGHT - 30 * DAY_MS - 1);
    await rejectAt(post, MIDNIGHT - 30 * DAY_MS);
    await rejectAt(post, MIDNIGHT - 1);
    await runCron(MIDNIGHT);
    expect((await rowCounts())["rejections"]).toBe(2);
  });
});

describe("§10 the cron runs the recompute", () => {
  beforeEach(() => emptyTables(["recompute_runs"]));

  it("§10 as of the time at which it runs, even if its task is late", async () => {
    const { post, get } = await newWorkspace();
    await post("/api/v1/cdp", track({ properties: { accountId: "acme" } }));
    // The message is then at least an hour old, whatever the time.
    const tomorrow = (Math.floor(Date.now() / DAY_MS) + 1) * DAY_MS + HOUR_MS;
    const late = tomorrow + 7 * DAY_MS;
    const { TASKS, queued } = heldQueue();
    await deliver({ task: "sweep", database: "DB", isHourly: false }, { TASKS }, tomorrow);
    expect(queued).toMatchObject([{ task: "recompute" }]);
    for (const task of queued) await deliver(task, { TASKS }, late);
    const record = await env.DB.prepare("SELECT * FROM recompute_runs").first();
    expect(record).toMatchObject({ trigger: "cron", as_of: late, events_folded: 1, complete: 1 });
    const { body } = await get("/api/v1/accounts");
    expect(body).toMatchObject({
      asOf: new Date(late).toISOString(),
      accounts: [{ externalId: "acme", health: { state: "insufficient_data" } }],
    });
  });

  it("§10 and does its other tasks if a wrong setting stops the recompute, and its sweeps fail in the end", async () => {
    const doomed = await fullWorkspace();
    const { post } = await newWorkspace();
    await rejectAt(post, MIDNIGHT - 31 * DAY_MS);
    await markErased(env, await doomed.ref(), MIDNIGHT - DAY_MS);
    const { failed } = await runCron(MIDNIGHT, { HOT_DAYS: "6" });
    expect(failed.map(({ task }) => task)).toEqual(["sweep", "sweep", "sweep"]);
    expect(await rowCounts()).toEqual({ api_keys: 1, rejection_counts: 1, workspace_states: 1, workspaces: 1 });
  });
});

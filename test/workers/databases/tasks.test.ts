/** The queue delivers at least once, late and in any order. */
import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { markErased } from "../../../src/db/workspaces/erase-workspace.ts";
import { STEP_SIZES } from "../../../src/services/recompute/run-state.ts";
import { recomputeWorkspace } from "../../../src/services/recompute/recompute-workspaces.ts";
import { enqueue, type Task, type WorkspaceTask } from "../../../src/services/tasks/enqueue.ts";
import { runQueued } from "../../../src/services/tasks/run-task.ts";
import { acceptAgreement, finishAgreementChanges } from "../../../src/db/identity/agreement.ts";
import { withdrawAgreement } from "../../../src/services/agreement.ts";
import { inInvocation } from "../guard/invocation.ts";
import { addNamedUsers } from "../support/bulk-rows.ts";
import { rowCounts } from "../support/database.ts";
import { D1_BROKEN, databaseWith, envWith, failing } from "../support/faulty-env.ts";
import { newIdentifiedWorkspace } from "../identity/identified-workspace.ts";
import { deliver, heldQueue, runCron } from "../support/run-cron.ts";
import { eraseAllWorkspaces, newWorkspace } from "../support/workspace.ts";
import { elsewhere } from "./second-database.ts";

const DAY_MS = 86_400_000;
const CAPTURE = { accountId: "acme", userId: "u1", event: "report.exported" };
const TOMORROW = Date.now() + DAY_MS;

beforeEach(eraseAllWorkspaces);

async function withCapture() {
  const workspace = await newWorkspace();
  await workspace.post("/api/v1/cdp", { type: "track", ...CAPTURE, properties: { accountId: "acme" } });
  return { ...workspace, ref: await workspace.ref() };
}

const outcomes = async () => ({
  health: (await env.DB.prepare("SELECT * FROM health_days ORDER BY account, day").all()).results,
  rollups: (await env.DB.prepare("SELECT * FROM rollups ORDER BY account, day").all()).results,
  asOf: (await env.DB.prepare("SELECT workspace, as_of FROM folds ORDER BY workspace").all()).results,
});

it("tasks are queued 100 at once, which is all that a queue takes", async () => {
  const { TASKS, queued } = heldQueue();
  const workspace = { id: `ws_${"0".repeat(24)}`, database: "DB_4999" };
  await enqueue(
    envWith({ TASKS }),
    Array.from({ length: 250 }, (_, number): WorkspaceTask => ({
      task: "erase_workspace",
      workspace: { ...workspace, number },
    })),
  );
  const numbers = queued.map((task) => ("workspace" in task ? task.workspace.number : null));
  expect(numbers).toEqual(Array.from({ length: 250 }, (_, number) => number));
});

it("a task that fails comes back after 10 s, 1 min and 5 min, whatever it is", async () => {
  const { ref } = await withCapture();
  const { DB } = databaseWith(failing(D1_BROKEN));
  const sweep: Task = { task: "sweep", database: "DB", isHourly: true };
  const tasks = ["recompute", "archive", "erase_workspace", "erase_users", "move"] as const;
  for (const body of [sweep, ...tasks.map((task): Task => ({ task, workspace: ref }))]) {
    const given = [1, 2, 3, 4].map((attempts) => ({ id: String(attempts), timestamp: new Date(), attempts, body }));
    const batch = createMessageBatch<Task>("tasks", given);
    const retries = batch.messages.map((message) => vi.spyOn(message, "retry"));
    await inInvocation(() => runQueued(batch, envWith({ DB })));
    const delays = retries.flatMap(({ mock }) => mock.calls.map(([options]) => options?.delaySeconds));
    expect([body.task, ...delays]).toEqual([body.task, 10, 60, 300, 300]);
    expect((await getQueueResult(batch, createExecutionContext())).explicitAcks).toEqual([]);
  }
});

describe("a recompute task", () => {
  it("that is delivered twice, or after a later one, changes nothing", async () => {
    const { ref } = await withCapture();
    const deliverAt = (at: number) => deliver({ task: "recompute", workspace: ref }, {}, at);
    expect(await deliverAt(TOMORROW + DAY_MS)).toBe(true);
    const after = await outcomes();
    expect(after).toMatchObject({ rollups: [{ count: 1 }], asOf: [{ as_of: TOMORROW + DAY_MS }] });
    expect(await deliverAt(TOMORROW + DAY_MS)).toBe(true);
    expect(await outcomes()).toEqual(after);
    expect(await deliverAt(TOMORROW - DAY_MS)).toBe(true);
    expect(await outcomes()).toEqual(after);
  });

  it("whose clock is behind the last run's changes nothing", async () => {
    const { ref, post } = await withCapture();
    const deliverAt = (at: number) => deliver({ task: "recompute", workspace: ref }, {}, at);
    await deliverAt(TOMORROW + 2 * DAY_MS);
    await post("/api/v1/cdp", { type: "track", ...CAPTURE, properties: { accountId: "acme" } });
    const before = await outcomes();
    await deliverAt(TOMORROW);
    expect(await outcomes()).toEqual(before);
    await deliverAt(TOMORROW + 2 * DAY_MS + 1);
    expect(await outcomes()).toMatchObject({ rollups: [{ count: 2 }] });
  });

  it("that comes after the workspace's erasure leaves no row", async () => {
    const { ref } = await withCapture();
    await eraseAllWorkspaces();
    for (const task of ["recompute", "erase_users", "erase_workspace"] as const) {
      expect(await deliver({ task, workspace: ref }, {}, TOMORROW)).toBe(true);
    }
    expect(await rowCounts()).toEqual({});
  });

  it("that fails comes back, while those of other workspaces succeed", async () => {
    const broken = await withCapture();
    const sound = await elsewhere();
    await sound.post("/api/v1/events", CAPTURE);
    const { TASKS } = heldQueue();
    const { DB } = databaseWith(failing(D1_BROKEN));
    expect(await deliver({ task: "recompute", workspace: broken.ref }, { DB, TASKS }, TOMORROW)).toBe(false);
    expect(await deliver({ task: "recompute", workspace: await sound.ref() }, { DB, TASKS }, TOMORROW)).toBe(true);
    expect(await rowCounts(env.DB_1)).toMatchObject({ health: 1 });
    expect(await rowCounts()).not.toHaveProperty("health");
    expect(await deliver({ task: "recompute", workspace: broken.ref }, {}, TOMORROW)).toBe(true);
    expect(await rowCounts()).toMatchObject({ health: 1 });
  });
});

describe("an erasure task", () => {
  it("for a workspace that was opened meanwhile erases nothing", async () => {
    const { ref, get } = await withCapture();
    const before = await rowCounts();
    expect(await deliver({ task: "erase_workspace", workspace: ref }, {}, TOMORROW)).toBe(true);
    expect(await rowCounts()).toEqual(before);
    expect((await get("/api/v1/users/u1")).status).toBe(200);
  });

  it("that runs twice at once removes the workspace and no other", async () => {
    const kept = await withCapture();
    const before = await rowCounts();
    const { ref } = await withCapture();
    await markErased(env, ref, Date.now());
    const task: Task = { task: "erase_workspace", workspace: ref };
    expect(await Promise.all([deliver(task, {}, TOMORROW), deliver(task, {}, TOMORROW)])).toEqual([true, true]);
    expect(await rowCounts()).toEqual(before);
    expect((await kept.get("/api/v1/users/u1")).status).toBe(200);
  });
});

describe("a run", () => {
  it("stops below its number of statements, and the next runs complete the work", async () => {
    const { ref, post } = await withCapture();
    const batch = Array.from({ length: 60 }, (_, place) => ({
      type: "track",
      event: "a",
      userId: `u${place}`,
      properties: { accountId: `a${place}` },
    }));
    await post("/api/v1/cdp", { batch });
    const stepSizes = { ...STEP_SIZES, messages: 10, scored: 1 };
    const sent: number[] = [];
    for (let complete = false; !complete;) {
      let statements = 0;
      const { DB } = databaseWith((run, _, bound = []) => {
        statements += bound.length;
        return run();
      });
      const options = { now: TOMORROW, trigger: "cron", clock: () => 0, budgetMs: 1 } as const;
      const limits = { stepSizes, maxStatements: 100 };
      const result = await recomputeWorkspace(envWith({ DB }), ref, { ...options, ...limits });
      if (result.outcome === "skipped") throw new Error("another run holds the lease");
      complete = result.run.complete;
      sent.push(statements);
    }
    expect(sent.length).toBeGreaterThan(2);
    // A step begins below the limit, and the largest one has less than 50 statements.
    expect(Math.max(...sent)).toBeLessThan(150);
    expect((await rowCounts())["health"]).toBe(61);
  });
});

const state = async (number: number) => ({
  changed: await env.DB.prepare("SELECT agreement_changed FROM workspaces WHERE number = ?")
    .bind(number)
    .first("agreement_changed"),
  inForce:
    ((await env.DB.prepare("SELECT agreement FROM workspace_states WHERE number = ?")
      .bind(number)
      .first<number>("agreement")) ?? 0) > 0,
  traits: (await rowCounts())["identity_traits"] ?? 0,
});

describe("an agreement that is changed", () => {
  const TRAITS = { userId: "u1", traits: { name: "Jo Doe" } };
  const ACCEPTANCE = { version: "2", acceptedBy: "Ann", acceptedAt: TOMORROW };

  it.each([1, 2, 3, 4])("ends right after the cron when the change stops before round trip %i", async (at) => {
    const workspace = await newIdentifiedWorkspace();
    await workspace.attach(TRAITS);
    const ref = await workspace.ref();
    const cut = () =>
      envWith(databaseWith((run, number) => (number >= at ? Promise.reject(new Error(D1_BROKEN)) : run())));
    await withdrawAgreement(cut(), ref, Date.now(), "admin").catch(() => undefined);
    await runCron(TOMORROW);
    const kept = at === 1;
    expect(await state(ref.number)).toEqual({ changed: 0, inForce: kept, traits: kept ? 1 : 0 });
    await acceptAgreement(cut(), ref, ACCEPTANCE).catch(() => undefined);
    await runCron(TOMORROW);
    expect(await state(ref.number)).toEqual({ changed: 0, inForce: true, traits: kept ? 1 : 0 });
    expect((await workspace.attach(TRAITS)).status).toBe(200);
  });

  it("erases what was stored under a withdrawn acceptance, even if the next one follows before the cron", async () => {
    const workspace = await newIdentifiedWorkspace();
    await workspace.attach(TRAITS);
    const ref = await workspace.ref();
    const { DB } = databaseWith((run, number) => (number > 1 ? Promise.reject(new Error(D1_BROKEN)) : run()));
    await expect(withdrawAgreement(envWith({ DB }), ref, Date.now(), "admin")).rejects.toThrow(D1_BROKEN);
    expect(await state(ref.number)).toMatchObject({ changed: 1, traits: 1 });
    await acceptAgreement(env, ref, ACCEPTANCE);
    expect(await state(ref.number)).toEqual({ changed: 0, inForce: true, traits: 0 });
    await acceptAgreement(env, ref, { ...ACCEPTANCE, version: "3", acceptedAt: TOMORROW + 1 });
    expect(await state(ref.number)).toEqual({ changed: 0, inForce: true, traits: 0 });
  });

  it("is finished by the cron in few statements, however many workspaces and traits there are", async () => {
    for (let workspaces = 0; workspaces < 3; workspaces += 1) {
      const ref = await (await newIdentifiedWorkspace()).ref();
      await addNamedUsers(ref, 30_000);
      const { DB } = databaseWith((run, number) => (number > 1 ? Promise.reject(new Error(D1_BROKEN)) : run()));
      await withdrawAgreement(envWith({ DB }), ref, Date.now(), "admin").catch(() => undefined);
    }
    let statements = 0;
    const { DB } = databaseWith((run, _, bound = []) => {
      statements += bound.length;
      return run();
    });
    const runs: number[] = [];
    while (((await rowCounts())["identity_traits"] ?? 0) > 0) {
      statements = 0;
      await finishAgreementChanges(envWith({ DB }));
      runs.push(statements);
    }
    expect(Math.max(...runs)).toBeLessThan(200);
  });
});

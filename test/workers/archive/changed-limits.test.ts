/**
 * docs/wire/admin.md §9, docs/wire/storage.md §18: limits that change while a run or another change copies them to the
 * workspace's object.
 */
import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";

import { recompute } from "../../../src/services/recompute/recompute-workspaces.ts";
import { updateRoomAfterRun } from "../../../src/services/workspaces/storage-limits.ts";
import {
  D1_OVERLOADED,
  databaseWith,
  envWith,
  failing,
  limiterWith,
  sendWith,
  type Trip,
} from "../support/faulty-env.ts";
import { track } from "../support/messages.ts";
import { reconcileAll } from "../support/restores.ts";
import { admin, ADMIN_HEADERS, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

vi.setConfig({ testTimeout: 180_000 });

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await newWorkspace({ writeLimit: 10_000 });
});

/** Does something before a round trip or a call of the object, which are counted together from 1. */
function interrupted(at: number, act: () => Promise<unknown>) {
  let [count, isDone] = [0, false];
  const trip: Trip = async (run) => {
    if ((count += 1) === at) {
      isDone = true;
      await act();
    }
    return run();
  };
  const { WRITE_LIMITER } = limiterWith(trip);
  return { changed: envWith({ ...databaseWith(trip), WRITE_LIMITER }), isDone: () => isDone };
}

const patch = (change: object) => admin("PATCH", `/workspaces/${workspace.id}`, change);
const send = () => workspace.post("/api/v1/cdp", track());

const isFull = async () => (await send()).status === 507;

/**
 * Starts with a full workspace, interrupts a copy of its limits at a step, and goes on with the next step.
 * @returns what the check finds after each of them
 */
async function interruptEverywhere<Found>(
  copy: (changed: Env) => Promise<unknown>,
  act: () => Promise<unknown>,
  check: () => Promise<Found>,
): Promise<Found[]> {
  const found: Found[] = [];
  for (let isDone = true; isDone;) {
    await patch({ storageLimitBytes: null, writeLimit: 10_000 });
    await send();
    await patch({ storageLimitBytes: 1 });
    if (!(await isFull())) throw new Error("the workspace has no limit");
    const interruption = interrupted(found.length + 1, act);
    await copy(interruption.changed);
    isDone = interruption.isDone();
    if (isDone) found.push(await check());
  }
  return found;
}

const run = async (changed: Env) => updateRoomAfterRun(changed, await workspace.ref());

async function archive(): Promise<void> {
  await patch({ storageLimitBytes: 400 });
  await recompute(env, { now: Date.now(), trigger: "admin", clock: Date.now, budgetMs: 60_000 });
  await admin("POST", `/workspaces/${workspace.id}/archive`, { through: new Date().toISOString().slice(0, 10) });
}

it.each([null, 1_000_000])("§18 a limit that is raised to %s stays raised, wherever a run is", async (limit) => {
  const found = await interruptEverywhere(run, () => patch({ storageLimitBytes: limit }), isFull);
  expect(found.length).toBeGreaterThan(4);
  expect(found.filter(Boolean)).toEqual([]);
});

it("§18 there is room after messages were archived, wherever another run is", async () => {
  const found = await interruptEverywhere(run, archive, isFull);
  expect(found.length).toBeGreaterThan(4);
  expect(found.filter(Boolean)).toEqual([]);
});

const change = (changed: Env) => {
  const body = { writeLimit: 1_000, storageLimitBytes: 2 };
  return sendWith(changed, "PATCH", `/admin/workspaces/${workspace.id}`, body, { headers: ADMIN_HEADERS });
};
const otherChange = () => patch({ writeLimit: 2_000, storageLimitBytes: null });

it("§9 both limits are those that the directory has, wherever another change is", async () => {
  const found = await interruptEverywhere(change, otherChange, async () => {
    const shown = (await admin("GET", `/workspaces/${workspace.id}`)).body.workspace;
    const { status } = await send();
    const { limit } = await env.WRITE_LIMITER.getByName(workspace.id).usage();
    return {
      directory: [shown?.["writeLimit"], shown?.["storageLimitBytes"] !== null],
      object: [limit, status === 507],
    };
  });
  expect(found.length).toBeGreaterThan(4);
  expect(found.map(({ object }) => object)).toEqual(found.map(({ directory }) => directory));
});

it.each([{ storageLimitBytes: null }, { storageLimitBytes: 1_000_000 }])(
  "§9 a lower write limit applies although the workspace's database is overloaded, with %o",
  async (storage) => {
    const throttled = await newWorkspace({ database: "DB_1", writeLimit: 1_000 });
    await admin("PATCH", `/workspaces/${throttled.id}`, storage);
    const { DB: DB_1 } = databaseWith(failing(D1_OVERLOADED), env.DB_1);
    const path = `/admin/workspaces/${throttled.id}`;
    await sendWith(envWith({ DB_1 }), "PATCH", path, { writeLimit: 1 }, { headers: ADMIN_HEADERS });
    expect((await env.WRITE_LIMITER.getByName(throttled.id).usage()).limit).toBe(1);
  },
);

it("§9 a change of limits that stops anywhere is completed or never began, once the service is reconciled", async () => {
  const found: unknown[] = [];
  for (let [failAt, isDone] = [1, false]; !isDone; failAt += 1) {
    const limits = { writeLimit: 2_000 + failAt, storageLimitBytes: failAt % 2 === 0 ? null : 1 };
    const before = await read();
    const { changed, isDone: hasFailed } = interrupted(failAt, () => Promise.reject(new Error("it stops")));
    await sendWith(changed, "PATCH", `/admin/workspaces/${workspace.id}`, limits, { headers: ADMIN_HEADERS });
    isDone = !hasFailed();
    found.push(...(await reconcileAll()).map(({ kind }) => kind));
    const after = await read();
    expect([before.directory, { ...limits }]).toContainEqual(after.directory);
    expect(after.object).toEqual([after.directory.writeLimit, after.directory.storageLimitBytes === 1]);
    expect(await reconcileAll()).toEqual([]);
  }
  expect(new Set(found)).toEqual(new Set(["limits_unfinished"]));
});

it("§9 a reconciliation beside a change of limits undoes nothing, wherever it is", async () => {
  const found = await interruptEverywhere(change, reconcileAll, read);
  expect(found.length).toBeGreaterThan(4);
  for (const { directory, object } of found) {
    expect(directory).toEqual({ writeLimit: 1_000, storageLimitBytes: 2 });
    expect(object).toEqual([1_000, true]);
  }
});

/** Returns the limits that the directory has, and those that the object holds. */
async function read() {
  const shown = (await admin("GET", `/workspaces/${workspace.id}`)).body.workspace;
  const { limit, room } = await env.WRITE_LIMITER.getByName(workspace.id).facts();
  return {
    directory: { writeLimit: shown?.["writeLimit"], storageLimitBytes: shown?.["storageLimitBytes"] },
    object: [limit, room !== null],
  };
}

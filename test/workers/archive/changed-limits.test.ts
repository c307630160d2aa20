/** docs/wire.md §9, §18: limits that change while a run or another change copies them to the workspace's object. */
import { env } from "cloudflare:workers";
import { beforeEach, expect, it, vi } from "vitest";

import { recompute } from "../../../src/services/recompute/recompute.ts";
import { updateRoomAfterRun } from "../../../src/services/workspaces/storage.ts";
import { databaseWith, envWith, limiterWith, sendWith, type Trip } from "../support/faulty-env.ts";
import { track } from "../support/messages.ts";
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
    await patch({ storageLimitBytes: null });
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

/** docs/wire.md §9, §18: limits that change while a run or another change copies them to the workspace's object. */
import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";

import { recompute } from "../../../src/services/recompute/recompute.ts";
import { updateRoomAfterRun } from "../../../src/services/workspaces/storage.ts";
import { databaseWith, envWith, limiterWith, sendWith, type Trip } from "../support/faulty-env.ts";
import { track } from "../support/messages.ts";
import { admin, ADMIN_HEADERS, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await newWorkspace({ writeLimit: 10_000 });
});

/** Does something before or after a round trip or a call of the object, which are counted together from 1. */
function interrupted(at: number, when: "before" | "after", act: () => Promise<unknown>) {
  let [count, isDone] = [0, false];
  const trip: Trip = async (run) => {
    const isNow = (count += 1) === at;
    isDone ||= isNow;
    if (isNow && when === "before") await act();
    const result = await run();
    if (isNow && when === "after") await act();
    return result;
  };
  const { WRITE_LIMITER } = limiterWith(trip);
  return { changed: envWith({ ...databaseWith(trip), WRITE_LIMITER }), isDone: () => isDone };
}

const patch = (change: object) => admin("PATCH", `/workspaces/${workspace.id}`, change);
const send = () => workspace.post("/api/v1/cdp", track());

/** Starts with a full workspace, and interrupts a copy of its limits at every step. */
async function interruptEverywhere(
  copy: (changed: Env) => Promise<unknown>,
  act: () => Promise<unknown>,
  check: (where: string) => Promise<void>,
) {
  for (const when of ["before", "after"] as const) {
    for (let at = 1, isDone = true; isDone; at += 1) {
      await patch({ storageLimitBytes: null });
      await send();
      await patch({ storageLimitBytes: 1 });
      expect((await send()).status).toBe(507);
      const interruption = interrupted(at, when, act);
      await copy(interruption.changed);
      isDone = interruption.isDone();
      if (isDone) await check(`${when} step ${at}`);
      else expect(at).toBeGreaterThan(4);
    }
  }
}

const run = async (changed: Env) => updateRoomAfterRun(changed, await workspace.ref());
const hasRoom = async (where: string) => expect((await send()).status, where).toBe(200);

it.each([null, 1_000_000])("§18 a limit that is raised to %s stays raised, wherever a run is", async (limit) => {
  await interruptEverywhere(run, () => patch({ storageLimitBytes: limit }), hasRoom);
});

it("§18 there is room after messages were archived, wherever another run is", async () => {
  const archive = async () => {
    await patch({ storageLimitBytes: 400 });
    await recompute(env, { now: Date.now(), trigger: "admin", clock: Date.now, budgetMs: 60_000 });
    const through = new Date().toISOString().slice(0, 10);
    return admin("POST", `/workspaces/${workspace.id}/archive`, { through });
  };
  await interruptEverywhere(run, archive, hasRoom);
});

it("§9 both limits are those that the directory has, wherever another change is", async () => {
  const change = (changed: Env) => {
    const body = { writeLimit: 1_000, storageLimitBytes: 2 };
    return sendWith(changed, "PATCH", `/admin/workspaces/${workspace.id}`, body, { headers: ADMIN_HEADERS });
  };
  const other = () => patch({ writeLimit: 2_000, storageLimitBytes: null });
  await interruptEverywhere(change, other, async (where) => {
    const { status, headers } = await send();
    const shown = (await admin("GET", `/workspaces/${workspace.id}`)).body.workspace;
    expect(status, where).toBe(shown?.["storageLimitBytes"] === null ? 200 : 507);
    if (status === 200) expect(headers.get("RateLimit-Policy"), where).toContain(`q=${shown?.["writeLimit"]};`);
  });
});

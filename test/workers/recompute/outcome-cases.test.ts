/**
 * docs/recompute.md §10, docs/inbox.md §12.1: outcomes of repeated runs, and of new, superseded and erased accounts.
 */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";

import { DAY_MS } from "../../../src/core/durations.ts";
import type { WorkspaceRef } from "../../../src/db/client/database.ts";
import { markErased } from "../../../src/db/workspaces/erase-workspace.ts";
import { eraseMarked } from "../../../src/services/workspaces/workspace-changes.ts";
import type { RunRecord } from "../../../src/services/recompute/run-state.ts";
import { allRows, rowCounts } from "../support/database.ts";
import { databaseWith, envWith } from "../support/faulty-env.ts";
import { eraseAllWorkspaces } from "../support/workspace.ts";
import { busyWorkspace, NOW, STEPS } from "./busy-workspace.ts";
import { anotherWorkspace, attributes, DAY, event, morningOf, newWorkspace, run, startRun, store } from "./runs.ts";
import { forgetOutcomes, openItems, readOutcomes } from "./stored-outcomes.ts";
import { makeDue } from "./wrong-rows.ts";
import { placesUpTo } from "../../thorough.ts";

beforeEach(eraseAllWorkspaces);

/** Reads the whole database except the records of runs. */
async function dump(): Promise<Record<string, unknown>> {
  const { leases: _, recompute_runs: __, ...rows } = await allRows();
  return rows;
}

const isWorkday = (day: number): boolean => (day + 3) % 7 < 5;

/** Lists days before `DAY`, the earliest first. */
const daysBack = (from: number, to: number): number[] =>
  Array.from({ length: from - to + 1 }, (_, place) => DAY - from + place);

const NOTHING_DONE = {
  eventsFolded: 0,
  accountsScored: 0,
  itemsOpened: 0,
  itemsResolved: 0,
  complete: true,
};

describe("§10.5 a run with the same inputs", () => {
  it("§10.5 writes only its own record and the lease", async () => {
    await busyWorkspace();
    await run(NOW);
    const before = await dump();
    const again = await run(NOW);
    expect(again).toMatchObject(NOTHING_DONE);
    expect(await dump()).toEqual(before);
    // The record's own row and its index.
    expect(again.rowsWritten).toBeLessThanOrEqual(4);
  });

  it("§10.5 writes no outcome when all accounts are due without a change", async () => {
    await busyWorkspace();
    await run(NOW);
    await runWithAllDue();
    const before = await dump();
    expect(await runWithAllDue()).toMatchObject({ ...NOTHING_DONE, accountsScored: 4 });
    expect(await dump()).toEqual(before);
  });
});

describe("§11.10 a new account", () => {
  it("§11.10 has no score and lists what is missing, also before its first complete day", async () => {
    const workspace = await newWorkspace();
    await store(workspace, [event({ occurredAt: morningOf(DAY) })]);
    await run(NOW);
    const { health, days } = await readOutcomes(workspace);
    expect(days).toEqual({});
    expect(health["company:acme"]).toMatchObject({
      state: "insufficient_data",
      score: null,
      day: DAY - 1,
      missing: [{ code: "coverage" }, { code: "tenure" }, { code: "active_days", observed: 0, required: 5 }],
    });
    await run(morningOf(DAY + 1));
    expect((await readOutcomes(workspace)).health["company:acme"]).toMatchObject({
      day: DAY,
      missing: expect.arrayContaining([{ code: "active_days", observed: 1, required: 5 }]),
    });
  });
});

describe("§10.3 a personal account that its user has left", () => {
  it("§10.3 loses its health, and its items close", async () => {
    const workspace = await alone();
    await store(workspace, [event({ type: "group", event: null, occurredAt: NOW })], NOW);
    await run(NOW + DAY_MS);
    const outcomes = await readOutcomes(workspace);
    expect(Object.keys(outcomes.health)).toEqual(["company:acme", "company:globex"]);
    expect(Object.keys(outcomes.days).filter((key) => key.startsWith("solo:"))).toEqual([]);
    expect(openItems(outcomes)).toEqual({});
    expect(outcomes.items["solo:u1 never_activated  1"]).toMatchObject({ resolution: "changed", resolved_day: DAY });
  });

  it("§10.3 is not due again, and stays superseded", async () => {
    const workspace = await alone();
    await store(workspace, [event({ type: "group", event: null, occurredAt: NOW })], NOW);
    await run(NOW + DAY_MS);
    const before = await readOutcomes(workspace);
    expect(await run(NOW + 2 * DAY_MS)).toMatchObject({ accountsScored: 2 });
    await makeDue("all");
    await run(NOW + 2 * DAY_MS);
    const { health, items } = await readOutcomes(workspace);
    expect([Object.keys(health), items]).toEqual([Object.keys(before.health), before.items]);
  });
});

describe("§10.3 a personal account whose user's id a user of another workspace has", () => {
  it("§10.3 keeps its health while the other user belongs to a company", async () => {
    await store(await newWorkspace(), [event({ occurredAt: morningOf(DAY - 12) })]);
    const workspace = await anotherWorkspace();
    await store(workspace, [event({ accountId: null, occurredAt: morningOf(DAY - 12) })]);
    await run(NOW);
    expect(Object.keys((await readOutcomes(workspace)).health)).toEqual(["solo:u1"]);
  });
});

describe("§10.4 an item that late events disprove", () => {
  /** Creates an account that seems silent. */
  async function silent(): Promise<WorkspaceRef> {
    const workspace = await newWorkspace();
    const days = daysBack(60, 1).filter(isWorkday);
    await store(workspace, [
      ...days.filter((day) => day < DAY - 20).map((day) => event({ occurredAt: morningOf(day) })),
      ...days.map((day) => event({ accountId: "globex", userId: "u2", occurredAt: morningOf(day) })),
    ]);
    await run(NOW);
    return workspace;
  }
  const lateEvents = daysBack(20, 1)
    .filter(isWorkday)
    .map((day) => event({ occurredAt: morningOf(day) }));
  it("§10.4 is withdrawn, and its days get the right scores", async () => {
    const workspace = await silent();
    const [item] = (await silencesOf(workspace)).results;
    expect(item).toMatchObject({ resolution: null });
    const before = await readOutcomes(workspace);
    expect(before.health["company:acme"]).toMatchObject({ state: "at_risk" });

    await store(workspace, lateEvents, NOW);
    expect(await run(NOW + 1)).toMatchObject({ accountsScored: 1, itemsOpened: 0, itemsResolved: 1 });
    expect((await silencesOf(workspace)).results).toEqual([
      { ...item, resolution: "withdrawn", resolved_day: DAY - 1 },
    ]);
    const after = await readOutcomes(workspace);
    expect(after.health["company:acme"]).toMatchObject({ state: "healthy" });
    const changed = Object.keys(after.days).filter((key) => after.days[key]?.["score"] !== before.days[key]?.["score"]);
    expect(Math.min(...changed.map((key) => Number(key.split(" ")[1])))).toBeGreaterThanOrEqual(DAY - 20);
    expect(changed).toContain(`company:acme ${DAY - 1}`);
  });

  it("§10.4 keeps the evidence of its last day if late events end it earlier", async () => {
    const workspace = await silent();
    await store(workspace, lateEvents.slice(-3), NOW);
    await run(NOW + 1);
    const outcomes = await readOutcomes(workspace);
    await forgetOutcomes(workspace);
    await run(NOW + 1);
    expect(outcomes).toEqual(await readOutcomes(workspace));
    expect((await silencesOf(workspace)).results).toMatchObject([{ resolution: "recovered" }]);
  });

  it("§10.4 reopens as the same item if the finding returns", async () => {
    const workspace = await silent();
    const [item] = (await silencesOf(workspace)).results;
    await store(workspace, lateEvents, NOW);
    await run(NOW + 1);
    const silentAgain = morningOf(DAY + 20);
    const others = Array.from({ length: 20 }, (_, place) => DAY + place)
      .filter(isWorkday)
      .map((day) => event({ accountId: "globex", userId: "u2", occurredAt: morningOf(day) }));
    await store(workspace, others);
    await run(silentAgain);
    expect((await silencesOf(workspace)).results).toEqual([{ ...item, resolution: null, resolved_day: null }]);
  });
});

describe("§10.1 a workspace that is erased during a run", () => {
  it("§10.1 leaves no row in any table, at any round trip", { timeout: 300_000 }, async () => {
    const { DB, trips } = databaseWith((step) => step());
    const whole = await busyWorkspace();
    await startRun(NOW, { stepSizes: STEPS }, envWith({ DB }));
    expect(trips()).toBeGreaterThan(25);
    await erase(whole);
    for (const trip of placesUpTo(trips())) {
      const workspace = await busyWorkspace();
      const erasing = databaseWith(async (step, number) => {
        if (number === trip) await erase(workspace);
        return step();
      });
      await startRun(NOW, { stepSizes: STEPS }, envWith({ DB: erasing.DB }));
      expect(await rowCounts(), `erased before trip ${trip}`).toEqual({});
    }
  });

  it("§10.1 leaves no row if the erasure outlasts the run", async () => {
    const workspace = await busyWorkspace();
    const { DB } = databaseWith(async (step, number) => {
      if (number === 8) await markErased(env, workspace, 1);
      return step();
    });
    await startRun(NOW, { stepSizes: STEPS }, envWith({ DB }));
    await eraseMarked(env, workspace, Date.now());
    expect(await rowCounts()).toEqual({});
  });
});

describe("§10.3 equal accounts", () => {
  it("§10.3 are all scored, however many are due at once", async () => {
    const workspace = await newWorkspace();
    const names = Array.from({ length: 23 }, (_, place) => `a${place}`);
    await store(
      workspace,
      names.map((accountId) => attributes({ accountId, attributes: { seats: 3 }, occurredAt: morningOf(DAY - 1) })),
    );
    const stepSizes = { messages: 100, summarized: 4, rollups: 30, compared: 4, scored: 5 };
    expect(await run(NOW, { stepSizes })).toMatchObject({ accountsScored: 23 });
    expect(Object.keys((await readOutcomes(workspace)).health)).toHaveLength(23);
  });
});

/** Creates a paying personal account that was never activated, beside an active company. */
async function alone(): Promise<WorkspaceRef> {
  const workspace = await newWorkspace();
  const identify = { type: "identify", accountId: null, event: null, attributes: { mrr: 5 } } as const;
  await store(workspace, [
    event({ ...identify, occurredAt: morningOf(DAY - 12) }),
    event({ accountId: null, occurredAt: morningOf(DAY - 12) + 1 }),
    ...daysBack(12, -2).map((day) => event({ accountId: "globex", userId: "u2", occurredAt: morningOf(day) })),
  ]);
  await run(NOW);
  return workspace;
}

const silencesOf = ({ number }: WorkspaceRef) =>
  env.DB.prepare(
    "SELECT id, kind, resolution, resolved_day FROM inbox_items WHERE workspace = ? AND kind = 'gone_silent'",
  )
    .bind(number)
    .all();

async function erase(workspace: WorkspaceRef): Promise<void> {
  await markErased(env, workspace, 1);
  await eraseMarked(env, workspace, Date.now());
}

/** Runs with every account due. */
async function runWithAllDue(): Promise<RunRecord> {
  await makeDue("those with a date");
  return run(NOW + 1);
}

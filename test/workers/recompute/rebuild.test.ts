/** docs/recompute.md §10.7: a rebuild folds the retained log again. */
import { env } from "cloudflare:workers";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { DAY_MS } from "../../../src/core/durations.ts";
import type { WorkspaceRef } from "../../../src/db/client/database.ts";
import { markErased } from "../../../src/db/workspaces/erase-workspace.ts";
import { eraseMarked } from "../../../src/services/workspaces/workspace-changes.ts";
import { requestRebuild } from "../../../src/db/recompute/rebuild-sql.ts";
import { databaseWith, envWith } from "../support/faulty-env.ts";
import { admin, newWorkspace as adminWorkspace } from "../support/workspace.ts";
import { busyWorkspace, NOW, readState, STEPS } from "./busy-workspace.ts";
import { readFold } from "./folded-state.ts";
import {
  attributes,
  clockUpAfter,
  DAY,
  deleteMessages,
  event,
  morningOf,
  newWorkspace,
  run,
  startRun,
  store,
} from "./runs.ts";
import { DAYS, FIRST_DAY, smallWorkspace } from "./small-workspace.ts";
import { readOutcomes } from "./stored-outcomes.ts";
import { damageDays, miscount, setAsOf } from "./wrong-rows.ts";
import { cases, placesUpTo } from "../../thorough.ts";

const END = morningOf(FIRST_DAY + DAYS);

const progressOf = (workspace: WorkspaceRef) =>
  env.DB.prepare("SELECT rebuild_day, rebuilt_through FROM folds WHERE workspace = ?").bind(workspace.number).first();

const levelsOf = async ({ number }: WorkspaceRef) =>
  (
    await env.DB.prepare("SELECT day, accounts, user_days FROM workspace_days WHERE workspace = ? ORDER BY day")
      .bind(number)
      .all()
  ).results;

const NOT_UNDER_WAY = { rebuild_day: null, rebuilt_through: null };

describe("§10.7 a rebuild", () => {
  it.each([
    ["kept whole", false],
    ["deleted in part", true],
  ])("§10.7 of a log %s changes no rollup and no outcome", { timeout: 300_000 }, async (_, isDeleted) => {
    const size = fc.integer({ min: 1, max: 200 });
    const late = fc.func(fc.nat(7).map((number) => (number === 0 ? 20 : 0)));
    await fc.assert(
      fc.asyncProperty(smallWorkspace, late, size, async (days, daysLate, messages) => {
        const workspace = await newWorkspace();
        // Some messages arrive weeks late.
        const arrivals = days.flat().map((message, place) => {
          const isLate = message.accountId !== null;
          return { message, at: message.occurredAt + (isLate ? daysLate(place) * DAY_MS : 0) };
        });
        const byDay = Map.groupBy(arrivals, ({ at }) => Math.floor(at / DAY_MS));
        for (const [day, came] of [...byDay].toSorted(([a], [b]) => a - b)) {
          await store(
            workspace,
            came.map(({ message }) => message),
            (day + 1) * DAY_MS - 1,
          );
        }
        await run(END);
        if (isDeleted) await deleteMessages(workspace, FIRST_DAY + DAYS - 30);
        const before = await readState(workspace);
        await requestRebuild(env, workspace);
        const stepSizes = { messages, summarized: 100, rollups: 20, compared: 100, scored: 100 };
        expect(await run(END, { stepSizes })).toMatchObject({ complete: true });
        expect(await readState(workspace)).toEqual(before);
      }),
      { numRuns: cases(6) },
    );
  });

  it("§10.7 corrects the outcomes of runs during an import", async () => {
    const companies = Array.from({ length: 14 }, (_, place) => `company-${place}`);
    const history = companies.flatMap((accountId) =>
      Array.from({ length: 100 }, (_, place) => DAY - 100 + place)
        .filter((day) => (day + 3) % 7 < 5)
        .map((day) => event({ accountId, userId: `${accountId}-u`, occurredAt: morningOf(day) })),
    );
    const undisturbed = await newWorkspace();
    await store(undisturbed, history);
    await run(NOW);
    const expected = await readOutcomes(undisturbed);

    const imported = await newWorkspace();
    // An import in any order leaves gaps of weeks in what has arrived so far.
    const early = history.filter((_, place) => place % 37 === 0);
    await store(imported, early);
    await run(NOW);
    await store(
      imported,
      history
        .filter((message) => !early.includes(message))
        .map((message) => ({ ...message, messageId: `again-${message.messageId}` })),
    );
    await run(NOW);
    expect(await readOutcomes(imported)).not.toEqual(expected);
    await requestRebuild(env, imported);
    expect(await run(NOW)).toMatchObject({ complete: true });
    expect(await readOutcomes(imported)).toEqual(expected);
    expect(await levelsOf(imported)).toEqual(await levelsOf(undisturbed));
  });

  it("§10.7 repairs wrong rows", async () => {
    const workspace = await withDeletedDay();
    const before = await readState(workspace);
    await damageDays(workspace, DAY - 6);
    await requestRebuild(env, workspace);
    await run(NOW);
    expect(await readState(workspace)).toEqual(before);
  });

  it("§10.7 keeps the days that are not wholly in the log", async () => {
    const workspace = await withDeletedDay();
    await miscount(workspace, DAY - 6);
    await requestRebuild(env, workspace);
    await run(NOW);
    const { rollups, pending } = await readFold(workspace);
    const counts = Object.entries(rollups).map(([key, { count }]) => [Number(key.split(" ")[1]) === DAY - 6, count]);
    expect(counts).toHaveLength(12);
    expect(counts.filter(([isFirst, count]) => (count === 99) !== isFirst)).toEqual([]);
    expect(Object.keys(pending)).toHaveLength(6);
  });

  it("§10.7 keeps a day that deleted events were dated to in advance", async () => {
    const workspace = await newWorkspace();
    const midnight = (DAY - 5) * DAY_MS;
    await store(workspace, [event({ occurredAt: midnight })], midnight - 1);
    await store(workspace, [event({ occurredAt: midnight + 1 })]);
    await run(midnight + 1);
    await deleteMessages(workspace, DAY - 4);
    const before = await readFold(workspace);
    await requestRebuild(env, workspace);
    expect(await run(NOW)).toMatchObject({ complete: true });
    expect((await readFold(workspace)).rollups).toEqual(before.rollups);
  });

  it("§10.7 keeps the days before the ninety that are scored", async () => {
    const workspace = await newWorkspace();
    const days = [DAY - 91, DAY - 90, DAY - 1];
    await store(
      workspace,
      days.map((day) => event({ occurredAt: morningOf(day) })),
    );
    await run(NOW);
    await miscount(workspace);
    await requestRebuild(env, workspace);
    expect(await run(NOW)).toMatchObject({ complete: true });
    const { rollups } = await readFold(workspace);
    expect(Object.values(rollups).map(({ count }) => count)).toEqual([99, 1, 1]);
  });

  it("§10.7 that is requested again a day later replaces the same days", async () => {
    const workspace = await newWorkspace();
    await store(
      workspace,
      [DAY - 90, DAY - 1].map((day) => event({ occurredAt: morningOf(day) })),
    );
    await run(NOW);
    const before = await readFold(workspace);
    await requestRebuild(env, workspace);
    // It ends after it has deleted the rollups.
    await startRun(NOW, { clock: clockUpAfter(2) });
    expect((await readFold(workspace)).rollups).toEqual({});
    await setAsOf(workspace, morningOf(DAY + 1));
    await requestRebuild(env, workspace);
    await run(morningOf(DAY + 1));
    expect((await readFold(workspace)).rollups).toEqual(before.rollups);
  });

  it("§10.7 replaces nothing when the whole log was deleted", async () => {
    const workspace = await withDeletedDay();
    await deleteMessages(workspace, DAY);
    const before = await readState(workspace);
    expect(before.log).toEqual([]);
    await requestRebuild(env, workspace);
    expect(await run(NOW)).toMatchObject({ complete: true, eventsFolded: 0 });
    expect(await readState(workspace)).toEqual(before);
  });

  it.each([
    ["", false],
    ["another rebuild of ", true],
  ])("§10.7 requested at any step of %sa run loses no day", { timeout: 300_000 }, async (_, rebuild) => {
    const undisturbed = await readState(await ranWith(rebuild, () => false));
    const { DB, trips } = databaseWith((step) => step());
    await busyWorkspace(rebuild);
    await startRun(NOW, { stepSizes: STEPS }, envWith({ DB }));
    for (const trip of placesUpTo(trips())) {
      const state = await readState(await ranWith(rebuild, (number) => number === trip));
      expect(state, `requested before trip ${trip}`).toEqual(undisturbed);
    }
  });

  it("§10.7 requested for a workspace being erased leaves no row", async () => {
    const workspace = await newWorkspace();
    await markErased(env, workspace, 1);
    await requestRebuild(env, workspace);
    await eraseMarked(env, workspace, Date.now());
    await requestRebuild(env, workspace).catch(() => undefined);
    expect(await progressOf(workspace)).toBeNull();
  });
});

describe("§10.7 POST /admin/workspaces/{id}/rebuild", () => {
  it("§10.7 returns 202, and the next run does it", async () => {
    const { id, ref } = await adminWorkspace();
    const workspace = await ref();
    await store(workspace, [event({ occurredAt: morningOf(DAY - 2) })]);
    await run(NOW);
    expect(await admin("POST", `/workspaces/${id}/rebuild`)).toMatchObject({ status: 202, body: { ok: true } });
    expect((await progressOf(workspace))?.["rebuild_day"]).not.toBeNull();
    expect(await run(NOW)).toMatchObject({ complete: true, eventsFolded: 1 });
    expect(await progressOf(workspace)).toEqual(NOT_UNDER_WAY);
  });
});

/** Creates a workspace whose first day is past its retention. */
async function withDeletedDay(): Promise<WorkspaceRef> {
  const workspace = await newWorkspace();
  for (let day = DAY - 6; day < DAY; day += 1) {
    const seats = day - DAY + 10;
    await store(workspace, [
      event({ occurredAt: morningOf(day) }),
      event({ occurredAt: morningOf(day), userId: "u2", event: "login" }),
      event({
        occurredAt: morningOf(day),
        userId: `waits${day}`,
        accountId: null,
        type: "identify",
        event: null,
        attributes: { seats },
      }),
      attributes({ occurredAt: morningOf(day), attributes: { seats } }),
    ]);
  }
  await run(NOW);
  await deleteMessages(workspace, DAY - 5);
  return workspace;
}

/** Runs a busy workspace, requests a rebuild before the trips of `isMoment`, and runs again. */
async function ranWith(rebuild: boolean, isMoment: (trip: number) => boolean): Promise<WorkspaceRef> {
  const workspace = await busyWorkspace(rebuild);
  const { DB } = databaseWith(async (step, number) => {
    if (isMoment(number)) await requestRebuild(env, workspace);
    return step();
  });
  await startRun(NOW, { stepSizes: STEPS }, envWith({ DB }));
  expect(await run(NOW)).toMatchObject({ complete: true });
  return workspace;
}

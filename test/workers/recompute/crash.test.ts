/** docs/recompute.md §10: runs that crash, overlap, time out or lose answers count every message exactly once. */
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it } from "vitest";

import { typedKeys } from "../../../src/core/typed-keys.ts";
import type { WorkspaceRef } from "../../../src/db/client/database.ts";
import { acquireLease, releaseLease } from "../../../src/db/recompute/lease-sql.ts";
import { openSession, type Session } from "../../../src/db/recompute/session.ts";
import { NO_FIGURES, type RunRecord } from "../../../src/services/recompute/run-state.ts";
import { fated } from "../db/faulty-database.ts";
import { D1_BROKEN, databaseWith, envWith } from "../support/faulty-env.ts";
import { expireLeases } from "../support/leases.ts";
import { anotherBusyWorkspace, busyWorkspace, NOW, readState, type State, STEPS } from "./busy-workspace.ts";
import { clockUpAfter, HOUR_MS, newWorkspace, run, startRun, stillClock } from "./runs.ts";
import { damageTimelines } from "./wrong-rows.ts";
import { places, placesUpTo } from "../../thorough.ts";

// The oldest events are past the history.
const options = { stepSizes: STEPS, historyDays: 410 };

/** The result, the record and the round trips of an undisturbed run. */
let undisturbed: State;
let record: RunRecord;
let trips: number;

beforeAll(async () => {
  const workspace = await busyWorkspace();
  const counted = databaseWith((step) => step());
  const outcome = await startRun(NOW, options, envWith({ DB: counted.DB }));
  if (outcome.outcome !== "done") throw new Error("it did not run");
  record = outcome.run;
  trips = counted.trips();
  undisturbed = await readState(workspace);
});

/** Rows depend on how often a run retries. */
const COUNTED = typedKeys(NO_FIGURES).filter((figure) => figure !== "rowsRead" && figure !== "rowsWritten");

const sumOf = (...records: RunRecord[]) =>
  Object.fromEntries(COUNTED.map((figure) => [figure, records.reduce((total, one) => total + one[figure], 0)]));

const clockAt = (time: number) => ({ ...options, clock: () => time });

const holderOf = ({ number }: WorkspaceRef) =>
  env.DB.prepare("SELECT holder FROM leases WHERE workspace = ?").bind(number).first("holder");

const numbers = (count: number): number[] => Array.from({ length: count }, (_, place) => place + 1);

describe("§10.5 an undisturbed run", () => {
  it("§10.5 has work of every kind, in several steps", () => {
    expect(trips).toBeGreaterThan(25);
    expect(record.complete).toBe(true);
    expect(Math.min(...Object.values(sumOf(record)))).toBeGreaterThan(0);
    expect(undisturbed.progress).toMatchObject({ rebuild_day: null, rebuilt_through: null });
  });
});

describe("§10.2 a run that crashes at any round trip", () => {
  it("§10.2 leaves the rest to the next run, with the same result", { timeout: 300_000 }, async () => {
    for (const last of placesUpTo(trips)) {
      const workspace = await busyWorkspace();
      const { DB } = databaseWith((step, number) => (number > last ? Promise.reject(new Error(D1_BROKEN)) : step()));
      // The run succeeds if only the release of the lease fails.
      await startRun(NOW, options, envWith({ DB })).catch(() => undefined);
      await expireLeases();
      expect(await run(NOW, options), `after trip ${last}`).toMatchObject({ complete: true });
      expect(await readState(workspace), `after trip ${last}`).toEqual(undisturbed);
    }
  });

  it("§10.5 is recorded as incomplete, and the next as complete", async () => {
    await busyWorkspace();
    const { DB } = databaseWith((step, number) => (number > 10 ? Promise.reject(new Error(D1_BROKEN)) : step()));
    await expect(startRun(NOW, options, envWith({ DB }))).rejects.toThrow(D1_BROKEN);
    await expireLeases();
    const { id } = await run(NOW, options);
    const { results } = await env.DB.prepare(
      "SELECT id, finished_at IS NOT NULL AS finished, complete FROM recompute_runs ORDER BY started_at DESC LIMIT 2",
    ).all();
    expect(results).toEqual([
      { id, finished: 1, complete: 1 },
      { id: expect.any(String), finished: 0, complete: 0 },
    ]);
  });
});

describe("§10.2 a run that loses every first answer or request", () => {
  it.each(["answer lost", "request lost"] as const)(
    "§10.2 has the same result and record (%s)",
    { timeout: 300_000 },
    async (fate) => {
      const workspace = await busyWorkspace();
      const fates = numbers(trips).flatMap(() => [fate, "answered"] as const);
      const outcome = await startRun(NOW, options, fated(...fates));
      expect(outcome).toMatchObject({ outcome: "done", run: sumOf(record) });
      expect(await readState(workspace)).toEqual(undisturbed);
    },
  );
});

describe("§10.5 a run that fails in one workspace", () => {
  it("§10.5 completes the others, records the failure and releases its lease", async () => {
    const broken = await busyWorkspace();
    const other = await anotherBusyWorkspace();
    await damageTimelines(broken);
    await expect(startRun(NOW, options)).rejects.toThrow("JSON");
    expect(await readState(other)).toEqual(undisturbed);
    const newest =
      "SELECT complete, fault, finished_at FROM recompute_runs WHERE workspace = ? ORDER BY started_at DESC";
    expect(await env.DB.prepare(newest).bind(broken.number).first()).toEqual({
      complete: 0,
      fault: expect.stringContaining("JSON"),
      finished_at: expect.any(Number),
    });
    expect(await holderOf(broken)).toBeNull();
  });
});

const acquireAt = (session: Session, now: number) => acquireLease(session, "recompute", { now, expiresAt: now + 1 });

describe("§10.1 the lease", () => {
  it("§10.1 lets one of two runs work; the other is skipped and leaves no record", async () => {
    const workspace = await busyWorkspace();
    const runs = "SELECT count(*) AS count FROM recompute_runs";
    const before = await env.DB.prepare(runs).first<number>("count");
    const outcomes = await Promise.all([startRun(NOW, options), startRun(NOW, options)]);
    expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(["done", "skipped"]);
    expect(outcomes).toContainEqual({ outcome: "skipped", reason: "running" });
    expect(await readState(workspace)).toEqual(undisturbed);
    expect(await env.DB.prepare(runs).first("count")).toBe((before ?? 0) + 1);
  });

  it("§10.1 taken over by another run is not released by the first", async () => {
    const workspace = await newWorkspace();
    const [first, second] = [
      openSession(env, workspace, "run_1", { sent: 0 }),
      openSession(env, workspace, "run_2", { sent: 0 }),
    ];
    expect([await acquireAt(first, 1), await acquireAt(second, 2)]).toEqual([true, true]);
    await releaseLease(first);
    expect(await holderOf(workspace)).toBe("run_2");
  });

  it("§10.1 of a crashed run holds until it expires", async () => {
    const { number } = await busyWorkspace();
    const { DB } = databaseWith((step, trip) => (trip > 3 ? Promise.reject(new Error(D1_BROKEN)) : step()));
    const started = stillClock()();
    await expect(startRun(NOW, clockAt(started), envWith({ DB }))).rejects.toThrow(D1_BROKEN);
    const expiresAt = await env.DB.prepare("SELECT expires_at FROM leases WHERE workspace = ?")
      .bind(number)
      .first<number>("expires_at");
    // The budget, plus a margin for the current step.
    expect(expiresAt).toBeGreaterThan(started + 60_000);
    expect(await startRun(NOW, clockAt((expiresAt ?? 0) - 1))).toEqual({ outcome: "skipped", reason: "running" });
    expect(await startRun(NOW, clockAt(expiresAt ?? 0))).toMatchObject({ outcome: "done", run: { complete: true } });
  });

  it(
    "§10.1 taken over by another run at any round trip stops all writes of the first",
    { timeout: 300_000 },
    async () => {
      for (const lost of placesUpTo(trips - 1)) {
        const workspace = await busyWorkspace();
        let second: RunRecord | undefined;
        const { DB } = databaseWith(async (step, number) => {
          if (number === lost + 1) second = await run(NOW, { ...options, clock: lateClock() });
          return step();
        });
        const first = await startRun(NOW, options, envWith({ DB }));
        expect(second, `lost after trip ${lost}`).toMatchObject({ complete: true });
        expect(await readState(workspace), `lost after trip ${lost}`).toEqual(undisturbed);
        if (first.outcome !== "done") throw new Error("it did not run");
        // Together, the two records add up to the whole work.
        expect(sumOf(first.run, ...(second === undefined ? [] : [second])), `lost after trip ${lost}`).toEqual(
          sumOf(record),
        );
        const tookOver = second !== undefined && Object.values(sumOf(second)).some((count) => count > 0);
        expect(first.run.complete, `lost after trip ${lost}`).toBe(!tookOver);
      }
    },
  );
});

describe("§10.5 a run at the end of its budget", () => {
  it(
    "§10.5 stops as incomplete at any reading of the clock, and the next run continues",
    { timeout: 300_000 },
    async () => {
      for (const looks of places()) {
        const workspace = await busyWorkspace();
        const first = await run(NOW, { ...options, clock: clockUpAfter(looks) });
        if (first.complete) break;
        const second = await run(NOW, options);
        expect(second).toMatchObject({ complete: true });
        expect(await readState(workspace), `after ${looks} looks`).toEqual(undisturbed);
        expect(sumOf(first, second), `after ${looks} looks`).toEqual(sumOf(record));
      }
    },
  );

  it("§10.5 makes progress in every run, however small the budget", { timeout: 300_000 }, async () => {
    const workspace = await busyWorkspace();
    const records: RunRecord[] = [];
    let complete = false;
    for (let times = 0; !complete; times += 1) {
      expect(times).toBeLessThan(trips);
      // One reading for the workspace, one for each step.
      const done = await run(NOW, { ...options, clock: clockUpAfter(5) });
      records.push(done);
      ({ complete } = done);
    }
    expect(await readState(workspace)).toEqual(undisturbed);
    expect(sumOf(...records)).toEqual(sumOf(record));
  });
});

/** A clock after the lease of an earlier run has expired. */
function lateClock(): () => number {
  const clock = stillClock();
  return () => clock() + HOUR_MS;
}

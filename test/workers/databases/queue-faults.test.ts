/**
 * The queue refuses tasks, delivers them twice, late or not at all, and its consumers die. In the model, an interval with faults
 * follows one without any, and each fault hits any of its operations.
 */
import { env } from "cloudflare:workers";
import * as fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { HOUR_MS } from "../../../src/core/durations.ts";
import { markErased } from "../../../src/db/workspaces/erase-workspace.ts";
import { runScheduled } from "../../../src/scheduled.ts";
import type { Task } from "../../../src/services/tasks/enqueue.ts";
import { databaseWith, D1_BROKEN, envWith } from "../support/faulty-env.ts";
import { deliver, heldQueue } from "../support/run-cron.ts";
import { eraseAllWorkspaces } from "../support/workspace.ts";
import { elsewhere } from "./second-database.ts";

/** Longer than a tail may wait for its fold. */
const INTERVAL_MS = HOUR_MS + 300_000;
/** The second interval begins at midnight, so that accounts become due. */
const T0 = Date.UTC(2100, 0, 1, 22, 55);
const NAMES = ["DB", "DB_1", "DB_2"] as const;
const TRACK = { type: "track", event: "report.exported" };

/** `died`: its consumer sends no more statements after some, and holds the lease. */
const delivery = fc.constantFrom("once", "twice", "late", "lost", "died");
const interval = fc.record({
  captures: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
  isFaulty: fc.boolean(),
  sending: fc.constantFrom("accepted", "refused", "accepted, but reported as refused"),
  deliveries: fc.array(delivery, { minLength: 4, maxLength: 4 }),
  isReversed: fc.boolean(),
  tripsBeforeDeath: fc.nat({ max: 14 }),
});
type Interval = typeof interval extends fc.Arbitrary<infer One> ? One : never;
const WITHOUT_FAULTS: Interval = {
  captures: [true, true, true],
  isFaulty: false,
  sending: "accepted",
  deliveries: [],
  isReversed: false,
  tripsBeforeDeath: 0,
};

const faulty = (sending: Interval["sending"], ...deliveries: Interval["deliveries"]): Interval[] => [
  { ...WITHOUT_FAULTS, isFaulty: true, tripsBeforeDeath: 5, sending, deliveries },
  WITHOUT_FAULTS,
];
const EVERY_FAULT = [
  ...faulty("accepted", "twice", "late", "lost", "died"),
  ...faulty("refused"),
  ...faulty("accepted, but reported as refused", "died", "twice", "died", "late"),
];

beforeEach(eraseAllWorkspaces);
afterEach(() => {
  vi.useRealTimers();
});

it("no workspace falls behind by more than two intervals in which its tail is due", { timeout: 180_000 }, async () => {
  const met = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(interval, { minLength: 3, maxLength: 7 }), async (intervals) => {
      vi.setSystemTime(T0 - INTERVAL_MS);
      const workspaces = await Promise.all(NAMES.map((name) => elsewhere(env, name)));
      const erased = await elsewhere(env, "DB_1");
      await erased.post("/api/v1/cdp", { ...TRACK, userId: "u1" });
      await markErased(env, await erased.ref(), Date.now());
      let stored = 0;
      let before: Progress = { at: 0, newest: new Map(), watermarks: new Map(), due: new Set() };
      let kept: Task[] = [];
      let wasFaulty = false;
      for (const [place, drawn] of [...intervals, WITHOUT_FAULTS].entries()) {
        const faults: Interval = wasFaulty || !drawn.isFaulty ? { ...WITHOUT_FAULTS, captures: drawn.captures } : drawn;
        const now = T0 + place * INTERVAL_MS;
        vi.setSystemTime(now - HOUR_MS - 1_000);
        for (const [nth, workspace] of workspaces.entries()) {
          if (!faults.captures[nth]) continue;
          expect((await workspace.post("/api/v1/cdp", { ...TRACK, userId: `u${stored}` })).status).toBe(200);
          stored += 1;
        }
        const progress = await readProgress(now);
        vi.setSystemTime(now);
        kept = await runInterval(kept, faults, now, met);
        // An account that was scored since may be due again, at midnight.
        expect(await readProgress(before.at)).toSatisfy(hasReached(before));
        before = progress;
        wasFaulty = faults.isFaulty;
      }
      for (const task of kept) await deliverWhole(task, env.TASKS);
      expect(await countFolded()).toBe(stored);
      expect(await statesOf("erased")).toBe(0);
      await eraseAllWorkspaces();
    }),
    { numRuns: 3, examples: [[EVERY_FAULT]] },
  );
  expect([...met].toSorted()).toEqual([
    "accepted, but reported as refused",
    "died",
    "late",
    "lost",
    "refused",
    "twice",
  ]);
});

/** Runs the cron and delivers its tasks, after or before those kept from earlier. @returns the tasks to deliver later */
async function runInterval(earlier: Task[], faults: Interval, now: number, met: Set<string>): Promise<Task[]> {
  const { TASKS, queued } = heldQueue();
  const sendBatch: typeof TASKS.sendBatch = async (messages) => {
    if (faults.sending !== "accepted") met.add(faults.sending);
    const answer = faults.sending === "refused" ? null : await TASKS.sendBatch(messages);
    if (answer === null || faults.sending !== "accepted") throw new Error("the queue is unavailable");
    return answer;
  };
  await runScheduled(envWith({ TASKS: { ...TASKS, sendBatch } }), now).catch(() => undefined);
  const due = queued.splice(0).map((task, place) => [task, faults.deliveries[place] ?? "once"] as const);
  const kept: Task[] = [];
  const all = [...earlier.map((task) => [task, "once"] as const), ...due];
  for (const [task, fate] of faults.isReversed ? all.toReversed() : all) {
    if (fate !== "once") met.add(fate);
    if (fate === "late" || fate === "lost") kept.push(task);
    else if (fate === "died") {
      // The platform delivers it again, as it does with a task whose consumer throws.
      if (!(await deliver(task, { TASKS, ...dying(faults.tripsBeforeDeath) }))) kept.push(task);
    } else {
      await deliverWhole(task, TASKS);
      if (fate === "twice") await deliverWhole(task, TASKS);
    }
  }
  for (let task = queued.shift(); task !== undefined; task = queued.shift()) await deliverWhole(task, TASKS);
  return kept;
}

async function deliverWhole(task: Task, TASKS: Env["TASKS"]): Promise<void> {
  if (!(await deliver(task, { TASKS }))) throw new Error(`the task ${JSON.stringify(task)} failed`);
}

/** Databases that answer this many round trips, and none after them. */
function dying(trips: number) {
  let left = trips;
  const wrap = (database: D1Database) =>
    databaseWith((run) => ((left -= 1) < 0 ? Promise.reject(new Error(D1_BROKEN)) : run()), database).DB;
  return { DB: wrap(env.DB), DB_1: wrap(env.DB_1), DB_2: wrap(env.DB_2) };
}

interface Progress {
  /** The time at which accounts are due. */
  at: number;
  /** By workspace: its newest message and its watermark. */
  newest: Map<number, number>;
  watermarks: Map<number, number>;
  /** Accounts that are due. */
  due: Set<number>;
}

async function readProgress(at: number): Promise<Progress> {
  const read = await Promise.all(
    [env.DB, env.DB_1, env.DB_2].map(async (database) => {
      const [logs, folds, due] = await database.batch<{ workspace: number; number: number }>([
        database.prepare("SELECT workspace, max(seq) AS number FROM messages GROUP BY workspace"),
        database.prepare("SELECT workspace, watermark AS number FROM folds"),
        database.prepare("SELECT workspace, account AS number FROM account_progress WHERE due_at <= ?").bind(at),
      ]);
      return [logs, folds, due].map((one) => one?.results ?? []);
    }),
  );
  const [newest, watermarks, due] = [0, 1, 2].map((place) => read.flatMap((lists) => lists[place] ?? []));
  const byWorkspace = (rows: typeof newest = []) => new Map(rows.map(({ workspace, number }) => [workspace, number]));
  return {
    at,
    newest: byWorkspace(newest),
    watermarks: byWorkspace(watermarks),
    due: new Set((due ?? []).map(({ number }) => number)),
  };
}

/** Whether everything is folded that was stored then, and scored that was due then. */
const hasReached =
  (then: Progress) =>
  (now: Progress): boolean =>
    [...then.newest].every(
      ([workspace, seq]) => !now.newest.has(workspace) || (now.watermarks.get(workspace) ?? 0) >= seq,
    ) && [...then.due].every((account) => !now.due.has(account));

const sumOver = async (sql: string): Promise<number> => {
  const each = await Promise.all([env.DB, env.DB_1, env.DB_2].map((one) => one.prepare(sql).first<number>("count")));
  return each.reduce<number>((sum, count) => sum + (count ?? 0), 0);
};
const countFolded = () => sumOver("SELECT sum(count) AS count FROM rollups");
const statesOf = (state: string) => sumOver(`SELECT count(*) AS count FROM workspace_states WHERE state = '${state}'`);

/**
 * The queue refuses tasks, delivers them twice, late or not at all, and its consumers die. In the model, a time with faults
 * follows one without any, and each fault hits any of its operations: the cron, its sweeps and their tasks. After a time
 * with faults the cron runs until lost tasks count as lost, and then everything has to be done.
 */
import { env } from "cloudflare:workers";
import * as fc from "fast-check";
import { afterEach, beforeEach, expect, it, vi } from "vitest";

import { HOUR_MS } from "../../../src/core/durations.ts";
import { markErased } from "../../../src/db/workspaces/erase-workspace.ts";
import { runScheduled } from "../../../src/scheduled.ts";
import { LOST_AFTER_MS, type Task } from "../../../src/services/tasks/enqueue.ts";
import { databaseWith, D1_BROKEN, envWith } from "../support/faulty-env.ts";
import { deliver, heldQueue } from "../support/run-cron.ts";
import { eraseAllWorkspaces } from "../support/workspace.ts";
import { elsewhere } from "./second-database.ts";
import { cases } from "../../thorough.ts";

const CRON_INTERVAL_MS = 300_000;
/** Longer than a tail may wait for its fold. */
const INTERVAL_MS = HOUR_MS + 300_000;
/** The second interval begins at midnight, so that accounts become due. */
const T0 = Date.UTC(2100, 0, 1, 22, 55);
const NAMES = ["DB", "DB_1", "DB_2"] as const;
const TRACK = { type: "track", event: "report.exported" };

/**
 * `late`: after the next time without faults. `lost`: never. `died`: its consumer sends no more statements after some, and
 * holds the lease.
 */
const delivery = fc.constantFrom("once", "twice", "late", "lost", "died");
const interval = fc.record({
  captures: fc.tuple(fc.boolean(), fc.boolean(), fc.boolean()),
  isFaulty: fc.boolean(),
  sending: fc.constantFrom("accepted", "refused", "accepted, but reported as refused"),
  sweeps: fc.array(delivery, { minLength: 4, maxLength: 4 }),
  deliveries: fc.array(delivery, { minLength: 4, maxLength: 4 }),
  isReversed: fc.boolean(),
  tripsBeforeDeath: fc.nat({ max: 14 }),
});
type Interval = typeof interval extends fc.Arbitrary<infer One> ? One : never;
const WITHOUT_FAULTS: Interval = {
  captures: [true, true, true],
  isFaulty: false,
  sending: "accepted",
  sweeps: [],
  deliveries: [],
  isReversed: false,
  tripsBeforeDeath: 0,
};

const faulty = (changes: Partial<Interval>): Interval[] => [
  { ...WITHOUT_FAULTS, isFaulty: true, tripsBeforeDeath: 5, ...changes },
  WITHOUT_FAULTS,
];
const EVERY_FAULT = [
  ...faulty({ deliveries: ["twice", "late", "lost", "died"] }),
  ...faulty({ deliveries: ["lost", "lost", "lost", "lost"] }),
  ...faulty({ sweeps: ["twice", "late", "lost", "died"], deliveries: ["died", "lost", "late"] }),
  ...faulty({ sending: "refused" }),
  ...faulty({ sending: "accepted, but reported as refused", deliveries: ["died", "twice", "died", "late"] }),
];

beforeEach(eraseAllWorkspaces);
afterEach(() => {
  vi.useRealTimers();
});

it("a fault of the queue stops no workspace for longer than a lost task does", { timeout: 180_000 }, async () => {
  const met = new Set<string>();
  await fc.assert(
    fc.asyncProperty(fc.array(interval, { minLength: 3, maxLength: 7 }), async (intervals) => {
      vi.setSystemTime(T0 - INTERVAL_MS);
      const workspaces = await Promise.all(NAMES.map((name) => elsewhere(env, name)));
      const erased = await elsewhere(env, "DB_1");
      await erased.post("/api/v1/cdp", { ...TRACK, userId: "u1" });
      await markErased(env, await erased.ref(), Date.now());
      let stored = 0;
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
        for (let later = CRON_INTERVAL_MS; faults.isFaulty && later <= LOST_AFTER_MS; later += CRON_INTERVAL_MS) {
          vi.setSystemTime(now + later);
          await runInterval([], WITHOUT_FAULTS, now + later, met);
        }
        // An account that was scored since may be due again, at midnight.
        expect(await readProgress(progress.at)).toSatisfy(hasReached(progress));
        wasFaulty = faults.isFaulty;
      }
      for (const task of kept) await deliverWhole(task, env.TASKS);
      expect(await countFolded()).toBe(stored);
      expect(await statesOf("erased")).toBe(0);
      await eraseAllWorkspaces();
    }),
    { numRuns: cases(3), examples: [[EVERY_FAULT]] },
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

/**
 * Runs the cron, and delivers its sweeps and then their tasks, after or before those kept from earlier. What the queue
 * delivers again, because its consumer failed, comes last. @returns the tasks to deliver later
 */
async function runInterval(earlier: Task[], faults: Interval, now: number, met: Set<string>): Promise<Task[]> {
  const { TASKS, queued } = heldQueue();
  const sendBatch: typeof TASKS.sendBatch = async (messages) => {
    if (faults.sending !== "accepted") met.add(faults.sending);
    const answer = faults.sending === "refused" ? null : await TASKS.sendBatch(messages);
    if (answer === null || faults.sending !== "accepted") throw new Error("the queue is unavailable");
    return answer;
  };
  const unreliable = { TASKS: { ...TASKS, sendBatch } };
  await runScheduled(envWith(unreliable), now).catch(() => undefined);
  const kept: Task[] = [];
  const again: Task[] = [];
  const deliverWith = async (fates: Interval["deliveries"], more: readonly Task[] = []) => {
    const due = queued.splice(0).map((task, place) => [task, fates[place] ?? "once"] as const);
    const all = [...more.map((task) => [task, "once"] as const), ...due];
    for (const [task, fate] of faults.isReversed ? all.toReversed() : all) {
      if (fate !== "once") met.add(fate);
      if (fate === "late") kept.push(task);
      if (fate === "late" || fate === "lost") continue;
      const changes = fate === "died" ? { ...unreliable, ...dying(faults.tripsBeforeDeath) } : unreliable;
      for (let left = fate === "twice" ? 2 : 1; left > 0; left -= 1)
        if (!(await deliver(task, changes))) again.push(task);
    }
  };
  await deliverWith(faults.sweeps);
  await deliverWith(faults.deliveries, earlier);
  for (let task = again.shift() ?? queued.shift(); task !== undefined; task = again.shift() ?? queued.shift())
    await deliverWhole(task, TASKS);
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

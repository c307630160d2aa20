/** A workspace has one task of a kind in the queue, unless that task is lost. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import { z } from "zod";

import { SPREAD_SECONDS, TASKS_A_SECOND } from "../../../src/config.ts";
import { runScheduled } from "../../../src/scheduled.ts";
import { enqueueOnce, LOST_AFTER_MS, type Task } from "../../../src/services/tasks/enqueue.ts";
import { D1_FULL, databaseWith, envWith } from "../support/faulty-env.ts";
import { interruptErasures } from "../support/half-changed.ts";
import { expireLeases, freeLeases, holdAllLeases, holdLease } from "../support/leases.ts";
import { deliver, heldQueue } from "../support/run-cron.ts";
import { eraseAllWorkspaces, newWorkspace } from "../support/workspace.ts";

const INTERVAL_MS = 300_000;
/** A day later, so that tails are old and accounts are due. */
const T0 = Date.now() + 86_400_000;
const CAPTURE = { accountId: "acme", userId: "u1", event: "report.exported" };

const Written = z.object({ meta: z.object({ rows_written: z.number() }) });
const refuse = () => Promise.reject(new Error("the queue is unavailable"));

beforeEach(eraseAllWorkspaces);

/** A workspace with work for the recompute, the archive and an erasure. */
async function withWork() {
  const workspace = await newWorkspace();
  await workspace.post("/api/v1/events", CAPTURE);
  const ref = await workspace.ref();
  await interruptErasures(ref);
  return ref;
}

/** Runs the cron and its sweeps. @returns the workspaces' tasks that they queued */
async function sweepAt(at: number, changes: Parameters<typeof envWith>[0] = {}): Promise<Task[]> {
  const { TASKS, queued } = heldQueue();
  await runScheduled(envWith({ TASKS, ...changes }), at);
  for (const sweep of queued.splice(0).filter(({ task }) => task === "sweep"))
    await deliver(sweep, { TASKS, ...changes }, at);
  return queued;
}

const kindsOf = (tasks: readonly Task[]) => tasks.map(({ task }) => task).toSorted();
const EVERY_KIND = ["archive", "erase_users", "recompute"];

/** A multiple of the hour would also queue tasks that the directory lists. */
const after = (intervals: number) => T0 - (T0 % 3_600_000) + 1.5 * INTERVAL_MS + intervals * INTERVAL_MS;

describe("a workspace's task", () => {
  it("is queued once while it waits, and again when it has waited so long that it is lost", async () => {
    await withWork();
    expect(kindsOf(await sweepAt(after(0)))).toEqual(EVERY_KIND);
    const lost = LOST_AFTER_MS / INTERVAL_MS;
    for (let interval = 1; interval < lost; interval += 1) expect(await sweepAt(after(interval))).toEqual([]);
    expect(kindsOf(await sweepAt(after(lost)))).toEqual(EVERY_KIND);
    expect(await sweepAt(after(lost + 1))).toEqual([]);
  });

  it("is queued once by sweeps that run at once", async () => {
    await withWork();
    const swept = await Promise.all([sweepAt(after(0)), sweepAt(after(0)), sweepAt(after(0))]);
    expect(kindsOf(swept.flat())).toEqual(EVERY_KIND);
  });

  it.each(["recompute", "archive"] as const)(
    "of the kind %s is queued again after its consumer has died",
    async (task) => {
      const workspace = await withWork();
      await sweepAt(after(0));
      let trips = 0;
      const { DB } = databaseWith((run) => ((trips += 1) > 1 ? Promise.reject(new Error("died")) : run()));
      expect(await deliver({ task, workspace }, { DB, TASKS: heldQueue().TASKS }, after(0))).toBe(false);
      await expireLeases();
      expect(kindsOf(await sweepAt(after(1)))).toEqual([task]);
    },
  );

  it.each(["recompute", "archive"] as const)(
    "of the kind %s is queued again when another run held the lease",
    async (task) => {
      const workspace = await withWork();
      await sweepAt(after(0));
      await holdAllLeases("another");
      expect(await deliver({ task, workspace }, { TASKS: heldQueue().TASKS }, after(0))).toBe(true);
      expect(kindsOf(await sweepAt(after(1)))).toEqual([task]);
    },
  );

  it("is queued by the sweep's next attempt when the queue has refused it", async () => {
    await withWork();
    const { TASKS } = heldQueue();
    const sweep: Task = { task: "sweep", database: "DB", isHourly: false };
    expect(await deliver(sweep, { TASKS: { ...TASKS, sendBatch: refuse } }, after(0))).toBe(false);
    expect(kindsOf(await sweepAt(after(0) + 10_000))).toEqual(EVERY_KIND);
  });

  it("is queued in a database that is too full to remember it", async () => {
    await withWork();
    const { DB } = databaseWith((run, _, statements = []) =>
      statements.some(({ sql }) => sql.includes("INSERT INTO leases")) ? Promise.reject(new Error(D1_FULL)) : run(),
    );
    for (const interval of [0, 1]) expect(kindsOf(await sweepAt(after(interval), { DB }))).toEqual(EVERY_KIND);
  });

  it("queues its rest, but not beside the same task", async () => {
    const workspace = await withWork();
    await freeLeases();
    const { TASKS, queued } = heldQueue();
    const unfinished = { TASKS, RECOMPUTE_BUDGET_MS: "1" };
    const { DB } = databaseWith(async (run) => {
      // Every round trip takes longer than the budget.
      const until = Date.now() + 2;
      while (Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 1));
      return run();
    });
    const task: Task = { task: "recompute", workspace };
    expect(await deliver(task, { ...unfinished, DB }, after(0))).toBe(true);
    expect(queued).toEqual([task]);
    expect(kindsOf(await sweepAt(after(1)))).toEqual(["archive", "erase_users"]);
    // A duplicate begins, so the task that waits is forgotten; its rest waits in its place.
    expect(await deliver(task, { ...unfinished, DB }, after(1))).toBe(true);
    expect(kindsOf(await sweepAt(after(2)))).toEqual([]);
  });
});

/** Queues the recomputes of as many workspaces. @returns how many begin in each second */
async function begun(count: number): Promise<number[]> {
  const { TASKS } = heldQueue();
  const bySecond: number[] = [];
  const sendBatch: typeof TASKS.sendBatch = async (messages) => {
    for (const { delaySeconds = 0 } of messages) bySecond[delaySeconds] = (bySecond[delaySeconds] ?? 0) + 1;
    return TASKS.sendBatch(messages);
  };
  const due = Array.from({ length: count }, (_, index) => ({
    workspace: { id: `ws_${index}`, number: index + 1, database: "DB" },
  }));
  // A full database queues workspaces that it can't mark.
  const { DB } = databaseWith(() => Promise.reject(new Error(D1_FULL)));
  await enqueueOnce(envWith({ DB, TASKS: { ...TASKS, sendBatch } }), "DB", "recompute", due, T0);
  return bySecond;
}

describe("tasks of a database", () => {
  it("begin as fast as it serves them beside its senders", async () => {
    expect(await begun(3 * TASKS_A_SECOND + 1)).toEqual([TASKS_A_SECOND, TASKS_A_SECOND, TASKS_A_SECOND, 1]);
  });

  it("begin before the next sweep, however many there are", async () => {
    const bySecond = await begun(2 * TASKS_A_SECOND * SPREAD_SECONDS);
    expect(new Set(bySecond)).toEqual(new Set([2 * TASKS_A_SECOND]));
    expect(bySecond.length).toBeLessThan(INTERVAL_MS / 1_000);
  });
});

describe("what a waiting task costs", () => {
  it("is a row for each workspace, and none when the task begins", async () => {
    const refs = [await withWork(), await withWork(), await withWork()];
    const written: Record<string, number> = {};
    const { DB } = databaseWith(async (run, _, statements = []) => {
      const answer = await run();
      const results = [answer].flat();
      for (const [place, { sql }] of statements.entries()) {
        const [, verb] = /^\s*(INSERT INTO leases|UPDATE leases)/.exec(sql) ?? [];
        if (verb === undefined) continue;
        written[verb] = (written[verb] ?? 0) + Written.parse(results[place]).meta.rows_written;
      }
      return answer;
    });
    const { TASKS, queued } = heldQueue();
    const sweep: Task = { task: "sweep", database: "DB", isHourly: false };
    await deliver(sweep, { TASKS, DB }, after(0));
    expect(written).toEqual({ "INSERT INTO leases": 3 * refs.length });
    await deliver(sweep, { TASKS, DB }, after(1));
    expect(written).toEqual({ "INSERT INTO leases": 3 * refs.length });
    written["INSERT INTO leases"] = 0;
    for (const task of queued.filter((each) => each.task === "recompute")) await deliver(task, { TASKS, DB }, after(1));
    // Taking the lease and releasing it writes a row each, as without the mark.
    expect(written).toEqual({ "INSERT INTO leases": refs.length, "UPDATE leases": refs.length });
  });
});

it("a held lease outlives a mark", async () => {
  const workspace = await withWork();
  await holdLease(env.DB, workspace.number, "another");
  expect(kindsOf(await sweepAt(after(0)))).toEqual(EVERY_KIND);
  expect(await env.DB.prepare("SELECT holder FROM leases").first("holder")).toBe("another");
});

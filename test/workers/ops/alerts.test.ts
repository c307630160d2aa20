/** ops/alerts: each query finds its condition in the log of the real service. */
import { createExecutionContext, createMessageBatch, getQueueResult } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";

import { runScheduled } from "../../../src/scheduled.ts";
import type { Task } from "../../../src/services/tasks/enqueue.ts";
import { runQueued } from "../../../src/services/tasks/run-task.ts";
import { elsewhere } from "../databases/second-database.ts";
import { inInvocation } from "../guard/invocation.ts";
import { faultyBucket } from "../support/faulty-bucket.ts";
import {
  type Changes,
  D1_BROKEN,
  D1_OVERLOADED,
  databaseWith,
  envWith,
  failing,
  sendWith,
} from "../support/faulty-env.ts";
import { setBackedUp } from "../support/leases.ts";
import { outcomesOf } from "../support/outcomes.ts";
import { reconcileAll, restorePoint } from "../support/restores.ts";
import { deliver, heldQueue, runCron } from "../support/run-cron.ts";
import { ADMIN_HEADERS, admin, newWorkspace } from "../support/workspace.ts";
import { heldDeliveries, newInbox } from "../notify/delivering.ts";
import {
  ALERTS,
  at,
  DAY,
  EVENTS,
  everFired,
  firing,
  HOUR,
  isMarked,
  log,
  MINUTE,
  post,
  recordLog,
  sendTo,
  times,
} from "./recorded-log.ts";

recordLog();

const overloaded = () => databaseWith(failing(D1_OVERLOADED)).DB;

describe("an alert fires, and no other one", () => {
  it("readiness: two readiness checks failed within two minutes", async () => {
    const { DB: DB_1 } = databaseWith(failing(D1_OVERLOADED), env.DB_1);
    const check = () => sendWith(envWith({ DB_1 }), "GET", "/readyz");
    await check();
    expect(firing()).toEqual({});
    at(MINUTE);
    await check();
    expect(firing()).toEqual({ readiness: [""] });
    at(3 * MINUTE + 1);
    expect(firing()).toEqual({});
  });

  it("backup-overdue: the backups of a workspace have failed for two days", async () => {
    const workspace = await newWorkspace();
    await post(workspace);
    await admin("POST", "/recompute");
    await runCron(Date.now());
    const made = Date.now();
    expect(firing()).toEqual({});
    const { number } = await workspace.ref();
    await setBackedUp(number, made - 2 * DAY);
    const hour = Math.ceil(made / HOUR) * HOUR;
    at(hour - log.start);
    await runCron(hour);
    expect(firing()).toEqual({ "backup-overdue": [workspace.id] });
  });

  it("backup-overdue: no backup of a workspace has succeeded since its first message, two days ago", async () => {
    const workspace = await newWorkspace();
    await post(workspace);
    await admin("POST", "/recompute");
    const ARCHIVE = faultyBucket(env.ARCHIVE, failing("broken"));
    const hour = Math.ceil(Date.now() / HOUR) * HOUR;
    await runCron(hour, { ARCHIVE });
    expect(firing()).not.toHaveProperty("backup-overdue");
    at(2 * DAY + hour - log.start);
    await runCron(hour + 2 * DAY, { ARCHIVE });
    expect(firing()).toMatchObject({ "backup-overdue": [workspace.id] });
  });

  it("internal-errors: one request failed with 500", async () => {
    const workspace = await newWorkspace();
    await post(workspace);
    await post(workspace, { DB: databaseWith(failing(D1_BROKEN)).DB });
    expect(firing()).toEqual({ "internal-errors": [""] });
  });

  it("unavailable: more than one request in a hundred failed with 503, counted with the weights of the lines", async () => {
    const workspace = await newWorkspace({ writeLimit: 10_000 });
    // One line stands for 990 requests.
    vi.spyOn(Math, "random").mockReturnValue(0);
    await post(workspace, { SUCCESS_SAMPLING_RATE: String(1 / 990) });
    await times(9, () => post(workspace, { DB: overloaded() }));
    expect(firing()).toEqual({});
    await post(workspace, { DB: overloaded() });
    expect(firing()).toEqual({});
    await post(workspace, { DB: overloaded() });
    expect(firing()).toEqual({ unavailable: [""] });
  });

  it("rate-limited: a workspace exceeds its write limit, and another one doesn't", async () => {
    const [loud, calm] = [await newWorkspace({ writeLimit: 10 }), await newWorkspace()];
    await times(10, () => post(calm));
    await times(59, () => post(loud));
    expect(firing()).toEqual({});
    // The lines of a flood are ten a second; the next one has the others' weight.
    at(1_000);
    await post(loud);
    expect(firing()).toEqual({ "rate-limited": [loud.id] });
  });

  it("storage-full: a workspace has reached its storage limit", async () => {
    const workspace = await newWorkspace();
    await post(workspace);
    await admin("PATCH", `/workspaces/${workspace.id}`, { storageLimitBytes: 1 });
    await times(9, () => post(workspace));
    expect(firing()).toEqual({});
    await post(workspace);
    expect(firing()).toEqual({ "storage-full": [workspace.id] });
  });

  it("archive-unavailable: three requests or tasks failed at the bucket", async () => {
    const ARCHIVE = faultyBucket(env.ARCHIVE, failing("R2 is down"));
    const create = () =>
      sendWith(envWith({ ARCHIVE }), "POST", "/admin/workspaces", { name: "Acme" }, { headers: ADMIN_HEADERS });
    await times(2, create);
    expect(firing()).toEqual({});
    await create();
    expect(firing()).toEqual({ "archive-unavailable": [""] });
  });

  it("directory-down: a request succeeded with a cached key", async () => {
    const workspace = await elsewhere();
    await post(workspace);
    at(31_000);
    expect((await post(workspace, { DB: overloaded() })).status).toBe(200);
    expect(firing()).toEqual({ "directory-down": [""] });
  });

  it("recompute-silent: messages came 75 minutes ago, and no run did anything since", async () => {
    const workspace = await newWorkspace();
    await post(workspace);
    at(69 * MINUTE);
    expect(firing()).toEqual({});
    at(72 * MINUTE);
    expect(firing()).toEqual({ "recompute-silent": [""] });
    await runCron(Date.now());
    expect(firing()).toEqual({});
  });

  it("recompute-behind: three runs of a workspace ended without completing", async () => {
    const workspace = await newWorkspace();
    await post(workspace);
    const { TASKS, queued } = heldQueue();
    let now = 0;
    const { DB } = databaseWith((trip) => {
      at((now += 15_000));
      return trip();
    });
    const run = async (changes: Changes) =>
      deliver({ task: "recompute", workspace: await workspace.ref() }, { TASKS, ...changes });
    // Each run takes longer than its 20 seconds.
    await times(3, () => run({ DB }));
    expect(queued).toHaveLength(3);
    expect(firing()).toEqual({ "recompute-behind": [workspace.id] });
    await run({});
    expect(firing()).toEqual({});
  });

  it("unprocessed-messages: a message waits for 90 minutes, because its task is lost, and another workspace's doesn't", async () => {
    const [stuck, other] = [await newWorkspace(), await newWorkspace()];
    await post(stuck);
    /** Runs the cron, and loses the stuck workspace's recompute. */
    const cron = async () => {
      const { TASKS, queued } = heldQueue();
      await runScheduled(envWith({ TASKS }), Date.now());
      for (const task of queued)
        if (task.task !== "recompute" || task.workspace.id !== stuck.id) await deliver(task, { TASKS });
    };
    at(5 * MINUTE);
    await post(other);
    at(89 * MINUTE);
    await cron();
    expect([firing(), await isMarked()]).toEqual([{}, false]);
    at(90 * MINUTE);
    await cron();
    const { database } = await stuck.ref();
    expect([firing(), await isMarked()]).toEqual([{ "unprocessed-messages": [database] }, true]);
    // The lost task counts as waiting for a while.
    for (const minutes of [106, 122]) {
      at(minutes * MINUTE);
      await runCron(Date.now());
    }
    expect(firing()).toEqual({});
  });

  it("deliveries-failing: ten tasks of deliveries failed, more than half of all", async () => {
    const workspace = await newWorkspace();
    const account = (await (await outcomesOf(workspace)).account("acme")).number;
    const inbox = await newInbox(workspace);
    const health = { type: "health.changed", change: "watch", detail: "healthy" } as const;
    const send = async (count: number, changes: Changes = {}) => {
      for (let sent = 0; sent < count; sent += 1) {
        await inbox.notify(account, { ...health, day: (day += 1), nextAttemptAt: Date.now() });
        const { DELIVERIES } = heldDeliveries();
        await deliver(inbox.task, { DELIVERIES, ...changes });
      }
    };
    let day = 0;
    await send(10);
    await inbox.answers(...Array.from({ length: 5 }, () => 500));
    await send(5);
    expect(firing()).toEqual({});
    // Nobody can open the URL without the key.
    await send(5, { SECRETS_KEY: "another key of 32 characters or more" });
    expect(firing()).toEqual({});
    await send(1, { SECRETS_KEY: "another key of 32 characters or more" });
    expect(firing()).toEqual({ "deliveries-failing": [""] });
  });

  it("destination-disabled: a receiver is gone", async () => {
    const workspace = await newWorkspace();
    const account = (await (await outcomesOf(workspace)).account("acme")).number;
    const inbox = await newInbox(workspace);
    const health = { type: "health.changed", change: "watch", detail: "healthy" } as const;
    const { DELIVERIES } = heldDeliveries();
    for (const [day, status] of [500, 200, 410].entries()) {
      expect(firing()).toEqual({});
      await inbox.answers(status);
      await inbox.notify(account, { ...health, day, nextAttemptAt: Date.now() });
      await deliver(inbox.task, { DELIVERIES });
    }
    expect(firing()).toEqual({ "destination-disabled": [`${workspace.id},${inbox.id}`] });
  });

  it("dead-letters: a task failed for the fourth time", async () => {
    const workspace = await newWorkspace();
    const body: Task = { task: "recompute", workspace: await workspace.ref() };
    const attempt = async (attempts: number) => {
      const batchOfOne = createMessageBatch<Task>("tasks", [{ id: "task", timestamp: new Date(), attempts, body }]);
      await inInvocation(() => runQueued(batchOfOne, envWith({ DB: databaseWith(failing(D1_BROKEN)).DB })));
      expect((await getQueueResult(batchOfOne, createExecutionContext())).explicitAcks).toEqual([]);
    };
    for (const attempts of [1, 2, 3]) await attempt(attempts);
    expect(firing()).toEqual({});
    await attempt(4);
    expect(firing()).toEqual({ "dead-letters": [workspace.id] });
  });

  it("database-fill: the cron measured a database that is fuller than 80 %", async () => {
    const { bytes } = await env.DB_1.prepare("SELECT 1")
      .run()
      .then(({ meta }) => ({ bytes: meta.size_after }));
    const { bytes: first } = await env.DB.prepare("SELECT 1")
      .run()
      .then(({ meta }) => ({ bytes: meta.size_after }));
    await runCron(Date.now(), { MAX_DATABASE_BYTES: String(Math.max(bytes, first) * 2) });
    expect(firing()).toEqual({});
    await runCron(Date.now(), { MAX_DATABASE_BYTES: String(Math.ceil(bytes * 1.1)) });
    expect(firing()["database-fill"]).toContain("DB_1");
    // The tests of a file share the databases.
    await runCron(Date.now());
  });

  it("workspace-missing: a database was restored to a time before a workspace", async () => {
    const restore = await restorePoint(env.DB_1);
    const workspace = await newWorkspace({ database: "DB_1" });
    await post(workspace);
    await restore();
    expect((await post(workspace)).status).toBe(503);
    at(9 * MINUTE);
    expect(firing()).toEqual({});
    at(11 * MINUTE);
    expect((await sendTo({}, workspace.key, "GET", EVENTS)).status).toBe(503);
    expect(firing()).toEqual({ "workspace-missing": [workspace.id] });
  });

  it("reconcile-findings: a reconciliation repaired something, and the next one finds nothing", async () => {
    // Writes of an earlier file may arrive after its reset: a number in the journal, without its workspace.
    await reconcileAll();
    const restore = await restorePoint(env.DB_1);
    await newWorkspace({ database: "DB_1" });
    await restore();
    at(16 * MINUTE);
    await reconcileAll();
    expect(firing()).toEqual({ "reconcile-findings": ["state_missing"] });
    at(32 * MINUTE);
    await reconcileAll();
    expect(firing()).toEqual({});
  });
});

it("every alert has fired in a test above", () => {
  expect(everFired).toEqual(new Set(ALERTS.map(({ alert }) => alert.name)));
});

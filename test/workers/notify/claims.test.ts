/** What crashes, tasks at once, slow receivers and gone subjects do to deliveries. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { deleteDestination } from "../../../src/db/destinations/destinations.ts";
import { deliver } from "../../../src/services/notify/deliver.ts";
import { resend, sendTest } from "../../../src/services/notify/send-now.ts";
import { databaseWith, envWith, type Trip } from "../support/faulty-env.ts";
import { type Outcomes, outcomesOf, NOW } from "../support/outcomes.ts";
import { runCron } from "../support/run-cron.ts";
import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { heldDeliveries, MINUTE, newInbox, SHORT_MS } from "./delivering.ts";

let workspace: TestWorkspace;
let outcomes: Outcomes;
let account: number;
beforeEach(async () => {
  vi.setSystemTime(NOW);
  workspace = await newWorkspace();
  outcomes = await outcomesOf(workspace);
  account = (await outcomes.account("acme")).number;
  return () => vi.useRealTimers();
});

let occurrence = 0;
const newItem = async () => (await outcomes.item({ account, occurrence: (occurrence += 1) })).number;
const waiting = async (inbox: Awaited<ReturnType<typeof newInbox>>) =>
  (await inbox.outbox()).filter(({ nextAttemptAt }) => nextAttemptAt !== null).length;

describe("§23 at least once", () => {
  it.each([
    ["before the claim", 1, true, 1],
    ["before reading", 2, true, 1],
    ["between sending and recording", 3, true, 2],
    ["before the next claim", 4, false, 1],
    ["before releasing the destination", 5, false, 1],
    ["after the task", 6, false, 1],
  ])("a crash %s (trip %s) loses nothing, and repeats with the same id", async (_when, crashAt, isLeft, sent) => {
    const inbox = await newInbox(workspace);
    const id = await inbox.notify(await newItem());
    let trips = 0;
    const crash: Trip = (run) => ((trips += 1) >= crashAt ? Promise.reject(new Error("crashed")) : run());
    const [ended] = await Promise.allSettled([inbox.deliver(NOW, { DB: databaseWith(crash).DB })]);
    expect([ended.status, trips]).toEqual(crashAt === 6 ? ["fulfilled", 5] : ["rejected", crashAt]);
    expect(await waiting(inbox)).toBe(isLeft ? 1 : 0);
    await inbox.deliver(NOW + 3 * MINUTE);
    expect(await waiting(inbox)).toBe(0);
    expect(await inbox.verified()).toEqual({ [id]: sent });
    expect((await inbox.attempts()).map(({ outcome }) => outcome)).toEqual(["delivered"]);
  });

  it("an answer of the database that is lost records one attempt", async () => {
    const inbox = await newInbox(workspace);
    await inbox.notify(await newItem());
    let isLost = true;
    const lose: Trip = async (run, _number, statements = []) => {
      const result = await run();
      if (!isLost || !statements.some(({ sql }) => sql.includes('insert into "delivery_attempts"'))) return result;
      isLost = false;
      throw new Error("D1_ERROR: Network connection lost.");
    };
    await inbox.deliver(NOW, { DB: databaseWith(lose).DB });
    expect(isLost).toBe(false);
    expect(await inbox.attempts()).toHaveLength(1);
    expect(await waiting(inbox)).toBe(0);
  });

  it("tasks at once send each notification once", async () => {
    const inbox = await newInbox(workspace);
    const ids: string[] = [];
    for (let count = 0; count < 20; count += 1) ids.push(await inbox.notify(await newItem()));
    await Promise.all([inbox.deliver(NOW), inbox.deliver(NOW), inbox.deliver(NOW)]);
    expect(await inbox.verified()).toEqual(Object.fromEntries(ids.map((id) => [id, 1])));
  });

  it("a receiver that is down gets six requests a task, and the rest waits for the cron", async () => {
    const inbox = await newInbox(workspace);
    await inbox.answers(...Array.from({ length: 50 }, () => "silence" as const));
    for (let count = 0; count < 20; count += 1) await inbox.notify(await newItem());
    const queued = await inbox.deliver(NOW, {}, SHORT_MS);
    expect(await inbox.received()).toHaveLength(6);
    expect(queued.map(({ delaySeconds }) => delaySeconds >= 5)).toEqual([true]);
    expect(await waiting(inbox)).toBe(20);
  });

  it("a destination has one task at a time, and a task is followed by one at most", async () => {
    const inbox = await newInbox(workspace);
    for (let count = 0; count < 80; count += 1) await inbox.notify(await newItem());
    // One of six is refused, so that a task has both more to send and something to send again.
    await inbox.answers(...Array.from({ length: 80 }, (_, index) => (index % 6 === 0 ? 500 : 200)));
    const first = await inbox.deliver(NOW);
    expect(first).toHaveLength(1);
    await inbox.answers(...Array.from({ length: 20 }, () => "silence" as const));
    const running = inbox.deliver(NOW + MINUTE, {}, SHORT_MS);
    await vi.waitUntil(async () => (await inbox.stored())?.busyUntil !== null);
    const sent = (await inbox.received()).length;
    const { DELIVERIES, queued } = heldDeliveries();
    await runCron(NOW + MINUTE, { DELIVERIES });
    expect(queued.filter(({ body }) => body.workspace.id === workspace.id)).toEqual([]);
    expect(await inbox.deliver(NOW + MINUTE)).toEqual([]);
    expect((await inbox.received()).length).toBeLessThanOrEqual(sent + 6);
    await running;
    expect((await inbox.stored())?.busyUntil).toBeNull();
  });

  it("a receiver that stays down gets six requests for each run of the cron", async () => {
    const inbox = await newInbox(workspace);
    for (let count = 0; count < 30; count += 1) await inbox.notify(await newItem());
    await inbox.answers(...Array.from({ length: 50 }, () => 500 as const));
    const tasks = [(await inbox.deliver(NOW)).length];
    for (const minutes of [1, 6, 11]) tasks.push((await inbox.deliver(NOW + minutes * MINUTE)).length);
    // The first failure is retried soon; later ones wait for the cron.
    expect(tasks).toEqual([1, 0, 0, 0]);
    expect(await inbox.received()).toHaveLength(24);
  });
});

describe("§23 the cron", () => {
  it("queues a task for each destination with something due, in its own queue, and delays no recompute", async () => {
    const [first, second, idle] = [await newInbox(workspace), await newInbox(workspace), await newInbox(workspace)];
    await first.notify(await newItem());
    await first.notify(await newItem());
    await second.notify(await newItem());
    await idle.notify(await newItem(), { nextAttemptAt: NOW + 10 * MINUTE });
    const disabled = await newInbox(workspace, { disabledAt: NOW, disabledReason: "requested" });
    await disabled.notify(await newItem());
    const { DELIVERIES, queued } = heldDeliveries();
    expect(await runCron(NOW, { DELIVERIES })).toEqual({ failed: [] });
    const own = queued.filter(({ body }) => body.workspace.id === workspace.id).map(({ body }) => body);
    expect(own).toEqual([first.task, second.task]);
    // The receivers have no part in the run of the cron, which has recomputed.
    expect([await first.received(), await second.received()]).toEqual([[], []]);
  });

  it("ends with each destination's own task: a silent receiver keeps nothing from another", async () => {
    const [slow, quick] = [await newInbox(workspace), await newInbox(workspace)];
    await slow.answers("silence");
    await slow.notify(await newItem());
    const id = await quick.notify(await newItem());
    const late = slow.deliver(NOW, {}, SHORT_MS);
    await quick.deliver(NOW);
    expect(await quick.verified()).toEqual({ [id]: 1 });
    await late;
    expect(await slow.attempts()).toMatchObject([{ outcome: "timed_out" }]);
  });

  it("deletes notifications that ended 30 days ago, and no others", async () => {
    const inbox = await newInbox(workspace);
    const DAY = 24 * 60 * MINUTE;
    const hour = Math.ceil(NOW / (60 * MINUTE)) * 60 * MINUTE;
    await inbox.notify(1, { createdAt: hour - 31 * DAY, nextAttemptAt: null });
    const kept = [
      await inbox.notify(2, { createdAt: hour - 29 * DAY, nextAttemptAt: null }),
      await inbox.notify(3, { createdAt: hour - 31 * DAY, nextAttemptAt: hour + DAY }),
    ];
    await runCron(hour, heldDeliveries());
    expect((await inbox.outbox()).map(({ id }) => id)).toEqual(kept);
  });
});

describe("§23 what is gone", () => {
  it("an item that is gone ends its notification, and nothing is sent", async () => {
    const inbox = await newInbox(workspace);
    await inbox.notify(12_345);
    await inbox.notify(12_345, { type: "health.changed", change: "watch", detail: "healthy" });
    await inbox.deliver(NOW);
    expect([await inbox.received(), await inbox.attempts(), await waiting(inbox)]).toEqual([[], [], 0]);
  });

  it("a workspace that was erased gets nothing sent", async () => {
    const inbox = await newInbox(workspace);
    await inbox.notify(await newItem());
    await admin("DELETE", `/workspaces/${workspace.id}`);
    expect(await inbox.deliver(NOW)).toEqual([]);
    expect(await inbox.received()).toEqual([]);
  });

  it("a destination that was deleted during a request changes nothing of the one with its number", async () => {
    const inbox = await newInbox(workspace);
    await inbox.answers(410);
    await inbox.notify(await newItem());
    const ref = await workspace.ref();
    let next: Awaited<ReturnType<typeof newInbox>> | undefined;
    const replace: Trip = async (run, _number, statements = []) => {
      if (next === undefined && statements.some(({ sql }) => sql.includes('insert into "delivery_attempts"'))) {
        await deleteDestination(env, ref, inbox.id);
        next = await newInbox(workspace);
        await next.notify(await newItem(), { nextAttemptAt: NOW + MINUTE });
      }
      return run();
    };
    await inbox.deliver(NOW, { DB: databaseWith(replace).DB });
    expect(next?.number).toBe(inbox.number);
    expect(await next?.stored()).toMatchObject({ disabledAt: null, failingSince: null });
    expect(await next?.attempts()).toEqual([]);
    expect((await next?.outbox())?.map(({ nextAttemptAt }) => nextAttemptAt)).toEqual([NOW + MINUTE]);
    // A task of the deleted destination finds nothing either.
    await deliver(envWith(heldDeliveries()), inbox.task, NOW + 2 * MINUTE);
    expect(await next?.received()).toEqual([]);
  });
});

describe("§23 by hand", () => {
  it("a test is sent to any destination, also a disabled one, and recorded", async () => {
    const ref = await workspace.ref();
    const inbox = await newInbox(workspace, { disabledAt: NOW, disabledReason: "failing", failingSince: NOW });
    const attempt = await sendTest(env, ref, inbox.id, NOW);
    expect(attempt).toMatchObject({ type: "test", notification: null, status: 200, outcome: "delivered", at: NOW });
    const [request] = await inbox.received();
    expect(JSON.parse(request?.body ?? "")).toEqual({ type: "test", timestamp: new Date(NOW).toISOString(), data: {} });
    expect(await inbox.verified()).toEqual({ [attempt?.notificationId ?? ""]: 1 });
    expect(await inbox.attempts()).toEqual([attempt]);
    expect(await inbox.stored()).toMatchObject({ disabledReason: "failing", failingSince: null });
    expect(await sendTest(env, ref, "dst_unknown", NOW)).toBeNull();
  });

  it("a test that fails disables nothing", async () => {
    const inbox = await newInbox(workspace);
    await inbox.answers(410);
    expect(await sendTest(env, await workspace.ref(), inbox.id, NOW)).toMatchObject({
      status: 410,
      outcome: "refused",
    });
    expect(await inbox.stored()).toMatchObject({ disabledAt: null, failingSince: null });
  });

  it("a notification is sent again with its id, whether it was delivered, is waiting or was given up", async () => {
    const ref = await workspace.ref();
    const inbox = await newInbox(workspace);
    await inbox.answers(500);
    const id = await inbox.notify(await newItem());
    await inbox.deliver(NOW);
    const [failed] = await inbox.attempts();
    const again = await resend(env, ref, inbox.id, failed?.id ?? "", NOW + 1_000);
    expect(again).toMatchObject({ outcome: "sent", attempt: { notificationId: id, outcome: "delivered" } });
    expect(await waiting(inbox)).toBe(0);
    expect(await resend(env, ref, inbox.id, failed?.id ?? "", NOW + 2_000)).toMatchObject({ outcome: "sent" });
    expect(await inbox.verified()).toEqual({ [id]: 3 });
  });

  it("a test is sent anew, with a new id", async () => {
    const ref = await workspace.ref();
    const inbox = await newInbox(workspace);
    const attempt = await sendTest(env, ref, inbox.id, NOW);
    expect(await resend(env, ref, inbox.id, attempt?.id ?? "", NOW)).toMatchObject({ outcome: "sent" });
    expect(Object.values(await inbox.verified())).toEqual([1, 1]);
  });

  it("nothing unknown is sent", async () => {
    const ref = await workspace.ref();
    const inbox = await newInbox(workspace);
    const other = await newInbox(await newWorkspace());
    const attempt = await sendTest(env, ref, inbox.id, NOW);
    expect(await resend(env, ref, "dst_unknown", attempt?.id ?? "", NOW)).toEqual({ outcome: "no_destination" });
    expect(await resend(env, ref, other.id, attempt?.id ?? "", NOW)).toEqual({ outcome: "no_destination" });
    expect(await resend(env, ref, inbox.id, "att_unknown", NOW)).toEqual({ outcome: "no_attempt" });
    await inbox.notify(await newItem());
    await inbox.deliver(NOW);
    const [delivered] = await inbox.attempts();
    await inbox.forget(delivered?.notificationId ?? "");
    expect(await resend(env, ref, inbox.id, delivered?.id ?? "", NOW)).toEqual({ outcome: "no_notification" });
  });
});

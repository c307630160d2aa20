/** Deliveries to a real receiver that misbehaves, in virtual time. */
import { beforeEach, describe, expect, it, vi } from "vitest";

import { type Outcomes, outcomesOf, NOW } from "../support/outcomes.ts";
import { newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { type Inbox, MINUTE, newInbox, SHORT_MS } from "./delivering.ts";

const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

let workspace: TestWorkspace;
let outcomes: Outcomes;
let account: number;
beforeEach(async () => {
  vi.setSystemTime(NOW);
  workspace = await newWorkspace();
  outcomes = await outcomesOf(workspace);
  account = (await outcomes.account("acme", { attributes: { mrr: 490, currency: "EUR" } })).number;
  return () => vi.useRealTimers();
});

let occurrence = 0;
const newItem = async () => (await outcomes.item({ account, occurrence: (occurrence += 1) })).number;

/** Runs tasks as the cron and the queue do, until nothing waits. @returns when each began, after the first */
async function deliverAll(inbox: Inbox, from = NOW): Promise<number[]> {
  const times: number[] = [];
  for (let now = from; ;) {
    vi.setSystemTime(now);
    await inbox.deliver(now);
    times.push(now - from);
    const next = (await inbox.outbox()).flatMap(({ nextAttemptAt }) => nextAttemptAt ?? []);
    if (next.length === 0) return times;
    now = Math.max(now + 1, Math.min(...next));
  }
}

describe("§23 a notification is delivered", () => {
  it("once to a receiver that answers 2xx, with an attempt", async () => {
    const inbox = await newInbox(workspace);
    await inbox.answers(204);
    const id = await inbox.notify(await newItem());
    expect(await inbox.deliver(NOW)).toEqual([]);
    expect(await inbox.verified()).toEqual({ [id]: 1 });
    expect(await inbox.attempts()).toEqual([
      {
        id: expect.stringMatching(/^att_[0-9a-f]{24}$/),
        notification: expect.any(Number),
        notificationId: id,
        type: "inbox.opened",
        at: NOW,
        status: 204,
        outcome: "delivered",
      },
    ]);
    await inbox.deliver(NOW + DAY);
    expect(await inbox.verified()).toEqual({ [id]: 1 });
  });

  it("once to a receiver that answers 200 with a body that doesn't end", async () => {
    const inbox = await newInbox(workspace);
    await inbox.answers("drip");
    await inbox.notify(await newItem());
    expect(await inbox.deliver(NOW)).toEqual([]);
    expect(await inbox.attempts()).toMatchObject([{ status: 200, outcome: "delivered" }]);
  });

  it.each([
    ["silence", null, "timed_out"],
    ["hang_up", null, "unreachable"],
    [302, 302, "refused"],
    [400, 400, "refused"],
    [404, 404, "refused"],
    [500, 500, "refused"],
  ] as const)("after %s, with the same id and a valid signature", async (answer, status, outcome) => {
    const inbox = await newInbox(workspace);
    await inbox.answers(answer);
    const id = await inbox.notify(await newItem());
    const [again] = await inbox.deliver(NOW, {}, answer === "silence" ? SHORT_MS : undefined);
    expect(again).toMatchObject({ body: inbox.task });
    expect(again?.delaySeconds).toBeGreaterThanOrEqual(5);
    expect(again?.delaySeconds).toBeLessThanOrEqual(7);
    expect(await inbox.attempts()).toMatchObject([{ status, outcome }]);
    await deliverAll(inbox, NOW + 7_000);
    expect(await inbox.verified()).toEqual({ [id]: 2 });
    expect((await inbox.attempts()).map((each) => each.outcome)).toEqual(["delivered", outcome]);
  });

  it("to no other address than its own: a redirect isn't followed", async () => {
    const [inbox, other] = [await newInbox(workspace), await newInbox(workspace)];
    const location = String((await other.stored())?.shownUrl);
    await inbox.answers({ status: 307, headers: { location } });
    await inbox.notify(await newItem());
    await inbox.deliver(NOW);
    expect([await inbox.received(), await other.received()].map(({ length }) => length)).toEqual([1, 0]);
  });

  it("not before Retry-After", async () => {
    const inbox = await newInbox(workspace);
    await inbox.answers({ status: 429, headers: { "retry-after": "1800" } });
    const id = await inbox.notify(await newItem());
    expect(await inbox.deliver(NOW)).toEqual([]);
    await inbox.deliver(NOW + 29 * MINUTE);
    expect(await inbox.verified()).toEqual({ [id]: 1 });
    await inbox.deliver(NOW + 31 * MINUTE);
    expect(await inbox.verified()).toEqual({ [id]: 2 });
  });

  it("ten times at most, then given up, while others are delivered", async () => {
    const inbox = await newInbox(workspace);
    await inbox.answers(...Array.from({ length: 9 }, () => 500), 200);
    const id = await inbox.notify(await newItem());
    const times = await deliverAll(inbox);
    expect(await inbox.verified()).toEqual({ [id]: 10 });
    expect(times.at(-1)).toBeGreaterThan(3 * DAY);
    expect(await inbox.stored()).toMatchObject({ failingSince: null, disabledAt: null });
  });

  it("never without an outcome: 30 notifications, and a receiver that fails more often than not", async () => {
    const inbox = await newInbox(workspace);
    const answers = ["hang_up", 302, 429, 500, 503, 200, 200, 200] as const;
    await inbox.answers(...Array.from({ length: 100 }, (_, index) => answers[(index * 5) % answers.length] ?? 200));
    const ids: string[] = [];
    for (let count = 0; count < 30; count += 1) ids.push(await inbox.notify(await newItem()));
    await deliverAll(inbox);
    expect(Object.keys(await inbox.verified()).toSorted()).toEqual(ids.toSorted());
    const attempts = await inbox.attempts();
    expect(attempts.length).toBeGreaterThan(30);
    // The newest attempt for each notification is a delivery.
    const newest = ids.map((id) => attempts.find(({ notificationId }) => notificationId === id)?.outcome);
    expect(newest).toEqual(ids.map(() => "delivered"));
  });

  it("with the last 100 attempts of its destination kept, newest first", async () => {
    const inbox = await newInbox(workspace);
    const subject = await newItem();
    const ids: string[] = [];
    for (let day = 0; day < 103; day += 1) ids.push(await inbox.notify(subject, { day, nextAttemptAt: NOW + day }));
    await deliverAll(inbox, NOW + DAY);
    expect(await inbox.received()).toHaveLength(103);
    const kept = await inbox.attempts();
    expect(kept).toHaveLength(100);
    expect(new Set(kept.map(({ notificationId }) => notificationId)).size).toBe(100);
    expect(kept.at(0)?.notificationId).toBe(ids.at(-1));
  });
});

describe("§23 a destination is disabled", () => {
  it.each([
    ["webhook", 410, true],
    ["slack", 410, true],
    ["slack", 404, true],
    ["webhook", 404, false],
    ["teams", 404, false],
  ] as const)("%s after %s: %s", async (kind, status, isDisabled) => {
    const inbox = await newInbox(workspace, { kind });
    await inbox.answers(status);
    await inbox.notify(await newItem());
    const later = await inbox.notify(await newItem(), { nextAttemptAt: NOW + HOUR });
    await inbox.deliver(NOW);
    expect(await inbox.stored()).toMatchObject(
      isDisabled ? { disabledAt: NOW, disabledReason: "gone" } : { disabledAt: null, disabledReason: null },
    );
    const waiting = (await inbox.outbox()).filter(({ nextAttemptAt }) => nextAttemptAt !== null);
    expect(waiting.some(({ id }) => id === later)).toBe(!isDisabled);
    expect(waiting).toHaveLength(isDisabled ? 0 : 2);
  });

  it("after three days of nothing but failures, and then gets nothing", async () => {
    const inbox = await newInbox(workspace);
    await inbox.answers(...Array.from({ length: 50 }, () => 500));
    for (let count = 0; count < 2; count += 1) await inbox.notify(await newItem());
    await deliverAll(inbox);
    const stored = await inbox.stored();
    expect(stored).toMatchObject({ failingSince: NOW, disabledReason: "failing" });
    expect(Number(stored?.disabledAt) - NOW).toBeGreaterThanOrEqual(3 * DAY);
    const { length } = await inbox.received();
    await inbox.notify(await newItem(), { nextAttemptAt: NOW + 4 * DAY });
    await inbox.deliver(NOW + 5 * DAY);
    expect(await inbox.received()).toHaveLength(length);
  });

  it("not if anything was delivered in between", async () => {
    const inbox = await newInbox(workspace);
    await inbox.answers(500, 200, 500, 500);
    await inbox.notify(await newItem());
    await inbox.notify(await newItem(), { nextAttemptAt: NOW + 1_000 });
    await inbox.notify(await newItem(), { nextAttemptAt: NOW + 3 * DAY + HOUR });
    await inbox.deliver(NOW);
    await inbox.deliver(NOW + 1_000);
    expect(await inbox.stored()).toMatchObject({ failingSince: null });
    await inbox.deliver(NOW + 3 * DAY + HOUR);
    expect(await inbox.stored()).toMatchObject({ disabledAt: null, failingSince: NOW + 3 * DAY + HOUR });
  });
});

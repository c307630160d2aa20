/** What digests contain. */
import { beforeEach, describe, expect, it, vi } from "vitest";

import { type Outcomes, DAY, DAY_MS, NOW, outcomesOf, setRuns } from "../support/outcomes.ts";
import { runCron } from "../support/run-cron.ts";
import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { addItem, bodyOf, linesOf, type List } from "./bodies.ts";
import { heldDeliveries, newInbox } from "./delivering.ts";

let workspace: TestWorkspace;
let outcomes: Outcomes;
beforeEach(async () => {
  vi.setSystemTime(NOW);
  workspace = await newWorkspace();
  outcomes = await outcomesOf(workspace);
  return () => vi.useRealTimers();
});

/** Accounts in two currencies, and items of every list. */
async function fill() {
  await addItem(outcomes, "small", 10, "EUR", { openedDay: DAY });
  await addItem(outcomes, "large", 900, "JPY", { openedDay: DAY - 1 });
  await addItem(outcomes, "mid", 100, "EUR", { openedDay: DAY });
  await addItem(outcomes, "done", 5, "EUR", { openedDay: DAY - 9, resolvedDay: DAY, resolution: "recovered" });
  await addItem(outcomes, "gone", 5, "EUR", { openedDay: DAY, resolvedDay: DAY, resolution: "withdrawn" });
  await addItem(outcomes, "old", 5, "EUR", { openedDay: DAY - 9, severity: "low" });
  await addItem(outcomes, "renewal", 5, "EUR", { openedDay: DAY - 9, kind: "renewal_at_risk", subject: String(NOW) });
  await addItem(outcomes, "earlier", 5, "EUR", { openedDay: DAY - 9, resolvedDay: DAY - 5, resolution: "recovered" });
}

const names = (list: List) => [list.count, ...list.items.map(({ account }) => account.externalId)];

describe("§23 a digest", () => {
  const digest = { every: "day", at: "09:00" } as const;
  const due = { events: ["digest" as const], digest, digestDueAt: NOW, digestThrough: DAY - 2 };

  it("is queued once when it is due, with the days since the last one, and comes again at its time", async () => {
    const inbox = await newInbox(workspace, due);
    await admin("PATCH", `/workspaces/${workspace.id}`, { timezone: "Europe/Berlin" });
    await setRuns({ asOf: NOW - 1_000 });
    const { DELIVERIES, queued } = heldDeliveries();
    await runCron(NOW, { DELIVERIES });
    await runCron(NOW, { DELIVERIES });
    expect(await inbox.outbox()).toMatchObject([
      { type: "digest", day: DAY, change: String(DAY - 1), nextAttemptAt: NOW },
    ]);
    expect(queued.filter(({ body }) => body.destination.id === inbox.id).length).toBeGreaterThan(0);
    const stored = await inbox.stored();
    expect(stored?.digestThrough).toBe(DAY);
    // 06:00 UTC was the time of the sweep; the next 09:00 is on the same day.
    expect(Number(stored?.digestDueAt) - NOW).toBeGreaterThan(0);
    expect(Number(stored?.digestDueAt) - NOW).toBeLessThanOrEqual(DAY_MS);
  });

  it.each([
    ["no day was scored since", { digestThrough: DAY }],
    ["it isn't due yet", { digestDueAt: NOW + 1 }],
    ["the destination is disabled", { disabledAt: NOW, disabledReason: "requested" as const }],
  ])("is not queued if %s", async (_reason, change) => {
    const inbox = await newInbox(workspace, { ...due, ...change });
    await setRuns({ asOf: NOW - 1_000 });
    await runCron(NOW, heldDeliveries());
    expect(await inbox.outbox()).toEqual([]);
  });

  it("has what opened, resolved, is still open and is up for renewal, the largest MRR first", async () => {
    await fill();
    await admin("PATCH", `/workspaces/${workspace.id}`, { currency: "EUR", rates: { JPY: 0.006 } });
    const inbox = await newInbox(workspace, due);
    await inbox.notify(0, { type: "digest", day: DAY, change: String(DAY - 1) });
    const { type, data } = await bodyOf(inbox);
    expect([type, data.digest.from, data.digest.to]).toEqual(["digest", "2030-01-06", "2030-01-07"]);
    expect(names(data.digest.opened)).toEqual([3, "mid", "small", "large"]);
    expect(names(data.digest.resolved)).toEqual([1, "done"]);
    expect(names(data.digest.stillOpen)).toEqual([1, "old"]);
    expect(names(data.digest.renewalsAtRisk)).toEqual([1, "renewal"]);
    expect(data.digest.opened.items[0]).toMatchObject({ mrr: 100, currency: "EUR", title: "mid has gone silent" });
  });

  it.each([
    [{ minMrr: 100 }, [2, "large", "mid"], [0]],
    [{ minSeverity: "high" as const }, [3, "large", "mid", "small"], [0]],
    [{ kinds: ["renewal_at_risk" as const] }, [0], [0]],
    [{ owner: "Ann" }, [1, "mid"], [0]],
  ])("keeps to the filter %j", async (filter, opened, stillOpen) => {
    await fill();
    const inbox = await newInbox(workspace, { ...due, filter });
    await inbox.notify(0, { type: "digest", day: DAY, change: String(DAY - 1) });
    const { data } = await bodyOf(inbox);
    expect([names(data.digest.opened), names(data.digest.stillOpen)]).toEqual([opened, stillOpen]);
  });

  it.each([
    [100, ["fallen", "large", "mid"]],
    [2_740, ["fallen"]],
    [2_741, []],
  ])("compares the minimum MRR %i with that before a fall", async (minMrr, shown) => {
    await fill();
    const evidence = [{ code: "mrr", value: 50, expected: 2_740 }];
    await addItem(outcomes, "fallen", 50, "EUR", { kind: "contraction", subject: "mrr", openedDay: DAY, evidence });
    await addItem(outcomes, "seats", 50, "EUR", {
      kind: "contraction",
      subject: "seats",
      openedDay: DAY,
      evidence: [{ code: "seats", value: 50, expected: 9_000 }],
    });
    await admin("PATCH", `/workspaces/${workspace.id}`, { currency: "EUR", rates: { JPY: 1 } });
    const inbox = await newInbox(workspace, { ...due, filter: { minMrr } });
    await inbox.notify(0, { type: "digest", day: DAY, change: String(DAY - 1) });
    expect(names((await bodyOf(inbox)).data.digest.opened)).toEqual([shown.length, ...shown]);
  });

  it("says in Slack which workspace it is about, what is at risk, and risks before opportunities", async () => {
    await fill();
    await addItem(outcomes, "growing", 5_000, "EUR", { openedDay: DAY, kind: "usage_growth", severity: "low" });
    const short = { openedDay: DAY - 1, resolvedDay: DAY, resolution: "recovered" } as const;
    await addItem(outcomes, "short", 20, "EUR", short);
    const { number: renewing } = await outcomes.account("twice", { attributes: { mrr: 7, currency: "EUR" } });
    for (const kind of ["usage_drop", "health_dropped"] as const) await outcomes.item({ account: renewing, kind });
    const snoozed = await addItem(outcomes, "snoozed", 1_000, "EUR", { openedDay: DAY });
    await outcomes.mark(snoozed, { snoozedUntil: NOW + DAY_MS });
    const inbox = await newInbox(workspace, { ...due, kind: "slack" });
    await inbox.notify(0, { type: "digest", day: DAY, change: String(DAY - 1) });
    const body = await bodyOf(inbox);
    expect(body.text).toBe("Customer health of A workspace of a test, 6 Jan 2030 to 7 Jan 2030");
    expect(body.blocks.slice(1, 3).map(({ text }) => text?.text)).toEqual([
      "Opened: 5. Resolved: 2. Still open: 3. Renewals at risk: 1.",
      "MRR of accounts with open risks: 900 JPY, 127 EUR.",
    ]);
    expect(linesOf(body, "Opened (5)")).toEqual([
      "High: snoozed has gone silent · 1,000 EUR",
      "High: large has gone silent · 900 JPY",
      "High: mid has gone silent · 100 EUR · Ann",
      "High: small has gone silent · 10 EUR",
      "Low: Usage at growing grew · 5,000 EUR",
    ]);
    expect(linesOf(body, "Resolved (2)")).toEqual([
      "Gone silent, short · 20 EUR · The account recovered. Open since 6 Jan 2030.",
      "Gone silent, done · 5 EUR · The account recovered. Open since 29 Dec 2029.",
    ]);
  });

  it("lists no zeros in Slack", async () => {
    const inbox = await newInbox(workspace, { ...due, kind: "slack" });
    await addItem(outcomes, "old", 5, "EUR", { openedDay: DAY - 9 });
    await inbox.notify(0, { type: "digest", day: DAY, change: String(DAY - 1) });
    expect((await bodyOf(inbox)).blocks.slice(1).map(({ text }) => text?.text)).toEqual([
      "Still open: 1.",
      "MRR of accounts with open risks: 5 EUR.",
      "*Still open (1)*",
      "High: old has gone silent · 5 EUR",
    ]);
  });

  it("says in Slack that nothing is open", async () => {
    const inbox = await newInbox(workspace, { ...due, kind: "slack" });
    await inbox.notify(0, { type: "digest", day: DAY, change: String(DAY) });
    expect((await bodyOf(inbox)).blocks.slice(1).map(({ text }) => text?.text)).toEqual(["Nothing is open."]);
  });

  it("counts what it cuts, below 20 KB and in Slack", async () => {
    for (let count = 0; count < 60; count += 1) {
      const { number: account } = await outcomes.account(`account-${count}-${"x".repeat(200)}`);
      await outcomes.item({ account, kind: "gone_silent", openedDay: DAY });
    }
    const [webhook, slack] = [await newInbox(workspace, due), await newInbox(workspace, { ...due, kind: "slack" })];
    for (const inbox of [webhook, slack]) await inbox.notify(0, { type: "digest", day: DAY, change: String(DAY) });
    const { data } = await bodyOf(webhook);
    expect(data.digest.opened.count).toBe(60);
    expect(data.digest.opened.items.length).toBeGreaterThan(5);
    expect(JSON.stringify(data).length).toBeLessThan(20_000);
    const { blocks } = await bodyOf(slack);
    expect(blocks.at(-2)?.text?.text).toBe("*Opened (60)*");
    const rows = (blocks.at(-1)?.text?.text ?? "").split("\n");
    expect(rows.at(-1)).toBe(`and ${60 - (rows.length - 1)} more`);
  });
});

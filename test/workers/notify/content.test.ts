/** What receivers get: the API's objects, and messages for people. digest-content.test.ts has digests. */
import { beforeEach, describe, expect, it, vi } from "vitest";

import { describeReasons } from "../../../src/core/health/texts.ts";
import type { NotificationType } from "../../../src/core/notify/model.ts";
import type { Notification } from "../../../src/db/destinations/deliveries.ts";
import { DAY, NOW, type Outcomes, outcomesOf } from "../support/outcomes.ts";
import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { addItem, bodiesOf, bodyOf, linesOf, parse } from "./bodies.ts";
import { markOwner, newInbox } from "./delivering.ts";

let workspace: TestWorkspace;
let outcomes: Outcomes;
beforeEach(async () => {
  vi.setSystemTime(NOW);
  workspace = await newWorkspace();
  outcomes = await outcomesOf(workspace);
  return () => vi.useRealTimers();
});

type Sent = Partial<Notification> & { type: NotificationType };
const HEALTH: Sent = { type: "health.changed", change: "at_risk", detail: "watch" };

describe("§23 the payload of a webhook", () => {
  it("of an item is the item as the inbox has it", async () => {
    const { number: account } = await outcomes.account("acme");
    const { number, id } = await outcomes.item({
      account,
      kind: "gone_silent",
      evidence: [{ code: "gap_business_days", value: 9, expected: 5 }],
    });
    const inbox = await newInbox(workspace);
    await inbox.notify(number);
    const { body } = await workspace.get("/api/v1/inbox");
    expect(body.items).toMatchObject([{ id, title: "acme has gone silent" }]);
    expect(await bodiesOf(inbox)).toEqual([
      { type: "inbox.opened", timestamp: new Date(NOW).toISOString(), data: { item: Object(body.items)[0] } },
    ]);
  });

  it("of an account is the account as the list has it, with the change", async () => {
    const { number } = await outcomes.account("acme", {
      attributes: { mrr: 490, currency: "EUR" },
      health: { state: "at_risk", score: 31 },
    });
    const inbox = await newInbox(workspace);
    await inbox.notify(number, HEALTH);
    const { body } = await workspace.get("/api/v1/accounts");
    const change = { from: "watch", to: "at_risk", date: "2030-01-07" };
    expect(await bodiesOf(inbox)).toEqual([
      {
        type: "health.changed",
        timestamp: new Date(NOW).toISOString(),
        data: { account: Object(body.accounts)[0], change },
      },
    ]);
  });

  it("has identity traits only for a destination that asked for them, while the agreement is in force", async () => {
    const account = await outcomes.account("acme");
    const { number } = await outcomes.item({ account: account.number });
    await workspace.accept();
    await workspace.attach({ accountId: "acme", traits: { company: "Acme Corp" } });
    const [named, plain] = [await newInbox(workspace, { includeIdentity: true }), await newInbox(workspace)];
    for (const inbox of [named, plain]) {
      await inbox.notify(number);
      await inbox.notify(account.number, HEALTH);
    }
    const found = (await bodiesOf(named)).map(({ data }) => data.identity ?? data.account?.identity);
    expect(found).toEqual([{ company: "Acme Corp" }, { company: "Acme Corp" }]);
    expect(JSON.stringify(await bodiesOf(plain))).not.toContain("Acme Corp");
    await workspace.withdraw();
    await named.notify(number, { day: DAY - 1 });
    expect(JSON.stringify((await bodiesOf(named))[2])).not.toContain("Acme Corp");
  });

  it("names no erased person", async () => {
    const { number: account } = await outcomes.account("acme");
    const user = await outcomes.user("ann@acme.example", account);
    const { number } = await outcomes.item({ account, kind: "key_user_quiet", subject: String(user.number) });
    const inbox = await newInbox(workspace);
    await inbox.notify(number);
    await workspace.erase("ann@acme.example");
    const body = await bodyOf(inbox);
    expect(JSON.stringify(body)).not.toContain("ann@");
    expect(body.data.item.subject).toEqual({ type: "user", id: null, externalId: null });
  });

  it("stays below 20 KB: texts and lists are cut, and the rest is valid", async () => {
    const { number } = await outcomes.account("acme", { attributes: { plan: '"😀'.repeat(8_000) } });
    const inbox = await newInbox(workspace);
    await inbox.notify(number, HEALTH);
    await inbox.deliver(NOW);
    const [request] = await inbox.received();
    expect(new TextEncoder().encode(request?.body).length).toBeLessThan(20_000);
    const { data } = parse(request?.body ?? "");
    expect(data.account).toMatchObject({ externalId: "acme", kind: "company" });
    expect(data.account?.attributes.plan.length).toBeGreaterThan(900);
  });
});

describe("§23 a message for people", () => {
  it("says who, what changed, since when, MRR and owner, with a link to the item", async () => {
    const { number: account } = await outcomes.account("acme", { attributes: { mrr: 490, currency: "EUR" } });
    const evidence = [{ code: "gap_business_days", value: 9, expected: 5 }];
    const { number, id } = await outcomes.item({ account, kind: "gone_silent", evidence });
    await markOwner(account, "Ann");
    const inbox = await newInbox(workspace, { kind: "slack" });
    await inbox.notify(number);
    const body = await bodyOf(inbox, { PUBLIC_URL: "https://events.example.com/" });
    expect(body.text).toBe("acme has gone silent");
    const fields = body.blocks.flatMap(({ fields: each = [] }) => each.map(({ text }) => text));
    expect(fields).toEqual(["Severity\nHigh", "Since\n4 Jan 2030", "MRR\n490 EUR", "Owner\nAnn"]);
    expect(body.blocks[1]?.text?.text).toBe("No activity for 9 business days (silent after 5).");
    expect(body.blocks[2]?.text?.text).toMatch(/^What to do: Get in touch/);
    const link = `https://events.example.com/console/w/${workspace.id}/inbox?show=${id}`;
    expect(body.blocks.at(-1)?.text?.text).toBe(`<${link}|Open in the console>`);
  });

  it("has no signature, and no link if the service doesn't know its address", async () => {
    const { number } = await outcomes.account("acme");
    const inbox = await newInbox(workspace, { kind: "teams" });
    await inbox.notify(number, HEALTH);
    const content = (await bodyOf(inbox)).attachments[0]?.content;
    expect(content?.body[0]?.text).toBe("The health of acme changed from Watch to At risk");
    expect(content).not.toHaveProperty("actions");
    const [request] = await inbox.received();
    expect(Object.keys(request?.headers ?? {}).filter((name) => name.startsWith("webhook-"))).toEqual([]);
  });

  it("about a resolved item says that it is over, why, and since when it was open", async () => {
    const { number: account } = await outcomes.account("acme");
    const resolved = { account, resolvedDay: DAY, resolution: "recovered" } as const;
    const silent = await outcomes.item({ ...resolved, kind: "gone_silent" });
    const outage = await outcomes.item({ ...resolved, account: 0, kind: "tracking_stopped" });
    const inbox = await newInbox(workspace, { kind: "slack" });
    for (const { number } of [silent, outage]) await inbox.notify(number, { type: "inbox.resolved" });
    expect((await bodiesOf(inbox)).map(({ text, blocks }) => [text, blocks[1]?.text?.text])).toEqual([
      ["Resolved: Gone silent, acme", "The account recovered. Open since 4 Jan 2030."],
      ["Resolved: No events arriving", "Events are arriving again. Open since 4 Jan 2030."],
    ]);
  });

  it("about lost MRR has its currency", async () => {
    const { number: account } = await outcomes.account("acme", { attributes: { mrr: 500, currency: "EUR" } });
    const evidence = [{ code: "mrr", value: 500, expected: 2_740 }];
    const { number } = await outcomes.item({ account, kind: "contraction", subject: "mrr", evidence });
    const inbox = await newInbox(workspace, { kind: "slack" });
    await inbox.notify(number);
    const { text, blocks } = await bodyOf(inbox);
    expect(text).toBe("acme reduced its MRR from 2,740 to 500 EUR");
    expect(blocks[1]?.text?.text).toBe("MRR of 500 EUR, down from 2,740 EUR, the most in 30 days.");
  });

  it("about health has the first reason, unless the state has changed since, and leads to the account", async () => {
    const reasons = [
      { kind: "cap", code: "silent", points: 20, observed: 9, expected: 5, window: { from: DAY - 9, to: DAY } },
    ] as const;
    const { number, id } = await outcomes.account("acme", { health: { state: "at_risk", score: 31, reasons } });
    const inbox = await newInbox(workspace, { kind: "slack" });
    for (const change of ["at_risk", "watch"]) await inbox.notify(number, { ...HEALTH, detail: "healthy", change });
    const [current, past] = await bodiesOf(inbox, { PUBLIC_URL: "https://events.example.com" });
    expect(current?.text).toBe("The health of acme changed from Healthy to At risk");
    expect(current?.blocks[1]?.text?.text).toBe(describeReasons(reasons)[0]);
    expect(past?.blocks[1]).toHaveProperty("fields");
    const link = `https://events.example.com/console/w/${workspace.id}/accounts/${id}`;
    expect(current?.blocks.at(-1)?.text?.text).toBe(`<${link}|Open in the console>`);
  });

  it("of a test names the service and the workspace, and leads to the destination", async () => {
    const inbox = await newInbox(workspace, { kind: "slack" });
    await inbox.notify(0, { type: "test" });
    const { text, blocks } = await bodyOf(inbox, { PUBLIC_URL: "https://events.example.com" });
    expect(text).toBe("Test from Behavior Ingest");
    expect(blocks[1]?.text?.text).toBe("Notifications about A workspace of a test arrive here.");
    const link = `https://events.example.com/console/w/${workspace.id}/settings/destinations/${inbox.id}`;
    expect(blocks.at(-1)?.text?.text).toBe(`<${link}|Open in the console>`);
  });

  it("eleven due messages become one summary, ten don't, and a webhook gets all", async () => {
    const items: number[] = [];
    for (let count = 0; count < 11; count += 1) {
      const { number: account } = await outcomes.account(`account-${count}`, { attributes: { mrr: count } });
      items.push((await outcomes.item({ account, kind: "gone_silent" })).number);
    }
    const [many, webhook] = [await newInbox(workspace, { kind: "slack" }), await newInbox(workspace)];
    for (const item of items) for (const inbox of [many, webhook]) await inbox.notify(item);
    const bodies = await bodiesOf(many);
    expect(bodies.map(({ text }) => text)).toEqual(["11 changes in A workspace of a test"]);
    expect(linesOf(bodies[0], "Opened (11)").slice(0, 2)).toEqual([
      "High: account-10 has gone silent · 10",
      "High: account-9 has gone silent · 9",
    ]);
    expect((await many.attempts()).map(({ type }) => type)).toEqual(["summary"]);
    expect(new Set(await bodiesOf(webhook)).size).toBe(11);
    expect((await many.outbox()).filter(({ nextAttemptAt }) => nextAttemptAt !== null)).toEqual([]);
  });

  it("sorts a summary's groups by MRR with the workspace's rates, and says what is resolved once", async () => {
    await admin("PATCH", `/workspaces/${workspace.id}`, { currency: "EUR", rates: { JPY: 0.006 } });
    const inbox = await newInbox(workspace, { kind: "slack" });
    // The first accounts and the first items have the same numbers.
    for (const mrr of [1, 3, 2, 0]) {
      const attributes = { mrr, currency: "EUR" };
      await inbox.notify((await outcomes.account(`health-${mrr}`, { attributes })).number, HEALTH);
    }
    const opened = [await addItem(outcomes, "yen", 900, "JPY", {}), await addItem(outcomes, "mid", 100, "EUR", {})];
    const evidence = [{ code: "mrr", value: 0, expected: 2_740 }];
    opened.push(await addItem(outcomes, "fallen", 0, "EUR", { kind: "contraction", subject: "mrr", evidence }));
    for (const { number } of opened) await inbox.notify(number);
    for (const mrr of [1, 3, 2, 0]) {
      const resolved = { resolvedDay: DAY, resolution: "recovered" } as const;
      const { number } = await addItem(outcomes, `resolved-${mrr}`, mrr, "EUR", resolved);
      await inbox.notify(number, { type: "inbox.resolved" });
    }
    const body = await bodyOf(inbox);
    expect(body.text).toBe("11 changes in A workspace of a test");
    expect(linesOf(body, "Opened (3)")).toEqual([
      "High: fallen reduced its MRR from 2,740 to 0 EUR · 0 EUR",
      "High: mid has gone silent · 100 EUR · Ann",
      "High: yen has gone silent · 900 JPY",
    ]);
    expect(linesOf(body, "Resolved (4)")).toEqual(
      [3, 2, 1, 0].map(
        (mrr) => `Gone silent, resolved-${mrr} · ${mrr} EUR · The account recovered. Open since 4 Jan 2030.`,
      ),
    );
    expect(linesOf(body, "Health (4)")).toEqual(
      [3, 2, 1, 0].map((mrr) => `The health of health-${mrr} changed from Watch to At risk · ${mrr} EUR`),
    );
  });

  it("goes out one at a time, with a pause of a second after each", async () => {
    const { number } = await outcomes.account("acme");
    const [slack, webhook] = [await newInbox(workspace, { kind: "slack" }), await newInbox(workspace)];
    for (const inbox of [slack, webhook])
      for (const day of [DAY, DAY - 1]) await inbox.notify(number, { ...HEALTH, day });
    const timers = vi.spyOn(globalThis, "setTimeout");
    const pauses = () => timers.mock.calls.filter(([, ms]) => ms === 1_000).length;
    await webhook.deliver(NOW);
    expect(pauses()).toBe(0);
    await slack.deliver(NOW);
    expect([pauses(), (await slack.received()).length]).toEqual([2, 2]);
    timers.mockRestore();
  });
});

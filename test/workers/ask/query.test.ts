/** §16: queries over HTTP. */
import { beforeAll, describe, expect, it, vi } from "vitest";

import { databaseWith, envWith, sendWith } from "../support/faulty-env.ts";
import type { Answer } from "../support/send.ts";
import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { daysAgo, NOW, tellThreeAccounts } from "./three-accounts.ts";

let workspace: TestWorkspace;
async function beginWorkspace(): Promise<void> {
  vi.setSystemTime(NOW);
  workspace = await newWorkspace({ writeLimit: 100_000 });
}
async function tell(): Promise<void> {
  await beginWorkspace();
  await tellThreeAccounts(workspace);
}

const query = (body: unknown): Promise<Answer> => workspace.postJson("/api/v1/query", body);

const day = (days: number) => daysAgo(days).slice(0, 10);

const oldEvent = (days: number) => ({
  type: "track",
  userId: "u",
  event: "Old",
  timestamp: daysAgo(days),
  properties: { accountId: "a" },
});

const about = (dimension: string, is: string) => ({ find: "events", where: [{ dimension, is }], show: "count" });

describe("§16 the answer to a query", () => {
  it.each([
    ["before the fold", false, false],
    ["after the fold", true, false],
    ["when all messages are archived", true, true],
  ])("§16 is the same %s", async (_, isFolded, isArchived) => {
    await tell();
    if (isFolded) await admin("POST", "/recompute");
    if (isArchived) await admin("POST", `/workspaces/${workspace.id}/archive`, { through: "2030-01-09" });
    expect((await workspace.get("/api/v1/events")).body.events).toHaveLength(isArchived ? 0 : 5);
    const business = { find: "accounts", where: [{ dimension: "plan", is: "business" }] };
    expect(await query({ ...business, show: "count" })).toMatchObject({
      status: 200,
      body: {
        ok: true,
        knows: true,
        answer: "2 of 3 accounts are on the business plan.",
        value: 2,
        interpretation: { restated: "How many accounts are on the business plan?", subject: null },
        query: { ...business, show: "count" },
      },
    });
    expect((await query({ ...business, show: "value", measure: "mrr" })).body).toMatchObject({
      value: [
        { currency: "EUR", mrr: 400 },
        { currency: "USD", mrr: 100 },
      ],
    });
    const exporters = { dimension: "event", is: "report.exported", window: { last: 7, unit: "day" } };
    expect((await query({ find: "users", where: [exporters], show: "list", measure: "events" })).body).toMatchObject({
      value: [{ externalId: "u1", events: 3 }],
    });
    const travel = { dimension: "account.industry", is: "TRAVEL" };
    expect(
      (await query({ find: "accounts", where: [travel], show: "list", order: { by: "mrr", direction: "up" } })).body,
    ).toMatchObject({
      // Euros before dollars: each currency is ranked separately.
      value: [{ externalId: "acme" }, { externalId: "globex" }],
    });
    const ends = { dimension: "contract_ends", within: { next: 90, unit: "day" } };
    expect((await query({ find: "accounts", where: [ends], show: "yes_no" })).body).toMatchObject({ value: true });
    const acme = { dimension: "account", is: "acme" };
    expect((await query({ find: "accounts", where: [acme], show: "value", measure: "plan" })).body).toMatchObject({
      answer: expect.stringContaining("Business"),
      interpretation: { subject: { type: "account", externalId: "acme", matchedBy: "external_id" } },
    });
    expect((await query({ find: "accounts", where: [acme], show: "summary" })).body).toMatchObject({ knows: true });
    const events = { find: "events", show: "count", window: { last: 90, unit: "day" } };
    expect((await query(events)).body).toMatchObject({
      answer: expect.stringContaining("since records began"),
      value: 5,
    });
    expect((await query({ ...events, compare: { to: "before" } })).body).toMatchObject({
      detail: "There is no data before 30 November 2029, so this comparison is impossible.",
    });
  });

  it("§16 doesn't count messages older than the history, neither before nor after the fold", async () => {
    await beginWorkspace();
    const events = { find: "events", where: [], measure: "events" };
    const refused = [
      { ...events, show: "value", window: { from: day(900), to: day(900) } },
      { ...events, show: "yes_no", window: { from: day(1_200), to: day(810) } },
      { ...events, show: "count", window: { from: day(900), to: day(801) } },
      {
        find: "accounts",
        where: [{ dimension: "events", over: 0, window: { from: day(900), to: day(850) } }],
        show: "count",
      },
      { ...events, show: "value", window: { this: "month" }, compare: { to: { from: day(900), to: day(893) } } },
    ];
    const check = async (last: number) => {
      for (const each of refused)
        expect((await query(each)).body, JSON.stringify(each)).toMatchObject({
          knows: false,
          reason: "no_data_in_window",
        });
      const straddling = { from: day(1_200), to: day(last) };
      expect((await query({ ...events, show: "value", window: straddling })).body).toMatchObject({ value: 1 });
      const ask = { question: `How many events were there on ${day(900)}?` };
      expect((await workspace.postJson("/api/v1/ask", ask)).body).toMatchObject({
        reason: "no_data_in_window",
      });
    };
    await workspace.post("/api/v1/cdp", { batch: [900, 899].map(oldEvent) });
    expect((await query(refused[0])).body).toMatchObject({ knows: false, reason: "no_data_in_window" });
    await workspace.post("/api/v1/cdp", { batch: [oldEvent(700)] });
    await check(700);
    await admin("POST", "/recompute");
    await check(700);
    // A later import of the same day isn't deleted before tomorrow's run.
    await workspace.post("/api/v1/cdp", { batch: [900, 801].map(oldEvent) });
    await check(690);
    await admin("POST", "/recompute");
    await check(690);
  });
});

describe("§16 a query", () => {
  beforeAll(tell);

  it("§16 counts features, and sorts users and accounts by the account's id", async () => {
    expect((await query({ find: "features", show: "count" })).body).toMatchObject({
      answer: "There are 2 features.",
      value: 2,
    });
    const order = { by: "account", direction: "down" };
    expect((await query({ find: "users", show: "list", order })).body).toMatchObject({
      value: [{ externalId: "u3" }, { externalId: "u2" }, { externalId: "u1" }],
    });
    expect((await query({ find: "accounts", show: "list", order, limit: 1 })).body).toMatchObject({
      value: [{ externalId: "initech" }],
    });
    const features = { find: "features", show: "list", order };
    expect((await query(features)).body.error?.issues).toMatchObject([{ path: "order.by" }]);
  });

  it("§16 says which name is unknown, and why a value is absent", async () => {
    expect((await query(about("account", "acne"))).body).toMatchObject({ knows: false, reason: "no_such_subject" });
    expect((await query(about("event", "report.deleted"))).body).toMatchObject({
      knows: false,
      reason: "no_such_event",
    });
    const score = { find: "accounts", where: [{ dimension: "account", is: "acme" }], show: "value", measure: "score" };
    expect((await query(score)).body).toMatchObject({ knows: false, answer: null });
  });

  it("§16 rejects fields and values that the schema or the dimensions don't have, and names the field", async () => {
    const cases: [unknown, string][] = [
      [{ find: "companies", show: "list" }, "find"],
      [{ find: "accounts", show: "list", sort: "mrr" }, "sort"],
      [{ find: "accounts", show: "list", where: [{ dimension: "account.mood", is: "good" }] }, "where.0.dimension"],
      [{ find: "accounts", show: "list", where: [{ dimension: "seats", over: "ten" }] }, "where.0.over"],
      [{ find: "accounts", show: "list", where: [{ dimension: "seats" }] }, "where.0"],
      [{ find: "accounts", show: "list", window: { from: "2029-02-01", to: "2029-01-01" } }, "window"],
      [{ find: "accounts", show: "list", window: { last: 900, unit: "day" } }, "window.last"],
      [{ find: "items", show: "why" }, "show"],
      [
        { find: "accounts", show: "list", where: [{ dimension: "stage", is: "active", after: "trial" }] },
        "where.0.after",
      ],
      [
        { find: "accounts", show: "list", where: [{ dimension: "stage", became: "active", after: "x" }] },
        "where.0.after",
      ],
      [
        { find: "accounts", show: "list", where: [{ dimension: "stage", became: "trial", after: "trial" }] },
        "where.0.after",
      ],
      [
        { find: "accounts", show: "list", where: [{ dimension: "health", became: "watch", first: true }] },
        "where.0.first",
      ],
      [{ find: "accounts", show: "list", where: [{ dimension: "seats", newly: 5 }] }, "where.0.newly"],
      [{ find: "accounts", show: "list", measure: "mrr_lost", with: ["mrr"] }, "measure"],
      [{ find: "accounts", show: "list", measure: "events", with: ["mrr_lost"] }, "measure"],
    ];
    for (const [body, path] of cases) {
      const { status, body: response } = await query(body);
      expect([status, response.error?.issues?.[0]?.path], path).toEqual([400, path]);
    }
  });

  it("§16 takes two round trips", async () => {
    const { DB, trips } = databaseWith((run) => run());
    const list = { find: "accounts", show: "list" };
    const { status } = await sendWith(envWith({ DB }), "POST", "/api/v1/query", list, {
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${workspace.key}` },
    });
    expect([status, trips()]).toEqual([200, 2]);
  });
});

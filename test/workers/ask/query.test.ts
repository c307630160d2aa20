/** §16: queries and dimensions over HTTP. */
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { z } from "zod";

import { MAX_TRAIT_DIMENSIONS } from "../../../src/core/ask/query/dimensions.ts";
import { databaseWith, envWith, sendWith } from "../support/faulty-env.ts";
import type { Answer } from "../support/send.ts";
import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const NOW = Date.UTC(2030, 0, 9, 12);
const JSON_TYPE = { "Content-Type": "application/json" };

let workspace: TestWorkspace;
beforeEach(async () => {
  vi.setSystemTime(NOW);
  workspace = await newWorkspace({ writeLimit: 100_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

const query = (body: unknown): Promise<Answer> => workspace.post("/api/v1/query", body, { headers: JSON_TYPE });

/** A word of letters for each number. */
const wordFor = (number: number) => Array.from(String(number), (digit) => "qabxkwejvz"[Number(digit)]).join("");

/** Four users, each with as many traits as a message may have. */
const flood = (round: number) =>
  Array.from({ length: 4 }, (_, place) => ({
    type: "identify",
    userId: `flood ${round} ${place}`,
    traits: Object.fromEntries(
      Array.from({ length: 256 }, (_each, key) => [`${wordFor(round)} ${wordFor(4 * key + place)}`, `v${place}`]),
    ),
  }));

const DAYS_AGO = (days: number) => new Date(NOW - days * 86_400_000).toISOString();

/** How many accounts meet a filter. */
const countOf = async (filter: object) =>
  (await query({ find: "accounts", where: [filter], show: "count" })).body["value"];

const day = (days: number) => DAYS_AGO(days).slice(0, 10);

const oldEvent = (days: number) => ({
  type: "track",
  userId: "u",
  event: "Old",
  timestamp: DAYS_AGO(days),
  properties: { accountId: "a" },
});

/** Three accounts on two plans, with users, traits and events. */
async function tell(): Promise<void> {
  const group = (groupId: string, userId: string, traits: Record<string, unknown>) => ({
    type: "group",
    groupId,
    userId,
    timestamp: DAYS_AGO(20),
    traits,
  });
  const track = (userId: string, event: string, days: number) => ({
    type: "track",
    userId,
    event,
    timestamp: DAYS_AGO(days),
  });
  const { status } = await workspace.post("/api/v1/cdp", {
    batch: [
      group("acme", "u1", {
        plan: "Business",
        seats: 10,
        mrr: 400,
        currency: "EUR",
        industry: "Travel",
        contractEndsOn: "2030-03-01",
        onboardedOn: "2029-12-01",
      }),
      group("globex", "u2", {
        plan: "Business",
        seats: 4,
        mrr: 100,
        currency: "USD",
        industry: "travel",
        isPartner: true,
      }),
      group("initech", "u3", { plan: "Team", seats: 2, mrr: 50, currency: "USD", stage: "trial", headcount: 12 }),
      { type: "identify", userId: "u1", timestamp: DAYS_AGO(20), traits: { role: "admin" } },
      ...[1, 2, 3].map((days) => track("u1", "Report Exported", days)),
      track("u2", "Report Viewed", 2),
      track("u3", "Report Viewed", 40),
    ],
  });
  expect(status).toBe(200);
}

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

  it("§16 counts features, and sorts users and accounts by the account's id", async () => {
    await tell();
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
    await tell();
    expect((await query(about("account", "acne"))).body).toMatchObject({ knows: false, reason: "no_such_subject" });
    expect((await query(about("event", "report.deleted"))).body).toMatchObject({
      knows: false,
      reason: "no_such_event",
    });
    const score = { find: "accounts", where: [{ dimension: "account", is: "acme" }], show: "value", measure: "score" };
    expect((await query(score)).body).toMatchObject({ knows: false, answer: null });
  });

  it("§16 rejects fields and values that the schema or the dimensions don't have, and names the field", async () => {
    await tell();
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

  it("§16 doesn't count messages older than the history, neither before nor after the fold", async () => {
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
      { ...events, show: "value", window: { this: "month" }, compare: { to: { from: day(900), to: day(850) } } },
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
      expect((await workspace.post("/api/v1/ask", ask, { headers: JSON_TYPE })).body).toMatchObject({
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

  it("§16 takes two round trips", async () => {
    await tell();
    const { DB, trips } = databaseWith((run) => run());
    const list = { find: "accounts", show: "list" };
    const { status } = await sendWith(envWith({ DB }), "POST", "/api/v1/query", list, {
      headers: { ...JSON_TYPE, Authorization: `Bearer ${workspace.key}` },
    });
    expect([status, trips()]).toEqual([200, 2]);
  });
});

describe("§16 dimensions", () => {
  it("§16 are typed by the values that senders stored, from the moment they are stored", async () => {
    await tell();
    const { body } = await workspace.get("/api/v1/dimensions");
    expect(body["dimensions"]).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ name: "plan", type: "text", values: ["Business", "Team"], hasHistory: true }),
        expect.objectContaining({ name: "account.industry", type: "text", values: ["Travel", "travel"] }),
        expect.objectContaining({ name: "contract_ends", type: "date" }),
        expect.objectContaining({ name: "account.onboardedOn", type: "date" }),
        expect.objectContaining({ name: "account.isPartner", type: "boolean" }),
        expect.objectContaining({ name: "account.headcount", type: "number" }),
        expect.objectContaining({ name: "user.role", type: "text", values: ["admin"] }),
      ]),
    );
    const before = body["dimensions"];
    await admin("POST", "/recompute");
    expect((await workspace.get("/api/v1/dimensions")).body["dimensions"]).toEqual(before);
  });

  it("§16 keep their type when a few values have another type, which count as unknown", async () => {
    const typed = {
      employees: [100, 200, 300, "", "n/a"],
      beta: [true, false, false, " ", "yes"],
      since: ["2029-01-01", "2029-06-01", "2029-12-01", "", 1_798_761_600],
    };
    const sent = [0, 1, 2, 3, 4].map((at) => ({
      type: "group",
      groupId: `a${at}`,
      traits: Object.fromEntries(Object.entries(typed).map(([key, values]) => [key, values[at]])),
    }));
    await workspace.post("/api/v1/cdp", { batch: sent });
    for (const isFolded of [false, true]) {
      if (isFolded) await admin("POST", "/recompute");
      expect(await countOf({ dimension: "account.employees", over: 150 })).toBe(2);
      expect(await countOf({ dimension: "account.employees", isUnknown: true })).toBe(2);
      expect(await countOf({ dimension: "account.beta", is: false })).toBe(2);
      expect(await countOf({ dimension: "account.beta", isUnknown: true })).toBe(2);
      expect(await countOf({ dimension: "account.since", from: "2029-02-01" })).toBe(2);
      expect(await countOf({ dimension: "account.since", isUnknown: true })).toBe(2);
    }
  });

  it("§16 are the same before and after the fold, of a workspace with too many of them, and known ones stay", async () => {
    await tell();
    await admin("POST", "/recompute");
    const listed = async () => {
      const { body } = await workspace.get("/api/v1/dimensions");
      return z.object({ dimensions: z.array(z.object({ name: z.string() })) }).parse(body).dimensions;
    };
    await workspace.post("/api/v1/cdp", { batch: flood(0) });
    const inTail = await listed();
    const traits = inTail.map(({ name }) => name).filter((name) => name.includes("."));
    expect(traits).toHaveLength(MAX_TRAIT_DIMENSIONS);
    expect(traits).toEqual(expect.arrayContaining(["account.industry", "account.headcount", "user.role"]));
    expect(
      (await workspace.post("/api/v1/ask", { question: "How many users?" }, { headers: JSON_TYPE })).body,
    ).toMatchObject({
      answer: "There are 7 users.",
    });
    await admin("POST", "/recompute");
    expect(await listed()).toEqual(inTail);
    await workspace.post("/api/v1/cdp", { batch: flood(1) });
    expect(await listed()).toEqual(inTail);
    await admin("POST", "/recompute");
    expect(await listed()).toEqual(inTail);
  });

  it("§16 lose the values that only an erased user had", async () => {
    await tell();
    await admin("POST", "/recompute");
    await workspace.post("/api/v1/users/erase", { userId: "u1" }, { headers: JSON_TYPE });
    const { text } = await workspace.get("/api/v1/dimensions");
    expect(text).not.toContain("user.role");
    expect(text).toContain("account.industry");
  });
});

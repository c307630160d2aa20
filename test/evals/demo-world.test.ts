/**
 * Checks the world of `npm run demo` through the rules themselves. Outcomes depend on the weekday of the first run and on
 * nothing else of the date, so several weekdays are tried.
 */
import { createHash } from "node:crypto";

import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { type Message, messagesOf } from "../../evals/demo-world/messages.ts";
import type { Fate } from "../../evals/demo-world/fates.ts";
import { happeningsOf, storiesFrom } from "../../evals/demo-world/story.ts";
import { openService, recomputeAfter, type Service, store } from "../../evals/health/service.ts";
import { ItemLog, readHealth } from "../../evals/health/read-outcomes.ts";
import { startOf } from "../../evals/simulator/calendar.ts";
import { MAX_BATCH_BYTES } from "../../src/config.ts";
import { MAX_BATCH_MESSAGES } from "../../src/core/ingest/cdp-body.ts";

const MONDAY = 322;
/** Monday, Thursday and Saturday: the week before looks most different from these. */
const FIRST_DAYS = [MONDAY, MONDAY + 3, MONDAY + 5];

/** The SHA-256 of all messages, so that what was measured on the demo stays comparable. */
const DIGEST = "5faa7fb19a5447dd5755a20797e7d554ece42d61238e22ae7fac578e9af59428";

const messagesUntil = (first: number, until: number): Message[] => {
  const stories = storiesFrom(first);
  return messagesOf(stories, happeningsOf(stories, first, until), until);
};

describe("the demo's messages", () => {
  const messages = messagesUntil(MONDAY, MONDAY);
  const times = messages.map(({ timestamp }) => Date.parse(timestamp));

  it("never change", () => {
    expect(createHash("sha256").update(JSON.stringify(messages)).digest("hex")).toBe(DIGEST);
  });

  it("have unique message ids", () => {
    expect(new Set(messages.map(({ messageId }) => messageId)).size).toBe(messages.length);
  });

  it("grow with each day, and earlier ones stay the same", () => {
    const before = new Set(messages.map((message) => JSON.stringify(message)));
    const later = messagesUntil(MONDAY, MONDAY + 5);
    const [known, added] = [later.slice(0, messages.length), later.slice(messages.length)];
    expect(known.every((message) => before.has(JSON.stringify(message)))).toBe(true);
    expect(added.length).toBeGreaterThan(1_000);
    expect(added.every(({ timestamp }) => Date.parse(timestamp) >= startOf(MONDAY))).toBe(true);
  });

  it("cover ninety days up to the end of yesterday, in order", () => {
    expect(times).toEqual(times.toSorted((one, other) => one - other));
    expect(times[0]).toBeGreaterThanOrEqual(startOf(MONDAY - 90));
    expect(times.at(-1)).toBeLessThan(startOf(MONDAY));
    expect(times.at(-1)).toBeGreaterThan(startOf(MONDAY - 1) + 12 * 3_600_000);
  });

  it("are fewer than 100,000, in batches that the service accepts", () => {
    expect(messages.length).toBeLessThan(100_000);
    for (let first = 0; first < messages.length; first += MAX_BATCH_MESSAGES) {
      const body = JSON.stringify({ batch: messages.slice(first, first + MAX_BATCH_MESSAGES) });
      expect(Buffer.byteLength(body)).toBeLessThan(MAX_BATCH_BYTES);
    }
  });

  it("come from sixty companies that pay from 50 to 12,000", () => {
    const stories = storiesFrom(MONDAY);
    expect(new Set(stories.map(({ company }) => company.id)).size).toBe(60);
    const prices = stories.flatMap(({ plan }) => plan.traits.flatMap(({ traits }) => traits["mrr"] ?? []));
    expect(Math.min(...prices.map(Number))).toBeGreaterThanOrEqual(50);
    expect(Math.max(...prices.map(Number))).toBeLessThanOrEqual(12_000);
    expect(Math.max(...prices.map(Number))).toBeGreaterThan(5_000);
  });
});

describe.each(FIRST_DAYS)("outcomes of a demo that is first run on day %i", (today) => {
  let service: Service;
  const states = new Map<string, string>();
  const open: string[] = [];
  const withRisk = new Set<string>();
  const fates = new Map<string, Fate>(storiesFrom(today).map(({ company }) => [company.id, company.fate]));

  beforeAll(async () => {
    service = await openService();
    const watch = new ItemLog(service);
    const messages = messagesUntil(today, today);
    for (let first = 0; first < messages.length; first += MAX_BATCH_MESSAGES) {
      await store(service, messages.slice(first, first + MAX_BATCH_MESSAGES), startOf(today));
    }
    await recomputeAfter(service, today - 1);
    for (const [account, rows] of await readHealth(service)) states.set(account, rows.at(-1)?.state ?? "");
    await watch.read(today - 1);
    for (const { account, kind, resolvedDay } of watch.seen) {
      if (resolvedDay === null && account !== null && kind !== "renewal_at_risk") withRisk.add(account);
      if (resolvedDay === null) open.push(`${fates.get(account ?? "") ?? ""}: ${kind}`);
    }
  });
  afterAll(() => service.database.close());

  const statesOf = (fate: Fate): string[] =>
    [...fates].filter(([, known]) => known === fate).map(([account]) => states.get(account) ?? "");

  it("are a believable mix of states", () => {
    const counts = Map.groupBy(states.values(), (state) => state);
    const count = (state: string): number => counts.get(state)?.length ?? 0;
    expect(count("healthy")).toBeGreaterThanOrEqual(33);
    expect(count("healthy")).toBeLessThanOrEqual(40);
    expect(count("watch")).toBeGreaterThanOrEqual(10);
    expect(count("at_risk")).toBeGreaterThanOrEqual(6);
    expect(count("churned")).toBe(2);
    expect(count("insufficient_data")).toBe(1);
  });

  it("open the items that each fate is made for, and few others", () => {
    expect(open).toEqual(
      expect.arrayContaining([
        "sudden_drop: usage_drop",
        "gone_silent: gone_silent",
        "long_silent: gone_silent",
        "contraction: contraction",
        "fizzled_trial: trial_ending_low_activity",
        "ready_trial: trial_ending_ready",
        "feature_dropped: feature_dropped",
        "fast_riser: usage_growth",
        "full_house: seats_nearly_full",
      ]),
    );
    const others = open.filter((item) => !item.endsWith("renewal_at_risk"));
    expect(others.length).toBeLessThanOrEqual(16);
    expect(open.length - others.length).toBeGreaterThanOrEqual(3);
    expect(open.length - others.length).toBeLessThanOrEqual(9);
  });

  it("include an item about each account at risk, and contracts that end", async () => {
    const forgotten = [...states].filter(([account, state]) => state === "at_risk" && !withRisk.has(account));
    expect(forgotten).toEqual([]);
    const { results } = await service.env.DB.prepare(
      "SELECT count(*) AS count FROM accounts WHERE attributes ->> '$.contractEndsAt[0]' IS NOT NULL",
    ).all();
    expect(results).toEqual([{ count: 55 }]);
  });

  it("match each fate", () => {
    for (const fate of ["gone_silent", "long_silent", "sudden_drop", "faded"] as const) {
      expect(statesOf(fate), fate).toEqual(statesOf(fate).map(() => "at_risk"));
    }
    for (const fate of ["grower", "fast_riser", "full_house", "adopter", "always_on", "converted_trial"] as const) {
      expect(statesOf(fate), fate).toEqual(statesOf(fate).map(() => "healthy"));
    }
    expect([...statesOf("churned"), ...statesOf("lost_trial")]).toEqual(["churned", "churned"]);
  });
});

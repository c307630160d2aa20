/** What an answer says of a time before anything was recorded: nothing is known of it, and so it is told. */
import { describe, expect, it } from "vitest";

import type { Facts, Freshness, Plan } from "../../../../src/core/ask/model.ts";
import {
  ACME,
  account,
  accountFacts,
  ask,
  BEFORE_28,
  DAY_MS,
  DEFAULT_28,
  DISCLOSED,
  evidenceOf,
  EXPORTED,
  featureFacts,
  gist,
  LAST_28,
  portfolioFacts,
  row,
  TODAY,
  use,
  user,
  userFacts,
  W,
} from "./support.ts";

const window = LAST_28;
const ofAcme = { subject: "account", account: ACME } as const;
const ofUser = { subject: "user", user: user("u1") } as const;
const ofAll = { subject: "portfolio" } as const;
const says = (plan: Plan, facts: Facts, freshness: Partial<Freshness>) => gist(ask(plan, facts, freshness))[0];
const NOTE = "No event was recorded before 1 Nov 2026.";
/** 1 November 2026. */
const FIRST = TODAY - 20;

describe("§15.3 a window that begins before the first event", () => {
  const plan = { ...ofAcme, measure: "event_count", window } as const;
  const facts = accountFacts({ uses: [use({ events: 5 })] });

  it("§15.3 is answered, saying from when on there are records", () => {
    const answer = ask(plan, facts, { firstDay: FIRST });
    expect(gist(answer)).toEqual([`"acme" had 5 events ${W}. ${NOTE}`, 5]);
    expect(answer.knows && answer.evidence[1]).toMatchObject({
      kind: "event",
      measure: "recorded_since",
      value: "2026-11-01",
    });
    const usual = ask({ ...plan, window: DEFAULT_28 }, facts, { firstDay: FIRST });
    expect(gist(usual)[0]).toBe(`"acme" had 5 events ${W} ${DISCLOSED}. ${NOTE}`);
    expect(evidenceOf(usual)).toEqual(["events: 5", "window_days: 28", "recorded_since: 2026-11-01"]);
  });

  it.each([
    ["on its first day", window.from, false],
    ["on its second day", window.from + 1, true],
    ["on its last day", window.to, true],
    ["after it", window.to + 1, false],
    ["never", null, false],
  ])("§15.3 is one whose records begin inside it: %s", (_when, firstDay, isTold) => {
    const answer = ask(plan, facts, { firstDay });
    expect(String(gist(answer)[0]).includes("No event was recorded before")).toBe(isTold);
    expect(evidenceOf(answer).some((text) => text.startsWith("recorded_since"))).toBe(isTold);
  });

  it("§15.3 is told of for each subject", () => {
    const some = { accounts: [row("a", { events: [1, 0] })] };
    const early = { firstDay: FIRST };
    expect(says({ ...ofUser, measure: "active_days", window }, userFacts({ uses: [use()] }), early)).toBe(
      `"u1" had 0 active days ${W}. ${NOTE}`,
    );
    const used: Plan = { subject: "feature", feature: EXPORTED, measure: "accounts", window };
    expect(says(used, featureFacts([{}]), early)).toBe(`No account used "report.exported" ${W}. ${NOTE}`);
    expect(says({ ...ofAll, measure: "event_count", window }, portfolioFacts(some), early)).toBe(
      `There was 1 event ${W}. ${NOTE}`,
    );
    const both: Plan = { ...ofAcme, measure: "compare_accounts", metric: "events", other: account("beta"), window };
    expect(says(both, accountFacts({ uses: [use(), use()] }), early)).toBe(
      `"acme" had 0 events and "beta" 0 events ${W}: both the same. ${NOTE}`,
    );
  });

  it("§15.3 is one of two that are compared, and begins early where the other does not", () => {
    const stopped: Plan = { subject: "feature", feature: EXPORTED, measure: "stopped", window, before: BEFORE_28 };
    expect(says(stopped, featureFacts([{}, {}]), { firstDay: window.from - 1 })).toMatch(
      / stopped using it .*\. No event was recorded before 24 Oct 2026\.$/,
    );
  });

  it("§15.3 makes no difference to what counts no events", () => {
    const trials: Plan = { ...ofAll, measure: "trials_ending", window };
    expect(says(trials, portfolioFacts(), { firstDay: FIRST })).toBe(`No trial ends ${W}.`);
    const seats: Plan = { ...ofAcme, measure: "compare_accounts", metric: "seats", other: account("beta"), window };
    const attributes = [{ seats: 1 }, { seats: 1 }];
    expect(says(seats, accountFacts({ attributes }), { firstDay: FIRST })).toBe(
      `"acme" has 1 seat and "beta" 1 seat: both the same.`,
    );
    expect(says({ ...ofAcme, measure: "last_seen" }, accountFacts(), { firstDay: FIRST })).toBe(
      `There has been no event of "acme" yet.`,
    );
  });

  it("§15.7 says nothing beside a refusal", () => {
    const trend: Plan = { ...ofAcme, measure: "trend", window, before: BEFORE_28 };
    expect(gist(ask(trend, accountFacts({ uses: [use(), use()] }), { firstDay: FIRST }))).toEqual([
      "insufficient_history",
      `What is known of "acme" does not reach back to 2026-09-27.`,
    ]);
  });
});

const since = (day: number, firstDay: number | null) =>
  ask({ ...ofAcme, measure: "since" }, accountFacts({ firstSeenAt: day * DAY_MS }), { firstDay });

describe("§15.5 since when an account is known", () => {
  it("§15.5 is the first message that named it", () => {
    const answer = since(FIRST, FIRST - 1);
    expect(gist(answer)).toEqual([`"acme" has been known since 1 Nov 2026.`, "2026-11-01T00:00:00.000Z"]);
    expect(evidenceOf(answer)).toEqual(["since: 2026-11-01T00:00:00.000Z"]);
    expect(gist(since(FIRST, null))[0]).toBe(`"acme" has been known since 1 Nov 2026.`);
  });

  it("§15.5 is told as the least there is where recording began with it", () => {
    const answer = since(FIRST, FIRST);
    expect(gist(answer)).toEqual([
      `"acme" has been known since at least 1 Nov 2026, when recording began.`,
      "2026-11-01T00:00:00.000Z",
    ]);
    expect(evidenceOf(answer)).toEqual(["since: 2026-11-01T00:00:00.000Z"]);
    const late = accountFacts({ firstSeenAt: (FIRST + 1) * DAY_MS - 1 });
    expect(says({ ...ofAcme, measure: "since" }, late, { firstDay: FIRST })).toMatch(/, when recording began\.$/);
  });
});

const first = (day: number | null, firstDay: number | null) =>
  ask({ ...ofUser, measure: "first_seen" }, userFacts({ firstDay: day }), { firstDay });

describe("§15.5 when a user was first seen", () => {
  it("§15.5 may be the day on which recording began", () => {
    expect(gist(first(FIRST, FIRST))).toEqual([
      `"u1" was first seen on 1 Nov 2026, when recording began.`,
      "2026-11-01",
    ]);
    expect(evidenceOf(first(FIRST, FIRST))).toEqual(["first_seen: 2026-11-01"]);
    expect(gist(first(FIRST, FIRST - 1))).toEqual([`"u1" was first seen on 1 Nov 2026.`, "2026-11-01"]);
    expect(gist(first(FIRST, null))[0]).toBe(`"u1" was first seen on 1 Nov 2026.`);
    expect(gist(first(null, FIRST))[0]).toBe(`There has been no event of "u1" yet.`);
  });
});

const came = (name: string, day: number) => row(name, { firstSeenAt: day * DAY_MS + 1 });

const fresh = (firstDay: number | null, ...days: number[]) =>
  ask(
    { ...ofAll, measure: "new_accounts", window },
    portfolioFacts({ accounts: days.map((day, index) => came(`a${index}`, day)) }),
    { firstDay },
  );

describe("§15.5 new accounts", () => {
  it("§15.5 may be older where they were there from the start", () => {
    const answer = fresh(FIRST, FIRST, FIRST + 1);
    expect(gist(answer)[0]).toBe(
      `2 accounts were new ${W}: "a1" (since 2 Nov 2026), "a0" (since 1 Nov 2026). ` +
        `Of them 1 account may be older: it was there when recording began.`,
    );
    expect(evidenceOf(answer)).toEqual([
      "new_accounts: 2",
      "account: a1",
      "since: 2026-11-02T00:00:00.001Z",
      "account: a0",
      "since: 2026-11-01T00:00:00.001Z",
      "there_from_the_start: 1",
    ]);
    expect(gist(fresh(FIRST, FIRST, FIRST, FIRST + 1))[0]).toMatch(
      / Of them 2 accounts may be older: they were there when recording began\.$/,
    );
    expect(gist(fresh(FIRST, FIRST))[0]).toMatch(/\. It may be older: it was there when recording began\.$/);
    expect(gist(fresh(FIRST, FIRST, FIRST))[0]).toMatch(/\. All of them may be older: they were there /);
    // A message may come before the first event: then it was there before.
    expect(gist(fresh(FIRST, FIRST - 1))[0]).toMatch(/\(since 31 Oct 2026\)\.$/);
  });

  it("§15.5 are new without doubt where recording had begun before", () => {
    expect(gist(fresh(window.from - 1, FIRST))[0]).toBe(`1 account was new ${W}: "a0" (since 1 Nov 2026).`);
    expect(gist(fresh(null, FIRST))[0]).toBe(`1 account was new ${W}: "a0" (since 1 Nov 2026).`);
    // Those from the start are not asked for where the window begins later.
    expect(gist(fresh(window.from - 1, window.from - 1))).toEqual([`No account was new ${W}.`, []]);
    expect(gist(fresh(FIRST, FIRST + 1))[0]).toBe(`1 account was new ${W}: "a0" (since 2 Nov 2026).`);
  });
});

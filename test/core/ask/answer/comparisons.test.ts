import { describe, expect, it } from "vitest";

import {
  ACME,
  accountFacts,
  ask,
  B,
  BEFORE_28,
  crowd,
  evidenceOf,
  EXPORTED,
  gist,
  LAST_28,
  TODAY,
  use,
  W,
  DAY_MS,
  account,
} from "./support.ts";

const of = { subject: "account", account: ACME } as const;
const window = LAST_28;

const eventsOf = (now: number, before: number) =>
  accountFacts({ uses: [use({ events: now }), use({ events: before })] });

const usedOften = (count: number) => use({ events: 99, features: [{ feature: EXPORTED, events: count }] });

describe("§15.5 one time against another", () => {
  const both = { ...of, window, before: BEFORE_28 };
  const trend = (now: number, before: number) => ask({ ...both, measure: "trend" }, eventsOf(now, before));

  it("§15.5 says both figures, which way it goes and by how much", () => {
    expect(gist(trend(120, 150))).toEqual([
      `"acme" had 120 events ${W} and 150 events ${B}: down by 30, or 20%.`,
      "down",
    ]);
    expect(gist(trend(4, 3))).toEqual([`"acme" had 4 events ${W} and 3 events ${B}: up by 1, or 33.3%.`, "up"]);
    expect(gist(trend(7, 7))).toEqual([`"acme" had 7 events ${W} and 7 events ${B}: unchanged.`, "unchanged"]);
    expect(evidenceOf(trend(120, 150))).toEqual(["events: 120", "events: 150", "decrease: 30", "decrease_percent: 20"]);
  });

  it("§15.5 says no percentage of nothing, nor one that is next to none", () => {
    expect(gist(trend(5, 0))[0]).toBe(`"acme" had 5 events ${W} and 0 events ${B}: up by 5.`);
    expect(gist(trend(9_999, 10_000))[0]).toBe(`"acme" had 9,999 events ${W} and 10,000 events ${B}: down by 1.`);
  });

  it("§15.5 follows a feature", () => {
    const answer = ask(
      { ...both, measure: "trend", feature: EXPORTED },
      accountFacts({ uses: [usedOften(2), usedOften(1)] }),
    );
    expect(gist(answer)[0]).toBe(
      `"acme" had 2 "report.exported" events ${W} and 1 "report.exported" event ${B}: up by 1, or 100%.`,
    );
  });

  it("§15.5 compares windows by each figure", () => {
    const facts = accountFacts({
      uses: [use({ events: 5, activeDays: 3, users: crowd(2) }), use({ events: 4, activeDays: 3, users: crowd(1) })],
    });
    const compare = (metric: "events" | "active_users" | "active_days") =>
      gist(ask({ ...both, measure: "compare_windows", metric }, facts));
    expect(compare("active_users")).toEqual([
      `"acme" had 2 active users ${W} and 1 active user ${B}: up by 1, or 100%.`,
      [
        { from: "2026-10-25", to: "2026-11-21", active_users: 2 },
        { from: "2026-09-27", to: "2026-10-24", active_users: 1 },
      ],
    ]);
    expect(compare("active_days")[0]).toBe(`"acme" had 3 active days ${W} and 3 active days ${B}: unchanged.`);
    expect(compare("events")[0]).toBe(`"acme" had 5 events ${W} and 4 events ${B}: up by 1, or 25%.`);
  });

  it("§15.5 says so where the one time is longer than the other", () => {
    const facts = eventsOf(21, 31);
    const october = { from: TODAY - 51, to: TODAY - 21, phrase: "October" };
    const asked = { ...both, window: { from: TODAY - 20, to: TODAY, phrase: "this month" }, before: october };
    const answer = ask({ ...asked, measure: "compare_windows", metric: "events" }, facts);
    expect(gist(answer)[0]).toBe(
      `"acme" had 21 events from 1 Nov to 21 Nov 2026 and 31 events from 1 Oct to 31 Oct 2026: ` +
        "down by 10, or 32.3%. That is 21 days against 31.",
    );
    expect(evidenceOf(answer).slice(-2)).toEqual(["days: 21", "days: 31"]);
    const today = { from: TODAY, to: TODAY, phrase: "today" };
    expect(gist(ask({ ...asked, window: today, measure: "trend" }, facts))[0]).toMatch(/ That is 1 day against 31\.$/);
    expect(gist(ask({ ...asked, before: { ...october, to: october.from }, measure: "trend" }, facts))[0]).toMatch(
      / That is 21 days against 1\.$/,
    );
    const asLong = { ...october, to: october.from + 20 };
    expect(gist(ask({ ...asked, before: asLong, measure: "trend" }, facts))[0]).not.toMatch(/That is/);
  });

  it("§15.7 compares with no time from before the account or the first event", () => {
    const young = { ...eventsOf(1, 0), firstSeenAt: (BEFORE_28.from + 1) * DAY_MS };
    const detail = `What is known of "acme" does not reach back to 2026-09-27.`;
    expect(gist(ask({ ...both, measure: "trend" }, young))).toEqual(["insufficient_history", detail]);
    expect(gist(ask({ ...both, measure: "compare_windows", metric: "events" }, young))).toEqual([
      "insufficient_history",
      detail,
    ]);
    const dayOld = { ...eventsOf(1, 0), firstSeenAt: (BEFORE_28.from + 1) * DAY_MS - 1 };
    expect(ask({ ...both, measure: "trend" }, dayOld).knows).toBe(true);
    expect(gist(ask({ ...both, measure: "trend" }, eventsOf(1, 0), { firstDay: BEFORE_28.from + 1 }))[0]).toBe(
      "insufficient_history",
    );
    expect(gist(ask({ ...both, measure: "trend" }, eventsOf(1, 0), { firstDay: null }))[0]).toBe(
      "insufficient_history",
    );
  });
});

describe("§15.5 two accounts", () => {
  const other = account("beta", "Beta Inc");
  const plan = { ...of, measure: "compare_accounts", other, window } as const;
  const facts = accountFacts({
    uses: [use({ events: 120, activeDays: 3, users: crowd(1) }), use({ events: 80, activeDays: 3, users: crowd(4) })],
  });

  it("§15.5 are compared in one window", () => {
    const answer = ask({ ...plan, metric: "events" }, facts);
    expect(gist(answer)).toEqual([
      `"acme" had 120 events and "Beta Inc" ("beta") 80 events ${W}: 40 more for "acme".`,
      [
        { id: "account:acme", externalId: "acme", events: 120 },
        { id: "account:beta", externalId: "beta", name: "Beta Inc", events: 80 },
      ],
    ]);
    expect(evidenceOf(answer)).toContain("difference: 40");
    expect(gist(ask({ ...plan, metric: "active_users" }, facts))[0]).toBe(
      `"acme" had 1 active user and "Beta Inc" ("beta") 4 active users ${W}: 3 more for "Beta Inc" ("beta").`,
    );
    expect(gist(ask({ ...plan, metric: "active_days" }, facts))[0]).toBe(
      `"acme" had 3 active days and "Beta Inc" ("beta") 3 active days ${W}: both the same.`,
    );
  });

  it("§15.5 are compared by one event name", () => {
    const narrow = accountFacts({ uses: [usedOften(1), usedOften(0)] });
    expect(gist(ask({ ...plan, metric: "events", feature: EXPORTED }, narrow))[0]).toBe(
      `"acme" had 1 "report.exported" event and "Beta Inc" ("beta") 0 "report.exported" events ${W}: 1 more for "acme".`,
    );
  });
});

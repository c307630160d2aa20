import { describe, expect, it } from "vitest";

import type { PortfolioPlan } from "../../../../src/core/ask/model.ts";
import {
  ask,
  BEFORE_28,
  BEFORE_DATES,
  DAY_MS,
  DEFAULT_28,
  DISCLOSED,
  evidenceOf,
  EXPORTED,
  feature,
  gist,
  LAST_28,
  portfolioFacts,
  row,
  TODAY,
  W,
} from "./support.ts";

const of = { subject: "portfolio" } as const;
const window = LAST_28;
const before = BEFORE_28;
const did = (name: string, ...events: number[]) => row(name, { events });
const about = (plan: PortfolioPlan, ...facts: Parameters<typeof portfolioFacts>) =>
  gist(ask(plan, portfolioFacts(...facts)));
const some = { accounts: [did("c", 3), did("never", 0), did("a", 3), did("acme", 42)] };

describe("§15.5 what all accounts did", () => {
  it("§15.5 counts accounts, users and events", () => {
    expect(about({ ...of, measure: "active_accounts", window }, some)).toEqual([`3 accounts were active ${W}.`, 3]);
    expect(about({ ...of, measure: "active_accounts", window }, { accounts: [did("a", 1)] })).toEqual([
      `1 account was active ${W}.`,
      1,
    ]);
    expect(about({ ...of, measure: "active_users", window: DEFAULT_28 }, { activeUsers: 1 })).toEqual([
      `1 user was active ${W} ${DISCLOSED}.`,
      1,
    ]);
    expect(about({ ...of, measure: "active_users", window })).toEqual([`No user was active ${W}.`, 0]);
    expect(about({ ...of, measure: "active_accounts", window })).toEqual([`No account was active ${W}.`, 0]);
    expect(about({ ...of, measure: "event_count", window })).toEqual([`There were 0 events ${W}.`, 0]);
    expect(about({ ...of, measure: "event_count", window }, some)).toEqual([`There were 48 events ${W}.`, 48]);
    expect(about({ ...of, measure: "event_count", window }, { accounts: [did("a", 1)] })[0]).toBe(
      `There was 1 event ${W}.`,
    );
  });

  it("§15.3 calls a day that nobody asked for the last full one", () => {
    const yesterday = { from: TODAY - 1, to: TODAY - 1, phrase: null };
    const answer = ask({ ...of, measure: "active_users", window: yesterday }, portfolioFacts({ activeUsers: 2 }));
    expect(gist(answer)[0]).toBe("2 users were active on 20 Nov 2026 (the last full day, as no time was given).");
    expect(evidenceOf(answer)).toEqual(["active_users: 2", "window_days: 1"]);
    const asked = { ...yesterday, phrase: "yesterday" };
    expect(about({ ...of, measure: "active_users", window: asked }, { activeUsers: 1 })[0]).toBe(
      "1 user was active on 20 Nov 2026.",
    );
  });

  it("§15.5 counts events of accounts that are none any more", () => {
    const features = [
      { feature: EXPORTED, events: 40, accounts: 1 },
      { feature: feature("x"), events: 9, accounts: 1 },
    ];
    expect(about({ ...of, measure: "event_count", window }, { ...some, features })[1]).toBe(49);
  });

  it("§15.5 lists the active ones, the most events first", () => {
    expect(about({ ...of, measure: "active_account_list", window }, some)[0]).toBe(
      `3 accounts were active ${W}: "acme" (42 events), "a" (3 events), "c" (3 events).`,
    );
    expect(about({ ...of, measure: "active_account_list", window })).toEqual([`No account was active ${W}.`, []]);
  });

  it("§15.5 ranks features", () => {
    const features = [
      { feature: feature("b"), events: 5, accounts: 1 },
      { feature: feature("unused"), events: 0, accounts: 0 },
      { feature: EXPORTED, events: 9, accounts: 3 },
      { feature: feature("a"), events: 5, accounts: 2 },
    ];
    expect(about({ ...of, measure: "top_features", limit: 2, window }, { features })).toEqual([
      `The 2 features with the most events ${W}: "report.exported" (9 events of 3 accounts), "a" (5 events of 2 accounts). 1 other had as many.`,
      [
        { feature: "report.exported", events: 9, accounts: 3 },
        { feature: "a", events: 5, accounts: 2 },
      ],
    ]);
    expect(about({ ...of, measure: "top_features", limit: 2, window })).toEqual([`No feature was used ${W}.`, []]);
  });
});

describe("§15.5 the accounts with the most", () => {
  it("§15.5 events", () => {
    expect(about({ ...of, measure: "top", by: "activity", limit: 2, window }, some)).toEqual([
      `The 2 accounts with the most events ${W}: "acme" (42 events), "a" (3 events). 1 other had as many.`,
      [
        { id: "account:acme", externalId: "acme", events: 42 },
        { id: "account:a", externalId: "a", events: 3 },
      ],
    ]);
    expect(about({ ...of, measure: "top", by: "activity", limit: 1, window }, some)[0]).toMatch(/^The account with/);
    expect(about({ ...of, measure: "top", by: "activity", limit: 2, window })).toEqual([
      `No account was active ${W}.`,
      [],
    ]);
  });

  it("§15.8 names as many as were asked for, beyond ten too", () => {
    const accounts = Array.from({ length: 30 }, (_, index) => did(`a${index + 10}`, 100 - index));
    const [says] = about({ ...of, measure: "top", by: "activity", limit: 12, window }, { accounts });
    expect(says).toMatch(/^The 12 accounts .*, "a21" \(89 events\)\.$/);
  });

  const moved = {
    accounts: [
      did("same", 5, 5),
      did("up10", 15, 5),
      did("up10more", 30, 20),
      did("new", 10, 0),
      did("up1", 1, 0),
      did("down", 1, 9),
    ],
  };

  it("§15.5 growth, the same by the more events", () => {
    const answer = ask({ ...of, measure: "top", by: "growth", limit: 3, window, before }, portfolioFacts(moved));
    expect(gist(answer)).toEqual([
      `The 3 accounts whose events grew the most ${W}, compared with ${BEFORE_DATES}: ` +
        `"up10more" (30 events after 20, up by 10, or 50%), "up10" (15 events after 5, up by 10, or 200%), ` +
        `"new" (10 events after 0, up by 10).`,
      [
        { id: "account:up10more", externalId: "up10more", events: 30, before: 20, difference: 10 },
        { id: "account:up10", externalId: "up10", events: 15, before: 5, difference: 10 },
        { id: "account:new", externalId: "new", events: 10, before: 0, difference: 10 },
      ],
    ]);
    expect(evidenceOf(answer)).toContain("increase_percent: 200");
  });

  it("§15.5 decline, and only that", () => {
    expect(about({ ...of, measure: "top", by: "decline", limit: 3, window, before }, moved)[0]).toBe(
      `The account whose events declined the most ${W}, compared with ${BEFORE_DATES}: "down" (1 event after 9, down by 8, or 88.9%).`,
    );
    expect(about({ ...of, measure: "top", by: "decline", limit: 3, window, before })).toEqual([
      `The events of no account declined ${W}, compared with ${BEFORE_DATES}.`,
      [],
    ]);
    expect(about({ ...of, measure: "top", by: "growth", limit: 3, window, before })[0]).toBe(
      `The events of no account grew ${W}, compared with ${BEFORE_DATES}.`,
    );
  });

  it("§15.5 growth from one day to the next", () => {
    const today = { from: TODAY, to: TODAY, phrase: "today" };
    const yesterday = { from: TODAY - 1, to: TODAY - 1, phrase: "today" };
    const plan = { ...of, measure: "top", by: "growth", limit: 1, window: today, before: yesterday } as const;
    expect(about(plan, { accounts: [did("acme", 2, 1)] })[0]).toBe(
      "The account whose events grew the most on 21 Nov 2026, compared with 20 Nov 2026: " +
        `"acme" (2 events after 1, up by 1, or 100%).`,
    );
  });

  it("§15.7 no growth against a time before the first event", () => {
    const plan = { ...of, measure: "top", by: "growth", limit: 3, window, before } as const;
    expect(gist(ask(plan, portfolioFacts(moved), { firstDay: before.from + 1 }))).toEqual([
      "insufficient_history",
      "What is known does not reach back to 2026-09-27.",
    ]);
    expect(gist(ask(plan, portfolioFacts(moved), { firstDay: null }))[0]).toBe("insufficient_history");
  });
});

const seen = (name: string, day: number) => row(name, { lastEventAt: day * DAY_MS });

describe("§15.5 the accounts that are silent", () => {
  it("§15.5 had events, and none since, the longest silence first", () => {
    const since = { from: TODAY - 14, to: TODAY, phrase: "since 7 Nov" };
    const accounts = [seen("b", TODAY - 15), seen("on", TODAY - 14), row("never"), seen("a", TODAY - 40)];
    expect(about({ ...of, measure: "silent_since", window: since }, { accounts })).toEqual([
      `2 accounts have had no event since 7 Nov 2026: "a" (last seen on 12 Oct 2026), "b" (last seen on 6 Nov 2026).`,
      [
        { id: "account:a", externalId: "a", lastSeenAt: "2026-10-12T00:00:00.000Z" },
        { id: "account:b", externalId: "b", lastSeenAt: "2026-11-06T00:00:00.000Z" },
      ],
    ]);
    expect(
      about({ ...of, measure: "silent_since", window: DEFAULT_28 }, { accounts: [seen("a", TODAY - 40)] })[0],
    ).toBe(`1 account has had no event since 25 Oct 2026 ${DISCLOSED}: "a" (last seen on 12 Oct 2026).`);
    const asLong = { accounts: [seen("b", TODAY - 40), seen("a", TODAY - 40)] };
    expect(about({ ...of, measure: "silent_since", window }, asLong)[0]).toMatch(/: "a" \(.*\), "b" \(/);
    expect(about({ ...of, measure: "silent_since", window })).toEqual([
      "No account that was active before has been silent since 25 Oct 2026.",
      [],
    ]);
  });
});

import { describe, expect, it } from "vitest";

import type { FeaturePlan, UserPlan } from "../../../../src/core/ask/model.ts";
import {
  account,
  ask,
  B,
  BEFORE_28,
  DEFAULT_28,
  DISCLOSED,
  evidenceOf,
  EXPORTED,
  feature,
  featureFacts,
  gist,
  LAST_28,
  NOW,
  TODAY,
  use,
  user,
  userFacts,
  W,
} from "./support.ts";

const window = LAST_28;
const before = BEFORE_28;

const aboutUser = (plan: UserPlan, facts: Parameters<typeof userFacts>[0] = {}) => gist(ask(plan, userFacts(facts)));

describe("§15.5 a user", () => {
  const of = { subject: "user", user: user("u1") } as const;

  it("§15.5 was seen first and last, or has not been yet", () => {
    expect(aboutUser({ ...of, measure: "last_seen" }, { lastEventAt: NOW })[0]).toBe(
      `"u1" was last seen on 21 Nov 2026, today.`,
    );
    expect(aboutUser({ ...of, measure: "first_seen" }, { firstDay: TODAY })).toEqual([
      `"u1" was first seen on 21 Nov 2026.`,
      "2026-11-21",
    ]);
    expect(aboutUser({ ...of, measure: "first_seen" }, { firstDay: null })).toEqual([
      `There has been no event of "u1" yet.`,
      undefined,
    ]);
  });

  it("§15.5 is in an account, or in none", () => {
    expect(aboutUser({ ...of, measure: "account" }, { account: account("acme", "Acme Inc") })).toEqual([
      `"u1" is in the account "Acme Inc" ("acme").`,
      "acme",
    ]);
    expect(aboutUser({ ...of, measure: "account" })).toEqual([`"u1" is in no account.`, undefined]);
  });

  it("§15.5 did so much", () => {
    const uses = [use({ events: 7, activeDays: 2, features: [{ feature: EXPORTED, events: 1 }] })];
    expect(aboutUser({ ...of, measure: "event_count", window }, { uses })).toEqual([`"u1" had 7 events ${W}.`, 7]);
    expect(aboutUser({ ...of, measure: "event_count", window, feature: EXPORTED }, { uses })[1]).toBe(1);
    expect(aboutUser({ ...of, measure: "active_days", window }, { uses })).toEqual([`"u1" had 2 active days ${W}.`, 2]);
    expect(aboutUser({ ...of, measure: "features_used", window }, { uses })[0]).toBe(
      `"u1" used 1 feature ${W}: "report.exported" (1 event).`,
    );
    expect(aboutUser({ ...of, measure: "uses_feature", window, feature: feature("x") }, { uses })).toEqual([
      `No: "u1" had 0 "x" events ${W}.`,
      false,
    ]);
  });

  it("§15.5 does more or less than before, where that is known", () => {
    const uses = [use({ events: 3 }), use({ events: 6 })];
    expect(aboutUser({ ...of, measure: "trend", window, before }, { uses })).toEqual([
      `"u1" had 3 events ${W} and 6 events ${B}: down by 3, or 50%.`,
      "down",
    ]);
    const reason = (firstDay: number | null) =>
      aboutUser({ ...of, measure: "trend", window, before }, { uses, firstDay })[0];
    expect(reason(before.from + 1)).toBe("insufficient_history");
    expect(reason(null)).toBe("insufficient_history");
  });

  it("§15.5 has traits of its own", () => {
    expect(aboutUser({ ...of, measure: "trait", key: "role" }, { traits: [{ key: "role", value: "admin" }] })).toEqual([
      `"role" of "u1" is "admin".`,
      "admin",
    ]);
    expect(aboutUser({ ...of, measure: "trait", key: "role" })[0]).toBe("unmeasured_attribute");
  });
});

const by = (name: string, events: number) => ({ account: account(name), events });

const aboutFeature = (plan: FeaturePlan, ...facts: Parameters<typeof featureFacts>) =>
  gist(ask(plan, featureFacts(...facts)));

describe("§15.5 a feature", () => {
  const of = { subject: "feature", feature: EXPORTED } as const;
  const F = `"report.exported"`;

  it("§15.5 is used by accounts and users, the most events first", () => {
    const uses = [
      {
        accounts: [by("b", 1), by("acme", 42), by("a", 1)],
        users: [
          { user: user("u1"), events: 2 },
          { user: user("u2"), events: 5 },
        ],
      },
    ];
    expect(aboutFeature({ ...of, measure: "accounts", window }, uses)).toEqual([
      `3 accounts used ${F} ${W}: "acme" (42 events), "a" (1 event), "b" (1 event).`,
      [
        { id: "account:acme", externalId: "acme", events: 42 },
        { id: "account:a", externalId: "a", events: 1 },
        { id: "account:b", externalId: "b", events: 1 },
      ],
    ]);
    expect(aboutFeature({ ...of, measure: "users", window }, uses)[0]).toBe(
      `2 users used ${F} ${W}: "u2" (5 events), "u1" (2 events).`,
    );
    expect(aboutFeature({ ...of, measure: "account_count", window }, uses)).toEqual([`3 accounts used ${F} ${W}.`, 3]);
    expect(aboutFeature({ ...of, measure: "user_count", window }, uses)).toEqual([`2 users used ${F} ${W}.`, 2]);
    expect(aboutFeature({ ...of, measure: "accounts", window }, [{}])).toEqual([`No account used ${F} ${W}.`, []]);
    expect(aboutFeature({ ...of, measure: "account_count", window }, [{ accounts: [by("a", 1)] }])[0]).toBe(
      `1 account used ${F} ${W}.`,
    );
  });

  it("§15.5 is used by one, or by nobody", () => {
    const one = [{ users: [{ user: user("u1"), events: 1 }] }];
    expect(aboutFeature({ ...of, measure: "users", window }, one)[0]).toBe(`1 user used ${F} ${W}: "u1" (1 event).`);
    expect(aboutFeature({ ...of, measure: "users", window }, [{}])).toEqual([`No user used ${F} ${W}.`, []]);
    expect(aboutFeature({ ...of, measure: "user_count", window }, [{}])).toEqual([`No user used ${F} ${W}.`, 0]);
    expect(aboutFeature({ ...of, measure: "account_count", window }, [{}])).toEqual([`No account used ${F} ${W}.`, 0]);
  });

  it("§15.8 names ten accounts of more", () => {
    const accounts = Array.from({ length: 12 }, (_, index) => by(`a${index + 10}`, 100 - index));
    expect(aboutFeature({ ...of, measure: "accounts", window }, [{ accounts }])[0]).toMatch(
      /"a19" \(91 events\), and 2 more\.$/,
    );
  });

  it("§15.5 came so often", () => {
    expect(aboutFeature({ ...of, measure: "event_count", window: DEFAULT_28 }, [{ events: 1 }])).toEqual([
      `There was 1 ${F} event ${W} ${DISCLOSED}.`,
      1,
    ]);
    expect(aboutFeature({ ...of, measure: "event_count", window }, [{}])).toEqual([
      `There were 0 ${F} events ${W}.`,
      0,
    ]);
  });

  it("§15.5 is adopted by a share of the active accounts", () => {
    const uses = [{ accounts: [by("a", 1)] }];
    expect(aboutFeature({ ...of, measure: "adoption", window }, uses, 8)).toEqual([
      `1 of 8 active accounts used ${F} ${W}: 12.5%.`,
      12.5,
    ]);
    expect(evidenceOf(ask({ ...of, measure: "adoption", window }, featureFacts(uses, 8)))).toEqual([
      "accounts: 1",
      "active_accounts: 8",
      "adoption_percent: 12.5",
    ]);
    expect(aboutFeature({ ...of, measure: "adoption", window }, [{}], 1)).toEqual([
      `0 of 1 active account used ${F} ${W}: 0%.`,
      0,
    ]);
  });

  it("§15.7 has no share of no active account", () => {
    expect(aboutFeature({ ...of, measure: "adoption", window }, [{}], 0)).toEqual([
      "no_data_in_window",
      `No account was active ${W}.`,
    ]);
  });

  it("§15.5 was given up by those who used it before and no more", () => {
    const uses = [{ accounts: [by("acme", 1)] }, { accounts: [by("acme", 3), by("beta", 2), by("b", 9)] }];
    const answer = ask({ ...of, measure: "stopped", window, before }, featureFacts(uses));
    expect(gist(answer)).toEqual([
      `2 accounts that used ${F} ${B} did not use it ${W}: "b" (9 events), "beta" (2 events).`,
      [
        { id: "account:b", externalId: "b", events: 9 },
        { id: "account:beta", externalId: "beta", events: 2 },
      ],
    ]);
    expect(gist(ask({ ...of, measure: "stopped", window, before }, featureFacts([{}, {}])))[0]).toBe(
      `No account that used ${F} ${B} stopped using it ${W}.`,
    );
    expect(aboutFeature({ ...of, measure: "stopped", window, before }, [{}, { accounts: [by("a", 1)] }])[0]).toBe(
      `1 account that used ${F} ${B} did not use it ${W}: "a" (1 event).`,
    );
  });

  it("§15.5 comes more or less than before", () => {
    expect(aboutFeature({ ...of, measure: "trend", window, before }, [{ events: 3 }, { events: 2 }])).toEqual([
      `${F} had 3 events ${W} and 2 events ${B}: up by 1, or 50%.`,
      "up",
    ]);
  });

  it("§15.5 is told by the days where one time is longer", () => {
    const asked = { ...of, measure: "trend", window, before: { ...before, to: before.from + 6 } } as const;
    expect(aboutFeature(asked, [{ events: 3 }, { events: 2 }])[0]).toMatch(
      /: up by 1, or 50%\. That is 28 days against 7\.$/,
    );
  });

  it("§15.7 is not compared with a time before the first event", () => {
    const uses = featureFacts([{}, {}]);
    const late = { firstDay: before.from + 1 };
    expect(gist(ask({ ...of, measure: "trend", window, before }, uses, late))[0]).toBe("insufficient_history");
    // Whoever used it then has been seen, wherever in that time the data begins.
    expect(ask({ ...of, measure: "stopped", window, before }, uses, late).knows).toBe(true);
    for (const firstDay of [before.to + 1, null]) {
      expect(gist(ask({ ...of, measure: "stopped", window, before }, uses, { firstDay }))[0]).toBe(
        "insufficient_history",
      );
    }
  });
});

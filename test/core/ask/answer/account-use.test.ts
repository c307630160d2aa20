import { describe, expect, it } from "vitest";

import {
  ACME,
  accountFacts,
  ask,
  crowd,
  DEFAULT_28,
  DISCLOSED,
  evidenceOf,
  EXPORTED,
  feature,
  gist,
  LAST_28,
  NOW,
  TODAY,
  use,
  user,
  W,
} from "./support.ts";

const of = { subject: "account", account: ACME } as const;
const window = LAST_28;

describe("§15.5 how much an account did", () => {
  it("§15.5 counts events in a stated window, with the evidence for it", () => {
    const answer = ask({ ...of, measure: "event_count", window }, accountFacts({ uses: [use({ events: 1234 })] }));
    expect(answer).toMatchObject({
      knows: true,
      answer: `"acme" had 1,234 events ${W}.`,
      value: 1234,
      window: { from: TODAY - 27, to: TODAY, phrase: "last 28 days" },
      evidence: [
        {
          id: "e1",
          kind: "rollup",
          measure: "events",
          value: 1234,
          window: { from: TODAY - 27, to: TODAY },
          asOf: NOW,
        },
      ],
      confidence: "high",
    });
    expect(answer.knows && Object.keys(answer.evidence[0]?.window ?? {})).toEqual(["from", "to"]);
  });

  it("§15.5 knows nothing from not having done anything", () => {
    const facts = accountFacts({ uses: [use()] });
    expect(gist(ask({ ...of, measure: "event_count", window }, facts))).toEqual([`"acme" had 0 events ${W}.`, 0]);
    expect(gist(ask({ ...of, measure: "active_users", window }, facts))).toEqual([
      `"acme" had 0 active users ${W}.`,
      0,
    ]);
    expect(gist(ask({ ...of, measure: "active_days", window }, facts))).toEqual([`"acme" had 0 active days ${W}.`, 0]);
    expect(gist(ask({ ...of, measure: "features_used", window }, facts))).toEqual([`"acme" used 0 features ${W}.`, []]);
    expect(gist(ask({ ...of, measure: "feature_count", window }, facts))).toEqual([`"acme" used 0 features ${W}.`, 0]);
    expect(gist(ask({ ...of, measure: "active_user_list", window }, facts))).toEqual([
      `"acme" had 0 active users ${W}.`,
      [],
    ]);
  });

  it("§15.5 says one of one", () => {
    const facts = accountFacts({ uses: [use({ events: 1, activeDays: 1, users: crowd(1) })] });
    const one: typeof window = { from: TODAY, to: TODAY, phrase: "today" };
    expect(gist(ask({ ...of, measure: "event_count", window: one }, facts))[0]).toBe(
      `"acme" had 1 event on 21 Nov 2026.`,
    );
    expect(gist(ask({ ...of, measure: "active_users", window }, facts))[0]).toBe(`"acme" had 1 active user ${W}.`);
    expect(gist(ask({ ...of, measure: "active_days", window }, facts))[0]).toBe(`"acme" had 1 active day ${W}.`);
  });

  it("§15.5 says the years of a window that spans two", () => {
    const turn: typeof window = { from: TODAY - 365, to: TODAY, phrase: "the last year" };
    const answer = ask({ ...of, measure: "event_count", window: turn }, accountFacts({ uses: [use({ events: 2 })] }));
    expect(gist(answer)[0]).toBe(`"acme" had 2 events from 21 Nov 2025 to 21 Nov 2026.`);
  });

  it("§15.3 discloses a window that nobody asked for", () => {
    const answer = ask(
      { ...of, measure: "event_count", window: DEFAULT_28 },
      accountFacts({ uses: [use({ events: 5 })] }),
    );
    expect(gist(answer)[0]).toBe(`"acme" had 5 events ${W} ${DISCLOSED}.`);
    expect(evidenceOf(answer)).toEqual(["events: 5", "window_days: 28"]);
  });

  it("§15.5 narrows to one event name", () => {
    const uses = [use({ events: 42, activeDays: 7, users: crowd(2), features: [{ feature: EXPORTED, events: 41 }] })];
    const narrow = { ...of, window, feature: EXPORTED };
    const answer = ask({ ...narrow, measure: "event_count" }, accountFacts({ uses }));
    expect(gist(answer)).toEqual([`"acme" had 41 "report.exported" events ${W}.`, 41]);
    expect(evidenceOf(answer)).toEqual(["events: 41", "feature: report.exported"]);
    expect(gist(ask({ ...narrow, measure: "active_users" }, accountFacts({ uses })))).toEqual([
      `"acme" had 2 users with a "report.exported" event ${W}.`,
      2,
    ]);
    expect(gist(ask({ ...narrow, measure: "active_days" }, accountFacts({ uses })))).toEqual([
      `"acme" had 7 days with a "report.exported" event ${W}.`,
      7,
    ]);
  });

  it("§15.5 says whether a feature is used, and how often", () => {
    const plan = { ...of, measure: "uses_feature", window, feature: EXPORTED } as const;
    const used = accountFacts({ uses: [use({ events: 9, features: [{ feature: EXPORTED, events: 1 }] })] });
    expect(gist(ask(plan, used))).toEqual([`Yes: "acme" had 1 "report.exported" event ${W}.`, true]);
    expect(gist(ask(plan, accountFacts({ uses: [use({ events: 9 })] })))).toEqual([
      `No: "acme" had 0 "report.exported" events ${W}.`,
      false,
    ]);
  });
});

describe("§15.5 who and what", () => {
  it("§15.5 lists active users, the most active days first, then the latest seen", () => {
    const users = [
      { user: user("b"), days: 2, lastDay: TODAY },
      { user: user("z", "Jo Doe"), days: 9, lastDay: TODAY - 3 },
      { user: user("a"), days: 2, lastDay: TODAY },
      { user: user("c"), days: 2, lastDay: TODAY - 1 },
    ];
    const answer = ask({ ...of, measure: "active_user_list", window }, accountFacts({ uses: [use({ users })] }));
    expect(gist(answer)[0]).toBe(
      `"acme" had 4 active users ${W}: "Jo Doe" ("z") (9 active days), "a" (2 active days), ` +
        `"b" (2 active days), "c" (2 active days).`,
    );
    expect(answer).toMatchObject({
      value: [
        { id: "user:z", externalId: "z", name: "Jo Doe", days: 9, lastDay: "2026-11-18" },
        { externalId: "a" },
        { externalId: "b" },
        { externalId: "c", lastDay: "2026-11-20" },
      ],
    });
    expect(evidenceOf(answer).slice(0, 4)).toEqual(["active_users: 4", "user: z", "name: Jo Doe", "active_days: 9"]);
  });

  it("§15.8 names ten of more, counts the rest, and has a hundred in the value", () => {
    const uses = [use({ users: crowd(120) })];
    const answer = ask({ ...of, measure: "active_user_list", window }, accountFacts({ uses }));
    expect(gist(answer)[0]).toMatch(
      /^"acme" had 120 active users from .*: "u1" \(120 active days\), .*, "u10" \(111 active days\), and 110 more\.$/,
    );
    expect(answer.knows && answer.value).toHaveLength(100);
    expect(evidenceOf(answer)).toContain("more: 110");
  });

  it("§15.5 lists the features used, the most events first", () => {
    const features = [
      { feature: feature("b"), events: 3 },
      { feature: feature("never"), events: 0 },
      { feature: feature("a"), events: 3 },
      { feature: EXPORTED, events: 42 },
    ];
    const facts = accountFacts({ uses: [use({ features })] });
    expect(gist(ask({ ...of, measure: "features_used", window }, facts))).toEqual([
      `"acme" used 3 features ${W}: "report.exported" (42 events), "a" (3 events), "b" (3 events).`,
      [
        { feature: "report.exported", events: 42 },
        { feature: "a", events: 3 },
        { feature: "b", events: 3 },
      ],
    ]);
    expect(gist(ask({ ...of, measure: "feature_count", window }, facts))).toEqual([`"acme" used 3 features ${W}.`, 3]);
  });

  it("§15.5 lists what is known and not used", () => {
    const facts = accountFacts({
      uses: [use({ features: [{ feature: EXPORTED, events: 1 }] })],
      knownFeatures: [feature("b"), EXPORTED, feature("a")],
    });
    expect(gist(ask({ ...of, measure: "features_not_used", window }, facts))).toEqual([
      `"acme" did not use 2 of the 3 known features ${W}: "a", "b".`,
      [{ feature: "a" }, { feature: "b" }],
    ]);
  });

  it("§15.5 says where nothing is left to use", () => {
    const uses = [use({ features: [EXPORTED, feature("a")].map((each) => ({ feature: each, events: 1 })) })];
    const all = ask(
      { ...of, measure: "features_not_used", window },
      accountFacts({ uses, knownFeatures: [feature("a"), EXPORTED] }),
    );
    expect(gist(all)).toEqual([`"acme" used all of the 2 known features ${W}.`, []]);
    expect(evidenceOf(all)).toEqual(["features_not_used: 0", "known_features: 2"]);
  });

  it("§15.5 lists who used a feature, by the days on which they did", () => {
    const plan = { ...of, measure: "active_user_list", window, feature: EXPORTED } as const;
    const answer = ask(plan, accountFacts({ uses: [use({ users: crowd(2) })] }));
    expect(gist(answer)[0]).toBe(
      `"acme" had 2 users with a "report.exported" event ${W}: "u1" (2 days), "u2" (1 day).`,
    );
    expect(evidenceOf(answer)).toEqual([
      "active_users: 2",
      "feature: report.exported",
      "user: u1",
      "active_days: 2",
      "user: u2",
      "active_days: 1",
    ]);
    expect(gist(ask(plan, accountFacts({ uses: [use()] })))).toEqual([
      `"acme" had 0 users with a "report.exported" event ${W}.`,
      [],
    ]);
  });
});

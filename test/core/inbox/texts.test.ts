import { describe, expect, it } from "vitest";
import { ITEM_KINDS, type ItemEvidence, type ItemKind } from "../../../src/core/inbox/model.ts";
import { describeItem } from "../../../src/core/inbox/texts.ts";
import { DAY_MS, openItem } from "./support.ts";

/** 12 November 2026. */
const DAY = Date.UTC(2026, 10, 12) / DAY_MS;
const WINDOW = { from: DAY - 13, to: DAY };
const DATES = "from 30 Oct 2026 to 12 Nov 2026";
const END = String(Date.UTC(2026, 10, 15, 9, 30));

const LAST_DAY = { code: "last_day", value: DAY - 12 };
const USER_DAYS = { code: "user_days", value: 24, expected: 1240.25, window: WINDOW };
const Z = { code: "z", value: -4.2 };
const MEANING = "A user-day is one user active on one day.";
const gap = (value: number, expected: number) => ({ code: "gap_business_days", value, expected });

interface Case {
  kind: ItemKind;
  subject?: string;
  evidence: ItemEvidence[];
  title: string;
  why: string;
}

const CASES: Case[] = [
  {
    kind: "trial_ending_low_activity",
    subject: END,
    evidence: [
      { code: "active_days", value: 1, expected: 2 },
      { code: "core_features", value: 1, expected: 3, window: WINDOW },
    ],
    title: "The trial of Acme ends on 15 Nov 2026 with little activity",
    why: `1 active day in the last 7 (2 or more expected). 1 core feature used ${DATES} (3 expected by now).`,
  },
  {
    kind: "trial_ending_ready",
    subject: END,
    evidence: [
      { code: "score", value: 82.46, expected: 70 },
      { code: "active_users", value: 5 },
    ],
    title: "The trial of Acme ends on 15 Nov 2026 and is going well",
    why: "The health score is 82.5 (70 or more is good). 5 active users in 28 days.",
  },
  {
    kind: "trial_expired",
    subject: END,
    evidence: [{ code: "days_since_trial_end", value: 2, expected: 0 }],
    title: "The trial of Acme ended on 15 Nov 2026 without a decision",
    why: "The stage is still trial, 2 days after the trial ended.",
  },
  {
    kind: "never_activated",
    evidence: [
      { code: "active_days", value: 0, expected: 3 },
      { code: "age_days", value: 9 },
    ],
    title: "Acme has not started using the product",
    why: "0 active days so far (3 or more expected). The account is 9 days old.",
  },
  {
    kind: "usage_drop",
    evidence: [USER_DAYS, Z],
    title: "Usage at Acme fell to 24 user-days in two weeks (1,240.3 expected)",
    why: `24 user-days ${DATES} (1,240.3 expected). ${MEANING}`,
  },
  {
    kind: "slow_decline",
    evidence: [USER_DAYS],
    title: "Usage at Acme declined to 24 user-days in four weeks (1,240.3 at its best)",
    why: `24 user-days ${DATES} (1,240.3 in the best 28 days of 26 weeks). ${MEANING}`,
  },
  {
    kind: "gone_silent",
    evidence: [gap(9, 6), LAST_DAY],
    title: "Acme has gone silent",
    why: "No activity for 9 business days (6 or more count as silence). Last active on 31 Oct 2026.",
  },
  {
    kind: "key_user_quiet",
    evidence: [gap(12, 11), LAST_DAY, { code: "active_days", value: 20 }, { code: "share", value: 0.447 }],
    title: "A key user at Acme has gone quiet",
    why:
      "No activity for 12 business days (11 or more count as silence). Last active on 31 Oct 2026. " +
      "This user accounts for 45% of the usage in 56 days.",
  },
  {
    kind: "seats_nearly_full",
    subject: "10",
    evidence: [{ code: "active_users", value: 9, expected: 10 }],
    title: "Acme is running out of seats (9 of 10 in use)",
    why: "9 active users in 28 days (10 seats).",
  },
  {
    kind: "usage_growth",
    evidence: [USER_DAYS, { code: "new_users", value: 2 }, Z],
    title: "Usage at Acme grew to 24 user-days in four weeks (1,240.3 expected)",
    why: `24 user-days ${DATES} (1,240.3 expected). ${MEANING} 2 users had not been active before these 28 days.`,
  },
  {
    kind: "feature_dropped",
    evidence: [{ code: "active_days", value: 12 }, { code: "users", value: 4 }, LAST_DAY],
    title: "Acme has stopped using a core feature",
    why: "Not used in the last 21 days (used on 12 of the 56 days before). 4 users used it in those 56 days. Last used on 31 Oct 2026.",
  },
  {
    kind: "contraction",
    subject: "seats",
    evidence: [{ code: "seats", value: 1, expected: 12, window: { from: DAY - 3, to: DAY - 1 } }],
    title: "Acme reduced its seats from 12 to 1",
    why: "1 seat, down from 12 on 9 Nov 2026, the most in 30 days. Last reduced on 11 Nov 2026.",
  },
  {
    kind: "contraction",
    subject: "mrr",
    evidence: [{ code: "mrr", value: 0, expected: 1500.5 }],
    title: "Acme reduced its MRR from 1,500.5 to 0",
    why: "MRR of 0, down from 1,500.5, the most in 30 days.",
  },
  {
    kind: "health_dropped",
    evidence: [
      { code: "score", value: 35, expected: 45 },
      { code: "score_before", value: 58 },
    ],
    title: "The health score of Acme fell from 58 to 35",
    why: "The health score is 35 (45 or more is out of risk). It was 58 14 days earlier.",
  },
  {
    kind: "health_dropped",
    evidence: [
      { code: "score", value: 39, expected: 45 },
      { code: "score_before", value: 38 },
    ],
    title: "The health score of Acme is down to 39",
    why: "The health score is 39 (45 or more is out of risk). It was 38 14 days earlier.",
  },
  {
    kind: "tracking_stopped",
    evidence: [gap(1, 1), LAST_DAY],
    title: "Acme has stopped receiving events",
    why:
      "No event for 1 business day (1 or more are unusual). The last event happened on 31 Oct 2026. " +
      "No account is reported as inactive until events arrive again.",
  },
];

const titleOf = (kind: ItemKind, subject: string): string =>
  describeItem(openItem(kind), { account: "Acme", subject }).title;

describe("§12.6 the texts of an item", () => {
  it.each(CASES)("§12.6 $kind: $title", ({ kind, subject = "", evidence, title, why }) => {
    expect(describeItem(openItem(kind, { subject, evidence }), { account: "Acme" })).toMatchObject({ title, why });
  });

  it.each([
    ["usage_drop", "Usage at Acme fell"],
    ["seats_nearly_full", "Acme is running out of seats"],
    ["contraction", "Acme reduced its MRR"],
    ["health_dropped", "The health score of Acme fell"],
  ] as const)("§12.6 the title of %s is whole without evidence", (kind, title) => {
    expect(describeItem(openItem(kind), { account: "Acme" })).toMatchObject({ title, why: "" });
  });

  it("§12.6 name the user and the feature if they are known", () => {
    expect(titleOf("key_user_quiet", "ada")).toBe("ada at Acme has gone quiet");
    expect(titleOf("feature_dropped", "report.exported")).toBe("Acme has stopped using report.exported");
  });

  it("§12.6 contain names unchanged", () => {
    const account = '<b>O\'Brien & "Söhne"</b> ${x}';
    expect(describeItem(openItem("gone_silent"), { account }).title).toBe(`${account} has gone silent`);
  });

  it.each(ITEM_KINDS)("§12.6 %s suggests an action and says when it closes, in whole sentences", (kind) => {
    const { suggestedAction, closesWhen } = describeItem(openItem(kind, { subject: END }), { account: "Acme" });
    expect(suggestedAction).toMatch(/^[A-Z].{20,}\.$/);
    expect(closesWhen).toMatch(/^[A-Z\d].{10,}\.$/);
  });
});

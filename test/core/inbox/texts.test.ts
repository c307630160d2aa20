import { describe, expect, it } from "vitest";
import type { Window } from "../../../src/core/health/model.ts";
import { ITEM_KINDS, type ItemKind } from "../../../src/core/inbox/model.ts";
import { describeItem } from "../../../src/core/inbox/texts.ts";
import { DAY_MS, openItem } from "./support.ts";

/** 12 November 2026. */
const DAY = Date.UTC(2026, 10, 12) / DAY_MS;
const WINDOW = { from: DAY - 13, to: DAY };
const DATES = "from 30 Oct 2026 to 12 Nov 2026";
const END = String(Date.UTC(2026, 10, 15, 9, 30));

const USER_DAYS: Numbers = [24, 1240.25, WINDOW];
const LAST_DAY: Numbers = [DAY - 12];
const MEANING = "A user-day is one user active on one day.";

type Numbers = [value: number, expected?: number, window?: Window];

interface Case {
  kind: ItemKind;
  subject?: string;
  /** By code. */
  evidence: Record<string, Numbers>;
  title: string;
  why: string;
}

const CASES: Case[] = [
  {
    kind: "trial_ending_low_activity",
    subject: END,
    evidence: { active_days: [1, 2], core_features: [1, 3, WINDOW] },
    title: "The trial of Acme ends on 15 Nov 2026 with little activity",
    why: `1 active day in the last 7 (2 or more expected). 1 core feature used ${DATES} (3 expected by now).`,
  },
  {
    kind: "trial_ending_ready",
    subject: END,
    evidence: { score: [82.46, 70], active_users: [5] },
    title: "The trial of Acme ends on 15 Nov 2026 and is going well",
    why: "The health score is 82.5 (70 or more is good). 5 active users in 28 days.",
  },
  {
    kind: "trial_expired",
    subject: END,
    evidence: { days_since_trial_end: [2, 0] },
    title: "The trial of Acme ended on 15 Nov 2026 without a decision",
    why: "The stage is still trial, 2 days after the trial ended.",
  },
  {
    kind: "never_activated",
    evidence: { active_days: [0, 3], age_days: [9] },
    title: "Acme has not started using the product",
    why: "0 active days so far (3 or more expected). The account is 9 days old.",
  },
  {
    kind: "usage_drop",
    evidence: { user_days: USER_DAYS, z: [-4.2] },
    title: "Usage at Acme fell to 24 user-days in two weeks (1,240.3 expected)",
    why: `24 user-days ${DATES} (1,240.3 expected). ${MEANING}`,
  },
  {
    kind: "slow_decline",
    evidence: { user_days: USER_DAYS },
    title: "Usage at Acme declined to 24 user-days in four weeks (1,240.3 at its best)",
    why: `Down from 1,240.3 user-days in the best 28 days of 26 weeks to 24 ${DATES}. ${MEANING}`,
  },
  {
    kind: "gone_silent",
    evidence: { gap_business_days: [9, 6], last_day: LAST_DAY },
    title: "Acme has gone silent",
    why: "No activity for 9 business days (silent after 6). Last active on 31 Oct 2026.",
  },
  {
    kind: "key_user_quiet",
    evidence: { gap_business_days: [12, 11], last_day: LAST_DAY, active_days: [20], share: [0.447] },
    title: "A key user at Acme has gone quiet",
    why:
      "No activity for 12 business days (silent after 11). Last active on 31 Oct 2026. " +
      "This user accounted for 45% of the usage in 56 days.",
  },
  {
    kind: "seats_nearly_full",
    subject: "10",
    evidence: { active_users: [9, 10] },
    title: "Acme is running out of seats (9 of 10 in use)",
    why: "9 active users in 28 days (10 seats).",
  },
  {
    kind: "usage_growth",
    evidence: { user_days: USER_DAYS, new_users: [2], z: [-4.2] },
    title: "Usage at Acme grew to 24 user-days in four weeks (1,240.3 expected)",
    why: `24 user-days ${DATES} (1,240.3 expected). ${MEANING} 2 users became active for the first time in these 28 days.`,
  },
  {
    kind: "feature_dropped",
    evidence: { active_days: [12], users: [4], last_day: LAST_DAY },
    title: "Acme has stopped using a core feature",
    why: "The feature was used on 12 of 56 days, then not for 21 days. 4 users used it in those 56 days. Last used on 31 Oct 2026.",
  },
  {
    kind: "contraction",
    subject: "seats",
    evidence: { seats: [1, 12, { from: DAY - 3, to: DAY - 1 }] },
    title: "Acme reduced its seats from 12 to 1",
    why: "1 seat, down from 12 on 9 Nov 2026, the most in 30 days. Last reduced on 11 Nov 2026.",
  },
  {
    kind: "contraction",
    subject: "mrr",
    evidence: { mrr: [0, 1500.5] },
    title: "Acme reduced its MRR from 1,500.5 to 0",
    why: "MRR of 0, down from 1,500.5, the most in 30 days.",
  },
  {
    kind: "health_dropped",
    evidence: { score: [35, 45], score_before: [58] },
    title: "The health score of Acme fell from 58 to 35",
    why: "The health score is 35 (45 or more is out of risk). It was 58 14 days earlier.",
  },
  {
    kind: "health_dropped",
    evidence: { score: [39, 45], score_before: [38] },
    title: "The health score of Acme is only 39",
    why: "The health score is 39 (45 or more is out of risk). It was 38 14 days earlier.",
  },
  {
    kind: "health_dropped",
    evidence: { score: [35, 45] },
    title: "The health score of Acme is only 35",
    why: "The health score is 35 (45 or more is out of risk).",
  },
  {
    kind: "renewal_at_risk",
    subject: END,
    evidence: { days_left: [45], score: [58, 70] },
    title: "The contract of Acme ends on 15 Nov 2026 and its health score is 58",
    why: "The contract ends in 45 days. The health score is 58 (70 or more is expected).",
  },
  {
    kind: "renewal_at_risk",
    subject: END,
    evidence: { days_left: [-1] },
    title: "The contract of Acme ends on 15 Nov 2026 and the account is not healthy",
    why: "The contract ended 1 day ago.",
  },
  {
    kind: "renewal_at_risk",
    subject: END,
    evidence: { days_left: [45], score: [95.3, 70], healthy_days: [1, 3] },
    title: "The contract of Acme ends on 15 Nov 2026 and the account has been healthy for only 1 of 3 days",
    why:
      "The contract ends in 45 days. The health score is 95.3 (70 or more is expected). " +
      "The item is still open because the account has been healthy for only 1 of 3 days in a row that close it.",
  },
  {
    kind: "tracking_stopped",
    evidence: { gap_business_days: [1, 1], last_day: LAST_DAY },
    title: "Acme has stopped receiving events",
    why:
      "No event for 1 business day (1 or more are unusual). The last event happened on 31 Oct 2026. " +
      "No account is reported as inactive until events arrive again.",
  },
];

const titleOf = (kind: ItemKind, subject: string): string =>
  describeItem(openItem(kind), { account: "Acme", subject }).title;

describe("§12.6 the texts of an item", () => {
  it("§12.6 has a case of each kind", () => {
    expect(new Set(CASES.map(({ kind }) => kind))).toEqual(new Set(ITEM_KINDS));
  });

  it.each(CASES)("§12.6 $kind: $title", ({ kind, subject = "", evidence: numbers, title, why }) => {
    const evidence = Object.entries(numbers).map(([code, [value, expected, window]]) => ({
      code,
      value,
      ...(expected !== undefined && { expected }),
      ...(window !== undefined && { window }),
    }));
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

  it.each([
    ["usage_drop", 28, "Usage at Acme has not recovered since 15 Oct 2026"],
    ["slow_decline", 90, "Usage at Acme has not recovered since 15 Oct 2026"],
    ["gone_silent", 28, "Acme has gone silent and has not recovered since 15 Oct 2026"],
    ["key_user_quiet", 90, "ada at Acme has gone quiet and has not recovered since 15 Oct 2026"],
  ] as const)(
    "§12.6 the title of %s says after %i days that it has not recovered, and since when",
    (kind, days, title) => {
      const openedDay = DAY - 28;
      const titleAfter = (passed: number) =>
        describeItem(openItem(kind, { openedDay, confirmedDay: openedDay + passed }), {
          account: "Acme",
          subject: "ada",
        }).title;
      expect(titleAfter(days)).toBe(title);
      expect(titleAfter(days - 1)).not.toContain("recovered");
    },
  );

  it("§12.6 of a renewal whose account is healthy again don't advise to begin with the score", () => {
    const evidence = [
      { code: "score", value: 95, expected: 70 },
      { code: "healthy_days", value: 2, expected: 3 },
    ];
    const renewal = openItem("renewal_at_risk", { subject: END, evidence });
    expect(describeItem(renewal, { account: "Acme" }).suggestedAction).toBe(
      "Prepare the renewal as usual: the score is good again. The item closes after 3 healthy days.",
    );
    for (const [resolution, ending] of [
      ["recovered", "the account became healthy again"],
      ["renewed", "was extended"],
      ["expired", "the account was not healthy"],
    ] as const) {
      const texts = describeItem({ ...renewal, resolvedDay: DAY, resolution }, { account: "Acme" });
      expect(texts.title).toBe(`The contract of Acme ends on 15 Nov 2026 and ${ending}`);
      expect(texts.why).toBe("The health score is 95 (70 or more is expected).");
    }
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

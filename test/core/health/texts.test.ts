import { describe, expect, it } from "vitest";
import type { HealthReason } from "../../../src/core/health/model.ts";
import {
  counted,
  dateOf,
  datesOf,
  describeChange,
  describeMissing,
  describeReasons,
  inFigures,
  inPercent,
  momentDate,
} from "../../../src/core/health/texts.ts";

/** 12 November 2026. */
const DAY = Date.UTC(2026, 10, 12) / 86_400_000;
const DATES = "from 16 Oct 2026 to 12 Nov 2026";
const REASON: HealthReason = {
  kind: "loss",
  code: "frequency",
  points: 12.34,
  observed: 5,
  expected: 12,
  window: { from: DAY - 27, to: DAY },
};

describe("§11.13 numbers and dates", () => {
  it("§11.13 round numbers to one decimal", () => {
    expect([0, 1, 1.25, 1_234.56, 1_000_000].map(inFigures)).toEqual(["0", "1", "1.3", "1,234.6", "1,000,000"]);
    expect([-0.04, -0.05, -2.5].map(inFigures)).toEqual(["0", "0", "-2.5"]);
  });
  it("§11.13 use the plural for all counts but 1", () => {
    const texts = [0, 1, 1.02, 1.5, 2].map((value) => counted(value, "day"));
    expect(texts).toEqual(["0 days", "1 day", "1 day", "1.5 days", "2 days"]);
  });
  it("§11.13 show shares in whole percent", () => {
    expect([0, 0.4, 0.455, 1].map(inPercent)).toEqual(["0%", "40%", "46%", "100%"]);
  });
  it("§11.13 show dates in UTC and English", () => {
    expect([0, DAY].map(dateOf)).toEqual(["1 Jan 1970", "12 Nov 2026"]);
    expect(momentDate(Date.UTC(2026, 8, 30, 23, 59))).toBe("30 Sep 2026");
    expect(datesOf({ from: DAY - 13, to: DAY })).toBe("from 30 Oct 2026 to 12 Nov 2026");
  });
});

const cap = (code: HealthReason["code"], points: number): HealthReason => ({ ...REASON, kind: "cap", code, points });
const endings = (...reasons: HealthReason[]) =>
  describeReasons(reasons).map((text) => text.slice(text.indexOf(": ") + 2));

describe("§11.13 a reason", () => {
  it.each<[Partial<HealthReason>, string]>([
    [
      { code: "recency", observed: 4, expected: 9 },
      "No activity for 4 business days up to 12 Nov 2026 (silent after 9)",
    ],
    [{ code: "recency", observed: 0, expected: 9 }, "Last active on 16 Oct 2026 (silent after 9 business days)"],
    [{ code: "frequency" }, `Active on 5 days ${DATES} (12 are typical)`],
    [{ code: "breadth", observed: 1, expected: 7.5 }, `1 active user ${DATES} (7.5 expected)`],
    [{ code: "depth", observed: 2, expected: 4 }, `2 core features used ${DATES} (4 expected)`],
    [
      { code: "trend", observed: 20, expected: 41.25 },
      `20 user-days (users × days) ${DATES} (41.3 expected; a quarter more earns full points)`,
    ],
    [
      { code: "silent", observed: 9, expected: 9 },
      "No activity for 9 business days up to 12 Nov 2026 (silent after 9)",
    ],
    [{ code: "confirmed_drop", observed: 20, expected: 40 }, `Usage dropped to 20 user-days ${DATES} (40 expected)`],
    [{ code: "contraction", observed: 8, expected: 10 }, `Seats or MRR were reduced to 8 ${DATES} (10 before)`],
    [{ code: "trial_over", observed: 3, expected: 0 }, "The trial ended 3 days ago without a decision"],
    [
      { code: "feature_dropped", observed: 0, expected: 12 },
      "A core feature is no longer used (used on 12 days up to 16 Oct 2026)",
    ],
    [
      { code: "trial_unproven", observed: 12, expected: 30 },
      "Day 12 of a trial of 30 days, which is too early for a higher score",
    ],
    [{ code: "trial_fading", observed: 4, expected: 20 }, `4 user-days ${DATES} (20 in the trial's best week)`],
    [{ code: "declining", observed: 30, expected: 40 }, `Usage is declining: 30 user-days ${DATES} (40 expected)`],
    [{ code: "single_user", observed: 1, expected: 2 }, `Only one user was active ${DATES}`],
    [
      { code: "key_user_quiet", observed: 12, expected: 11 },
      "A key user is quiet: no activity for 12 business days up to 12 Nov 2026 (silent after 11)",
    ],
    [{ code: "below_own_best", observed: 20, expected: 80 }, `20 user-days ${DATES} (80 at the account's best)`],
  ])("§11.13 gives the observed and the expected number: %o", (values, text) => {
    expect(describeReasons([{ ...REASON, ...values }])).toEqual([`${text}: −12.3 points.`]);
  });

  it("§11.13 says what it does to the score", () => {
    expect(endings(REASON, { ...REASON, kind: "strength", points: 1 }, cap("silent", 30))).toEqual([
      "−12.3 points.",
      "+1 point.",
      "caps the score, −30 points.",
    ]);
  });
  it("§11.13 of several caps, only the first decides, even among equals", () => {
    expect(endings(cap("silent", 30), cap("confirmed_drop", 30), cap("below_own_best", 1))).toEqual([
      "caps the score, −30 points.",
      "−30 points on its own.",
      "−1 point on its own.",
    ]);
  });
});

it.each([
  [
    { code: "coverage", observed: 0.4, required: 0.6 },
    "Only 40% of the score can be measured so far (at least 60% needed).",
  ],
  [{ code: "tenure", observed: 1, required: 14 }, "Known for 1 day so far (at least 14 needed)."],
  [{ code: "active_days", observed: 3, required: 5 }, "Active on 3 days so far (at least 5 needed)."],
] as const)("§11.10 says what is missing for a score: %o", (missing, text) => {
  expect(describeMissing(missing)).toBe(text);
});

it.each([
  ["recency", -1, "Recency (last activity) lost 1 point in 7 days."],
  ["frequency", 2, "Frequency (active days) gained 2 points in 7 days."],
  ["breadth", 3.25, "Breadth (active users) gained 3.3 points in 7 days."],
  ["depth", 2, "Depth (core features) gained 2 points in 7 days."],
  ["trend", -2, "Trend (recent usage) lost 2 points in 7 days."],
] as const)("§11.13 says how %s changed by %d points", (component, points, text) => {
  expect(describeChange({ component, points })).toBe(text);
});

import { describe, expect, it } from "vitest";
import { trend } from "../../../src/core/health/components.ts";
import type { Reason } from "../../../src/core/health/model.ts";
import {
  counted,
  dateOf,
  datesOf,
  describeChange,
  describeMissing,
  describeReason,
  describeReasons,
  inFigures,
  inPercent,
  momentDate,
} from "../../../src/core/health/texts.ts";

/** 12 November 2026. */
const DAY = Date.UTC(2026, 10, 12) / 86_400_000;
const REASON: Reason = {
  kind: "loss",
  code: "frequency",
  points: 12.34,
  observed: 5,
  expected: 12,
  window: { from: DAY - 27, to: DAY },
};
const reason = (values: Partial<Reason>): string => describeReason({ ...REASON, ...values });

describe("figures and dates", () => {
  it("§11.13 figures have at most one decimal, and commas", () => {
    expect([0, 1, 1.25, 1_234.56, 1_000_000].map(inFigures)).toEqual(["0", "1", "1.3", "1,234.6", "1,000,000"]);
    expect([-0.04, -0.05, -2.5].map(inFigures)).toEqual(["0", "0", "-2.5"]);
  });
  it("§11.13 one of a thing is not many", () => {
    expect([0, 1, 1.02, 1.5, 2].map((value) => counted(value, "day"))).toEqual([
      "0 days",
      "1 day",
      "1 day",
      "1.5 days",
      "2 days",
    ]);
  });
  it("§11.13 shares are in whole percent", () => {
    expect([0, 0.4, 0.455, 1].map(inPercent)).toEqual(["0%", "40%", "46%", "100%"]);
  });
  it("§11.13 dates are in UTC, with months that no locale changes", () => {
    expect(dateOf(0)).toBe("1 Jan 1970");
    expect(dateOf(DAY)).toBe("12 Nov 2026");
    expect(momentDate(Date.UTC(2026, 8, 30, 23, 59))).toBe("30 Sep 2026");
    expect(datesOf({ from: DAY - 13, to: DAY })).toBe("from 30 Oct 2026 to 12 Nov 2026");
  });
});

describe("why a score is what it is", () => {
  const DATES = "from 16 Oct 2026 to 12 Nov 2026";

  it("§11.13 each component says what was observed and expected", () => {
    const recency = { observed: 4, expected: 9, window: { from: DAY - 6, to: DAY } };
    expect(reason({ code: "recency", ...recency })).toBe(
      "4 business days without activity up to 12 Nov 2026, where 9 count as silence: this costs 12.3 points.",
    );
    expect(reason({ code: "frequency" })).toBe(
      `Active on 5 days ${DATES}, where 12 are typical: this costs 12.3 points.`,
    );
    expect(reason({ code: "breadth", observed: 1, expected: 7.5 })).toBe(
      `1 active user ${DATES}, where 7.5 are expected: this costs 12.3 points.`,
    );
    expect(reason({ code: "depth", observed: 2, expected: 4 })).toBe(
      `2 core features in use ${DATES}, where 4 are expected: this costs 12.3 points.`,
    );
    expect(reason({ code: "trend", observed: 20, expected: 41.25 })).toBe(
      `20 user-days (people × days) ${DATES}, where 41.3 are expected and a quarter more bring all points: ` +
        "this costs 12.3 points.",
    );
  });
  it("§11.6 a trend has all points a quarter above what is expected, and not before", () => {
    const window = { from: DAY - 13, to: DAY };
    const score = (ratio: number) => trend({ observed: 100 * ratio, expected: 100, ratio, z: 0, window }).score;
    expect([1, 1.24, 1.25].map((ratio) => score(ratio) === 100)).toEqual([false, false, true]);
  });
  it("§11.13 a strength earns its points", () => {
    expect(reason({ kind: "strength", points: 1 })).toBe(
      `Active on 5 days ${DATES}, where 12 are typical: this earns 1 point.`,
    );
  });
  it("§11.13 a cap takes off what it takes off", () => {
    const cap = "this caps the score and takes off 12.3 points.";
    expect(reason({ kind: "cap", code: "silent", observed: 9, expected: 9 })).toBe(
      `9 business days without activity up to 12 Nov 2026, where 9 count as silence: ${cap}`,
    );
    expect(reason({ kind: "cap", code: "confirmed_drop", observed: 20, expected: 40 })).toBe(
      `20 user-days ${DATES}, where 40 are expected: ${cap}`,
    );
    expect(reason({ kind: "cap", code: "below_own_best", observed: 20, expected: 80 })).toBe(
      `20 user-days ${DATES}, where 80 are its own best: ${cap}`,
    );
  });
});

const cap = (code: "silent" | "confirmed_drop" | "below_own_best", points: number): Reason => ({
  ...REASON,
  kind: "cap",
  code,
  points,
});
const endings = (...reasons: Reason[]) => describeReasons(reasons).map((text) => text.slice(text.indexOf(": ") + 2));

describe("several reasons", () => {
  it("§11.13 of several caps the first decides, and the others say what they would do", () => {
    expect(endings(cap("silent", 30), cap("confirmed_drop", 12.34), cap("below_own_best", 1), REASON)).toEqual([
      "this caps the score and takes off 30 points.",
      "by itself this would take off 12.3 points.",
      "by itself this would take off 1 point.",
      "this costs 12.3 points.",
    ]);
  });
  it("§11.13 of two caps as low as each other one decides", () => {
    expect(endings(cap("silent", 30), cap("confirmed_drop", 30))).toEqual([
      "this caps the score and takes off 30 points.",
      "by itself this would take off 30 points.",
    ]);
  });
  it("§11.13 one cap alone decides, wherever it stands", () => {
    expect(endings(REASON, cap("silent", 30))).toEqual([
      "this costs 12.3 points.",
      "this caps the score and takes off 30 points.",
    ]);
    expect(describeReason(cap("silent", 30), false)).toBe(describeReason(cap("silent", 30)));
  });
  it("§11.13 are none, or each as by itself", () => {
    expect(describeReasons([])).toEqual([]);
    const strength: Reason = { ...REASON, kind: "strength" };
    expect(describeReasons([REASON, strength])).toEqual([REASON, strength].map((each) => describeReason(each)));
  });
});

describe("what is wanting for a score", () => {
  it("§11.10 says what there is and what is needed", () => {
    expect(describeMissing({ code: "coverage", observed: 0.4, required: 0.6 })).toBe(
      "40% of the score can be measured so far, and at least 60% are needed.",
    );
    expect(describeMissing({ code: "tenure", observed: 1, required: 14 })).toBe(
      "Known for 1 day so far, and at least 14 are needed.",
    );
    expect(describeMissing({ code: "active_days", observed: 3, required: 5 })).toBe(
      "Active on 3 days so far, and at least 5 are needed.",
    );
  });
});

describe("what has changed in a week", () => {
  it("§11.13 says for each component whether it earns or costs more", () => {
    expect(describeChange({ component: "breadth", points: 3.25 })).toBe(
      "How many of its people use it earns 3.3 points more than 7 days ago.",
    );
    expect(describeChange({ component: "recency", points: -1 })).toBe(
      "How recently it was used costs 1 point more than 7 days ago.",
    );
    expect(describeChange({ component: "frequency", points: 2 })).toMatch(/^How often it is used earns 2 points/);
    expect(describeChange({ component: "depth", points: 2 })).toMatch(/^How many core features it uses earns/);
    expect(describeChange({ component: "trend", points: 2 })).toMatch(/^How its use compares with before earns/);
  });
});

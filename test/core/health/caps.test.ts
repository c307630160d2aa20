import { describe, expect, it } from "vitest";

import { DAY_MS } from "../../../src/core/durations.ts";
import { capsAt, confirmedDrop, isConfirmed } from "../../../src/core/health/caps.ts";
import type { AccountMeasures } from "../../../src/core/health/measures.ts";
import { type Cap, CAPS, type Day, type UsageComparison } from "../../../src/core/health/model.ts";
import { contextWith, historyOf, measure, MONDAY, usageOf, weekdaysBetween } from "./support.ts";

const window = { from: MONDAY - 13, to: MONDAY };
const trend = (ratio: number, z = -3): UsageComparison => ({ observed: ratio * 100, expected: 100, ratio, z, window });

const best = (ratio: number, z = -2): UsageComparison => ({ observed: ratio * 80, expected: 80, ratio, z, window });

type Given = Partial<AccountMeasures>;
const given = (measures: Given): AccountMeasures => ({
  ...measure(historyOf([])),
  silence: () => null,
  drop: () => null,
  ownBest: () => null,
  ...measures,
});
const OUTAGE = { outages: [[MONDAY - 3, MONDAY - 1]] } as const;
const limits = (what: Given) => capsAt(given(what), MONDAY).map(({ cap, limit }) => [cap, limit] as const);
/** Leaves out the cap that most declines have too. */
const caps = (what: Given) => limits(what).filter(([cap]) => cap !== "declining");

const drop = (...found: (UsageComparison | null)[]) =>
  confirmedDrop(given({ drop: (day) => found[MONDAY - day] ?? null }), MONDAY);

describe("a confirmed drop", () => {
  it("§11.8 needs three days in a row", () => {
    expect(drop(trend(0.6), trend(0.5), trend(0.4))).toEqual(trend(0.6));
    expect(drop(trend(0.6), trend(0.6), null)).toBeNull();
    expect(drop(trend(0.6), null, trend(0.6))).toBeNull();
    expect(drop(null, trend(0.6), trend(0.6))).toBeNull();
  });
  it("§11.11 skips the days of an outage", () => {
    const found = new Map([MONDAY, MONDAY - 4, MONDAY - 5].map((day) => [day, trend(0.6)]));
    const measures = { ...given({ drop: (day) => found.get(day) ?? null }), context: contextWith(OUTAGE) };
    expect(confirmedDrop(measures, MONDAY)).toEqual(trend(0.6));
    expect(confirmedDrop({ ...measures, context: contextWith({}) }, MONDAY)).toBeNull();
  });
});

describe("the caps of a score", () => {
  it("§11.8 silence caps at 30", () => {
    const silence = { lastDay: MONDAY - 9, gap: 6, threshold: 6, silent: true };
    expect(capsAt(given({ silence: () => silence }), MONDAY)).toEqual([
      { cap: "silent", limit: 30, observed: 6, expected: 6, window: { from: MONDAY - 9, to: MONDAY } },
    ]);
    expect(caps({ silence: () => ({ ...silence, gap: 5, silent: false }) })).toEqual([]);
  });
  it("§11.8 a confirmed drop caps at 60, and at 39 from a ratio of 0.35", () => {
    expect(caps({ drop: () => trend(0.6) })).toEqual([["confirmed_drop", 60]]);
    expect(caps({ drop: () => trend(0.36) })).toEqual([["confirmed_drop", 60]]);
    expect(caps({ drop: () => trend(0.35) })).toEqual([["confirmed_drop", 39]]);
    expect(capsAt(given({ drop: () => trend(0.5) }), MONDAY)[0]).toMatchObject({ observed: 50, expected: 100, window });
  });
  it("§11.8 half of the own best caps at 60, a quarter at 40", () => {
    expect(caps({ ownBest: () => best(0.75) })).toEqual([["below_own_best", 80]]);
    expect(caps({ ownBest: () => best(0.25) })).toEqual([["below_own_best", 40]]);
    expect(capsAt(given({ ownBest: () => best(0.5) }), MONDAY)[0]).toEqual({
      cap: "below_own_best",
      limit: 60,
      observed: 40,
      expected: 80,
      window,
    });
  });
  it("§11.8 above half of the own best, a cap needs a z of -2", () => {
    expect(caps({ ownBest: () => best(0.51, -1.99) })).toEqual([]);
    expect(caps({ ownBest: () => best(0.5, -1.99) })).toEqual([["below_own_best", 60]]);
  });
  it("§11.8 a contraction caps at 64", () => {
    const measures = measure(
      historyOf([], {
        attributes: [
          [MONDAY - 9, { seats: 10, mrr: 5 }],
          [MONDAY, { seats: 8 }],
        ],
      }),
    );
    const found = { cap: "contraction", limit: 64, observed: 8, expected: 10 };
    expect(capsAt(measures, MONDAY)).toEqual([{ ...found, window: { from: MONDAY - 1, to: MONDAY } }]);
    expect(capsAt(measures, MONDAY + 30)).toEqual([]);
  });
  it("§11.8 a dropped feature caps at 64, a quiet key user at 60", () => {
    const feature = { feature: 3, users: 4, days: 12, lastDay: MONDAY - 21 };
    const silence = { lastDay: MONDAY - 16, gap: 12, threshold: 11, silent: true };
    const absent = { window: { from: MONDAY - 21, to: MONDAY }, observed: 0, expected: 12 };
    expect(capsAt(given({ droppedFeatures: () => [feature] }), MONDAY)).toEqual([
      { cap: "feature_dropped", limit: 64, ...absent },
    ]);
    expect(capsAt(given({ keyUsers: () => [{ user: 7, days: 20, share: 0.4, silence }] }), MONDAY)).toEqual([
      { cap: "key_user_quiet", limit: 60, observed: 12, expected: 11, window: { from: MONDAY - 16, to: MONDAY } },
    ]);
  });
  it("§11.8 a single user caps at 85, if several could use the account", () => {
    const one = usageOf(weekdaysBetween(MONDAY - 20, MONDAY), () => 1);
    const capsOf = (seats: number | null, kind: "company" | "solo") =>
      capsAt(measure(historyOf(one, { kind, attributes: [[MONDAY - 20, { seats }]] })), MONDAY);
    expect(capsOf(2, "company")).toMatchObject([{ cap: "single_user", limit: 85, observed: 1 }]);
    expect(capsOf(null, "company")).toMatchObject([{ cap: "single_user" }]);
    expect(capsOf(1, "company")).toEqual([]);
    expect(capsOf(2, "solo")).toEqual([]);
  });
  it("§11.8 several caps can apply at once", () => {
    const days = usageOf(weekdaysBetween(MONDAY - 120, MONDAY), (day) => (day > MONDAY - 21 ? 0 : 8));
    expect(capsAt(measure(historyOf(days)), MONDAY).map(({ cap }) => cap)).toEqual([
      "silent",
      "confirmed_drop",
      "below_own_best",
      "declining",
    ]);
  });
});

const END = MONDAY + 10;
/** Returns a trial of 30 days on its twentieth, with some users on each of its weekdays. */
const trial = (usersOn: (day: Day) => number, endsOn = END) =>
  measure(
    historyOf(usageOf(weekdaysBetween(END - 30, END + 5), usersOn), {
      firstDay: END - 30,
      attributes: [[END - 30, { stage: "trial", trialEndsAt: new Date(endsOn * DAY_MS).toISOString() }]],
    }),
  );

const capsOfTrial = (day: Day, usersOn: (day: Day) => number = () => 4) => capsAt(trial(usersOn), day);
const limitOf = (cap: Cap, found: ReturnType<typeof capsAt>) => found.find((each) => each.cap === cap)?.limit;

describe("the caps of a trial", () => {
  it("§11.8 rise from 70 to 100 in the course of the trial", () => {
    const limitsOn = [END - 30, END - 16, END - 1].map((day) => limitOf("trial_unproven", capsOfTrial(day)));
    expect(limitsOn).toEqual([71, 85, undefined]);
    expect(capsOfTrial(END - 16)).toMatchObject([{ observed: 15, expected: 30 }]);
  });
  it("§11.8 need an end", () => {
    const days = usageOf([MONDAY], () => 4);
    const endless = historyOf(days, { attributes: [[MONDAY, { stage: "trial" }]] });
    expect(capsAt(measure(endless), MONDAY)).toEqual([]);
  });
  it("§11.8 follow the last week down from the best one", () => {
    const limitsOf = [0, 1, 3, 4].map((users) => {
      const found = capsOfTrial(END - 1, (day) => (day < END - 7 ? 4 : users));
      return limitOf("trial_fading", found);
    });
    // The standard error of a ratio to 20 user-days is 1 / √20.
    expect(limitsOf).toEqual([22.36, 47.36, 97.36, undefined]);
  });
  it("§11.8 are 64 from a day after the end", () => {
    const over = { cap: "trial_over", limit: 64, expected: 0 };
    expect(capsOfTrial(END - 1)).toEqual([]);
    expect(capsOfTrial(END)).toMatchObject([{ ...over, observed: 1 }]);
    expect(capsOfTrial(END + 2)).toMatchObject([{ ...over, observed: 3 }]);
  });
});

describe("a decline that may be chance", () => {
  it("§11.8 caps by its share plus a standard error, at 65 or more", () => {
    expect(limits({ ownBest: () => best(0.8, -1.6) })).toEqual([["declining", 91]]);
    expect(limits({ ownBest: () => best(0.8, -1) })).toEqual([]);
    expect(limits({ ownBest: () => best(0.6, -1.6) })).toEqual([["declining", 82]]);
    expect(limits({ week: () => trend(0.2, -8) })).toEqual([["declining", 65]]);
    expect(limits({ week: () => trend(1.2, 3), ownBest: () => null })).toEqual([]);
  });
  it("§11.8 reports the lower of the two comparisons", () => {
    const found = capsAt(given({ ownBest: () => best(0.8, -1.6), week: () => trend(0.7, -3) }), MONDAY);
    expect(found).toEqual([{ cap: "declining", limit: 76, observed: 70, expected: 100, window }]);
  });
  it("§11.8 compares five business days with the median week, scaled by the workspace factor", () => {
    const days = usageOf(weekdaysBetween(MONDAY - 100, MONDAY), (day) => (day > MONDAY - 6 ? 4 : 8));
    expect(measure(historyOf(days)).week(MONDAY)).toMatchObject({
      observed: 24,
      expected: 40,
      window: { from: MONDAY - 6, to: MONDAY },
    });
    expect(measure(historyOf(days.slice(-20))).week(MONDAY)).toBeNull();
  });
  it("§11.12 does not change a state at once, as all estimates", () => {
    const estimates = CAPS.filter((cap) => !isConfirmed({ cap }));
    expect(estimates).toEqual(["trial_unproven", "trial_fading", "declining", "single_user"]);
  });
});

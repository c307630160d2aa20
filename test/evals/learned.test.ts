/** The learned ceiling of `npm run evaluate`: a logistic regression that is never measured on what it learned from. */
import { describe, expect, it } from "vitest";

import { type Example, learn, learnedBefore } from "../../evals/health/figures/learned.ts";
import { ranked } from "../../evals/health/figures/ranking.ts";
import type { ObservedAccount, ObservedWorkspace } from "../../evals/health/observed.ts";
import { chance, normal, randomOf } from "../../evals/simulator/random.ts";

const COUNT = 1_000;
const LAST_DAY = 200;

/** Draws examples whose first two values differ by `distance` on their diagonal; the third says nothing. */
function drawn(name: string, distance: number): Example[] {
  const random = randomOf(name);
  return Array.from({ length: COUNT }, () => {
    const label = chance(random, 0.3) ? 1 : 0;
    const along = distance === 0 ? normal(random) : (label === 1 ? 1 : -1) * distance * (0.1 + random());
    const across = normal(random);
    return { values: [1000 * (along + across), along - across, normal(random)], label, weight: 1 };
  });
}

/** Returns the AUC of a model among examples. */
function aucOf(riskOf: ReturnType<typeof learn>, examples: readonly Example[]): number | null {
  const others = examples.filter(({ label }) => label === 0).map(({ values }) => -riskOf(values));
  return ranked(examples.filter(({ label }) => label === 1).map(({ values }) => ({ score: -riskOf(values), others })))
    .auc;
}

describe("learn", () => {
  it("separates examples that a line separates, although neither value does alone", () => {
    const examples = drawn("separable", 1);
    expect(aucOf(({ 0: value = 0 }) => value, examples)).toBeLessThan(0.9);
    expect(aucOf(learn(examples), examples)).toBe(1);
    expect(aucOf(learn(examples), drawn("others", 1))).toBe(1);
  });

  it("ranks examples without a difference at random", () => {
    expect(aucOf(learn(drawn("noise", 0)), drawn("other noise", 0))).toBeCloseTo(0.5, 1);
  });

  it("learns the same from the same examples", () => {
    const [one, other] = [learn(drawn("same", 1)), learn(drawn("same", 1))];
    expect(drawn("others", 1).map(({ values }) => one(values))).toEqual(
      drawn("others", 1).map(({ values }) => other(values)),
    );
  });
});

/** Simulates a seed of customers whose trend costs `ending` points if they end their contract, and `staying` otherwise. */
function workspaceOf(seed: number, ending: number, staying: number): ObservedWorkspace {
  const random = randomOf(`customers of ${seed}`);
  const accounts = Array.from({ length: 40 }, (_, index): ObservedAccount => {
    const ends = index % 4 === 0;
    const loss = (ends ? ending : staying) + random();
    const rowOn = (day: number) => ({
      day,
      state: "healthy" as const,
      score: 80,
      uncapped: 80,
      losses: [0, 0, 0, 0, loss],
    });
    return {
      id: String(index),
      truth: {
        scenario: ends ? "cliff" : "steady",
        firstDay: 0,
        declineDay: null,
        declinedDay: null,
        churnDay: ends ? LAST_DAY : null,
        growthDay: null,
        trialEndDay: null,
      },
      userDays: Array.from({ length: LAST_DAY + 10 }, () => 5),
      items: [],
      health: [rowOn(LAST_DAY - 30)],
    };
  });
  const rest = { days: LAST_DAY + 10, items: [], disturbances: [], factors: [], rerunSame: true };
  return { seed: `${seed}/0`, accounts, ...rest };
}

describe("learnedBefore", () => {
  it("ranks each seed by what the others show", () => {
    const alike = learnedBefore([workspaceOf(1, 10, 0), workspaceOf(2, 10, 0)], 30);
    expect(alike).toMatchObject({ churns: 20, unscored: 0, auc: 1 });
  });

  it("learns nothing from the seed that it ranks", () => {
    expect(learnedBefore([workspaceOf(1, 10, 0), workspaceOf(2, 0, 10)], 30).auc).toBe(0);
    expect(learnedBefore([workspaceOf(1, 10, 0)], 30)).toMatchObject({ churns: 0, auc: null });
  });
});

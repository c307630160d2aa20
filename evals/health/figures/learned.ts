/**
 * Measures how well a logistic regression ranks that learned from what the score sees on the day: a ceiling for its
 * weights and caps. It ranks a seed with what it learned from the others.
 */
import { deviation, mean, sum } from "d3-array";

import type { ObservedAccount, ObservedWorkspace } from "../observed.ts";
import { type RankedGroup, comparisonsBefore, isCustomer, ranked, type Ranking } from "./ranking.ts";

/** An account on a day, as numbers. */
type Values = readonly number[];

export interface Example {
  values: Values;
  /** 1 if the contract ends, else 0. */
  label: 0 | 1;
  weight: number;
}

const STEPS = 150;
const RATE = 1;
/** Penalty on the squares of the coefficients (L2). */
const PENALTY = 0.01;

/** Ranks customers among customers, some days before their end. There is nothing to rank with a single seed. */
export function learnedBefore(workspaces: readonly ObservedWorkspace[], daysBefore: number): Ranking {
  const seeds = [...Map.groupBy(workspaces, ({ seed }) => seed.split("/")[0])].map(([, its]) =>
    comparisonsBefore(its, daysBefore, isCustomer, isCustomer, valuesOn),
  );
  return ranked(
    seeds.flatMap((tested) => {
      const examples = seeds.flatMap((seed) => (seed === tested ? [] : seed.flatMap(examplesOf)));
      if (examples.length === 0) return [];
      const riskOf = learn(examples);
      return tested.map(({ score, others }) => ({
        score: score === null ? null : -riskOf(score),
        others: others.map((values) => -riskOf(values)),
      }));
    }),
  );
}

/** Gives the accounts that stay as much weight as the one that ends. */
const examplesOf = ({ score, others }: RankedGroup<Values>): Example[] => [
  ...(score === null ? [] : [{ values: score, label: 1, weight: 1 } as const]),
  ...others.map((values) => ({ values, label: 0, weight: 1 / others.length }) as const),
];

/** Fits a logistic regression by gradient descent. @returns the log odds that a contract ends */
export function learn(examples: readonly Example[]): (values: Values) => number {
  const scales = (examples[0]?.values ?? []).map((_, index) => {
    const column = examples.map(({ values }) => values[index] ?? 0);
    return { mean: mean(column) ?? 0, deviation: deviation(column) || 1 };
  });
  const standardized = (values: Values) => [
    1,
    ...scales.map((scale, index) => ((values[index] ?? 0) - scale.mean) / scale.deviation),
  ];
  const rows = examples.map(({ values, ...example }) => ({ ...example, values: standardized(values) }));
  const total = sum(rows.map(({ weight }) => weight));
  let coefficients = [0, ...scales.map(() => 0)];
  for (let step = 0; step < STEPS; step += 1) {
    const gradient = coefficients.map((coefficient, index) => (index === 0 ? 0 : PENALTY * coefficient));
    for (const { values, label, weight } of rows) {
      const error = (weight / total) * (1 / (1 + Math.exp(-dot(coefficients, values))) - label);
      for (const [index, value] of values.entries()) gradient[index] = (gradient[index] ?? 0) + error * value;
    }
    coefficients = coefficients.map((coefficient, index) => coefficient - RATE * (gradient[index] ?? 0));
  }
  return (values) => dot(coefficients, standardized(values));
}

const dot = (one: Values, other: Values): number =>
  one.reduce((total, value, index) => total + value * (other[index] ?? 0), 0);

/** Returns what the score sees of a scored day: components, points that caps took, ratios of usage, size and tenure. */
function valuesOn({ health, truth, userDays }: ObservedAccount, day: number): Values | null {
  const row = health.find((one) => one.day === day);
  if (row === undefined || row.score === null) return null;
  /** User-days of `days` days, the last of them `back` days before. */
  const used = (days: number, back = 0) =>
    sum(userDays.slice(Math.max(0, day + 1 - back - days), Math.max(0, day + 1 - back)));
  const best = Math.max(...Array.from({ length: 22 }, (_, weeks) => used(28, 7 * weeks)));
  return [
    ...row.losses.map((loss) => loss ?? 0),
    (row.uncapped ?? row.score) - row.score,
    used(28) / Math.max(1, best),
    Math.min(2, (4 * used(7)) / Math.max(1, used(28, 7))),
    Math.min(2, (4 * used(14)) / Math.max(1, used(56, 14))),
    Math.log(1 + best),
    Math.log(1 + day - truth.firstDay),
  ];
}

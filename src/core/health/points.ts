/**
 * Computes a score and its points, in hundredths. The loss of each component is rounded first and the score is 100 minus
 * the losses, so the explanation adds up to the score exactly.
 */
import { WEIGHTS } from "./components.ts";
import type { Measures } from "./measures.ts";
import { type ComponentValue, COMPONENTS, type Day } from "./model.ts";

export function round2(points: number): number {
  return Math.round(points * 100) / 100;
}

/** Lists values and points in the order of `COMPONENTS`, with `null` for a component without a value. */
export function pointsAt(measures: Measures, day: Day) {
  const { stage } = measures.stage(day);
  const weights = WEIGHTS[stage === "trial" ? "trial" : "active"];
  const values = COMPONENTS.map((component) => measures.component(day, component));
  const present = values.filter((value) => value !== null);
  const weight = present.reduce((sum, { component }) => sum + weights[component], 0);
  const pointsOf = (value: ComponentValue | null, percent: (score: number) => number) =>
    value === null ? null : round2((weights[value.component] * percent(value.score)) / Math.max(1, weight));
  const losses = values.map((value) => pointsOf(value, (score) => 100 - score));
  return {
    values,
    losses,
    gains: values.map((value) => pointsOf(value, (score) => score)),
    /** The share of the weights whose components have a value, 0 to 1. */
    coverage: weight / 100,
    /** The score before caps. */
    uncapped: round2(100 - losses.reduce<number>((sum, loss) => sum + (loss ?? 0), 0)),
  };
}

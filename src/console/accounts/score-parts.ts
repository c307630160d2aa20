/** What a score consists of, and why it changed. */
import { WEIGHTS } from "../../core/health/components.ts";
import {
  type Cap,
  type Component,
  COMPONENTS,
  type Day,
  type Health,
  type HealthReason,
} from "../../core/health/model.ts";
import { counted, describeChange } from "../../core/health/texts.ts";

/** The points of a component (docs/health.md §11.7). */
export interface ScorePart {
  component: Component;
  /** The most points that it can earn. All measured components add up to 100. `null` if it is not measured. */
  possible: number | null;
  earned: number;
  lost: number;
}

/** Returns the components that have a weight; none without a score. */
export function scoreParts({ uncapped, stage, losses }: Health): ScorePart[] {
  if (uncapped === null) return [];
  const weights = WEIGHTS[stage === "trial" ? "trial" : "active"];
  const weighted = COMPONENTS.map((component, index) => ({
    component,
    weight: weights[component],
    lost: losses[index] ?? null,
  })).filter(({ weight }) => weight > 0);
  const measured = weighted.reduce((sum, { weight, lost }) => sum + (lost === null ? 0 : weight), 0);
  return weighted.map(({ component, weight, lost }) => {
    if (lost === null) return { component, possible: null, earned: 0, lost: 0 };
    const possible = (100 * weight) / measured;
    return { component, possible, earned: Math.max(0, possible - lost), lost };
  });
}

/** The distance of the two scores that changes compare: docs/health.md §11.13. */
const CHANGE_DAYS = 7;
/** Smaller differences are rounding errors. */
const MIN_POINTS = 0.05;

type DayScore = Pick<Health, "score" | "uncapped">;

/**
 * Lists the changes of the components, and what else moved the score: a cap, or a component that was measured on only one
 * of the two days.
 */
export function scoreChanges(
  { day, trend, score, uncapped, changes }: Health,
  history: readonly (DayScore & { day: Day })[],
): { points: number; text: string }[] {
  const listed = changes.map((change) => ({ points: change.points, text: describeChange(change) }));
  if (trend === null) return listed;
  const weekBefore = history.find((before) => before.day === day - CHANGE_DAYS);
  const capped = capEffect({ score, uncapped }) - (weekBefore === undefined ? 0 : capEffect(weekBefore));
  const rest = trend - capped - changes.reduce((sum, { points }) => sum + points, 0);
  return [
    ...listed,
    { points: capped, text: `Score caps: ${describePoints(capped)}.` },
    { points: rest, text: `Components measured on only one of the two days: ${describePoints(rest)}.` },
  ].filter(({ points }) => Math.abs(points) >= MIN_POINTS);
}

const capEffect = ({ score, uncapped }: DayScore): number =>
  score === null || uncapped === null ? 0 : Math.min(0, score - uncapped);

const describePoints = (points: number): string =>
  `${points < 0 ? "−" : "+"}${counted(Math.abs(points), "point")} in 7 days`;

/** The component whose loss says the same as a cap. */
const SAME_AS: Readonly<Partial<Record<Cap | Component, Component>>> = {
  silent: "recency",
  confirmed_drop: "trend",
  below_own_best: "trend",
  declining: "trend",
  trial_fading: "trend",
  single_user: "breadth",
  feature_dropped: "depth",
};
const MAIN_REASONS = 3;

/** Returns the indexes of the reasons that matter most, in their order, and of several that say the same only the first. */
export function mainReasons(reasons: readonly HealthReason[]): number[] {
  const topics = reasons.map(({ code }) => SAME_AS[code] ?? code);
  return [...topics.keys()]
    .filter((index) => topics.indexOf(topics[index] ?? "silent") === index)
    .slice(0, MAIN_REASONS);
}

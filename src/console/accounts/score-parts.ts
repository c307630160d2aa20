/** The points of each component: how many it can earn, earned and lost (docs/health.md §11.7). */
import { WEIGHTS } from "../../core/health/components.ts";
import { type Component, COMPONENTS, type Health } from "../../core/health/model.ts";

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

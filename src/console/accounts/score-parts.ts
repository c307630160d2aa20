/** What a score is made of: what each component could bring, what it brings, and what it loses (docs/health.md §11.7). */
import { WEIGHTS } from "../../core/health/components.ts";
import { type Component, COMPONENTS, type Health } from "../../core/health/model.ts";

export interface ScorePart {
  component: Component;
  /** The points it could bring. They come to 100 over the components that can be measured. `null`: not measured. */
  possible: number | null;
  earned: number;
  lost: number;
}

/** @returns those that have any weight; none of a health without a score */
export function scoreParts({ uncapped, stage, losses }: Health): ScorePart[] {
  if (uncapped === null) return [];
  const weights = WEIGHTS[stage === "trial" ? "trial" : "active"];
  const weighed = COMPONENTS.map((component, place) => ({
    component,
    weight: weights[component],
    lost: losses[place] ?? null,
  })).filter(({ weight }) => weight > 0);
  const measured = weighed.reduce((sum, { weight, lost }) => sum + (lost === null ? 0 : weight), 0);
  return weighed.map(({ component, weight, lost }) => {
    if (lost === null) return { component, possible: null, earned: 0, lost: 0 };
    const possible = (100 * weight) / measured;
    return { component, possible, earned: Math.max(0, possible - lost), lost };
  });
}

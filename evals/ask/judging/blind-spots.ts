/**
 * Whether the judge would see it: every right answer is spoiled in the ways that a wrong one would be wrong, and judged
 * again. One that passes shows a blind spot of the evaluation, not a fault of the service.
 */
import { judge, type Judged } from "./judge.ts";
import { SPOILS } from "./spoiled.ts";

export interface BlindSpots {
  spoiled: number;
  /** By what was spoiled. */
  unseen: Record<string, number>;
}

export function blindSpotsIn(judged: readonly Judged[]): BlindSpots {
  let spoiled = 0;
  const unseen: Record<string, number> = {};
  for (const { asked, got, outcome } of judged) {
    if (outcome !== "right" || got.response === null) continue;
    for (const [name, spoil] of Object.entries(SPOILS)) {
      const response = spoil(got.response);
      if (response === null) continue;
      spoiled += 1;
      if (judge(asked, { ...got, response }).outcome !== "wrong") unseen[name] = (unseen[name] ?? 0) + 1;
    }
  }
  return { spoiled, unseen };
}

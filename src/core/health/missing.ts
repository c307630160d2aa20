/** What it takes to score an account at all: docs/health.md §11.10. */
import type { Measures } from "./measures.ts";
import type { Day, Missing, Stage } from "./model.ts";

const MIN_COVERAGE = 0.6;
const MIN_TENURE: Readonly<Record<Stage, number>> = { trial: 3, active: 14, churned: 14 };
const MIN_ACTIVE_DAYS: Readonly<Record<Stage, number>> = { trial: 2, active: 5, churned: 5 };

/**
 * What is wanting for a score on a day.
 *
 * @param coverage the share of weight that has a value
 */
export function missingAt(measures: Measures, day: Day, coverage: number): Missing[] {
  const { stage } = measures.stage(day);
  const needs: Missing[] = [
    { code: "coverage", observed: coverage, required: MIN_COVERAGE },
    { code: "tenure", observed: measures.tenure(day), required: MIN_TENURE[stage] },
    { code: "active_days", observed: measures.activeDaysEver(day), required: MIN_ACTIVE_DAYS[stage] },
  ];
  return needs.filter(({ observed, required }) => observed < required);
}

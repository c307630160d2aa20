/** Checks whether there is enough data for a score (docs/health.md §11.10). */
import type { Measures } from "./measures.ts";
import type { Day, Missing, Stage } from "./model.ts";

const MIN_COVERAGE = 0.6;
const MIN_TENURE_DAYS: Readonly<Record<Stage, number>> = { trial: 3, active: 14, churned: 14 };
const MIN_ACTIVE_DAYS: Readonly<Record<Stage, number>> = { trial: 2, active: 5, churned: 5 };

/** Lists the data that an account needs for a score on a day and doesn't have. Empty if it can be scored. */
export function missingAt(measures: Measures, day: Day, coverage: number): Missing[] {
  const { stage } = measures.stage(day);
  const needs: Missing[] = [
    { code: "coverage", observed: coverage, required: MIN_COVERAGE },
    { code: "tenure", observed: measures.tenure(day), required: MIN_TENURE_DAYS[stage] },
    { code: "active_days", observed: measures.activeDaysEver(day), required: MIN_ACTIVE_DAYS[stage] },
  ];
  return needs.filter(({ observed, required }) => observed < required);
}

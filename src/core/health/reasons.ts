/**
 * Explains a day's health: the reasons of the score and what changed. While the sender is out, the score is frozen at the
 * last day before the outage was detected, so the reasons are those of that day.
 */
import { capsAt } from "./caps.ts";
import { calendarOf } from "./business-days.ts";
import { round2 } from "./components.ts";
import type { AccountMeasures } from "./measures.ts";
import { missingAt, pointsAt } from "./score-day.ts";
import {
  type ComponentChange,
  COMPONENTS,
  type Day,
  type Health,
  type HealthDay,
  type HealthRowOf,
  MODEL_VERSION,
  type HealthReason,
  type SenderSilence,
} from "./model.ts";

const CHANGE_DAYS = 7;
const MAX_LOSSES = 3;
const MAX_STRENGTHS = 2;

/** @param history the rows of the last seven days */
export function explain(measures: AccountMeasures, health: HealthDay, history: HealthRowOf): Health {
  const { stage, known } = measures.stage(health.day);
  const before = history(health.day - CHANGE_DAYS);
  return {
    ...health,
    modelVersion: MODEL_VERSION,
    trend: scoreChange(health, before),
    stage,
    stageKnown: known,
    reasons: reasonsFor(measures, health),
    changes: changesSince(health, before),
    missing:
      health.state === "insufficient_data"
        ? missingAt(measures, health.day, pointsAt(measures, health.day).coverage)
        : [],
  };
}

/** Lists caps, then losses, then strengths, each with the largest first. */
function reasonsFor(measures: AccountMeasures, { day, state, uncapped }: HealthDay): HealthReason[] {
  if (uncapped === null) return [];
  const { silence } = measures.context(day);
  const scoredDay = state === "stale" && silence !== null ? lastDayBeforeDetection(silence) : day;
  const { values, losses, gains } = pointsAt(measures, scoredDay);
  const reasons = (kind: "loss" | "strength", points: readonly (number | null)[]): HealthReason[] =>
    values.flatMap((value, index) => {
      if (value === null) return [];
      const { component: code, observed, expected, window } = value;
      return [{ kind, code, points: points[index] ?? 0, observed, expected, window }];
    });
  const caps = capsAt(measures, scoredDay).map(({ cap, limit, ...comparison }): HealthReason => {
    return { kind: "cap", code: cap, points: round2(uncapped - limit), ...comparison };
  });
  return [
    ...largest(caps),
    ...largest(reasons("loss", losses)).slice(0, MAX_LOSSES),
    ...largest(reasons("strength", gains)).slice(0, MAX_STRENGTHS),
  ];
}

/** Sorts the reasons with any points by their points. Equal ones keep their order. */
function largest(reasons: readonly HealthReason[]): HealthReason[] {
  return reasons.filter(({ points }) => points > 0).toSorted((a, b) => b.points - a.points);
}

/** Returns the last day on which the sender's silence was still below its threshold. */
function lastDayBeforeDetection({ lastDay, threshold }: SenderSilence): Day {
  const calendar = calendarOf([]);
  let day = lastDay;
  while (calendar.businessDays(lastDay + 1, day + 1) < threshold) day += 1;
  return day;
}

function scoreChange({ score }: HealthDay, before: HealthDay | undefined): number | null {
  return score === null || before === undefined || before.score === null ? null : round2(score - before.score);
}

/** Compares the points of each component that has a value on both days. */
function changesSince({ score, losses }: HealthDay, before: HealthDay | undefined): ComponentChange[] {
  if (score === null || before === undefined || before.score === null) return [];
  return COMPONENTS.flatMap((component, index) => {
    const loss = losses[index] ?? null;
    const lossBefore = before.losses[index] ?? null;
    const points = loss === null || lossBefore === null ? 0 : round2(lossBefore - loss);
    return points === 0 ? [] : [{ component, points }];
  }).toSorted((a, b) => Math.abs(b.points) - Math.abs(a.points));
}

/** The rule about a score that fell without a more specific item (docs/health.md §12.2). */
import type { AccountItemKind, ItemEvidence } from "./model.ts";
import { BAND_BOUNDS } from "../health/band.ts";
import type { Day } from "../health/model.ts";
import { everyDay, type RuleInput, type Rule } from "./rule.ts";

/** An open item of these kinds explains more than the score. */
const SPECIFIC_RISKS: readonly AccountItemKind[] = [
  "trial_ending_low_activity",
  "trial_expired",
  "never_activated",
  "usage_drop",
  "slow_decline",
  "gone_silent",
  "key_user_quiet",
  "feature_dropped",
  "contraction",
];

const FALL_DAYS = 14;
const FALL_POINTS = 20;
/** The fall must show on this many days in a row, because a few quiet days also lower a score. */
const FALL_AGREEING_DAYS = 3;
/** An account leaves the state `at_risk` at this score. */
const OUT_OF_RISK_SCORE = BAND_BOUNDS.atRisk.leftAt;

function uncappedOn({ history, today }: RuleInput, day: Day): number | null {
  return (day === today.day ? today : history(day))?.uncapped ?? null;
}

/**
 * Tests for a fall of the score before caps, because caps have items of their own. It compares whole hundredths of a point,
 * so that rounding cannot hide a fall of exactly 20.
 */
function hasFallenOn(input: RuleInput, day: Day): boolean {
  const score = uncappedOn(input, day);
  const before = uncappedOn(input, day - FALL_DAYS);
  return score !== null && before !== null && Math.round((before - score) * 100) >= FALL_POINTS * 100;
}

/** Scores are frozen during an outage, so the scores before and after it cannot be compared. */
function reachesIntoOutage({ measures, day }: RuleInput): boolean {
  const first = day - FALL_DAYS - FALL_AGREEING_DAYS;
  return measures.context(day).outages.some(([, last]) => last >= first);
}

/** A score that fell but is still healthy needs no action. */
function hasFallen(input: RuleInput): boolean {
  return (
    !reachesIntoOutage(input) &&
    input.today.state !== "healthy" &&
    everyDay(input, FALL_AGREEING_DAYS, (each) => hasFallenOn(input, each))
  );
}

export const HEALTH_DROPPED_RULE: Rule = {
  kind: "health_dropped",
  severity: "medium",
  supersededBy: SPECIFIC_RISKS,
  find: (input) => {
    const { today, history, day } = input;
    const isAtRisk = today.state === "at_risk";
    if (today.score === null || today.confidence === "low" || !(isAtRisk || hasFallen(input))) return [];
    // The band outlasts days without a score. Without an earlier band nothing has dropped.
    const bandBefore = history(day - 1)?.band ?? null;
    const isNewlyAtRisk = isAtRisk && bandBefore !== null && bandBefore !== "at_risk";
    const score = { code: "score", value: today.score };
    const evidence: ItemEvidence[] = [isAtRisk ? { ...score, expected: OUT_OF_RISK_SCORE } : score];
    const before = history(day - FALL_DAYS)?.score ?? null;
    if (before !== null) evidence.push({ code: "score_before", value: before });
    return [{ subject: "", evidence, updateOnly: !isNewlyAtRisk && !hasFallen(input) }];
  },
  resolution: (_, input) => {
    const { score, state } = input.today;
    // Without a score, a recovery is unknown.
    if (score === null || state === "at_risk") return null;
    return hasFallenOn(input, input.day) ? null : "recovered";
  },
};

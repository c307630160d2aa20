/** The rule about a score that fell without a more specific item (docs/inbox.md §12.2). */
import type { AccountItemKind, ItemEvidence } from "./model.ts";
import { BAND_BOUNDS } from "../health/band.ts";
import type { Day } from "../health/model.ts";
import { holdsOnLastDays, healthOn, type RuleInput, type InboxRule, updatedEvidence } from "./rule.ts";

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

/**
 * Tests for a fall of the score before caps, because caps have items of their own. It compares whole hundredths of a point,
 * so that rounding cannot hide a fall of exactly 20.
 */
function hasFallenOn(input: RuleInput, day: Day): boolean {
  const score = healthOn(input, day)?.uncapped ?? null;
  const before = healthOn(input, day - FALL_DAYS)?.uncapped ?? null;
  return score !== null && before !== null && Math.round((before - score) * 100) >= FALL_POINTS * 100;
}

/** Scores are frozen during an outage, so the scores before and after it cannot be compared. */
function reachesIntoOutage({ measures, day }: RuleInput): boolean {
  const first = day - FALL_DAYS - FALL_AGREEING_DAYS;
  return measures.context(day).outages.some(([, last]) => last >= first);
}

/** A score that fell but is still healthy needs no action, and a provisional one may have fallen by chance. */
function hasFallen(input: RuleInput): boolean {
  return (
    !reachesIntoOutage(input) &&
    input.today.state !== "healthy" &&
    input.today.confidence !== "low" &&
    holdsOnLastDays(input, FALL_AGREEING_DAYS, (each) => hasFallenOn(input, each))
  );
}

function evidenceOf({ today, history, day }: RuleInput, value: number): ItemEvidence[] {
  const score = { code: "score", value };
  const before = history(day - FALL_DAYS)?.score ?? null;
  return [
    today.state === "at_risk" ? { ...score, expected: OUT_OF_RISK_SCORE } : score,
    ...(before === null ? [] : [{ code: "score_before", value: before }]),
  ];
}

export const HEALTH_DROPPED_RULE: InboxRule = {
  kind: "health_dropped",
  severity: "medium",
  supersededBy: SPECIFIC_RISKS,
  find: (input) => {
    const { score, state } = input.today;
    // An account at risk always has an item, so nothing delays this one.
    const isAtRisk = state === "at_risk";
    if (score === null || !(isAtRisk || hasFallen(input))) return [];
    return [{ subject: "", evidence: evidenceOf(input, score), isUrgent: isAtRisk }];
  },
  update: (_, input) => updatedEvidence(input.today.score, (score) => evidenceOf(input, score)),
  resolution: (_, input) => {
    const { score, state } = input.today;
    // Without a score, a recovery is unknown.
    if (score === null || state === "at_risk") return null;
    return hasFallenOn(input, input.day) ? null : "recovered";
  },
};

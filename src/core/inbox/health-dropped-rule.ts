/** A score that fell for a reason which no rule of its own tells (docs/health.md §12.2). */
import type { AccountItemKind, ItemEvidence } from "./model.ts";
import { type Facts, isOpen, type Rule } from "./rule.ts";

/** Whatever of these is open says more than a score can. */
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
/** Where the state `at_risk` is left, once it is entered. */
const OUT_OF_RISK_SCORE = 45;

/** Of 14 days before. */
function scoreBefore({ history, day }: Facts): number | null {
  return history(day - FALL_DAYS)?.score ?? null;
}

/** In hundredths of a point, which scores are whole numbers of: a difference of 20 is not to be missed by a rounding. */
function hasFallen(facts: Facts): boolean {
  const { score } = facts.today;
  const before = scoreBefore(facts);
  return score !== null && before !== null && Math.round((before - score) * 100) >= FALL_POINTS * 100;
}

export const HEALTH_DROPPED_RULE: Rule = {
  kind: "health_dropped",
  severity: "medium",
  inOutage: "frozen",
  endsWithChurn: true,
  silenced: ({ items }) => (isOpen(items, SPECIFIC_RISKS) ? "superseded" : null),
  find: (facts) => {
    const { today, history, day } = facts;
    const isAtRisk = today.state === "at_risk";
    if (today.score === null || !(isAtRisk || hasFallen(facts))) return [];
    // The band outlasts days without a score. Where there was none before, nothing has dropped.
    const bandBefore = history(day - 1)?.band ?? null;
    const isNewlyAtRisk = isAtRisk && bandBefore !== null && bandBefore !== "at_risk";
    const score = { code: "score", value: today.score };
    const evidence: ItemEvidence[] = [isAtRisk ? { ...score, expected: OUT_OF_RISK_SCORE } : score];
    const before = scoreBefore(facts);
    if (before !== null) evidence.push({ code: "score_before", value: before });
    return [{ subject: "", evidence, standing: !isNewlyAtRisk && !hasFallen(facts) }];
  },
  resolution: (_, facts) => {
    const { score, state } = facts.today;
    // Without a score nobody knows whether it still is.
    if (score === null || state === "at_risk") return null;
    return hasFallen(facts) ? null : "recovered";
  },
};

/** A score that fell for a reason which no rule of its own tells (docs/health.md §12.2). */
import type { AccountItemKind, ItemEvidence } from "./model.ts";
import type { Day } from "../health/model.ts";
import { everyDay, type Facts, isOpen, type Rule } from "./rule.ts";

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
/** Days in a row on which a fall has to show: a few quiet days lower a score, and are over. */
const FALL_AGREEING_DAYS = 3;
/** Where the state `at_risk` is left, once it is entered. */
const OUT_OF_RISK_SCORE = 45;

/** Of 14 days before. */
function scoreBefore({ history, day }: Facts): number | null {
  return history(day - FALL_DAYS)?.score ?? null;
}

function uncappedOn({ history, today }: Facts, day: Day): number | null {
  return (day === today.day ? today : history(day))?.uncapped ?? null;
}

/**
 * By the score before caps: what caps it has an item of its own. In hundredths of a point, which scores are whole numbers
 * of: a difference of 20 is not to be missed by a rounding.
 */
function hasFallenOn(facts: Facts, day: Day): boolean {
  const score = uncappedOn(facts, day);
  const before = uncappedOn(facts, day - FALL_DAYS);
  return score !== null && before !== null && Math.round((before - score) * 100) >= FALL_POINTS * 100;
}

/** While the sender is out scores stand still, and from before to after there is nothing to compare. */
function reachesIntoOutage({ measures, day }: Facts): boolean {
  const first = day - FALL_DAYS - FALL_AGREEING_DAYS;
  return measures.context(day).outages.some(([, last]) => last >= first);
}

/** A score that fell and is healthy all the same asks nothing of anybody. */
function hasFallen(facts: Facts): boolean {
  return (
    !reachesIntoOutage(facts) &&
    facts.today.state !== "healthy" &&
    everyDay(facts, FALL_AGREEING_DAYS, (each) => hasFallenOn(facts, each))
  );
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
    if (today.score === null || today.confidence === "low" || !(isAtRisk || hasFallen(facts))) return [];
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
    return hasFallenOn(facts, facts.day) ? null : "recovered";
  },
};

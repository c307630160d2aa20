/** Rules about trials (docs/inbox.md §12.2). The subject is the trial's end, so an item closes when the end moves. */
import { DAY_MS } from "../durations.ts";
import { readIsoTime } from "../ingest/iso-time.ts";
import type { InboxItem, ItemEvidence, Resolution } from "./model.ts";
import { type RuleInput, type RuleFinding, type InboxRule, updatedEvidence } from "./rule.ts";

/** Items about a trial's end open this many days before it … */
const NOTICE_DAYS = 7;
/** … and close this many days after it. */
const CLOSE_AFTER_DAYS = 3;
const EXPIRED_AFTER_DAYS = 1;

/** Low activity: at most this many active days of the last 7, or less than half of the expected core features. */
const LOW_ACTIVE_DAYS = 1;
const LOW_DEPTH = 50;
const READY_SCORE = 70;

/** Returns the end of the trial in milliseconds since the epoch; `null` if there is no trial or no end. */
function trialEnd({ measures, day }: RuleInput): number | null {
  if (measures.stage(day).stage !== "trial") return null;
  return readIsoTime(measures.attributes(day).trialEndsAt, false);
}

const daysSince = (end: number, moment: number): number => (moment - end) / DAY_MS;

/** Finds a trial in its last week, if there is evidence. */
function whileEnding(input: RuleInput, evidence: () => readonly ItemEvidence[]): readonly RuleFinding[] {
  const end = trialEnd(input);
  if (end === null || end < input.moment || -daysSince(end, input.moment) > NOTICE_DAYS) return [];
  const found = evidence();
  return found.length === 0 ? [] : [{ subject: String(end), dueAt: end, evidence: found }];
}

function lowActivity({ measures, day }: RuleInput): ItemEvidence[] {
  const evidence: ItemEvidence[] = [];
  const active = measures.activeDays(day, 7);
  if (active <= LOW_ACTIVE_DAYS) evidence.push({ code: "active_days", value: active, expected: LOW_ACTIVE_DAYS + 1 });
  const depth = measures.component(day, "depth");
  if (depth !== null && depth.score < LOW_DEPTH) {
    evidence.push({ code: "core_features", value: depth.observed, expected: depth.expected, window: depth.window });
  }
  return evidence;
}

/** Says what became of a trial; `null` while it goes on with the same end. */
function outcomeOf(item: InboxItem, input: RuleInput): Resolution | null {
  const { stage } = input.measures.stage(input.day);
  if (stage === "active") return "converted";
  if (stage === "churned") return "churned";
  const end = trialEnd(input);
  if (end === null) return "changed";
  return String(end) === item.subject ? null : "moved";
}

function isOver(item: InboxItem, { moment }: RuleInput): boolean {
  return daysSince(Number(item.subject), moment) >= CLOSE_AFTER_DAYS;
}

const endingLowActivity: InboxRule = {
  kind: "trial_ending_low_activity",
  severity: "high",
  find: (input) => whileEnding(input, () => lowActivity(input)),
  update: (_, input) => ({ evidence: lowActivity(input) }),
  resolution: (item, input) => {
    const outcome = outcomeOf(item, input);
    if (outcome !== null) return outcome;
    if (lowActivity(input).length === 0) return "recovered";
    return isOver(item, input) ? "expired" : null;
  },
};

const readyEvidence = ({ measures, day }: RuleInput, score: number): ItemEvidence[] => [
  { code: "score", value: score, expected: READY_SCORE },
  { code: "active_users", value: measures.activeUsers(day) },
];

const endingReady: InboxRule = {
  kind: "trial_ending_ready",
  severity: "medium",
  runsInOutage: true,
  keptOnChurn: true,
  // A trial may have both low activity and a good score, for example many active days with few features.
  supersededBy: ["trial_ending_low_activity"],
  find: (input) =>
    whileEnding(input, () => {
      const { score } = input.today;
      return score === null || score < READY_SCORE ? [] : readyEvidence(input, score);
    }),
  update: (_, input) => updatedEvidence(input.today.score, (score) => readyEvidence(input, score)),
  resolution: (item, input) => outcomeOf(item, input) ?? (isOver(item, input) ? "expired" : null),
};

const expired: InboxRule = {
  kind: "trial_expired",
  severity: "medium",
  runsInOutage: true,
  keptOnChurn: true,
  find: (input) => {
    const end = trialEnd(input);
    if (end === null) return [];
    const since = daysSince(end, input.moment);
    if (since < EXPIRED_AFTER_DAYS) return [];
    const evidence = [{ code: "days_since_trial_end", value: Math.floor(since), expected: 0 }];
    return [{ subject: String(end), dueAt: end, evidence }];
  },
  resolution: outcomeOf,
};

export const TRIAL_RULES: readonly InboxRule[] = [endingLowActivity, endingReady, expired];

/** What becomes of a trial (docs/health.md §12.2). Each is about one end of a trial: when it moves, it is another. */
import { DAY_MS } from "../durations.ts";
import { readIsoTime } from "../ingest/iso-time.ts";
import type { AccountItemKind, InboxItem, ItemEvidence } from "./model.ts";
import { type Facts, type Finding, isOpen, type Rule } from "./rule.ts";

export const TRIAL_KINDS = [
  "trial_ending_low_activity",
  "trial_ending_ready",
  "trial_expired",
] as const satisfies readonly AccountItemKind[];

/** How long before its end a trial is told of, and how long after it the telling of it is pointless. */
const NOTICE_DAYS = 7;
const AFTERMATH_DAYS = 3;
const EXPIRED_AFTER_DAYS = 1;

/** Low activity: at most so many active days of the last 7, or less than half of the features that should be in use. */
const LOW_ACTIVE_DAYS = 1;
const LOW_DEPTH = 50;
const READY_SCORE = 70;

/** The end of the account's trial in milliseconds since the epoch; `null` where it is on no trial, or on one without end. */
function trialEnd({ measures, day }: Facts): number | null {
  if (measures.stage(day).stage !== "trial") return null;
  return readIsoTime(measures.attributes(day).trialEndsAt, false);
}

const daysSince = (end: number, moment: number): number => (moment - end) / DAY_MS;

/** Of a trial in its last week. */
function whileEnding(facts: Facts, evidence: () => readonly ItemEvidence[]): readonly Finding[] {
  const end = trialEnd(facts);
  if (end === null || end < facts.moment || -daysSince(end, facts.moment) > NOTICE_DAYS) return [];
  const found = evidence();
  return found.length === 0 ? [] : [{ subject: String(end), dueAt: end, evidence: found }];
}

function lowActivity({ measures, day }: Facts): ItemEvidence[] {
  const evidence: ItemEvidence[] = [];
  const active = measures.activeDays(day, 7);
  if (active <= LOW_ACTIVE_DAYS) evidence.push({ code: "active_days", value: active, expected: LOW_ACTIVE_DAYS + 1 });
  const depth = measures.component(day, "depth");
  if (depth !== null && depth.score < LOW_DEPTH) {
    evidence.push({ code: "core_features", value: depth.observed, expected: depth.expected, window: depth.window });
  }
  return evidence;
}

/** Whether the trial that an item is about still has that end. */
function isAsItWas(item: InboxItem, facts: Facts): boolean {
  return String(trialEnd(facts)) === item.subject;
}

function isOver(item: InboxItem, { moment }: Facts): boolean {
  return daysSince(Number(item.subject), moment) >= AFTERMATH_DAYS;
}

const endingLowActivity: Rule = {
  kind: "trial_ending_low_activity",
  severity: "high",
  inOutage: "frozen",
  endsWithChurn: true,
  find: (facts) => whileEnding(facts, () => lowActivity(facts)),
  resolution: (item, facts) => {
    if (!isAsItWas(item, facts)) return "changed";
    if (lowActivity(facts).length === 0) return "recovered";
    return isOver(item, facts) ? "expired" : null;
  },
};

const endingReady: Rule = {
  kind: "trial_ending_ready",
  severity: "medium",
  inOutage: "as_usual",
  endsWithChurn: false,
  // A trial can't be told to go badly and well: many active days with few features make a good score, yet no buyer.
  silenced: ({ items }) => (isOpen(items, ["trial_ending_low_activity"]) ? "superseded" : null),
  find: (facts) =>
    whileEnding(facts, () => {
      const { score, day } = facts.today;
      if (score === null || score < READY_SCORE) return [];
      return [
        { code: "score", value: score, expected: READY_SCORE },
        { code: "active_users", value: facts.measures.activeUsers(day) },
      ];
    }),
  resolution: (item, facts) => {
    if (!isAsItWas(item, facts)) return "changed";
    return isOver(item, facts) ? "expired" : null;
  },
};

const expired: Rule = {
  kind: "trial_expired",
  severity: "medium",
  inOutage: "as_usual",
  endsWithChurn: false,
  find: (facts) => {
    const end = trialEnd(facts);
    if (end === null) return [];
    const since = daysSince(end, facts.moment);
    if (since < EXPIRED_AFTER_DAYS) return [];
    return [
      {
        subject: String(end),
        dueAt: end,
        evidence: [{ code: "days_since_trial_end", value: Math.floor(since), expected: 0 }],
      },
    ];
  },
  resolution: (item, facts) => (isAsItWas(item, facts) ? null : "changed"),
};

export const TRIAL_RULES: readonly Rule[] = [endingLowActivity, endingReady, expired];

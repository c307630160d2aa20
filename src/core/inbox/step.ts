/**
 * The inbox, a day at a time (docs/health.md §12). A step takes the items as they were at the end of the day before
 * and gives them as they are at the end of the day, so that a replay from any day ends with the same items.
 */
import { DAY_MS } from "../durations.ts";
import { mrrPercentile } from "../health/mrr-rank.ts";
import type { Measures } from "../health/measures.ts";
import type { Confidence, Day, HealthDay, WorkspaceContext } from "../health/model.ts";
import { advance, type Told } from "./lifecycle.ts";
import type { InboxItem, Resolution } from "./model.ts";
import { rankOf } from "./rank.ts";
import type { Facts, Finding, Rule } from "./rule.ts";
import { RULES } from "./rules.ts";

/** An account without a score is no stranger when it has been here for so long. */
const YOUNG_DAYS = 28;

/**
 * What happened during an outage is not known, and an absence may have ended meanwhile. So for a week, five business days as
 * even a daily account is given, nothing that reads use opens, but for what has a deadline.
 */
const SETTLING_DAYS = 7;

/** What holds for all rules as of a day. */
interface Situation {
  facts: Omit<Facts, "items">;
  isChurned: boolean;
  isSenderOut: boolean;
  isSenderJustBack: boolean;
  isWorthAnItem: boolean;
  confidence: Confidence;
  percentile: number | null;
}

/**
 * Takes an account's items a day further.
 *
 * @param items all there ever were, open and resolved, as of the day before; without those that were `withdrawn`
 * @param today the account's health as of `day`
 * @param history its health of earlier days; `undefined` before the first
 * @returns all of them as of `day`, those that didn't change as the same objects, new ones last
 */
export function stepInbox(
  items: readonly InboxItem[],
  measures: Measures,
  day: Day,
  today: HealthDay,
  history: (day: Day) => HealthDay | undefined,
): InboxItem[] {
  const situation: Situation = {
    facts: { measures, day, moment: momentOf(day), today, history },
    isChurned: measures.stage(day).stage === "churned",
    isSenderOut: isSenderOut(measures.context(day)),
    isSenderJustBack: measures.context(day).outages.some(([, last]) => day - last <= SETTLING_DAYS),
    isWorthAnItem: isWorthAnItem(measures, day),
    confidence: today.confidence ?? (measures.tenure(day) < YOUNG_DAYS ? "low" : "medium"),
    percentile: percentileOf(measures, day),
  };
  return [...RULES.reduce((sofar, rule) => apply(rule, situation, sofar), items)];
}

/** Takes the workspace's own items a day further: whether its sender has stopped sending. As `stepInbox` otherwise. */
export function stepTracking(items: readonly InboxItem[], context: WorkspaceContext, day: Day): InboxItem[] {
  const { silence } = context;
  if (silence === null) return [...advance(items, "tracking_stopped", day, [], () => "recovered")];
  const content: Told["content"] = {
    severity: "critical",
    confidence: "high",
    rank: rankOf("critical", "high", null, momentOf(day), null),
    dueAt: null,
    evidence: [
      { code: "gap_business_days", value: silence.gap, expected: silence.threshold },
      { code: "last_day", value: silence.lastDay },
    ],
  };
  const told = { subject: "", isNews: true, content };
  return [...advance(items, "tracking_stopped", day, [told], () => null)];
}

/** What has happened by the end of a day is known at this moment: milliseconds since the epoch. */
function momentOf(day: Day): number {
  return (day + 1) * DAY_MS;
}

/** Or perhaps out: on the first day of an outage nobody knows whether nobody came or nothing arrived. */
function isSenderOut({ silence, senderDoubtful }: WorkspaceContext): boolean {
  return silence !== null || senderDoubtful;
}

function apply(rule: Rule, situation: Situation, items: readonly InboxItem[]): readonly InboxItem[] {
  const facts: Facts = { ...situation.facts, items };
  const ban = banOf(rule, situation, facts);
  if (ban === "frozen") return items;
  const told = ban === null ? rule.find(facts).map((finding) => toldOf(rule, finding, situation)) : [];
  return advance(items, rule.kind, facts.day, told, (item) => ban ?? rule.resolution(item, facts));
}

/** Why nothing of a kind may be told: `frozen` leaves open items as they are, anything else closes them. */
function banOf(rule: Rule, situation: Situation, facts: Facts): Resolution | "frozen" | null {
  if (!situation.isWorthAnItem) return "changed";
  if (situation.isChurned && rule.endsWithChurn) return "churned";
  if (situation.isSenderOut && rule.inOutage === "frozen") return "frozen";
  return rule.silenced?.(facts) ?? null;
}

function toldOf(rule: Rule, { subject, evidence, standing, ...finding }: Finding, situation: Situation): Told {
  const { confidence, percentile, facts } = situation;
  const severity = finding.severity ?? rule.severity;
  const dueAt = finding.dueAt ?? null;
  const rank = rankOf(severity, confidence, dueAt, facts.moment, percentile);
  const isUnsettled = situation.isSenderJustBack && rule.inOutage === "frozen" && dueAt === null;
  return {
    subject,
    isNews: standing !== true && !isUnsettled,
    content: { severity, confidence, rank, dueAt, evidence },
  };
}

/** Of the many people who belong to no company, those who are about to pay or do. */
function isWorthAnItem(measures: Measures, day: Day): boolean {
  if (measures.history.kind === "company") return true;
  const { trialEndsAt, mrr } = measures.attributes(day);
  return trialEndsAt !== undefined || (mrr !== undefined && mrr > 0);
}

function percentileOf(measures: Measures, day: Day): number | null {
  const { mrr, currency } = measures.attributes(day);
  return mrr === undefined || mrr === 0 ? null : mrrPercentile(measures.context(day), currency, mrr);
}

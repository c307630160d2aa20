/**
 * Advances the inbox by one day (docs/inbox.md §12). A step depends only on the items of the day before, so a replay
 * from any day ends with the same items.
 */
import { DAY_MS } from "../durations.ts";
import { mrrPercentile } from "../health/workspace-statistics.ts";
import type { AccountMeasures } from "../health/measures.ts";
import type { Day, HealthDay, HealthRowOf, WorkspaceContext } from "../health/model.ts";
import { ACTIVITY_RULES } from "./activity-rules.ts";
import { CONTRACTION_RULE } from "./contraction-rules.ts";
import { GROWTH_RULES } from "./growth-rules.ts";
import { HEALTH_DROPPED_RULE } from "./health-dropped-rules.ts";
import { advanceItems, type ItemReport } from "./lifecycle.ts";
import { type AccountItemKind, type InboxItem, type Resolution, RISK_EXPIRY_DAYS } from "./model.ts";
import { rankOf } from "./rank.ts";
import { RENEWAL_RULE } from "./renewal-rules.ts";
import type { RuleInput, RuleFinding, InboxRule } from "./rule.ts";
import { TRIAL_RULES } from "./trial-rules.ts";

/** The rules in the order they apply: a rule that suppresses others comes before them. */
const INBOX_RULES: readonly InboxRule[] = [
  ...TRIAL_RULES,
  ...ACTIVITY_RULES,
  ...GROWTH_RULES,
  CONTRACTION_RULE,
  HEALTH_DROPPED_RULE,
  RENEWAL_RULE,
];

/** Items of a younger account without a score have low confidence. */
const YOUNG_DAYS = 28;

/**
 * For this many days after an outage, no rule that reads usage opens an item without a deadline. Absences may have ended
 * during the outage. A week has five business days, which is the smallest silence threshold of an account.
 */
const SETTLING_DAYS = 7;

/**
 * Advances an account's items by a day.
 *
 * @param items all items as of the day before, open and resolved, except `withdrawn` ones
 * @param today the account's health on `day`
 * @returns all items as of `day`; unchanged ones as the same objects, new ones last
 */
export function advanceAccountItems(
  items: readonly InboxItem[],
  measures: AccountMeasures,
  day: Day,
  today: HealthDay,
  history: HealthRowOf,
): InboxItem[] {
  const situation = situationOf(measures, day, today);
  const input = { measures, day, moment: momentOf(day), today, history };
  return [...INBOX_RULES.reduce((current, rule) => apply(rule, situation, { ...input, items: current }), items)];
}

/** Advances the workspace's own items by a day: whether its sender has stopped. */
export function advanceWorkspaceItems(items: readonly InboxItem[], context: WorkspaceContext, day: Day): InboxItem[] {
  const { silence } = context;
  if (silence === null) return [...advanceItems(items, "tracking_stopped", day, [], () => "recovered")];
  const content: ItemReport["content"] = {
    severity: "critical",
    confidence: "high",
    rank: rankOf("critical", "high", null, momentOf(day), null),
    dueAt: null,
    evidence: [
      { code: "gap_business_days", value: silence.gap, expected: silence.threshold },
      { code: "last_day", value: silence.lastDay },
    ],
  };
  const report: ItemReport = { subject: "", opens: "afterPause", content };
  return [...advanceItems(items, "tracking_stopped", day, [report], () => null)];
}

function momentOf(day: Day): number {
  return (day + 1) * DAY_MS;
}

function situationOf(measures: AccountMeasures, day: Day, today: HealthDay) {
  const { silence, senderDoubtful, outages } = measures.context(day);
  return {
    isEligible: isEligible(measures, day),
    isChurned: measures.stage(day).stage === "churned",
    // On what may be the first day of an outage, absence and outage look the same.
    isSenderOut: silence !== null || senderDoubtful,
    isSenderJustBack: outages.some(([, last]) => day - last <= SETTLING_DAYS),
    confidence: today.confidence ?? (measures.tenure(day) < YOUNG_DAYS ? "low" : "medium"),
    percentile: percentileOf(measures, day),
  };
}

type Situation = ReturnType<typeof situationOf>;

function apply(rule: InboxRule, situation: Situation, input: RuleInput): readonly InboxItem[] {
  const suppression = suppressionOf(rule, situation, input);
  if (suppression === "frozen") return input.items;
  const findings = suppression === null ? rule.find(input) : [];
  const reports = [...findings, ...updatesWithout(findings, rule, input)].map((finding) =>
    reportOf(rule, finding, situation, input),
  );
  const expiry = expiryOf(rule, input);
  return advanceItems(input.items, rule.kind, input.day, reports, (item) => {
    const resolution = suppression ?? rule.resolution?.(item, input) ?? null;
    return resolution ?? (input.day - item.openedDay >= expiry ? "expired" : null);
  });
}

/** Returns the content of the open items that no finding is about, so that each has the evidence of its last scored day. */
function updatesWithout(findings: readonly RuleFinding[], rule: InboxRule, input: RuleInput): RuleFinding[] {
  return input.items
    .filter(({ kind, resolvedDay }) => kind === rule.kind && resolvedDay === null)
    .filter(({ subject }) => !findings.some((finding) => finding.subject === subject))
    .map((item) => {
      const { subject, severity, evidence, dueAt } = item;
      const kept = { subject, severity, evidence, ...(dueAt === null ? {} : { dueAt }), updateOnly: true };
      return { ...kept, ...rule.update?.(item, input) };
    });
}

function expiryOf({ kind, expiresAfterDays = Infinity }: InboxRule, { today }: RuleInput): number {
  const days = RISK_EXPIRY_DAYS[kind];
  if (days === undefined) return expiresAfterDays;
  return today.state === "at_risk" ? Infinity : days;
}

/** Returns why a rule may not open items. `frozen` keeps open items, anything else closes them. */
function suppressionOf(rule: InboxRule, situation: Situation, input: RuleInput): Resolution | "frozen" | null {
  if (!situation.isEligible) return "changed";
  if (situation.isChurned && rule.keptOnChurn !== true) return "churned";
  if (situation.isSenderOut && rule.runsInOutage !== true) return "frozen";
  if (isOpen(input.items, rule.supersededBy ?? [])) return "superseded";
  return rule.silenceCooldownDays !== undefined && isSilent(input) ? "silent" : null;
}

function isOpen(items: readonly InboxItem[], kinds: readonly AccountItemKind[]): boolean {
  return items.some((item) => item.resolvedDay === null && kinds.some((kind) => kind === item.kind));
}

function isSilent({ measures, day, items }: RuleInput): boolean {
  return measures.silence(day)?.silent === true || isOpen(items, ["gone_silent"]);
}

function wasSilentWithin(days: number, { items, day }: RuleInput): boolean {
  return items.some(
    ({ kind, resolvedDay }) => kind === "gone_silent" && resolvedDay !== null && day - resolvedDay < days,
  );
}

function reportOf(rule: InboxRule, finding: RuleFinding, situation: Situation, input: RuleInput): ItemReport {
  const { confidence, percentile } = situation;
  const { subject, evidence, updateOnly, isUrgent } = finding;
  const severity = finding.severity ?? rule.severity;
  const dueAt = finding.dueAt ?? null;
  const rank = rankOf(severity, confidence, dueAt, input.moment, percentile);
  const isUnsettled = situation.isSenderJustBack && rule.runsInOutage !== true && dueAt === null;
  const isDelayed = isUnsettled || wasSilentWithin(rule.silenceCooldownDays ?? 0, input);
  return {
    subject,
    opens: updateOnly === true ? "never" : isUrgent === true ? "atOnce" : isDelayed ? "never" : "afterPause",
    content: { severity, confidence, rank, dueAt, evidence },
  };
}

/** Personal accounts get items only if they pay or are about to. */
function isEligible(measures: AccountMeasures, day: Day): boolean {
  if (measures.history.kind === "company") return true;
  const { trialEndsAt, contractEndsAt, mrr } = measures.attributes(day);
  return trialEndsAt !== undefined || contractEndsAt !== undefined || (mrr !== undefined && mrr > 0);
}

function percentileOf(measures: AccountMeasures, day: Day): number | null {
  const { mrr, currency } = measures.attributes(day);
  return mrr === undefined || mrr === 0 ? null : mrrPercentile(measures.context(day), currency, mrr);
}

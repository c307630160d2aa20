/** The rule about contracts that end while the account is not healthy (docs/inbox.md §12.2). */
import { DAY_MS, daysUntil } from "../durations.ts";
import { BAND_BOUNDS } from "../health/band.ts";
import { lastCountedDays } from "../health/business-days.ts";
import type { HealthState } from "../health/model.ts";
import { readIsoTime } from "../ingest/iso-time.ts";
import type { InboxItem } from "./model.ts";
import { holdsOnLastDays, type RuleFinding, healthOn, type InboxRule, type RuleInput } from "./rule.ts";

const NOTICE_DAYS = 90;
const NEAR_DAYS = 30;
const CLOSE_AFTER_DAYS = 7;
/** A contract whose end moves by this many days has been renewed or ended early. Less is a correction. */
const MOVED_DAYS = 30;
const AGREEING_DAYS = 3;

const contractEnd = ({ measures, day }: RuleInput): number | null =>
  readIsoTime(measures.attributes(day).contractEndsAt, false);

const isFar = (one: number, other: number): boolean => Math.abs(one - other) >= MOVED_DAYS * DAY_MS;

const hasBeen = (input: RuleInput, ...states: readonly HealthState[]): boolean =>
  holdsOnLastDays(input, AGREEING_DAYS, (day) => states.some((state) => healthOn(input, day)?.state === state));

/** The subject is the contract's end when the item opened. It stays when the end is corrected. */
function subjectOf({ items }: RuleInput, end: number): string {
  const known = items.filter(({ kind, subject }) => kind === "renewal_at_risk" && !isFar(Number(subject), end));
  return known.toSorted((a, b) => b.openedDay - a.openedDay)[0]?.subject ?? String(end);
}

/** Counts the days in a row on which the account has been healthy. */
function healthyDays(input: RuleInput): number {
  const days = lastCountedDays(input.measures.context(input.day).outages, input.day, AGREEING_DAYS);
  const index = days.findIndex((day) => healthOn(input, day)?.state !== "healthy");
  return index === -1 ? AGREEING_DAYS : index;
}

function contentOf(input: RuleInput, end: number): Omit<RuleFinding, "subject"> {
  const { state, score } = input.today;
  const { moment } = input;
  const isAtRisk = state === "at_risk";
  const expected = isAtRisk ? BAND_BOUNDS.atRisk.leftAt : BAND_BOUNDS.healthy.from;
  return {
    severity: isAtRisk || end - moment <= NEAR_DAYS * DAY_MS ? "high" : "medium",
    dueAt: end,
    evidence: [
      { code: "days_left", value: daysUntil(end, moment) },
      ...(score === null ? [] : [{ code: "score", value: score, expected }]),
      // Otherwise a good score would not explain why the item is open.
      ...(state === "healthy" || (score ?? 0) >= BAND_BOUNDS.healthy.from
        ? [{ code: "healthy_days", value: healthyDays(input), expected: AGREEING_DAYS }]
        : []),
    ],
  };
}

export const RENEWAL_RULE: InboxRule = {
  kind: "renewal_at_risk",
  severity: "medium",
  find: (input) => {
    const end = contractEnd(input);
    const left = (end ?? -Infinity) - input.moment;
    if (end === null || left < 0 || left > NOTICE_DAYS * DAY_MS || !hasBeen(input, "watch", "at_risk")) return [];
    return [{ subject: subjectOf(input, end), ...contentOf(input, end) }];
  },
  update: (_, input) => {
    const end = contractEnd(input);
    return end === null ? {} : contentOf(input, end);
  },
  resolution: ({ subject }: InboxItem, input) => {
    const end = contractEnd(input);
    if (end === null) return "changed";
    if (isFar(end, Number(subject))) return end > Number(subject) ? "renewed" : "moved";
    if (hasBeen(input, "healthy")) return "recovered";
    return input.moment - end >= CLOSE_AFTER_DAYS * DAY_MS ? "expired" : null;
  },
};

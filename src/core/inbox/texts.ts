/**
 * Describes items in plain sentences (docs/health.md §12.6). A stored item holds codes and numbers only. The sentences are
 * written when an item is read, so an erased name disappears from them too.
 */
import { counted, dateOf, datesOf, inFigures, inPercent, momentDate } from "../health/texts.ts";
import { ADVICE, type Advice } from "./advice.ts";
import type { InboxItem, ItemEvidence, ItemKind } from "./model.ts";

/** Names as they are shown. They appear in the sentences unchanged and are never markup. */
export interface ItemNames {
  /** The account; for an item about the workspace, the workspace. */
  account: string;
  /** The user or the feature that the item is about, if it is known. */
  subject?: string;
}

interface ItemText extends Advice {
  title: string;
  /** The observed and the expected numbers, as of the day the item was last confirmed. */
  why: string;
}

export function describeItem(item: InboxItem, names: ItemNames): ItemText {
  const { title, why } = TEXTS[item.kind];
  const evidence = new Map(item.evidence.map((each) => [each.code, each]));
  const sentences = item.evidence.flatMap((each) => why[each.code]?.(each) ?? []);
  return { title: title(names, evidence, item), why: sentences.join(" "), ...ADVICE[item.kind] };
}

type Sentence = (evidence: ItemEvidence) => string;

interface Texts {
  title: (names: ItemNames, evidence: ReadonlyMap<string, ItemEvidence>, item: InboxItem) => string;
  /** One sentence for each code of the evidence. Codes without one, such as `z`, appear only among the details. */
  why: Readonly<Record<string, Sentence>>;
}

/** The codes whose numbers a title may contain. An answer to a question must give them as evidence. */
export const TITLE_CODES: ReadonlySet<string> = new Set([
  "user_days",
  "active_users",
  "seats",
  "mrr",
  "score",
  "score_before",
]);

const trialEnd = (item: InboxItem): string => momentDate(Number(item.subject));

/** ` (12 expected)`; nothing without an expected number. */
const against = ({ expected }: ItemEvidence, what: string): string =>
  expected === undefined ? "" : ` (${inFigures(expected)} ${what})`;

const dates = ({ window }: ItemEvidence): string => (window === undefined ? "" : ` ${datesOf(window)}`);

/** ` to 34 user-days in two weeks (154 expected)`; nothing without evidence. */
const toLevel = (usage: ItemEvidence | undefined, period: string, expected: string): string =>
  usage === undefined ? "" : ` to ${counted(usage.value, "user-day")} in ${period}${against(usage, expected)}`;

/** ` from 12 to 8`; nothing without evidence. */
const fromTo = (fall: ItemEvidence | undefined): string =>
  fall?.expected === undefined ? "" : ` from ${inFigures(fall.expected)} to ${inFigures(fall.value)}`;

/** ` (9 of 10 in use)`; nothing without evidence. */
const seatsInUse = (users: ItemEvidence | undefined): string =>
  users?.expected === undefined ? "" : ` (${inFigures(users.value)} of ${inFigures(users.expected)} in use)`;

function scoreFell(score: ItemEvidence | undefined, before: ItemEvidence | undefined): string {
  if (score === undefined) return "fell";
  return before === undefined || before.value <= score.value
    ? `is down to ${inFigures(score.value)}`
    : `fell from ${inFigures(before.value)} to ${inFigures(score.value)}`;
}

const silentFor: Sentence = (gap) =>
  `No activity for ${counted(gap.value, "business day")}${against(gap, "or more count as silence")}.`;
const lastActive: Sentence = ({ value }) => `Last active on ${dateOf(value)}.`;
const userDays: Sentence = (usage) =>
  `${counted(usage.value, "user-day")}${dates(usage)}${against(usage, "expected")}. ${USER_DAY_MEANING}`;
const USER_DAY_MEANING = "A user-day is one user active on one day.";

const TEXTS: Readonly<Record<ItemKind, Texts>> = {
  trial_ending_low_activity: {
    title: ({ account }, _, item) => `The trial of ${account} ends on ${trialEnd(item)} with little activity`,
    why: {
      active_days: (days) => `${counted(days.value, "active day")} in the last 7${against(days, "or more expected")}.`,
      core_features: (features) =>
        `${counted(features.value, "core feature")} used${dates(features)}${against(features, "expected by now")}.`,
    },
  },
  trial_ending_ready: {
    title: ({ account }, _, item) => `The trial of ${account} ends on ${trialEnd(item)} and is going well`,
    why: {
      score: (score) => `The health score is ${inFigures(score.value)}${against(score, "or more is good")}.`,
      active_users: ({ value }) => `${counted(value, "active user")} in 28 days.`,
    },
  },
  trial_expired: {
    title: ({ account }, _, item) => `The trial of ${account} ended on ${trialEnd(item)} without a decision`,
    why: {
      days_since_trial_end: ({ value }) => `The stage is still trial, ${counted(value, "day")} after the trial ended.`,
    },
  },
  never_activated: {
    title: ({ account }) => `${account} has not started using the product`,
    why: {
      active_days: (days) => `${counted(days.value, "active day")} so far${against(days, "or more expected")}.`,
      age_days: ({ value }) => `The account is ${counted(value, "day")} old.`,
    },
  },
  usage_drop: {
    title: ({ account }, evidence) =>
      `Usage at ${account} fell${toLevel(evidence.get("user_days"), "two weeks", "expected")}`,
    why: { user_days: userDays },
  },
  slow_decline: {
    title: ({ account }, evidence) =>
      `Usage at ${account} declined${toLevel(evidence.get("user_days"), "four weeks", "at its best")}`,
    why: {
      user_days: (usage) =>
        `${counted(usage.value, "user-day")}${dates(usage)}${against(usage, "in the best 28 days of 26 weeks")}. ` +
        USER_DAY_MEANING,
    },
  },
  gone_silent: {
    title: ({ account }) => `${account} has gone silent`,
    why: { gap_business_days: silentFor, last_day: lastActive },
  },
  key_user_quiet: {
    title: ({ account, subject }) => `${subject ?? "A key user"} at ${account} has gone quiet`,
    why: {
      gap_business_days: silentFor,
      last_day: lastActive,
      share: ({ value }) => `This user accounts for ${inPercent(value)} of the usage in 56 days.`,
    },
  },
  seats_nearly_full: {
    title: ({ account }, evidence) => `${account} is running out of seats${seatsInUse(evidence.get("active_users"))}`,
    why: {
      active_users: (users) => `${counted(users.value, "active user")} in 28 days${against(users, "seats")}.`,
    },
  },
  usage_growth: {
    title: ({ account }, evidence) =>
      `Usage at ${account} grew${toLevel(evidence.get("user_days"), "four weeks", "expected")}`,
    why: {
      user_days: userDays,
      new_users: ({ value }) => `${counted(value, "user")} had not been active before these 28 days.`,
    },
  },
  feature_dropped: {
    title: ({ account, subject }) => `${account} has stopped using ${subject ?? "a core feature"}`,
    why: {
      active_days: ({ value }) => `Not used in the last 21 days (used on ${inFigures(value)} of the 56 days before).`,
      users: ({ value }) => `${counted(value, "user")} used it in those 56 days.`,
      last_day: ({ value }) => `Last used on ${dateOf(value)}.`,
    },
  },
  contraction: {
    title: ({ account }, evidence, { subject }) =>
      `${account} reduced its ${subject === "seats" ? "seats" : "MRR"}${fromTo(evidence.get(subject))}`,
    why: {
      seats: (seats) => `${counted(seats.value, "seat")}${downFrom(seats)}.`,
      mrr: (mrr) => `MRR of ${inFigures(mrr.value)}${downFrom(mrr)}.`,
    },
  },
  health_dropped: {
    title: ({ account }, evidence) =>
      `The health score of ${account} ${scoreFell(evidence.get("score"), evidence.get("score_before"))}`,
    why: {
      score: (score) => `The health score is ${inFigures(score.value)}${against(score, "or more is out of risk")}.`,
      score_before: ({ value }) => `It was ${inFigures(value)} 14 days earlier.`,
    },
  },
  tracking_stopped: {
    title: ({ account }) => `${account} has stopped receiving events`,
    why: {
      gap_business_days: (gap) =>
        `No event for ${counted(gap.value, "business day")}${against(gap, "or more are unusual")}.`,
      last_day: ({ value }) =>
        `The last event happened on ${dateOf(value)}. No account is reported as inactive until events arrive again.`,
    },
  },
};

function downFrom({ expected: highest, window }: ItemEvidence): string {
  if (highest === undefined) return "";
  if (window === undefined) return `, down from ${inFigures(highest)}, the most in 30 days`;
  const [before, reduced] = [dateOf(window.from), dateOf(window.to)];
  return `, down from ${inFigures(highest)} on ${before}, the most in 30 days. Last reduced on ${reduced}`;
}

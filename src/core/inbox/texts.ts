/**
 * Describes items in plain sentences (docs/inbox.md §12.6). A stored item holds codes and numbers only. The sentences
 * are written when an item is read, so an erased name disappears from them too.
 */
import { counted, dateOf, datesOf, inFigures, inMoney, inPercent, momentDate } from "../health/texts.ts";
import { type InboxItem, type ItemEvidence, type ItemKind, type Resolution, RISK_EXPIRY_DAYS } from "./model.ts";

/** Names as they are shown. They appear in the sentences unchanged and are never markup. */
export interface ItemNames {
  /** The account; for an item about the workspace, the workspace. */
  account: string;
  /** The user or the feature that the item is about, if it is known. */
  subject?: string;
  /** Of the account's MRR, if it is known. */
  currency?: string;
}

/** Returns the texts of an item. Its numbers are those of the last day it was open. */
export function describeItem(item: InboxItem, names: ItemNames) {
  const { title, lastingTitle, why, recoveringAction, ...advice } = TEXTS[item.kind];
  // Why an item is still open says nothing about one that is resolved.
  const shown = item.evidence.filter(({ code }) => item.resolution === null || code !== "healthy_days");
  const evidence = new Map(shown.map((each) => [each.code, each]));
  const sentences = shown.flatMap((each) => why[each.code]?.(each, names) ?? []);
  const isLasting = item.confirmedDay - item.openedDay >= (RISK_EXPIRY_DAYS[item.kind] ?? LASTING_DAYS);
  const entitled = isLasting ? (lastingTitle ?? title) : title;
  return {
    title: entitled(names, evidence, item),
    why: sentences.join(" "),
    ...advice,
    ...(recoveringAction !== undefined && evidence.has("healthy_days") && { suggestedAction: recoveringAction }),
  };
}

/** The time after which an item of a kind without an expiry is no longer news. */
const LASTING_DAYS = 28;

type Sentence = (evidence: ItemEvidence, names: ItemNames) => string;

type Title = (names: ItemNames, evidence: ReadonlyMap<string, ItemEvidence>, item: InboxItem) => string;

interface Texts {
  title: Title;
  /** Replaces the title once the item has outlasted its time. */
  lastingTitle?: Title;
  /** One sentence for each code of the evidence. Codes without one, such as `z`, appear only among the details. */
  why: Readonly<Record<string, Sentence>>;
  suggestedAction: string;
  /** Replaces the suggestion while the account is healthy again. */
  recoveringAction?: string;
  closesWhen: string;
}

const since = ({ openedDay }: InboxItem): string => `has not recovered since ${dateOf(openedDay)}`;

const trialEnd = (item: InboxItem): string => momentDate(Number(item.subject));

/** ` (12 expected)`; nothing without an expected number. */
const against = ({ expected }: ItemEvidence, what: string): string =>
  expected === undefined ? "" : ` (${inFigures(expected)} ${what})`;

const dates = ({ window }: ItemEvidence): string => (window === undefined ? "" : ` ${datesOf(window)}`);

/** ` to 34 user-days in two weeks (154 expected)`; nothing without evidence. */
const toLevel = (usage: ItemEvidence | undefined, period: string, expected: string): string =>
  usage === undefined ? "" : ` to ${counted(usage.value, "user-day")} in ${period}${against(usage, expected)}`;

/** ` from 12 to 8`; nothing without evidence. */
const fromTo = (fall: ItemEvidence | undefined, currency?: string): string =>
  fall?.expected === undefined ? "" : ` from ${inFigures(fall.expected)} to ${inMoney(fall.value, currency)}`;

/** ` (9 of 10 in use)`; nothing without evidence. */
const seatsInUse = (users: ItemEvidence | undefined): string =>
  users?.expected === undefined ? "" : ` (${inFigures(users.value)} of ${inFigures(users.expected)} in use)`;

function scoreFell(score: ItemEvidence | undefined, before: ItemEvidence | undefined): string {
  if (score === undefined) return "fell";
  return before === undefined || before.value <= score.value
    ? `is only ${inFigures(score.value)}`
    : `fell from ${inFigures(before.value)} to ${inFigures(score.value)}`;
}

const silentFor: Sentence = (gap) =>
  `No activity for ${counted(gap.value, "business day")}${gap.expected === undefined ? "" : ` (silent after ${inFigures(gap.expected)})`}.`;
const lastActive: Sentence = ({ value }) => `Last active on ${dateOf(value)}.`;
const userDays: Sentence = (usage) =>
  `${counted(usage.value, "user-day")}${dates(usage)}${against(usage, "expected")}. ${USER_DAY_MEANING}`;
/** Begins with the former level, which the expected one forgets. */
const bestUserDays = (usage: ItemEvidence): string =>
  usage.expected === undefined
    ? `${counted(usage.value, "user-day")}${dates(usage)}.`
    : `Down from ${counted(usage.expected, "user-day")} in the best 28 days of 26 weeks to ${inFigures(usage.value)}${dates(usage)}.`;

/** How a contract's item ended. After another end the account was still not healthy. */
const RENEWAL_ENDS: Readonly<Partial<Record<Resolution, string>>> = {
  recovered: "the account became healthy again",
  renewed: "was extended",
  moved: "its end was moved",
  churned: "the account churned",
};

function healthNow(evidence: ReadonlyMap<string, ItemEvidence>, { resolution }: InboxItem): string {
  if (resolution !== null) return RENEWAL_ENDS[resolution] ?? "the account was not healthy";
  const [score, healthy] = [evidence.get("score"), evidence.get("healthy_days")];
  if (healthy !== undefined) return `the account has been ${healthyFor(healthy)}`;
  return score === undefined ? "the account is not healthy" : `its health score is ${inFigures(score.value)}`;
}

const healthyFor = ({ value, expected = 0 }: ItemEvidence): string =>
  `healthy for only ${inFigures(value)} of ${counted(expected, "day")}`;

/** Where a text can't explain the word otherwise. */
export const USER_DAY_MEANING = "A user-day is one user active on one day.";

const TEXTS: Readonly<Record<ItemKind, Texts>> = {
  trial_ending_low_activity: {
    title: ({ account }, _, item) => `The trial of ${account} ends on ${trialEnd(item)} with little activity`,
    why: {
      active_days: (days) => `${counted(days.value, "active day")} in the last 7${against(days, "or more expected")}.`,
      core_features: (features) =>
        `${counted(features.value, "core feature")} used${dates(features)}${against(features, "expected by now")}.`,
    },
    suggestedAction:
      "Call before the trial ends: find out what keeps them from using the product, and offer help or more time.",
    closesWhen: "The trial converts, its end date changes, activity recovers, or 3 days pass after the end.",
  },
  trial_ending_ready: {
    title: ({ account }, _, item) => `The trial of ${account} ends on ${trialEnd(item)} and is going well`,
    why: {
      score: (score) => `The health score is ${inFigures(score.value)}${against(score, "or more is good")}.`,
      active_users: ({ value }) => `${counted(value, "active user")} in 28 days.`,
    },
    suggestedAction: "Propose a contract now, while they use the product well.",
    closesWhen: "The trial converts, its end date changes, activity becomes low, or 3 days pass after the end.",
  },
  trial_expired: {
    title: ({ account }, _, item) => `The trial of ${account} ended on ${trialEnd(item)} without a decision`,
    why: {
      days_since_trial_end: ({ value }) => `The stage is still trial, ${counted(value, "day")} after the trial ended.`,
    },
    suggestedAction: "Find out what they decided: convert the account, extend the trial or mark it as lost.",
    closesWhen: "The stage is no longer trial, or the trial's end date changes.",
  },
  never_activated: {
    title: ({ account }) => `${account} has not started using the product`,
    why: {
      active_days: (days) => `${counted(days.value, "active day")} so far${against(days, "or more expected")}.`,
      age_days: ({ value }) => `The account is ${counted(value, "day")} old.`,
    },
    suggestedAction: "Offer to set the product up together, and ask what they want to use it for.",
    closesWhen: "The account is active on a third day, or an item about its trial opens.",
  },
  usage_drop: {
    title: ({ account }, evidence) =>
      `Usage at ${account} fell${toLevel(evidence.get("user_days"), "two weeks", "expected")}`,
    lastingTitle: ({ account }, _, item) => `Usage at ${account} ${since(item)}`,
    why: { user_days: userDays, best_user_days: bestUserDays },
    suggestedAction: "Ask what changed: they may have a problem, a new team or another tool.",
    closesWhen:
      "Usage is back at 80% of the expected level for 3 days, the account falls silent, or 28 days pass and the account is not at risk.",
  },
  slow_decline: {
    title: ({ account }, evidence) =>
      `Usage at ${account} declined${toLevel(evidence.get("user_days"), "four weeks", "at its best")}`,
    lastingTitle: ({ account }, _, item) => `Usage at ${account} ${since(item)}`,
    why: { user_days: (usage) => `${bestUserDays(usage)} ${USER_DAY_MEANING}` },
    suggestedAction: "Ask them what they use the product for today, and what they no longer use it for.",
    closesWhen:
      "Usage is back at 70% of the account's best level, the account falls silent, or 90 days pass and the account is not at risk.",
  },
  gone_silent: {
    title: ({ account }) => `${account} has gone silent`,
    lastingTitle: ({ account }, _, item) => `${account} has gone silent and ${since(item)}`,
    why: { gap_business_days: silentFor, last_day: lastActive },
    suggestedAction: "Get in touch: ask whether something blocks them and whether they plan to come back.",
    closesWhen: "The account is active on 2 days within 5 business days.",
  },
  key_user_quiet: {
    title: ({ account, subject }) => `${subject ?? "A key user"} at ${account} has gone quiet`,
    lastingTitle: ({ account, subject }, _, item) =>
      `${subject ?? "A key user"} at ${account} has gone quiet and ${since(item)}`,
    why: {
      gap_business_days: silentFor,
      last_day: lastActive,
      share: ({ value }) => `This user accounted for ${inPercent(value)} of the usage in 56 days.`,
    },
    suggestedAction: "Find out whether this person is still there, and who takes over the work.",
    closesWhen:
      "The user is back, another user reaches 30% of the usage, the account falls silent, or 90 days pass and the account is not at risk.",
  },
  seats_nearly_full: {
    title: ({ account }, evidence) => `${account} is running out of seats${seatsInUse(evidence.get("active_users"))}`,
    why: {
      active_users: (users) => `${counted(users.value, "active user")} in 28 days${against(users, "seats")}.`,
    },
    suggestedAction: "Propose more seats before they run out.",
    closesWhen: "Fewer than 85% of the seats are in use, or the number of seats changes.",
  },
  usage_growth: {
    title: ({ account }, evidence) =>
      `Usage at ${account} grew${toLevel(evidence.get("user_days"), "four weeks", "expected")}`,
    why: {
      user_days: userDays,
      new_users: ({ value }) => `${counted(value, "user")} became active for the first time in these 28 days.`,
    },
    suggestedAction: "Ask what made the difference, and whether a larger plan or more seats would help.",
    closesWhen: "28 days have passed.",
  },
  feature_dropped: {
    title: ({ account, subject }) => `${account} has stopped using ${subject ?? "a core feature"}`,
    why: {
      active_days: ({ value }) => `The feature was used on ${inFigures(value)} of 56 days, then not for 21 days.`,
      users: ({ value }) => `${counted(value, "user")} used it in those 56 days.`,
      last_day: ({ value }) => `Last used on ${dateOf(value)}.`,
      days_used_since: ({ value }) => `Since then, it was used on ${counted(value, "day")}.`,
    },
    suggestedAction: "Ask how they now do what they used this feature for.",
    closesWhen: "The feature is used on 2 days, the account falls silent, or 90 days pass.",
  },
  contraction: {
    title: ({ account, currency }, evidence, { subject }) =>
      subject === "seats"
        ? `${account} reduced its seats${fromTo(evidence.get(subject))}`
        : `${account} reduced its MRR${fromTo(evidence.get(subject), currency)}`,
    why: {
      seats: (seats) => `${counted(seats.value, "seat")}${downFrom(seats)}.`,
      mrr: (mrr, { currency }) => `MRR of ${inMoney(mrr.value, currency)}${downFrom(mrr, currency)}.`,
    },
    suggestedAction: "Find out why they reduced the contract, and what would secure the rest of it.",
    closesWhen: "30 days have passed.",
  },
  health_dropped: {
    title: ({ account }, evidence) =>
      `The health score of ${account} ${scoreFell(evidence.get("score"), evidence.get("score_before"))}`,
    why: {
      score: (score) => `The health score is ${inFigures(score.value)}${against(score, "or more is out of risk")}.`,
      score_before: ({ value }) => `It was ${inFigures(value)} 14 days earlier.`,
    },
    suggestedAction: "Look at what lowered the score, and ask about it.",
    closesWhen: "The score recovers, or a more specific item opens.",
  },
  renewal_at_risk: {
    title: ({ account }, evidence, item) =>
      `The contract of ${account} ends on ${momentDate(item.dueAt ?? Number(item.subject))} and ${healthNow(evidence, item)}`,
    why: {
      days_left: ({ value }) =>
        value < 0
          ? `The contract ended ${counted(-value, "day")} ago.`
          : `The contract ends in ${counted(value, "day")}.`,
      score: (score) => `The health score is ${inFigures(score.value)}${against(score, "or more is expected")}.`,
      healthy_days: (days) =>
        `The item is still open because the account has been ${healthyFor(days)} in a row that close it.`,
    },
    suggestedAction: "Talk to them about the renewal now, and start with what lowers the score.",
    recoveringAction: "Prepare the renewal as usual: the score is good again. The item closes after 3 healthy days.",
    closesWhen:
      "The contract's end date changes by 30 days or more, the account is healthy for 3 days, it churns, or 7 days pass after the end.",
  },
  tracking_stopped: {
    title: ({ account }) => `${account} has stopped receiving events`,
    why: {
      gap_business_days: (gap) =>
        `No event for ${counted(gap.value, "business day")}${against(gap, "or more are unusual")}.`,
      last_day: ({ value }) =>
        `The last event happened on ${dateOf(value)}. No account is reported as inactive until events arrive again.`,
    },
    suggestedAction: "Check what sends the events: its key, its last deployment and the rejected messages.",
    closesWhen: "Events arrive again.",
  },
};

function downFrom({ expected: highest, window }: ItemEvidence, currency?: string): string {
  if (highest === undefined) return "";
  const amount = inMoney(highest, currency);
  if (window === undefined) return `, down from ${amount}, the most in 30 days`;
  const [before, reduced] = [dateOf(window.from), dateOf(window.to)];
  return `, down from ${amount} on ${before}, the most in 30 days. Last reduced on ${reduced}`;
}

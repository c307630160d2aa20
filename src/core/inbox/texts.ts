/**
 * Items in plain sentences, made on reading (docs/health.md §12.6): an item keeps codes and figures only, so that a
 * name that is erased is gone from here too.
 */
import { counted, dateOf, datesOf, inFigures, inPercent, momentDate } from "../health/texts.ts";
import { ADVICE, type Advice } from "./advice.ts";
import type { InboxItem, ItemEvidence, ItemKind } from "./model.ts";

/** As they are to be shown. They are data: they stand in the sentences as they are, and are never markup. */
export interface ItemNames {
  /** Of the account; of an item about the workspace, the workspace. */
  account: string;
  /** Of the user or the feature that the item is about, where it is known. */
  subject?: string;
}

export interface ItemText extends Advice {
  title: string;
  /** What was observed, and what was expected, in figures. They are as of the day the item was last confirmed. */
  why: string;
}

/** An item in words that a person can act on. */
export function describeItem(item: InboxItem, names: ItemNames): ItemText {
  const { title, why } = WORDS[item.kind];
  const sentences = item.evidence.flatMap((seen) => why[seen.code]?.(seen) ?? []);
  return { title: title(names, item), why: sentences.join(" "), ...ADVICE[item.kind] };
}

type Sentence = (seen: ItemEvidence) => string;

interface Words {
  title: (names: ItemNames, item: InboxItem) => string;
  /** By the code of the evidence; what has none is for machines. */
  why: Readonly<Record<string, Sentence>>;
}

const trialEnd = (item: InboxItem): string => momentDate(Number(item.subject));
const dates = ({ window }: ItemEvidence): string => (window === undefined ? "" : ` ${datesOf(window)}`);
/** `, where 6 are expected`; nothing of a figure that is measured against nothing. */
const where = ({ expected }: ItemEvidence, what: string): string =>
  expected === undefined ? "" : `, where ${inFigures(expected)} ${what}`;

const gap: Sentence = (seen) =>
  `No activity for ${counted(seen.value, "business day")}${where(seen, "count as silence")}.`;
const lastDay: Sentence = ({ value }) => `Last active on ${dateOf(value)}.`;
const userDays: Sentence = (seen) => `${counted(seen.value, "user-day")}${dates(seen)}${where(seen, "were expected")}.`;

const WORDS: Readonly<Record<ItemKind, Words>> = {
  trial_ending_low_activity: {
    title: ({ account }, item) => `The trial of ${account} ends on ${trialEnd(item)} with little activity`,
    why: {
      active_days: (seen) =>
        `${counted(seen.value, "active day")} of the last 7${where(seen, "or more are expected")}.`,
      core_features: (seen) =>
        `${counted(seen.value, "core feature")} in use${dates(seen)}${where(seen, "are expected by now")}.`,
    },
  },
  trial_ending_ready: {
    title: ({ account }, item) => `The trial of ${account} ends on ${trialEnd(item)} and goes well`,
    why: {
      score: (seen) => `A health score of ${inFigures(seen.value)}${where(seen, "or more are a good trial")}.`,
      active_users: ({ value }) => `${counted(value, "active user")} in 28 days.`,
    },
  },
  trial_expired: {
    title: ({ account }, item) => `The trial of ${account} ended on ${trialEnd(item)} and is undecided`,
    why: {
      days_since_trial_end: (seen) =>
        `Still a trial ${counted(seen.value, "day")} after its end${where(seen, "are expected")}.`,
    },
  },
  never_activated: {
    title: ({ account }) => `${account} has not started`,
    why: {
      active_days: (seen) => `${counted(seen.value, "active day")} so far${where(seen, "or more are a start")}.`,
      age_days: ({ value }) => `The account has been here for ${counted(value, "day")}.`,
    },
  },
  usage_drop: {
    title: ({ account }) => `Use by ${account} has dropped`,
    why: { user_days: userDays },
  },
  slow_decline: {
    title: ({ account }) => `Use by ${account} has declined far below its best`,
    why: {
      user_days: (seen) =>
        `${counted(seen.value, "user-day")}${dates(seen)}${where(seen, "are the best of its last 26 weeks")}.`,
    },
  },
  gone_silent: {
    title: ({ account }) => `${account} has gone silent`,
    why: { gap_business_days: gap, last_day: lastDay },
  },
  key_user_quiet: {
    title: ({ account, subject }) => `${subject ?? "A key user"} of ${account} has gone quiet`,
    why: {
      gap_business_days: gap,
      last_day: lastDay,
      share: ({ value }) => `This user stands for ${inPercent(value)} of the account's use in 56 days.`,
    },
  },
  seats_nearly_full: {
    title: ({ account }) => `${account} is running out of seats`,
    why: {
      active_users: (seen) => `${counted(seen.value, "active user")} in 28 days${where(seen, "seats are there")}.`,
    },
  },
  usage_growth: {
    title: ({ account }) => `Use by ${account} is growing`,
    why: {
      user_days: userDays,
      new_users: ({ value }) => `${counted(value, "user")} of these 28 days had not been seen before.`,
    },
  },
  feature_dropped: {
    title: ({ account, subject }) => `${account} has stopped using ${subject ?? "a core feature"}`,
    why: {
      active_days: ({ value }) =>
        `Used on 0 of the last 21 days, where it was on ${inFigures(value)} of the 56 before.`,
      users: ({ value }) => `${counted(value, "user")} used it then.`,
      last_day: ({ value }) => `Last used on ${dateOf(value)}.`,
    },
  },
  contraction: {
    title: ({ account }, item) => `${account} has cut its ${item.subject === "seats" ? "seats" : "MRR"}`,
    why: {
      seats: (seen) => `${counted(seen.value, "seat")}${where(seen, "was the highest of 30 days")}${fallDates(seen)}.`,
      mrr: (seen) =>
        `An MRR of ${inFigures(seen.value)}${where(seen, "was the highest of 30 days")}${fallDates(seen)}.`,
    },
  },
  health_dropped: {
    title: ({ account }) => `The health of ${account} has dropped`,
    why: {
      score: (seen) => `A health score of ${inFigures(seen.value)}${where(seen, "or more are out of risk")}.`,
      score_before: ({ value }) => `It was ${inFigures(value)} 14 days before.`,
    },
  },
  tracking_stopped: {
    title: ({ account }) => `${account} receives no events any more`,
    why: {
      gap_business_days: (seen) =>
        `No event for ${counted(seen.value, "business day")}${where(seen, "are beyond the normal")}.`,
      last_day: ({ value }) => `The last one was of ${dateOf(value)}. Until they flow again, no absence is told of.`,
    },
  },
};

function fallDates({ window }: ItemEvidence): string {
  return window === undefined ? "" : ` (last on ${dateOf(window.from)}; it fell on ${dateOf(window.to)})`;
}

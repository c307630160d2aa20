/** Types of the inbox: what an item is, and what is stored of it from day to day. */
import type { Confidence, Day, Window } from "../health/model.ts";

/** Kinds of items about an account. CONTRIBUTING.md ("Add an inbox kind") lists what a new one needs. */
const ACCOUNT_KINDS = [
  "trial_ending_low_activity",
  "trial_ending_ready",
  "trial_expired",
  "never_activated",
  "usage_drop",
  "slow_decline",
  "gone_silent",
  "key_user_quiet",
  "seats_nearly_full",
  "usage_growth",
  "feature_dropped",
  "contraction",
  "health_dropped",
  "renewal_at_risk",
] as const;
export type AccountItemKind = (typeof ACCOUNT_KINDS)[number];
/** Items of these kinds close after so many days, but not while the account is at risk. */
export const RISK_EXPIRY_DAYS: Readonly<Partial<Record<ItemKind, number>>> = {
  usage_drop: 28,
  slow_decline: 90,
  key_user_quiet: 90,
};
/** All kinds, including the one about the workspace as a whole. */
export const ITEM_KINDS = [...ACCOUNT_KINDS, "tracking_stopped"] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

export const ITEM_STATUSES = ["open", "snoozed", "dismissed", "resolved"] as const;
export type ItemStatus = (typeof ITEM_STATUSES)[number];

export const SEVERITIES = ["low", "medium", "high", "critical"] as const;
export type Severity = (typeof SEVERITIES)[number];

export const RESOLUTIONS = [
  /** Its own rule found that the problem is over. */
  "recovered",
  /** The low usage has become usual: it is no drop any more. */
  "settled",
  /** The trial became a customer. */
  "converted",
  /** The contract's end moved to a later date. */
  "renewed",
  /** The trial's or the contract's end moved otherwise. */
  "moved",
  /** Its subject changed: the stage, the seats, or a date that is no longer known. */
  "changed",
  /** It has been open too long to be news. */
  "expired",
  /** The account fell silent, which opens an item of its own. */
  "silent",
  /** The account has churned. */
  "churned",
  /** A more specific item is open. */
  "superseded",
  /** Messages that arrived late show that it should not have opened. */
  "withdrawn",
] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/** A number that supports an item, with the number it is compared with, if any. */
export interface ItemEvidence {
  code: string;
  value: number;
  expected?: number;
  window?: Window;
}

/**
 * An item as the recompute stores it: codes and numbers only. Account, kind, subject and occurrence identify it.
 */
export interface InboxItem {
  kind: ItemKind;
  /** A trial's end, the number of a user or feature, or the seats; "" if the item is about the whole account. */
  subject: string;
  /** Counts the items of the same kind and subject, from 1. */
  occurrence: number;
  /** It was opened, last confirmed and closed at the end of these days. */
  openedDay: Day;
  confirmedDay: Day;
  resolvedDay: Day | null;
  resolution: Resolution | null;
  severity: Severity;
  confidence: Confidence;
  /** Severity × urgency × confidence × weight by MRR. The highest rank comes first. */
  rank: number;
  dueAt: number | null;
  evidence: readonly ItemEvidence[];
}

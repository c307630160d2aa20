/** The words of the inbox: what an item is, and what is remembered of one from day to day. */
import type { Confidence, Day, Window } from "../health/model.ts";

/** About an account. */
export const ACCOUNT_KINDS = [
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
] as const;
export type AccountItemKind = (typeof ACCOUNT_KINDS)[number];
/** And about the workspace as a whole. */
export const ITEM_KINDS = [...ACCOUNT_KINDS, "tracking_stopped"] as const;
export type ItemKind = (typeof ITEM_KINDS)[number];

export const SEVERITIES = ["low", "medium", "high", "critical"] as const;
export type Severity = (typeof SEVERITIES)[number];

/** Why an item is closed. */
export const RESOLUTIONS = [
  /** Its own rule: what it told of is no more. */
  "recovered",
  /** What it was about changed: the stage, the date, the seats. */
  "changed",
  /** Too old to be news. */
  "expired",
  /** The account fell silent, which has an item of its own. */
  "silent",
  /** The account is churned. */
  "churned",
  /** Something more specific is open. */
  "superseded",
  /** What arrived late shows that it never was so. */
  "withdrawn",
] as const;
export type Resolution = (typeof RESOLUTIONS)[number];

/** A number that stands behind an item, with what it is measured against where there is such a thing. */
export interface ItemEvidence {
  code: string;
  value: number;
  expected?: number;
  window?: Window;
}

/**
 * An item as the recompute keeps it: codes, internal numbers and figures only. Its identity is account, kind, subject
 * and occurrence.
 */
export interface InboxItem {
  kind: ItemKind;
  /** What of the account it is about: a trial's end, a user's or a feature's number, seats; "" where the kind says all. */
  subject: string;
  /** From 1, counted for each kind and subject. */
  occurrence: number;
  /** The day as of whose end it was opened, last found true, and closed. */
  openedDay: Day;
  confirmedDay: Day;
  resolvedDay: Day | null;
  resolution: Resolution | null;
  severity: Severity;
  confidence: Confidence;
  /** Severity × urgency × confidence × the account's weight by MRR: the higher, the earlier it should be read. */
  rank: number;
  /** Milliseconds since the epoch; of kinds with a deadline. */
  dueAt: number | null;
  evidence: readonly ItemEvidence[];
}

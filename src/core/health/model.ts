/**
 * Types of the health model: an account's history, what is measured on a day, and the score that follows.
 *
 * Everything is by complete UTC days. The results for a day depend only on what happened up to its end, so a day can be
 * scored at any later time with the same result.
 */
import type { AccountAttributes } from "../ingest/message.ts";

export const MODEL_VERSION = 2;

/** Days since 1970-01-01, UTC. */
export type Day = number;

/** An account's activity on a day with at least one event. */
export interface ActiveDay {
  day: Day;
  /** Distinct users with an event. 0 if no event of the day names a user. */
  userDays: number;
  /** The numbers of those users. Empty for days more than `USER_REACH_DAYS` back, whose users are not loaded. */
  users: readonly number[];
  /** The users of each feature, at most `MAX_FEATURE_USERS`. A feature is the number of an event name. Empty as above. */
  features: ReadonlyMap<number, readonly number[]>;
}

/** No rule needs more users of a feature on one day. */
export const MAX_FEATURE_USERS = 3;

/** The attributes at the end of a day. An absent one was never set, or was cleared. */
export type AttributeValues = { [Name in keyof AccountAttributes]: NonNullable<AccountAttributes[Name]> };

/** The attributes that changed on a day, with their values at its end. `null` means cleared. */
export type AttributeChange = readonly [day: Day, values: AccountAttributes];

export interface AccountHistory {
  /** `solo`: the personal account of a user who belongs to no company. */
  kind: "company" | "solo";
  /** The day of the first message that named the account. */
  firstDay: Day;
  /** Complete days only, ascending. */
  days: readonly ActiveDay[];
  /** The number of active days before the first of `days`, capped where more would make no difference. */
  earlierDays: number;
  /** Ascending. */
  attributes: readonly AttributeChange[];
}

/**
 * What a day's scores need to know about the other accounts of the workspace. It is computed once for each day, from the
 * messages that had arrived by then, stored and never changed except by a rebuild.
 */
export interface WorkspaceContext {
  day: Day;
  /** Days on which the whole workspace sent nothing, ascending. Gaps, windows and expectations leave them out. */
  outages: readonly (readonly [first: Day, last: Day])[];
  /** Weekdays on which hardly any account was active, so inactivity means nothing. Ascending. */
  holidays: readonly Day[];
  /** The sender's silence: set while the whole workspace has been without events for longer than usual. */
  silence: SenderSilence | null;
  /** Whether this may be the first day of an outage: a busy workspace sent nothing. */
  senderDoubtful: boolean;
  /** The 75th percentile of active days in 28 over the active accounts; 12 with few accounts. */
  typicalActiveDays: number;
  /** Features that at least a quarter of the active accounts used in 28 days. Ascending. */
  coreFeatures: readonly number[];
  /** Statistics of observed / expected usage, over the accounts with enough expected usage. */
  factor: FactorStatistics;
  /** The MRR of accounts that are not churned, by currency: values at even steps of the rank, lowest to highest. */
  mrr: Readonly<Record<string, readonly number[]>>;
}

/** Enough of a sorted list to compute its median without any one of its values. */
export interface FactorStatistics {
  count: number;
  /** The value at index ⌊(count - 1) / 2⌋ and its neighbors, if they exist. */
  middle: readonly number[];
}

/** Returns the context of a day without a stored one. */
export const noContext = (day: Day): WorkspaceContext => ({
  day,
  outages: [],
  holidays: [],
  silence: null,
  senderDoubtful: false,
  typicalActiveDays: 12,
  coreFeatures: [],
  factor: { count: 0, middle: [] },
  mrr: {},
});

export const STAGES = ["trial", "active", "churned"] as const;
export type Stage = (typeof STAGES)[number];

export const COMPONENTS = ["recency", "frequency", "breadth", "depth", "trend"] as const;
export type Component = (typeof COMPONENTS)[number];

/** The states of an account that has a score. */
export const BANDS = ["healthy", "watch", "at_risk"] as const;
export type Band = (typeof BANDS)[number];

export const HEALTH_STATES = [...BANDS, "insufficient_data", "churned", "stale"] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

export const CONFIDENCES = ["low", "medium", "high"] as const;
export type Confidence = (typeof CONFIDENCES)[number];

/** A range of days, both ends included. */
export interface Window {
  from: Day;
  to: Day;
}

/** Time without activity. Gap and threshold are in business days. */
export interface Silence {
  lastDay: Day;
  gap: number;
  threshold: number;
  /** gap >= threshold */
  silent: boolean;
}

/** The silence of a workspace's sender, from its threshold on. */
export type SenderSilence = Omit<Silence, "silent">;

/** An observed number in a window, and the one to compare it with. Their unit depends on what is compared. */
export interface Comparison {
  observed: number;
  expected: number;
  window: Window;
}

/** Observed and expected user-days. */
export interface UsageComparison extends Comparison {
  /** observed / expected */
  ratio: number;
  /** (observed - expected) / √(φ · expected), φ at least 1: how much more the weeks vary than chance explains. */
  z: number;
}

export interface ComponentValue extends Comparison {
  component: Component;
  /** 0 to 100. */
  score: number;
}

/** The health of an account on one day: a row of the history. */
export interface HealthDay {
  day: Day;
  state: HealthState;
  /** The last state with a score. Hysteresis starts from it. */
  band: Band | null;
  /** 0 to 100 with two decimals; `null` without a score. */
  score: number | null;
  /** The score before caps. */
  uncapped: number | null;
  /** The share of the weights whose components have a value, 0 to 1. */
  coverage: number;
  confidence: Confidence | null;
  /** The points that each component lost, in the order of `COMPONENTS`; `null` for a component without a value. */
  losses: readonly (number | null)[];
}

/** Returns the row of an earlier day; `undefined` without one. */
export type HealthRowOf = (day: Day) => HealthDay | undefined;

export const CAPS = [
  "silent",
  "confirmed_drop",
  "below_own_best",
  "contraction",
  "trial_over",
  "feature_dropped",
  "trial_unproven",
  "trial_fading",
  "declining",
  "single_user",
  "key_user_quiet",
] as const;
export type Cap = (typeof CAPS)[number];

/** Explains a score by numbers and codes. Sentences are written when it is read. */
export interface HealthReason extends Comparison {
  kind: "loss" | "strength" | "cap";
  code: Component | Cap;
  /** The points lost or earned; for a cap, the points it took off. */
  points: number;
}

/** The change of a component's points in seven days. */
export interface ComponentChange {
  component: Component;
  points: number;
}

/** Data that an account needs for a score and doesn't have. */
export interface Missing {
  code: "coverage" | "tenure" | "active_days";
  observed: number;
  required: number;
}

/** The newest day of an account with its explanation. */
export interface Health extends HealthDay {
  modelVersion: number;
  /** The score minus the score seven days before. */
  trend: number | null;
  stage: Stage;
  /** False if the sender's word for the stage is unknown or absent. */
  stageKnown: boolean;
  reasons: readonly HealthReason[];
  changes: readonly ComponentChange[];
  missing: readonly Missing[];
}

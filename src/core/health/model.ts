/**
 * The words of health: what is known of an account, what is measured of it as of a day, and what is concluded.
 *
 * All of it is by complete days in UTC, counted since 1970-01-01. Whatever is said of a day is computed from what
 * happened up to its end, so a day can be judged at any later time with the same result.
 */
import type { AccountAttributes } from "../ingest/message.ts";

/** Named in every outcome. */
export const MODEL_VERSION = 1;

/** Days since 1970-01-01, UTC. */
export type Day = number;

/** What an account did on a day with at least one event. */
export interface ActiveDay {
  day: Day;
  /** Distinct users with an event: the user-days of the day. 0 where every event came without a user. */
  userDays: number;
  /** Their numbers. Empty where they were not loaded, for days too long ago to be asked for them. */
  users: readonly number[];
  /** By feature (the number of an event name): its users of the day, up to `MAX_FEATURE_USERS` of them. Empty as above. */
  features: ReadonlyMap<number, readonly number[]>;
}

/** More users of a feature on a day than any rule asks for. */
export const MAX_FEATURE_USERS = 3;

/** The attributes as they stood at the end of a day; an absent one was never set, or was cleared. */
export interface AttributeValues {
  stage?: string;
  /** ISO 8601 in UTC. */
  trialEndsAt?: string;
  plan?: string;
  seats?: number;
  mrr?: number;
  currency?: string;
}

/** What changed on a day: `null` where an attribute was cleared. Values are those of the end of the day. */
export interface AttributeChange {
  day: Day;
  values: AccountAttributes;
}

export interface AccountHistory {
  /** `solo`: the account of one of a user that belongs to no company. */
  kind: "company" | "solo";
  /** Of the first message that named the account. */
  firstDay: Day;
  /** Ascending, complete days only. */
  days: readonly ActiveDay[];
  /** Active days before the first of `days`, capped where more of them would make no difference. */
  earlierDays: number;
  /** Ascending. */
  attributes: readonly AttributeChange[];
}

/**
 * What compares the accounts of a workspace, as of a day. Computed once for each day from what arrived before, stored,
 * and final.
 */
export interface WorkspaceContext {
  day: Day;
  /** Days on which the sender was out, first and last, ascending: left out of every gap, window and expectation. */
  outages: readonly (readonly [first: Day, last: Day])[];
  /** Business days on which hardly anybody worked, in no account: no absence of anyone's. Ascending. */
  holidays: readonly Day[];
  /** Whether the sender is out as of this day: its last day with an event lies further back than is normal. */
  silence: SenderSilence | null;
  /** Whether the day may be one of an outage that is not recognised yet: a busy sender was not heard of on it. */
  senderDoubtful: boolean;
  /** What counts as many active days in 28: the 75th percentile over active accounts, at least 1; 12 with few of them. */
  typicalActiveDays: number;
  /** Features that at least a quarter of the accounts active in 28 days use. Ascending. */
  coreFeatures: readonly number[];
  /** Of observed / expected over the accounts with enough to expect. */
  factor: FactorStatistics;
  /** By currency: the MRR of its accounts that are not churned, at even steps of the rank from the lowest to the highest. */
  mrr: Readonly<Record<string, readonly number[]>>;
}

export interface SenderSilence {
  /** The last day with an event. */
  lastDay: Day;
  /** Business days since, and how many are normal. */
  gap: number;
  threshold: number;
}

/** Enough of a sorted list to take the median of all but one of it. */
export interface FactorStatistics {
  count: number;
  /** The values around the middle: at (count-1)/2 rounded down and one to each side, as far as there are any. */
  middle: readonly number[];
}

/** The context of a day that has none: before the first, or of a workspace too small to compare. */
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

/** The bands of a score; what a state is while there is one. */
export const BANDS = ["healthy", "watch", "at_risk"] as const;
export type Band = (typeof BANDS)[number];

export const HEALTH_STATES = [...BANDS, "insufficient_data", "churned", "stale"] as const;
export type HealthState = (typeof HEALTH_STATES)[number];

export const CONFIDENCES = ["low", "medium", "high"] as const;
export type Confidence = (typeof CONFIDENCES)[number];

/** A stretch of days, both ends included. */
export interface Window {
  from: Day;
  to: Day;
}

/** Gap and threshold in business days. */
export interface Silence {
  lastDay: Day;
  gap: number;
  threshold: number;
  /** gap >= threshold */
  silent: boolean;
}

/** Of a count against what was expected of it. */
export interface Trend {
  observed: number;
  expected: number;
  /** observed / expected */
  ratio: number;
  /** (observed - expected) / √(φ · expected), φ = max(1, variance / mean of the weeks) */
  z: number;
  window: Window;
}

export interface OwnBest {
  /** User-days in the last 28 days. */
  observed: number;
  /** The most of any 28 days of the last 26 weeks, by its business days. */
  best: number;
  ratio: number;
  /** (observed - best) / √(φ · best), φ by how the weeks change from one to the next. */
  z: number;
  window: Window;
}

/** A component of the score. */
export interface ComponentValue {
  component: Component;
  /** 0 to 100. */
  score: number;
  observed: number;
  expected: number;
  window: Window;
}

/** One account, one day: a row of the history. */
export interface HealthDay {
  day: Day;
  state: HealthState;
  /** What the state is, or goes back to, while there are scores: what hysteresis starts from. */
  band: Band | null;
  /** 0 to 100 with two decimals; `null` where there is none. */
  score: number | null;
  /** The score before it was capped. */
  uncapped: number | null;
  /** The share of weight that has a value, 0 to 1. */
  coverage: number;
  confidence: Confidence | null;
  /** The points that each component lost, in the order of `COMPONENTS`; `null` where it has no value. */
  losses: readonly (number | null)[];
}

export const CAPS = ["silent", "confirmed_drop", "below_own_best"] as const;
export type Cap = (typeof CAPS)[number];

/** Why a score is what it is. Numbers and codes only: sentences are made on reading. */
export interface Reason {
  kind: "loss" | "strength" | "cap";
  code: Component | Cap;
  /** A loss's or a strength's share of 100; of a cap, what it took off. */
  points: number;
  observed: number;
  expected: number;
  window: Window;
}

/** A component's points against those of seven days before. */
export interface Change {
  component: Component;
  points: number;
}

/** What is wanting for a score. */
export interface Missing {
  code: "coverage" | "tenure" | "active_days";
  observed: number;
  required: number;
}

/** The newest day of an account, and what explains it. */
export interface Health extends HealthDay {
  modelVersion: number;
  /** Score now less score seven days before. */
  trend: number | null;
  stage: Stage;
  /** False where the sender's word for the stage is not one we know, or there is none. */
  stageKnown: boolean;
  reasons: readonly Reason[];
  changes: readonly Change[];
  missing: readonly Missing[];
}

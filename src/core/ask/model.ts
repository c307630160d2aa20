/**
 * The words of ask: what a question comes to (a plan), what is looked up for it (facts), and what is answered. Every
 * question that is answered has gone through one of these plans; what fits none is not answered.
 */
import type { AttributeValues, Day, Health, HealthState, Stage, Window } from "../health/model.ts";
import type { InboxItem } from "../inbox/model.ts";
import type { Json } from "../json.ts";

/** Why a question is not answered. */
export const REASONS = [
  "no_such_subject",
  "ambiguous_subject",
  "no_such_event",
  "no_data_in_window",
  "insufficient_history",
  "unmeasured_attribute",
  "unresolved_words",
  "causal_claim",
  "prediction",
  "opinion",
  "out_of_scope",
  "stale_data",
  "mixed_currency",
  "internal_check",
] as const;
export type Reason = (typeof REASONS)[number];

export const SUBJECT_TYPES = ["account", "user", "feature"] as const;
export type SubjectType = (typeof SUBJECT_TYPES)[number];

/** How a name in a question was told to mean something. */
export const MATCHES = ["hint", "internal_id", "external_id", "name", "folded", "spoken", "fuzzy"] as const;
export type Match = (typeof MATCHES)[number];

/** Something that a question may name, found for a span of it. */
export interface Entity {
  type: SubjectType;
  /** The number that rows carry; a feature's is that of its event name, 0 of one not folded yet. */
  number: number;
  /** `acc_…`, `usr_…`; of a feature its event name. */
  id: string;
  /** Of a feature, its event name. `null` of an erased user, which no question can name. */
  externalId: string;
  /** The company's or the person's name, once it is known. */
  name: string | null;
}

/** A name that the workspace knows, in the form that it is looked up by. */
export interface KnownName {
  entity: Entity;
  /** As stored: an external id, a company, a person's name, an e-mail address, an event name. */
  text: string;
  source: "external_id" | "internal_id" | "company" | "name" | "email" | "event";
}

/** What a question says of time, as days in UTC, both included. */
export interface AskWindow extends Window {
  /** The words it was read from; `null` for a default. */
  phrase: string | null;
}

export type ActivityMetric = "events" | "active_users" | "active_days";

/** Of an account. `feature` narrows to one event name. */
export type AccountPlan = { subject: "account"; account: Entity } & (
  | { measure: "health" | "health_why" | "changes" | "last_seen" | "since" | "items" }
  | { measure: "trial_end" | "trial_days_left" | "plan" | "seats" | "mrr" | "stage" }
  /** A free-form trait, by its folded name: answered only where the subject has it. */
  | { measure: "trait"; key: string }
  | { measure: "seat_use"; window: AskWindow }
  | { measure: "event_count" | "active_users" | "active_days"; window: AskWindow; feature?: Entity }
  | { measure: "active_user_list"; window: AskWindow; feature?: Entity }
  | { measure: "features_used" | "features_not_used" | "feature_count"; window: AskWindow }
  | { measure: "uses_feature"; window: AskWindow; feature: Entity }
  /** The last window against the one of the same length before it. */
  | { measure: "trend"; window: AskWindow; before: AskWindow; feature?: Entity }
  | { measure: "compare_windows"; metric: ActivityMetric; window: AskWindow; before: AskWindow; feature?: Entity }
  | {
      measure: "compare_accounts";
      metric: ActivityMetric | "health" | "mrr" | "seats";
      other: Entity;
      window: AskWindow;
      feature?: Entity;
    }
);

export type UserPlan = { subject: "user"; user: Entity } & (
  | { measure: "last_seen" | "first_seen" | "account" }
  | { measure: "trait"; key: string }
  | { measure: "event_count" | "active_days"; window: AskWindow; feature?: Entity }
  | { measure: "features_used"; window: AskWindow }
  | { measure: "uses_feature"; window: AskWindow; feature: Entity }
  | { measure: "trend"; window: AskWindow; before: AskWindow }
);

export type FeaturePlan = { subject: "feature"; feature: Entity } & (
  | { measure: "accounts" | "users" | "account_count" | "user_count" | "adoption" | "event_count"; window: AskWindow }
  /** Accounts with a use in `before` and none in `window`. */
  | { measure: "stopped"; window: AskWindow; before: AskWindow }
  | { measure: "trend"; window: AskWindow; before: AskWindow }
);

/** What accounts are counted or listed by. */
export interface AccountFilter {
  state?: HealthState;
  stage?: Stage;
  /** Compared without regard to case. */
  plan?: string;
}

export type PortfolioPlan = { subject: "portfolio" } & (
  | { measure: "account_count" | "account_list"; filter: AccountFilter }
  | { measure: "at_risk" }
  /** Accounts without an event since the first day of `window`. */
  | { measure: "silent_since"; window: AskWindow }
  | { measure: "active_accounts" | "active_account_list" | "active_users" | "event_count"; window: AskWindow }
  | { measure: "top"; by: "activity"; limit: number; window: AskWindow }
  | { measure: "top"; by: "growth" | "decline"; limit: number; window: AskWindow; before: AskWindow }
  | { measure: "top"; by: "mrr" | "seats"; limit: number }
  /** `total`: one sum is asked for, which there is only of one currency. */
  | { measure: "mrr"; total: boolean }
  | { measure: "trials_ending"; window: AskWindow }
  | { measure: "top_features"; limit: number; window: AskWindow }
  | { measure: "new_accounts"; window: AskWindow }
  | { measure: "items"; limit: number }
);

export type Plan = AccountPlan | UserPlan | FeaturePlan | PortfolioPlan;

/** What an account did in a window: complete days, today, and what is not folded yet alike. */
export interface AccountUse {
  events: number;
  activeDays: number;
  /** By user, those with an event: on how many days, and the last. */
  users: readonly { user: Entity; days: number; lastDay: Day }[];
  /** By event name: how often. */
  features: readonly { feature: Entity; events: number }[];
}

export interface UserUse {
  events: number;
  activeDays: number;
  features: readonly { feature: Entity; events: number }[];
}

/** An account as the portfolio sees it. Accounts of one that are superseded are none of them. */
export interface PortfolioAccount {
  account: Entity;
  attributes: AttributeValues;
  health: Pick<Health, "state" | "score" | "reasons" | "day"> | null;
  /** Milliseconds since the epoch; `null` without an event. */
  lastEventAt: number | null;
  firstSeenAt: number;
  /** Events and users' days in each window asked for, in their order. */
  events: readonly number[];
  userDays: readonly number[];
}

export interface FeatureUse {
  events: number;
  /** Accounts with a use, the most events first. */
  accounts: readonly { account: Entity; events: number }[];
  /** Only where users were asked for. */
  users: readonly { user: Entity; events: number }[];
}

export interface NamedItem {
  id: string;
  item: InboxItem;
  /** `null` for the workspace as a whole. */
  account: Entity | null;
  subjectName: string | null;
}

export interface Trait {
  /** As sent. */
  key: string;
  value: Json;
}

/** What the look-up of a question's spans found. */
export interface Found {
  names: readonly KnownName[];
  /** Plans that accounts of the workspace are on, as stored, of those that a span names. */
  plans: readonly string[];
}

/** What was said beside the question: what "this account", "they" and "it" stand for. */
export interface Hints {
  account?: Entity;
  user?: Entity;
  feature?: Entity;
}

/** What is known of the workspace, whatever is asked. */
export interface Freshness {
  /** Milliseconds since the epoch; `null` for none yet. */
  lastEventAt: number | null;
  lastRecomputeAt: number | null;
  /** The day of the first event; `null` before it. */
  firstDay: Day | null;
  /** More messages wait to be folded than an answer can count: nothing that counts them is answered. */
  isBehind: boolean;
}

/** What was looked up for a plan: as much of it as the plan's measure asks for. */
export type Facts =
  | {
      subject: "account";
      /** In the order of the plan's windows (`window`, then `before`); of `compare_accounts`, the account's then the other's. */
      uses: readonly AccountUse[];
      attributes: readonly AttributeValues[];
      health: readonly (Health | null)[];
      items: readonly NamedItem[];
      lastEventAt: number | null;
      firstSeenAt: number;
      /** Event names of the workspace, for what an account doesn't use. */
      knownFeatures: readonly Entity[];
      traits: readonly Trait[];
    }
  | {
      subject: "user";
      uses: readonly UserUse[];
      account: Entity | null;
      lastEventAt: number | null;
      /** The day of the first event. */
      firstDay: Day | null;
      traits: readonly Trait[];
    }
  | { subject: "feature"; uses: readonly FeatureUse[]; activeAccounts: number }
  | {
      subject: "portfolio";
      accounts: readonly PortfolioAccount[];
      items: readonly NamedItem[];
      features: readonly { feature: Entity; events: number; accounts: number }[];
      /** Distinct users with an event, where they were asked for. */
      activeUsers: number;
    };

export const EVIDENCE_KINDS = ["rollup", "event", "attribute", "health", "item", "trait"] as const;

/** A value that an answer stands on. */
export interface Evidence {
  id: string;
  kind: (typeof EVIDENCE_KINDS)[number];
  measure: string;
  value: number | string | boolean | null;
  window?: Window;
  /** Milliseconds since the epoch. */
  asOf: number;
}

export interface Interpretation {
  intent: string;
  measure: string;
  subject:
    | (Pick<Entity, "id" | "externalId"> & { type: SubjectType | "portfolio"; name?: string; matchedBy: Match })
    | null;
  feature?: string;
  compare?: string;
  limit?: number;
  /** The question as it was understood, in our own words. */
  restated: string;
}

/** A misspelt name or word, as it was typed, and what it was taken for. */
export interface TakenName {
  said: string;
  meant: string;
}

/** What a question was understood as, or why it was not. */
export type Understood =
  | {
      ok: true;
      plan: Plan;
      interpretation: Interpretation;
      window: (AskWindow & { defaulted: boolean }) | null;
      taken: readonly TakenName[];
    }
  | { ok: false; refusal: Refusal };

export interface Refusal {
  reason: Reason;
  /** A sentence for a person. */
  detail: string;
  candidates?: readonly Entity[];
  /** A question near this one that can be answered. */
  nearestAnswerable?: string;
}

export type Answer =
  | {
      knows: true;
      answer: string;
      value?: number | string | boolean | readonly Record<string, unknown>[];
      interpretation: Interpretation;
      window: AskWindow | null;
      evidence: readonly Evidence[];
      confidence: "high" | "medium";
    }
  | {
      knows: false;
      reason: Reason;
      /** A sentence for a person. */
      detail: string;
      interpretation: Interpretation | null;
      window: AskWindow | null;
      candidates?: readonly (Pick<Entity, "type" | "id" | "externalId"> & { name?: string })[];
      nearestAnswerable?: string;
    };

/**
 * What is measured of one account, as of any of its days. Each measure is computed when it is first asked for, so
 * that a rule which looks back for days costs nothing while it doesn't.
 */
import type {
  AccountHistory,
  AttributeValues,
  ComponentValue,
  Component,
  Day,
  OwnBest,
  Silence,
  Stage,
  Trend,
  WorkspaceContext,
} from "./model.ts";

export interface Measures {
  readonly history: AccountHistory;
  context(day: Day): WorkspaceContext;
  attributes(day: Day): AttributeValues;
  stage(day: Day): { stage: Stage; known: boolean };
  /** Complete days from the first message that named the account, that day included. */
  tenure(day: Day): number;
  /** Days with an event since the beginning. */
  activeDaysEver(day: Day): number;
  /** Days with an event among the last `count` that count. */
  activeDays(day: Day, count: number): number;
  /** Days with an event since the first of the last `count` business days. */
  activeDaysInBusinessDays(day: Day, count: number): number;
  /** `null` for an account without any event. */
  silence(day: Day): Silence | null;
  /** The last 14 days against those before; `null` where there is too little to expect anything. */
  trend(day: Day): Trend | null;
  /** The trend where it is a drop that neither chance nor one user's leave explains; else `null`. */
  drop(day: Day): Trend | null;
  /** `null` where the best is too little to compare with. */
  ownBest(day: Day): OwnBest | null;
  /** Distinct users in 28 days. */
  activeUsers(day: Day): number;
  /** The last 28 days against the 28 before; `null` where those have too few user-days. */
  growth(day: Day): (Trend & { newUsers: number }) | null;
  /** Users that carry the account: see the key-user rule. By number of the user, ascending. */
  keyUsers(day: Day): readonly KeyUser[];
  /** Whether another user has taken over from one who was last seen on `since`. */
  hasSuccessor(day: Day, user: number, since: Day): boolean;
  /** Core features that the account used to use and has stopped using. Ascending. */
  droppedFeatures(day: Day): readonly DroppedFeature[];
  /** Days on which a feature was used after `since`, up to `day`. */
  featureDays(day: Day, feature: number, since: Day): number;
  /** Whether a user has been active after `since`, up to `day`. */
  userSeen(day: Day, user: number, since: Day): boolean;
  component(day: Day, component: Component): ComponentValue | null;
}

/** With what only a score asks for. */
export interface AccountMeasures extends Measures {
  /** User-days in the last `count` days that count. */
  userDays(day: Day, count: number): number;
}

export interface KeyUser {
  user: number;
  /** Active days in 56, and the share of the account's user-days, 0 to 1. */
  days: number;
  share: number;
  silence: Silence;
}

export interface DroppedFeature {
  feature: number;
  /** In the 56 days before it was dropped. */
  users: number;
  days: number;
  /** The last day it was used. */
  lastDay: Day;
}

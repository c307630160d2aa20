/**
 * Defines the measures of an account, as of any of its days. Each is computed on first use, so a rule that looks back over
 * many days costs nothing until it does.
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
  /** Complete days since the first message that named the account, that day included. */
  tenure(day: Day): number;
  /** Days with an event since the first. */
  activeDaysEver(day: Day): number;
  /** Days with an event among the last `count` counted days. */
  activeDays(day: Day, count: number): number;
  /** Days with an event since the first of the last `count` business days. */
  activeDaysInBusinessDays(day: Day, count: number): number;
  /** User-days in the last `count` counted days. */
  userDays(day: Day, count: number): number;
  /** `null` for an account without any event. */
  silence(day: Day): Silence | null;
  /** The last 14 days compared with the weeks before; `null` with too little expected. */
  trend(day: Day): Trend | null;
  /** The trend if it is a drop that neither chance nor one user's leave explains; else `null`. */
  drop(day: Day): Trend | null;
  /** `null` if the best is too small to compare with. */
  ownBest(day: Day): OwnBest | null;
  /** Distinct users in 28 days. */
  activeUsers(day: Day): number;
  /** The last 28 days compared with the 28 before; `null` if those have too few user-days. */
  growth(day: Day): (Trend & { newUsers: number }) | null;
  /** Users with a large share of the usage who are silent. Ascending by number. */
  keyUsers(day: Day): readonly KeyUser[];
  /** Whether another user has taken over from `user`, who was last active on `since`. */
  hasSuccessor(day: Day, user: number, since: Day): boolean;
  /** Core features that the account has stopped using. Ascending. */
  droppedFeatures(day: Day): readonly DroppedFeature[];
  /** Days after `since` and up to `day` on which the feature was used. */
  featureDays(day: Day, feature: number, since: Day): number;
  /** Whether the user was active after `since` and up to `day`. */
  userSeen(day: Day, user: number, since: Day): boolean;
  component(day: Day, component: Component): ComponentValue | null;
}

export interface KeyUser {
  user: number;
  /** Active days in 56. */
  days: number;
  /** The share of the account's user-days in 56 days, 0 to 1. */
  share: number;
  silence: Silence;
}

export interface DroppedFeature {
  feature: number;
  /** Users and days of use in the 56 days before it was dropped. */
  users: number;
  days: number;
  /** The last day it was used. */
  lastDay: Day;
}

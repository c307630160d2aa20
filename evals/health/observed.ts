/** The outcomes of a simulated workspace, as plain data that a thread returns. Days are days of the simulation. */
import type { HealthState } from "../../src/core/health/model.ts";
import type { ItemKind, Resolution } from "../../src/core/inbox/model.ts";
import type { Disturbance, Truth } from "../simulator/model.ts";

export interface SeenItem {
  /** `null` for the workspace as a whole. */
  account: string | null;
  kind: ItemKind;
  /** Day whose recompute first showed the item. The item may carry an earlier date if events came late. */
  seenDay: number;
  /** How it ended, as read on the last day. */
  resolvedDay: number | null;
  resolution: Resolution | null;
}

export interface HealthRow {
  day: number;
  state: HealthState;
  score: number | null;
  /** The score before caps. */
  uncapped: number | null;
  /** Points that each component costs, in the order of `COMPONENTS`; `null` for one without a value. */
  losses: readonly (number | null)[];
}

export interface ObservedAccount {
  id: string;
  truth: Truth;
  /** User-days by day, as they happened, including outages of the sender. */
  userDays: readonly number[];
  items: readonly SeenItem[];
  /** Health history in order of days, as read on the last day. */
  health: readonly HealthRow[];
}

export interface ObservedDisturbance extends Disturbance {
  /** Accounts that were present and not in decline. */
  accounts: readonly string[];
  /** Items about them from its first day to four weeks after it. */
  items: readonly SeenItem[];
  /** Items in the same workspace without the disturbance. */
  itemsWithout: readonly SeenItem[];
}

export interface ObservedWorkspace {
  seed: string;
  days: number;
  accounts: readonly ObservedAccount[];
  /** About the workspace as a whole. */
  items: readonly SeenItem[];
  disturbances: readonly ObservedDisturbance[];
  /** Actual against expected activity of the whole workspace by day, as the recompute sees it; at most 1. */
  factors: readonly number[];
  /** True if a second recompute at the same time changed no outcome. */
  rerunSame: boolean;
}

/** Compares the same workspace with the arrivals of each day in another order. */
export interface ObservedShuffle {
  accounts: number;
  days: number;
  /** Accounts whose outcomes differ. */
  differing: readonly string[];
}

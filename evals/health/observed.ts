/** What came of a simulated workspace: plain data, from the thread that ran it to the figures. */
import type { HealthState } from "../../src/core/health/model.ts";
import type { ItemKind, Resolution } from "../../src/core/inbox/model.ts";
import type { Disturbance, Truth } from "../simulator/model.ts";

/** Days are those of the simulation. */
export interface SeenItem {
  /** `null` for the workspace as a whole. */
  account: string | null;
  kind: ItemKind;
  /** The day after which the recompute first showed it; it may date it back, when events came late. */
  seenDay: number;
  /** How it ended, as told on the last day. */
  resolvedDay: number | null;
  resolution: Resolution | null;
}

export interface HealthRow {
  day: number;
  state: HealthState;
  score: number | null;
}

export interface ObservedAccount {
  id: string;
  truth: Truth;
  /** By day, as they happened; a sender's outage included. */
  userDays: readonly number[];
  items: readonly SeenItem[];
  /** Ascending, the history as it stands on the last day. */
  health: readonly HealthRow[];
}

export interface ObservedDisturbance extends Disturbance {
  /** Accounts that were there and not in decline. */
  accounts: readonly string[];
  /** What was shown of those from its first day on, to four weeks after it. */
  items: readonly SeenItem[];
  /** The same in the same workspace without the disturbance. */
  itemsWithout: readonly SeenItem[];
}

export interface ObservedWorkspace {
  seed: string;
  days: number;
  accounts: readonly ObservedAccount[];
  /** About the workspace as a whole. */
  items: readonly SeenItem[];
  disturbances: readonly ObservedDisturbance[];
  /** By day: what the workspace as a whole did against what was expected of it, as the recompute has it; at most 1. */
  factors: readonly number[];
  /** Whether a second recompute for the same moment left all outcomes as they were. */
  rerunSame: boolean;
}

/** The same workspace with the arrivals of each day in another order. */
export interface ObservedShuffle {
  accounts: number;
  days: number;
  /** Accounts whose outcomes differ. */
  differing: readonly string[];
}

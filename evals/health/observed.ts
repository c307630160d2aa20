/** The outcomes of a simulated workspace, as plain data from the thread that ran it. */
import type { HealthState } from "../../src/core/health/model.ts";
import type { ItemKind, Resolution } from "../../src/core/inbox/model.ts";
import type { Disturbance, Truth } from "./workspace/model.ts";

/** Days are those of the simulation. */
export interface SeenItem {
  /** `null` for the workspace as a whole. */
  account: string | null;
  kind: ItemKind;
  /** The day after which the recompute first showed it. After late events its opening may be dated earlier. */
  seenDay: number;
  /** How it ended, as of the last day. */
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
  /** By day, as simulated, including outages. */
  userDays: readonly number[];
  items: readonly SeenItem[];
  /** The history as of the last day, ascending. */
  health: readonly HealthRow[];
}

export interface ObservedDisturbance extends Disturbance {
  /** Accounts that existed and were not in decline. */
  accounts: readonly string[];
  /** Their items from the first day of the disturbance to four weeks after it. */
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
  /** By day: the workspace factor that the recompute used, at most 1. */
  factors: readonly number[];
  /** Whether a second recompute for the same moment left all outcomes as they were. */
  rerunSame: boolean;
}

/** The same workspace with the messages of each day in another order. */
export interface ObservedShuffle {
  accounts: number;
  days: number;
  /** Accounts whose outcomes differ. */
  differing: readonly string[];
}

/** The plain data that edges and the workspace's limiter exchange. */
import type { Charge } from "../core/limit/write-window.ts";

/** What the directory decides of a workspace, and what the limiter has to know of it. */
export interface LimiterSettings {
  /** Messages per window, an integer from 1 up. */
  limit: number;
  /** The binding of the workspace's database. */
  database: string;
  /** How many messages fit until what is stored is measured again; `null` without a storage limit. */
  room: number | null;
}

/** The state of the write limit, for admitted and refused requests alike. */
export interface WriteQuota {
  limit: number;
  left: number;
  /** Time until the whole quota is free. */
  resetMs: number;
}

interface Denial extends WriteQuota {
  outcome: "rate_limited";
  retryAfterMs: number;
}

export interface Admission extends WriteQuota {
  outcome: "admitted";
  charges: Charge[];
  /** The binding of the workspace's database. The limiter knows it best: it takes part in every move. */
  database: string;
}

export type WriteRefusal =
  | Denial
  /** The key was revoked or its workspace erased since the key was looked up. */
  | { outcome: "unauthorized" }
  /** The workspace stores as much as it may. */
  | { outcome: "storage_full" };

/** Messages that the write limit admitted and refused, for people who run the service. */
export interface WriteCounters {
  admitted: number;
  refused: number;
}

/** The write limit as the console and the administration show it. */
export interface WriteLimitUsage extends WriteCounters {
  limit: number;
  /** Messages charged in the window that ends now. */
  inUse: number;
}

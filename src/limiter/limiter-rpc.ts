/** What edges and the workspace's object say to each other: plain data. */
import type { Charge } from "../core/limit/write-window.ts";
import type { Outcomes, TrafficSeries } from "../core/traffic/traffic.ts";

/** What became of messages of requests that the object let in before. */
export interface OutcomeReport extends Outcomes {
  /** When it was known, milliseconds since the epoch. */
  at: number;
}

/** `cost` is the number of messages, from 1 up. */
export interface WriteRequest {
  keyId: string;
  cost: number;
  /** What the edge has not reported yet. */
  report?: OutcomeReport;
}

interface Quota {
  limit: number;
  /** Places free now, after the decision. */
  left: number;
  /** Time until the whole quota is free. */
  resetMs: number;
  /** Somebody looks at the traffic. */
  watched?: true;
}

export interface Refusal extends Quota {
  outcome: "refused";
  retryAfterMs: number;
  /** From when the object was asked: so long nothing of the same cost is let in, and out of a flood nothing at all. */
  standsForMs: number;
}

export type Admission = ({ outcome: "admitted"; charges: Charge[] } & Quota) | Refusal | { outcome: "revoked" };

/** Numbers of messages. A crash may cost what was counted since they were saved, five seconds' at most. */
export interface WriteCounters {
  admitted: number;
  refused: number;
}

/** What edges told of messages over time, which may lag, and how much of the limit is in use now. */
export interface WorkspaceTraffic extends TrafficSeries {
  /** Messages per window. */
  limit: number;
  /** Messages charged in the window that ends now. */
  inUse: number;
}

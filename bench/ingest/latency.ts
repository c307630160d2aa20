/**
 * How long captures take when they come at even distances, at a part of the rate that the service can take at most. Round
 * after round, and the medians count: a pause of the machine's, which meets the floor as well, is in some of them.
 */
import type { Load } from "./load/load.ts";
import type { Outcome } from "./load/job.ts";
import type { Scenario } from "./scenarios.ts";

export interface Latency {
  perSecond: number;
  /** One a round; the first, in which connections are made, is none of them. */
  rounds: Outcome[];
  /** Captures of all rounds. */
  requests: number;
}

const SHARE_OF_SATURATION = 0.7;
const ROUNDS = 9;
const ROUND_MS = 2_000;
/** Enough that none waits for a connection. */
const CONNECTIONS = 64;

export async function measureLatency(load: Load, capture: Scenario, saturation: number): Promise<Latency> {
  const perSecond = Math.floor(saturation * SHARE_OF_SATURATION);
  const rounds: Outcome[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    rounds.push(await load.run({ ...capture.job, connections: CONNECTIONS, durationMs: ROUND_MS, perSecond }));
  }
  const requests = rounds.reduce((sum, one) => sum + one.requests, 0);
  return { perSecond, rounds: rounds.slice(1), requests };
}

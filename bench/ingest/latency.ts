/**
 * Measures how long captures take at a constant rate, 70 % of the highest rate that the service can take. The naive
 * Worker and the floor get the same rate in turn, which shows how much of the time is the database's and the machine's.
 */
import type { Load } from "./load/load.ts";
import type { Outcome } from "./load/job.ts";
import type { Scenario } from "./scenarios.ts";

export const TIMED = ["capture", "naive", "floor"] as const;
export type Timed = (typeof TIMED)[number];

export interface Latency {
  perSecond: number;
  /** One per round, without the first, which opens the connections. */
  rounds: Record<Timed, Outcome[]>;
  /** Requests to each service in all rounds. */
  requests: number;
}

const SHARE_OF_SATURATION = 0.7;
const ROUNDS = 9;
const ROUND_MS = 2_000;
/** Enough that no request waits for a connection. */
const CONNECTIONS = 64;

export async function measureLatency(
  load: Load,
  scenarios: Record<Timed, Scenario>,
  saturation: number,
): Promise<Latency> {
  const perSecond = Math.floor(saturation * SHARE_OF_SATURATION);
  const rounds: Latency["rounds"] = { capture: [], naive: [], floor: [] };
  let requests = 0;
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const name of TIMED) {
      const { job } = scenarios[name];
      const outcome = await load.run({ ...job, connections: CONNECTIONS, durationMs: ROUND_MS, perSecond });
      if (name === "capture") requests += outcome.requests;
      if (round > 0) rounds[name].push(outcome);
    }
  }
  return { perSecond, rounds, requests };
}

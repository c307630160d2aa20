/**
 * Measures how long captures take at a constant rate, 70 % of the highest rate that the service can take. The naive
 * Worker and the floor get the same rate in turn, which shows how much of the time is the database's and the machine's.
 */
import type { Load } from "./load/load.ts";
import type { Outcome } from "./load/job.ts";
import type { Scenario } from "./scenarios.ts";

export interface Latency {
  perSecond: number;
  /** One per round, without the first, which opens the connections. */
  capture: Outcome[];
  naive: Outcome[];
  floor: Outcome[];
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
  { capture, naive, floor }: Record<"capture" | "naive" | "floor", Scenario>,
  saturation: number,
): Promise<Latency> {
  const perSecond = Math.floor(saturation * SHARE_OF_SATURATION);
  const latency: Latency = { perSecond, capture: [], naive: [], floor: [], requests: 0 };
  const run = ({ job }: Scenario) => load.run({ ...job, connections: CONNECTIONS, durationMs: ROUND_MS, perSecond });
  for (let round = 0; round <= ROUNDS; round += 1) {
    const [captures, ofNaive, ofFloor] = [await run(capture), await run(naive), await run(floor)];
    latency.requests += captures.requests;
    if (round === 0) continue;
    latency.capture.push(captures);
    latency.naive.push(ofNaive);
    latency.floor.push(ofFloor);
  }
  return latency;
}

/**
 * How long captures take when they come at even distances, at a part of the rate that the service can take at most. Round
 * after round, and the medians count. The naive Worker and the floor at the same rate, in turn, tell what of it is the
 * database's and the machine's.
 */
import type { Load } from "./load/load.ts";
import type { Outcome } from "./load/job.ts";
import type { Scenario } from "./scenarios.ts";

export interface Latency {
  perSecond: number;
  /** One a round; the first, in which connections are made, is none of them. */
  capture: Outcome[];
  naive: Outcome[];
  floor: Outcome[];
  /** Of each service in all rounds. */
  requests: number;
}

const SHARE_OF_SATURATION = 0.7;
const ROUNDS = 9;
const ROUND_MS = 2_000;
/** Enough that none waits for a connection. */
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

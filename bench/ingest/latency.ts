/**
 * How long captures take when they come at even distances, at a part of the rate that the service can take at most. Round
 * after round, and the medians count. The floor at the same rate, in turn, tells what of it is the machine's.
 */
import type { Load } from "./load/load.ts";
import type { Outcome } from "./load/job.ts";
import type { Scenario } from "./scenarios.ts";

export interface Latency {
  perSecond: number;
  /** One a round; the first, in which connections are made, is none of them. */
  rounds: Outcome[];
  floor: Outcome[];
  /** Captures of all rounds. */
  requests: number;
}

const SHARE_OF_SATURATION = 0.7;
const ROUNDS = 9;
const ROUND_MS = 2_000;
/** Enough that none waits for a connection. */
const CONNECTIONS = 64;

export async function measureLatency(
  load: Load,
  { capture, floor }: { capture: Scenario; floor: Scenario },
  saturation: number,
): Promise<Latency> {
  const perSecond = Math.floor(saturation * SHARE_OF_SATURATION);
  const measured: [captures: Outcome, floor: Outcome][] = [];
  const run = ({ job }: Scenario) => load.run({ ...job, connections: CONNECTIONS, durationMs: ROUND_MS, perSecond });
  for (let round = 0; round <= ROUNDS; round += 1) measured.push([await run(capture), await run(floor)]);
  const counted = measured.slice(1);
  return {
    perSecond,
    rounds: counted.map(([captures]) => captures),
    floor: counted.map(([, ofFloor]) => ofFloor),
    requests: measured.reduce((sum, [{ requests }]) => sum + requests, 0),
  };
}

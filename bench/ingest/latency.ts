/** How long captures take when they come at even distances, at a part of the rate that the service can take at most. */
import type { Load } from "./load/load.ts";
import type { Outcome } from "./load/job.ts";
import type { Scenario } from "./scenarios.ts";

export interface Latency extends Outcome {
  perSecond: number;
}

const SHARE_OF_SATURATION = 0.7;
const DURATION_MS = 15_000;
/** Enough that none waits for a connection. */
const CONNECTIONS = 64;

export async function measureLatency(load: Load, capture: Scenario, saturation: number): Promise<Latency> {
  const perSecond = Math.floor(saturation * SHARE_OF_SATURATION);
  const outcome = await load.run({ ...capture.job, connections: CONNECTIONS, durationMs: DURATION_MS, perSecond });
  return { ...outcome, perSecond };
}

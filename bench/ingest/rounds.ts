/**
 * Runs each scenario for a second, in turn, round after round, so that other load on the machine affects all of them
 * alike. Ratios compare rates of the same round, and their median counts.
 */
import { usageOf } from "../../test/harness/process-usage.ts";
import type { Load } from "./load/load.ts";
import type { Scenario } from "./scenarios.ts";

export interface Measured {
  name: string;
  /** Messages a second, round by round. */
  rates: number[];
  /** Milliseconds of CPU per message in workerd, round by round. */
  processorMs: number[];
  /** Median milliseconds from a request to the end of its response, round by round. */
  p50: number[];
  /** Messages stored, including those of the warm-up. */
  stored: number;
}

const WARM_UP_MS = 2_000;

export async function measureRounds(
  load: Load,
  scenarios: Scenario[],
  { rounds, roundMs }: { rounds: number; roundMs: number },
): Promise<Measured[]> {
  const measured = scenarios.map(({ name }): Measured => ({ name, rates: [], processorMs: [], p50: [], stored: 0 }));
  for (let round = 0; round <= rounds; round += 1) {
    for (const [place, scenario] of scenarios.entries()) {
      const { service, job, stored, prepare } = scenario;
      const own = measured[place];
      if (own === undefined) throw new Error("a scenario has no figures");
      await prepare?.();
      const before = await usageOf(service.pid);
      const outcome = await load.run({ ...job, durationMs: round === 0 ? WARM_UP_MS : roundMs });
      const after = await usageOf(service.pid);
      own.stored += outcome.requests * stored;
      if (round === 0) continue;
      const messages = outcome.requests * job.payload.messages;
      own.rates.push((messages / outcome.elapsedMs) * 1_000);
      own.p50.push(outcome.p50);
      own.processorMs.push((after.processorMs - before.processorMs) / messages);
    }
  }
  return measured;
}

/**
 * Each scenario for a second, in turn, round after round: what else the machine does meets all of them alike. Ratios are
 * taken within a round, and their median counts.
 */
import { processorSeconds } from "../../test/harness/process-usage.ts";
import type { Load } from "./load/load.ts";
import type { Scenario } from "./scenarios.ts";

export interface Measured {
  name: string;
  /** Messages a second, round by round. */
  rates: number[];
  /** Milliseconds of workerd's processors for a message, round by round. */
  processorMs: number[];
  /** Milliseconds from a request to the end of its answer: the medians of the rounds. */
  p50: number[];
  /** Messages stored, those of the warm-up included. */
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
      const before = await processorSeconds(service.pid);
      const outcome = await load.run({ ...job, durationMs: round === 0 ? WARM_UP_MS : roundMs });
      const seconds = (await processorSeconds(service.pid)) - before;
      own.stored += outcome.requests * stored;
      if (round === 0) continue;
      const messages = outcome.requests * job.payload.messages;
      own.rates.push((messages / outcome.elapsedMs) * 1_000);
      own.p50.push(outcome.p50);
      own.processorMs.push((seconds * 1_000) / messages);
    }
  }
  return measured;
}

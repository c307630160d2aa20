/** The thresholds that the figures are compared with. They only decide the ✓ or ✗ in the table. */
import { atLeast, atMost, type Threshold } from "../local/table.ts";
import type { Growth } from "./growth.ts";
import type { Latency } from "./latency.ts";
import { medianRatio } from "./medians.ts";
import type { Measured } from "./rounds.ts";

export interface Report {
  measured: Measured[];
  latency: Latency;
  growth: Growth;
}

export function compare({ measured, latency, growth }: Report): Threshold[] {
  const rates = (name: string): number[] => {
    const found = measured.find((one) => one.name === name);
    if (found === undefined) throw new Error(`${name} was not measured`);
    return found.rates;
  };
  const ratio = (name: string, to: string): number => medianRatio(rates(name), rates(to));
  return [
    atLeast("Captures a second, against naive", ratio("capture", "naive"), 0.75),
    atLeast("Messages a second in batches of 1,000, against naive", ratio("batch of 1,000", "naive"), 20),
    atLeast("The same against naive batches", ratio("batch of 1,000", "naive batch of 1,000"), 1.3),
    atLeast("401 a second, against floor", ratio("401", "floor"), 0.8),
    atLeast("429 a second, against floor", ratio("429", "floor"), 0.25),
    atMost(`A batch with ${growth.messages} messages stored, against none`, growth.filledMs / growth.emptyMs, 2),
    atMost(
      "p99 of captures at 70 % of saturation, against naive",
      medianRatio(
        latency.rounds.capture.map(({ p99 }) => p99),
        latency.rounds.naive.map(({ p99 }) => p99),
      ),
      1,
    ),
  ];
}

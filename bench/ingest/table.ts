/** Prints the figures as a table. */
import { number, row, thresholdRow } from "../local/table.ts";
import { TIMED, type Timed } from "./latency.ts";
import { median } from "./medians.ts";
import { compare, type Report } from "./thresholds.ts";

export function table(report: Report): string {
  const { measured, latency, growth } = report;
  const timesOf = (name: Timed): string => {
    const [p50, p99] = (["p50", "p99"] as const).map((which) => median(latency.rounds[name].map((one) => one[which])));
    return `${name} p50 ${number(p50 ?? 0)} ms, p99 ${number(p99 ?? 0)} ms`;
  };
  return [
    row("", ["messages/s", "CPU µs each", "p50 ms"]),
    ...measured.map(({ name, rates, processorMs, p50 }) =>
      row(name, [number(Math.round(median(rates))), number(median(processorMs) * 1_000), number(median(p50))]),
    ),
    "",
    `At ${latency.perSecond} a second: ${TIMED.map(timesOf).join("; ")}`,
    `A batch of 1,000 with no messages stored: ${number(growth.emptyMs)} ms; with ${number(growth.messages)}: ${number(growth.filledMs)} ms`,
    "",
    ...compare(report).map(thresholdRow),
  ].join("\n");
}

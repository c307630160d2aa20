/** Prints the figures as a table. */
import { number, row, thresholdRow } from "../local/table.ts";
import { median } from "./medians.ts";
import { compare, type Report } from "./thresholds.ts";

export function table(report: Report): string {
  const { measured, latency, growth } = report;
  const medianOf = (of: "capture" | "naive" | "floor", which: "p50" | "p99") =>
    number(median(latency[of].map((round) => round[which])));
  const times = (of: "capture" | "naive" | "floor") =>
    `${of} p50 ${medianOf(of, "p50")} ms, p99 ${medianOf(of, "p99")} ms`;
  return [
    row("", ["messages/s", "CPU µs each", "p50 ms"]),
    ...measured.map(({ name, rates, processorMs, p50 }) =>
      row(name, [number(Math.round(median(rates))), number(median(processorMs) * 1_000), number(median(p50))]),
    ),
    "",
    `At ${latency.perSecond} a second: ${times("capture")}; ${times("naive")}; ${times("floor")}`,
    `A batch of 1,000 with no messages stored: ${number(growth.emptyMs)} ms; with ${number(growth.messages)}: ${number(growth.filledMs)} ms`,
    "",
    ...compare(report).map(thresholdRow),
  ].join("\n");
}

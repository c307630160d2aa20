/** The figures for people. */
import type { Check } from "./accounting/check.ts";
import { quantile } from "./histogram.ts";
import type { RecomputeRun } from "./recomputes.ts";
import type { Sample } from "./samples.ts";
import { KINDS } from "./tally.ts";

const COLUMNS = [
  ["time", 6],
  ["req/s", 7],
  ["msg/s", 7],
  ...KINDS.map((kind) => [`${kind}, ms`, 22] as const),
  ["429", 6],
  ["503", 5],
  ["5xx", 5],
  ["lost", 5],
  ["busy", 6],
  ["workerd", 9],
  ["load", 7],
  ["D1", 8],
  ["  recompute: events, accounts, s", 38],
] as const;

export const heading = (): string =>
  `${COLUMNS.map(([name, width]) => name.padStart(width)).join("")}\n` +
  `Times are p50/p99/longest of what was answered with anything but 429; "busy" is workerd's share of a processor; memory and D1 in MB.`;

export function row(sample: Sample): string {
  const { tally, spanMs, elapsedMs, processorMs, workerdBytes, loadBytes, databaseBytes, runs } = sample;
  const perSecond = (count: number) => number((count * 1_000) / spanMs);
  const cells = [
    time(elapsedMs),
    perSecond(tally.requests),
    perSecond(tally.messages),
    ...KINDS.map((kind) => {
      const { longest } = tally.times[kind];
      const [half, most] = [quantile(tally.times[kind], 0.5), quantile(tally.times[kind], 0.99)];
      return half === null || most === null ? "–" : [half, most, longest].map(milliseconds).join("/");
    }),
    ...[tally.refused, tally.unavailable, tally.failed, tally.lost].map(number),
    `${Math.round((100 * processorMs) / spanMs)} %`,
    ...[workerdBytes, loadBytes, databaseBytes].map((bytes) => number(bytes / 2 ** 20)),
    `  ${runs.map(run).join(", ")}`,
  ];
  return cells.map((cell, place) => cell.padStart(COLUMNS[place]?.[1] ?? 0)).join("");
}

export const checkLine = ({ name, ok, figures }: Check): string =>
  `${ok ? "✓" : "✗"} ${name}: ${Object.entries(figures)
    .map(([what, value]) => `${number(value)} ${what}`)
    .join(", ")}`;

const run = ({ eventsFolded, accountsScored, complete, ms }: RecomputeRun): string =>
  `${number(eventsFolded)} ${number(accountsScored)} ${(ms / 1_000).toFixed(1)}${complete ? "" : " not complete"}`;

function time(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

const milliseconds = (ms: number): string => (ms < 10 ? ms.toFixed(1) : number(ms));

const number = (value: number): string => Math.round(value).toLocaleString("en-US");

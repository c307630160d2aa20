/** Prints the figures for people. */
import { number, row, thresholdRow } from "../local/table.ts";
import { compare, type Report } from "./thresholds.ts";
import type { RunCost } from "./daily.ts";
import type { FoldFigures } from "./fold.ts";
import type { LargeRun } from "./large.ts";
import type { Cost } from "../local/meter.ts";

const TITLES: Record<RunCost["name"], string> = {
  first: "First run, whole history",
  full: "Daily run, all accounts due",
  late: "Run with late events in 1 % of the accounts",
  idle: "Run with nothing to do",
};
/** Statements with a smaller share of the time are left out. */
const MIN_SHARE = 0.005;

export const table = (report: Report): string =>
  [compare(report).map(thresholdRow), foldLines(report.fold), ...report.runs.map(runLines), largeLines(report.large)]
    .map((lines) => lines.join("\n"))
    .join("\n\n");

const foldLines = ({ messages, rollups, cost, floorMs, heap }: FoldFigures): string[] => [
  `Fold of ${number(messages)} messages into ${number(rollups)} rollups`,
  row("SQL, ms; multiple of a plain GROUP BY", [number(cost.sqlMs), number(cost.sqlMs / floorMs)]),
  row("Rows per message: read, written", [number(cost.rowsRead / messages), number(cost.rowsWritten / messages)]),
  heapLine(heap),
  ...statementLines(cost),
];

const runLines = ({ name, cost, figures, scoringMs, heap }: RunCost): string[] => [
  `${TITLES[name]}: ${number(figures.accountsScored)} scored, ${number(figures.eventsFolded)} events folded`,
  row("SQL, ms; scoring, ms; batches", [number(cost.sqlMs), number(Math.round(scoringMs)), number(cost.batches)]),
  row("Rows: read, written", [number(cost.rowsRead), number(cost.rowsWritten)]),
  ...(name === "idle" ? [] : [heapLine(heap), ...statementLines(cost)]),
];

const largeLines = (runs: readonly LargeRun[]): string[] => [
  row("Large workspace", ["accounts", "invocations", "round trips", "statements", "bytes", "heap, MB"]),
  ...runs.map(({ name, accountsScored, invocations, trips, statements, bytes, heap }) =>
    row(`  ${name} run`, [accountsScored, invocations, trips, statements, bytes, heap].map(number)),
  ),
];

const heapLine = (heap: number[]): string =>
  row("Heap, MB: first, most, last", [heap[0] ?? 0, Math.max(...heap), heap.at(-1) ?? 0].map(number));

const statementLines = ({ statements, sqlMs }: Cost): string[] => [
  row("By statement", ["times", "SQL, ms", "slowest, ms", "read", "written"]),
  ...statements
    .filter((one) => one.sqlMs >= sqlMs * MIN_SHARE)
    .map((one) =>
      row(`  ${one.name}`, [one.times, one.sqlMs, one.slowestMs, one.rowsRead, one.rowsWritten].map(number)),
    ),
];

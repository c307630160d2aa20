/**
 * `npm run evaluate`: measures the health model and the inbox on workspaces whose truth is known.
 *
 * Simulated workspaces go through the real mapping, storage and recompute, day by day. The outcomes are compared with
 * the simulation. This is a report: the exit code is always 0.
 *
 *     npm run evaluate -- [--seed 1] [--workspaces 12] [--days 210] [--json]
 */
import { parseArgs } from "node:util";

import { type Report, reportOf } from "./report.ts";
import { table } from "./table.ts";
import { runTasks, type Task } from "./tasks.ts";

/** Leaves room for the time before a decline, the decline and the time after. */
const MIN_DAYS = 180;
/** A small workspace with both disturbances shows whether the order of arrival matters. */
const SHUFFLED = { index: 2, days: 150, accounts: 24 };

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    workspaces: { type: "string", default: "12" },
    days: { type: "string", default: "210" },
    json: { type: "boolean", default: false },
  },
});
const [seed, workspaces, days] = [values.seed, values.workspaces, values.days].map(Number);

if (!isWholeNumber(seed, 0) || !isWholeNumber(workspaces, 1) || !isWholeNumber(days, MIN_DAYS)) {
  console.error(`--seed, --workspaces and --days (at least ${MIN_DAYS}) must be whole numbers.`);
  process.exitCode = 1;
} else {
  const startedAt = performance.now();
  const report = await evaluate({ seed, days }, workspaces);
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
  const heading = `${workspaces} workspaces, ${report.accounts} accounts, ${days} days, seed ${seed} (${seconds} s)`;
  console.log(values.json ? JSON.stringify({ seed, days, ...report }, null, 2) : `${heading}\n\n${table(report)}`);
}

async function evaluate(of: { seed: number; days: number }, count: number): Promise<Report> {
  const tasks: Task[] = [
    { kind: "shuffle", ...of, ...SHUFFLED },
    ...Array.from({ length: count }, (_, index): Task => ({ kind: "workspace", ...of, index })),
  ];
  const results = await runTasks(tasks, ({ kind, index }) => console.error(`done: ${kind} ${index + 1}`));
  const observed = results.flatMap((result) => (result.kind === "workspace" ? [result.observed] : []));
  const shuffle = results.find((result) => result.kind === "shuffle");
  if (shuffle === undefined) throw new Error("A task has no result.");
  return reportOf(observed, shuffle.observed);
}

function isWholeNumber(value: number | undefined, min: number): value is number {
  return value !== undefined && Number.isSafeInteger(value) && value >= min;
}

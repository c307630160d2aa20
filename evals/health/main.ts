/**
 * `npm run evaluate`: measures the health model and the inbox on workspaces whose truth is known.
 *
 * Simulated workspaces go through the real mapping, storage and recompute, day by day. The outcomes are compared with
 * the simulation. This is a report: the exit code is always 0. With `--seeds 6` the figures are of six seeds together, from
 * `--seed` on, which leaves less to chance. `--more-fates` adds accounts that contract, end without a decline, replace
 * their users, abandon a feature or never adopt the product, and trials that expire.
 *
 *     npm run evaluate -- [--seed 1] [--seeds 1] [--workspaces 12] [--days 210] [--more-fates] [--json]
 */
import { parseArgs } from "node:util";

import type { WorkspaceOptions } from "../simulator/plan.ts";
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
    seeds: { type: "string", default: "1" },
    workspaces: { type: "string", default: "12" },
    days: { type: "string", default: "210" },
    "more-fates": { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
const [seed, seeds, workspaces, days] = [values.seed, values.seeds, values.workspaces, values.days].map(Number);

if (
  !isWholeNumber(seed, 0) ||
  !isWholeNumber(seeds, 1) ||
  !isWholeNumber(workspaces, 1) ||
  !isWholeNumber(days, MIN_DAYS)
) {
  console.error(`--seed, --seeds, --workspaces and --days (at least ${MIN_DAYS}) must be whole numbers.`);
  process.exitCode = 1;
} else {
  const startedAt = performance.now();
  const report = await evaluate({ seed, days, hasMoreFates: values["more-fates"] }, seeds, workspaces);
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0);
  const of = seeds === 1 ? `seed ${seed}` : `seeds ${seed} to ${seed + seeds - 1}`;
  const heading = `${report.workspaces} workspaces, ${report.accounts} accounts, ${days} days, ${of} (${seconds} s)`;
  console.log(
    values.json ? JSON.stringify({ seed, seeds, days, ...report }, null, 2) : `${heading}\n\n${table(report)}`,
  );
}

async function evaluate(of: Omit<WorkspaceOptions, "index">, seedCount: number, count: number): Promise<Report> {
  const tasks: Task[] = [
    { kind: "shuffle", ...of, ...SHUFFLED },
    ...Array.from({ length: seedCount * count }, (_, index): Task => {
      return { kind: "workspace", ...of, seed: of.seed + Math.floor(index / count), index: index % count };
    }),
  ];
  const results = await runTasks(tasks, ({ kind, seed: its, index }) =>
    console.error(`done: ${kind} ${its}/${index + 1}`),
  );
  const observed = results.flatMap((result) => (result.kind === "workspace" ? [result.observed] : []));
  const shuffle = results.find((result) => result.kind === "shuffle");
  if (shuffle === undefined) throw new Error("A task has no result.");
  return reportOf(observed, shuffle.observed);
}

function isWholeNumber(value: number | undefined, min: number): value is number {
  return value !== undefined && Number.isSafeInteger(value) && value >= min;
}

/**
 * `npm run bench:scale`: measures how far databases, the queue and its consumers scale. The real code runs once on a
 * database in this process and shows its round trips and their SQL time. With these figures, many workspaces are
 * simulated in virtual time.
 *
 *     npm run bench:scale -- [--workspaces 100000] [--due 10000] [--consumers 250] [--tasks-a-second 8] [--transaction-ms 1] [--json]
 */
import { parseArgs } from "node:util";

import { atMost, number, row, type Threshold, thresholdRow } from "./local/table.ts";
import { TASKS_A_SECOND } from "../src/config.ts";
import { type Profile, profileCapture, profileSweep, profileTask } from "./scale/profile.ts";
import { capturesPerSecond, type Fleet, scoreAll, type Scored } from "./scale/simulate.ts";

const INTERVAL_SECONDS = 300;
const ROUND_TRIPS_MS = [30, 140];
const DATABASES = [16, 64];

const { values } = parseArgs({
  options: {
    workspaces: { type: "string", default: "100000" },
    due: { type: "string", default: "10000" },
    consumers: { type: "string", default: "250" },
    "tasks-a-second": { type: "string", default: String(TASKS_A_SECOND) },
    "transaction-ms": { type: "string", default: "1" },
    json: { type: "boolean", default: false },
  },
});
const [workspaces = 0, due = 0, consumers = 0, tasksASecond = 0, transactionMs = 0] = [
  values.workspaces,
  values.due,
  values.consumers,
  values["tasks-a-second"],
  values["transaction-ms"],
].map(Number);

interface Result extends Fleet, Scored {
  captures: number;
}

if (
  ![workspaces, due, consumers, tasksASecond].every((count) => Number.isSafeInteger(count) && count >= 1) ||
  !(transactionMs >= 0)
) {
  console.error(
    "--workspaces, --due, --consumers and --tasks-a-second take whole numbers of at least 1, --transaction-ms a number of at least 0.",
  );
  process.exitCode = 1;
} else {
  const [task, capture] = [await profileTask(), await profileCapture()];
  const results: Result[] = [];
  for (const databases of DATABASES) {
    const sweep = await profileSweep(Math.ceil(workspaces / databases), Math.ceil(due / databases));
    for (const roundTripMs of ROUND_TRIPS_MS) {
      const fleet = { databases, roundTripMs, consumers, workspaces, due, transactionMs };
      const scored = scoreAll(fleet, { sweep, task, capture }, tasksASecond);
      results.push({ ...fleet, ...scored, captures: capturesPerSecond(fleet, capture) });
    }
  }
  const thresholds = compare(results);
  if (values.json) console.log(JSON.stringify({ thresholds, task, capture, results }, null, 2));
  else for (const line of table(task, capture, results, thresholds)) console.log(line);
}

function compare(results: readonly Result[]): Threshold[] {
  return results.flatMap(({ databases, roundTripMs, seconds, calmP99Ms, besideP99Ms }) => {
    const where = `${databases} databases, ${roundTripMs} ms`;
    return [
      ...(databases === 64 ? [atMost(`Seconds until the last is scored, ${where}`, seconds, INTERVAL_SECONDS)] : []),
      atMost(`p99 of captures beside tasks, against without, ${where}`, besideP99Ms / calmP99Ms, 2),
    ];
  });
}

function* table(
  task: Profile,
  capture: Profile,
  results: readonly Result[],
  thresholds: Threshold[],
): Generator<string> {
  yield* thresholds.map(thresholdRow);
  yield "";
  yield row("The real code", ["round trips", "statements", "SQL, ms", "Worker, ms"]);
  for (const [name, { trips, statements, workerMs }] of [
    ["a task: fold, summarize, score", task],
    ["a capture", capture],
  ] as const) {
    yield row(name, [trips.length, statements, trips.reduce((sum, ms) => sum + ms, 0), workerMs].map(number));
  }
  yield "";
  yield row(`${number(workspaces)} workspaces, ${number(due)} with work, ${consumers} consumers`, [
    "scored, s",
    "p99 without",
    "p99 beside",
    "captures / s",
  ]);
  for (const { databases, roundTripMs, seconds, calmP99Ms, besideP99Ms, captures } of results) {
    const figures = [seconds, calmP99Ms, besideP99Ms, Math.round(captures)];
    yield row(`${databases} databases, ${roundTripMs} ms`, figures.map(number));
  }
}

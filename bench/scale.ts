/**
 * `npm run bench:scale`: measures how far databases, the queue and its consumers scale. The real code runs once on a
 * database in this process and shows its round trips and their SQL time. With these figures, many workspaces are
 * simulated in virtual time.
 *
 *     npm run bench:scale -- [--workspaces 10000] [--due 1000] [--consumers 20] [--transaction-ms 1] [--json]
 */
import { parseArgs } from "node:util";

import { atLeast, atMost, number, row, type Threshold, thresholdRow } from "./local/table.ts";
import { NEW_MESSAGES, profileCapture, profileCron, type Profile, profileTask } from "./scale/profile.ts";
import { capturesPerSecond, type Fleet, secondsUntilScored } from "./scale/simulate.ts";

const INTERVAL_SECONDS = 300;
const ROUND_TRIPS_MS = [30, 140];
const DATABASES = [1, 4, 16];

const { values } = parseArgs({
  options: {
    workspaces: { type: "string", default: "10000" },
    due: { type: "string", default: "1000" },
    consumers: { type: "string", default: "20" },
    "transaction-ms": { type: "string", default: "1" },
    json: { type: "boolean", default: false },
  },
});
const [workspaces = 0, due = 0, consumers = 0, transactionMs = 0] = [
  values.workspaces,
  values.due,
  values.consumers,
  values["transaction-ms"],
].map(Number);

interface Result extends Fleet {
  scoredSeconds: number;
  captures: number;
}

if (
  ![workspaces, due, consumers].every((count) => Number.isSafeInteger(count) && count >= 1) ||
  !(transactionMs >= 0)
) {
  console.error(
    "--workspaces, --due and --consumers take whole numbers of at least 1, --transaction-ms a number of at least 0.",
  );
  process.exitCode = 1;
} else {
  const [task, capture] = [await profileTask(), await profileCapture()];
  const results: Result[] = [];
  for (const databases of DATABASES) {
    const cron = await profileCron(Math.ceil(workspaces / databases));
    for (const roundTripMs of ROUND_TRIPS_MS) {
      const fleet = { databases, roundTripMs, consumers, workspaces, due, transactionMs };
      const background = (due * NEW_MESSAGES) / INTERVAL_SECONDS;
      const scoredSeconds = secondsUntilScored(fleet, { cron, task, capture }, background);
      results.push({ ...fleet, scoredSeconds, captures: capturesPerSecond(fleet, capture) });
    }
  }
  const thresholds = compare(results);
  if (values.json) console.log(JSON.stringify({ thresholds, task, capture, results }, null, 2));
  else for (const line of table(task, capture, results, thresholds)) console.log(line);
}

function compare(results: readonly Result[]): Threshold[] {
  const at = (databases: number) => results.find((one) => one.databases === databases && one.roundTripMs === 30);
  return [
    atMost("Seconds until the last is scored, 4 databases, 30 ms", at(4)?.scoredSeconds ?? Infinity, INTERVAL_SECONDS),
    atLeast("Captures on 16 databases, against 1", (at(16)?.captures ?? 0) / (at(1)?.captures ?? 1), 12),
  ];
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
    "captures / s",
  ]);
  for (const { databases, roundTripMs, scoredSeconds, captures } of results) {
    yield row(`${databases} databases, ${roundTripMs} ms`, [scoredSeconds, Math.round(captures)].map(number));
  }
}

/**
 * `npm run bench:cost`: computes what messages cost in steady state, all in, at Cloudflare's list prices (bench/cost/prices.ts).
 *
 * A Worker runs the real ingest, cron and tasks for a workspace on a local D1 and R2: 28 quiet days, a warm-up day, and the
 * measured day with the cron every five minutes (bench/cost/simulate.ts). Rows are D1's own count. The limiter is modelled
 * (bench/cost/limiter.ts). Not counted: questions, pages and exports, which only read, and requests that are refused.
 *
 * --fold: a fold when there are so many messages or minutes of them. --save-seconds, --logged: settings of the limiter and
 * the log. --all: sends all messages of the day singly and in batches of 100, in turn, to check the samples. --tail measures
 * instead what the unfolded tail of the log adds to questions and pages.
 */
import { parseArgs } from "node:util";

import { CURRENT } from "./cost/bill.ts";
import { reportOf, table } from "./cost/report.ts";
import { simulate, type Simulated } from "./cost/simulate.ts";
import { measureTails, tailTable } from "./cost/tail.ts";
import { WORKLOADS } from "./cost/traffic.ts";

const USAGE =
  'npm run bench:cost -- [--json] [--fold 5000,60] [--save-seconds 5] [--logged 1] [--only "1 M"] [--all] [--tail]';

const { values } = parseArgs({
  options: {
    json: { type: "boolean", default: false },
    fold: { type: "string" },
    "save-seconds": { type: "string", default: String(CURRENT.saveEveryMs / 1_000) },
    logged: { type: "string", default: String(CURRENT.loggedShare) },
    only: { type: "string" },
    all: { type: "boolean", default: false },
    tail: { type: "boolean", default: false },
    help: { type: "boolean", short: "h", default: false },
  },
});
const [messages, minutes] = (values.fold ?? "").split(",").map(Number);
const policy = messages === undefined || minutes === undefined ? null : { messages, ms: minutes * 60_000 };
const settings = { saveEveryMs: Number(values["save-seconds"]) * 1_000, loggedShare: Number(values.logged) };
const workloads = WORKLOADS.filter(({ name }) => values.only === undefined || name === values.only);

if (values.help) {
  console.log(`Use: ${USAGE}`);
} else if (workloads.length === 0 || [messages ?? 0, minutes ?? 0, ...Object.values(settings)].some(Number.isNaN)) {
  console.error(`Numbers are wrong, or --only isn't one of: ${WORKLOADS.map(({ name }) => name).join(", ")}.`);
  process.exitCode = 1;
} else if (values.tail) {
  console.log(tailTable(await measureTails()));
} else {
  const simulated: Simulated[] = [];
  for (const workload of workloads) {
    simulated.push(await simulate(workload, { policy, sendsAll: values.all }));
    console.error(`done: ${workload.name}`);
  }
  const report = reportOf(simulated, settings);
  console.log(values.json ? JSON.stringify(report, null, 2) : table(report));
}

/**
 * `npm run bench` measures how fast messages are ingested, compared with a Worker that users would otherwise write
 * themselves, on the same machine in the same minutes.
 *
 * It only reports: rates depend on the machine, their ratios hardly do, and the exit code is always 0. Three Workers run
 * on bare workerd, without a development server; another process sends the requests.
 *
 *     npm run bench -- [--rounds 9] [--seconds 1] [--stored 1000000] [--json]
 */
import { parseArgs } from "node:util";

import { checkStored } from "./ingest/check.ts";
import { measureGrowth } from "./ingest/growth.ts";
import { measureLatency } from "./ingest/latency.ts";
import { type Load, startLoad } from "./ingest/load/load.ts";
import { median } from "./ingest/medians.ts";
import { measureRounds } from "./ingest/rounds.ts";
import { scenariosOf } from "./ingest/scenarios.ts";
import { startServices } from "./ingest/services.ts";
import { table } from "./ingest/table.ts";
import { compare, type Report } from "./ingest/thresholds.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "9" },
    seconds: { type: "string", default: "1" },
    stored: { type: "string", default: "1000000" },
    json: { type: "boolean", default: false },
  },
});
const [rounds, seconds, stored] = [values.rounds, values.seconds, values.stored].map(Number);

if (!isCount(rounds) || !isCount(seconds) || !isCount(stored)) {
  console.error("--rounds, --seconds and --stored take whole numbers of at least 1.");
  process.exitCode = 1;
} else {
  using load = startLoad();
  const { measured, latency } = await measureIngest(load, rounds, seconds * 1_000);
  console.error(`done: ${rounds} rounds, and captures at a constant rate`);
  const report: Report = { measured, latency, growth: await measureGrowth(load, stored) };
  console.log(values.json ? JSON.stringify({ comparisons: compare(report), ...report }, null, 2) : table(report));
}

async function measureIngest(load: Load, times: number, roundMs: number): Promise<Omit<Report, "growth">> {
  await using services = await startServices();
  const scenarios = scenariosOf(services);
  const measured = await measureRounds(load, scenarios, { rounds: times, roundMs });
  const scenario = (wanted: string) => {
    const found = scenarios.find(({ name }) => name === wanted);
    if (found === undefined) throw new Error(`unknown scenario: ${wanted}`);
    return found;
  };
  const singles = { capture: scenario("capture"), naive: scenario("naive"), floor: scenario("floor") };
  const rates = measured.find(({ name }) => name === "capture")?.rates ?? [];
  const latency = await measureLatency(load, singles, median(rates));
  await checkStored(services, measured, latency.requests);
  return { measured, latency };
}

function isCount(value: number | undefined): value is number {
  return value !== undefined && Number.isSafeInteger(value) && value >= 1;
}

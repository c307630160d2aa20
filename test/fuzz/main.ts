/**
 * `npm run fuzz`: throws broken, odd and hostile requests at the service, and holds each answer against docs/wire.md.
 *
 *     npm run fuzz -- [--seed 1] [--cases 100000] [--from 0] [--json] [--url URL --key KEY]
 *     npm run fuzz -- --seed 1 --only 4711     plays one case, and prints it with its answer
 *
 * Real requests (of client libraries, a webhook, people) are mutated: their JSON, bytes, encoding, headers, paths and
 * framing. A case is a pure function of seed and number. With --url it fuzzes a running service, by a key of a
 * workspace that may be filled with anything; without, one of its own, whose database and log are looked into as well.
 * The exit code is 1 if anything is wrong.
 */
import { parseArgs } from "node:util";

import { fuzz } from "./fuzz.ts";
import { caseText, reportJson, reportText } from "./print.ts";
import { play } from "./run.ts";
import { othersTarget, ownTarget } from "./target.ts";

/** Generous: garbage is collected when the runtime feels like it. */
const MAX_GROWTH_MB = 512;
const TOLD_EVERY = 10_000;

const { values } = parseArgs({
  options: {
    seed: { type: "string", default: "1" },
    cases: { type: "string", default: "100000" },
    from: { type: "string", default: "0" },
    only: { type: "string" },
    json: { type: "boolean", default: false },
    url: { type: "string" },
    key: { type: "string" },
  },
});
const [seed = 0, cases = 0, from = 0, only] = [values.seed, values.cases, values.from, values.only ?? "0"].map(Number);

if (![seed, cases, from, only].every((number) => Number.isSafeInteger(number) && Number(number) >= 0) || cases === 0) {
  console.error("--seed, --cases (at least 1), --from and --only take whole numbers.");
  process.exitCode = 1;
} else if ((values.url === undefined) !== (values.key === undefined)) {
  console.error("--url and --key go together.");
  process.exitCode = 1;
} else {
  await using target = values.url === undefined ? await ownTarget() : await othersTarget(values.url, values.key ?? "");
  if (values.only !== undefined) {
    const { one, outcome, verdict } = await play(target, seed, only ?? 0);
    console.log(caseText(one, outcome, verdict.problems));
    if (verdict.problems.length > 0) process.exitCode = 1;
  } else {
    const report = await fuzz(target, { seed, from, cases, onCase: tellProgress, maxGrowthMb: MAX_GROWTH_MB });
    console.log(values.json ? reportJson(report) : reportText(report));
    if (!report.ok) process.exitCode = 1;
  }
}

function tellProgress(done: number): void {
  if (done % TOLD_EVERY === 0) console.error(`${done} cases`);
}

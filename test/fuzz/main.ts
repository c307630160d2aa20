/**
 * `npm run fuzz`: sends broken, odd and hostile requests, and checks every answer against the API's description.
 *
 *     npm run fuzz -- [--cases 100000] [--seed 1] [--from 0]
 *
 * Correct requests (one for each described operation, and those of client libraries) are mutated: their JSON, bytes,
 * encoding, headers and paths. A failing request is shrunk and printed. `--seed 1 --from 4711 --cases 1` sends one case
 * again. The exit code is 1 if anything is wrong.
 */
import { parseArgs } from "node:util";

import { fuzz } from "./fuzz.ts";
import { startService } from "./service.ts";

const PROGRESS_EVERY = 10_000;

const { values } = parseArgs({
  options: {
    cases: { type: "string", default: "100000" },
    seed: { type: "string", default: "1" },
    from: { type: "string", default: "0" },
  },
});
const [cases = 0, seed = 0, from = 0] = [values.cases, values.seed, values.from].map(Number);

if (![cases, seed, from].every((number) => Number.isSafeInteger(number) && number >= 0) || cases === 0) {
  console.error("--cases (at least 1), --seed and --from take whole numbers.");
  process.exitCode = 1;
} else {
  const startedAt = performance.now();
  await using service = await startService();
  const { outcomes, failures, problems } = await fuzz(service, {
    seed,
    cases,
    from,
    onCase: (done) => done % PROGRESS_EVERY === 0 && console.error(`${done} cases`),
  });
  console.log(
    `${cases} cases from ${from} with seed ${seed} in ${((performance.now() - startedAt) / 1_000).toFixed(0)} s`,
  );
  console.table(outcomes);
  for (const line of [...failures, ...problems]) console.log(line);
  console.log(failures.length + problems.length === 0 ? "Everything is right." : "Something is wrong.");
  if (failures.length + problems.length > 0) process.exitCode = 1;
}

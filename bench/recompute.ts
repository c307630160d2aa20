/**
 * `npm run bench:recompute`: measures what the recompute costs on a local D1.
 *
 * This is a report: times depend on the machine, rows do not, and the exit code is always 0. D1 itself counts SQL time and
 * rows, statement by statement.
 *
 *     npm run bench:recompute -- [--messages 1000000] [--accounts 10000] [--json]
 */
import { parseArgs } from "node:util";

import { compare } from "./recompute/thresholds.ts";
import { measureDays } from "./recompute/daily.ts";
import { measureFold } from "./recompute/fold.ts";
import { table } from "./recompute/table.ts";

/** One in a hundred accounts has late events. */
const MIN_COUNT = 100;

const { values } = parseArgs({
  options: {
    messages: { type: "string", default: "1000000" },
    accounts: { type: "string", default: "10000" },
    json: { type: "boolean", default: false },
  },
});
const [messages, accounts] = [Number(values.messages), Number(values.accounts)];

if (![messages, accounts].every((count) => Number.isSafeInteger(count) && count >= MIN_COUNT)) {
  console.error(`--messages and --accounts must be whole numbers of at least ${MIN_COUNT}.`);
  process.exitCode = 1;
} else {
  const fold = await measureFold(messages);
  console.error(`done: fold of ${messages} messages`);
  const report = { fold, runs: await measureDays(accounts) };
  console.log(values.json ? JSON.stringify({ thresholds: compare(report), ...report }, null, 2) : table(report));
}

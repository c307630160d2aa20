/**
 * `npm run bench:recompute`: measures what the recompute costs on a local D1.
 *
 * This is a report: times depend on the machine, rows do not, and the exit code is always 0. D1 itself counts SQL time and
 * rows, statement by statement.
 *
 *     npm run bench:recompute -- [--messages 1000000] [--accounts 10000] [--large 50000] [--json]
 */
import { parseArgs } from "node:util";

import { compare } from "./recompute/thresholds.ts";
import { measureDays } from "./recompute/daily.ts";
import { measureFold } from "./recompute/fold.ts";
import { measureLarge } from "./recompute/large.ts";
import { table } from "./recompute/table.ts";

/** One in a hundred accounts has late events. */
const MIN_COUNT = 100;

const { values } = parseArgs({
  options: {
    messages: { type: "string", default: "1000000" },
    accounts: { type: "string", default: "10000" },
    large: { type: "string", default: "50000" },
    json: { type: "boolean", default: false },
  },
});
const [messages = 0, accounts = 0, large = 0] = [values.messages, values.accounts, values.large].map(Number);

if (![messages, accounts, large].every((count) => Number.isSafeInteger(count) && count >= MIN_COUNT)) {
  console.error(`--messages, --accounts and --large must be whole numbers of at least ${MIN_COUNT}.`);
  process.exitCode = 1;
} else {
  const fold = await measureFold(messages);
  console.error(`done: fold of ${messages} messages`);
  const runs = await measureDays(accounts);
  console.error(`done: runs of ${accounts} accounts`);
  const report = { fold, runs, large: await measureLarge(large) };
  console.log(values.json ? JSON.stringify({ thresholds: compare(report), ...report }, null, 2) : table(report));
}

/**
 * `npm run bench:recompute`: what the recompute costs, on a local D1.
 *
 * It is a report: times are those of this machine, rows are the same everywhere, and the exit code is 0 whatever the
 * figures. SQL time and rows are D1's own count, statement by statement.
 *
 *     npm run bench:recompute -- [--messages 1000000] [--accounts 10000] [--json]
 */
import { parseArgs } from "node:util";

import { aimsOf } from "./recompute/aims.ts";
import { measureDays } from "./recompute/daily.ts";
import { measureFold } from "./recompute/fold.ts";
import { table } from "./recompute/table.ts";

/** With fewer, one in a hundred of the accounts is none. */
const LEAST = 100;

const { values } = parseArgs({
  options: {
    messages: { type: "string", default: "1000000" },
    accounts: { type: "string", default: "10000" },
    json: { type: "boolean", default: false },
  },
});
const [messages, accounts] = [Number(values.messages), Number(values.accounts)];

if (![messages, accounts].every((count) => Number.isSafeInteger(count) && count >= LEAST)) {
  console.error(`--messages and --accounts take whole numbers of at least ${LEAST}.`);
  process.exitCode = 1;
} else {
  const fold = await measureFold(messages);
  console.error(`done: fold of ${messages} messages`);
  const report = { fold, runs: await measureDays(accounts) };
  console.log(values.json ? JSON.stringify({ aims: aimsOf(report), ...report }, null, 2) : table(report));
}

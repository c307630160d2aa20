/**
 * `npm run bench:storage`: lets a year pass in one database with a workspace at its write limit and 200 ordinary ones, scaled
 * down (bench/storage/year.ts), and archives full files. A Worker runs the real ingest, cron and tasks on a local D1
 * and R2. Costs are Cloudflare's list prices (bench/cost/prices.ts), without the included amounts.
 *
 *     npm run bench:storage -- [--scale 500] [--days 365] [--json]
 */
import { parseArgs } from "node:util";

import { measureArchive } from "./storage/archive.ts";
import { AT_LIMIT } from "./storage/day.ts";
import { reportOf, table } from "./storage/report.ts";
import { simulateYear } from "./storage/year.ts";

const { values } = parseArgs({
  options: {
    scale: { type: "string", default: "500" },
    days: { type: "string", default: "365" },
    json: { type: "boolean", default: false },
  },
});
const [scale = 0, days = 0] = [values.scale, values.days].map(Number);

if (![AT_LIMIT.accounts / scale, days].every((count) => Number.isSafeInteger(count) && count >= 1)) {
  console.error(`--scale must divide ${AT_LIMIT.accounts}, and --days must be a whole number of at least 1.`);
  process.exitCode = 1;
} else {
  const archive = await measureArchive();
  console.error("done: full files");
  const report = reportOf(archive, await simulateYear(scale, days));
  console.log(values.json ? JSON.stringify(report, null, 2) : table(report));
}

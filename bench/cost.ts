/**
 * `npm run bench:cost`: what a million messages cost at Cloudflare's list prices (bench/cost/prices.ts), from rows as D1
 * counts them, beside a Worker that does nothing but INSERT each message. Of workspaces at their limit, where not said
 * otherwise.
 *
 * Not in it: what is included each month, storage, and the time on the processor (0.02 dollars a million
 * milliseconds; `npm run bench` measures a bound of it).
 *
 *     npm run bench:cost -- [--json]
 */
import { parseArgs } from "node:util";

import { type Bill, billOf, naiveBillOf, SAVES } from "./cost/bill.ts";
import { type Rows, measure, measureNaive } from "./cost/measure.ts";
import { capture, tracks } from "./cost/workloads.ts";

const WORKLOADS = [capture, tracks(1), tracks(15), tracks(100), tracks(1_000)];
const NAIVE_SIZES = [1, 1_000];

const { values } = parseArgs({ options: { json: { type: "boolean", default: false } } });

const lines: { name: string; rows: Rows; bill: Bill }[] = [];
for (const workload of WORKLOADS) {
  const { name, size, ingest, recompute } = await measure(workload);
  lines.push({ name, rows: ingest, bill: billOf(size, { ingest, recompute }) });
  if (workload === capture) {
    const bill = billOf(size, { ingest, recompute }, SAVES.oneInAWhile);
    lines.push({ name: "captures, one in a while", rows: ingest, bill });
  }
}
const naive = await measureNaive();
for (const size of NAIVE_SIZES) {
  const name = size === 1 ? "naive, singles" : `naive, batches of ${size.toLocaleString("en-US")}`;
  lines.push({ name, rows: naive, bill: naiveBillOf(size, naive) });
}

if (values.json) console.log(JSON.stringify(lines, null, 2));
else for (const line of table()) console.log(line);

function* table(): Generator<string> {
  yield "Dollars a million messages, and rows of D1 a message";
  yield row("", ["rows read", "rows written", "requests", "object", "ingest", "recompute", "total"]);
  for (const { name, rows, bill } of lines) {
    const dollars = [bill.requests, bill.object, bill.ingest, bill.recompute, bill.total];
    yield row(name, [
      ...[rows.read, rows.written].map((count) => count.toFixed(2)),
      ...dollars.map((sum) => sum.toFixed(2)),
    ]);
  }
}

function row(name: string, cells: string[]): string {
  return name.padEnd(26) + cells.map((cell) => cell.padStart(13)).join("");
}

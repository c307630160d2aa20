/**
 * `npm run bench:cost`: computes what a million messages cost at Cloudflare's list prices (bench/cost/prices.ts) from the
 * rows that D1 counts, compared with a Worker that only inserts each message. Workspaces send at their limit, unless a line says
 * otherwise.
 *
 * The cost of storing them is extra: first in D1, and then in R2.
 *
 * It leaves out included amounts, accounts and rollups, and processor time (0.02 dollars per million milliseconds;
 * `npm run bench` measures a bound).
 *
 *     npm run bench:cost -- [--json]
 */
import { parseArgs } from "node:util";

import { type Bill, billOf, naiveBillOf, PACES, storageBillOf } from "./cost/bill.ts";
import { type Rows, measure, measureNaive } from "./cost/measure.ts";
import { capture, tracks } from "./cost/workloads.ts";
import { row } from "./local/table.ts";
import { measureArchive } from "./storage/archive.ts";

const NAME_WIDTH = 26;

const WORKLOADS = [capture, tracks(1), tracks(15), tracks(100), tracks(1_000)];
const NAIVE_SIZES = [1, 1_000];

const { values } = parseArgs({ options: { json: { type: "boolean", default: false } } });

const lines: { name: string; rows: Rows; bill: Bill }[] = [];
for (const workload of WORKLOADS) {
  const { name, size, ingest, recompute } = await measure(workload);
  lines.push({ name, rows: ingest, bill: billOf(size, { ingest, recompute }) });
  if (workload === capture) {
    const bill = billOf(size, { ingest, recompute }, PACES.nowAndThen);
    lines.push({ name: "captures, now and then", rows: ingest, bill });
  }
}
const naive = await measureNaive();
for (const size of NAIVE_SIZES) {
  const name = size === 1 ? "naive, singles" : `naive, batches of ${size.toLocaleString("en-US")}`;
  lines.push({ name, rows: naive, bill: naiveBillOf(size, naive) });
}
const storage = storageBillOf(await measureArchive());

if (values.json) console.log(JSON.stringify({ lines, storage }, null, 2));
else for (const line of table()) console.log(line);

function* table(): Generator<string> {
  yield "Dollars per million messages, and D1 rows per message";
  yield row(
    "",
    ["rows read", "rows written", "requests", "object", "ingest", "recompute", "queue", "total"],
    NAME_WIDTH,
  );
  for (const { name, rows, bill } of lines) {
    const dollars = [bill.requests, bill.object, bill.ingest, bill.recompute, bill.queue, bill.total];
    const cells = [rows.read, rows.written, ...dollars].map((figure) => figure.toFixed(2));
    yield row(name, cells, NAME_WIDTH);
  }
  yield "";
  yield row("", ["month in D1", "moving", "year in R2"], NAME_WIDTH);
  const { hotMonth, move, archivedYear } = storage;
  yield row(
    "storage",
    [hotMonth, move, archivedYear].map((figure) => figure.toFixed(3)),
    NAME_WIDTH,
  );
}

/**
 * `npm run soak`: many workspaces write near their limits, read and ask, while the recompute runs.
 *
 *     npm run soak -- [--minutes 10] [--workspaces 200]
 *     npm run soak -- --import 1000000 [--kills 10]
 *
 * With `--import`, it imports so many events and kills the command again and again: see imports.ts. Otherwise a line each minute shows rates, times and memory. In the end everything is accounted for: what senders know of each
 * message is compared with the log, the counters, the limiter and the rollups. The exit code is 1 if anything is wrong.
 */
import type { RecordableHistogram } from "node:perf_hooks";
import { parseArgs } from "node:util";

import type { Check } from "./account.ts";
import { soakImport } from "./imports.ts";
import { type Row, soak } from "./soak.ts";

const ROW_MS = 60_000;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    workspaces: { type: "string", default: "200" },
    import: { type: "string" },
    kills: { type: "string", default: "10" },
  },
});
const [minutes, workspaces] = [Number(values.minutes), Number(values.workspaces)];

if (values.import !== undefined) {
  const checks = await soakImport(Number(values.import), Number(values.kills));
  for (const check of checks) console.log(checkText(check));
  if (checks.some(({ ok }) => !ok)) process.exitCode = 1;
} else if (!(minutes > 0) || !Number.isSafeInteger(workspaces) || workspaces < 1) {
  console.error("--minutes takes a number above 0, --workspaces a whole number of at least 1.");
  process.exitCode = 1;
} else {
  const forMs = minutes * 60_000;
  console.log("time  requests/s  messages/s  refused  failed  writes p50/p99/max ms  reads p50/p99/max ms  workerd MB");
  const onRow = (row: Row) => console.log(rowText(row));
  const { checks, problems } = await soak({ workspaces, forMs, rowMs: Math.min(ROW_MS, forMs / 5), onRow });
  for (const line of [...checks.map(checkText), ...problems]) console.log(line);
  if (checks.some(({ ok }) => !ok)) process.exitCode = 1;
}

function rowText({ elapsedMs, spanMs, requests, messages, refused, failed, writes, reads, workerdBytes }: Row): string {
  const time = `${Math.floor(elapsedMs / 60_000)}:${String(Math.floor(elapsedMs / 1_000) % 60).padStart(2, "0")}`;
  const rates = [requests, messages].map((count) => Math.round((count * 1_000) / spanMs));
  const memory = Math.round(workerdBytes / 2 ** 20);
  const cells = [time.padEnd(4), ...rates, refused, failed, timesText(writes), timesText(reads), memory];
  const widths = [4, 12, 12, 9, 8, 23, 22, 12];
  return cells.map((cell, place) => String(cell).padStart(widths[place] ?? 0)).join("");
}

function timesText(times: RecordableHistogram): string {
  return [times.percentile(50), times.percentile(99), times.max].map((micros) => (micros / 1_000).toFixed(1)).join("/");
}

function checkText({ name, ok, figures }: Check): string {
  const counted = Object.entries(figures).map(([what, count]) => `${count.toLocaleString("en-US")} ${what}`);
  return `${ok ? "✓" : "✗"} ${name}: ${counted.join(", ")}`;
}

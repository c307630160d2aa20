/** The process of the soak itself: see ../soak.ts. */
import { parseArgs } from "node:util";

import { type Pace, soak } from "./run.ts";
import { checkLine, heading, row } from "./table.ts";

const ROW_MS = 60_000;
/** In a run that is too short for those. */
const SHORT_ROW_MS = 10_000;
const SHORT_MS = 5 * 60_000;

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    workspaces: { type: "string", default: "200" },
    json: { type: "boolean", default: false },
  },
});
const minutes = Number(values.minutes);
const workspaces = Number(values.workspaces);

const stopping = new AbortController();
process.on("message", () => stopping.abort());
// Whoever read what is printed is gone as well.
process.on("disconnect", () => stopping.abort());
process.stdout.on("error", () => undefined);

if (!(minutes > 0) || !Number.isSafeInteger(workspaces) || workspaces < 1) {
  console.error("--minutes takes a number above 0, --workspaces a whole number of at least 1.");
  process.exitCode = 1;
} else {
  await run();
}
process.disconnect?.();

async function run(): Promise<void> {
  const print = values.json ? () => undefined : console.log;
  const forMs = minutes * 60_000;
  const report = await soak({
    workspaces,
    forMs,
    rowMs: forMs < SHORT_MS ? SHORT_ROW_MS : ROW_MS,
    stop: stopping.signal,
    onPace: (pace) => print(`${paceLine(pace)}\n\n${heading()}`),
    onRow: (sample) => print(row(sample)),
    onCheck: (check) => print(checkLine(check)),
  });
  if (values.json) console.log(JSON.stringify(report, null, 2));
  else for (const line of [...report.surprises, ...report.faults]) console.log(line);
  if (!report.ok) process.exitCode = 1;
}

function paceLine({ saturation, load }: Pace): string {
  const [most, paced] = [saturation, load].map((count) => Math.round(count).toLocaleString("en-US"));
  return `${workspaces} workspaces; the service takes ${most} messages a second of this mix, and gets ${paced}`;
}

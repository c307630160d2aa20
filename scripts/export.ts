/**
 * `npm run export -- --from 2026-11-01 --to 2026-11-23 --format ndjson --out DIR`: downloads the messages received on these
 * UTC days. `--format parquet` downloads the files of the archive instead, without messages that aren't archived yet.
 *
 * `KEY` in the environment is an API key with the scope `read`. `--url` is the service, by default the local one. After an
 * interruption the same command continues. A failure prints one line and ends with exit code 1.
 */
import { mkdir } from "node:fs/promises";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import * as z from "zod";

import { ExportFailure } from "./export/client.ts";
import { exportNdjson } from "./export/ndjson.ts";
import { exportParquet } from "./export/parquet.ts";
import { baseUrl, readSettings, StartFailure } from "./start/settings.ts";

const day = z.iso.date("must be a day, such as 2026-11-23");
const Options = z
  .object({
    from: day,
    to: day,
    format: z.enum(["ndjson", "parquet"], "must be ndjson or parquet"),
    out: z.string("must be a folder"),
    url: z.url({ protocol: /^https?$/, error: "must be a URL, such as https://ingest.example.com" }),
  })
  .refine(({ from, to }) => from <= to, { path: ["to"], message: "must not be before --from" });

const USAGE = "KEY=… npm run export -- --from 2026-11-01 --to 2026-11-23 --format ndjson|parquet --out DIR [--url URL]";

try {
  if (process.argv.some((each) => each === "--help" || each === "-h")) console.log(`Use: ${USAGE}`);
  else await run();
} catch (error) {
  if (process.stdout.isTTY) console.log(); // below the progress bar
  console.error("npm run export:", explain(error));
  process.exitCode = 1;
}

async function run(): Promise<void> {
  const { format, url, ...options } = readOptions();
  const key = process.env["KEY"];
  if (!key) throw new ExportFailure("Set KEY in the environment to an API key with the scope read.");
  // npm runs scripts in the project's folder.
  const out = resolve(process.env["INIT_CWD"] ?? "", options.out);
  await mkdir(out, { recursive: true });
  const exportMessages = format === "ndjson" ? exportNdjson : exportParquet;
  const path = await exportMessages({ url: new URL(url).origin, key }, { ...options, out });
  console.log(`Exported to ${path}`);
}

function readOptions(): z.infer<typeof Options> {
  const text = { type: "string" } as const;
  let values;
  try {
    ({ values } = parseArgs({ options: { from: text, to: text, format: text, out: text, url: text } }));
  } catch (error) {
    throw new ExportFailure(error instanceof Error ? error.message : String(error));
  }
  const local = baseUrl(readSettings(fileURLToPath(new URL("..", import.meta.url)), process.env));
  const { data, error } = Options.safeParse({ url: local, ...values });
  if (data) return data;
  throw new ExportFailure(error.issues.map(({ path, message }) => `--${path.join(".")} ${message}.`).join(" "));
}

function explain(error: unknown): unknown {
  if (error instanceof ExportFailure || error instanceof StartFailure) return error.message;
  // `fetch` throws these, even while a body is read.
  if (error instanceof TypeError && error.cause instanceof Error)
    return `The connection failed (${error.cause.message}). Run the same command again to continue.`;
  return error;
}

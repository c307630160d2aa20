/**
 * `npm run import -- FILE… --workspace ws_…`: sends historical data to a workspace: docs/import.md.
 *
 * With `ADMIN_TOKEN` in the environment, or for the local service, it opens an import and ends it; with `KEY`, it stays within
 * the workspace's own write limit. Repeated, it sends everything again, and what is stored already counts as a duplicate.
 * Exit code 0: all is stored; 2: rows were rejected, and are listed; 1: it stopped.
 */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { PRESETS } from "./import/messages.ts";
import { formatted, sendRows, type Totals } from "./import/send-rows.ts";
import { openSources } from "./import/sources.ts";
import { openImport } from "./import/workspace-import.ts";
import { isAddress, openAdmin } from "./open-admin.ts";
import { baseUrl, readSettings } from "./start/settings.ts";

const USAGE = `npm run import -- FILE… --workspace ws_… [--from ${PRESETS.join("|")}] [--group KEY] [--map map.json]
  [--timezone Europe/Berlin] [--include EVENT]… [--dry-run] [--url URL]`;

const stopping = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.once(signal, () => stopping.abort(new Error("Stopped.")));

try {
  process.exitCode = await run();
} catch (error) {
  if (process.stdout.isTTY) console.log(); // below the progress bar
  console.error("npm run import:", explain(error));
  process.exitCode = 1;
}

/** @returns the exit code */
async function run(): Promise<number> {
  const { values, positionals } = readOptions();
  const { help, workspace, url, "dry-run": isDry, map, ...options } = values;
  if (help) {
    console.log(`Use: ${USAGE}`);
    return 0;
  }
  if (positionals.length === 0) throw new Error(`Name files: ${USAGE}`);
  const sources = await openSources(positionals.map(inFolder), { ...options, map: map && inFolder(map) });
  if (isDry) return report(await sendRows(sources, null, stopping.signal), "would be sent");
  const { target, running } = await openTarget(workspace, url);
  try {
    const totals = await sendRows(sources, target, stopping.signal);
    await running?.end();
    return report(totals);
  } catch (error) {
    await running?.stop().catch(() => undefined);
    throw new Error(`${explain(error)} Run the same command again to continue.`, { cause: error });
  }
}

function readOptions() {
  const text = { type: "string" } as const;
  const flag = { type: "boolean", default: false } as const;
  const options = {
    workspace: text,
    from: text,
    group: text,
    map: text,
    timezone: text,
    url: text,
    include: { ...text, multiple: true },
    "dry-run": flag,
    help: { ...flag, short: "h" },
  } as const;
  return parseArgs({ options, allowPositionals: true });
}

/** npm runs scripts in the project's folder. */
function inFolder(path: string): string {
  return resolve(process.env["INIT_CWD"] ?? "", path);
}

/** @returns `running` is the import that was opened; `null` with a key */
async function openTarget(id: string | undefined, url: string | undefined) {
  if (url !== undefined && !isAddress(url)) throw new Error(`--url ${url} is no address, such as https://….`);
  const local = baseUrl(readSettings(fileURLToPath(new URL("..", import.meta.url)), process.env));
  const { origin } = new URL(url ?? local);
  const { KEY: key, ADMIN_TOKEN: token } = process.env;
  if (key && !token) return { target: { url: origin, key }, running: null };
  if (id?.startsWith("ws_") !== true) throw new Error("Name the workspace: --workspace ws_….");
  const running = await openImport(openAdmin(url), id);
  return { target: { url: origin, key: running.key }, running };
}

/** Says what became of the rows. @returns the exit code */
function report({ stored, duplicates, rejected, left }: Totals, sent = "stored"): number {
  const counts = { [sent]: stored, "stored before": duplicates, rejected, ...Object.fromEntries(left) };
  console.log(
    Object.entries(counts)
      .map(([what, count]) => `${formatted(count)} ${what}`)
      .join(", "),
  );
  return rejected > 0 ? 2 : 0;
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // `fetch` says only that it failed, and its cause says why.
  const { message, cause } = error;
  return message === "fetch failed" && cause instanceof Error ? `The connection failed (${cause.message}).` : message;
}

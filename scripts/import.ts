/**
 * `npm run import -- FILE… --workspace ws_…`: sends historical data to a workspace: docs/import.md.
 *
 * With `ADMIN_TOKEN` in the environment, or for the local service, it opens an import and ends it; with `KEY`, it stays within
 * the workspace's own write limit. Repeated, it sends everything again, and what is stored already counts as a duplicate.
 */
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { PRESETS } from "./import/messages.ts";
import { describeCounts, namedCounts, sendRows, type Totals } from "./import/send-rows.ts";
import { openSources } from "./import/sources.ts";
import { endImport, openImport, OtherImport } from "./import/workspace-import.ts";
import { isAddress, openAdmin } from "./open-admin.ts";
import { baseUrl, readSettings } from "./start/settings.ts";

const USAGE = "npm run import -- FILE… --workspace ws_… [options]";
const HELP = `Use: ${USAGE}

  --workspace ID      the workspace to import into
  --from TOOL         the tool that wrote the files: ${PRESETS.join(", ")}
  --group KEY         the group that is the account, in files of PostHog, Amplitude and Mixpanel
  --map FILE          a JSON file that names columns, for files of no such tool
  --timezone ZONE     the time zone of times without an offset, such as Europe/Berlin (UTC)
  --include EVENT     sends only this event; may be repeated
  --dry-run           reads everything, shows three messages of each file, and sends nothing
  --end               ends an import that stayed open, and needs no files
  --url URL           the service (the local one)

Environment: ADMIN_TOKEN is the service's admin token, and the local service needs none. KEY, a key with the scope
ingest, sends within the workspace's own write limit instead.

Exit code: 0, everything is stored; 2, the same without the rows that are listed; 1, it stopped: run it again to continue.
docs/import.md has the rest.`;

const stopping = new AbortController();
let stoppedAt = Infinity;
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"])
  process.on(signal, () => {
    // npm passes on the signal that the terminal sends to both. A later one doesn't wait for the service.
    if (Date.now() > stoppedAt + 1_000) process.exit(1);
    stoppedAt = Math.min(stoppedAt, Date.now());
    stopping.abort(new Error("Stopped."));
  });

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
  const { help, workspace, url, "dry-run": isDry, end: isEnd, map, ...options } = values;
  if (help) {
    console.log(HELP);
    return 0;
  }
  if (isEnd) {
    if (!(await endImport(openAdmin(url), required(workspace)))) console.log("The workspace has no import.");
    return 0;
  }
  if (positionals.length === 0) throw new Error(`Name files: ${USAGE} (--help explains them).`);
  const sources = await openSources(positionals.map(inFolder), { ...options, map: map && inFolder(map) });
  if (isDry) return report(await sendRows(sources, null, stopping.signal), "would be sent");
  const howToEnd = `end it with npm run import -- --end --workspace ${workspace}${url === undefined ? "" : ` --url ${url}`}`;
  const names = sources.map(({ file }) => file.name);
  const { target, running } = await openTarget(workspace, url, names).catch((error: unknown) => {
    throw error instanceof OtherImport ? new Error(`${error.message}, or ${howToEnd}.`, { cause: error }) : error;
  });
  try {
    const totals = await sendRows(sources, target, stopping.signal);
    await running?.end();
    return report(totals);
  } catch (error) {
    const open = running && (await running.stop().catch(() => "it expires"));
    const left = open && `The import stays open until ${open}, and accounts aren't scored until it ends: ${howToEnd}. `;
    throw new Error(`${explain(error)} ${left ?? ""}Run the same command again to continue.`, { cause: error });
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
    end: flag,
    help: { ...flag, short: "h" },
  } as const;
  return parseArgs({ options, allowPositionals: true });
}

/** npm runs scripts in the project's folder. */
function inFolder(path: string): string {
  return resolve(process.env["INIT_CWD"] ?? "", path);
}

/** @returns `running` is the import that was opened; `null` with a key */
async function openTarget(id: string | undefined, url: string | undefined, files: readonly string[]) {
  if (url !== undefined && !isAddress(url)) throw new Error(`--url ${url} is no address, such as https://….`);
  const local = baseUrl(readSettings(fileURLToPath(new URL("..", import.meta.url)), process.env));
  const { origin } = new URL(url ?? local);
  const { KEY: key, ADMIN_TOKEN: token } = process.env;
  if (key && !token) return { target: { url: origin, key }, running: null };
  const running = await openImport(openAdmin(url), required(id), files);
  return { target: { url: origin, key: running.key }, running };
}

function required(id: string | undefined): string {
  if (id?.startsWith("ws_") !== true) throw new Error("Name the workspace: --workspace ws_….");
  return id;
}

/** Says what became of the rows. @returns the exit code */
function report({ rejected, left, ...counts }: Totals, stored = "stored"): number {
  console.log(describeCounts({ ...namedCounts(counts, stored), rejected, ...Object.fromEntries(left) }));
  return rejected > 0 ? 2 : 0;
}

function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // `fetch` says only that it failed, and its cause says why.
  const { message, cause } = error;
  return message === "fetch failed" && cause instanceof Error ? `The connection failed (${cause.message}).` : message;
}

/**
 * `npm run databases -- reconcile`: repairs the inconsistencies that a restore of databases has left, and lists the
 * decisions that people have to make. docs/restore.md says when to run it.
 *
 * `--url` is the service, by default the local one. `ADMIN_TOKEN` in the environment is its admin token; without it, the
 * local service's token is read from .dev.vars. `--erase-copies` and `--start-empty ID` carry out what people have decided.
 *
 * The exit code is 0 when nothing is left, 1 when people have to decide, and 2 when they only have to wait.
 */
import { parseArgs } from "node:util";

import { ApiError, type Client, type components } from "../../clients/typescript/src/client.ts";
import { openAdmin } from "../open-admin.ts";
import { FINDINGS } from "./findings.ts";

type Page = components["schemas"]["ReconcileResponse"];
type Finding = Page["findings"][number];
/** Each call repairs something. More calls at one place mean that a repair doesn't last. */
const MAX_CALLS_AT_ONE_PLACE = 2_000;

/** A newer service may find more. */
const texts = new Map<string, string>(Object.entries(FINDINGS));

interface Service {
  client: Client;
  decisions: { eraseCopies: boolean; startEmpty: string | null };
}

export const RECONCILE_USAGE =
  "npm run databases -- reconcile [--url URL] [--erase-copies] [--start-empty WORKSPACE_ID]";

/**
 * Reconciles all workspaces and prints each finding once.
 * @returns the exit code
 * @throws Error with a message for the operator
 */
export async function reconcile(args: string[]): Promise<number> {
  const service = readOptions(args);
  const told = new Map<string, Finding>();
  let [before, calls]: [number | null, number] = [null, 0];
  do {
    const { findings, next } = await readPage(service, before);
    for (const found of findings) {
      const line = [`${found.workspace} ${found.finding}:`, texts.get(found.finding), found.detail]
        .filter(Boolean)
        .join(" ");
      if (!told.has(line)) console.log(`${todo(found)}: ${line}`);
      told.set(line, found);
    }
    calls = next === before ? calls + 1 : 0;
    if (calls > MAX_CALLS_AT_ONE_PLACE) throw new Error("A repair doesn't last. See the findings above.");
    before = next;
  } while (before !== null);
  return summarize([...told.values()], service.decisions.startEmpty);
}

const todo = ({ repaired, finding }: Finding) =>
  repaired ? "Repaired" : finding === "busy" ? "To wait for" : "To decide";

function summarize(found: readonly Finding[], startEmpty: string | null): number {
  const count = (which: string) => found.filter((each) => todo(each) === which).length;
  const [open, waiting] = [count("To decide"), count("To wait for")];
  if (found.length === 0) console.log("Nothing to repair.");
  else console.log(`${count("Repaired")} repaired, ${open} to decide, ${waiting} to wait for.`);
  const isStarted = found.some(({ workspace, finding }) => workspace === startEmpty && finding === "state_missing");
  if (startEmpty !== null && !isStarted) {
    console.log(`--start-empty did nothing: ${startEmpty} has no finding data_lost.`);
    return 1;
  }
  return open > 0 ? 1 : waiting > 0 ? 2 : 0;
}

function readOptions(args: string[]): Service {
  const text = { type: "string" } as const;
  const options = { url: text, "erase-copies": { type: "boolean" }, "start-empty": text } as const;
  const {
    url,
    "erase-copies": eraseCopies = false,
    "start-empty": startEmpty = null,
  } = parseArgs({ args, options }).values;
  return { client: openAdmin(url), decisions: { eraseCopies, startEmpty } };
}

async function readPage({ client, decisions }: Service, before: number | null): Promise<Page> {
  const { data, error, response } = await client.POST("/admin/reconcile", { body: { before, ...decisions } });
  if (data !== undefined) return data;
  const { message } = new ApiError(response, error);
  throw new Error(`The service returned ${response.status}: ${message} Its log has the cause. Then reconcile again.`);
}

/**
 * `npm run databases -- reconcile`: repairs what a restore of databases has left inconsistent, and lists what people have to
 * decide. docs/operations.md says when to run it.
 *
 * `--url` is the service, by default the local one. `ADMIN_TOKEN` in the environment is its admin token; without it, the
 * local service's token is read from .dev.vars. `--erase-copies` and `--start-empty ID` carry out what people have decided.
 */
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import * as z from "zod";

import { FINDINGS } from "./findings.ts";
import { request } from "../request.ts";
import { adminToken } from "../start/admin-token.ts";
import { baseUrl, readSettings } from "../start/settings.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const Finding = z.object({ workspace: z.string(), finding: z.string(), repaired: z.boolean() });
const Page = z.object({ findings: z.array(Finding), next: z.number().nullable() });
/** Each call repairs something. More calls at one place mean that a repair doesn't last. */
const MAX_CALLS_AT_ONE_PLACE = 2_000;

/** A newer service may find more. */
const texts = new Map<string, string>(Object.entries(FINDINGS));

interface Service {
  url: string;
  token: string;
  decisions: { eraseCopies: boolean; startEmpty: string | null };
}

/**
 * Reconciles all workspaces and prints each finding once.
 * @returns whether nothing is left to decide
 * @throws Error with a message for the operator
 */
export async function reconcile(args: string[]): Promise<boolean> {
  const service = readOptions(args);
  const told = new Map<string, z.infer<typeof Finding>>();
  let [before, calls]: [number | null, number] = [null, 0];
  do {
    const { findings, next } = await readPage(service, before);
    for (const found of findings) {
      const line = `${found.workspace} ${found.finding}: ${texts.get(found.finding) ?? ""}`;
      if (!told.has(line)) console.log(`${found.repaired ? "Repaired" : "To decide"}: ${line}`);
      told.set(line, found);
    }
    calls = next === before ? calls + 1 : 0;
    if (calls > MAX_CALLS_AT_ONE_PLACE) throw new Error("A repair doesn't last. See the findings above.");
    before = next;
  } while (before !== null);
  const open = [...told.values()].filter(({ repaired }) => !repaired).length;
  if (told.size === 0) console.log("Nothing to repair.");
  else console.log(`${told.size - open} repaired, ${open} to decide.`);
  return open === 0;
}

function readOptions(args: string[]): Service {
  const text = { type: "string" } as const;
  const options = { url: text, "erase-copies": { type: "boolean" }, "start-empty": text } as const;
  const {
    url,
    "erase-copies": eraseCopies = false,
    "start-empty": startEmpty = null,
  } = parseArgs({ args, options }).values;
  const decisions = { eraseCopies, startEmpty };
  const settings = readSettings(ROOT, process.env);
  if (url === undefined) return { url: baseUrl(settings), token: adminToken(settings).value, decisions };
  if (settings.adminToken === null) throw new Error("Set ADMIN_TOKEN in the environment to the service's admin token.");
  return { url: new URL(url).origin, token: settings.adminToken, decisions };
}

async function readPage({ url, token, decisions }: Service, before: number | null): Promise<z.infer<typeof Page>> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const body = JSON.stringify({ before, ...decisions });
  const response = await request(`${url}/admin/reconcile`, { method: "POST", headers, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`POST /admin/reconcile returned ${response.status}: ${text}`);
  return Page.parse(JSON.parse(text));
}

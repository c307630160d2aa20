/**
 * `npm run restore -- --workspace ws_… --database DB_2`: restores a workspace from its last backup into a database, also when
 * its own database is lost. docs/restore.md says when. Run it again to follow a restore that is running.
 *
 * `--date 2026-11-20` takes the last backup of that day (UTC). `--give-up` gives up the rows that databases still have of the
 * workspace. `--url` is the service, by default the local one; `ADMIN_TOKEN` in the environment is its admin token.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";

import * as z from "zod";

import { type AdminService, callService, findService } from "./admin-service.ts";
import { runCommand } from "./deployment.ts";

const USAGE = "npm run restore -- --workspace ws_… --database DB_2 [--date 2026-11-20] [--give-up] [--url URL]";
const POLL_MS = 2_000;

const Workspace = z.object({
  workspace: z.object({
    database: z.string(),
    move: z
      .object({
        to: z.string(),
        backup: z.string().optional(),
        rowsCopied: z.number(),
        rowsTotal: z.number(),
        fault: z.string().optional(),
      })
      .nullable(),
  }),
});

await runCommand(async (args) => {
  const text = { type: "string" } as const;
  const flag = { type: "boolean", default: false } as const;
  const options = {
    workspace: text,
    database: text,
    date: text,
    url: text,
    "give-up": flag,
    help: { ...flag, short: "h" },
  };
  const { workspace, database, date, url, help, "give-up": giveUp } = parseArgs({ args: [...args], options }).values;
  if (help) return console.log(`Use: ${USAGE}`);
  if (workspace === undefined || database === undefined) throw new Error(`Name the workspace and a database: ${USAGE}`);
  const service = findService(url);
  const path = `/admin/workspaces/${workspace}`;
  const started = await callService(service, "POST", `${path}/restore`, { database, date, giveUp });
  const isRunning = started.status === 409 && (await readWorkspace(service, path)).move?.backup !== undefined;
  if (started.status !== 202 && !isRunning) throw new Error(started.message);
  await follow(service, path);
});

async function readWorkspace(service: AdminService, path: string) {
  const { status, body, message } = await callService(service, "GET", path);
  if (status !== 200) throw new Error(`The service returned ${status}: ${message}`);
  return Workspace.parse(body).workspace;
}

/** Waits until the restore has ended. @throws Error with the fault of a part that failed */
async function follow(service: AdminService, path: string): Promise<void> {
  for (let told = ""; ; await sleep(POLL_MS)) {
    const { database, move } = await readWorkspace(service, path);
    if (move === null) return console.log(`${database} has the workspace.`);
    if (move.fault !== undefined) {
      throw new Error(
        `${move.fault}\nThe service tries again every five minutes. Run this command again to follow it, or cancel the restore: DELETE ${path}/move`,
      );
    }
    const line = `Backup ${move.backup}: ${move.rowsCopied} of ${move.rowsTotal} rows are in ${move.to}.`;
    if (line !== told) console.log(line);
    told = line;
  }
}

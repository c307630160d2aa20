/**
 * `npm run restore -- --workspace ws_… --database DB_2`: restores a workspace from its last backup into a database, also when
 * its own database is lost. docs/restore.md says when. Run it again to follow a restore that is running.
 *
 * `--date 2026-11-20` takes the last backup of that day (UTC). `--give-up` gives up the rows that databases still have of the
 * workspace. `--url` is the service, by default the local one; `ADMIN_TOKEN` in the environment is its admin token.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";

import { ApiError, type Client, dataOf } from "../clients/typescript/src/client.ts";
import { runCommand } from "./deployment.ts";
import { openAdmin } from "./open-admin.ts";
import { describeProgress, RETRY, type WantedRestore } from "./restore-progress.ts";

const USAGE = "npm run restore -- --workspace ws_… --database DB_2 [--date 2026-11-20] [--give-up] [--url URL]";
const POLL_MS = 2_000;

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
  const client = openAdmin(url);
  const called = { params: { path: { id: workspace } } };
  const body = { database, giveUp, ...(date && { date }) };
  const { error, response } = await client.POST("/admin/workspaces/{id}/restore", { ...called, body });
  if (!response.ok && response.status !== 409) throw new ApiError(response, error);
  await follow(client, workspace, { database, date });
});

async function readWorkspace(client: Client, id: string) {
  return (await dataOf(client.GET("/admin/workspaces/{id}", { params: { path: { id } } }))).workspace;
}

/** Waits until the restore has ended. @throws Error when it was cancelled, or with the fault of a part that failed */
async function follow(client: Client, id: string, wanted: WantedRestore): Promise<void> {
  const before = await readWorkspace(client, id);
  let toldFault = before.move?.fault;
  if (toldFault !== undefined) console.warn(`The last attempt failed: ${toldFault}\n${RETRY}`);
  for (let [workspace, told] = [before, ""]; ; workspace = await readWorkspace(client, id)) {
    // The next attempt clears the fault.
    if (workspace.move?.fault === undefined) toldFault = undefined;
    const { line, isDone } = describeProgress(workspace, wanted, toldFault);
    if (line !== told) console.log(line);
    if (isDone) return;
    told = line;
    await sleep(POLL_MS);
  }
}

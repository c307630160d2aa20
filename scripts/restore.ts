/**
 * `npm run restore -- --workspace ws_… --database DB_2`: restores a workspace from its last backup into a database, also when
 * its own database is lost. docs/restore.md says when. Run it again to follow a restore that is running.
 *
 * `--list` lists the workspace's backups instead. `--backup NAME` takes one of them, and `--date 2026-11-20` the last one of
 * that day (UTC). `--give-up` gives up the rows that databases still have of the workspace: the command asks once more, or
 * `--yes` answers. `--url` is the service, by default the local one; `ADMIN_TOKEN` in the environment is its admin token.
 */
import { createInterface } from "node:readline/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";

import { ApiError, type Client, dataOf } from "../clients/typescript/src/client.ts";
import { runCommand } from "./deployment.ts";
import { openAdmin } from "./open-admin.ts";
import { describeProgress, RETRY, type WantedRestore } from "./restore-progress.ts";

const USAGE = `npm run restore -- --workspace ws_… --database DB_2 [--backup NAME | --date 2026-11-20] [--give-up [--yes]] [--url URL]
  npm run restore -- --workspace ws_… --list [--url URL]`;
const POLL_MS = 2_000;

await runCommand(async (args) => {
  const text = { type: "string" } as const;
  const flag = { type: "boolean", default: false } as const;
  const options = {
    workspace: text,
    database: text,
    backup: text,
    date: text,
    url: text,
    "give-up": flag,
    yes: flag,
    list: flag,
    help: { ...flag, short: "h" },
  };
  const { values } = parseArgs({ args: [...args], options });
  const { workspace: id, database, backup, date, url, yes, list, help, "give-up": giveUp } = values;
  if (help) return console.log(`Use: ${USAGE}`);
  if (id === undefined) throw new Error(`Name the workspace: ${USAGE}`);
  const client = openAdmin(url);
  if (!id.startsWith("ws_")) throw new Error(`No such workspace: ${id}. Give its id (ws_…).`);
  if (list) return listBackups(client, id);
  if (database === undefined) throw new Error(`Name a database: ${USAGE}`);
  if (giveUp && !yes) await requireConsent(client, id);
  const body = { database, giveUp, ...(backup && { backup }), ...(date && { date }) };
  const { data, error, response } = await client.POST("/admin/workspaces/{id}/restore", {
    params: { path: { id } },
    body,
  });
  if (!response.ok && response.status !== 409) throw withOptions(new ApiError(response, error));
  await follow(client, id, { database, backup: data?.backup ?? backup ?? date, isStarted: response.ok });
});

/** Asks whether the rows of this workspace are given up. @throws Error unless the answer is its id or name */
async function requireConsent(client: Client, id: string): Promise<void> {
  if (!process.stdin.isTTY) throw new Error("--give-up needs --yes without a terminal.");
  const { name } = await readWorkspace(client, id);
  console.log(
    `This gives up what databases still have of ${id} (${name}): senders get 503 until the end of the restore.`,
  );
  using lines = createInterface(process.stdin, process.stdout);
  const answer = (await lines.question("Repeat the workspace's id or name: ")).trim();
  if (answer !== id && answer !== name) throw new Error("Nothing is restored, because that isn't the workspace.");
}

/** Names the options of the command in place of the API's fields. */
function withOptions(error: ApiError): Error {
  const issues = error.issues.map(({ path, message }) => {
    const option = `--${path.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    return `${option} ${message.replace(/^must be true/, "is needed")}.`;
  });
  return issues.length === 0 ? error : new Error(issues.join(" "));
}

async function listBackups(client: Client, id: string): Promise<void> {
  const { backups } = await dataOf(client.GET("/admin/workspaces/{id}/backups", { params: { path: { id } } }));
  for (const { name, rows, bytes, complete } of backups)
    console.log(`${name}  ${rows} rows, ${bytes} bytes in a database${complete ? "" : ", incomplete"}`);
  if (backups.length === 0) console.log(`${id} has no backup.`);
}

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
    const { line, isDone } = describeProgress(
      workspace,
      { ...wanted, isStarted: wanted.isStarted || told !== "" },
      toldFault,
    );
    if (line !== told) console.log(line);
    if (isDone) return;
    told = line;
    await sleep(POLL_MS);
  }
}

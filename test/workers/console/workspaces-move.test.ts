/** Moving a workspace to another database, in the console. */
import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, expect, it } from "vitest";

import { createApp } from "../../../src/app.ts";
import type { WorkspaceRef } from "../../../src/db/client/database.ts";
import { backUp, backupNames, startRestore } from "../backups/backing-up.ts";
import { envWith } from "../support/faulty-env.ts";
import { heldQueue, runCron } from "../support/run-cron.ts";
import { newRequest, ORIGIN } from "../support/send.ts";
import { newWorkspace } from "../support/workspace.ts";
import { textOf } from "./support/page-text.ts";
import { type Browser, signedIn } from "./support/signed-in.ts";

let id: string;
let key: string;
let admin: Browser;
let refOf: () => Promise<WorkspaceRef>;
beforeEach(async () => {
  ({ id, key, ref: refOf } = await newWorkspace());
  admin = await signedIn();
});

const path = () => `/console/w/${id}/settings`;

/** Sends a form. The queue delivers nothing. */
async function post(action: string, fields: Record<string, string> = {}, { cookie } = admin) {
  const headers = { Cookie: cookie, Origin: ORIGIN, "Content-Type": "application/x-www-form-urlencoded" };
  const request = newRequest("POST", path() + action, new URLSearchParams(fields).toString(), { headers });
  const { TASKS } = heldQueue();
  const response = await createApp().fetch(request, envWith({ TASKS }), createExecutionContext());
  return { status: response.status, headers: response.headers, text: await response.text() };
}
const read = async (at = `${path()}/system`) => textOf((await admin.get(at)).html);

it("starts, shows its progress here and among the databases, and is cancelled", async () => {
  expect(await read()).toContain("The data of this workspace is in DB. Move to DB_1 DB_2 Move workspace");
  const started = await post("/move", { database: "DB_1" });
  expect([started.status, started.headers.get("Location")]).toEqual([303, `${path()}/system?done=moving`]);
  expect(await read()).toMatch(/Move from DB to DB_1: copying 0 of 0 rows, started just now\. Cancel move/);
  expect(await read("/console/databases")).toContain(`Moves and restores You can start a move, and see its progress`);
  expect((await post("/move", { database: "DB_1" })).text).toContain("The workspace is being moved");
  expect((await post("/move/cancel")).status).toBe(303);
  await runCron(Date.now());
  expect(await read()).toContain("Move workspace");
});

it("describes a restore as one, here and among the databases, in each of its states", async () => {
  const ref = await refOf();
  await backUp(ref);
  expect((await startRestore(id, { database: "DB_1", giveUp: true })).status).toBe(202);
  const [name] = await backupNames(ref);
  const states = {
    copying: `Restore of the backup ${name} into DB_1: copying 0 of 0 rows, started just now. Cancel restore`,
    final: `Restore of the backup ${name} into DB_1: removing what was erased since`,
    erasing: `Restore of the backup ${name} into DB_1: in use, until every database has closed older rows`,
    cancelling: `Restore of the backup ${name} into DB_1: being cancelled`,
  };
  for (const [state, text] of Object.entries(states)) {
    await env.DB.prepare("UPDATE moves SET state = ?").bind(state).run();
    expect(await read()).toContain(text);
    expect(await read()).not.toMatch(/\bmove\b/i);
  }
  expect(await read("/console/databases")).toMatch(/Moves and restores .* Restore into DB_1/);
  await env.DB.prepare("UPDATE moves SET state = 'copying'").run();
  const cancelled = await post("/move/cancel");
  expect(textOf((await admin.get(cancelled.headers.get("Location") ?? "")).html)).toContain("Cancelled.");
  await runCron(Date.now());
});

it("ends in the other database", async () => {
  await post("/move", { database: "DB_1" });
  await runCron(Date.now());
  expect(await read()).toContain("The data of this workspace is in DB_1.");
});

it("is refused to an unknown or to its own database, and to those who are no administrators", async () => {
  expect(await post("/move", { database: "DB_9" })).toMatchObject({ status: 400 });
  expect((await post("/move", { database: "DB" })).text).toContain("already in this database");
  expect((await post("/move/cancel")).text).toContain("is not being moved");
  const tenant = await signedIn(key);
  expect((await post("/move", { database: "DB_1" }, tenant)).status).toBe(403);
  expect(textOf((await tenant.get(`${path()}/system`)).html)).not.toContain("Move workspace");
});

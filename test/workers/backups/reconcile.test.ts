/** A reconciliation after a database was lost: docs/restore.md. */
import { env } from "cloudflare:workers";
import { expect, it } from "vitest";

import { finishMove } from "../moves/moving.ts";
import { removeEntry } from "../support/half-changed.ts";
import { kindsOf, reconcileAll } from "../support/restores.ts";
import { admin, newWorkspace } from "../support/workspace.ts";
import { backUp, lose, startRestore } from "./backing-up.ts";

const CAPTURE = { accountId: "acme", userId: "u1", event: "report.exported" };

it("§9.3 opens no workspace without its rows while a backup has them", async () => {
  const workspace = await newWorkspace();
  const { post, get } = workspace;
  await post("/api/v1/events", CAPTURE);
  const ref = await workspace.ref();
  await backUp(ref);
  await lose(ref, env.DB);
  expect(await kindsOf(workspace)).toEqual(["data_lost"]);
  expect((await post("/api/v1/events", CAPTURE)).status).toBe(503);
  expect((await startRestore(workspace.id, { database: "DB_1" })).status).toBe(202);
  await finishMove(ref);
  expect(await kindsOf(workspace)).toEqual([]);
  expect((await get("/api/v1/events")).body["events"]).toHaveLength(1);
});

it("§9.3 starts such a workspace empty only when an operator says so", async () => {
  const workspace = await newWorkspace();
  await workspace.post("/api/v1/events", CAPTURE);
  const ref = await workspace.ref();
  await backUp(ref);
  await lose(ref, env.DB);
  await reconcileAll({ eraseCopies: false, startEmpty: workspace.id });
  expect((await workspace.post("/api/v1/events", CAPTURE)).status).toBe(200);
});

it("§9.3 brings a workspace back that the directory's database took along", async () => {
  const workspace = await newWorkspace();
  await workspace.post("/api/v1/events", CAPTURE);
  const ref = await workspace.ref();
  await backUp(ref);
  await lose(ref, env.DB);
  await removeEntry(workspace);
  expect((await kindsOf(workspace)).toSorted()).toEqual(["data_lost", "entry_missing"]);
  expect((await startRestore(workspace.id, { database: "DB_1" })).status).toBe(202);
  await finishMove(ref);
  expect(await kindsOf(workspace)).toEqual([]);
  const { key } = (await admin("POST", `/workspaces/${workspace.id}/keys`, { scopes: ["read"] })).body;
  const read = await workspace.get("/api/v1/events", { headers: { Authorization: `Bearer ${key?.key ?? ""}` } });
  expect(read.body.events).toHaveLength(1);
});

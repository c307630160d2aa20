/** Reconciling after restores of single databases: docs/restore.md. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";

import { recordErasedPerson } from "../../../src/archive/journal.ts";
import { ERASE_AFTER_MS, runMove } from "../../../src/services/moves/move-workspace.ts";
import { calm, cancelMove, finishMove, lateClock, startMove, wait } from "../moves/moving.ts";
import { allRows, tablesWith } from "../support/database.ts";
import { capture, track } from "../support/messages.ts";
import { detailsOf, reconcileAll, restorePoint } from "../support/restores.ts";
import { runCron } from "../support/run-cron.ts";
import { send } from "../support/send.ts";
import { admin, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

async function kindsOf({ id }: { id: string }): Promise<string[]> {
  const findings = await reconcileAll();
  return findings.filter(({ workspace }) => workspace === id).map(({ kind }) => kind);
}

async function exported(workspace: TestWorkspace): Promise<string[]> {
  const today = new Date().toISOString().slice(0, 10);
  const { text } = await workspace.get(`/api/v1/export?from=${today}&to=${today}`);
  return [...text.matchAll(/"message_id":"([^"]+)"/g)].map(([, id = ""]) => id);
}

const workspaceHeaders = ({ key }: TestWorkspace) => ({ Authorization: `Bearer ${key}` });

const stateIn = async (database: D1Database, { id }: TestWorkspace): Promise<string | null> =>
  database.prepare("SELECT state FROM workspace_states WHERE id = ?").bind(id).first<string>("state");

async function sendOne(workspace: TestWorkspace, messageId: string): Promise<number> {
  return (await workspace.post("/api/v1/cdp", track({ messageId }))).status;
}

describe("§9 reconciling", () => {
  it("finds nothing in a healthy deployment", async () => {
    await sendOne(await newWorkspace({ database: "DB_1" }), "a");
    expect(await reconcileAll()).toEqual([]);
  });

  it("puts a workspace back that a restored directory lacks, with its limit and without its keys", async () => {
    const restore = await restorePoint(env.DB);
    const workspace = await newWorkspace({ database: "DB_1", writeLimit: 77 });
    const ref = await workspace.ref();
    await sendOne(workspace, "kept");
    await restore();
    expect(await kindsOf(workspace)).toEqual(["entry_missing"]);
    expect(await workspace.ref()).toEqual(ref);
    const key = await workspace.newKey();
    expect(await exported({ ...workspace, ...key })).toEqual(["kept"]);
    const { body } = await admin("GET", `/workspaces/${workspace.id}`);
    expect(body.workspace).toMatchObject({ name: workspace.id, writeLimit: 77, keys: [{ id: key.keyId }] });
    expect(await reconcileAll()).toEqual([]);
  });

  it("opens a workspace again whose database was restored to a time before its creation", async () => {
    const restore = await restorePoint(env.DB_1);
    const workspace = await newWorkspace({ database: "DB_1" });
    await sendOne(workspace, "lost");
    await restore();
    expect(await sendOne(workspace, "refused")).toBe(503);
    expect(await kindsOf(workspace)).toEqual(["state_missing"]);
    expect(await sendOne(workspace, "stored")).toBe(200);
    expect(await exported(workspace)).toEqual(["stored"]);
    expect(await reconcileAll()).toEqual([]);
  });

  it.each([["DB"], ["DB_1"], ["DB", "DB_1"]])(
    "erases an erased workspace again after a restore of %s and %s",
    async (...restored) => {
      const workspace = await newWorkspace({ database: "DB_1" });
      await sendOne(workspace, "erased");
      const restores = [];
      if (restored.includes("DB")) restores.push(await restorePoint(env.DB));
      if (restored.includes("DB_1")) restores.push(await restorePoint(env.DB_1));
      expect((await admin("DELETE", `/workspaces/${workspace.id}`)).status).toBe(200);
      for (const restore of restores) await restore();
      expect(await kindsOf(workspace)).toEqual(["erased_again"]);
      await runCron(Date.now() + 120_000);
      expect(await stateIn(env.DB_1, workspace)).toBeNull();
      expect((await admin("GET", `/workspaces/${workspace.id}`)).status).toBe(404);
      expect(await reconcileAll()).toEqual([]);
    },
  );

  it("finds where a workspace lives that has moved since the restored directory", async () => {
    const workspace = await newWorkspace({ database: "DB_2" });
    await sendOne(workspace, "moved");
    const restore = await restorePoint(env.DB);
    await startMove(workspace.id, "DB_1");
    await finishMove(await workspace.ref());
    await restore();
    expect(await kindsOf(workspace)).toEqual(["database_wrong"]);
    expect(await workspace.ref()).toMatchObject({ database: "DB_1" });
    // A write tells this isolate, whose cached key names the other database for up to 30 seconds.
    expect(await sendOne(workspace, "after")).toBe(200);
    expect(await exported(workspace)).toEqual(["moved", "after"]);
    expect(await reconcileAll()).toEqual([]);
  });

  it.each([{ also: [] }, { also: [env.DB] }])(
    "erases the copy in a database that the workspace had left",
    async ({ also }) => {
      const workspace = await newWorkspace({ database: "DB_2" });
      await sendOne(workspace, "moved");
      const restores = await Promise.all([env.DB_2, ...also].map(restorePoint));
      await startMove(workspace.id, "DB_1");
      await finishMove(await workspace.ref());
      await sendOne(workspace, "after");
      for (const restore of restores) await restore();
      expect(await kindsOf(workspace)).toContain("copy_left");
      expect(await stateIn(env.DB_2, workspace)).toBeNull();
      expect(await exported(workspace)).toEqual(["moved", "after"]);
      expect(await reconcileAll()).toEqual([]);
    },
  );

  it("lists a workspace that moved to a database since its restore, and takes it back once the other one is restored too", async () => {
    const workspace = await newWorkspace({ database: "DB_2" });
    await sendOne(workspace, "moved");
    const [source, target] = await Promise.all([restorePoint(env.DB_2), restorePoint(env.DB_1)]);
    await startMove(workspace.id, "DB_1");
    await finishMove(await workspace.ref());
    await target();
    expect(await kindsOf(workspace)).toEqual(["data_lost"]);
    expect(await sendOne(workspace, "refused")).toBe(503);
    await source();
    expect(await kindsOf(workspace)).toEqual(["database_wrong"]);
    expect(await exported(workspace)).toEqual(["moved"]);
    expect(await sendOne(workspace, "after")).toBe(200);
    expect(await reconcileAll()).toEqual([]);
  });

  it("opens no part of a copy that a restore has brought back", async () => {
    const workspace = await newWorkspace({ database: "DB_2" });
    await sendOne(workspace, "moved");
    await startMove(workspace.id, "DB_1");
    await runMove(calm, await workspace.ref(), { clock: lateClock, maxStatements: 70 });
    const restore = await restorePoint(env.DB_1);
    await finishMove(await workspace.ref());
    await restore();
    expect(await kindsOf(workspace)).toEqual(["data_lost"]);
    expect(await sendOne(workspace, "refused")).toBe(503);
    expect((await admin("DELETE", `/workspaces/${workspace.id}`)).status).toBe(200);
  });

  it("keeps the source until the target has the workspace, and takes it back when the target was restored", async () => {
    const workspace = await newWorkspace({ database: "DB_2" });
    await sendOne(workspace, "moved");
    const restore = await restorePoint(env.DB_1);
    await startMove(workspace.id, "DB_1");
    while ((await workspace.ref()).database !== "DB_1")
      await runMove(calm, await workspace.ref(), { clock: lateClock });
    await restore();
    wait(ERASE_AFTER_MS);
    await expect(runMove(calm, await workspace.ref(), { clock: lateClock })).rejects.toThrow("Reconcile");
    expect(await kindsOf(workspace)).toEqual(["move_stale", "state_closed", "database_wrong"]);
    expect(await exported(workspace)).toEqual(["moved"]);
    expect(await sendOne(workspace, "after")).toBe(200);
  });

  it("keeps an old copy until it is told to erase it, and takes it back when the other database is restored too", async () => {
    const workspace = await newWorkspace({ database: "DB_2" });
    await sendOne(workspace, "moved");
    const [source, target] = await Promise.all([restorePoint(env.DB_2), restorePoint(env.DB_1)]);
    await startMove(workspace.id, "DB_1");
    await finishMove(await workspace.ref());
    await source();
    for (let times = 0; times < 2; times += 1)
      expect(await reconcileAll({})).toEqual([{ workspace: workspace.id, kind: "copy_kept" }]);
    expect(await stateIn(env.DB_2, workspace)).toBe("moving"); // the cron works on live ones
    await target();
    expect(await kindsOf(workspace)).toEqual(["state_closed", "database_wrong"]);
    expect(await exported(workspace)).toEqual(["moved"]);
  });

  it("says when the messages of both copies were received, because the one in use may be the older one", async () => {
    const workspace = await newWorkspace({ database: "DB_2" });
    await sendOne(workspace, "moved");
    const [source, target] = await Promise.all([restorePoint(env.DB_2), restorePoint(env.DB_1)]);
    await startMove(workspace.id, "DB_1");
    await finishMove(await workspace.ref());
    await sendOne(workspace, "after");
    const late = await restorePoint(env.DB_1);
    await source();
    await target();
    expect(await kindsOf(workspace)).toEqual(["database_wrong"]);
    await late();
    const { number } = await workspace.ref();
    const newest = async (database: D1Database) =>
      new Date(
        (await database
          .prepare("SELECT max(received_at) AS at FROM messages WHERE workspace = ?")
          .bind(number)
          .first<number>("at")) ?? 0,
      ).toISOString();
    expect(await detailsOf(workspace)).toEqual([
      `Newest messages: DB_1 (copy): ${await newest(env.DB_1)}, DB_2 (in use): ${await newest(env.DB_2)}.`,
    ]);
  });

  it("says that the database of a workspace isn't bound", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    const rebind = (database: string) =>
      env.DB.prepare("UPDATE workspaces SET database = ? WHERE id = ?").bind(database, workspace.id).run();
    await rebind("DB_7");
    expect([await kindsOf(workspace), await detailsOf(workspace)]).toEqual([["not_bound"], ["DB_7."]]);
    await rebind("DB_1");
    expect(await reconcileAll()).toEqual([]);
  });

  it("uses a workspace again without its data only when it is told to", async () => {
    const restore = await restorePoint(env.DB_1);
    const workspace = await newWorkspace({ database: "DB_2" });
    await sendOne(workspace, "lost");
    await startMove(workspace.id, "DB_1");
    await finishMove(await workspace.ref());
    await restore();
    expect(await reconcileAll({ startEmpty: "ws_other" })).toEqual([{ workspace: workspace.id, kind: "data_lost" }]);
    expect(await reconcileAll({ startEmpty: workspace.id })).toEqual([
      { workspace: workspace.id, kind: "state_missing" },
    ]);
    expect(await sendOne(workspace, "again")).toBe(200);
    expect(await exported(workspace)).toEqual(["again"]);
  });

  it("ends a move that a restored directory brings back, and keeps what the target has stored", async () => {
    const workspace = await newWorkspace({ database: "DB_2" });
    await sendOne(workspace, "moved");
    await startMove(workspace.id, "DB_1");
    await runMove(calm, await workspace.ref(), { clock: lateClock, maxStatements: 20 });
    const restore = await restorePoint(env.DB);
    await finishMove(await workspace.ref());
    await restore();
    expect(await kindsOf(workspace)).toEqual(["move_stale", "database_wrong"]);
    expect((await admin("GET", `/workspaces/${workspace.id}`)).body.workspace).toMatchObject({
      database: "DB_1",
      move: null,
    });
    expect(await reconcileAll()).toEqual([]);
  });

  it("copies to no rows that a restore has brought back, and cancels such a move", async () => {
    const workspace = await newWorkspace({ database: "DB_2" });
    await sendOne(workspace, "moved");
    const restore = await restorePoint(env.DB_2);
    await startMove(workspace.id, "DB_1");
    await finishMove(await workspace.ref());
    await sendOne(workspace, "after");
    await restore();
    await startMove(workspace.id, "DB_2");
    for (let part = 0; part < 3; part += 1) await runMove(calm, await workspace.ref(), { clock: lateClock });
    expect(await workspace.ref()).toMatchObject({ database: "DB_1" });
    expect(await kindsOf(workspace)).toEqual(["move_blocked"]);
    await cancelMove(workspace.id);
    await finishMove(await workspace.ref());
    expect(await stateIn(env.DB_2, workspace)).toBeNull();
    expect(await exported(workspace)).toEqual(["moved", "after"]);
    expect(await reconcileAll()).toEqual([]);
  });

  it("starts the copy again when the target of a running move is restored", async () => {
    const workspace = await newWorkspace({ database: "DB_2" });
    await sendOne(workspace, "moved");
    await startMove(workspace.id, "DB_1");
    const restore = await restorePoint(env.DB_1);
    const { number } = await workspace.ref();
    await runMove(calm, await workspace.ref(), { clock: lateClock, maxStatements: 70 });
    const cursor = "SELECT cursor FROM moves WHERE workspace = ?";
    expect(await env.DB.prepare(cursor).bind(number).first("cursor")).not.toBeNull();
    expect(await kindsOf(workspace)).toEqual(["busy"]);
    expect(await detailsOf(workspace)).toEqual(["It moves from DB_2 to DB_1: copying."]);
    await restore();
    expect(await kindsOf(workspace)).toEqual(["move_restarted", "busy"]);
    await finishMove(await workspace.ref());
    expect(await sendOne(workspace, "after")).toBe(200);
    expect(await exported(workspace)).toEqual(["moved", "after"]);
  });

  it("withdraws an agreement again, erases what it had allowed, and lets a restored database follow the directory", async () => {
    const workspace = await newWorkspace({ database: "DB" });
    await workspace.post("/api/v1/events", capture());
    await admin("PUT", `/workspaces/${workspace.id}/dpa`, { acceptedBy: "Ann", version: "1" });
    const before = await restorePoint(env.DB);
    const json = { headers: { "Content-Type": "application/json" } };
    const attach = () =>
      workspace.post("/api/v1/identity", { accountId: "acme", traits: { company: "Acme Corp" } }, json);
    expect((await attach()).status).toBe(200);
    const attached = await restorePoint(env.DB);
    await admin("DELETE", `/workspaces/${workspace.id}/dpa`);
    await attached();
    expect(await tablesWith("Acme Corp")).not.toEqual([]);
    expect(await kindsOf(workspace)).toEqual(["agreement_withdrawn"]);
    expect(await tablesWith("Acme Corp")).toEqual([]);
    expect((await attach()).status).toBe(403);
    await admin("PUT", `/workspaces/${workspace.id}/dpa`, { acceptedBy: "Ann", version: "2" });
    expect((await attach()).status).toBe(200);
    expect(await reconcileAll()).toEqual([]);
    await before();
    expect(await kindsOf(workspace)).toEqual(["agreement_withdrawn"]);
  });

  it.each([{ restored: "DB_1" }, { restored: "DB" }] as const)(
    "compares the agreement after a restore of $restored",
    async ({ restored }) => {
      const workspace = await newWorkspace({ database: "DB_1" });
      await workspace.post("/api/v1/events", capture());
      const restore = await restorePoint(env[restored]);
      const accept = () => admin("PUT", `/workspaces/${workspace.id}/dpa`, { acceptedBy: "Ann", version: "1" });
      await accept();
      await restore();
      expect(await kindsOf(workspace)).toEqual([restored === "DB" ? "agreement_lost" : "agreement_follows"]);
      if (restored === "DB") await accept();
      await kindsOf(workspace);
      expect(await reconcileAll()).toEqual([]);
      const traits = { accountId: "acme", traits: { company: "Acme Corp" } };
      const json = { headers: { "Content-Type": "application/json" } };
      expect((await workspace.post("/api/v1/identity", traits, json)).status).toBe(200);
    },
  );

  it("§6.2 erases people again, but not those who came back after their erasure", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    const of = (userId: string, messageId: string) =>
      workspace.post("/api/v1/cdp", track({ userId, messageId, properties: { secret: messageId } }));
    for (const person of ["gone", "back", "stays"]) await of(person, `${person} 1`);
    await workspace.post("/api/v1/cdp", [{ type: "track", userId: "rejected", event: "" }]);
    const restore = await restorePoint(env.DB_1);
    const erase = (userId: string) =>
      send("DELETE", `/api/v1/users/${userId}`, undefined, { headers: workspaceHeaders(workspace) });
    for (const person of ["gone", "back", "rejected"]) expect((await erase(person)).status).toBe(200);
    await of("back", "back 2");
    // R2 lists a thousand objects at once.
    const others = Array.from({ length: 1_000 }, (_, other) => ({ externalId: `other ${other}`, user: 0 }));
    await Promise.all(others.map((other) => recordErasedPerson(env, workspace.id, other, Date.now())));
    await restore();
    expect(await kindsOf(workspace)).toEqual(["people_erased"]);
    const rows = JSON.stringify(await allRows(env.DB_1));
    expect(["gone", "back", "rejected", "stays"].filter((person) => rows.includes(`"${person}"`))).toEqual(["stays"]);
    await of("back", "back 3");
    expect(await reconcileAll()).toEqual([]);
    expect(await exported(workspace)).toEqual(["stays 1", "back 3"]);
  });

  it("reports no repair that failed, and none that was to follow", async () => {
    const workspace = await newWorkspace({ database: "DB_1", writeLimit: 9 });
    const change = "UPDATE workspaces SET database = 'DB_2', write_limit = 5 WHERE id = ?";
    await env.DB.prepare(change).bind(workspace.id).run();
    await env.WRITE_LIMITER.getByName(workspace.id).erase();
    const { body } = await admin("POST", "/reconcile", { before: null });
    expect(body["findings"]).toEqual([{ workspace: workspace.id, finding: "busy", detail: null, repaired: false }]);
    expect((await admin("DELETE", `/workspaces/${workspace.id}`)).status).toBe(200);
  });

  it("revokes keys again, and keeps a changed limit", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    const { keyId, get } = await workspace.newKey();
    const restore = await restorePoint(env.DB);
    await workspace.revoke(keyId);
    await admin("PATCH", `/workspaces/${workspace.id}`, { writeLimit: 55 });
    await restore();
    expect(await kindsOf(workspace)).toEqual(["limit_differs", "keys_revoked"]);
    const { body } = await admin("GET", `/workspaces/${workspace.id}`);
    expect(body.workspace?.writeLimit).toBe(55);
    expect((await get("/api/v1/inbox")).status).toBe(401);
    expect(await reconcileAll()).toEqual([]);
  });
});

/** Reconciling after restores of single databases: docs/restore.md. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";

import { recordErasedPerson } from "../../../src/archive/journal.ts";
import { allRows, tablesWith } from "../support/database.ts";
import { setEntry } from "../support/half-changed.ts";
import { capture, track } from "../support/messages.ts";
import { detailsOf, exportedIds, kindsOf, reconcileAll, restorePoint, sendOne, stateIn } from "../support/restores.ts";
import { runCron } from "../support/run-cron.ts";
import { admin, newWorkspace } from "../support/workspace.ts";

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
    expect(await exportedIds({ ...workspace, ...key })).toEqual(["kept"]);
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
    expect(await exportedIds(workspace)).toEqual(["stored"]);
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

  it("says that the database of a workspace isn't bound", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    await setEntry(workspace, { database: "DB_7" });
    expect([await kindsOf(workspace), await detailsOf(workspace)]).toEqual([["not_bound"], ["DB_7."]]);
    await setEntry(workspace, { database: "DB_1" });
    expect(await reconcileAll()).toEqual([]);
  });

  it("withdraws an agreement again, erases what it had allowed, and lets a restored database follow the directory", async () => {
    const workspace = await newWorkspace({ database: "DB" });
    await workspace.post("/api/v1/events", capture());
    await workspace.accept();
    const before = await restorePoint(env.DB);
    const attach = () => workspace.attach({ accountId: "acme", traits: { company: "Acme Corp" } });
    expect((await attach()).status).toBe(200);
    const attached = await restorePoint(env.DB);
    await workspace.withdraw();
    await attached();
    expect(await tablesWith("Acme Corp")).not.toEqual([]);
    expect(await kindsOf(workspace)).toEqual(["agreement_withdrawn"]);
    expect(await tablesWith("Acme Corp")).toEqual([]);
    expect((await attach()).status).toBe(403);
    await workspace.accept({ version: "2" });
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
      await workspace.accept();
      await restore();
      expect(await kindsOf(workspace)).toEqual([restored === "DB" ? "agreement_lost" : "agreement_follows"]);
      if (restored === "DB") await workspace.accept();
      await kindsOf(workspace);
      expect(await reconcileAll()).toEqual([]);
      const attached = await workspace.attach({ accountId: "acme", traits: { company: "Acme Corp" } });
      expect(attached.status).toBe(200);
    },
  );

  it("§6.2 erases people again, but not those who came back after their erasure", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    const of = (userId: string, messageId: string) =>
      workspace.post("/api/v1/cdp", track({ userId, messageId, properties: { secret: messageId } }));
    for (const person of ["gone", "back", "stays"]) await of(person, `${person} 1`);
    await workspace.post("/api/v1/cdp", [{ type: "track", userId: "rejected", event: "" }]);
    const restore = await restorePoint(env.DB_1);
    for (const person of ["gone", "back", "rejected"]) expect((await workspace.erase(person)).status).toBe(200);
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
    expect(await exportedIds(workspace)).toEqual(["stays 1", "back 3"]);
  });

  it("reports no repair that failed, and none that was to follow", async () => {
    const workspace = await newWorkspace({ database: "DB_1", writeLimit: 9 });
    await setEntry(workspace, { database: "DB_2", writeLimit: 5 });
    await env.WRITE_LIMITER.getByName(workspace.id).erase();
    const { body } = await admin("POST", "/reconcile", { before: null });
    expect(body["findings"]).toEqual([{ workspace: workspace.id, finding: "busy", detail: null, repaired: false }]);
    expect((await admin("DELETE", `/workspaces/${workspace.id}`)).status).toBe(200);
  });

  it("shows the values of a storage limit about which the directory and the limiter disagree", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    const setLimit = (storageLimitBytes: number | null) =>
      admin("PATCH", `/workspaces/${workspace.id}`, { storageLimitBytes });
    for (const [first, second, detail] of [
      [null, 5_000_000, /^The directory has no limit, and the limiter room for [1-9]\d* bytes\.$/],
      [4_000_000, null, /^The directory has 4000000 bytes, and the limiter no limit\.$/],
    ] as const) {
      await setLimit(first);
      const restore = await restorePoint(env.DB);
      await setLimit(second);
      await restore();
      expect([await kindsOf(workspace), await detailsOf(workspace)]).toEqual([
        ["storage_limit"],
        [expect.stringMatching(detail)],
      ]);
    }
    await setLimit(null);
    expect(await reconcileAll()).toEqual([]);
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

/** Nothing was restored: a reconciliation beside creations, changes and erasures finds nothing and undoes nothing. */
import { abortAllDurableObjects, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";

import { continueWorkspaceErasure, createWorkspace } from "../../../src/services/workspaces/workspace-changes.ts";
import { faultyBucket } from "../support/faulty-bucket.ts";
import { envWith, failing, limiterWith, sendWith, type Trip } from "../support/faulty-env.ts";
import { setEntry } from "../support/half-changed.ts";
import { freeLeases, holdLease } from "../support/leases.ts";
import { track } from "../support/messages.ts";
import { reconcileAll } from "../support/restores.ts";
import { runCron } from "../support/run-cron.ts";
import { admin, ADMIN_HEADERS, newWorkspace } from "../support/workspace.ts";

const withoutArchive = envWith({ ARCHIVE: faultyBucket(env.ARCHIVE, () => Promise.reject(new Error("R2 is down"))) });
const create = (changed: Env, body: object) =>
  sendWith(changed, "POST", "/admin/workspaces", body, { headers: ADMIN_HEADERS });
const isKnown = async (id: string) =>
  (await env.DB.prepare("SELECT 1 FROM workspaces WHERE id = ?").bind(id).first()) !== null;

describe("a creation", () => {
  it("§9 is left alone while it runs", async () => {
    const found: unknown[] = [];
    const trip: Trip = async (run) => {
      found.push(...(await reconcileAll()));
      return run();
    };
    const { WRITE_LIMITER } = limiterWith(trip);
    expect((await create(envWith({ WRITE_LIMITER }), { name: "A", database: "DB_1" })).status).toBe(201);
    expect([found, await reconcileAll()]).toEqual([[], []]);
  });

  it("§9 that was interrupted is left to the cron", async () => {
    const { WRITE_LIMITER } = limiterWith(failing("the limiter is down"));
    expect((await create(envWith({ WRITE_LIMITER }), { name: "A", database: "DB_1" })).status).toBe(503);
    expect(await reconcileAll()).toEqual([]);
    await runCron(Date.now() + 120_000);
    expect(await reconcileAll()).toEqual([]);
  });

  it("§9 has no id that the journal knows as erased, because the workspace would be erased again", async () => {
    const id = "ws_aaaaaaaaaaaaaaaaaaaaaaaa";
    const repeat = (changed: Env) =>
      createWorkspace(changed, { id, name: "A", writeLimit: 10, database: "DB_1" }, Date.now(), "admin");
    await expect(repeat(withoutArchive)).rejects.toThrow("The archive is unavailable.");
    await runCron(Date.now() + 120_000);
    expect(await isKnown(id)).toBe(false);
    // The limiter forgets the erasure after 15 minutes.
    await runInDurableObject(env.WRITE_LIMITER.getByName(id), (_, { storage }) => storage.deleteAll());
    await abortAllDurableObjects();
    expect(await repeat(env)).toEqual({ outcome: "erased" });
    await runCron(Date.now() + 120_000);
    expect([await isKnown(id), await reconcileAll()]).toEqual([false, []]);
  });
});

describe("an erasure", () => {
  it("§9 that waits for a run of the archive is left to the queue", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    await workspace.post("/api/v1/cdp", track());
    const { number } = await workspace.ref();
    await holdLease(env.DB_1, number, "archive_x");
    expect((await admin("DELETE", `/workspaces/${workspace.id}`)).status).toBe(202);
    expect(await reconcileAll()).toEqual([]);
    await freeLeases(env.DB_1);
    await runCron(Date.now() + 120_000);
    expect([await isKnown(workspace.id), await reconcileAll()]).toEqual([false, []]);
  });

  it("§9 §8 stops all reads and writes with a cached key, although the journal can't be written", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    await workspace.post("/api/v1/cdp", track());
    expect((await workspace.get("/api/v1/events")).status).toBe(200);
    const path = `/admin/workspaces/${workspace.id}`;
    expect((await sendWith(withoutArchive, "DELETE", path, undefined, { headers: ADMIN_HEADERS })).status).toBe(503);
    for (const read of ["/api/v1/events", "/api/v1/accounts", "/api/v1/dimensions"])
      expect([read, (await workspace.get(read)).status]).toEqual([read, 401]);
    expect((await workspace.post("/api/v1/cdp", track())).status).toBe(401);
    expect(await env.DB_1.prepare("SELECT 1 FROM messages").first()).not.toBeNull();
    await runCron(Date.now() + 120_000);
    expect([await isKnown(workspace.id), await reconcileAll()]).toEqual([false, []]);
  });

  it("§9 that the queue repeats leaves another workspace alone, which has the number by now", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    const { number, database } = await workspace.ref();
    await setEntry(workspace, { erasedAt: 1 });
    const before = await env.DB.prepare("SELECT * FROM workspaces WHERE number = ?").bind(number).first();
    await continueWorkspaceErasure(env, { id: "ws_earlier", number, database }, Date.now());
    expect(await env.DB.prepare("SELECT * FROM workspaces WHERE number = ?").bind(number).first()).toEqual(before);
  });
});

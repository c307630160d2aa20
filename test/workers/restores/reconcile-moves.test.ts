/** Reconciling workspaces that moved before, during or after a restore of single databases: docs/restore.md. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";

import { ERASE_AFTER_MS, runMove } from "../../../src/services/moves/move-workspace.ts";
import { calm, cancelMove, finishMove, lateClock, startMove, wait } from "../moves/moving.ts";
import { detailsOf, exportedIds, kindsOf, reconcileAll, restorePoint, sendOne, stateIn } from "../support/restores.ts";
import { admin, newWorkspace } from "../support/workspace.ts";

describe("§9 reconciling moves", () => {
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
    expect(await exportedIds(workspace)).toEqual(["moved", "after"]);
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
      expect(await exportedIds(workspace)).toEqual(["moved", "after"]);
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
    expect(await exportedIds(workspace)).toEqual(["moved"]);
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
    expect(await exportedIds(workspace)).toEqual(["moved"]);
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
    expect(await exportedIds(workspace)).toEqual(["moved"]);
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
    expect(await reconcileAll()).toEqual([{ workspace: workspace.id, kind: "copy_left" }]);
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
    expect(await exportedIds(workspace)).toEqual(["again"]);
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
    expect(await exportedIds(workspace)).toEqual(["moved", "after"]);
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
    expect(await exportedIds(workspace)).toEqual(["moved", "after"]);
  });
});

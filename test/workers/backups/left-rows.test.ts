/** §9.3 A workspace is restored while databases still have rows of it: docs/restore.md. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";

import { readMove } from "../../../src/db/moves/move-records.ts";
import { runMove } from "../../../src/services/moves/move-workspace.ts";
import { calm, cancelMove, finishMove, lateClock, ownRows, startMove, TASKS } from "../moves/moving.ts";
import { archiveReceived } from "../support/archive-received.ts";
import { rowCounts } from "../support/database.ts";
import { type BoundStatement, D1_BROKEN, D1_OVERLOADED, databaseWith, envWith } from "../support/faulty-env.ts";
import { setState } from "../support/half-changed.ts";
import { track } from "../support/messages.ts";
import { exportedIds, reconcileAll, restorePoint, stateIn } from "../support/restores.ts";
import { eraseAllWorkspaces, newWorkspace } from "../support/workspace.ts";
import { backUp, lose, startRestore } from "./backing-up.ts";

beforeEach(eraseAllWorkspaces);

const TO_DB_2 = { database: "DB_2" };
/** The keys of all objects. */
const objects = async () => (await env.ARCHIVE.list()).objects.map(({ key }) => key);

describe("§9.3 rows that databases still have", () => {
  it("§9.3 are never overwritten unless they are given up", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    const ref = await workspace.ref();
    await workspace.post("/api/v1/cdp", track({ messageId: "in the backup" }));
    await backUp(ref);
    await workspace.post("/api/v1/cdp", track({ messageId: "newer" }));
    const started = await startRestore(workspace.id, TO_DB_2);
    expect(started).toMatchObject({
      status: 400,
      body: { error: { issues: [{ path: "giveUp", message: expect.stringContaining("DB_1 holds the workspace") }] } },
    });
    expect(await readMove(calm, ref)).toBeNull();
    expect((await ownRows(ref, "DB_1"))["messages"]).toHaveLength(2);
    for (const database of ["DB_2", "DB_1"]) {
      expect((await startRestore(workspace.id, { database, giveUp: true })).status).toBe(202);
      await finishMove(ref);
    }
    expect((await ownRows(ref, "DB_1"))["messages"]).toEqual([expect.stringContaining("in the backup")]);
  });

  it("§9.3 are closed when they are given up, and stay until somebody erases them", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    const ref = await workspace.ref();
    await workspace.post("/api/v1/cdp", track());
    await backUp(ref);
    await startRestore(workspace.id, { ...TO_DB_2, giveUp: true });
    await runMove(calm, ref, { clock: lateClock, maxStatements: 1 });
    // Code from before backups would continue it as a move, after this message.
    expect((await readMove(calm, ref))?.cursor).toMatchObject({ log: ref.number * 2 ** 32 });
    expect((await workspace.post("/api/v1/cdp", track())).status).toBe(503);
    expect((await reconcileAll()).map(({ kind }) => kind)).toEqual(["busy"]);
    await finishMove(ref);
    expect((await workspace.post("/api/v1/cdp", track())).status).toBe(200);
    expect([await rowCounts(env.DB_1), await rowCounts(env.DB_2)]).toMatchObject([{ messages: 1 }, { messages: 2 }]);
    expect((await reconcileAll({})).map(({ kind }) => kind)).toEqual(["copy_kept"]);
    const again = await startRestore(workspace.id, { database: "DB_1" });
    expect(again.body.error?.issues?.[0]?.message).toContain("DB_1 holds the workspace, DB_2 holds the workspace");
    expect((await reconcileAll()).map(({ kind }) => kind)).toEqual(["copy_left"]);
    expect(await rowCounts(env.DB_1)).toEqual({});
  });

  it("§9.3 are open again after a cancelled restore and a reconciliation", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    const ref = await workspace.ref();
    await workspace.post("/api/v1/cdp", track());
    await backUp(ref);
    await startRestore(workspace.id, { ...TO_DB_2, giveUp: true });
    await runMove(calm, ref, { clock: lateClock });
    expect((await cancelMove(workspace.id)).status).toBe(202);
    await finishMove(ref);
    expect(await rowCounts(env.DB_2)).toEqual({});
    expect((await reconcileAll()).map(({ kind }) => kind)).toEqual(["state_closed"]);
    expect((await workspace.post("/api/v1/cdp", track())).status).toBe(200);
  });

  it("§9.3 are as before when a restore is cancelled before its first part", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    const ref = await workspace.ref();
    await workspace.post("/api/v1/cdp", track());
    await backUp(ref);
    await startRestore(workspace.id, { ...TO_DB_2, giveUp: true });
    await finishMove(ref);
    const kept = await ownRows(ref, "DB_1");
    await startRestore(workspace.id, { database: "DB_1", giveUp: true });
    await cancelMove(workspace.id);
    await finishMove(ref);
    expect(await ownRows(ref, "DB_1")).toEqual(kept);
    expect((await workspace.post("/api/v1/cdp", track())).status).toBe(200);
  });

  it("§9.3 are neither closed nor overwritten when their database comes back before the first part", async () => {
    const workspace = await newWorkspace({ database: "DB_2" });
    const ref = await workspace.ref();
    await workspace.post("/api/v1/cdp", track());
    await backUp(ref);
    await startRestore(workspace.id, { database: "DB_1", giveUp: true });
    await finishMove(ref);
    await workspace.post("/api/v1/cdp", track({ messageId: "newer" }));
    const kept = [await ownRows(ref, "DB_1"), await ownRows(ref, "DB_2")];
    for (const [lost, fault] of [
      [env.DB_1, "DB_1 holds the workspace"],
      [env.DB_2, "DB_2 holds the workspace"],
    ] as const) {
      const comeBack = [await restorePoint(env.DB_1), await restorePoint(env.DB_2)];
      for (const database of [env.DB_1, env.DB_2]) await lose(ref, database);
      expect((await startRestore(workspace.id, TO_DB_2)).status).toBe(202);
      await comeBack[lost === env.DB_1 ? 0 : 1]?.();
      for (let part = 0; part < 2; part += 1)
        await expect(runMove(calm, ref, { clock: lateClock })).rejects.toThrow(fault);
      expect((await readMove(calm, ref))?.fault).toContain("Cancel the restore");
      await cancelMove(workspace.id);
      await finishMove(ref);
      for (const restore of comeBack) await restore();
      expect([await ownRows(ref, "DB_1"), await ownRows(ref, "DB_2")]).toEqual(kept);
    }
    expect((await workspace.post("/api/v1/cdp", track())).status).toBe(200);
  });

  it("§9.3 are closed when they were given up, and their database comes back before the first part", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    const ref = await workspace.ref();
    await workspace.post("/api/v1/cdp", track());
    await backUp(ref);
    const comeBack = await restorePoint(env.DB_1);
    await lose(ref, env.DB_1);
    await startRestore(workspace.id, { ...TO_DB_2, giveUp: true });
    await comeBack();
    await finishMove(ref);
    expect([await stateIn(env.DB_1, workspace), await stateIn(env.DB_2, workspace)]).toEqual(["arriving", "live"]);
  });

  it("§9.3 are never overwritten while they are live", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    const ref = await workspace.ref();
    await workspace.post("/api/v1/cdp", track());
    await backUp(ref);
    await startRestore(workspace.id, { ...TO_DB_2, giveUp: true });
    await finishMove(ref);
    await setState(ref, "live", env.DB_1);
    const live = await ownRows(ref, "DB_1");
    await startRestore(workspace.id, { database: "DB_1", giveUp: true });
    await expect(runMove(calm, ref, { clock: lateClock })).rejects.toThrow("DB_1 holds the workspace");
    await cancelMove(workspace.id);
    await finishMove(ref);
    expect(await ownRows(ref, "DB_1")).toEqual(live);
  });

  it("§9.3 are whole after a cancellation, which is refused once files of the archive are taken", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    const ref = await workspace.ref();
    await workspace.post("/api/v1/cdp", track({ messageId: "in the backup" }));
    await backUp(ref);
    await workspace.post("/api/v1/cdp", track({ messageId: "later" }));
    await archiveReceived(workspace);
    const before = await objects();
    await startRestore(workspace.id, { ...TO_DB_2, giveUp: true });
    while (JSON.stringify(await objects()) === JSON.stringify(before)) await runMove(calm, ref, { clock: lateClock });
    expect(await cancelMove(workspace.id)).toMatchObject({ status: 409, body: { error: { code: "move_running" } } });
    await finishMove(ref);
    expect((await workspace.post("/api/v1/cdp", track({ messageId: "newest" }))).status).toBe(200);
    expect(await exportedIds(workspace)).toEqual(["in the backup", "later", "newest"]);
  });

  it("§9.3 is cancelled after all when the restored rows are lost", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    const ref = await workspace.ref();
    await workspace.post("/api/v1/cdp", track());
    await backUp(ref);
    await startRestore(workspace.id, { ...TO_DB_2, giveUp: true });
    await runMove(calm, ref, { clock: lateClock });
    await lose(ref, env.DB_2);
    await expect(runMove(calm, ref, { clock: lateClock })).rejects.toThrow("The restored rows are gone.");
    expect((await cancelMove(workspace.id)).status).toBe(202);
    await finishMove(ref);
    expect((await reconcileAll()).map(({ kind }) => kind)).toEqual(["state_closed"]);
  });

  it("§9.3 are closed before the first page if their database answers", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    const ref = await workspace.ref();
    await workspace.post("/api/v1/cdp", track());
    await backUp(ref);
    await startRestore(workspace.id, { ...TO_DB_2, giveUp: true });
    let closings = 0;
    const trip = async <T>(run: () => Promise<T>, _: number, statements: readonly BoundStatement[] = []) => {
      const isClosing = statements.some(({ sql }) => sql.includes('update "workspace_states"'));
      if (isClosing && (closings += 1) === 1) throw new Error(D1_OVERLOADED);
      return run();
    };
    const busy = envWith({ TASKS, DB_1: databaseWith(trip, env.DB_1).DB });
    await expect(runMove(busy, ref, { clock: lateClock })).rejects.toThrow("DB_1 still accepts writes");
    expect(await rowCounts(env.DB_2)).toEqual({});
    await runMove(busy, ref, { clock: lateClock });
    expect((await workspace.post("/api/v1/cdp", track())).status).toBe(503);
    await finishMove(ref);
    expect(await stateIn(env.DB_1, workspace)).toBe("arriving");
  });

  it("§9.3 may be in a database that doesn't answer: it has to be given up", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    const ref = await workspace.ref();
    await workspace.post("/api/v1/cdp", track());
    await backUp(ref);
    const down = envWith({ TASKS, DB_1: databaseWith(() => Promise.reject(new Error(D1_BROKEN)), env.DB_1).DB });
    const refused = await startRestore(workspace.id, TO_DB_2, down);
    expect(refused.body.error?.issues).toEqual([
      { path: "giveUp", message: expect.stringContaining("DB_1 doesn't answer") },
    ]);
    expect((await startRestore(workspace.id, { ...TO_DB_2, giveUp: true }, down)).status).toBe(202);
    while ((await readMove(calm, ref))?.state !== "erasing") await runMove(down, ref, { clock: lateClock });
    expect(await runMove(down, ref, { clock: lateClock })).toBe(true);
    expect((await workspace.post("/api/v1/cdp", track())).status).toBe(200);
    expect(await stateIn(env.DB_1, workspace)).toBe("live"); // until the database answers
    await finishMove(ref);
    expect(await stateIn(env.DB_1, workspace)).toBe("arriving");
    expect((await reconcileAll()).map(({ kind }) => kind)).toEqual(["copy_left"]);
  });

  it("§9.3 refuses a second restore, a move beside it, an unknown database, and a workspace without a backup", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    const ref = await workspace.ref();
    expect(await startRestore(workspace.id, TO_DB_2)).toMatchObject({
      status: 404,
      body: { error: { code: "not_found" } },
    });
    await backUp(ref);
    expect(await startRestore(workspace.id, { database: "DB_7", giveUp: true })).toMatchObject({
      status: 400,
      body: { error: { issues: [{ path: "database", message: "is not an open database" }] } },
    });
    expect(await startRestore(workspace.id, { ...TO_DB_2, date: "yesterday" })).toMatchObject({
      status: 400,
      body: { error: { issues: [{ path: "date" }] } },
    });
    await lose(ref, env.DB_1);
    expect((await startRestore(workspace.id, TO_DB_2)).status).toBe(202);
    for (const start of [startRestore, (id: string) => startMove(id, "DB_2")])
      expect(await start(workspace.id, TO_DB_2)).toMatchObject({
        status: 409,
        body: { error: { code: "move_running" } },
      });
    await finishMove(ref);
  });
});

/** §9.3 A restore or a move never fills a database to where its other workspaces notice: docs/restore.md. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";

import { FULL_SHARE } from "../../../src/core/database-size.ts";
import { readMove } from "../../../src/db/moves/move-records.ts";
import { runMove } from "../../../src/services/moves/move-workspace.ts";
import { calm, cancelMove, finishMove, lateClock, ownRows, startMove, TASKS } from "../moves/moving.ts";
import { rowCounts } from "../support/database.ts";
import { type Changes, envWith } from "../support/faulty-env.ts";
import { batch, track, tracks } from "../support/messages.ts";
import { eraseAllWorkspaces, newWorkspace } from "../support/workspace.ts";
import { backUp, listedBackups, lose, startRestore } from "./backing-up.ts";

beforeEach(eraseAllWorkspaces);

const TO_DB_2 = { database: "DB_2" };
const sizeOf = async (database: D1Database) => (await database.prepare("SELECT 1").run()).meta.size_after;
/** A deployment in which a database may have this many bytes more before it is full. */
const withRoom = async (database: D1Database, bytes: number, changes: Changes = {}) => {
  const max = Math.ceil(((await sizeOf(database)) + bytes) / FULL_SHARE);
  return envWith({ TASKS, MAX_DATABASE_BYTES: String(max), ...changes });
};

async function backedUp() {
  const workspace = await newWorkspace({ database: "DB_1", writeLimit: 10_000 });
  const pad = "the same text ".repeat(50);
  const messages = tracks(400).map((message) => ({ ...message, properties: { pad } }));
  for (let from = 0; from < messages.length; from += 200)
    expect((await workspace.post("/api/v1/cdp", batch(messages.slice(from, from + 200)))).status).toBe(200);
  const ref = await workspace.ref();
  await backUp(ref);
  const [backup] = await listedBackups(workspace);
  return { workspace, ref, bytes: backup?.bytes ?? 0 };
}

describe("§9.3 room", () => {
  it("§9.3 is what a backup takes in a database, however well its files are compressed", async () => {
    const { workspace, ref, bytes } = await backedUp();
    await lose(ref, env.DB_1);
    const before = await sizeOf(env.DB_2);
    await startRestore(workspace.id, TO_DB_2);
    await finishMove(ref);
    const grown = (await sizeOf(env.DB_2)) - before;
    expect([bytes > 0.8 * grown, bytes < 1.2 * grown, grown > 300_000]).toEqual([true, true, true]);
  });

  it("§9.3 is needed for a restore: nothing is written without it", async () => {
    const { workspace, ref, bytes } = await backedUp();
    await lose(ref, env.DB_1);
    const scarce = await withRoom(env.DB_2, bytes - 1);
    const message = `has room for ${bytes - 1} bytes, and the backup needs ${bytes}`;
    expect(await startRestore(workspace.id, TO_DB_2, scarce)).toMatchObject({
      status: 400,
      body: { error: { issues: [{ path: "database", message }] } },
    });
    expect(await readMove(calm, ref)).toBeNull();
    expect(await rowCounts(env.DB_2)).toEqual({});
    expect((await startRestore(workspace.id, TO_DB_2, await withRoom(env.DB_2, bytes))).status).toBe(202);
    await finishMove(ref);
  });

  it("§9.3 is checked before each file, and a restore goes on when there is room again", async () => {
    const { workspace, ref } = await backedUp();
    await lose(ref, env.DB_1);
    await startRestore(workspace.id, TO_DB_2);
    const full = await withRoom(env.DB_2, 0);
    await expect(runMove(full, ref, { clock: lateClock })).rejects.toThrow("DB_2 is full");
    expect((await readMove(calm, ref))?.fault).toContain("DB_2 is full");
    expect((await ownRows(ref, "DB_2"))["messages"]).toBeUndefined();
    await finishMove(ref);
    expect((await ownRows(ref, "DB_2"))["messages"]).toHaveLength(400);
  });

  it("§9.1 is checked before each page of a move, which leaves the workspace in use at the source", async () => {
    const { workspace, ref } = await backedUp();
    await startMove(workspace.id, "DB_2");
    const full = await withRoom(env.DB_2, 0);
    await expect(runMove(full, ref, { clock: lateClock })).rejects.toThrow("DB_2 is full");
    expect((await workspace.post("/api/v1/cdp", track())).status).toBe(200);
    await cancelMove(workspace.id);
    await finishMove(ref);
    expect(await rowCounts(env.DB_2)).toEqual({});
  });
});

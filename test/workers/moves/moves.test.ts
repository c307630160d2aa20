/** docs/wire/moves.md §9.1: a workspace moves to another database. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";

import { listMoves, readMove } from "../../../src/db/moves/move-records.ts";
import { ERASE_AFTER_MS, runMove } from "../../../src/services/moves/move-workspace.ts";
import { newIdentifiedWorkspace } from "../identity/identified-workspace.ts";
import { rowCounts } from "../support/database.ts";
import { fullWorkspace } from "../support/full-workspace.ts";
import { damageUsers } from "../support/half-changed.ts";
import { runCron } from "../support/run-cron.ts";
import { admin, eraseAllWorkspaces, newWorkspace } from "../support/workspace.ts";
import {
  before,
  calm,
  cancelMove,
  CAPTURE,
  crash,
  finishMove,
  lateClock,
  ownRows,
  startMove,
  STOP_WRITES,
  SWITCH,
  wait,
} from "./moving.ts";

beforeEach(eraseAllWorkspaces);

const INBOX = "/api/v1/inbox?status=dismissed";

const track = (messageId: string) => ({ type: "track", messageId, userId: "u1", event: "a" });

const changeCopy = () => damageUsers("u1", env.DB_1);

describe("§9.1 a move", () => {
  it("§9.1 keeps every row, and leaves nothing at the source", async () => {
    const workspace = await fullWorkspace();
    const ref = await workspace.ref();
    // The next run starts its comparison again.
    const { comparisons: _, ...rows } = await ownRows(ref, "DB");
    expect(Object.keys(rows).length).toBeGreaterThan(20);
    const dismissed = (await workspace.get(INBOX)).body;
    expect(await startMove(workspace.id, "DB_1")).toMatchObject({ status: 202, body: { ok: true } });
    const moving = await admin("GET", `/workspaces/${workspace.id}`);
    expect(moving.body.workspace).toMatchObject({
      database: "DB",
      move: { from: "DB", to: "DB_1", state: "copying", rowsCopied: 0, startedAt: expect.any(String) },
    });
    expect(await runMove(calm, ref, { clock: lateClock })).toBe(true);
    // The erasure of a person starts again, because the copy may have been made before.
    const restarted = { userErasures: [expect.stringContaining("next_seq")] };
    expect(await ownRows(ref, "DB_1")).toEqual({ ...rows, ...restarted });
    const erasing = await admin("GET", `/workspaces/${workspace.id}`);
    expect(erasing.body.workspace).toMatchObject({ database: "DB_1", move: { state: "erasing" } });
    await finishMove(ref);
    expect(await ownRows(ref, "DB")).toEqual({});
    expect(await rowCounts()).not.toHaveProperty("leases");
    const { body } = await admin("GET", `/workspaces/${workspace.id}`);
    expect(body.workspace).toMatchObject({ database: "DB_1", move: null });
    await admin("PATCH", `/workspaces/${workspace.id}`, { writeLimit: 1_000 });
    // The first write tells the edge, which has cached the key, where the workspace is now.
    expect((await workspace.post("/api/v1/events", CAPTURE)).status).toBe(200);
    expect((await workspace.get(INBOX)).body).toEqual(dismissed);
    expect((await admin("DELETE", `/workspaces/${workspace.id}`)).status).toBe(200);
    expect([await rowCounts(), await rowCounts(env.DB_1)]).toEqual([{}, {}]);
  });

  it("§9.1 is continued by the cron, and erases the source once no edge reads there", async () => {
    const workspace = await newWorkspace();
    await workspace.post("/api/v1/events", CAPTURE);
    await startMove(workspace.id, "DB_1");
    expect((await runCron(Date.now())).failed).toEqual([]);
    expect(await rowCounts()).toMatchObject({ messages: 1, moves: 1 });
    expect(await env.WRITE_LIMITER.getByName(workspace.id).consume({ keyId: "k", cost: 1 })).toMatchObject({
      database: "DB_1",
    });
    wait(ERASE_AFTER_MS);
    await runMove(calm, await workspace.ref(), { clock: lateClock });
    expect(await rowCounts()).toEqual({ api_keys: 1, workspaces: 1 });
  });

  it("§9.1 copies in as many parts as its budget takes", async () => {
    const workspace = await fullWorkspace();
    const ref = await workspace.ref();
    const { userErasures: _, comparisons: __, ...rows } = await ownRows(ref, "DB");
    await startMove(workspace.id, "DB_1");
    let parts = 0;
    while ((await readMove(calm, ref))?.state === "copying") {
      await runMove(calm, ref, { clock: lateClock, maxStatements: 60 });
      parts += 1;
    }
    expect(parts).toBeGreaterThan(3);
    expect(await ownRows(ref, "DB_1")).toMatchObject(rows);
    await finishMove(ref);
  });

  it("§9.1 refuses the workspace's own database, an unknown one, and a second move", async () => {
    const { id } = await newWorkspace();
    for (const [database, message] of [
      ["DB", "already holds the workspace"],
      ["DB_7", "is not an open database"],
    ] as const) {
      expect(await startMove(id, database)).toMatchObject({
        status: 400,
        body: { error: { code: "invalid_request", issues: [{ path: "database", message }] } },
      });
    }
    expect((await startMove(id, "DB_1")).status).toBe(202);
    expect(await startMove(id, "DB_1")).toMatchObject({ status: 409, body: { error: { code: "move_running" } } });
    expect((await startMove("ws_unknown", "DB_1")).status).toBe(404);
  });
});

describe("§9.1 the final step", () => {
  it("§9.1 refuses writes with 503 and Retry-After, charges nothing, and loses nothing", async () => {
    const workspace = await newIdentifiedWorkspace();
    const { id, erase, attach } = workspace;
    await startMove(id, "DB_1");
    const answers: unknown[] = [];
    const note = async (sent: Promise<{ status: number; headers: Headers }>) => {
      const { status, headers } = await sent;
      answers.push([status, headers.get("Retry-After")]);
    };
    let reads = 0;
    const usedDuringIt = before(SWITCH, async () => {
      await note(workspace.post("/api/v1/events", CAPTURE));
      await note(workspace.post("/api/v1/cdp", { type: "track", event: null }));
      await note(attach({ userId: "u1", traits: { name: "Jo" } }));
      await note(erase("u1"));
      await note(admin("POST", `/workspaces/${id}/rebuild`));
      reads = (await workspace.get("/api/v1/users/u1")).status;
    });
    await runMove(usedDuringIt, await workspace.ref(), { clock: lateClock });
    expect(answers).toEqual(Array.from({ length: 5 }, () => [503, "1"]));
    expect(reads).toBe(200);
    expect(await env.WRITE_LIMITER.getByName(id).usage()).toMatchObject({ inUse: 1 });
    expect((await readMove(calm, await workspace.ref()))?.state).toBe("erasing");
    expect(await rowCounts(env.DB_1)).toMatchObject({ messages: 1 });
    expect((await workspace.post("/api/v1/events", CAPTURE)).status).toBe(200);
    expect([await rowCounts(), await rowCounts(env.DB_1)]).toMatchObject([{ messages: 1 }, { messages: 2 }]);
    await finishMove(await workspace.ref());
  });

  it("§9.1 retries a write in flight on the target, also before the limiter knows it", async () => {
    const workspace = await newWorkspace();
    await workspace.post("/api/v1/events", CAPTURE);
    await startMove(workspace.id, "DB_1");
    await runMove(calm, await workspace.ref(), { clock: lateClock });
    await env.WRITE_LIMITER.getByName(workspace.id).configure({ database: "DB" });
    const body = { batch: [{ type: "track", messageId: "m1", userId: "u2", event: "a" }] };
    expect((await workspace.post("/api/v1/cdp", body)).body).toMatchObject({ stored: 1, duplicates: 0 });
    expect(await rowCounts(env.DB_1)).toMatchObject({ messages: 2 });
    await finishMove(await workspace.ref());
  });

  it("§4.4 never takes a new message for a duplicate, because the last of its batch is one", async () => {
    const workspace = await newWorkspace();
    await workspace.post("/api/v1/cdp", track("known"));
    await startMove(workspace.id, "DB_1");
    let refused: unknown;
    const usedDuringIt = before(SWITCH, async () => {
      refused = (await workspace.post("/api/v1/cdp", { batch: [track("new"), track("known")] })).status;
    });
    await runMove(usedDuringIt, await workspace.ref(), { clock: lateClock });
    expect(refused).toBe(503);
    await finishMove(await workspace.ref());
  });

  it("§9.1 opens the source again when it fails, and the next part completes the move", async () => {
    const workspace = await newWorkspace();
    await workspace.post("/api/v1/events", CAPTURE);
    const ref = await workspace.ref();
    await startMove(workspace.id, "DB_1");
    const failing = before(SWITCH, () => Promise.reject(new Error("D1_ERROR: broken")));
    await expect(runMove(failing, ref, { clock: lateClock })).rejects.toThrow("broken");
    expect((await workspace.post("/api/v1/events", CAPTURE)).status).toBe(200);
    const { body } = await admin("GET", `/workspaces/${workspace.id}`);
    expect(body.workspace).toMatchObject({
      database: "DB",
      move: { state: "copying", fault: "Error: D1_ERROR: broken" },
    });
    await finishMove(ref);
    expect(await rowCounts(env.DB_1)).toMatchObject({ messages: 2 });
  });

  it("§9.1 opens the source when it is cancelled after a crash and a part that did not get the lease", async () => {
    const workspace = await newWorkspace();
    const ref = await workspace.ref();
    await startMove(workspace.id, "DB_1");
    await expect(runMove(before(SWITCH, crash, true), ref, { clock: lateClock })).rejects.toThrow("a crash");
    expect((await workspace.post("/api/v1/events", CAPTURE)).status).toBe(503);
    wait(60_000);
    await expect(runMove(before("INSERT INTO leases", crash), ref, { clock: lateClock })).rejects.toThrow("a crash");
    expect((await cancelMove(workspace.id)).status).toBe(202);
    await finishMove(ref);
    expect((await workspace.post("/api/v1/events", CAPTURE)).status).toBe(200);
  });

  it("§9.1 keeps the source and deletes the copy when the copy differs", async () => {
    const workspace = await newIdentifiedWorkspace();
    await workspace.post("/api/v1/events", CAPTURE);
    await workspace.post("/api/v1/events", { ...CAPTURE, userId: "u2" });
    const ref = await workspace.ref();
    await startMove(workspace.id, "DB_1");
    const changing = before(STOP_WRITES, changeCopy);
    expect(await runMove(changing, ref, { clock: lateClock })).toBe(false);
    // The copy may still have the person.
    expect((await workspace.erase("u2")).status).toBe(202);
    expect(await listMoves(calm)).toMatchObject([{ isCopied: true }]);
    expect(await runMove(calm, ref, { clock: lateClock })).toBe(true);
    expect(await rowCounts(env.DB_1)).toEqual({});
    expect((await admin("POST", "/recompute")).body).toMatchObject({ eventsFolded: 3 });
    await runCron(Date.now());
    expect(await rowCounts()).not.toHaveProperty("user_erasures");
    expect((await workspace.erase("u1")).status).toBe(200);
    const { body } = await admin("GET", `/workspaces/${workspace.id}`);
    expect(body.workspace).toMatchObject({
      database: "DB",
      move: { state: "failed", fault: "CopyDiffers: The copy of users differs from the source." },
    });
    expect((await workspace.post("/api/v1/events", CAPTURE)).status).toBe(200);
    expect(await listMoves(calm)).toEqual([]);
    expect((await cancelMove(workspace.id)).status).toBe(202);
    await finishMove(ref);
    expect(await rowCounts(env.DB_1)).toEqual({});
  });
});

it("§9.1 a crash after the copy differed keeps no lease: the cron deletes the copy", async () => {
  const workspace = await newWorkspace();
  await workspace.post("/api/v1/events", CAPTURE);
  const ref = await workspace.ref();
  await startMove(workspace.id, "DB_1");
  await runMove(before(STOP_WRITES, changeCopy), ref, { clock: lateClock });
  await expect(runMove(before("DELETE FROM messages", crash, true), ref, { clock: lateClock })).rejects.toThrow(
    "a crash",
  );
  expect((await readMove(calm, ref))?.fault).toBe("CopyDiffers: The copy of users differs from the source.");
  wait(60_000);
  await runMove(calm, ref, { clock: lateClock });
  expect(await rowCounts(env.DB_1)).toEqual({});
  expect((await admin("POST", "/recompute")).body).toMatchObject({ eventsFolded: 1 });
});

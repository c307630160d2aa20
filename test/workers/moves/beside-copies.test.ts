/** docs/wire/moves.md §9.1: recomputes, erasures and cancellations while a workspace is copied. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";

import { readMove } from "../../../src/db/moves/move-records.ts";
import { MAX_PAUSE_MS } from "../../../src/db/moves/open-and-close.ts";
import { runMove } from "../../../src/services/moves/move-workspace.ts";
import { elsewhere } from "../databases/second-database.ts";
import { newIdentifiedWorkspace } from "../identity/identified-workspace.ts";
import { rowCounts } from "../support/database.ts";
import { expireLeases } from "../support/leases.ts";
import { runCron } from "../support/run-cron.ts";
import { admin, eraseAllWorkspaces, newWorkspace } from "../support/workspace.ts";
import {
  before,
  calm,
  cancelMove,
  CAPTURE,
  finishMove,
  lateClock,
  ownRows,
  startMove,
  STOP_WRITES,
  SWITCH,
  wait,
} from "./moving.ts";

beforeEach(eraseAllWorkspaces);

describe("§9.1 while a workspace is copied", () => {
  it("§9.1 a recompute finds its lease taken, and the cron leaves it out", async () => {
    const workspace = await newWorkspace();
    await workspace.post("/api/v1/events", CAPTURE);
    await startMove(workspace.id, "DB_1");
    let skipped: unknown;
    const recomputing = before(STOP_WRITES, async () => {
      skipped = (await admin("POST", "/recompute")).body;
    });
    await runMove(recomputing, await workspace.ref(), { clock: lateClock });
    expect(skipped).toMatchObject({ skipped: "running" });
    await finishMove(await workspace.ref());
    expect((await admin("POST", "/recompute")).body).toMatchObject({ eventsFolded: 1 });
  });

  it("§9.1 starts again after a recompute that took over an expired lease", async () => {
    const workspace = await newWorkspace();
    const ref = await workspace.ref();
    await workspace.post("/api/v1/events", CAPTURE);
    await startMove(workspace.id, "DB_1");
    await runMove(calm, ref, { clock: lateClock, maxStatements: 70 });
    expect((await readMove(calm, ref))?.cursor).not.toBeNull();
    await expireLeases();
    wait(MAX_PAUSE_MS);
    expect((await admin("POST", "/recompute")).body).toMatchObject({ eventsFolded: 1 });
    await finishMove(ref);
    expect(await rowCounts(env.DB_1)).toMatchObject({ rollups: 1, recompute_runs: 1 });
  });

  it("§6.2 the erasure of a person answers 202, and reaches the copy", async () => {
    const workspace = await newIdentifiedWorkspace();
    const ref = await workspace.ref();
    const sent = { type: "track", messageId: "m1", userId: "u1", event: "a", properties: { note: "secretive" } };
    await workspace.post("/api/v1/cdp", [sent, { type: "identify", userId: "u1", traits: { role: "secretive" } }]);
    await workspace.attach({ userId: "u1", traits: { name: "Jo Secretive" } });
    await startMove(workspace.id, "DB_1");
    let answer: unknown;
    const erasing = before(STOP_WRITES, async () => {
      answer = (await workspace.erase("u1")).status;
    });
    await runMove(erasing, ref, { clock: lateClock });
    expect(answer).toBe(202);
    await runCron(Date.now());
    await finishMove(ref);
    const left = Object.entries(await ownRows(ref, "DB_1")).filter(([, rows]) => /secretive/i.test(rows.join()));
    expect(left).toEqual([]);
    // A write looks the key up again, as every edge does before the source is erased.
    await workspace.post("/api/v1/events", { ...CAPTURE, userId: "u2" });
    expect((await workspace.get("/api/v1/users/u1")).status).toBe(404);
  });

  it("§9.1 a cancelled move deletes the copy, and leaves the workspace as it was", async () => {
    const workspace = await newWorkspace();
    const ref = await workspace.ref();
    await workspace.post("/api/v1/events", CAPTURE);
    const rows = await ownRows(ref, "DB");
    const cancel = () => cancelMove(workspace.id);
    expect((await cancel()).status).toBe(404);
    await startMove(workspace.id, "DB_1");
    let cancelled: unknown;
    const interrupted = before("INTO users", async () => {
      cancelled = (await cancel()).status;
    });
    expect(await runMove(interrupted, ref, { clock: lateClock })).toBe(true);
    expect(cancelled).toBe(202);
    await finishMove(ref);
    expect([await ownRows(ref, "DB"), await rowCounts(env.DB_1)]).toEqual([rows, {}]);
    expect((await workspace.post("/api/v1/events", CAPTURE)).status).toBe(200);
  });

  it("§9.1 can't be cancelled once the final step has begun", async () => {
    const workspace = await newWorkspace();
    await startMove(workspace.id, "DB_1");
    await runMove(calm, await workspace.ref(), { clock: lateClock });
    expect(await cancelMove(workspace.id)).toMatchObject({
      status: 409,
      body: { error: { code: "move_running" } },
    });
    await finishMove(await workspace.ref());
  });

  it.each(["INTO users", STOP_WRITES, SWITCH])(
    "§9 an erasure before %s leaves nothing in either database",
    async (text) => {
      const workspace = await elsewhere();
      const ref = await workspace.ref();
      await workspace.post("/api/v1/events", CAPTURE);
      await startMove(workspace.id, "DB");
      const erased = before(text, () => admin("DELETE", `/workspaces/${workspace.id}`));
      await runMove(erased, ref, { clock: lateClock }).catch(() => undefined);
      expect([await rowCounts(), await rowCounts(env.DB_1)]).toEqual([{}, {}]);
    },
  );
});

/** A reconciliation may stop at any operation, and is bounded: docs/decisions/0035-restores.md. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import * as z from "zod";

import { finishMove, startMove } from "../moves/moving.ts";
import { archiveReceived } from "../support/archive-received.ts";
import { faultyBucket } from "../support/faulty-bucket.ts";
import { databaseWith, envWith, limiterWith, sendWith, type Trip } from "../support/faulty-env.ts";
import { freeLeases } from "../support/leases.ts";
import { tracks } from "../support/messages.ts";
import { exportedIds, reconcileAll, restorePoint } from "../support/restores.ts";
import { runCron } from "../support/run-cron.ts";
import { send } from "../support/send.ts";
import { admin, ADMIN_HEADERS, newWorkspace, type TestWorkspace } from "../support/workspace.ts";

const Page = z.object({ findings: z.array(z.unknown()), next: z.number().nullable() });

const post = (workspace: TestWorkspace, prefix: string) => workspace.post("/api/v1/cdp", { batch: tracks(3, prefix) });
const made = () => newWorkspace({ database: "DB_1" });

/** Restores all databases to a time before a workspace was created, erased, moved and archived, and a person erased. */
async function restored() {
  const [erased, moved, archived] = [await made(), await made(), await made()];
  for (const workspace of [erased, moved, archived]) await post(workspace, "kept");
  await archived.post("/api/v1/cdp", [{ type: "track", userId: "gone", event: "x", messageId: "gone" }]);
  const restores = await Promise.all([env.DB, env.DB_1].map(restorePoint));
  await post(archived, "lost");
  await archiveReceived(archived);
  const headers = { Authorization: `Bearer ${archived.key}` };
  expect((await send("DELETE", "/api/v1/users/gone", undefined, { headers })).status).toBe(200);
  await startMove(moved.id, "DB_2");
  await finishMove(await moved.ref());
  expect((await admin("DELETE", `/workspaces/${erased.id}`)).status).toBe(200);
  const later = await made();
  for (const restore of restores) await restore();
  return { erased, moved, archived, later };
}

describe("§9 a reconciliation that stops", () => {
  it("may be repeated, whichever operation fails", async () => {
    const { erased, moved, archived, later } = await restored();
    let [failures, before]: [number, number | null] = [0, null];
    for (let [calls, isDone] = [1, false]; !isDone; calls += 1) {
      if (calls === 100) throw new Error("the reconciliation does not end");
      let operations = 0;
      // Later calls fail later, until one of them ends.
      const trip: Trip = (run) => ((operations += 1) === 2 * calls ? Promise.reject(new Error("it stops")) : run());
      const { WRITE_LIMITER } = limiterWith(trip);
      const [DB, DB_1] = [databaseWith(trip).DB, databaseWith(trip, env.DB_1).DB];
      const broken = envWith({ DB, DB_1, WRITE_LIMITER, ARCHIVE: faultyBucket(env.ARCHIVE, trip) });
      const { status, text } = await sendWith(
        broken,
        "POST",
        "/admin/reconcile",
        { before, eraseCopies: true },
        { headers: ADMIN_HEADERS },
      );
      // A run that failed keeps the lease until it expires.
      await freeLeases(env.DB_1);
      if (status === 200) {
        const { findings, next } = Page.parse(JSON.parse(text));
        isDone = findings.length === 0 && next === null;
        before = next;
      } else failures += 1;
    }
    expect(failures).toBeGreaterThan(10);
    await runCron(Date.now() + 120_000);
    expect(await reconcileAll()).toEqual([]);
    expect((await admin("GET", `/workspaces/${erased.id}`)).status).toBe(404);
    expect((await admin("GET", `/workspaces/${later.id}`)).status).toBe(200);
    await moved.post("/api/v1/cdp", { batch: tracks(1, "after") }); // tells this isolate where it is
    expect((await exportedIds(moved)).toSorted()).toEqual(["after0", "kept0", "kept1", "kept2"]);
    expect((await exportedIds(archived)).toSorted()).toEqual(["kept0", "kept1", "kept2", "lost0", "lost1", "lost2"]);
  });

  it("reads 20 workspaces with a bounded number of statements and calls", async () => {
    for (let count = 0; count < 25; count += 1) await newWorkspace({ database: "DB_1" });
    await reconcileAll();
    let [statements, calls] = [0, 0];
    const counted: Trip = (run, _number, sent) => {
      statements += sent?.length ?? 0;
      calls += sent === undefined ? 1 : 0;
      return run();
    };
    const [DB, DB_1, DB_2] = [
      databaseWith(counted).DB,
      databaseWith(counted, env.DB_1).DB,
      databaseWith(counted, env.DB_2).DB,
    ];
    const { WRITE_LIMITER } = limiterWith(counted);
    const metered = envWith({ DB, DB_1, DB_2, WRITE_LIMITER, ARCHIVE: faultyBucket(env.ARCHIVE, counted) });
    const { text } = await sendWith(metered, "POST", "/admin/reconcile", { before: null }, { headers: ADMIN_HEADERS });
    expect(Page.parse(JSON.parse(text))).toMatchObject({ findings: [], next: expect.any(Number) });
    // One for each database, four for the directory, two for the audit log, two for each manifest; the journal, the limiter and the files of each.
    expect(statements).toBe(3 + 4 + 2 + 2 * 20);
    expect(calls).toBe(1 + 3 * 20);
  });
});

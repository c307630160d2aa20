/** §9.3 A workspace is restored from its backup: docs/restore.md. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";

import { DAY_MS } from "../../../src/core/durations.ts";
import { readMove } from "../../../src/db/moves/move-records.ts";
import { runMove } from "../../../src/services/moves/move-workspace.ts";
import { recompute } from "../../../src/services/recompute/recompute-workspaces.ts";
import { requestRebuild } from "../../../src/db/recompute/rebuild-sql.ts";
import { calm, cancelMove, finishMove, lateClock, ownRows, TASKS, wait } from "../moves/moving.ts";
import { archiveReceived } from "../support/archive-received.ts";
import { rowCounts } from "../support/database.ts";
import { faultyBucket } from "../support/faulty-bucket.ts";
import { D1_BROKEN, databaseWith, envWith, limiterWith } from "../support/faulty-env.ts";
import { fullWorkspace } from "../support/full-workspace.ts";
import { track } from "../support/messages.ts";
import { reconcileAll } from "../support/restores.ts";
import { runCron } from "../support/run-cron.ts";
import { admin, eraseAllWorkspaces, newWorkspace, type TestWorkspace } from "../support/workspace.ts";
import { backUp, backupNames, fileOf, lose, startRestore } from "./backing-up.ts";
import { places, placesUpTo } from "../../thorough.ts";

beforeEach(eraseAllWorkspaces);

const CAPTURE = { accountId: "acme", userId: "u1", event: "report.exported" };
const TO_DB_2 = { database: "DB_2" };
const CRASH_MS = 31_000;

const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const EXPORT = `/api/v1/export?from=${dateOf(Date.now() - 90 * DAY_MS)}&to=${dateOf(Date.now())}`;

/** What people and programs read. */
async function answersOf({ get, post }: TestWorkspace) {
  const json = { headers: { "Content-Type": "application/json" } };
  const question = "Which accounts have been active in the last 90 days?";
  const asked = await post("/api/v1/ask", { question }, json);
  expect(asked.status).toBe(200);
  const [accounts, inbox] = await Promise.all(["/api/v1/accounts", "/api/v1/inbox"].map((path) => get(path)));
  const items = accounts === undefined ? 0 : z.array(z.unknown()).parse(inbox?.body["items"]).length;
  const exported = (await get(EXPORT)).text;
  return { exported, accounts: accounts?.body, inbox: inbox?.body, items, answer: asked.body["answer"] };
}

/** Leaves out what a restore changes, so that nothing is told twice: test/workers/notify/restored.test.ts. */
function untold({ notifications = [], destinations = [], folds = [], ...rows }: Record<string, string[]>) {
  return {
    ...rows,
    notifications: notifications.map((row) => row.replace(/"next_attempt_at":(null|\d+)/, "")),
    destinations: destinations.map((row) => row.replaceAll(/"(disabled|digest)_\w+":(null|\d+|"\w+")/g, "")),
    folds: folds.map((row) => row.replace(/"quiet_through":(null|\d+)/, "")),
  };
}

describe("§9.3 a restore", () => {
  it("§9.3 brings every row back into another database, and keys keep working", async () => {
    const workspace = await fullWorkspace();
    const ref = await workspace.ref();
    await backUp(ref);
    // The next run starts its comparison again.
    const { comparisons: _, ...rows } = await ownRows(ref, "DB");
    await lose(ref, env.DB);
    expect(await startRestore(workspace.id, { database: "DB_1" })).toMatchObject({ status: 202, body: { ok: true } });
    const { body } = await admin("GET", `/workspaces/${workspace.id}`);
    expect(body.workspace).toMatchObject({
      move: { from: "DB", to: "DB_1", state: "copying", backup: expect.any(String) },
    });
    await finishMove(ref);
    expect(untold(await ownRows(ref, "DB_1"))).toEqual(untold(rows));
    expect((await admin("GET", `/workspaces/${workspace.id}`)).body.workspace).toMatchObject({
      database: "DB_1",
      move: null,
    });
    await admin("PATCH", `/workspaces/${workspace.id}`, { writeLimit: 1_000 });
    expect((await workspace.post("/api/v1/events", CAPTURE)).status).toBe(200);
    expect(await rowCounts()).not.toHaveProperty("messages");
    expect(await reconcileAll()).toEqual([]);
  });

  it("§9.3 brings messages of the log and of the archive back, and all answers, also after a rebuild", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    await workspace.post("/api/v1/cdp", [
      track({ messageId: "old", properties: { path: "/a" } }),
      { type: "group", messageId: "group", userId: "u1", groupId: "acme", traits: { plan: "pro" } },
    ]);
    await archiveReceived(workspace);
    await workspace.post("/api/v1/cdp", track({ messageId: "new" }));
    // The account falls silent, so that there are items.
    const now = Date.now() + 10 * DAY_MS;
    await recompute(env, { now, trigger: "admin", clock: Date.now, budgetMs: 60_000 });
    const before = await answersOf(workspace);
    expect(before.items).toBeGreaterThan(0);
    const ref = await workspace.ref();
    await backUp(ref);
    await lose(ref, env.DB_1);
    expect((await startRestore(workspace.id, TO_DB_2)).status).toBe(202);
    await finishMove(ref);
    await workspace.post("/api/v1/cdp", track({ messageId: "new" })); // a duplicate, which tells the edge the database
    expect(await answersOf(workspace)).toEqual(before);
    expect(before.exported.match(/"message_id":"\w+"/g)).toHaveLength(3);
    await requestRebuild(env, await workspace.ref());
    await runCron(now);
    expect(await answersOf(workspace)).toEqual(before);
  });

  it("§9.3 stores messages once that were archived after the backup, whether or not the backup has them", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    await workspace.post("/api/v1/cdp", track({ messageId: "in the backup" }));
    const ref = await workspace.ref();
    await backUp(ref);
    await workspace.post("/api/v1/cdp", track({ messageId: "later" }));
    await archiveReceived(workspace);
    await lose(ref, env.DB_1);
    await startRestore(workspace.id, TO_DB_2);
    await finishMove(ref);
    await workspace.post("/api/v1/cdp", track({ messageId: "newest" }));
    const { text } = await workspace.get(EXPORT);
    expect([...text.matchAll(/"message_id":"([^"]+)"/g)].map(([, id]) => id)).toEqual([
      "in the backup",
      "later",
      "newest",
    ]);
    expect(await reconcileAll()).toEqual([]);
  });

  it("§9.3 refuses the workspace's own database, whose rows cached keys would read throughout", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    const ref = await workspace.ref();
    await workspace.post("/api/v1/cdp", track());
    await backUp(ref);
    const refused = {
      status: 400,
      body: { error: { issues: [{ path: "database", message: expect.stringContaining("own database") }] } },
    };
    expect(await startRestore(workspace.id, { database: "DB_1", giveUp: true })).toMatchObject(refused);
    await lose(ref, env.DB_1);
    expect(await startRestore(workspace.id, { database: "DB_1" })).toMatchObject(refused);
    expect(await readMove(calm, ref)).toBeNull();
  });

  it("§9.3 takes the last backup of the day that it is told", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    const ref = await workspace.ref();
    const now = Date.now();
    for (const ago of [3, 2, 1]) {
      await workspace.post("/api/v1/cdp", track({ messageId: `${ago} days ago` }));
      await backUp(ref, now - ago * DAY_MS);
    }
    const names = await backupNames(ref);
    await lose(ref, env.DB_1);
    const unknown = await startRestore(workspace.id, { ...TO_DB_2, date: dateOf(now - 9 * DAY_MS) });
    expect(unknown).toMatchObject({
      status: 404,
      body: { error: { message: expect.stringContaining(names[2] ?? "") } },
    });
    const date = dateOf(now - 2 * DAY_MS);
    expect((await startRestore(workspace.id, { ...TO_DB_2, date })).body).toEqual({ ok: true, backup: names[1] });
    await finishMove(ref);
    expect((await ownRows(ref, "DB_2"))["messages"]).toHaveLength(2);
  });

  it("§9.3 fills columns that an older backup lacks with their defaults, and names a file of no table", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    const ref = await workspace.ref();
    await workspace.post("/api/v1/events", { ...CAPTURE, accountPlan: "pro" });
    await backUp(ref);
    const file = await fileOf(ref, "accounts");
    const { sha256 } = await file.read();
    const rows = (await file.rows()).map(({ attributes: _attributes, ...row }) => row);
    const older = await file.replace(rows);
    await file.changeManifest((text) => text.replace(sha256, older).replace("_users_", "_people_"));
    await lose(ref, env.DB_1);
    await startRestore(workspace.id, TO_DB_2);
    await expect(runMove(calm, ref, { clock: lateClock })).rejects.toThrow(/no table for 00000_people_1_\d+.parquet/);
    await file.changeManifest((text) => text.replace("_people_", "_users_"));
    await finishMove(ref);
    expect((await ownRows(ref, "DB_2"))["accounts"]).toEqual([expect.stringContaining('"attributes":"{}"')]);
  });

  it.each([
    ["users", "number"],
    ["traits user", "subject"],
    ["rejectionCounts", "workspace"],
  ])("§9.3 refuses rows of another workspace in a file of %s", async (range, column) => {
    const [workspace, other] = [await newWorkspace({ database: "DB_1" }), await newWorkspace({ database: "DB_2" })];
    const [ref, foreign] = [await workspace.ref(), await other.ref()];
    for (const { post } of [workspace, other]) {
      await post("/api/v1/cdp", [
        track({ event: null }),
        { type: "identify", userId: "u1", traits: { role: "admin" } },
      ]);
    }
    await backUp(ref);
    const file = await fileOf(ref, range);
    const { sha256 } = await file.read();
    const away = (foreign.number - ref.number) * (column === "workspace" ? 1 : 2 ** 32);
    const rows = (await file.rows()).map((row) => ({ ...row, [column]: Number(row[column]) + away }));
    const changed = await file.replace(rows);
    await file.changeManifest((text) => text.replace(sha256, changed));
    const before = await ownRows(foreign, "DB_2");
    await startRestore(workspace.id, { ...TO_DB_2, giveUp: true });
    await expect(runMove(calm, ref, { clock: lateClock })).rejects.toThrow("of another workspace");
    expect(await ownRows(foreign, "DB_2")).toEqual(before);
    await cancelMove(workspace.id);
    await finishMove(ref);
  });

  it("§9.3 names a file that is gone or has other bytes, and goes on when it is back", async () => {
    const workspace = await fullWorkspace();
    const ref = await workspace.ref();
    await backUp(ref);
    const { comparisons: _, ...rows } = await ownRows(ref, "DB");
    const file = await fileOf(ref, "inboxItems");
    const { bytes, sha256 } = await file.read();
    await lose(ref, env.DB);
    await startRestore(workspace.id, { database: "DB_1" });
    for (const damage of [() => env.ARCHIVE.delete(file.key), () => file.write(new Uint8Array([1, 2]).buffer)]) {
      await damage();
      const fault = `The archive lacks ${file.key} (SHA-256 ${sha256}).`;
      await expect(runMove(calm, ref, { clock: lateClock })).rejects.toThrow(fault);
      const { body } = await admin("GET", `/workspaces/${workspace.id}`);
      expect(body.workspace).toMatchObject({ move: { state: "copying", fault: `ArchiveFileMissing: ${fault}` } });
    }
    await file.write(bytes);
    await finishMove(ref);
    expect(untold(await ownRows(ref, "DB_1"))).toEqual(untold(rows));
  });

  it("§9.3 continues after a crash at any round trip", { timeout: 300_000 }, async () => {
    const workspace = await fullWorkspace();
    const ref = await workspace.ref();
    await backUp(ref);
    const { comparisons: _, ...rows } = await ownRows(ref, "DB");
    await lose(ref, env.DB);
    await startRestore(workspace.id, { database: "DB_1" });
    let crashes = 0;
    for (const allowed of places()) {
      if ((await readMove(calm, ref)) === null) break;
      let trips = 0;
      const trip = async <T>(run: () => Promise<T>): Promise<T> => {
        trips += 1;
        if (trips > allowed) throw new Error(D1_BROKEN);
        return run();
      };
      const crashing = envWith({
        TASKS,
        DB: databaseWith(trip).DB,
        DB_1: databaseWith(trip, env.DB_1).DB,
        WRITE_LIMITER: limiterWith(trip).WRITE_LIMITER,
        ARCHIVE: faultyBucket(env.ARCHIVE, trip),
      });
      await runMove(crashing, ref, { clock: lateClock }).catch(() => undefined);
      crashes += trips > allowed ? 1 : 0;
      wait(CRASH_MS);
    }
    expect(crashes).toBeGreaterThan(7);
    expect(untold(await ownRows(ref, "DB_1"))).toEqual(untold(rows));
    expect(await reconcileAll()).toEqual([]);
  });

  it("§9.3 stays complete when a part that was paused wakes after it", { timeout: 120_000 }, async () => {
    for (const number of placesUpTo(12)) {
      const workspace = await newWorkspace();
      const ref = await workspace.ref();
      await workspace.post("/api/v1/cdp", track());
      await backUp(ref);
      await lose(ref, env.DB);
      await startRestore(workspace.id, { database: "DB_1" });
      let trips = 0;
      const trip = async <T>(run: () => Promise<T>): Promise<T> => {
        if ((trips += 1) === number) {
          wait(CRASH_MS);
          await finishMove(ref);
        }
        return run();
      };
      const paused = envWith({ TASKS, DB: databaseWith(trip).DB, DB_1: databaseWith(trip, env.DB_1).DB });
      await runMove(paused, ref, { clock: lateClock }).catch(() => undefined);
      expect((await workspace.post("/api/v1/cdp", track())).status).toBe(200);
      const lease = env.DB_1.prepare("SELECT holder FROM leases WHERE workspace = ?").bind(ref.number);
      expect([number, await lease.first("holder")]).toEqual([number, null]);
    }
  });

  it("§4.3 never mistakes a number that a lost account had for another account", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    const ref = await workspace.ref();
    await workspace.post("/api/v1/cdp", track());
    await backUp(ref);
    const send = (accountId: string) => workspace.post("/api/v1/events", { ...CAPTURE, userId: "u2", accountId });
    await send("beta");
    await lose(ref, env.DB_1);
    await startRestore(workspace.id, TO_DB_2);
    await finishMove(ref);
    // The memory of an isolate is per database, and the workspace comes back to the first one.
    await lose(ref, env.DB_2);
    await startRestore(workspace.id, { database: "DB_1" });
    await finishMove(ref);
    for (const accountId of ["gamma", "beta"]) expect((await send(accountId)).status).toBe(200);
    const { results } = await env.DB_1.prepare(
      `SELECT account.external_id AS id FROM messages JOIN accounts account ON account.number = messages.account
      WHERE messages.workspace = ? AND account.kind = 'company' ORDER BY seq`,
    )
      .bind(ref.number)
      .all();
    expect(results).toEqual([{ id: "gamma" }, { id: "beta" }]);
  });
});

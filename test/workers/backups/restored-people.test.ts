/** §9.3 People who were erased since a backup stay erased when it is restored: docs/restore.md. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";

import { recordErasedPerson } from "../../../src/archive/journal.ts";
import { DAY_MS } from "../../../src/core/durations.ts";
import { backUpWorkspace } from "../../../src/services/backups/back-up-workspace.ts";
import { continueUserErasures, eraseUserRows } from "../../../src/db/users/erase-user-rows.ts";
import { runMove } from "../../../src/services/moves/move-workspace.ts";
import { newIdentifiedWorkspace, newIdentityWorkspace } from "../identity/identified-workspace.ts";
import { calm, finishMove, lateClock, ownRows, TASKS } from "../moves/moving.ts";
import { archiveReceived } from "../support/archive-received.ts";
import { type BoundStatement, databaseWith, envWith } from "../support/faulty-env.ts";
import { track } from "../support/messages.ts";
import { reconcileAll } from "../support/restores.ts";
import { runCron } from "../support/run-cron.ts";
import { eraseAllWorkspaces, newWorkspace } from "../support/workspace.ts";
import { backUp, lose, startRestore } from "./backing-up.ts";

beforeEach(eraseAllWorkspaces);

const TO_DB_2 = { database: "DB_2" };
const dateOf = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const EXPORT = `/api/v1/export?from=${dateOf(Date.now() - 90 * DAY_MS)}&to=${dateOf(Date.now())}`;

describe("§9.3 what was erased since the backup", () => {
  it("§6.2 stays erased: a person, in rows, rejections and files", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    const sent = { userId: "u1", properties: { note: "secretive" } };
    await workspace.post("/api/v1/cdp", [
      track({ ...sent, messageId: "archived" }),
      { type: "identify", userId: "u1", traits: { role: "secretive" } },
    ]);
    await archiveReceived(workspace);
    await workspace.post("/api/v1/cdp", [
      track({ ...sent, messageId: "hot" }),
      track({ ...sent, event: null, messageId: "rejected" }),
      track({ userId: "secretive 2", event: null, messageId: "of a stranger" }),
      track({ userId: "stays", messageId: "stays" }),
    ]);
    const ref = await workspace.ref();
    await backUp(ref);
    const json = { headers: { "Content-Type": "application/json" } };
    for (const userId of ["u1", "secretive 2"])
      expect((await workspace.post("/api/v1/users/erase", { userId }, json)).status).toBe(200);
    await runCron(Date.now());
    await lose(ref, env.DB_1);
    await startRestore(workspace.id, TO_DB_2);
    await finishMove(ref);
    expect((await workspace.post("/api/v1/cdp", track({ userId: "stays", messageId: "stays" }))).body).toMatchObject({
      duplicates: 1,
    });
    expect((await workspace.get("/api/v1/users/u1")).status).toBe(404);
    await runCron(Date.now());
    const left = Object.entries(await ownRows(ref, "DB_2")).filter(([, rows]) => /secretive|"u1"/.test(rows.join()));
    expect(left).toEqual([]);
    const { text } = await workspace.get(EXPORT);
    expect(text).not.toMatch(/secretive|"u1"/);
    expect(text).toContain('"user_id":"stays"');
    expect(await reconcileAll()).toEqual([]);
  });

  it("§6.2 is read by no cached key in the rows that were given up: a person who was erased during the restore", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    const ref = await workspace.ref();
    await workspace.post("/api/v1/cdp", track({ properties: { note: "secretive" } }));
    await backUp(ref);
    expect((await workspace.get("/api/v1/users/u1")).status).toBe(200);
    await startRestore(workspace.id, { ...TO_DB_2, giveUp: true });
    await runMove(calm, ref, { clock: lateClock });
    await recordErasedPerson(env, ref.id, { externalId: "u1", user: 1 }, Date.now() + 1);
    await finishMove(ref);
    await continueUserErasures(env, await workspace.ref());
    expect((await ownRows(ref, "DB_1"))["messages"]?.join()).toContain("secretive");
    for (const path of ["/api/v1/users/u1", "/api/v1/events", EXPORT])
      expect((await workspace.get(path)).text).not.toMatch(/secretive|"u1"/);
    await workspace.post("/api/v1/cdp", track({ userId: "u2" })); // tells the edge the database
    expect((await workspace.get("/api/v1/users/u1")).status).toBe(404);
    expect((await workspace.get("/api/v1/users/u2")).status).toBe(200);
  });

  it.each(["users", "accounts", "messages", "traits", "user_erasures", "leases"])(
    "§6.2 stays erased: a person whose erasure began before the backup read %s, and cleared the log after it was read",
    async (table) => {
      const workspace = await newIdentityWorkspace({ database: "DB_1" });
      await workspace.accept();
      const ref = await workspace.ref();
      const sent = track({ messageId: "m1", properties: { note: "secretive" } });
      const identify = { type: "identify", userId: "u1", traits: { role: "secretive" } };
      await workspace.post("/api/v1/cdp", [sent, identify, track({ event: null })]);
      await workspace.attach({ userId: "u1", traits: { name: "Jo Secretive" } });
      const done: string[] = [];
      const steps: [string, () => Promise<unknown>][] = [
        [table === "leases" ? 'update "leases"' : `FROM ${table} WHERE (`, () => eraseUserRows(env, ref, "u1", 0)],
        [table === "leases" ? 'update "leases"' : "FROM user_erasures WHERE (", () => continueUserErasures(env, ref)],
      ];
      const trip = async <T>(run: () => Promise<T>, _: number, statements: readonly BoundStatement[] = []) => {
        for (const [text, step] of steps.splice(0)) {
          if (!statements.some(({ sql }) => sql.includes(text))) steps.push([text, step]);
          else await step().then(() => done.push(text));
        }
        return run();
      };
      await recordErasedPerson(env, ref.id, { externalId: "u1", user: 1 }, Date.now() + 1);
      const erasing = envWith({ TASKS, DB_1: databaseWith(trip, env.DB_1).DB });
      expect(await backUpWorkspace(erasing, ref, { now: Date.now() })).toBe(true);
      expect(done).toHaveLength(2);
      await lose(ref, env.DB_1);
      await startRestore(workspace.id, TO_DB_2);
      await finishMove(ref);
      await runCron(Date.now());
      const left = Object.entries(await ownRows(ref, "DB_2")).filter(([, rows]) => /secretive|"u1"/i.test(rows.join()));
      expect(left).toEqual([]);
    },
  );

  it("§6.1 stays erased: names under a withdrawn agreement, but not those under a later one", async () => {
    const workspace = await newIdentifiedWorkspace({ database: "DB_1" });
    const ref = await workspace.ref();
    const now = Date.now();
    await workspace.attach({ userId: "u1", traits: { name: "Early" } });
    await backUp(ref, now - 2 * DAY_MS);
    await workspace.withdraw();
    await backUp(ref, now - DAY_MS);
    await workspace.accept({ version: "2" });
    await workspace.attach({ userId: "u1", traits: { name: "Late" } });
    await backUp(ref, now);
    const restored = async (ago: number, database: "DB_1" | "DB_2") => {
      await startRestore(workspace.id, { database, date: dateOf(now - ago * DAY_MS), giveUp: true });
      await finishMove(ref);
      const rows = (await ownRows(ref, database))["identityTraits"] ?? [];
      return rows.map((row) => (/"value":"(\w+)"/.exec(row) ?? [])[1]);
    };
    expect(await restored(2, "DB_2")).toEqual([]);
    expect(await restored(0, "DB_1")).toEqual(["Late"]);
    expect((await workspace.attach({ userId: "u1", traits: { name: "Latest" } })).status).toBe(200);
    await workspace.withdraw();
    expect(await restored(0, "DB_2")).toEqual([]);
    expect((await workspace.attach({ userId: "u1", traits: { name: "Never" } })).status).toBe(403);
  });
});

/** docs/archive.md: what a backup of a workspace has, and when the next one is made and the last one deleted. */
import { env } from "cloudflare:workers";
import { is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { listBackups, readManifest } from "../../../src/archive/backups.ts";
import { DAY_MS } from "../../../src/core/durations.ts";
import { backedUpRanges } from "../../../src/db/backups/backup-sql.ts";
import * as schema from "../../../src/db/schema/schema.ts";
import { backUpWorkspace } from "../../../src/services/backups/back-up-workspace.ts";
import { recompute } from "../../../src/services/recompute/recompute-workspaces.ts";
import { newMeter } from "../costs/meter.ts";
import { newIdentifiedWorkspace } from "../identity/identified-workspace.ts";
import { finishMove, ownRows } from "../moves/moving.ts";
import { smallPages } from "../support/faulty-bucket.ts";
import { envWith } from "../support/faulty-env.ts";
import { fullWorkspace } from "../support/full-workspace.ts";
import { freeLeases, holdLease } from "../support/leases.ts";
import { batch, track, tracks } from "../support/messages.ts";
import { eraseAllWorkspaces, newWorkspace } from "../support/workspace.ts";
import { backUp, backupKeys, backupNames, fileOf, startRestore } from "./backing-up.ts";

beforeEach(eraseAllWorkspaces);

const NOW = Date.now();
const dayAfter = (days: number): number => NOW + days * DAY_MS;

const fold = (now = NOW) => recompute(env, { now, trigger: "admin", clock: Date.now, budgetMs: 60_000 });

/** Inserts a row of a workspace, whose number the text has a parameter for. */
const insertion =
  (row: string) =>
  async ({ ref }: Awaited<ReturnType<typeof newIdentifiedWorkspace>>) =>
    env.DB.prepare(`INSERT INTO ${row}`)
      .bind((await ref()).number)
      .run();

describe("a backup", () => {
  it("has all tables of a workspace but those that only a run uses", () => {
    const inDirectory = new Set([
      "databases",
      "workspaces",
      "apiKeys",
      "agreements",
      "moves",
      "auditLog",
      "adminTokens",
      "people",
    ]);
    // The manifest has the agreement of the last; the others hold nothing of an idle workspace.
    const left = new Set(["changedSubjects", "comparisons", "leases", "workspaceStates"]);
    const tables = Object.entries(schema).flatMap(([name, table]) => (is(table, SQLiteTable) ? name : []));
    const copied = backedUpRanges({ id: "ws_1", number: 7, database: "DB" }, 0).map(({ name }) => name.split(" ")[0]);
    const expected = tables.filter((name) => !inDirectory.has(name) && !left.has(name));
    expect(new Set(copied)).toEqual(new Set(expected));
  });

  it("has a file for each table with rows, and writes nothing when nothing has changed", async () => {
    const workspace = await fullWorkspace();
    const ref = await workspace.ref();
    await backUp(ref, dayAfter(11));
    const keys = await backupKeys(ref);
    expect(keys.length).toBeGreaterThan(20);
    expect(keys.at(-1)).toMatch(/manifest\.json$/);
    await fold(dayAfter(12));
    await backUp(ref, dayAfter(12));
    expect(await backupKeys(ref)).toEqual(keys);
  });

  it.each([
    ["a message", ({ post }) => post("/api/v1/cdp", track())],
    ["a rejected message", ({ post }) => post("/api/v1/cdp", track({ event: null }))],
    ["a name", ({ attach }) => attach({ userId: "u1", traits: { name: "Jo" } })],
    ["an erased person", ({ erase }) => erase("u1")],
    ["a withdrawn agreement", ({ withdraw }) => withdraw()],
    [
      "other messages with the same numbers, after Time Travel",
      async ({ ref, post }) => {
        const { number } = await ref();
        await env.DB.prepare("DELETE FROM messages WHERE workspace = ?").bind(number).run();
        await post("/api/v1/events", { accountId: "acme", userId: "u1", event: "report.exported" });
        const newest = env.DB.prepare("SELECT max(seq) AS seq FROM messages WHERE workspace = ?").bind(number);
        if ((await newest.first("seq")) !== number * 2 ** 32 + 1) throw new Error("the message has another number");
      },
    ],
    ["a mark", insertion("inbox_marks (item, dismissed_at) VALUES ((? << 32) + 1, 5)")],
    ["an owner", insertion("account_owners (account, owner) VALUES ((? << 32) + 1, 'Ann')")],
    [
      "an activity",
      insertion("activities (account, at, action, item, by) VALUES ((? << 32) + 1, 5, 'owner', 0, 'Ann')"),
    ],
    ["a saved view", insertion("saved_views (workspace, name, query, created_at) VALUES (?, 'a', '', 5)")],
    [
      "an archived message",
      async ({ ref }) => {
        await env.DB.prepare("DELETE FROM messages WHERE workspace = ?")
          .bind((await ref()).number)
          .run();
      },
    ],
  ] satisfies [string, (workspace: Awaited<ReturnType<typeof newIdentifiedWorkspace>>) => Promise<unknown>][])(
    "is made again after %s",
    async (_, change) => {
      const workspace = await newIdentifiedWorkspace();
      const ref = await workspace.ref();
      await backUp(ref, NOW);
      await change(workspace);
      await backUp(ref, dayAfter(1));
      expect(await backupNames(ref)).toHaveLength(2);
    },
  );

  it("is kept until the next one is 33 days old, and the newest one for as long as nothing changes", async () => {
    const workspace = await newWorkspace();
    const ref = await workspace.ref();
    for (const day of [0, 1, 40]) {
      await workspace.post("/api/v1/cdp", track());
      await backUp(ref, dayAfter(day));
    }
    const days = async () => (await backupNames(ref)).map((name) => name.slice(0, 10));
    const [first, last] = [1, 40].map((day) => new Date(dayAfter(day)).toISOString().slice(0, 10));
    for (const [day, kept] of [
      [41, [first, last]],
      [72, [first, last]],
      [74, [last]],
      [400, [last]],
    ] as const) {
      await backUp(ref, dayAfter(day));
      expect(await days()).toEqual(kept);
    }
  });

  it("§6.2 is gone 35 days after the erasure of a person who is in it", async () => {
    const workspace = await newIdentifiedWorkspace();
    const ref = await workspace.ref();
    for (const day of [0, 50]) await backUp(ref, dayAfter(day));
    expect((await workspace.erase("u1")).status).toBe(200);
    for (const day of [51, 52, 84, 85]) await backUp(ref, dayAfter(day));
    expect((await backupNames(ref)).map((name) => name.slice(0, 10))).toEqual([
      new Date(dayAfter(51)).toISOString().slice(0, 10),
    ]);
  });

  it("stays while another run holds the lease, and while a restore may read it", async () => {
    const workspace = await newWorkspace({ database: "DB_1" });
    const ref = await workspace.ref();
    for (const day of [0, 1]) {
      await workspace.post("/api/v1/cdp", track());
      await backUp(ref, dayAfter(day));
    }
    const names = await backupNames(ref);
    await holdLease(env.DB_1, ref.number, "archive_other");
    await backUp(ref, dayAfter(40));
    expect(await backupNames(ref)).toEqual(names);
    await freeLeases(env.DB_1);
    const date = names[0]?.slice(0, 10);
    expect((await startRestore(workspace.id, { database: "DB_2", date, giveUp: true })).status).toBe(202);
    await backUp(ref, dayAfter(40));
    expect(await backupNames(ref)).toEqual(names);
    await finishMove(ref);
    expect((await ownRows(ref, "DB_2"))["messages"]).toHaveLength(1);
  });

  it("reads no rows of users to find out that nothing has changed", async () => {
    const { workspace, env: metered, take } = await newMeter();
    const ref = await workspace.ref();
    await workspace.post(
      "/api/v1/cdp",
      batch(tracks(60).map((message, index) => ({ ...message, userId: `u${index}` }))),
    );
    await backUp(ref, NOW);
    take();
    expect(await backUpWorkspace(metered, ref, { now: dayAfter(1) })).toBe(true);
    expect(take().read).toBeLessThan(60);
    expect(await backupNames(ref)).toHaveLength(1);
  });

  it.each([
    ["is cut off", (text: string) => text.slice(0, 40)],
    ["has no fields", () => "{}"],
    ["is another workspace's", (text: string) => text.replace(/ws_\w+/, "ws_other")],
  ])("is incomplete if its manifest %s: the next run makes another one, and a restore names it", async (_, damage) => {
    const workspace = await newWorkspace();
    const ref = await workspace.ref();
    await workspace.post("/api/v1/cdp", track());
    await backUp(ref, NOW);
    const { changeManifest } = await fileOf(ref, "messages");
    await changeManifest(damage);
    const [backup] = await listBackups(env, ref.id);
    if (backup === undefined) throw new Error("the bucket has no backup");
    const key = `backups/${ref.id}/${backup.name}/manifest.json`;
    await expect(readManifest(env, backup)).rejects.toThrow(`${key} is no manifest of this workspace.`);
    const errors = vi.spyOn(console, "error");
    await backUp(ref, dayAfter(1));
    expect(errors.mock.calls.join()).toContain(key);
    errors.mockRestore();
    expect((await backupNames(ref)).map((name) => name > backup.name)).toEqual([true]);
  });

  it("is found however many there are", async () => {
    const workspace = await newWorkspace();
    const ref = await workspace.ref();
    for (const day of [0, 1, 2]) {
      await workspace.post("/api/v1/cdp", track());
      await backUp(ref, dayAfter(day));
    }
    const found = await listBackups(envWith({ ARCHIVE: smallPages(env.ARCHIVE) }), ref.id);
    expect(found.map(({ name }) => name)).toEqual(await backupNames(ref));
    expect(found).toHaveLength(3);
  });

  it("is bounded in bytes: rows of 6 MB take several files", async () => {
    const workspace = await newWorkspace();
    const ref = await workspace.ref();
    await workspace.post("/api/v1/cdp", batch(tracks(6)));
    await env.DB.prepare(
      `UPDATE messages SET properties = '{"pad":"' || hex(zeroblob(500000)) || '"}' WHERE workspace = ?`,
    )
      .bind(ref.number)
      .run();
    await backUp(ref);
    const files = (await backupKeys(ref)).filter((key) => key.includes("_messages_"));
    expect(files.map((key) => /_messages_\d+/.exec(key)?.[0])).toEqual(["_messages_4", "_messages_2"]);
  });
});

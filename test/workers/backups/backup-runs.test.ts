/** docs/archive.md: runs of backups beside senders, other runs, faults and erasures. */
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, it } from "vitest";

import { DAY_MS, HOUR_MS } from "../../../src/core/durations.ts";
import { backUpWorkspace } from "../../../src/services/backups/back-up-workspace.ts";
import { recompute } from "../../../src/services/recompute/recompute-workspaces.ts";
import { newIdentifiedWorkspace } from "../identity/identified-workspace.ts";
import { before, calm, finishMove, ownRows, startMove } from "../moves/moving.ts";
import { faultyBucket } from "../support/faulty-bucket.ts";
import { envWith } from "../support/faulty-env.ts";
import { fullWorkspace } from "../support/full-workspace.ts";
import { expireLeases, holdLease } from "../support/leases.ts";
import { track } from "../support/messages.ts";
import { heldQueue, runCron } from "../support/run-cron.ts";
import { admin, eraseAllWorkspaces, newWorkspace } from "../support/workspace.ts";
import { backUp, backupKeys, backupNames, fileOf, lose, startRestore } from "./backing-up.ts";

beforeEach(eraseAllWorkspaces);

const NOW = Date.now();
const dayAfter = (days: number): number => NOW + days * DAY_MS;

const fold = (now = NOW) => recompute(env, { now, trigger: "admin", clock: Date.now, budgetMs: 60_000 });

describe("a run of a backup", () => {
  it("goes on in parts while senders go on, and has what came before it began", async () => {
    const workspace = await fullWorkspace();
    await admin("PATCH", `/workspaces/${workspace.id}`, { writeLimit: 1_000 });
    const ref = await workspace.ref();
    const { total } = await count(ref.number);
    let parts = 0;
    for (let isDone = false; !isDone; parts += 1) {
      isDone = await backUpWorkspace(calm, ref, { now: NOW, maxStatements: 20 });
      await workspace.post("/api/v1/cdp", track({ messageId: `late ${parts}`, userId: `late ${parts}` }));
      expect((await admin("POST", `/workspaces/${workspace.id}/recompute`)).body).toMatchObject(
        isDone ? { ok: true } : { skipped: "running" },
      );
    }
    expect(parts).toBeGreaterThan(3);
    const [file, ...more] = (await backupKeys(ref)).filter((key) => key.includes("_messages_"));
    expect([file, more]).toEqual([expect.stringContaining(`_messages_${total}_`), []]);
    for (const range of ["users", "accounts", "names"]) {
      const rows = await (await fileOf(ref, range)).rows();
      expect(rows.filter((row) => /late/.test(JSON.stringify(row)))).toEqual([]);
    }
  });

  it.each(["users", "accounts"])(
    "has nothing about people and accounts that came before it read %s: their numbers may go to others",
    async (table) => {
      const workspace = await newIdentifiedWorkspace({ database: "DB_1" });
      const ref = await workspace.ref();
      const come = async () => {
        await workspace.post("/api/v1/cdp", [
          { type: "identify", userId: "victim", traits: { role: "SecretRole", accountSeats: 7 } },
          track({ userId: "victim 2", messageId: "secret 2" }),
          { type: "group", userId: "victim", groupId: "newco", traits: { company: "Secret Company" } },
          { type: "group", userId: "u1", groupId: "newco" },
        ]);
        await workspace.attach({ userId: "victim", traits: { name: "Vera Victim" } });
        await workspace.attach({ accountId: "newco", traits: { company: "Secret Company" } });
        await workspace.erase("victim 2");
      };
      expect(await backUpWorkspace(before(`FROM ${table} WHERE (`, come), ref, { now: NOW })).toBe(true);
      expect((await workspace.erase("victim")).status).toBe(200);
      await lose(ref, env.DB_1);
      expect((await startRestore(workspace.id, { database: "DB_2" })).status).toBe(202);
      await finishMove(ref);
      const rows = Object.entries(await ownRows(ref, "DB_2"));
      expect(rows.filter(([, own]) => /secret|vera|victim|newco/i.test(own.join()))).toEqual([]);
      const names = new Set(rows.map(([name]) => name));
      expect([names.has("users"), names.has("userErasures"), names.has("archiveErasures")]).toEqual([
        true,
        false,
        false,
      ]);
      await workspace.post("/api/v1/cdp", [
        { type: "group", userId: "stranger", groupId: "other" },
        track({ userId: "u1", messageId: "after" }),
      ]);
      const { user } = (await workspace.get("/api/v1/users/stranger")).body;
      const { account } = (await workspace.get("/api/v1/accounts/other")).body;
      expect(user).toEqual(expect.objectContaining({ traits: {} }));
      expect(account).toEqual(expect.objectContaining({ traits: {} }));
      expect([user, account].map((read) => Object.keys(read ?? {}).includes("identity"))).toEqual([false, false]);
      expect((await ownRows(ref, "DB_2"))["memberships"]).toHaveLength(1);
    },
  );

  it("begins anew after another run has held the lease", async () => {
    const workspace = await fullWorkspace();
    const ref = await workspace.ref();
    expect(await backUpWorkspace(calm, ref, { now: NOW, maxStatements: 20 })).toBe(false);
    await expireLeases();
    await fold(dayAfter(11));
    await backUp(ref, NOW + 1);
    expect(await backupNames(ref)).toEqual([new Date(NOW + 1).toISOString().replaceAll(":", "")]);
  });

  it("waits while another run holds the lease", async () => {
    const workspace = await fullWorkspace();
    const ref = await workspace.ref();
    await holdLease(env.DB, ref.number, "archive_other");
    expect(await backUpWorkspace(calm, ref, { now: NOW })).toBe(true);
    expect(await backupKeys(ref)).toEqual([]);
  });

  it("continues after a fault of the bucket at any call, without a file twice", async () => {
    const workspace = await fullWorkspace();
    const ref = await workspace.ref();
    let faults = 0;
    for (let allowed = 1, isDone = false; !isDone; allowed += 1) {
      let calls = 0;
      const bucket = faultyBucket(env.ARCHIVE, (run) => {
        calls += 1;
        return calls > allowed ? Promise.reject(new Error("broken")) : run();
      });
      const { TASKS } = heldQueue();
      isDone = await backUpWorkspace(envWith({ TASKS, ARCHIVE: bucket }), ref, { now: NOW }).catch(() => false);
      faults += isDone ? 0 : 1;
    }
    expect(faults).toBeGreaterThan(10);
    const files = (await backupKeys(ref)).filter((key) => key.endsWith(".parquet"));
    expect(new Set(files.map((key) => key.replace(/^.*?_(.*)_.*_.*$/, "$1"))).size).toBe(files.length);
    expect(await backupNames(ref)).toHaveLength(1);
  });

  it("is erased with its workspace, also one that is being made", async () => {
    const workspace = await fullWorkspace();
    await admin("PATCH", `/workspaces/${workspace.id}`, { writeLimit: 1_000 });
    const ref = await workspace.ref();
    await backUp(ref, NOW);
    await workspace.post("/api/v1/cdp", track());
    await backUpWorkspace(calm, ref, { now: dayAfter(1), maxStatements: 20 });
    expect((await admin("DELETE", `/workspaces/${workspace.id}`)).status).toBe(202);
    expect(await backUpWorkspace(calm, ref, { now: dayAfter(1) })).toBe(true);
    await runCron(Date.now() + HOUR_MS);
    expect(await backupKeys(ref)).toEqual([]);
  });
});

describe("the cron", () => {
  it("backs each changed workspace up once a day, wherever it is", async () => {
    const first = await newWorkspace();
    const second = await newWorkspace({ database: "DB_1" });
    for (const { post } of [first, second]) await post("/api/v1/events", { accountId: "a", userId: "u", event: "e" });
    await fold();
    const empty = await newWorkspace();
    const made = async () => {
      const refs = await Promise.all([first, second, empty].map(({ ref }) => ref()));
      return (await Promise.all(refs.map(backupNames))).map(({ length }) => length);
    };
    for (const [after, expected] of [
      [0, [1, 1, 0]],
      [DAY_MS - 1, [1, 1, 0]],
      [DAY_MS, [1, 1, 0]],
    ] as const) {
      expect((await runCron(NOW + after)).failed).toEqual([]);
      expect(await made()).toEqual(expected);
    }
    await first.post("/api/v1/cdp", track());
    await runCron(NOW + DAY_MS + HOUR_MS);
    expect(await made()).toEqual([1, 1, 0]);
    await runCron(NOW + 2 * DAY_MS);
    expect(await made()).toEqual([2, 1, 0]);
  });

  it("backs a workspace up after its move, in its new database", async () => {
    const workspace = await newWorkspace();
    await workspace.post("/api/v1/events", { accountId: "a", userId: "u", event: "e" });
    await fold();
    await startMove(workspace.id, "DB_1");
    await runCron(NOW);
    expect(await backupNames(await workspace.ref())).toEqual([]);
    await finishMove(await workspace.ref());
    await runCron(NOW);
    expect(await backupNames(await workspace.ref())).toHaveLength(1);
  });
});

const count = async (number: number): Promise<{ total: number }> => {
  const counted = env.DB.prepare("SELECT count(*) AS total FROM messages WHERE workspace = ?").bind(number);
  return (await counted.first<{ total: number }>()) ?? { total: 0 };
};

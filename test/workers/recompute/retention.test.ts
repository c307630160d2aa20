/** docs/recompute.md §10.6: messages past their retention are deleted, counts and outcomes stay. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";

import { recomputeSettings, retentionSettings } from "../../../src/config.ts";
import { DAY_MS } from "../../../src/core/durations.ts";
import { ownRange, type WorkspaceRef } from "../../../src/db/client/database.ts";
import { storeBatch } from "../../../src/db/ingest/store-messages.ts";
import { archiveWorkspace } from "../../../src/services/archive/archive-workspace.ts";
import { faultyBucket } from "../support/faulty-bucket.ts";
import { databaseWith, envWith, sendWith } from "../support/faulty-env.ts";
import { setWatermark } from "../support/half-changed.ts";
import { expireLeases } from "../support/leases.ts";
import { ADMIN_HEADERS, admin, newWorkspace as adminWorkspace } from "../support/workspace.ts";
import { readFold } from "./folded-state.ts";
import { DAY, deleteMessages, event, morningOf, newWorkspace, run, store } from "./runs.ts";

const NOW = morningOf(DAY);
const KEPT = DAY - 100;
const CUTOFF = KEPT * DAY_MS;

/** Stores messages received at these times, in this order. */
async function received(workspace: WorkspaceRef, ...moments: number[]): Promise<void> {
  for (const at of moments) await store(workspace, [event({ occurredAt: at })], at);
}

/** Folds the log, and deletes its messages of days before `KEPT`. */
async function runAll(workspace: WorkspaceRef): Promise<void> {
  await run(NOW);
  await deleteMessages(workspace, KEPT);
}

/** Lists the positions of the messages that are left in the log. */
async function left({ number }: WorkspaceRef): Promise<number[]> {
  const { results } = await env.DB.prepare("SELECT seq - ?2 AS n FROM messages WHERE workspace = ?1 ORDER BY seq")
    .bind(number, number * 2 ** 32)
    .all<{ n: number }>();
  return results.map(({ n }) => n);
}

describe("§10.6 retention without an archive", () => {
  it("§10.6 deletes messages received before the first day to keep, and writes no file", async () => {
    const workspace = await newWorkspace();
    await received(workspace, CUTOFF - DAY_MS, CUTOFF - 1, CUTOFF, CUTOFF + 1);
    await runAll(workspace);
    expect(await left(workspace)).toEqual([3, 4]);
    expect((await env.ARCHIVE.list({ prefix: `v1/${workspace.id}/` })).objects).toEqual([]);
    const { first } = ownRange(workspace);
    const files = env.DB.prepare("SELECT count(*) AS n FROM archive_files WHERE first >= ?").bind(first);
    expect(await files.first("n")).toBe(0);
  });

  it("§10.6 counts from the time of receipt, not of occurrence", async () => {
    const workspace = await newWorkspace();
    await store(workspace, [event({ occurredAt: CUTOFF - 50 * DAY_MS })], NOW);
    await runAll(workspace);
    expect(await left(workspace)).toEqual([1]);
  });

  it("§10.6 stops at the first message to keep, so that the log has no gaps", async () => {
    const workspace = await newWorkspace();
    await received(workspace, CUTOFF - 2, CUTOFF + 1, CUTOFF - 1, CUTOFF + DAY_MS);
    await runAll(workspace);
    expect(await left(workspace)).toEqual([2, 3, 4]);
    await deleteMessages(workspace, KEPT + 1);
    expect(await left(workspace)).toEqual([4]);
  });

  it("§10.6 deletes only folded messages", async () => {
    const workspace = await newWorkspace();
    await received(workspace, ...Array.from({ length: 4 }, (_, place) => CUTOFF - 10 + place));
    await deleteMessages(workspace, KEPT);
    expect(await left(workspace)).toEqual([1, 2, 3, 4]);
    await setWatermark(workspace, 2);
    await deleteMessages(workspace, KEPT);
    expect(await left(workspace)).toEqual([3, 4]);
    await runAll(workspace);
    expect(Object.values((await readFold(workspace)).rollups).map(({ count }) => count)).toEqual([2]);
  });

  it("§10.6 deletes the file that an interrupted run has written", async () => {
    const workspace = await newWorkspace();
    await received(workspace, CUTOFF - 1);
    await run(NOW);
    let isWritten = false;
    const crashing = envWith({
      ARCHIVE: faultyBucket(env.ARCHIVE, async (real) => {
        isWritten = true;
        return real();
      }),
      DB: databaseWith(async (real, _, statements = []) => {
        if (isWritten && statements.some(({ sql }) => sql.includes("INSERT INTO archive_files")))
          throw new Error("a crash");
        return real();
      }).DB,
    });
    await expect(archiveWorkspace(crashing, workspace, { now: NOW, clock: () => NOW })).rejects.toThrow("a crash");
    const files = async () => (await env.ARCHIVE.list({ prefix: `v1/${workspace.id}/` })).objects.length;
    expect(await files()).toBe(1);
    await expireLeases();
    await deleteMessages(workspace, KEPT);
    expect([await files(), await left(workspace)]).toEqual([0, []]);
  });

  it("§10.6 keeps rollups and outcomes", async () => {
    const workspace = await newWorkspace();
    await received(workspace, CUTOFF - 3, CUTOFF - 2, CUTOFF - 1);
    await run(NOW);
    const before = await readFold(workspace);
    await deleteMessages(workspace, KEPT);
    expect(await left(workspace)).toEqual([]);
    expect(await run(NOW)).toMatchObject({ accountsScored: 0 });
    expect(await readFold(workspace)).toEqual(before);
  });

  it("§10.6 uses no message number twice, even after the whole log was deleted", async () => {
    const workspace = await newWorkspace();
    await received(workspace, CUTOFF - 3, CUTOFF - 2);
    await runAll(workspace);
    expect(await left(workspace)).toEqual([]);
    await received(workspace, NOW, NOW);
    expect(await left(workspace)).toEqual([3, 4]);
    expect(await run(NOW)).toMatchObject({ eventsFolded: 2 });
    expect(Object.values((await readFold(workspace)).rollups)).toHaveLength(2);
  });

  it("§10.6 finds duplicates as long as the first message is kept", async () => {
    const workspace = await newWorkspace();
    const message = event({ occurredAt: CUTOFF - 1 });
    await store(workspace, [message], CUTOFF - 1);
    const again = () =>
      storeBatch(env, workspace, "key_1", { source: "cdp", receivedAt: NOW, messages: [message], rejections: [] });
    await run(NOW);
    await deleteMessages(workspace, KEPT - 1);
    expect(await again()).toMatchObject({ stored: 0, duplicates: 1 });
    await deleteMessages(workspace, KEPT);
    expect(await again()).toMatchObject({ stored: 1, duplicates: 0 });
  });

  it("§10.6 keeps counting deleted messages in the administration", async () => {
    await newWorkspace();
    const { id, ref } = await adminWorkspace();
    await received(await ref(), CUTOFF - 2, CUTOFF - 1);
    const counters = async () => (await admin("GET", `/workspaces/${id}`)).body.workspace?.["counters"];
    expect(await counters()).toMatchObject({ stored: 2 });
    await runAll(await ref());
    expect(await left(await ref())).toEqual([]);
    expect(await counters()).toMatchObject({ stored: 2 });
    await received(await ref(), NOW);
    expect(await counters()).toMatchObject({ stored: 3 });
  });
});

describe("§10.6 HOT_DAYS, ARCHIVE_DAYS and HISTORY_DAYS", () => {
  it.each(["6", "0", "-400", "30.5", "a year", "1e400"])(
    "§10.6 rejects HOT_DAYS %j and names the variable",
    (HOT_DAYS) => {
      expect(() => retentionSettings(envWith({ HOT_DAYS }))).toThrow(/^HOT_DAYS .* 7$/);
    },
  );

  it.each(["-1", "0.5", "forever"])("§10.6 rejects ARCHIVE_DAYS %j and names the variable", (ARCHIVE_DAYS) => {
    expect(() => retentionSettings(envWith({ ARCHIVE_DAYS }))).toThrow(/^ARCHIVE_DAYS .* 0$/);
  });

  it.each(["499", "0", "forever"])("§10.6 rejects HISTORY_DAYS %j and names the variable", (HISTORY_DAYS) => {
    expect(() => recomputeSettings(envWith({ HISTORY_DAYS }))).toThrow(/^HISTORY_DAYS .* 500$/);
  });

  it("§10.6 keeps 30 hot days, 400 archived days and 800 days of counts by default", () => {
    const defaults = envWith({ HOT_DAYS: "", ARCHIVE_DAYS: "", HISTORY_DAYS: "" });
    expect(retentionSettings(defaults)).toEqual({ hotDays: 30, archiveDays: 400, historyDays: 800 });
    const least = envWith({ HOT_DAYS: "7", ARCHIVE_DAYS: "0", HISTORY_DAYS: "500" });
    expect(retentionSettings(least)).toEqual({ hotDays: 7, archiveDays: 0, historyDays: 500 });
  });

  it("§10.6 deletes nothing when a setting is invalid", async () => {
    const workspace = await newWorkspace();
    await received(workspace, 1);
    const settings = envWith({ HOT_DAYS: "1", ARCHIVE_DAYS: "0" });
    const answer = await sendWith(settings, "POST", "/admin/recompute", undefined, { headers: ADMIN_HEADERS });
    expect(answer.status).toBe(500);
    expect(await left(workspace)).toEqual([1]);
  });
});

/** docs/health.md §10.6: messages past their retention are deleted, counts and outcomes stay. */
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";

import { recomputeSettings, retentionSettings } from "../../../src/config.ts";
import { DAY_MS } from "../../../src/core/durations.ts";
import { databaseOf, ownRange, type WorkspaceRef } from "../../../src/db/client/database.ts";
import { storeBatch } from "../../../src/db/ingest/store-messages.ts";
import { acquireLease } from "../../../src/db/recompute/lease-sql.ts";
import { deleteExpired } from "../../../src/db/recompute/retention-sql.ts";
import { openSession } from "../../../src/db/recompute/session.ts";
import { envWith, sendWith } from "../support/faulty-env.ts";
import { ADMIN_HEADERS, admin, newWorkspace as adminWorkspace } from "../support/workspace.ts";
import { readFold } from "./folded-state.ts";
import { clockUpAfter, DAY, event, expireLease, morningOf, newWorkspace, run, startRun, store } from "./runs.ts";

const NOW = morningOf(DAY);
const RETENTION_DAYS = 100;
const CUTOFF = NOW - RETENTION_DAYS * DAY_MS;
const options = { retentionDays: RETENTION_DAYS };

/** Stores messages received at these times, in this order. */
async function received(workspace: WorkspaceRef, ...moments: number[]): Promise<void> {
  for (const at of moments) await store(workspace, [event({ occurredAt: at })], at);
}

/** Lists the positions of the messages that are left in the log. */
async function left({ number }: WorkspaceRef): Promise<number[]> {
  const { results } = await env.DB.prepare("SELECT seq - ?2 AS n FROM messages WHERE workspace = ?1 ORDER BY seq")
    .bind(number, number * 2 ** 32)
    .all<{ n: number }>();
  return results.map(({ n }) => n);
}

describe("§10.6 retention", () => {
  it("§10.6 deletes messages received before the cutoff, none received at it", async () => {
    const workspace = await newWorkspace();
    await received(workspace, CUTOFF - DAY_MS, CUTOFF - 1, CUTOFF, CUTOFF + 1);
    expect(await run(NOW, options)).toMatchObject({ eventsFolded: 4, eventsDeleted: 2, complete: true });
    expect(await left(workspace)).toEqual([3, 4]);
  });

  it("§10.6 counts from the time of receipt, not of occurrence", async () => {
    const workspace = await newWorkspace();
    await store(workspace, [event({ occurredAt: CUTOFF - 50 * DAY_MS })], NOW);
    expect(await run(NOW, options)).toMatchObject({ eventsDeleted: 0 });
    expect(await left(workspace)).toEqual([1]);
  });

  it("§10.6 stops at the first message to keep, so that the log has no gaps", async () => {
    const workspace = await newWorkspace();
    await received(workspace, CUTOFF - 2, CUTOFF + 1, CUTOFF - 1, CUTOFF + 2);
    expect(await run(NOW, options)).toMatchObject({ eventsDeleted: 1 });
    expect(await left(workspace)).toEqual([2, 3, 4]);
    expect(await run(NOW + 2, options)).toMatchObject({ eventsDeleted: 2 });
    expect(await left(workspace)).toEqual([4]);
  });

  it("§10.6 deletes only folded messages, however early a run stops", async () => {
    const workspace = await newWorkspace();
    await received(workspace, ...Array.from({ length: 4 }, (_, place) => CUTOFF - 10 + place));
    const stepSizes = { messages: 1, deletions: 1, summarized: 1, compared: 1, scored: 1 };
    for (let looks = 1; looks <= 4; looks += 1) {
      await startRun(NOW, { ...options, stepSizes, clock: clockUpAfter(looks) });
      const folded = await env.DB.prepare("SELECT watermark - (workspace << 32) AS n FROM folds WHERE workspace = ?")
        .bind(workspace.number)
        .first<number>("n");
      expect((await left(workspace))[0] ?? 5).toBeLessThanOrEqual((folded ?? 0) + 1);
    }
    await run(NOW, options);
    expect(Object.values((await readFold(workspace)).rollups).map(({ count }) => count)).toEqual([4]);
  });

  it("§10.6 deletes nothing past the watermark, also when asked for more", async () => {
    const workspace = await newWorkspace();
    await received(workspace, CUTOFF - 4, CUTOFF - 3, CUTOFF - 2, CUTOFF - 1);
    const session = openSession(databaseOf(env, workspace), "run_1");
    await expireLease();
    await acquireLease(session, workspace, 1, 2);
    const deleteAll = () => deleteExpired(session, workspace, { cutoff: CUTOFF, limit: 100 });
    await deleteAll();
    expect(await left(workspace)).toEqual([1, 2, 3, 4]);
    const { first } = ownRange(workspace);
    await env.DB.prepare("INSERT INTO folds (workspace, watermark) VALUES (?, ?)")
      .bind(workspace.number, first + 1)
      .run();
    expect(await deleteAll()).toEqual({ seq: first + 2, receivedAt: CUTOFF - 2 });
    expect(await left(workspace)).toEqual([3, 4]);
  });

  it("§10.6 keeps rollups and outcomes", async () => {
    const workspace = await newWorkspace();
    await received(workspace, CUTOFF - 3, CUTOFF - 2, CUTOFF - 1);
    await run(NOW, { retentionDays: 400 });
    const before = await readFold(workspace);
    expect(await run(NOW, options)).toMatchObject({ eventsDeleted: 3, accountsScored: 0 });
    expect(await readFold(workspace)).toEqual(before);
  });

  it("§10.6 uses no message number twice, even after the whole log was deleted", async () => {
    const workspace = await newWorkspace();
    await received(workspace, CUTOFF - 3, CUTOFF - 2);
    await run(NOW, options);
    expect(await left(workspace)).toEqual([]);
    await received(workspace, NOW, NOW);
    expect(await left(workspace)).toEqual([3, 4]);
    expect(await run(NOW, options)).toMatchObject({ eventsFolded: 2 });
    expect(Object.values((await readFold(workspace)).rollups)).toHaveLength(2);
  });

  it("§10.6 finds duplicates as long as the first message is kept", async () => {
    const workspace = await newWorkspace();
    const message = event({ occurredAt: CUTOFF - 1 });
    await store(workspace, [message], CUTOFF - 1);
    const again = () =>
      storeBatch(env, workspace, "key_1", { source: "cdp", receivedAt: NOW, messages: [message], rejections: [] });
    await run(NOW - DAY_MS, options);
    expect(await again()).toMatchObject({ stored: 0, duplicates: 1 });
    await run(NOW, options);
    expect(await again()).toMatchObject({ stored: 1, duplicates: 0 });
  });

  it("§10.6 keeps counting deleted messages in the administration", async () => {
    await newWorkspace();
    const { id, ref } = await adminWorkspace();
    await received(await ref(), CUTOFF - 2, CUTOFF - 1);
    const counters = async () => (await admin("GET", `/workspaces/${id}`)).body.workspace?.["counters"];
    expect(await counters()).toMatchObject({ stored: 2 });
    await run(NOW, options);
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

  it("§10.6 deletes after the hot days only without an archive", () => {
    expect(recomputeSettings(envWith({ HOT_DAYS: "9", ARCHIVE_DAYS: "0" })).retentionDays).toBe(9);
    expect(recomputeSettings(envWith({ HOT_DAYS: "9", ARCHIVE_DAYS: "1" })).retentionDays).toBe(Infinity);
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

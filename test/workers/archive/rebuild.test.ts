/** docs/recompute.md §10.7: a rebuild folds archived messages again, as if they were still in the log. */
import { env } from "cloudflare:workers";
import * as fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";

import { DAY_MS } from "../../../src/core/durations.ts";
import type { Message } from "../../../src/core/ingest/message.ts";
import type { WorkspaceRef } from "../../../src/db/client/database.ts";
import { requestRebuild } from "../../../src/db/recompute/rebuild-sql.ts";
import { eraseUserRows } from "../../../src/db/users/erase-user-rows.ts";
import { type ArchiveOptions, archiveWorkspace } from "../../../src/services/archive/archive-workspace.ts";
import { message } from "../db/message-arbitraries.ts";
import { contents } from "../moves/twins.ts";
import {
  anotherWorkspace,
  attributes,
  DAY,
  event,
  morningOf,
  newWorkspace,
  run,
  startRun,
  store,
} from "../recompute/runs.ts";
import { databaseWith, envWith } from "../support/faulty-env.ts";
import { faultyBucket } from "../support/faulty-bucket.ts";
import { expireLeases } from "../support/leases.ts";
import { miscount } from "../recompute/wrong-rows.ts";
import { cases, places } from "../../thorough.ts";

const NOW = morningOf(DAY);
const NEXT = morningOf(DAY + 1);
const DAYS = 5;
const FIRST = DAY - DAYS;

/** Small, so that a file takes several steps. */
const STEPS = { messages: 3, summarized: 100, compared: 100, scored: 100 };

afterEach(() => expireLeases());

const archive = (workspace: WorkspaceRef, options: Partial<ArchiveOptions> = {}, changed: Env = envWith({})) =>
  archiveWorkspace(changed, workspace, { now: NOW, through: DAY, clock: () => NOW, ...options });

/** When accounts are due, which a rebuild changes. */
const SCHEDULE = /"(summarize_from|score_from|due_at)":[^,}]+/g;

const ARCHIVED = /"(archived_until|quiet_through)":[^,}]+/g;

/** Everything but the messages themselves. */
async function derived(workspace: WorkspaceRef): Promise<Record<string, string[]>> {
  const { messages: _, archiveFiles: __, archiveErasures: ___, ...rows } = await contents(envWith({}), workspace);
  const { accountProgress = [], folds = [] } = rows;
  return {
    ...rows,
    accountProgress: accountProgress.map((row) => row.replaceAll(SCHEDULE, "")),
    folds: folds.map((row) => row.replaceAll(ARCHIVED, "")),
  };
}

const countOf = async (table: "messages" | "archive_files", { number }: WorkspaceRef): Promise<number> => {
  const key = table === "messages" ? "seq" : "first";
  const found = await env.DB.prepare(`SELECT count(*) AS n FROM ${table} WHERE ${key} >> 32 = ?`).bind(number).first();
  return Number(found?.["n"]);
};

/** Messages by day, with ids of their own. */
const messagesOfDays: fc.Arbitrary<Message[][]> = fc
  .array(fc.array(message, { maxLength: 8 }), { minLength: DAYS, maxLength: DAYS })
  .filter((days) => days.some((sent) => sent.length > 0))
  .map((days) =>
    days.map((sent, day) =>
      sent.map((each, place) => ({
        ...each,
        messageId: `${day} ${place}`,
        // Some are late.
        occurredAt: (FIRST + day - (place % 3 === 2 ? 1 : 0)) * DAY_MS + 1_000 + place,
      })),
    ),
  );

async function storeDays(workspace: WorkspaceRef, days: readonly Message[][]): Promise<void> {
  for (const [day, sent] of days.entries()) {
    if (sent.length > 0) await store(workspace, sent, (FIRST + day) * DAY_MS + 50_000);
  }
}

const momentOf = (day: number, place: number) => (FIRST + day) * DAY_MS + place;

/** A person without an account, one with a personal account, and one whose attributes went to a company. */
const everyKind = (): Message[][] => {
  const identify = { type: "identify", event: null, accountId: null } as const;
  return [
    [
      event({ occurredAt: momentOf(0, 1) }),
      event({ ...identify, occurredAt: momentOf(0, 2), userId: "waits", attributes: { plan: "pro" } }),
      event({ ...identify, occurredAt: momentOf(0, 3), userId: "joins", attributes: { seats: 4 } }),
      event({ occurredAt: momentOf(0, 4), accountId: null, userId: "alone" }),
      attributes({ occurredAt: momentOf(0, 5), attributes: { mrr: 7, currency: "USD" } }),
    ],
    [
      event({ ...identify, occurredAt: momentOf(1, 1), userId: "alone", attributes: { plan: "solo" } }),
      event({ occurredAt: momentOf(1, 2), type: "group", event: null, userId: "joins" }),
      event({ occurredAt: momentOf(1, 3), userId: "joins", event: "board.shared" }),
      event({ occurredAt: momentOf(0, 9), userId: null }),
    ],
    [
      event({ occurredAt: momentOf(2, 1), userId: "u2" }),
      event({ occurredAt: momentOf(2, 2), accountId: null, userId: "alone" }),
    ],
  ];
};

/** Makes a workspace with three files and a requested rebuild. One of its people is erased, but not from the files yet. */
async function toRebuild(): Promise<WorkspaceRef> {
  const workspace = await newWorkspace();
  await storeDays(workspace, everyKind());
  await run(NOW);
  await archive(workspace, { through: FIRST + 1, maxMessages: 4 });
  await eraseUserRows(env, workspace, "alone");
  expect(await countOf("archive_files", workspace)).toBe(3);
  await requestRebuild(env, workspace);
  return workspace;
}

describe("§10.7 a rebuild of an archived workspace", { timeout: 300_000 }, () => {
  it("§10.7 changes nothing, and gives the same as one that never archived", async () => {
    const user = fc.constantFrom("1", "o'brien", "__proto__", "😀");
    const erasures = fc.array(fc.record({ user, isBefore: fc.boolean() }), { maxLength: 3 });
    const stop = fc.record({
      maxStatements: fc.integer({ min: 10, max: 120 }),
      maxMessages: fc.integer({ min: 1, max: 9 }),
    });
    let archivedAll = 0;
    await fc.assert(
      fc.asyncProperty(
        messagesOfDays,
        erasures,
        stop,
        fc.boolean(),
        async (days, erased, { maxStatements, maxMessages }, rewrites) => {
          const workspace = await newWorkspace();
          const twin = await anotherWorkspace();
          for (const each of [workspace, twin]) await storeDays(each, days);
          await run(NOW);
          const eraseWhere = async (isBefore: boolean) => {
            for (const each of [workspace, twin]) {
              for (const one of erased) if (one.isBefore === isBefore) await eraseUserRows(env, each, one.user);
            }
          };
          await eraseWhere(true);
          // It stops anywhere, also in the middle of a day.
          await archive(workspace, { maxStatements, maxMessages });
          await eraseWhere(false);
          if (rewrites) await archive(workspace, { through: FIRST - 9 });
          // The same person may come again.
          const again = days.flat().map((sent) => ({ ...sent, messageId: `again ${sent.messageId}`, occurredAt: NOW }));
          if (again.length > 0) for (const each of [workspace, twin]) await store(each, again.slice(0, 3), NOW);
          await run(NEXT);
          const before = await derived(workspace);
          expect(before).toEqual(await derived(twin));
          const inLog = await countOf("messages", workspace);
          for (const each of [workspace, twin]) await requestRebuild(env, each);
          await run(NEXT, { stepSizes: STEPS });
          expect(await derived(workspace)).toEqual(before);
          expect(await derived(twin)).toEqual(before);
          expect(await countOf("messages", workspace)).toBe(inLog);
          archivedAll += await countOf("archive_files", workspace);
        },
      ),
      { numRuns: cases(10) },
    );
    expect(archivedAll).toBeGreaterThan(10);
  });

  it.each(["archived", "erased before", "rewritten"] as const)(
    "§10.7 keeps what erased people's messages say of their company, and nothing else (%s)",
    async (state) => {
      const workspace = await newWorkspace();
      await storeDays(workspace, everyKind());
      await run(NOW);
      if (state !== "erased before") await archive(workspace);
      for (const user of ["waits", "joins", "alone"]) await eraseUserRows(env, workspace, user);
      if (state !== "archived") await archive(workspace);
      const before = await derived(workspace);
      expect(before["attributeDays"]?.join()).toContain("seats");
      expect(before["pendingAttributeDays"]).toEqual([]);
      await requestRebuild(env, workspace);
      await run(NOW);
      expect(await derived(workspace)).toEqual(before);
    },
  );

  it("§10.7 loses no message to a crash before any operation", async () => {
    let expected: Record<string, string[]> | undefined;
    for (const at of places()) {
      const workspace = await toRebuild();
      let operations = 0;
      const trip = async <T>(real: () => Promise<T>): Promise<T> => {
        operations += 1;
        if (operations < at) return real();
        throw new Error("a crash");
      };
      const failing = envWith({ DB: databaseWith(trip).DB, ARCHIVE: faultyBucket(env.ARCHIVE, trip) });
      await startRun(NOW, { stepSizes: STEPS }, failing).catch(() => undefined);
      expect(await countOf("messages", workspace)).toBe(2);
      await expireLeases();
      await run(NOW, { stepSizes: STEPS });
      const rows = await derived(workspace);
      expected ??= rows;
      expect(rows, `a crash before operation ${at}`).toEqual(expected);
      if (operations < at) break;
    }
  });

  it("§10.7 keeps the days of files that are past their retention", async () => {
    const workspace = await newWorkspace();
    await storeDays(workspace, everyKind());
    await run(NOW);
    await archive(workspace);
    const before = await derived(workspace);
    // The archive crashes after it has deleted the first file, and before the manifest has forgotten it.
    let isDeleted = false;
    const crashing = envWith({
      HOT_DAYS: "7",
      ARCHIVE_DAYS: "1",
      ARCHIVE: faultyBucket(env.ARCHIVE, async (real) => {
        isDeleted = true;
        return real();
      }),
      DB: databaseWith(async (real) => {
        if (isDeleted) throw new Error("a crash");
        return real();
      }).DB,
    });
    const later = (FIRST + 9) * DAY_MS;
    await expect(archive(workspace, { now: later }, crashing)).rejects.toThrow("a crash");
    expect(await countOf("archive_files", workspace)).toBe(3);
    await expireLeases();
    await miscount(workspace);
    await requestRebuild(env, workspace);
    expect(await run(NOW)).toMatchObject({ complete: true });
    const { results } = await env.DB.prepare(
      "SELECT DISTINCT day, count FROM rollups WHERE account >> 32 = ? ORDER BY day",
    )
      .bind(workspace.number)
      .all();
    expect(results).toEqual([
      { day: FIRST, count: 99 },
      { day: FIRST + 1, count: 99 },
      { day: FIRST + 2, count: 1 },
    ]);
    expect((await derived(workspace))["attributeDays"]).toEqual(before["attributeDays"]);
  });

  it("§10.7 waits with deleting files that a rebuild reads", async () => {
    const workspace = await newWorkspace();
    await storeDays(workspace, everyKind());
    await run(NOW);
    await archive(workspace);
    const before = await derived(workspace);
    await requestRebuild(env, workspace);
    const expired = { now: NOW + 99 * DAY_MS };
    await archive(workspace, expired, envWith({ ARCHIVE_DAYS: "1" }));
    await run(NOW, { stepSizes: STEPS });
    expect(await derived(workspace)).toEqual(before);
    await archive(workspace, expired, envWith({ ARCHIVE_DAYS: "1" }));
    expect(await countOf("archive_files", workspace)).toBe(0);
  });
});

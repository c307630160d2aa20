/** A message is never in neither tier and never in both, whatever fails, and whoever is erased meanwhile. */
import { env } from "cloudflare:workers";
import fc from "fast-check";
import { afterEach, describe, expect, it } from "vitest";

import { readParquet } from "../../../src/archive/parquet.ts";
import { ArchiveFileMissing, ArchiveUnavailable, sha256 } from "../../../src/archive/store.ts";
import { DAY_MS } from "../../../src/core/durations.ts";
import type { WorkspaceRef } from "../../../src/db/client/database.ts";
import { eraseUserRows } from "../../../src/db/users/erase-user-rows.ts";
import { type ArchiveOptions, archiveWorkspace } from "../../../src/services/archive/archive-workspace.ts";
import { runMove } from "../../../src/services/moves/move-workspace.ts";
import { exportPage } from "../../../src/services/archive/read-archive.ts";
import { DAY, event, newWorkspace, run, store } from "../recompute/runs.ts";
import { finishMove, lateClock, startMove } from "../moves/moving.ts";
import { databaseWith, envWith } from "../support/faulty-env.ts";
import { faultyBucket, staleBucket } from "../support/faulty-bucket.ts";
import { expireLeases } from "../support/leases.ts";
import { cases, places } from "../../thorough.ts";

/** A crash: the run goes no further. */
class Crash extends Error {}

const NOW = (DAY + 1) * DAY_MS;
const FROM = DAY - 45;
const OPTIONS: ArchiveOptions = { now: NOW, clock: () => NOW, maxMessages: 2 };
const USERS = ["u1", "u2", "u3"];

afterEach(() => expireLeases());

/** Stores and folds messages of several days, the last of them hot. @returns the ids and users, in order */
async function oldMessages(workspace: WorkspaceRef): Promise<{ id: string; user: string }[]> {
  const days = [DAY - 40, DAY - 40, DAY - 40, DAY - 39, DAY - 39, DAY, DAY];
  const made = days.map((day, place) => ({ user: USERS[place % USERS.length] ?? "", at: day * DAY_MS }));
  const sent = made.map(({ user, at }) => event({ occurredAt: at, userId: user, properties: { secret: user } }));
  for (const at of new Set(made.map((each) => each.at))) {
    await store(
      workspace,
      sent.filter(({ occurredAt }) => occurredAt === at),
      at,
    );
  }
  await run(NOW);
  return sent.map(({ messageId }, place) => ({ id: messageId ?? "", user: made[place]?.user ?? "" }));
}

/** Reads what the log and the files of the manifest hold, in order, without regard to who was erased. */
async function held({ id, number, database }: WorkspaceRef) {
  const db = database === "DB" ? env.DB : env.DB_1;
  const [stored, listed] = await db.batch<Record<string, string | number>>([
    db.prepare("SELECT message_id, properties FROM messages WHERE workspace = ? ORDER BY seq").bind(number),
    db
      .prepare(
        "SELECT first & 0xffffffff AS first, last & 0xffffffff AS last, day, sha256 FROM archive_files WHERE first >> 32 = ? ORDER BY first",
      )
      .bind(number),
  ]);
  const log = stored?.results ?? [];
  const archived = [];
  let isRecorded = true;
  for (const { first, last, day, sha256: recorded } of listed?.results ?? []) {
    const date = new Date(Number(day) * DAY_MS).toISOString().slice(0, 10);
    const object = await env.ARCHIVE.get(`v1/${id}/received_date=${date}/${first}-${last}.parquet`);
    if (object === null) throw new Error("a listed file is missing");
    const bytes = await object.arrayBuffer();
    isRecorded &&= (await sha256(bytes)) === recorded;
    archived.push(...(await readParquet(bytes)));
  }
  return {
    log: log.map((row) => String(row["message_id"])),
    files: archived.map(({ messageId }) => messageId),
    /** Whether the manifest knows the versions of the files. */
    isRecorded,
    secrets: JSON.stringify([log, archived.map(({ properties, userId }) => [properties, userId])]),
  };
}

/** Whether R2 returns what its files were before they were last written. */
let isStale = false;
const ARCHIVE = staleBucket(env.ARCHIVE, () => isStale);
const calm = envWith({ ARCHIVE });

/** @returns `null` when the export has to be asked for again */
async function exportedIds(workspace: WorkspaceRef): Promise<string[] | null> {
  try {
    const { lines } = await exportPage(calm, workspace, { from: FROM, to: DAY + 1 }, null, NOW);
    return lines.map((line): string => JSON.parse(line).message_id);
  } catch (error) {
    if (error instanceof ArchiveUnavailable || (isStale && error instanceof ArchiveFileMissing)) return null;
    throw error;
  }
}

async function expectEachOnce(
  workspace: WorkspaceRef,
  sent: { id: string; user: string }[],
  erased: ReadonlySet<string> = new Set(),
) {
  const { log, files, isRecorded } = await held(workspace);
  expect([...files, ...log]).toEqual(sent.map(({ id }) => id));
  const shown = sent.filter(({ user }) => !erased.has(user)).map(({ id }) => id);
  expect(await exportedIds(workspace)).toEqual(isRecorded ? shown : null);
  isStale = true;
  expect([shown, null]).toContainEqual(await exportedIds(workspace));
  isStale = false;
}

/** Runs the archive with a fault at an operation. @returns how many operations there were */
async function runWithFault(
  workspace: WorkspaceRef,
  at: number,
  fault: "before" | "after" | "lost" | "stale",
  then: () => Promise<void> = async () => undefined,
): Promise<number> {
  let operations = 0;
  const trip = async <T>(real: () => Promise<T>): Promise<T> => {
    operations += 1;
    if (operations < at) return real();
    // A crashed run sends nothing more. Otherwise only one answer is lost, or all files are stale.
    if (operations > at) {
      if (fault === "lost" || fault === "stale") return real();
      throw new Crash();
    }
    isStale = fault === "stale";
    if (fault === "before") throw new Crash();
    const result = await real();
    await then();
    if (fault === "after") throw new Crash();
    return result;
  };
  const { DB } = databaseWith(trip);
  const failing = envWith({ DB, ARCHIVE: faultyBucket(ARCHIVE, trip) });
  await archiveWorkspace(failing, workspace, OPTIONS).catch((error: unknown) => {
    // A paused run may find that another one has written the file.
    const isExpected = [Crash, ArchiveUnavailable].some((each) => error instanceof each);
    if (!isExpected && !(fault === "stale" && error instanceof ArchiveFileMissing)) throw error;
  });
  isStale = false;
  return operations;
}

async function finish(workspace: WorkspaceRef): Promise<void> {
  await expireLeases();
  for (let runs = 0; runs < 5; runs += 1) {
    const result = await archiveWorkspace(calm, workspace, OPTIONS).catch(() => null);
    if (result?.complete) return;
    await expireLeases();
  }
  throw new Error("the archive is never complete");
}

describe("§17 a crash of the archive", { timeout: 300_000 }, () => {
  it("before any operation loses no message and shows none twice", async () => {
    for (const at of places()) {
      const workspace = await newWorkspace();
      const sent = await oldMessages(workspace);
      const operations = await runWithFault(workspace, at, "before");
      await expectEachOnce(workspace, sent);
      await finish(workspace);
      await expectEachOnce(workspace, sent);
      expect((await held(workspace)).log).toHaveLength(2);
      expect((await env.ARCHIVE.list({ prefix: `v1/${workspace.id}/` })).objects).toHaveLength(3);
      if (operations < at) break;
    }
  });

  it("with an erasure at any operation leaves nothing of the person", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          fc.record({
            at: fc.integer({ min: 1, max: 40 }),
            fault: fc.constantFrom("before", "after", "lost", "stale"),
            user: fc.option(fc.constantFrom(...USERS)),
          }),
          { minLength: 1, maxLength: 5 },
        ),
        async (faults) => {
          const workspace = await newWorkspace();
          const sent = await oldMessages(workspace);
          const erased = new Set<string>();
          for (const { at, fault, user } of faults) {
            const erase = async () => {
              if (user === null) return;
              erased.add(user);
              await eraseUserRows(calm, workspace, user);
            };
            // The erasure comes in the middle of the run, or after it.
            const operations = await runWithFault(workspace, at, fault, erase);
            if (operations < at || fault === "before") await erase();
            await expectEachOnce(workspace, sent, erased);
            await expireLeases();
          }
          await finish(workspace);
          await expectEachOnce(workspace, sent, erased);
          const { secrets, log } = await held(workspace);
          expect(log).toHaveLength(2);
          for (const user of USERS) expect(secrets.includes(`"${user}"`)).toBe(!erased.has(user));
        },
      ),
      { numRuns: cases(15) },
    );
  });

  it("does not let a run that was paused write or delete anything after another one has taken over", async () => {
    for (const at of places()) {
      const workspace = await newWorkspace();
      const sent = await oldMessages(workspace);
      let taken = false;
      const operations = await runWithFault(workspace, at, "lost", async () => {
        taken = true;
        await finish(workspace);
        await eraseUserRows(calm, workspace, "u1");
        await finish(workspace);
      });
      if (!taken) await eraseUserRows(calm, workspace, "u1");
      await expectEachOnce(workspace, sent, new Set(["u1"]));
      await finish(workspace);
      await expectEachOnce(workspace, sent, new Set(["u1"]));
      expect((await held(workspace)).secrets).not.toContain('"u1"');
      if (operations < at) break;
    }
  });

  it("does not let a run that was paused change anything after the workspace has moved", async () => {
    for (let at = 1; ; at += 5) {
      const workspace = await newWorkspace();
      const sent = await oldMessages(workspace);
      let moved = workspace;
      const operations = await runWithFault(workspace, at, "lost", async () => {
        await expireLeases();
        await startMove(workspace.id, "DB_1");
        // The rows that are left behind are erased later, when no such run can be left.
        while (!(await runMove(calm, workspace, { clock: lateClock })));
        moved = { ...workspace, database: "DB_1" };
        await archiveWorkspace(calm, moved, { ...OPTIONS, maxStatements: 10 });
      });
      await finishMove(workspace);
      await expectEachOnce(moved, sent);
      await finish(moved);
      await expectEachOnce(moved, sent);
      expect((await held(moved)).log).toHaveLength(2);
      if (operations < at) break;
    }
  });
});

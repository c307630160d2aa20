/** docs/recompute.md §10.8: the outbox has the news and nothing else, however runs end. */
import { env } from "cloudflare:workers";
import { eq } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { ITEM_KINDS, SEVERITIES } from "../../../src/core/inbox/model.ts";
import type { WorkspaceRef } from "../../../src/db/client/database.ts";
import { requestRebuild } from "../../../src/db/recompute/rebuild-sql.ts";
import { destinations } from "../../../src/db/schema/schema.ts";
import { fated } from "../db/faulty-database.ts";
import { busyWorkspace, NOW, STEPS } from "../recompute/busy-workspace.ts";
import { DAY, morningOf, newWorkspace, run, startRun, store } from "../recompute/runs.ts";
import { DAYS, FIRST_DAY, smallWorkspace } from "../recompute/small-workspace.ts";
import { addDestination, markOwner } from "../support/destinations.ts";
import { D1_BROKEN, databaseWith, envWith } from "../support/faulty-env.ts";
import { expireLeases } from "../support/leases.ts";
import { newsBetween, storedNews, takeSnapshot } from "./naive-news.ts";
import { cases, placesUpTo } from "../../thorough.ts";

const filter = fc.record(
  {
    kinds: fc.uniqueArray(fc.constantFrom(...ITEM_KINDS), { minLength: 1, maxLength: 8 }),
    minSeverity: fc.constantFrom(...SEVERITIES),
    minMrr: fc.constantFrom(0, 10, 100),
    owner: fc.constantFrom("ann", "bob"),
  },
  { requiredKeys: [], noNullPrototype: true },
);
const events = fc.subarray(["inbox.opened", "inbox.resolved", "health.changed"] as const, { minLength: 1 });
const anyDestination = fc.record({ events, filter, since: fc.nat(20), disabledFrom: fc.option(fc.nat(20)) });

/** Runs the recompute to its end, though it loses answers and crashes. */
async function runThrough(now: number, crashAt: number | null): Promise<void> {
  if (crashAt !== null) {
    const { DB } = databaseWith((step, trip) => (trip > crashAt ? Promise.reject(new Error(D1_BROKEN)) : step()));
    await startRun(now, { stepSizes: STEPS }, envWith({ DB })).catch(() => undefined);
    await expireLeases();
  }
  await run(now);
}

async function assignOwners({ number }: WorkspaceRef): Promise<void> {
  const { results } = await env.DB.prepare("SELECT number FROM accounts WHERE workspace = ? ORDER BY number")
    .bind(number)
    .all<{ number: number }>();
  for (const [index, account] of results.entries())
    if (index < 2) await markOwner(account.number, ["ann", "bob"][index] ?? "");
}

describe("§10.8 the outbox", () => {
  it("§10.8 equals the news of every run, with late messages, crashes and rebuilds", { timeout: 300_000 }, async () => {
    const reached = new Set<string>();
    const late = fc.func(fc.integer({ min: -30, max: 12 }));
    const crash = fc.func(fc.option(fc.integer({ min: 4, max: 30 }), { freq: 2 }));
    const runs = fc.uniqueArray(fc.integer({ min: 30, max: DAYS }), { minLength: 8, maxLength: 14 });
    // A workspace that was never folded has nothing to rebuild.
    const rebuildAt = fc.integer({ min: 1, max: 20 });
    await fc.assert(
      fc.asyncProperty(
        smallWorkspace,
        late,
        runs,
        crash,
        rebuildAt,
        fc.array(anyDestination, { minLength: 1, maxLength: 3 }),
        async (days, daysLate, runDays, crashAt, rebuild, wanted) => {
          const workspace = await newWorkspace();
          const all = { events: ["inbox.opened", "inbox.resolved", "health.changed"] as const, filter: {} };
          const others = [{ ...all, events: [...all.events], since: 0, disabledFrom: null }, ...wanted];
          const numbers = new Map<number, number>();
          const arrivals = days.flatMap((messages, day) =>
            messages.map((message, index) => ({ message, on: day + Math.max(0, daysLate(day * 100 + index)) })),
          );
          const expected = new Set<string>();
          let quietThrough = -Infinity;
          let stored = -1;
          for (const [index, until] of runDays.toSorted((a, b) => a - b).entries()) {
            const came = arrivals.filter(({ on }) => on > stored && on < until);
            if (came.length > 0)
              await store(
                workspace,
                came.map(({ message }) => message),
                (FIRST_DAY + until) * 86_400_000 - 1,
              );
            stored = until - 1;
            if (index === 0) await assignOwners(workspace);
            for (const [which, { since, disabledFrom, ...fields }] of others.entries()) {
              if (since <= index && !numbers.has(which)) numbers.set(which, await addDestination(workspace, fields));
              const number = numbers.get(which);
              if (number !== undefined && disabledFrom !== null && disabledFrom <= index)
                await drizzle(env.DB)
                  .update(destinations)
                  .set({ disabledAt: 1 })
                  .where(eq(destinations.number, number));
            }
            const lastDay = FIRST_DAY + until - 1;
            if (rebuild === index) {
              await requestRebuild(env, workspace);
              quietThrough = lastDay;
            }
            const before = await takeSnapshot(workspace);
            await runThrough(morningOf(FIRST_DAY + until), crashAt(index));
            const after = await takeSnapshot(workspace);
            for (const told of newsBetween(before, after, lastDay, quietThrough)) expected.add(told);
            expect((await storedNews(workspace)).toSorted()).toEqual([...expected].toSorted());
          }
          for (const told of expected) reached.add(told.split(" ")[1] ?? "");
        },
      ),
      { numRuns: cases(12) },
    );
    expect([...reached].toSorted()).toEqual(["health.changed", "inbox.opened", "inbox.resolved"]);
  });

  it("§10.8 equals the news after a crash at any statement", { timeout: 300_000 }, async () => {
    const counted = databaseWith((step) => step());
    const undisturbed = await newsOf(await busyWithDestinations(), () =>
      startRun(NOW, { stepSizes: STEPS }, envWith({ DB: counted.DB })),
    );
    expect(undisturbed.stored).toEqual(undisturbed.expected);
    expect(undisturbed.stored.length).toBeGreaterThan(3);
    for (const last of placesUpTo(counted.trips())) {
      const { DB } = databaseWith((step, trip) => (trip > last ? Promise.reject(new Error(D1_BROKEN)) : step()));
      const workspace = await busyWithDestinations();
      const crashed = await newsOf(workspace, () =>
        startRun(NOW, { stepSizes: STEPS }, envWith({ DB })).catch(() => undefined),
      );
      expect(crashed.stored, `after trip ${last}`).toEqual(crashed.expected);
      await expireLeases();
      await run(NOW, { stepSizes: STEPS });
      expect(told(workspace, await storedNews(workspace)), `after trip ${last}`).toEqual(undisturbed.stored);
    }
  });

  it.each(["answer lost", "request lost"] as const)(
    "§10.8 has all news once when every first attempt fails (%s)",
    { timeout: 120_000 },
    async (fate) => {
      const fates = Array.from({ length: 200 }, () => [fate, "answered"] as const).flat();
      const { stored, expected } = await newsOf(await busyWithDestinations(), () =>
        startRun(NOW, { stepSizes: STEPS }, fated(...fates)),
      );
      expect(stored).toEqual(expected);
      expect(stored.length).toBeGreaterThan(3);
    },
  );
});

async function busyWithDestinations(): Promise<WorkspaceRef> {
  const workspace = await busyWorkspace(false);
  await addDestination(workspace);
  await addDestination(workspace, { events: ["health.changed"] });
  return workspace;
}

/** Replaces the numbers of a workspace's rows by those within it. */
const told = ({ number }: WorkspaceRef, news: readonly string[]): string[] =>
  news.map((each) => each.replaceAll(/\d{8,}/g, (text) => String(Number(text) - number * 2 ** 32))).toSorted();

async function newsOf(workspace: WorkspaceRef, work: () => Promise<unknown>) {
  const before = await takeSnapshot(workspace);
  await work();
  const expected = newsBetween(before, await takeSnapshot(workspace), DAY - 1);
  return { stored: told(workspace, await storedNews(workspace)), expected: told(workspace, expected) };
}

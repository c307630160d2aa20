/**
 * docs/recompute.md §10.2 and §10.3: the fold of the log, compared with a naive one, and which accounts it makes due.
 */
import { env } from "cloudflare:workers";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { DAY_MS } from "../../../src/core/durations.ts";
import type { AccountAttributes, Message } from "../../../src/core/ingest/message.ts";
import type { WorkspaceRef } from "../../../src/db/client/database.ts";
import { readFold, readLog } from "./folded-state.ts";
import { naiveFold } from "./naive-fold.ts";
import { attributes, clockUpAfter, DAY, event, morningOf, newWorkspace, run, startRun, store } from "./runs.ts";
import { cases } from "../../thorough.ts";

const RUNS = 25;

const user = fc.constantFrom("u1", "u2", "u3", "u4", "u5", "u6", "u7", "u8");
const account = fc.constantFrom("acme", "u1", "o'brien");
/** Times around now, long ago and before 1970, also at the edges of days. */
const occurredAt = fc
  .tuple(
    fc.oneof(fc.integer({ min: DAY - 4, max: DAY + 2 }), fc.constantFrom(DAY - 200, -1, -700_000)),
    fc.oneof(fc.constantFrom(0, 1, DAY_MS - 1), fc.integer({ min: 0, max: DAY_MS - 1 })),
  )
  .map(([day, time]) => day * DAY_MS + time);
const values = fc.record(
  {
    stage: fc.constantFrom("trial", "paid", null),
    seats: fc.constantFrom(1, 5, null),
    mrr: fc.constantFrom(0, 99.5, null),
    plan: fc.constantFrom("pro", 'say "hi"', ""),
  },
  { requiredKeys: [] },
);

/** Messages as the mapping makes them: a group, or a message without a user, names an account. */
const message: fc.Arbitrary<Message> = fc
  .record({
    type: fc.constantFrom<Message["type"][]>("track", "track", "identify", "identify", "group"),
    userId: fc.option(user, { freq: 9 }),
    accountId: fc.option(account, { freq: 2 }),
    event: fc.constantFrom("report.exported", "board.shared", "é"),
    attributes: fc.option(values, { freq: 2 }),
    occurredAt,
  })
  .map((some) =>
    event({
      ...some,
      accountId: some.accountId ?? (some.type === "group" || some.userId === null ? "acme" : null),
      event: some.type === "track" ? some.event : null,
      attributes: some.attributes !== null && Object.keys(some.attributes).length > 0 ? some.attributes : null,
    }),
  );

const size = fc.integer({ min: 1, max: 7 });
const sizes = fc.record({ messages: size, summarized: size, rollups: size, compared: size, scored: size });
/** A batch of the stream and the runs after it, each some hours later. */
const part = fc.tuple(
  fc.array(message, { maxLength: 12 }),
  fc.array(fc.tuple(fc.integer({ min: 0, max: 30 }), sizes), { maxLength: 2 }),
);

describe("§10.2 the fold", () => {
  it(
    "§10.2 equals a naive fold, for any messages, order, batches, steps and runs in between",
    { timeout: 120_000 },
    async () => {
      const reached = { late: 0, pending: 0, ofOne: 0, noUser: 0 };
      await fc.assert(
        fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 4 }), sizes, async (parts, stepSizes) => {
          const workspace = await newWorkspace();
          let now = morningOf(DAY - 2);
          for (const [messages, runs] of parts) {
            if (messages.length > 0) await store(workspace, messages, now);
            for (const [hours, own] of runs) {
              now += hours * 3_600_000;
              await run(now, { stepSizes: own });
              const fold = await readFold(workspace);
              expect(fold).toEqual(await naiveFoldOf(workspace, now));
              reached.pending += Number(Object.keys(fold.pending).length > 0);
            }
          }
          await run(now, { stepSizes });
          const fold = await readFold(workspace);
          expect(fold).toEqual(await naiveFoldOf(workspace, now));

          reached.late += Number(Object.keys(fold.rollups).some((key) => key.includes(" -1 ")));
          reached.noUser += Number(Object.keys(fold.rollups).some((key) => / \d+ {2}/.test(key)));
          reached.ofOne += Number(Object.keys(fold.activity).some((key) => key.startsWith("solo:")));
        }),
        { numRuns: cases(2 * RUNS) },
      );
      // Otherwise the property would prove nothing.
      expect(Math.min(...Object.values(reached)), JSON.stringify(reached)).toBeGreaterThan(0);
    },
  );
});

describe("§10.2 an account's attributes over time", () => {
  it("§10.2 are its changes, with the first 256 characters of a text, and an older message moves them", async () => {
    const workspace = await newWorkspace();
    const on = (day: number, set: AccountAttributes) =>
      store(workspace, [attributes({ occurredAt: morningOf(day), attributes: set })], morningOf(DAY));
    const long = "a".repeat(256);
    await on(DAY - 9, { plan: `${long}1`, seats: 5, mrr: null });
    await on(DAY - 8, { plan: `${long}2`, seats: 5 });
    await on(DAY - 7, { plan: null, seats: 6 });
    await run(morningOf(DAY));
    const first = [DAY - 9, { plan: long, seats: 5 }];
    const timeline = async () => (await readFold(workspace)).timelines["company:acme"];
    expect(await timeline()).toEqual([first, [DAY - 7, { plan: null, seats: 6 }]]);
    await on(DAY - 8, { seats: 6 });
    await run(morningOf(DAY) + 1);
    expect(await timeline()).toEqual([first, [DAY - 8, { seats: 6 }], [DAY - 7, { plan: null }]]);
  });
});

describe("§10.3 due accounts", () => {
  it("§10.3 an event of a complete day makes its account due at once, from that day on", async () => {
    const workspace = await newWorkspace();
    await store(workspace, [event({ occurredAt: morningOf(DAY - 1) })]);
    await run(morningOf(DAY));
    expect(await activityOf(workspace)).toEqual({ due_at: (DAY + 1) * DAY_MS, score_from: DAY, summarize_from: null });

    await store(workspace, [event({ occurredAt: morningOf(DAY - 2) })], morningOf(DAY));
    await foldOnly(workspace, morningOf(DAY) + 1);
    expect(await activityOf(workspace)).toEqual({ due_at: 0, score_from: DAY - 2, summarize_from: DAY - 2 });
  });

  it("§10.3 an event of today makes its account due at midnight", async () => {
    const workspace = await newWorkspace();
    await store(workspace, [event({ occurredAt: morningOf(DAY - 3) })]);
    await run(morningOf(DAY));
    await store(workspace, [event({ occurredAt: morningOf(DAY) })]);
    expect(await run(morningOf(DAY) + 1)).toMatchObject({ eventsFolded: 1, accountsScored: 0 });
    expect(await activityOf(workspace)).toEqual({ due_at: (DAY + 1) * DAY_MS, score_from: DAY, summarize_from: DAY });
    expect(Object.keys((await readFold(workspace)).accountDays)).toEqual([`company:acme ${DAY - 3}`]);

    expect(await run(morningOf(DAY + 1))).toMatchObject({ eventsFolded: 0, accountsScored: 1 });
    expect(Object.keys((await readFold(workspace)).accountDays)).toContain(`company:acme ${DAY}`);
  });

  it("§10.3 a new account is due at once, even with events of today only", async () => {
    const workspace = await newWorkspace();
    await store(workspace, [event({ occurredAt: morningOf(DAY) })]);
    expect(await run(morningOf(DAY) + 1)).toMatchObject({ eventsFolded: 1, accountsScored: 1 });
  });

  it("§10.3 every account is due once after midnight, because silence sends no event", async () => {
    const workspace = await newWorkspace();
    await store(workspace, [
      event({ occurredAt: morningOf(DAY - 3) }),
      event({ occurredAt: morningOf(DAY - 3), userId: "u2", accountId: "globex" }),
    ]);
    expect(await run(morningOf(DAY))).toMatchObject({ accountsScored: 2 });
    expect(await run((DAY + 1) * DAY_MS - 1)).toMatchObject({ accountsScored: 0 });
    expect(await run((DAY + 1) * DAY_MS)).toMatchObject({ eventsFolded: 0, accountsScored: 2 });
    expect(await run((DAY + 1) * DAY_MS)).toMatchObject({ accountsScored: 0 });
  });
});

const naiveFoldOf = async (workspace: WorkspaceRef, now: number) =>
  naiveFold(await readLog(workspace), Math.floor(now / DAY_MS) - 1);

const activityOf = (workspace: WorkspaceRef) =>
  env.DB.prepare("SELECT due_at, score_from, summarize_from FROM account_progress WHERE workspace = ?")
    .bind(workspace.number)
    .first<{ due_at: number; score_from: number; summarize_from: number | null }>();

/** Stops a run right after it has folded. */
async function foldOnly(workspace: WorkspaceRef, now: number): Promise<void> {
  const last = (await readLog(workspace)).at(-1)?.seq;
  for (let looks = 1; ; looks += 1) {
    await startRun(now, { clock: clockUpAfter(looks) });
    const fold = await env.DB.prepare("SELECT watermark FROM folds WHERE workspace = ?")
      .bind(workspace.number)
      .first<number>("watermark");
    if (fold === last) return;
  }
}

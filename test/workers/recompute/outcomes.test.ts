/** docs/recompute.md §10.4: outcomes do not depend on when runs happened, nor on the order of arrival before them. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { Message } from "../../../src/core/ingest/message.ts";
import type { WorkspaceRef } from "../../../src/db/client/database.ts";
import * as eventful from "./eventful-workspace.ts";
import { anotherWorkspace, morningOf, newWorkspace, run, store } from "./runs.ts";
import { DAYS, FIRST_DAY, smallWorkspace } from "./small-workspace.ts";
import { forgetOutcomes, openItems, type Outcomes, readOutcomes } from "./stored-outcomes.ts";
import { cases } from "../../thorough.ts";

const END = morningOf(FIRST_DAY + DAYS);

/** Collects kinds and states, to show that a property reached some. */
class Reached {
  readonly #all = new Set<string>();

  add({ items, days }: Outcomes): void {
    for (const { kind } of Object.values(items)) this.#all.add(String(kind));
    for (const { state } of Object.values(days)) this.#all.add(String(state));
  }

  get all(): string[] {
    return [...this.#all].toSorted();
  }
}

describe("§10.4 one run over many days", () => {
  it("§10.4 equals 90 daily runs in health, history, items and comparisons", { timeout: 120_000 }, async () => {
    const daily = await newWorkspace();
    const days = Array.from({ length: eventful.DAYS }, (_, place) => eventful.messagesOf(place));
    for (const [place, messages] of days.entries()) {
      if (messages.length > 0) await store(daily, messages);
      await run(morningOf(eventful.FIRST_DAY + place + 1));
    }
    const once = await anotherWorkspace();
    for (const messages of days) if (messages.length > 0) await store(once, messages);
    await run(morningOf(eventful.FIRST_DAY + eventful.DAYS));

    const outcomes = await readOutcomes(once);
    expect(outcomes).toEqual(await readOutcomes(daily));
    const kinds = new Set(Object.values(openItems(outcomes)).map(({ kind }) => kind));
    expect([...kinds]).toEqual(
      expect.arrayContaining(["contraction", "feature_dropped", "gone_silent", "never_activated", "usage_drop"]),
    );
    expect([...kinds]).toEqual(
      expect.arrayContaining([
        "renewal_at_risk",
        "seats_nearly_full",
        "trial_ending_low_activity",
        "trial_expired",
        "usage_growth",
      ]),
    );
  });

  it("§10.4 equals runs at any times, for any order of arrival", { timeout: 120_000 }, async () => {
    const reached = new Reached();
    const runDays = fc.uniqueArray(fc.integer({ min: 1, max: DAYS - 1 }), { maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(smallWorkspace, runDays, fc.integer(), async (days, times, seed) => {
        reached.add(
          await expectOnceEquals(
            days,
            times.toSorted((a, b) => a - b),
            DAYS,
            seed,
          ),
        );
      }),
      { numRuns: cases(12) },
    );
    expect(reached.all.length, reached.all.join()).toBeGreaterThan(6);
  });
});

describe("§10.4 late messages", () => {
  it("§10.4 rewrite the history from their day on, as if they had arrived in time", { timeout: 120_000 }, async () => {
    const reached = new Reached();
    const isLate = fc.func(fc.nat(9).map((number) => number === 0));
    await fc.assert(
      fc.asyncProperty(smallWorkspace, isLate, fc.integer({ min: 20, max: DAYS - 1 }), async (days, late, firstRun) => {
        const workspace = await newWorkspace();
        // A message without an account can't be late: its account depends on earlier messages.
        const arrivesLate = ({ accountId, messageId }: Message) => accountId !== null && late(messageId);
        const before = days.slice(0, firstRun).flat();
        await storeAll(
          workspace,
          before.filter((message) => !arrivesLate(message)),
        );
        await run(morningOf(FIRST_DAY + firstRun));
        await storeAll(workspace, days.slice(firstRun).flat());
        await storeAll(workspace, before.filter(arrivesLate));
        await run(END);
        const outcomes = await readOutcomes(workspace);

        // Comparisons are final, so scoring again uses the same ones.
        await forgetOutcomes(workspace);
        await run(END);
        expect(outcomes).toEqual(await readOutcomes(workspace));
        reached.add(outcomes);
      }),
      { numRuns: cases(12) },
    );
    expect(reached.all.length, reached.all.join()).toBeGreaterThan(6);
  });
});

/**
 * Compares runs at several times with one run at the end, which gets the messages in another order.
 * @param times days by index, ascending: runs are in the morning of each and of `end`
 */
async function expectOnceEquals(days: readonly Message[][], times: readonly number[], end: number, seed: number) {
  const often = await newWorkspace();
  let arrived = 0;
  for (const time of [...times, end]) {
    await storeAll(often, days.slice(arrived, time).flat());
    await run(morningOf(FIRST_DAY + time));
    arrived = time;
  }
  const once = await anotherWorkspace();
  await storeAll(once, shuffled(days.flat(), seed));
  await run(morningOf(FIRST_DAY + end));
  const outcomes = await readOutcomes(once);
  expect(outcomes).toEqual(await readOutcomes(often));
  return outcomes;
}

async function storeAll(workspace: WorkspaceRef, messages: readonly Message[]): Promise<void> {
  if (messages.length > 0) await store(workspace, messages);
}

/**
 * Shuffles messages by a seed. Messages without an account keep their order, because their account depends on what
 * arrived before.
 */
function shuffled(messages: readonly Message[], seed: number): Message[] {
  const place = (index: number) => Math.imul(index + 1, seed * 2 + 0x9e3779b1) >>> 0;
  const inAnyOrder = messages
    .map((message, index) => [place(index), message] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, message]) => message);
  const inTheirOrder = messages.filter(({ accountId }) => accountId === null).values();
  return inAnyOrder.map((message) => (message.accountId === null ? (inTheirOrder.next().value ?? message) : message));
}

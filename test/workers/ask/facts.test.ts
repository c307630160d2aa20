/** §15.5: facts are the same whenever, and however often, the log is folded between the events. */
import * as fc from "fast-check";
import { expect, it } from "vitest";

import { countEverything, type Days } from "./counted-by-hand.ts";
import { lookUpEverything } from "./looked-up-facts.ts";
import { DAY_MS, newToldWorkspace, NOW, TODAY, type Told } from "./told-workspace.ts";

const EVENTS = ["report.exported", "login", "2fa"];

const event = fc.constantFrom(...EVENTS);
const day = fc.integer({ min: TODAY - 6, max: TODAY });
const ofCompany = fc.record({
  account: fc.constantFrom("acme", "globex"),
  user: fc.option(fc.constantFrom("u1", "u2", "u3"), { freq: 5 }),
  event,
  day,
});
const ofLoner = fc.record({ account: fc.constant(null), user: fc.constantFrom("s1", "s2"), event, day });
const told: fc.Arbitrary<Told> = fc.oneof({ weight: 4, arbitrary: ofCompany }, { weight: 1, arbitrary: ofLoner });
/** Batches of events, and folds between them: as of some days ago, of today, or of the day after. */
const story = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.array(told, { minLength: 1, maxLength: 8 }) },
    { weight: 2, arbitrary: fc.constantFrom(-3, 0, 1).map((days) => NOW + days * DAY_MS) },
  ),
  { minLength: 1, maxLength: 8 },
);
const window = fc
  .tuple(fc.integer({ min: 0, max: 7 }), fc.integer({ min: 0, max: 7 }))
  .map(([a, b]): Days => ({ from: TODAY - Math.max(a, b), to: TODAY - Math.min(a, b) }));

it("§15.5 facts of every subject count what was told, however the log was folded", { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(story, window, window, async (steps, asked, before) => {
      const there = await newToldWorkspace();
      for (const step of steps) await (typeof step === "number" ? there.fold(step) : there.tellEvents(step));
      const all = steps.flatMap((step) => (typeof step === "number" ? [] : step));
      expect(await lookUpEverything(there, asked, before, "2fa", EVENTS)).toEqual(
        countEverything(all, asked, before, "2fa", EVENTS),
      );
    }),
    { numRuns: 24 },
  );
});

it(
  "§15.5 facts don't depend on the order of arrival, nor on how it was split in batches",
  { timeout: 60_000 },
  async () => {
    const batches = fc.array(fc.array(ofCompany, { minLength: 1, maxLength: 6 }), { minLength: 1, maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(batches, fc.array(fc.integer()), async (split, order) => {
        const all = split.flat();
        const shuffled = all
          .map((one, place) => ({ one, rank: order[place] ?? 0 }))
          .toSorted((a, b) => a.rank - b.rank)
          .map(({ one }) => one);
        const asked: Days = { from: TODAY - 4, to: TODAY };
        const before: Days = { from: TODAY - 9, to: TODAY - 5 };
        const [one, other] = [await newToldWorkspace(), await newToldWorkspace()];
        for (const batch of split) await one.tellEvents(batch);
        await one.fold();
        await other.tellEvents(shuffled);
        expect(await lookUpEverything(one, asked, before, "2fa", EVENTS)).toEqual(
          await lookUpEverything(other, asked, before, "2fa", EVENTS),
        );
      }),
      { numRuns: 10 },
    );
  },
);

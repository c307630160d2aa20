import { serialize } from "node:v8";

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { HOUR_MS } from "../../../src/core/durations.ts";
import {
  NO_COUNTS,
  NO_TRAFFIC,
  record,
  series,
  type Traffic,
  type TrafficBucket,
  type TrafficCounts,
} from "../../../src/core/traffic/traffic.ts";

const MINUTE_MS = 60_000;
const SPAN_MS = { minutes: 60 * MINUTE_MS, hours: 48 * HOUR_MS } as const;
const WIDTH_MS = { minutes: MINUTE_MS, hours: HOUR_MS } as const;
/** In the middle of a minute, and of an hour. */
const NOW = Date.UTC(2026, 0, 15, 12, 34, 30);

interface Recorded {
  counts: TrafficCounts;
  at: number;
  now: number;
}

const play = (recorded: readonly Recorded[], from: Traffic = NO_TRAFFIC): Traffic =>
  recorded.reduce((traffic, { counts, at, now }) => record(traffic, counts, at, now), from);

function total(all: readonly TrafficCounts[]): TrafficCounts {
  const sum = (of: keyof TrafficCounts) => all.reduce((so, counts) => so + counts[of], 0);
  return { stored: sum("stored"), duplicates: sum("duplicates"), rejected: sum("rejected"), limited: sum("limited") };
}

/** Without buckets in which nothing is. */
const filled = (buckets: readonly TrafficBucket[]) =>
  buckets.filter(({ stored, duplicates, rejected, limited }) => stored + duplicates + rejected + limited > 0);

const counts = fc.record({
  stored: fc.nat({ max: 1_000 }),
  duplicates: fc.nat({ max: 1_000 }),
  rejected: fc.nat({ max: 1_000 }),
  limited: fc.nat({ max: 1_000 }),
});

/** As it happens: what is told comes some time after it was so, by a clock that goes on. */
const history = fc
  .array(
    fc.record({
      counts,
      wait: fc.oneof(fc.nat({ max: 1_000 }), fc.nat({ max: MINUTE_MS }), fc.nat({ max: 5 * HOUR_MS })),
      late: fc.oneof(fc.constant(0), fc.nat({ max: 3 * MINUTE_MS }), fc.nat({ max: 3 * HOUR_MS })),
    }),
    { maxLength: 40 },
  )
  .map((all): Recorded[] => {
    let now = NOW;
    return all.map(({ wait, late, ...one }) => ({ ...one, now: (now += wait), at: now - late }));
  });

describe("traffic", () => {
  it("has 60 minutes and 48 hours, the oldest first, each with its start and those that hold now at the end", () => {
    for (const traffic of [NO_TRAFFIC, record(NO_TRAFFIC, { ...NO_COUNTS, stored: 3 }, NOW, NOW)]) {
      const { minutes, hours } = series(traffic, NOW);
      expect([minutes.length, hours.length]).toEqual([60, 48]);
      expect([minutes.at(-1)?.start, hours.at(-1)?.start]).toEqual([
        Date.UTC(2026, 0, 15, 12, 34),
        Date.UTC(2026, 0, 15, 12),
      ]);
      expect([minutes[0]?.start, hours[0]?.start]).toEqual([Date.UTC(2026, 0, 15, 11, 35), Date.UTC(2026, 0, 13, 13)]);
    }
  });

  it("counts each kind of its own", () => {
    const told = { stored: 1, duplicates: 2, rejected: 3, limited: 4 };
    const { minutes, hours } = series(
      play(Array.from({ length: 2 }, () => ({ counts: told, at: NOW, now: NOW }))),
      NOW,
    );
    const twice = { stored: 2, duplicates: 4, rejected: 6, limited: 8 };
    expect(filled(minutes)).toEqual([{ start: Date.UTC(2026, 0, 15, 12, 34), ...twice }]);
    expect(filled(hours)).toEqual([{ start: Date.UTC(2026, 0, 15, 12), ...twice }]);
  });

  it("shows in each bucket exactly what was so in it, however late it was told", () => {
    fc.assert(
      fc.property(history, (recorded) => {
        const now = recorded.at(-1)?.now ?? NOW;
        const shown = series(play(recorded), now);
        for (const resolution of ["minutes", "hours"] as const) {
          for (const { start, ...inBucket } of shown[resolution]) {
            const within = recorded.filter(({ at }) => at >= start && at < start + WIDTH_MS[resolution]);
            expect(inBucket).toEqual(total(within.map((one) => one.counts)));
          }
        }
      }),
    );
  });

  it("does not depend on the order in which things are told at one moment", () => {
    const shuffled = history.chain((recorded) => {
      const atOnce = recorded.map((one) => ({ ...one, now: recorded.at(-1)?.now ?? NOW }));
      const all = fc.shuffledSubarray(atOnce, { minLength: atOnce.length, maxLength: atOnce.length });
      return fc.tuple(fc.constant(atOnce), all);
    });
    fc.assert(
      fc.property(shuffled, ([inOrder, otherwise]) => {
        expect(play(otherwise)).toEqual(play(inOrder));
      }),
    );
  });

  it.each(["minutes", "hours"] as const)(
    "forgets nothing of the %s that it shows, and all that is older",
    (resolution) => {
      const last = NOW + SPAN_MS[resolution] - 1 - (NOW % WIDTH_MS[resolution]);
      const traffic = record(NO_TRAFFIC, { ...NO_COUNTS, stored: 7 }, NOW, NOW);
      const shown = (now: number) => total(series(traffic, now)[resolution]).stored;
      expect([shown(NOW), shown(last), shown(last + 1)]).toEqual([7, 7, 0]);
    },
  );

  it("keeps nothing of what was before a jump of days", () => {
    fc.assert(
      fc.property(history, counts, (recorded, later) => {
        const now = (recorded.at(-1)?.now ?? NOW) + 3 * 24 * HOUR_MS;
        expect(play([{ counts: later, at: now, now }], play(recorded))).toEqual(
          play([{ counts: later, at: now, now }]),
        );
      }),
    );
  });

  it("takes what an edge whose clock is ahead tells as now", () => {
    const ahead = { counts: { ...NO_COUNTS, stored: 1 }, at: NOW + HOUR_MS, now: NOW };
    expect(total(series(play([ahead]), NOW).minutes).stored).toBe(1);
  });

  it("drops what is told too late for its minute, and still has it in its hour", () => {
    const late = { counts: { ...NO_COUNTS, stored: 1 }, at: NOW - 2 * HOUR_MS, now: NOW };
    const before = { counts: { ...NO_COUNTS, stored: 5 }, at: NOW, now: NOW };
    const { minutes, hours } = series(play([before, late]), NOW);
    expect([total(minutes).stored, total(hours).stored]).toEqual([5, 6]);
    expect(hours.at(-3)?.stored).toBe(1);
  });
});

describe("a clock that steps", () => {
  it("loses nothing when it steps back by less than the hour that is shown, and has come there again", () => {
    const step = fc.record({ counts, wait: fc.integer({ min: -20 * MINUTE_MS, max: 20 * MINUTE_MS }) });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 40 }), (steps) => {
        let now = NOW;
        const recorded = steps.map(({ wait, ...one }) => {
          now = Math.min(NOW + 25 * MINUTE_MS, Math.max(NOW - 25 * MINUTE_MS, now + wait));
          return { ...one, at: now, now };
        });
        const latest = Math.max(...recorded.map(({ at }) => at));
        const all = total(recorded.map((one) => one.counts));
        const shown = series(play(recorded), latest);
        expect(total(shown.minutes)).toEqual(all);
        expect(total(shown.hours)).toEqual(all);
      }),
    );
  });

  it("goes on at once after it was days ahead", () => {
    const ahead = NOW + 30 * 24 * HOUR_MS;
    const one = { ...NO_COUNTS, stored: 1 };
    const traffic = play([
      { counts: one, at: ahead, now: ahead },
      { counts: one, at: NOW, now: NOW },
    ]);
    expect([total(series(traffic, NOW).minutes).stored, traffic.minutes.length]).toEqual([1, 1]);
  });

  it("never makes it larger than 16 KB as it is stored, wherever it steps", () => {
    const clock = fc.array(fc.integer({ min: NOW - 60 * HOUR_MS, max: NOW + 60 * HOUR_MS }), {
      minLength: 300,
      maxLength: 600,
    });
    const many = { stored: 2 ** 40, duplicates: 2 ** 40, rejected: 2 ** 40, limited: 2 ** 40 };
    fc.assert(
      fc.property(clock, (moments) => {
        const dense = Array.from({ length: 120 }, (_, minute) => NOW + minute * MINUTE_MS);
        const traffic = play([...moments, ...dense].map((now) => ({ counts: many, at: now, now })));
        expect(traffic.minutes.length).toBeLessThan(120);
        expect(traffic.hours.length).toBeLessThan(96);
        expect(serialize(traffic).length).toBeLessThanOrEqual(16 * 1024);
      }),
      { numRuns: 30 },
    );
  });
});

it("takes at most 12 KB as it is stored when each minute and hour has something of all", () => {
  const some = { stored: 60_000, duplicates: 60_000, rejected: 60_000, limited: 60_000 };
  const hours = Array.from({ length: 48 }, (_, hour) => NOW - (47 - hour) * HOUR_MS);
  const minutes = Array.from({ length: 60 }, (_, minute) => NOW - (59 - minute) * MINUTE_MS);
  const traffic = play([...hours, ...minutes].map((now) => ({ counts: some, at: now, now })));
  expect([filled(series(traffic, NOW).minutes).length, filled(series(traffic, NOW).hours).length]).toEqual([60, 48]);
  expect(serialize(traffic).length).toBeLessThanOrEqual(12 * 1024);
});

import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { attributesReader, extendTimeline } from "../../../src/core/health/attributes.ts";
import type { AttributeChange } from "../../../src/core/health/model.ts";
import type { AccountAttributes } from "../../../src/core/ingest/message.ts";
import { daysBetween } from "./support.ts";

const change = (day: number, values: AccountAttributes): AttributeChange => ({ day, values });

const anyValues: fc.Arbitrary<AccountAttributes> = fc.record(
  {
    stage: fc.constantFrom("trial", "active", null),
    trialEndsAt: fc.constantFrom("2026-01-01T00:00:00.000Z", null),
    plan: fc.constantFrom("basic", "pro", null),
    seats: fc.constantFrom(0, 5, null),
    mrr: fc.constantFrom(0, 100, 250.5, null),
    currency: fc.constantFrom("EUR", "USD", null),
  },
  { requiredKeys: [] },
);

const changesOf = (observed: AttributeChange[]) => extendTimeline([], -Infinity, observed);

const anyObserved: fc.Arbitrary<AttributeChange[]> = fc
  .uniqueArray(fc.record({ day: fc.nat(20), values: anyValues }), { selector: ({ day }) => day, maxLength: 15 })
  .map((changes) => changes.toSorted((a, b) => a.day - b.day));

describe("attributes over time", () => {
  const timeline = [
    change(10, { stage: "trial", seats: 5, trialEndsAt: "2026-01-01T00:00:00.000Z" }),
    change(12, { stage: "active", trialEndsAt: null, mrr: 0, currency: "EUR", plan: "pro" }),
    change(15, { seats: null }),
  ];
  it("§10.2 a day has the values of its own end", () => {
    const read = attributesReader(timeline);
    expect(read(9)).toEqual({});
    expect(read(10)).toEqual(read(11));
    expect(read(11)).toEqual({
      stage: "trial",
      seats: 5,
      trialEndsAt: "2026-01-01T00:00:00.000Z",
    });
    expect(read(14)).toEqual({ stage: "active", seats: 5, mrr: 0, currency: "EUR", plan: "pro" });
  });
  it("§10.2 a repeated value is not a change", () => {
    expect(
      changesOf([
        change(1, { seats: 5, plan: null }),
        change(2, { seats: 5 }),
        change(3, { seats: 6, plan: "pro" }),
        change(4, { plan: null, seats: 6 }),
        change(5, { plan: null }),
      ]),
    ).toEqual([change(1, { seats: 5 }), change(3, { seats: 6, plan: "pro" }), change(4, { plan: null })]);
  });
  it("§10.2 extending from a day replaces that day and later ones", () => {
    expect(extendTimeline(timeline, 12, [change(12, { seats: 5 }), change(13, { stage: "active" })])).toEqual([
      timeline[0],
      change(13, { stage: "active" }),
    ]);
    expect(extendTimeline(timeline, 12, [])).toEqual([timeline[0]]);
  });
  it("§10.2 extending from any day equals reading everything at once", () => {
    fc.assert(
      fc.property(anyObserved, fc.nat(21), (observed, from) => {
        const before = changesOf(observed.filter(({ day }) => day < from));
        const later = observed.filter(({ day }) => day >= from);
        expect(extendTimeline(before, from, later)).toEqual(changesOf(observed));
        expect(extendTimeline(changesOf(observed), from, later)).toEqual(changesOf(observed));
      }),
      { numRuns: 500 },
    );
  });
  it("§10.2 a timeline of changes gives the same values as all observations", () => {
    fc.assert(
      fc.property(anyObserved, (observed) => {
        const [read, readAll] = [attributesReader(changesOf(observed)), attributesReader(observed)];
        for (const day of daysBetween(-1, 21)) expect(read(day)).toEqual(readAll(day));
      }),
    );
  });
});

import { describe, expect, it } from "vitest";
import type { AttributeValues, Day } from "../../../src/core/health/model.ts";
import { closes, DAY, openItem, opened, replay, step, type Story } from "./support.ts";

/** Attributes that hold from a day on, the latest first. */
const timeline =
  (...changes: readonly (readonly [from: Day, values: AttributeValues])[]): Story =>
  (day) => ({ attributes: changes.find(([from]) => from <= day)?.[1] ?? {} });

const inTwoSteps = (days: number) => timeline([DAY, { mrr: 80 }], [DAY - days + 1, { mrr: 90 }], [0, { mrr: 100 }]);

const CHURNED: Story = (day) => ({ stage: "churned", attributes: { mrr: day < DAY ? 100 : 0 } });

describe("contraction", () => {
  it("§12.2 opens when seats or MRR fall by a fifth", () => {
    expect(opened(timeline([DAY, { seats: 8 }], [0, { seats: 10 }]))).toEqual(["contraction"]);
    expect(opened(timeline([DAY, { seats: 9 }], [0, { seats: 10 }]))).toEqual([]);
    expect(opened(timeline([DAY, { mrr: 80 }], [0, { mrr: 100 }]))).toEqual(["contraction"]);
    expect(opened(timeline([DAY, { mrr: 80.01 }], [0, { mrr: 100 }]))).toEqual([]);
    expect(opened(timeline([DAY, { mrr: 120 }], [0, { mrr: 100 }]))).toEqual([]);
    expect(opened({ attributes: { seats: 5, mrr: 10 } })).toEqual([]);
  });
  it("§12.2 reports seats and MRR separately, with the highest value and its dates", () => {
    const story = timeline(
      [DAY, { seats: 2, mrr: 20 }],
      [DAY - 4, { seats: 10, mrr: 90 }],
      [0, { seats: 9, mrr: 100 }],
    );
    expect(step(story)).toMatchObject([
      {
        subject: "seats",
        severity: "high",
        evidence: [{ code: "seats", value: 2, expected: 10, window: { from: DAY - 1, to: DAY } }],
      },
      { subject: "mrr", evidence: [{ code: "mrr", value: 20, expected: 100, window: { from: DAY - 5, to: DAY } }] },
    ]);
  });
  it("§12.2 compares MRR only in the same currency", () => {
    const eur = { mrr: 70, currency: "EUR" };
    const usd = { mrr: 100, currency: "USD" };
    expect(opened(timeline([DAY, eur], [0, usd]))).toEqual([]);
    expect(opened(timeline([DAY, { mrr: 70, currency: "USD" }], [DAY - 3, eur], [0, usd]))).toEqual(["contraction"]);
    expect(opened(timeline([DAY, { mrr: 70 }], [0, usd]))).toEqual([]);
    expect(opened(timeline([DAY, { ...eur, seats: 7 }], [0, { ...usd, seats: 10 }]))).toEqual(["contraction"]);
  });
  it("§12.2 opens for 0, not for a cleared value", () => {
    expect(opened(timeline([DAY, { mrr: 0 }], [0, { mrr: 100 }]))).toEqual(["contraction"]);
    expect(opened(timeline([DAY, {}], [0, { mrr: 100, seats: 9 }]))).toEqual([]);
    expect(opened(timeline([DAY, { mrr: 0 }], [0, {}]))).toEqual([]);
    expect(opened(timeline([DAY, { mrr: 0, seats: 0 }], [DAY - 1, { mrr: 0 }]))).toEqual([]);
  });
  it("§12.2 looks back 30 days, also over several steps", () => {
    expect(opened(inTwoSteps(30))).toEqual(["contraction"]);
    expect(opened(inTwoSteps(31))).toEqual([]);
  });
  it("§12.2 closes after 30 days", () => {
    const fallen = timeline([0, { mrr: 80 }]);
    expect(closes(openItem("contraction", { subject: "mrr", openedDay: DAY - 29 }), fallen)).toBeNull();
    expect(closes(openItem("contraction", { subject: "mrr", openedDay: DAY - 30 }), fallen)).toBe("expired");
  });
  it("§12.2 reports one fall once", () => {
    const items = replay(timeline([DAY, { mrr: 50 }], [0, { mrr: 100 }]), DAY - 5, DAY + 90);
    expect(items).toMatchObject([{ openedDay: DAY, confirmedDay: DAY + 29, resolvedDay: DAY + 30, occurrence: 1 }]);
  });
  it("§12.2 updates the open item on a further fall", () => {
    const story = timeline([DAY + 20, { mrr: 30 }], [DAY, { mrr: 50 }], [0, { mrr: 100 }]);
    const items = replay(story, DAY - 5, DAY + 90);
    expect(items).toHaveLength(1);
    expect(items[0]?.evidence).toMatchObject([{ value: 30, expected: 100 }]);
  });
  it("§12.1 has the amount of the last scored day, and what it fell from", () => {
    const story = timeline([DAY + 9, { mrr: 60 }], [DAY, { mrr: 50 }], [0, { mrr: 100 }]);
    const window = { from: DAY - 1, to: DAY };
    expect(replay(story, DAY, DAY + 29)[0]?.evidence).toEqual([{ code: "mrr", value: 60, expected: 100, window }]);
    const euros = timeline([DAY + 9, { mrr: 9, currency: "EUR" }], [DAY, { mrr: 50 }], [0, { mrr: 100 }]);
    expect(replay(euros, DAY, DAY + 29)[0]?.evidence).toMatchObject([{ value: 50, expected: 100 }]);
  });
  it("§12.2 opens again for a fall after it closed", () => {
    const story = timeline([DAY + 35, { mrr: 30 }], [DAY, { mrr: 50 }], [0, { mrr: 100 }]);
    expect(replay(story, DAY - 5, DAY + 90)).toMatchObject([
      { openedDay: DAY, resolvedDay: DAY + 30 },
      { openedDay: DAY + 44, occurrence: 2, evidence: [{ value: 30, expected: 50 }] },
    ]);
  });
  it("§12.3 does not open for a churned account", () => {
    expect(opened(CHURNED)).toEqual([]);
    expect(closes(openItem("contraction", { subject: "mrr" }), CHURNED)).toBe("churned");
  });
});

import { describe, expect, it } from "vitest";
import { rankOf } from "../../../src/core/inbox/rank.ts";
import { DAY_MS, MOMENT } from "./support.ts";

const due = (days: number): number => rankOf("low", "high", MOMENT + days * DAY_MS, MOMENT, null);

describe("the rank", () => {
  it("§12.4 weighs the severity", () => {
    const ranks = (["low", "medium", "high", "critical"] as const).map((each) => rankOf(each, "high", null, 0, null));
    expect(ranks).toEqual([1, 2, 3, 4]);
  });
  it("§12.4 weighs the confidence", () => {
    const ranks = (["low", "medium", "high"] as const).map((each) => rankOf("low", each, null, 0, null));
    expect(ranks).toEqual([0.7, 0.85, 1]);
  });
  it("§12.4 rises from a week before the deadline to double at the deadline", () => {
    expect(due(30)).toBe(1);
    expect(due(7)).toBe(1);
    expect(due(3.5)).toBe(1.5);
    expect(due(0)).toBe(2);
    expect(due(-30)).toBe(2);
  });
  it("§12.4 weighs MRR from half to one and a half", () => {
    expect(rankOf("low", "high", null, 0, 0)).toBe(0.5);
    expect(rankOf("low", "high", null, 0, 0.5)).toBe(1);
    expect(rankOf("low", "high", null, 0, 1)).toBe(1.5);
  });
  it("§12.4 has four decimals", () => expect(rankOf("medium", "medium", null, 0, 1 / 3)).toBe(1.4167));
});

import { describe, expect, it } from "vitest";
import { closes, DAY, openItem, opened, step, type Story, compareUsage } from "./support.ts";

const used = (activeUsers: number, seats = 10): Story => ({ activeUsers, attributes: { seats } });

const since =
  (first: number): Story =>
  (day) => ({ activeUsers: day < first ? 8 : 9, attributes: { seats: 10 } });

const seatsBefore =
  (before: number): Story =>
  (day) => ({
    activeUsers: 9,
    attributes: { seats: day < DAY ? before : 10 },
  });

describe("seats_nearly_full", () => {
  it("§12.2 opens with 90% of at least 3 seats", () => {
    expect(opened(used(9))).toEqual(["seats_nearly_full"]);
    expect(opened(used(8))).toEqual([]);
    expect(opened(used(3, 3))).toEqual(["seats_nearly_full"]);
    expect(opened(used(2, 2))).toEqual([]);
    expect(opened({ activeUsers: 50 })).toEqual([]);
  });
  it("§12.2 opens on the seventh day in a row", () => {
    expect(opened(since(DAY - 6))).toEqual(["seats_nearly_full"]);
    expect(opened(since(DAY - 5))).toEqual([]);
  });
  it("§12.2 compares each day with the seats of that day", () => {
    expect(step(seatsBefore(8))).toMatchObject([
      { subject: "10", severity: "low", evidence: [{ code: "active_users", value: 9, expected: 10 }] },
    ]);
    expect(opened(seatsBefore(20))).not.toContain("seats_nearly_full");
  });
  it("§12.2 closes below 85%, and when the seats change or are cleared", () => {
    const item = openItem("seats_nearly_full", { subject: "20" });
    expect(closes(item, used(17, 20))).toBeNull();
    expect(closes(item, used(16, 20))).toBe("recovered");
    expect(closes(item, used(20, 25))).toBe("changed");
    expect(closes(item, used(20, 19))).toBe("changed");
    expect(closes(item, {})).toBe("changed");
  });
  it("§12.2 a new number of seats opens a new item", () => {
    const [before, after] = step(used(24, 25), [openItem("seats_nearly_full", { subject: "20" })]);
    expect(before?.resolution).toBe("changed");
    expect(after).toMatchObject({ subject: "25", occurrence: 1 });
  });
});

const growth = (observed: number, z: number, newUsers: number): Story => ({
  growth: { ...compareUsage(observed, 20, z), newUsers },
});

describe("usage_growth", () => {
  it("§12.2 opens at 1.5 times with a z of 3 and two new users", () => {
    expect(opened(growth(30, 3, 2))).toEqual(["usage_growth"]);
    expect(opened(growth(29, 3, 2))).toEqual([]);
    expect(opened(growth(30, 2.99, 2))).toEqual([]);
    expect(opened(growth(30, 3, 1))).toEqual([]);
    expect(opened({ growth: null })).toEqual([]);
  });
  it("§12.2 gives the observed and the expected number and the new users", () => {
    expect(step(growth(30, 3, 2))[0]?.evidence).toEqual([
      { code: "user_days", value: 30, expected: 20, window: { from: DAY - 13, to: DAY } },
      { code: "new_users", value: 2 },
      { code: "z", value: 3 },
    ]);
  });
  it("§12.2 closes after 28 days", () => {
    expect(closes(openItem("usage_growth", { openedDay: DAY - 27 }), {})).toBeNull();
    expect(closes(openItem("usage_growth", { openedDay: DAY - 28 }), growth(30, 3, 2))).toBe("expired");
  });
});

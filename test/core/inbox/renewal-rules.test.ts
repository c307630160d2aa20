import { describe, expect, it } from "vitest";

import type { Band, HealthDay } from "../../../src/core/health/model.ts";
import { closes, DAY, DAY_MS, type Given, MOMENT, openItem, opened, replay, step, type Story } from "./support.ts";

const iso = (days: number): string => new Date(MOMENT + days * DAY_MS).toISOString();
const health = (state: Band, score = 50): Partial<HealthDay> => ({ state, band: state, score, uncapped: score });
/** Returns an account on watch whose contract ends `days` after the end of the day. */
const ending = (days: number, given: Partial<Given> = {}): Partial<Given> => ({
  attributes: { contractEndsAt: iso(days) },
  health: health("watch"),
  ...given,
});
const subject = (days: number): string => String(MOMENT + days * DAY_MS);
const renewal = (days: number) => openItem("renewal_at_risk", { subject: subject(days) });
/** Returns a state that has held for `days` days, after another. */
const since = (days: number, before: Band, state: Band, of: Partial<Given>): Story => {
  return (day) => ({ ...of, health: health(day > DAY - days ? state : before) });
};

describe("renewal_at_risk", () => {
  it("§12.2 opens within 90 days of the contract's end", () => {
    expect(opened(ending(90.001))).toEqual([]);
    expect(opened(ending(90))).toEqual(["renewal_at_risk"]);
    expect(opened(ending(0))).toEqual(["renewal_at_risk"]);
    expect(opened(ending(-0.001))).toEqual([]);
    expect(opened({ health: health("watch") })).toEqual([]);
  });
  it("§12.2 opens on the third day in a row on watch or at risk", () => {
    expect(opened(since(3, "healthy", "watch", ending(60)))).toEqual(["renewal_at_risk"]);
    expect(opened(since(2, "healthy", "watch", ending(60)))).toEqual([]);
    expect(opened(since(1, "watch", "at_risk", ending(60)))).toEqual(["health_dropped", "renewal_at_risk"]);
    expect(opened(since(1, "watch", "healthy", ending(60)))).toEqual([]);
  });
  it("§12.3 counts days outside outages, and waits while the sender is out", () => {
    const story: Story = (day) => ({
      ...ending(60, { outages: [[DAY - 9, DAY - 2]] }),
      health: day >= DAY - 9 && day < DAY - 1 ? { state: "stale" } : health("watch"),
    });
    expect(opened(story)).toEqual(["renewal_at_risk"]);
    expect(opened(ending(60, { senderDoubtful: true }))).toEqual([]);
    const item = renewal(-20);
    expect(step(ending(-20, { senderDoubtful: true }), [item])[0]).toBe(item);
  });
  it("§12.2 is high for an account at risk or in the last 30 days, else medium", () => {
    expect(step(ending(30.001))[0]).toMatchObject({ severity: "medium" });
    expect(step(ending(30))[0]).toMatchObject({ severity: "high" });
    expect(step(ending(60, { health: health("at_risk", 33) })).at(-1)).toMatchObject({ severity: "high" });
    const watched = since(2, "watch", "healthy", ending(60));
    expect(step(watched, [renewal(60)])[0]).toMatchObject({ resolvedDay: null, severity: "medium" });
  });
  it("§12.2 has the contract's end as its deadline, and the days left and the score as evidence", () => {
    expect(step(ending(60.5))[0]).toMatchObject({
      subject: subject(60.5),
      dueAt: MOMENT + 60.5 * DAY_MS,
      evidence: [
        { code: "days_left", value: 60 },
        { code: "score", value: 50, expected: 70 },
      ],
    });
    const [, item] = step(ending(1, { health: health("at_risk", 33) }));
    expect(item?.evidence).toEqual([
      { code: "days_left", value: 1 },
      { code: "score", value: 33, expected: 45 },
    ]);
  });
  it.each([
    [since(2, "watch", "healthy", ending(60)), 2],
    [{ ...ending(60), health: health("watch", 95.3) }, 0],
  ] as const)("§12.2 says how long the account has been healthy once the score is good", (given, value) => {
    const healthy = { code: "healthy_days", value, expected: 3 };
    expect(step(given, [renewal(60)])[0]?.evidence.at(-1)).toEqual(healthy);
  });
  it("§12.1 is updated after the end and without a score", () => {
    const unscored: Partial<HealthDay> = { state: "insufficient_data", score: null };
    expect(step(ending(-2, { health: unscored }), [renewal(-2)])[0]).toMatchObject({
      confirmedDay: DAY,
      evidence: [{ code: "days_left", value: -2 }],
    });
  });
  it.each([
    ["the end moves by 30 days or more", ending(90), "renewed"],
    ["the end moves forward by 30 days or more", ending(30), "moved"],
    ["the end is cleared", { attributes: {}, health: health("watch") }, "changed"],
    ["the account is healthy on 3 days in a row", ending(60, { health: health("healthy") }), "recovered"],
    ["the account churns", ending(60, { stage: "churned" }), "churned"],
  ] as const)("§12.2 closes when %s", (_, given, resolution) => {
    expect(closes(renewal(60), given)).toBe(resolution);
  });
  it("§12.2 closes 7 days after the end", () => {
    expect(closes(renewal(-6.999), ending(-6.999))).toBeNull();
    expect(closes(renewal(-7), ending(-7))).toBe("expired");
  });
  it("§12.2 stays when the account is healthy for a day or two", () => {
    expect(closes(renewal(60), since(2, "watch", "healthy", ending(60)))).toBeNull();
  });
  it("§12.2 stays the same item when the end is corrected by less than 30 days", () => {
    for (const moved of [-29.999, 29.999]) {
      const items = step(ending(45 + moved), [renewal(45)]);
      expect(items).toMatchObject([{ subject: subject(45), resolvedDay: null, dueAt: MOMENT + (45 + moved) * DAY_MS }]);
    }
    const before = { ...renewal(45), resolvedDay: DAY - 3, resolution: "recovered" } as const;
    expect(step(ending(50), [before])).toHaveLength(1);
  });
  it("§12.2 opens anew for another end", () => {
    expect(replay((day) => ending(day < DAY ? 20 : 80), DAY - 5, DAY + 5)).toMatchObject([
      { subject: subject(20), resolution: "renewed", resolvedDay: DAY },
      { subject: subject(80), openedDay: DAY, occurrence: 1, resolvedDay: null },
    ]);
  });
  it("§12.3 stands beside other items and suppresses none", () => {
    const risk = ending(60, { health: health("at_risk", 33) });
    expect(step(risk, [renewal(60)])).toMatchObject([
      { kind: "renewal_at_risk", resolvedDay: null },
      { kind: "health_dropped", openedDay: DAY },
    ]);
    expect(step(risk, [renewal(60), openItem("key_user_quiet")]).map(({ resolution }) => resolution)).toEqual([
      null,
      null,
    ]);
  });
});

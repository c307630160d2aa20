import { describe, expect, it } from "vitest";
import type { Band, HealthDay } from "../../../src/core/health/model.ts";
import type { ItemKind } from "../../../src/core/inbox/model.ts";
import {
  bestOf,
  closes,
  compareUsage,
  DAY,
  DAY_MS,
  type Given,
  openItem,
  opened,
  replay,
  step,
  type Story,
} from "./support.ts";

const at = (score: number | null, band: Band | null, values: Partial<HealthDay> = {}): Partial<HealthDay> => ({
  score,
  uncapped: score,
  band,
  state: score === null ? "insufficient_data" : (band ?? "churned"),
  ...values,
});
/** Health that changes with `DAY`. */
const change =
  (before: Partial<HealthDay>, since: Partial<HealthDay>): Story =>
  (day) => ({
    health: day < DAY ? before : since,
  });

/** Health that lost 25 points `days` days ago. */
const fallen =
  (values: Partial<HealthDay>, days = 3, given: Partial<Given> = {}): Story =>
  (day) => ({ ...given, health: day > DAY - days ? at(55, "watch", values) : at(80, "healthy") });

describe("health_dropped", () => {
  it.each([
    ["newly", at(50, "watch"), {}],
    ["for long", at(35, "at_risk"), {}],
    ["again after days without a score", at(null, "at_risk"), {}],
    ["with the first score", at(null, null), {}],
    ["with a provisional score", at(50, "watch"), { confidence: "low" }],
  ] as const)("§12.2 opens for an account that is at risk %s", (_, before, values) => {
    expect(opened(change(before, at(35, "at_risk", values)))).toEqual(["health_dropped"]);
    expect(opened(change(before, at(41, "watch", values)))).toEqual([]);
  });
  it("§12.2 does not wait for an account at risk: neither 14 days nor the week after an outage", () => {
    const closed = openItem("health_dropped", { resolvedDay: DAY - 1, resolution: "superseded" });
    expect(step({ health: at(35, "at_risk") }, [closed])[1]).toMatchObject({ occurrence: 2, openedDay: DAY });
    expect(step(fallen({}), [closed])).toHaveLength(1);
    const outages = [[DAY - 3, DAY - 1]] as const;
    expect(opened({ health: at(35, "at_risk"), outages })).toEqual(["health_dropped"]);
  });
  it("§12.3 takes over on the day on which a more specific item closes", () => {
    const risk = { trend: compareUsage(40, 40, 0), health: at(35, "at_risk") };
    expect(step(risk, [openItem("usage_drop")])).toMatchObject([
      { kind: "usage_drop", resolution: "recovered" },
      { kind: "health_dropped", openedDay: DAY, resolvedDay: null },
    ]);
  });
  it("§12.2 opens after a fall of 20 points in 14 days", () => {
    const since =
      (first: number, score: number): Story =>
      (day) => ({
        health: day < first ? at(80.05, "healthy") : at(score, "watch"),
      });
    expect(opened(since(DAY - 2, 60.05))).toEqual(["health_dropped"]);
    expect(opened(since(DAY - 2, 60.06))).toEqual([]);
    expect(opened(since(DAY - 13, 60.05))).toEqual(["health_dropped"]);
    expect(opened(since(DAY - 14, 60.05))).toEqual([]);
    expect(opened(change(at(80, "healthy"), at(null, "healthy")))).toEqual([]);
  });
  it("§12.2 needs the fall on three days in a row", () => {
    expect(opened(fallen({}))).toEqual(["health_dropped"]);
    expect(opened(fallen({}, 2))).toEqual([]);
  });
  it("§12.2 does not open for a healthy or a provisional score", () => {
    expect(opened(fallen({ state: "healthy" }))).toEqual([]);
    expect(opened(fallen({ confidence: "low" }))).toEqual([]);
    expect(opened(fallen({ confidence: "medium" }))).toEqual(["health_dropped"]);
  });
  it("§12.2 ignores caps", () => {
    expect(opened(fallen({ uncapped: 61 }))).toEqual([]);
    expect(opened(fallen({ uncapped: 60 }))).toEqual(["health_dropped"]);
  });
  it("§12.3 does not compare scores across an outage", () => {
    expect(opened(fallen({}, 3, { outages: [[DAY - 20, DAY - 18]] }))).toEqual(["health_dropped"]);
    expect(opened(fallen({}, 3, { outages: [[DAY - 20, DAY - 17]] }))).toEqual([]);
  });
  it("§12.2 gives the score, the threshold and the score before", () => {
    expect(step(change(at(70, "healthy"), at(35, "at_risk")))[0]).toMatchObject({
      severity: "medium",
      evidence: [
        { code: "score", value: 35, expected: 45 },
        { code: "score_before", value: 70 },
      ],
    });
    expect(step(fallen({}))[0]?.evidence).toEqual([
      { code: "score", value: 55 },
      { code: "score_before", value: 80 },
    ]);
    expect(
      step((day) => ({ health: day < DAY - 1 ? at(null, "watch") : at(35, day < DAY ? "watch" : "at_risk") }))[0]
        ?.evidence,
    ).toEqual([{ code: "score", value: 35, expected: 45 }]);
  });
  it("§12.1 is updated while the account is at risk", () => {
    const [item] = replay(change(at(50, "watch"), at(35, "at_risk")), DAY - 2, DAY + 40);
    expect(item).toMatchObject({ openedDay: DAY, confirmedDay: DAY + 40, resolvedDay: null });
  });
  it("§12.2 closes when neither at risk nor 20 points down", () => {
    const item = openItem("health_dropped");
    expect(closes(item, { health: at(50, "watch") })).toBe("recovered");
    expect(closes(item, { health: at(42, "at_risk") })).toBeNull();
    expect(closes(item, change(at(80, "healthy"), at(60, "watch")))).toBeNull();
    expect(closes(item, { health: at(null, "watch") })).toBeNull();
  });
  const END = new Date((DAY + 0.5) * DAY_MS).toISOString();
  const TRIAL: Partial<Given> = { stage: "trial", attributes: { trialEndsAt: END } };
  it.each<[ItemKind, Partial<Given>]>([
    ["trial_ending_low_activity", { ...TRIAL, activeDays: 0 }],
    ["trial_expired", TRIAL],
    ["never_activated", { activeDaysEver: 2, tenure: 5 }],
    ["usage_drop", {}],
    ["slow_decline", { ownBest: bestOf(0.65) }],
    ["gone_silent", { activeOfFive: 1 }],
    ["key_user_quiet", {}],
    ["feature_dropped", {}],
    ["contraction", {}],
  ])("§12.3 is suppressed and closed by %s", (kind, given) => {
    const story: Story = (day) => ({ ...given, health: day < DAY ? at(50, "watch") : at(35, "at_risk") });
    const risk = openItem(kind, { subject: given.stage === "trial" ? String(Date.parse(END)) : "" });
    expect(step(story, [risk, openItem("health_dropped")])).toMatchObject([
      { kind, resolution: null },
      { kind: "health_dropped", resolution: "superseded", resolvedDay: DAY },
    ]);
    expect(step(story, [risk])).toHaveLength(1);
  });
  it.each<[ItemKind, Partial<Given>, string]>([
    ["trial_ending_ready", TRIAL, String(Date.parse(END))],
    ["seats_nearly_full", { attributes: { seats: 1 } }, "1"],
    ["usage_growth", {}, ""],
  ])("§12.3 is not suppressed by %s", (kind, given, subject) => {
    const story: Story = (day) => ({ ...given, health: day < DAY ? at(50, "watch") : at(35, "at_risk") });
    expect(step(story, [openItem(kind, { subject })])).toMatchObject([
      { kind, resolution: null },
      { kind: "health_dropped", openedDay: DAY },
    ]);
  });
});

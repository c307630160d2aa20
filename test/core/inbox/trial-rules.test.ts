import { describe, expect, it } from "vitest";
import { closes, DAY, DAY_MS, MOMENT, openItem, opened, step, type Given } from "./support.ts";

/** Returns a trial that ends `days` after the end of the day. */
const trial = (days: number, given: Partial<Given> = {}): Partial<Given> => ({
  stage: "trial",
  attributes: { trialEndsAt: new Date(MOMENT + days * DAY_MS).toISOString() },
  ...given,
});
const end = (days: number): string => String(MOMENT + days * DAY_MS);
const QUIET = { activeDays: 1, health: { score: null } };

const endingLow = (days: number) => openItem("trial_ending_low_activity", { subject: end(days) });

describe("trial_ending_low_activity", () => {
  it("§12.2 opens in the last seven days, up to the moment of the end", () => {
    expect(opened(trial(7.001, QUIET))).toEqual([]);
    expect(opened(trial(7, QUIET))).toEqual(["trial_ending_low_activity"]);
    expect(opened(trial(0, QUIET))).toEqual(["trial_ending_low_activity"]);
    expect(opened(trial(-0.001, QUIET))).toEqual([]);
  });
  it("§12.2 opens with at most one active day of seven", () => {
    expect(opened(trial(3, { activeDays: 2, health: { score: null } }))).toEqual([]);
    expect(opened(trial(3, { activeDays: 0, health: { score: null } }))).toEqual(["trial_ending_low_activity"]);
  });
  it("§12.2 opens with a depth below 50", () => {
    expect(opened(trial(3, { depth: 50, health: { score: null } }))).toEqual([]);
    expect(opened(trial(3, { depth: 49.9, health: { score: null } }))).toEqual(["trial_ending_low_activity"]);
  });
  it("§12.2 needs a trial with an end", () => {
    expect(opened({ ...trial(3, QUIET), stage: "active" })).toEqual([]);
    expect(opened({ ...trial(3, QUIET), attributes: {} })).toEqual([]);
  });
  it("§12.2 has the trial's end as subject and deadline, and says what is low", () => {
    const [item] = step(trial(3, { ...QUIET, depth: 20 }));
    expect(item).toMatchObject({ subject: end(3), dueAt: MOMENT + 3 * DAY_MS, severity: "high" });
    expect(item?.evidence).toEqual([
      { code: "active_days", value: 1, expected: 2 },
      { code: "core_features", value: 1, expected: 4, window: { from: DAY - 27, to: DAY } },
    ]);
  });
  it("§12.2 closes when the trial converts, moves, loses its end or recovers, or 3 days after its end", () => {
    expect(closes(endingLow(3), { ...trial(3, QUIET), stage: "active" })).toBe("converted");
    expect(closes(endingLow(3), trial(4, QUIET))).toBe("moved");
    expect(closes(endingLow(3), { ...trial(3, QUIET), attributes: {} })).toBe("changed");
    expect(closes(endingLow(3), trial(3, { ...QUIET, depth: 80 }))).toBeNull();
    expect(closes(endingLow(3), trial(3, { ...QUIET, activeDays: 2 }))).toBe("recovered");
    expect(closes(endingLow(-2.999), trial(-2.999, QUIET))).toBeNull();
    expect(closes(endingLow(-3), trial(-3, QUIET))).toBe("expired");
  });
  it("§12.2 an extended trial opens a new item with the new end", () => {
    const before = openItem("trial_ending_low_activity", { subject: end(1) });
    const [first, second] = step(trial(6, QUIET), [before]);
    expect(first).toMatchObject({ resolution: "moved" });
    expect(second).toMatchObject({ subject: end(6), occurrence: 1, openedDay: DAY, resolvedDay: null });
  });
});

const ready = (days: number, score = 70): Partial<Given> => trial(days, { health: { score } });

const endingReady = (days: number) => openItem("trial_ending_ready", { subject: end(days) });

describe("trial_ending_ready", () => {
  it("§12.2 opens in the last seven days with a score of 70", () => {
    expect(opened(ready(7.001))).toEqual([]);
    expect(opened(ready(7))).toEqual(["trial_ending_ready"]);
    expect(opened(ready(0))).toEqual(["trial_ending_ready"]);
    expect(opened(ready(-0.001))).toEqual([]);
    expect(opened(ready(3, 69.99))).toEqual([]);
  });
  it("§12.2 gives the score and the active users", () => {
    expect(step(ready(3, 82))[0]).toMatchObject({
      subject: end(3),
      dueAt: MOMENT + 3 * DAY_MS,
      evidence: [
        { code: "score", value: 82, expected: 70 },
        { code: "active_users", value: 1 },
      ],
    });
  });
  it("§12.2 closes when the stage or the end changes, or 3 days after the end, not when the score falls", () => {
    expect(closes(endingReady(3), { ...ready(3), stage: "active" })).toBe("converted");
    expect(closes(endingReady(3), { ...ready(3), stage: "churned" })).toBe("churned");
    expect(closes(endingReady(3), ready(5))).toBe("moved");
    expect(closes(endingReady(3), ready(3, 50))).toBeNull();
    expect(closes(endingReady(-2.999), ready(-2.999))).toBeNull();
    expect(closes(endingReady(-3), ready(-3))).toBe("expired");
  });
  it("§12.1 have the numbers of the last scored day", () => {
    const [low] = step(trial(-1, QUIET), [endingLow(-1)]);
    expect(low).toMatchObject({ confirmedDay: DAY, evidence: [{ code: "active_days", value: 1 }] });
    const [good] = step(ready(3, 50), [endingReady(3)]);
    expect(good).toMatchObject({ dueAt: null, evidence: [{ code: "score", value: 50 }, { code: "active_users" }] });
    const evidence = [{ code: "score", value: 82 }];
    expect(step(trial(-1, { health: { score: null } }), [{ ...endingReady(-1), evidence }])[0]).toMatchObject({
      evidence,
    });
  });
  it("§12.3 is suppressed by low activity", () => {
    expect(opened({ ...ready(3), depth: 40 })).toEqual(["trial_ending_low_activity"]);
    const [item] = step({ ...ready(3), depth: 40 }, [openItem("trial_ending_ready", { subject: end(3) })]);
    expect(item?.resolution).toBe("superseded");
  });
});

describe("trial_expired", () => {
  it("§12.2 opens one day after the end", () => {
    expect(opened(trial(-0.999))).toEqual([]);
    expect(opened(trial(-1))).toEqual(["trial_expired"]);
    expect(opened({ ...trial(-1), stage: "active" })).toEqual([]);
    expect(opened({ stage: "trial" })).toEqual([]);
  });
  it("§12.2 counts whole days and has the highest urgency", () => {
    expect(step(trial(-2.5))[0]).toMatchObject({
      dueAt: MOMENT - 2.5 * DAY_MS,
      rank: 4,
      evidence: [{ code: "days_since_trial_end", value: 2, expected: 0 }],
    });
  });
  it("§12.2 closes only when the stage or the date changes", () => {
    const item = openItem("trial_expired", { subject: end(-90) });
    expect(closes(item, trial(-90))).toBeNull();
    expect(closes(item, { ...trial(-90), stage: "active" })).toBe("converted");
    expect(closes(item, trial(10))).toBe("moved");
    expect(closes(item, { stage: "trial" })).toBe("changed");
  });
});

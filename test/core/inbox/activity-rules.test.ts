import { describe, expect, it } from "vitest";
import type { ItemKind } from "../../../src/core/inbox/model.ts";
import {
  bestOf,
  closes,
  compareUsage,
  DAY,
  DAY_MS,
  DROP,
  type Given,
  openItem,
  opened,
  replay,
  SILENT,
  step,
} from "./support.ts";

const AT_RISK = { state: "at_risk", band: "at_risk", score: 33 } as const;

describe("gone_silent", () => {
  it("§12.2 opens for a silent account with three active days", () => {
    expect(opened({ silence: SILENT, activeDaysEver: 3 })).toEqual(["gone_silent"]);
    expect(opened({ silence: SILENT, activeDaysEver: 2, tenure: 6 })).toEqual([]);
    expect(opened({ silence: { ...SILENT, gap: 6, silent: false } })).toEqual([]);
    expect(opened({ silence: null })).toEqual([]);
  });
  it("§12.2 gives the gap, the threshold and the last day", () => {
    expect(step({ silence: SILENT })[0]).toMatchObject({
      severity: "high",
      dueAt: null,
      evidence: [
        { code: "gap_business_days", value: 7, expected: 7 },
        { code: "last_day", value: DAY - 9 },
      ],
    });
  });
  it("§12.2 closes on the second active day in five business days", () => {
    const item = openItem("gone_silent");
    expect(closes(item, { silence: SILENT, activeOfFive: 0 })).toBeNull();
    expect(closes(item, { activeOfFive: 1 })).toBeNull();
    expect(closes(item, { activeOfFive: 2 })).toBe("recovered");
  });
});

describe("never_activated", () => {
  it("§12.2 opens after 7 days with at most two active days", () => {
    expect(opened({ tenure: 7, activeDaysEver: 2 })).toEqual(["never_activated"]);
    expect(opened({ tenure: 6, activeDaysEver: 2 })).toEqual([]);
    expect(opened({ tenure: 7, activeDaysEver: 3 })).toEqual([]);
  });
  it("§12.2 opens without any event", () => {
    expect(step({ tenure: 9, activeDaysEver: 0, silence: null })[0]?.evidence).toEqual([
      { code: "active_days", value: 0, expected: 3 },
      { code: "age_days", value: 9 },
    ]);
  });
  it("§12.2 closes on a third active day", () => {
    expect(closes(openItem("never_activated"), { activeDaysEver: 2 })).toBeNull();
    expect(closes(openItem("never_activated"), { activeDaysEver: 3 })).toBe("recovered");
  });
  it("§12.3 is suppressed and closed by each trial item", () => {
    const end = new Date((DAY - 1) * DAY_MS).toISOString();
    const story = { stage: "trial", attributes: { trialEndsAt: end }, activeDays: 0, activeDaysEver: 1 } as const;
    for (const kind of ["trial_ending_low_activity", "trial_ending_ready", "trial_expired"] as const) {
      const trial = openItem(kind, { subject: String(Date.parse(end)), openedDay: DAY });
      const [, item] = step(story, [trial, openItem("never_activated")]);
      expect(item?.resolution, kind).toBe("superseded");
      expect(step(story, [trial]).some((each) => each.kind === "never_activated")).toBe(false);
    }
  });
});

describe("usage_drop", () => {
  it("§12.2 opens with a ratio of 0.6 and a z of -2.5", () => {
    expect(opened({ trend: DROP })).toEqual(["usage_drop"]);
    expect(opened({ trend: { ...DROP, ratio: 0.61 } })).toEqual([]);
    expect(opened({ trend: { ...DROP, z: -2.49 } })).toEqual([]);
  });
  it("§12.2 opens on the third day in a row", () => {
    expect(opened((day) => ({ trend: day > DAY - 3 ? DROP : null }))).toEqual(["usage_drop"]);
    expect(opened((day) => ({ trend: day > DAY - 2 ? DROP : null }))).toEqual([]);
    expect(opened((day) => ({ trend: day === DAY - 1 ? null : DROP }))).toEqual([]);
  });
  it("§12.2 is critical from a ratio of 0.35", () => {
    expect(step({ trend: compareUsage(14, 40, -4) })[0]?.severity).toBe("critical");
    expect(step({ trend: compareUsage(15, 40, -4) })[0]?.severity).toBe("high");
  });
  it("§12.2 gives the observed and the expected number and z", () => {
    expect(step({ trend: DROP })[0]?.evidence).toEqual([
      { code: "user_days", value: 24, expected: 40, window: { from: DAY - 13, to: DAY } },
      { code: "z", value: -2.5 },
    ]);
  });
  it("§12.2 closes at 0.8 on three days in a row", () => {
    const item = openItem("usage_drop");
    expect(closes(item, { trend: compareUsage(32, 40, 0) })).toBe("recovered");
    expect(closes(item, { trend: compareUsage(31, 40, 0) })).toBeNull();
    expect(closes(item, (day) => ({ trend: compareUsage(day === DAY - 2 ? 31 : 40, 40, 0) }))).toBeNull();
    expect(closes(item, (day) => ({ trend: compareUsage(day === DAY - 3 ? 31 : 40, 40, 0) }))).toBe("recovered");
    expect(closes(item, { trend: null })).toBeNull();
  });
  it("§12.2 says whether usage recovered or the expectation fell, which is no recovery for an account at risk", () => {
    const usual = { trend: compareUsage(36, 40, 0), ownBest: bestOf(0.69) };
    expect(closes(openItem("usage_drop"), { ...usual, ownBest: bestOf(0.7) })).toBe("recovered");
    expect(closes(openItem("usage_drop"), usual)).toBe("settled");
    expect(closes(openItem("usage_drop"), { ...usual, health: AT_RISK })).toBeNull();
    expect(step({ ...usual, health: AT_RISK }, [openItem("usage_drop")])[0]?.evidence).toMatchObject([
      { code: "best_user_days", value: 69, expected: 100 },
      { code: "user_days", value: 36, expected: 40 },
      { code: "z" },
    ]);
  });
  it.each<[ItemKind, number]>([
    ["usage_drop", 28],
    ["slow_decline", 90],
    ["key_user_quiet", 90],
  ])("§12.2 %s does not expire after %i days while the account is at risk", (kind, days) => {
    const old = openItem(kind, { openedDay: DAY - days, confirmedDay: DAY - 1 });
    const low: Partial<Given> = { trend: DROP, ownBest: bestOf(0.4) };
    expect(closes(old, { ...low, health: { ...AT_RISK, state: "watch" } })).toBe("expired");
    expect(closes(old, { ...low, health: AT_RISK })).toBeNull();
    expect(replay({ ...low, health: AT_RISK }, DAY, DAY + 300, [old])[0]).toMatchObject({ confirmedDay: DAY + 300 });
    expect(closes({ ...old, openedDay: DAY - 300 }, { ...low, health: { ...AT_RISK, state: "watch" } })).toBe(
      "expired",
    );
  });
  it("§12.2 closes when the account falls silent, and after 28 days", () => {
    expect(closes(openItem("usage_drop"), { trend: DROP, silence: SILENT })).toBe("silent");
    expect(closes(openItem("usage_drop", { openedDay: DAY - 27 }), { trend: DROP })).toBeNull();
    expect(closes(openItem("usage_drop", { openedDay: DAY - 28 }), { trend: DROP })).toBe("expired");
  });
  it("§12.3 does not open for a silent account or one that is not yet back", () => {
    expect(opened({ trend: DROP, silence: SILENT })).toEqual(["gone_silent"]);
    expect(opened({ trend: DROP, silence: SILENT, activeDaysEver: 2, tenure: 5 })).toEqual([]);
    const silent = openItem("gone_silent");
    expect(step({ trend: DROP, activeOfFive: 1 }, [silent])).toMatchObject([
      { kind: "gone_silent", resolvedDay: null },
    ]);
  });
});

const dropOf = (days: number) =>
  openItem("usage_drop", { openedDay: DAY - days, resolvedDay: DAY - days + 1, resolution: "recovered" });

const declineOf = (days: number) =>
  openItem("slow_decline", { openedDay: DAY - days, resolvedDay: DAY - days + 90, resolution: "expired" });

describe("slow_decline", () => {
  it("§12.2 opens at 0.6 of the own best with a z of -3.5 on 7 days", () => {
    expect(opened({ ownBest: bestOf(0.6) })).toEqual(["slow_decline"]);
    expect(opened({ ownBest: bestOf(0.61) })).toEqual([]);
    expect(opened({ ownBest: bestOf(0.6, -3.49) })).toEqual([]);
    expect(opened((day) => ({ ownBest: bestOf(day > DAY - 7 ? 0.6 : 0.9) }))).toEqual(["slow_decline"]);
    expect(opened((day) => ({ ownBest: bestOf(day > DAY - 6 ? 0.6 : 0.9) }))).toEqual([]);
    expect(opened((day) => ({ ownBest: day === DAY - 5 ? null : bestOf(0.5) }))).toEqual([]);
    expect(step({ ownBest: bestOf(0.5) })[0]?.evidence).toEqual([
      { code: "user_days", value: 50, expected: 100, window: { from: DAY - 27, to: DAY } },
    ]);
  });
  it("§12.2 does not open within 60 days of a drop", () => {
    expect(step({ ownBest: bestOf(0.5) }, [dropOf(59)])).toHaveLength(1);
    expect(step({ ownBest: bestOf(0.5) }, [dropOf(60)])).toHaveLength(2);
    expect(opened({ ownBest: bestOf(0.5), trend: DROP })).toEqual(["usage_drop"]);
  });
  it("§12.1 is updated while a drop is open", () => {
    const [decline] = step({ ownBest: bestOf(0.4), trend: DROP }, [openItem("slow_decline")]);
    expect(decline).toMatchObject({ resolvedDay: null, confirmedDay: DAY });
  });
  it("§12.2 closes at 0.7 of the best, without a best, when silent, and after 90 days", () => {
    const item = openItem("slow_decline");
    expect(closes(item, { ownBest: bestOf(0.69) })).toBeNull();
    expect(closes(item, { ownBest: bestOf(0.7) })).toBe("recovered");
    expect(closes(item, { ownBest: null })).toBe("recovered");
    expect(closes(item, { ownBest: bestOf(0.4), silence: SILENT })).toBe("silent");
    expect(closes(openItem("slow_decline", { openedDay: DAY - 89 }), { ownBest: bestOf(0.5) })).toBeNull();
    expect(closes(openItem("slow_decline", { openedDay: DAY - 90 }), { ownBest: bestOf(0.5) })).toBe("expired");
  });
  it("§12.2 does not open again within 182 days once it has expired", () => {
    expect(step({ ownBest: bestOf(0.5) }, [declineOf(181)])).toHaveLength(1);
    expect(step({ ownBest: bestOf(0.5) }, [declineOf(182)])).toHaveLength(2);
  });
});

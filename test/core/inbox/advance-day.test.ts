import { describe, expect, it } from "vitest";
import { noContext } from "../../../src/core/health/model.ts";
import type { ItemKind } from "../../../src/core/inbox/model.ts";
import { advanceWorkspaceItems } from "../../../src/core/inbox/advance-day.ts";
import {
  bestOf,
  DAY,
  DAY_MS,
  DROP,
  MOMENT,
  openItem,
  opened,
  replay,
  SENDER_OUT,
  SILENT,
  step,
  type Given,
  compareUsage,
} from "./support.ts";

const trialEnd = (days: number) => new Date(MOMENT + days * DAY_MS).toISOString();
const KEY_USER = { user: 7, days: 20, share: 0.45, silence: SILENT };
const FEATURE = { feature: 3, users: 4, days: 12, lastDay: DAY - 21 };
const GROWTH = { ...compareUsage(60, 30, 5), newUsers: 3 };

/** Measures that open each kind about absence, and no other kind. */
const ABSENCES: readonly [ItemKind, Partial<Given>][] = [
  ["trial_ending_low_activity", { stage: "trial", attributes: { trialEndsAt: trialEnd(2) }, activeDays: 0 }],
  ["never_activated", { activeDaysEver: 1 }],
  ["usage_drop", { trend: DROP }],
  ["slow_decline", { ownBest: bestOf(0.4) }],
  ["gone_silent", { silence: SILENT }],
  ["key_user_quiet", { keyUsers: [KEY_USER] }],
  ["feature_dropped", { droppedFeatures: [FEATURE] }],
];

const closedAgo = (days: number, occurrence = 1) =>
  openItem("gone_silent", { openedDay: DAY - 40, resolvedDay: DAY - days, resolution: "recovered", occurrence });

const confidenceOf = (given: Partial<Given>) => step({ growth: GROWTH, ...given })[0]?.confidence;

describe("the life of an item", () => {
  it("§12.1 nothing opens for a healthy account", () => expect(opened({})).toEqual([]));
  it("§12.1 an item opens once and is updated while its rule finds the problem", () => {
    const items = replay((day) => ({ silence: { ...SILENT, gap: 7 + day - DAY } }), DAY, DAY + 5);
    const evidence = [
      { code: "gap_business_days", value: 12, expected: 7 },
      { code: "last_day", value: DAY - 9 },
    ];
    const days = { openedDay: DAY, confirmedDay: DAY + 5 };
    expect(items).toEqual([openItem("gone_silent", { ...days, severity: "high", rank: 3, evidence })]);
  });
  it("§12.1 an open item has the evidence of the last scored day, although its rule no longer finds the problem", () => {
    const usage = { code: "user_days", value: 30, expected: 40, window: { from: DAY - 13, to: DAY } };
    expect(step({ trend: compareUsage(30, 40, -1) }, [openItem("usage_drop", { severity: "high" })])).toMatchObject([
      { confirmedDay: DAY, severity: "high", rank: 3, evidence: [usage, { code: "z", value: -1 }] },
    ]);
  });
  it("§12.1 keeps its evidence on a day that cannot be compared", () => {
    const evidence = [{ code: "user_days", value: 30, expected: 40 }];
    expect(step({ trend: null }, [openItem("usage_drop", { evidence })])).toMatchObject([
      { confirmedDay: DAY, evidence },
    ]);
  });
  it("§12.1 opens again 14 days after it closed", () => {
    expect(step({ silence: SILENT }, [closedAgo(13)])).toHaveLength(1);
    expect(step({ silence: SILENT }, [closedAgo(14)])[1]).toMatchObject({ occurrence: 2, openedDay: DAY });
    expect(step({ silence: SILENT }, [closedAgo(40, 3), closedAgo(60)])[2]).toMatchObject({ occurrence: 4 });
    expect(step({ silence: SILENT }, [closedAgo(60), closedAgo(13, 2)])).toHaveLength(2);
  });
  it("§12.1 the confidence is that of the score; without one medium, and low in the first 28 days", () => {
    expect(confidenceOf({ health: { confidence: "low" } })).toBe("low");
    expect(confidenceOf({ health: { confidence: null }, tenure: 28 })).toBe("medium");
    expect(confidenceOf({ health: { confidence: null }, tenure: 27 })).toBe("low");
  });
});

describe("suppressed items", () => {
  it.each(ABSENCES)("§12.3 %s opens if nothing suppresses it", (kind, given) => {
    expect(opened({ ...given, health: { score: null } })).toEqual([kind]);
  });
  it.each(ABSENCES)("§12.3 %s does not open for a churned account, and closes", (kind, given) => {
    const churned: Partial<Given> = { ...given, stage: "churned", health: { score: null } };
    expect(opened(churned)).toEqual([]);
    const subject = step({ ...given, health: { score: null } })[0]?.subject ?? "";
    expect(step(churned, [openItem(kind, { subject })])).toMatchObject([{ resolution: "churned", resolvedDay: DAY }]);
  });
  it.each(ABSENCES)("§12.3 %s neither opens nor closes while the sender is or may be out", (kind, given) => {
    const item = openItem(kind, { openedDay: DAY - 200 });
    for (const out of [{ senderSilence: SENDER_OUT }, { senderDoubtful: true }]) {
      expect(opened({ ...given, ...out })).not.toContain(kind);
      expect(step({ ...given, ...out }, [item])[0]).toBe(item);
      expect(step(out, [item])[0]).toBe(item);
    }
  });
  it("§12.3 a trial's item opens right after an outage", () => {
    const [[kind, given] = ["usage_drop", {}]] = ABSENCES;
    expect(opened({ ...given, outages: [[DAY - 2, DAY - 1]] })).toEqual([kind]);
  });
  it.each(ABSENCES.slice(1))("§12.3 %s does not open within a week after an outage", (kind, given) => {
    expect(opened({ ...given, outages: [[DAY - 12, DAY - 7]] })).toEqual([]);
    expect(opened({ ...given, outages: [[DAY - 12, DAY - 8]] })).toEqual([kind]);
    const { subject = "" } = step(given)[0] ?? {};
    const item = openItem(kind, { subject, openedDay: DAY - 3, confirmedDay: DAY - 3 });
    expect(step({ ...given, outages: [[DAY - 12, DAY - 7]] }, [item])[0]?.confirmedDay).toBe(DAY);
  });
  it("§12.3 health_dropped stays during an outage and closes on churn", () => {
    const item = openItem("health_dropped");
    expect(step({ senderSilence: SENDER_OUT }, [item])[0]).toBe(item);
    expect(step({ stage: "churned", senderSilence: SENDER_OUT }, [item])[0]?.resolution).toBe("churned");
  });
  it("§12.3 growth and seats neither open nor close while the sender is out", () => {
    const out = { senderSilence: SENDER_OUT, growth: GROWTH, activeUsers: 9, attributes: { seats: 10 } };
    const items = [openItem("usage_growth", { openedDay: DAY - 90 }), openItem("seats_nearly_full", { subject: "5" })];
    expect(opened(out)).toEqual([]);
    expect(step(out, items)).toEqual(items);
  });
  it("§12.3 rules about attributes and dates go on while the sender is out", () => {
    const senderSilence = SENDER_OUT;
    const out: Partial<Given> = { senderSilence, stage: "trial" };
    expect(opened({ ...out, attributes: { trialEndsAt: trialEnd(-1) } })).toEqual(["trial_expired"]);
    expect(opened({ ...out, attributes: { trialEndsAt: trialEnd(1) } })).toEqual(["trial_ending_ready"]);
    expect(opened((day) => ({ senderSilence, attributes: { mrr: day < DAY ? 100 : 50 } }))).toEqual(["contraction"]);
    expect(step({ senderSilence }, [openItem("trial_expired")])[0]?.resolution).toBe("converted");
  });
  it("§12.3 growth opens for a churned account", () => {
    expect(opened({ stage: "churned", growth: GROWTH })).toEqual(["usage_growth"]);
  });
  it("§12.3 a silent account has only gone_silent", () => {
    const fallen: Partial<Given> = {
      trend: compareUsage(2, 40, -6),
      ownBest: bestOf(0.1),
      keyUsers: [KEY_USER],
      droppedFeatures: [FEATURE],
      health: { state: "at_risk", band: "watch", score: 10 },
    };
    expect(opened({ ...fallen, silence: SILENT })).toEqual(["gone_silent"]);
    const before = replay(fallen, DAY - 3, DAY - 1);
    expect(before.map(({ kind }) => kind)).toEqual(["usage_drop", "key_user_quiet", "feature_dropped"]);
    const after = step({ ...fallen, silence: SILENT }, before);
    expect(after.map(({ resolution }) => resolution)).toEqual(["silent", "silent", "silent", null]);
  });
});

const silentAgo = (ago: number) => openItem("gone_silent", { resolvedDay: DAY - ago, resolution: "recovered" });

describe("an account that has returned", () => {
  it.each<[ItemKind, Partial<Given>, number]>([
    ["usage_drop", { trend: DROP }, 14],
    ["slow_decline", { ownBest: bestOf(0.4) }, 28],
    ["key_user_quiet", { keyUsers: [KEY_USER] }, 14],
    ["feature_dropped", { droppedFeatures: [FEATURE] }, 21],
  ])("§12.3 %s does not open while its window contains the silence", (kind, given, days) => {
    expect(step(given, [silentAgo(days - 1)])).toHaveLength(1);
    expect(step(given, [silentAgo(days)])[1]).toMatchObject({ kind, openedDay: DAY });
    const open = openItem(kind, { subject: step(given)[0]?.subject ?? "" });
    expect(step(given, [silentAgo(0), open])[1]).toMatchObject({ confirmedDay: DAY, resolution: null });
  });
});

describe("personal accounts", () => {
  it("§12.3 have items only with a trial's end or MRR", () => {
    const given: Partial<Given> = { kind: "solo", silence: SILENT };
    expect(opened(given)).toEqual([]);
    expect(opened({ ...given, attributes: { mrr: 0, seats: 1 } })).toEqual([]);
    expect(opened({ ...given, attributes: { mrr: 1 } })).toEqual(["gone_silent"]);
    expect(opened({ ...given, attributes: { trialEndsAt: trialEnd(90) } })).toEqual(["gone_silent"]);
  });
  it("§12.3 lose their items with the last of the two", () => {
    const [item] = step({ kind: "solo", silence: SILENT }, [openItem("gone_silent")]);
    expect(item).toMatchObject({ resolution: "changed", resolvedDay: DAY });
  });
});

const rankOf = (given: Partial<Given>) => step({ silence: SILENT, ...given })[0]?.rank;

describe("the rank of an item", () => {
  const mrr = { EUR: [100, 200, 300] };

  it("§12.4 grows with the rank of the MRR in its currency", () => {
    const ranks = [100, 200, 300].map((value) => rankOf({ mrr, attributes: { mrr: value, currency: "EUR" } }));
    expect(ranks).toEqual([1.5, 3, 4.5]);
  });
  it("§12.4 leaves the rank unchanged without MRR", () => {
    expect(rankOf({ mrr })).toBe(3);
    expect(rankOf({ mrr, attributes: { mrr: 0, currency: "EUR" } })).toBe(3);
  });
});

const out = (gap: number) => ({ ...noContext(DAY), silence: { lastDay: DAY - 4, gap, threshold: 2 } });

describe("tracking_stopped", () => {
  const flowing = noContext(DAY);

  it("§12.2 opens one item of the workspace and updates it", () => {
    const items = advanceWorkspaceItems(advanceWorkspaceItems([], out(2), DAY), out(3), DAY + 1);
    const evidence = [
      { code: "gap_business_days", value: 3, expected: 2 },
      { code: "last_day", value: DAY - 4 },
    ];
    const days = { openedDay: DAY, confirmedDay: DAY + 1 };
    expect(items).toEqual([openItem("tracking_stopped", { ...days, severity: "critical", rank: 4, evidence })]);
  });
  it("§12.2 closes when events arrive again", () => {
    const items = advanceWorkspaceItems(advanceWorkspaceItems([], out(2), DAY), flowing, DAY + 1);
    expect(items).toMatchObject([{ resolution: "recovered", resolvedDay: DAY + 1 }]);
    expect(advanceWorkspaceItems(items, flowing, DAY + 2)).toEqual(items);
  });
});

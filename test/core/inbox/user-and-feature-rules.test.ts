import { describe, expect, it } from "vitest";
import type { DroppedFeature } from "../../../src/core/health/features.ts";
import type { KeyUser } from "../../../src/core/health/key-users.ts";
import { closes, DAY, openItem, opened, SILENT, step } from "./support.ts";

const QUIET: KeyUser = { user: 7, days: 20, share: 0.45, silence: SILENT };
const DROPPED: DroppedFeature = { feature: 3, users: 4, days: 12, lastDay: DAY - 21 };

describe("key_user_quiet", () => {
  const item = openItem("key_user_quiet", { subject: "7", evidence: [{ code: "last_day", value: DAY - 9 }] });

  it("§12.2 opens for each silent key user", () => {
    expect(step({ keyUsers: [QUIET, { ...QUIET, user: 9 }] })).toMatchObject([{ subject: "7" }, { subject: "9" }]);
  });
  it("§12.2 gives the gap, the last day and the share", () => {
    expect(step({ keyUsers: [QUIET] })[0]?.evidence).toEqual([
      { code: "gap_business_days", value: 7, expected: 7 },
      { code: "last_day", value: DAY - 9 },
      { code: "active_days", value: 20 },
      { code: "share", value: 0.45 },
    ]);
  });
  it("§12.2 closes when the user returns, another takes over, or 90 days have passed", () => {
    expect(closes(item, { keyUsers: [] })).toBeNull();
    expect(closes(item, { keyUsers: [QUIET], usersBack: [9], usersSucceeded: [9] })).toBeNull();
    expect(closes(item, { usersBack: [7] })).toBe("recovered");
    expect(closes(item, { keyUsers: [QUIET], usersSucceeded: [7] })).toBe("recovered");
    expect(closes({ ...item, openedDay: DAY - 89 }, { keyUsers: [QUIET] })).toBeNull();
    expect(closes({ ...item, openedDay: DAY - 90 }, { keyUsers: [QUIET] })).toBe("expired");
  });
  it("§12.1 is updated when the user has no share of the usage any more", () => {
    const evidence = [
      { code: "gap_business_days", value: 7, expected: 7 },
      { code: "last_day", value: DAY - 70 },
      { code: "share", value: 0.45 },
    ];
    expect(step({}, [{ ...item, evidence }])[0]?.evidence).toEqual([
      { code: "gap_business_days", value: 50, expected: 7 },
      ...evidence.slice(1),
    ]);
  });
  it("§12.2 without a last day, counts from the day it opened", () => {
    expect(closes({ ...item, evidence: [] }, { usersBack: [7] })).toBe("recovered");
  });
  it("§12.1 does not open for a user who already has a successor", () => {
    expect(opened({ keyUsers: [QUIET], usersSucceeded: [7] })).toEqual([]);
  });
});

describe("feature_dropped", () => {
  const item = openItem("feature_dropped", { subject: "3" });

  it("§12.2 opens for each feature, with its earlier use", () => {
    expect(step({ droppedFeatures: [DROPPED, { ...DROPPED, feature: 5 }] })).toMatchObject([
      {
        kind: "feature_dropped",
        subject: "3",
        severity: "low",
        evidence: [
          { code: "active_days", value: 12 },
          { code: "users", value: 4 },
          { code: "last_day", value: DAY - 21 },
        ],
      },
      { subject: "5" },
    ]);
  });
  it("§12.1 is updated when the feature is used again, or is no longer among those found", () => {
    const evidence = [{ code: "last_day", value: DAY - 60 }];
    const found = { ...item, evidence };
    expect(step({}, [found])[0]?.evidence).toEqual(evidence);
    const again = { code: "days_used_since", value: 1 };
    expect(step({ featureDays: 1 }, [{ ...item, evidence: [...evidence, again] }])[0]?.evidence).toEqual([
      ...evidence,
      again,
    ]);
  });
  it("§12.2 closes on the second day of use, when the account falls silent, and after 90 days", () => {
    expect(closes(item, { featureDays: 1 })).toBeNull();
    expect(closes(item, { featureDays: 2 })).toBe("recovered");
    expect(closes(item, { droppedFeatures: [DROPPED], silence: SILENT })).toBe("silent");
    expect(closes({ ...item, openedDay: DAY - 89 }, { droppedFeatures: [DROPPED] })).toBeNull();
    expect(closes({ ...item, openedDay: DAY - 90 }, { droppedFeatures: [DROPPED] })).toBe("expired");
  });
});

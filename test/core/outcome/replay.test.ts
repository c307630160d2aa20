import { describe, expect, it } from "vitest";

import type { InboxItem } from "../../../src/core/inbox/model.ts";
import { itemChanges, itemsBefore } from "../../../src/core/outcome/replay.ts";

const OPENED = 20_000;

const item = (changes: Partial<InboxItem> = {}): InboxItem => ({
  kind: "usage_drop",
  subject: "",
  occurrence: 1,
  openedDay: OPENED,
  confirmedDay: OPENED + 9,
  resolvedDay: null,
  resolution: null,
  severity: "high",
  confidence: "high",
  rank: 12,
  dueAt: null,
  evidence: [{ code: "user_days", value: 34, expected: 154, window: { from: OPENED - 14, to: OPENED - 1 } }],
  ...changes,
});

describe("the items before a day", () => {
  it("are those opened before it, as they stood", () => {
    expect(itemsBefore([item(), item({ occurrence: 2, openedDay: OPENED + 5 })], OPENED + 5)).toEqual([
      item({ confirmedDay: OPENED + 4 }),
    ]);
  });

  it("are open again if they were resolved on the day or after it", () => {
    const resolved = { resolvedDay: OPENED + 7, resolution: "recovered" } as const;
    expect(itemsBefore([item(resolved)], OPENED + 7)).toEqual([item({ confirmedDay: OPENED + 6 })]);
    expect(itemsBefore([item(resolved)], OPENED + 8)).toEqual([item({ ...resolved, confirmedDay: OPENED + 7 })]);
  });

  it("leave out withdrawn ones", () => {
    expect(itemsBefore([item({ resolvedDay: OPENED + 1, resolution: "withdrawn" })], OPENED + 9)).toEqual([]);
  });
});

describe("the items to write", () => {
  it("are those that are new or were changed", () => {
    const [kept, changed] = [item(), item({ occurrence: 2 })];
    const [now, added] = [item({ occurrence: 2, confirmedDay: OPENED + 10 }), item({ occurrence: 3 })];
    const before = itemsBefore([kept, changed], OPENED + 10);
    expect(itemChanges([kept, changed], [...before.slice(0, 1), now, added], OPENED + 10)).toEqual([now, added]);
  });

  it("withdraw those that are no longer in the outcome, once, from the day they were resolved", () => {
    const open = item();
    const resolved = item({ occurrence: 2, resolvedDay: OPENED + 3, resolution: "recovered" });
    const withdrawn = item({ occurrence: 3, resolvedDay: OPENED + 2, resolution: "withdrawn" });
    expect(itemChanges([open, resolved, withdrawn], [], OPENED + 10)).toEqual([
      item({ resolvedDay: OPENED + 10, resolution: "withdrawn" }),
      { ...resolved, resolution: "withdrawn" },
    ]);
  });
});

import { describe, expect, it } from "vitest";

import type { HealthDay, HealthState } from "../../../src/core/health/model.ts";
import type { InboxItem, Resolution } from "../../../src/core/inbox/model.ts";
import { healthNews, itemNews } from "../../../src/core/notify/news.ts";

/** The last complete day. */
const DAY = 20_600;
const IDENTITY = { kind: "usage_drop", subject: "", occurrence: 1 } as const;

const item = (fields: Partial<InboxItem> = {}): InboxItem => ({
  ...IDENTITY,
  openedDay: DAY,
  confirmedDay: DAY,
  resolvedDay: null,
  resolution: null,
  severity: "high",
  confidence: "high",
  rank: 12,
  dueAt: null,
  evidence: [],
  ...fields,
});
const resolved = (resolvedDay: number, resolution: Resolution, openedDay = DAY - 9) =>
  item({ openedDay, resolvedDay, resolution });

const opened = (day: number) => ({ type: "inbox.opened", ...IDENTITY, day, change: "" });
const closed = (day: number, change: Resolution) => ({ type: "inbox.resolved", ...IDENTITY, day, change });
const of = (before: InboxItem | undefined, after: InboxItem) =>
  itemNews(before === undefined ? [] : [before], [after], DAY);

describe("§10.8 news of items", () => {
  it("tells that a new item is open, by the day on which it opened", () => {
    expect(of(undefined, item({ openedDay: DAY - 2 }))).toEqual([opened(DAY - 2)]);
  });

  it("tells nothing of an item that stays open", () => {
    expect(of(item(), item({ severity: "critical", confirmedDay: DAY }))).toEqual([]);
  });

  it("tells that an open item is resolved, by the day and the resolution", () => {
    expect(of(item({ openedDay: DAY - 9 }), resolved(DAY - 1, "recovered"))).toEqual([closed(DAY - 1, "recovered")]);
  });

  it("tells that an open item is withdrawn", () => {
    expect(of(item({ openedDay: DAY - 1 }), resolved(DAY, "withdrawn"))).toEqual([closed(DAY, "withdrawn")]);
  });

  it("tells both of an item that opened and closed between two runs, also if an earlier one was withdrawn", () => {
    const both = [opened(DAY - 2), closed(DAY, "expired")];
    expect(of(undefined, resolved(DAY, "expired", DAY - 2))).toEqual(both);
    expect(of(resolved(DAY - 5, "withdrawn"), resolved(DAY, "expired", DAY - 2))).toEqual(both);
  });

  it.each(["recovered", "withdrawn"] as const)(
    "tells of an item that was %s and is open again, by the last day",
    (how) => {
      expect(of(resolved(DAY - 1, how), item({ openedDay: DAY - 9 }))).toEqual([opened(DAY)]);
    },
  );

  it("tells nothing of a resolved item that is resolved otherwise, or withdrawn", () => {
    expect(of(resolved(DAY, "recovered"), resolved(DAY - 1, "churned"))).toEqual([]);
    expect(of(resolved(DAY, "recovered"), resolved(DAY, "withdrawn"))).toEqual([]);
  });

  it("tells nothing of days before the last three", () => {
    expect(of(undefined, item({ openedDay: DAY - 3 }))).toEqual([]);
    expect(of(undefined, resolved(DAY - 2, "expired", DAY - 3))).toEqual([closed(DAY - 2, "expired")]);
    expect(of(item({ openedDay: DAY - 9 }), resolved(DAY - 3, "recovered"))).toEqual([]);
  });

  it("keeps items of one kind apart by subject and occurrence", () => {
    const others = [item({ subject: "7" }), item({ occurrence: 2 }), item({ kind: "slow_decline" })];
    expect(itemNews(others, [item()], DAY)).toEqual([opened(DAY)]);
  });
});

const rows = (first: number, ...states: HealthState[]): HealthDay[] =>
  states.map((state, index) => ({
    day: first + index,
    state,
    band: null,
    score: null,
    uncapped: null,
    coverage: 1,
    confidence: null,
    losses: [],
  }));
const changed = (day: number, before: HealthState, change: HealthState) => ({
  type: "health.changed",
  day,
  change,
  before,
});

describe("§10.8 news of health", () => {
  it("tells that the state differs from that of the day before", () => {
    expect(healthNews(rows(DAY - 1, "healthy"), rows(DAY, "at_risk"), DAY)).toEqual([
      changed(DAY, "healthy", "at_risk"),
    ]);
    expect(healthNews([], rows(DAY - 2, "healthy", "at_risk", "healthy"), DAY)).toEqual([
      changed(DAY - 1, "healthy", "at_risk"),
      changed(DAY, "at_risk", "healthy"),
    ]);
  });

  it("tells nothing of an account's first day", () => {
    expect(healthNews([], rows(DAY, "at_risk"), DAY)).toEqual([]);
  });

  it("tells nothing when a day is scored again with the same state", () => {
    const stored = rows(DAY - 2, "healthy", "at_risk", "at_risk");
    expect(healthNews(stored, stored.slice(1), DAY)).toEqual([]);
  });

  it("tells of a day that is scored again with another state", () => {
    expect(
      healthNews(rows(DAY - 2, "healthy", "healthy", "healthy"), rows(DAY - 1, "healthy", "at_risk"), DAY),
    ).toEqual([changed(DAY, "healthy", "at_risk")]);
  });

  it("compares with the new state of the day before, if it is scored again too", () => {
    expect(healthNews(rows(DAY - 2, "healthy", "healthy"), rows(DAY - 1, "at_risk", "at_risk"), DAY)).toEqual([
      changed(DAY - 1, "healthy", "at_risk"),
    ]);
  });

  it("tells nothing of days before the last three", () => {
    const scored = rows(DAY - 4, "healthy", "at_risk", "healthy", "healthy", "healthy");
    expect(healthNews([], scored, DAY)).toEqual([changed(DAY - 2, "at_risk", "healthy")]);
  });
});

/** Tests the rules on whole histories with real measures. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { measuresOf } from "../../../src/core/health/measures.ts";
import { evaluateDay } from "../../../src/core/health/evaluate-day.ts";
import {
  type AccountHistory,
  type Day,
  type HealthDay,
  noContext,
  type WorkspaceContext,
} from "../../../src/core/health/model.ts";
import { contextBuilder } from "../../../src/core/health/workspace-context.ts";
import type { InboxItem } from "../../../src/core/inbox/model.ts";
import { stepInbox, stepTracking } from "../../../src/core/inbox/advance-day.ts";
import { anyDays, contextWith, daysBetween, historyOf, MONDAY, usageOf, weekdaysBetween } from "../health/support.ts";

/** Scores an account day by day. On each day it knows the history that `historyOn` returns for it. */
function inboxOf(
  historyOn: (day: Day) => AccountHistory,
  to: Day,
  contextOf: (day: Day) => WorkspaceContext = noContext,
): InboxItem[] {
  const rows = new Map<Day, HealthDay>();
  let items: InboxItem[] = [];
  for (const day of daysBetween(MONDAY, to)) {
    const measures = measuresOf(historyOn(day), contextOf);
    const row = evaluateDay(measures, day, (earlier) => rows.get(earlier));
    items = stepInbox(items, measures, day, row, (earlier) => rows.get(earlier));
    rows.set(day, row);
  }
  return items;
}
/** The items of an account with this many users on these days. */
const itemsOf = (days: Day[], length: number, users = 5) => {
  const history = historyOf(
    usageOf(days, () => users),
    { firstDay: MONDAY },
  );
  return inboxOf(() => history, MONDAY + length);
};
const openOf = (items: readonly InboxItem[]): InboxItem[] => items.filter(({ resolvedDay }) => resolvedDay === null);
const weekdays = (from: number, to: number): Day[] => weekdaysBetween(MONDAY + from, MONDAY + to);

describe("the inbox of an account", () => {
  it("§12.2 used on every weekday is empty", () => {
    expect(itemsOf(weekdays(0, 300), 300)).toEqual([]);
  });
  it("§12.2 used on every second Tuesday is empty after the start", () => {
    const tuesdays = weekdays(0, 300).filter((day) => (day - MONDAY) % 14 === 1);
    const items = itemsOf(tuesdays, 300, 2);
    expect(items).toMatchObject([{ kind: "never_activated", resolution: "recovered", resolvedDay: tuesdays[2] }]);
  });
  it("§12.2 that stops has one open item", () => {
    const items = itemsOf(weekdays(0, 120), 200);
    expect(openOf(items)).toMatchObject([{ kind: "gone_silent" }]);
    const others = items.filter(({ kind }) => kind !== "gone_silent");
    expect(others.filter(({ resolution }) => resolution !== "silent" && resolution !== "superseded")).toEqual([]);
  });
  it("§12.2 that stops and returns has no open item from its second active day", () => {
    const items = itemsOf([...weekdays(0, 120), ...weekdays(161, 260)], 260);
    const silent = items.find(({ kind }) => kind === "gone_silent");
    expect(silent).toMatchObject({ resolution: "recovered", resolvedDay: MONDAY + 162 });
    expect(items.filter(({ openedDay }) => openedDay > MONDAY + 140)).toEqual([]);
  });
});

describe("an outage of the sender", () => {
  const days = [...weekdays(0, 120), ...weekdays(134, 260)];
  const building = contextBuilder(daysBetween(MONDAY, MONDAY + 260), days, null);
  const histories = [2, 3, 5, 8].map((users) => historyOf(usageOf(days, () => users)));
  for (const history of histories) building.add(history);
  const contexts = new Map(building.finish().map((context) => [context.day, context]));
  const contextOf = (day: Day) => contexts.get(day) ?? noContext(day);

  it("§12.3 opens no account's item, during or after it", () => {
    for (const history of histories) expect(inboxOf(() => history, MONDAY + 260, contextOf)).toEqual([]);
  });
  it("§12.2 opens one item of the workspace, until events arrive again", () => {
    let items: InboxItem[] = [];
    for (const day of daysBetween(MONDAY, MONDAY + 260)) items = stepTracking(items, contextOf(day), day);
    expect(items).toMatchObject([
      { kind: "tracking_stopped", resolution: "recovered", resolvedDay: weekdays(134, 260)[0] },
    ]);
  });
});

describe("any account", () => {
  it("§12.1 has the same items after one run as after a run on each day", () => {
    fc.assert(
      fc.property(anyDays(150), fc.constantFrom(undefined, 3, 6), (days, seats) => {
        const whole = historyOf(days, {
          firstDay: MONDAY,
          attributes: seats === undefined ? [] : [{ day: MONDAY, values: { seats, mrr: 10 } }],
        });
        const contextOf = contextWith({ coreFeatures: [1, 2, 3] });
        const knownBy = (day: Day): AccountHistory => ({ ...whole, days: days.filter((each) => each.day <= day) });
        expect(inboxOf(knownBy, MONDAY + 150, contextOf)).toEqual(inboxOf(() => whole, MONDAY + 150, contextOf));
      }),
      { numRuns: 15 },
    );
  });
});

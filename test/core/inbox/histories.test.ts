/** Tests the rules on whole histories with real measures. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { measuresOf } from "../../../src/core/health/account-measures.ts";
import { evaluateDay } from "../../../src/core/health/evaluate-day.ts";
import {
  type AccountHistory,
  type ActiveDay,
  type AttributeValues,
  type Day,
  type HealthDay,
  noContext,
  type WorkspaceContext,
} from "../../../src/core/health/model.ts";
import { contextBuilder } from "../../../src/core/health/workspace-context.ts";
import type { InboxItem } from "../../../src/core/inbox/model.ts";
import { stepInbox, stepTracking } from "../../../src/core/inbox/step.ts";
import {
  activeDay,
  anyDays,
  contextWith,
  daysBetween,
  historyOf,
  isWeekday,
  MONDAY,
  usageOf,
  weekdaysBetween,
} from "../health/support.ts";

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
const itemsOf = (days: readonly ActiveDay[], length: number, more: Partial<AccountHistory> = {}) => {
  const history = historyOf(days, { firstDay: MONDAY, ...more });
  return inboxOf(() => history, MONDAY + length);
};
const openOf = (items: readonly InboxItem[]): InboxItem[] => items.filter(({ resolvedDay }) => resolvedDay === null);
/** 12 users, then one less every fortnight down to 3. */
const fewerAndFewer = (day: Day): number => Math.max(3, 12 - Math.floor(Math.max(0, day - MONDAY - 120) / 14));
const attributes = (values: AttributeValues, day: Day = MONDAY) => [{ day, values }];
const weekdays = (from: number, to: number): Day[] => weekdaysBetween(MONDAY + from, MONDAY + to);

describe("the inbox of an account", () => {
  it("§12.2 used on every weekday is empty", () => {
    expect(
      itemsOf(
        usageOf(weekdays(0, 300), () => 5),
        300,
      ),
    ).toEqual([]);
  });
  it("§12.2 used on every second Tuesday is empty after the start", () => {
    const tuesdays = weekdays(0, 300).filter((day) => (day - MONDAY) % 14 === 1);
    const items = itemsOf(
      usageOf(tuesdays, () => 2),
      300,
    );
    expect(items).toMatchObject([{ kind: "never_activated", resolution: "recovered", resolvedDay: tuesdays[2] }]);
  });
  it("§12.2 that stops has one open item", () => {
    const items = itemsOf(
      usageOf(weekdays(0, 120), () => 5),
      200,
    );
    expect(openOf(items)).toMatchObject([{ kind: "gone_silent" }]);
    const others = items.filter(({ kind }) => kind !== "gone_silent");
    expect(others.filter(({ resolution }) => resolution !== "silent" && resolution !== "superseded")).toEqual([]);
  });
  it("§12.2 that stops and returns has no open item from its second active day", () => {
    const items = itemsOf(
      usageOf([...weekdays(0, 120), ...weekdays(161, 260)], () => 5),
      260,
    );
    const silent = items.find(({ kind }) => kind === "gone_silent");
    expect(silent).toMatchObject({ resolution: "recovered", resolvedDay: MONDAY + 162 });
    expect(items.filter(({ openedDay }) => openedDay > MONDAY + 140)).toEqual([]);
  });
  it("§12.2 whose usage falls to 40 % has a drop within four weeks, which expires", () => {
    const [drop] = itemsOf(
      usageOf(weekdays(0, 220), (day) => (day < MONDAY + 140 ? 5 : 2)),
      185,
    );
    expect(drop).toMatchObject({ kind: "usage_drop", resolution: "expired" });
    expect(drop?.openedDay).toBeLessThan(MONDAY + 140 + 28);
  });
  it("§12.2 whose usage falls slowly has a decline, which expires", () => {
    const items = itemsOf(usageOf(weekdays(0, 330), fewerAndFewer), 330);
    const declines = items.filter(({ kind }) => kind === "slow_decline");
    expect(declines).toMatchObject([{ resolution: "expired" }]);
    expect(declines[0]?.openedDay).toBeLessThan(MONDAY + 120 + 12 * 14);
  });
  it("§12.2 whose key user leaves has an item until another takes over", () => {
    const days = weekdays(0, 200).map((day) => {
      const isLeft = day >= MONDAY + 120;
      const rest = (day - MONDAY) % 7 === 2 ? [2, 3] : [3];
      const successor = day >= MONDAY + 150 ? [2] : [];
      return activeDay(day, [...new Set([...(isLeft ? [] : [1]), ...rest, ...successor])]);
    });
    const quiet = itemsOf(days, 200).filter(({ kind }) => kind === "key_user_quiet");
    expect(quiet).toMatchObject([{ subject: "1", resolution: "recovered" }]);
    expect(quiet[0]?.openedDay).toBeGreaterThan(MONDAY + 122);
    expect(quiet[0]?.resolvedDay).toBeGreaterThan(MONDAY + 150);
  });
  it("§12.2 with new users has growth and nearly full seats", () => {
    const days = usageOf(weekdays(0, 200), (day) => (day < MONDAY + 140 ? 3 : 9));
    const items = itemsOf(days, 200, { attributes: attributes({ seats: 10 }) });
    expect(items).toMatchObject([
      { kind: "usage_growth", resolution: "expired" },
      { kind: "seats_nearly_full", subject: "10", resolution: null },
    ]);
  });
  it("§12.2 with an unused trial reports the trial and then its end", () => {
    const trialEndsAt = new Date((MONDAY + 21) * 86_400_000).toISOString();
    const trial = { attributes: attributes({ stage: "trial", trialEndsAt }) };
    expect(
      itemsOf(
        usageOf(weekdays(0, 1), () => 1),
        60,
        trial,
      ),
    ).toMatchObject([
      { kind: "never_activated", openedDay: MONDAY + 6, resolution: "superseded" },
      { kind: "trial_ending_low_activity", openedDay: MONDAY + 13, resolution: "expired" },
      { kind: "trial_expired", openedDay: MONDAY + 21, resolution: null },
    ]);
  });
  it("§12.2 that drops a core feature names it", () => {
    const days = weekdays(0, 200).map((day) =>
      activeDay(day, [1, 2, 3], day < MONDAY + 120 ? { 1: [1, 2, 3], 2: [1, 2, 3] } : { 1: [1, 2, 3] }),
    );
    const history = historyOf(days);
    const items = inboxOf(() => history, MONDAY + 200, contextWith({ coreFeatures: [1, 2] }));
    const lastUse = weekdays(0, 119).at(-1) ?? 0;
    expect(items).toMatchObject([{ kind: "feature_dropped", subject: "2", openedDay: lastUse + 21 }]);
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
          attributes: seats === undefined ? [] : attributes({ seats, mrr: 10 }),
        });
        const contextOf = contextWith({ coreFeatures: [1, 2, 3] });
        const knownBy = (day: Day): AccountHistory => ({ ...whole, days: days.filter((each) => each.day <= day) });
        expect(inboxOf(knownBy, MONDAY + 150, contextOf)).toEqual(inboxOf(() => whole, MONDAY + 150, contextOf));
      }),
      { numRuns: 15 },
    );
  });
  it("§12.2 that works at weekends is measured by weekdays", () => {
    const weekends = daysBetween(MONDAY, MONDAY + 200).filter((day) => !isWeekday(day));
    const open = itemsOf(
      usageOf(weekends, () => 1),
      200,
    ).filter(({ resolvedDay }) => resolvedDay === null);
    expect(open).toEqual([]);
  });
});

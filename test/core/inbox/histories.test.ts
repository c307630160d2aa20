/** Tests the rules on whole histories with real measures. */
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import type { AccountHistory, Day, HealthDay, WorkspaceContext } from "../../../src/core/health/model.ts";
import { addAccount, finishContexts, startContexts } from "../../../src/core/health/workspace-context.ts";
import { advanceWorkspaceItems } from "../../../src/core/inbox/advance-day.ts";
import type { InboxItem } from "../../../src/core/inbox/model.ts";
import { replay } from "../../../src/core/outcome/replay.ts";
import { anyDays, contextWith, daysBetween, historyOf, MONDAY, usageOf, weekdaysBetween } from "../health/support.ts";

/** Returns the outcome of one run over an account's first days. */
const runOf = (history: AccountHistory, length: number, contexts = new Map<Day, WorkspaceContext>()) =>
  replay({ history, from: MONDAY, days: [], items: [] }, MONDAY + length, contexts);

/** Returns the items of an account with this many users on these days. */
const itemsOf = (days: Day[], length: number, users = 5) => {
  const use = usageOf(days, () => users);
  return runOf(historyOf(use, { firstDay: MONDAY }), length).items;
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
  it("§12.2 that stops and returns keeps an item until it is no longer at risk", () => {
    const items = itemsOf([...weekdays(0, 120), ...weekdays(161, 260)], 260);
    const silent = items.find(({ kind }) => kind === "gone_silent");
    expect(silent).toMatchObject({ resolution: "recovered", resolvedDay: MONDAY + 162 });
    const later = items.filter(({ openedDay }) => openedDay > MONDAY + 140);
    expect(later).toMatchObject([{ kind: "health_dropped", openedDay: MONDAY + 162, resolution: "recovered" }]);
  });
});

describe("an outage of the sender", () => {
  const days = [...weekdays(0, 120), ...weekdays(134, 260)];
  const sums = startContexts(daysBetween(MONDAY, MONDAY + 260), days, null);
  const histories = [2, 3, 5, 8].map((users) => historyOf(usageOf(days, () => users)));
  for (const history of histories) addAccount(sums, history);
  const contexts = new Map(finishContexts(sums).map((context) => [context.day, context]));

  it("§12.3 opens no account's item, during or after it", () => {
    for (const history of histories) expect(runOf(history, 260, contexts).items).toEqual([]);
  });
  it("§12.2 opens one item of the workspace, until events arrive again", () => {
    let items: InboxItem[] = [];
    for (const [day, context] of contexts) items = advanceWorkspaceItems(items, context, day);
    expect(items).toMatchObject([
      { kind: "tracking_stopped", resolution: "recovered", resolvedDay: weekdays(134, 260)[0] },
    ]);
  });
});

describe("any account", () => {
  it("§10.4 has the same health and items after one run as after a run on each day", () => {
    const contextOf = contextWith({ coreFeatures: [1, 2, 3] });
    const contexts = new Map(daysBetween(MONDAY, MONDAY + 150).map((day) => [day, contextOf(day)]));
    fc.assert(
      fc.property(anyDays(150), fc.constantFrom(undefined, 3, 6), (days, seats) => {
        const attributes = seats === undefined ? [] : [[MONDAY, { seats, mrr: 10 }] as const];
        const history = historyOf(days, { firstDay: MONDAY, attributes });
        const rows: HealthDay[] = [];
        let items: InboxItem[] = [];
        for (const day of daysBetween(MONDAY, MONDAY + 150)) {
          const known = { ...history, days: days.filter((each) => each.day <= day) };
          const run = replay({ history: known, from: day, days: rows, items }, day, contexts);
          rows.push(...run.days);
          items = run.items;
        }
        expect(runOf(history, 150, contexts)).toMatchObject({ days: rows, items });
      }),
      { numRuns: 15 },
    );
  });
});

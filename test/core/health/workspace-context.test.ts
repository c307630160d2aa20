import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import {
  type AccountHistory,
  type ActiveDay,
  type Day,
  noContext,
  type WorkspaceContext,
} from "../../../src/core/health/model.ts";
import { extraReachDays, outagesOf } from "../../../src/core/health/days-off.ts";
import { addAccount, finishContexts, dropLastDays, startContexts } from "../../../src/core/health/workspace-context.ts";
import type { AccountAttributes } from "../../../src/core/ingest/message.ts";
import {
  activeDay,
  anyDays,
  crowd,
  daysBetween,
  historyOf,
  measure,
  MONDAY,
  SUNDAY,
  usageOf,
  weekdaysBetween,
} from "./support.ts";

function built(
  histories: readonly AccountHistory[],
  days: Day[],
  sender = weekdaysBetween(SUNDAY - 90, SUNDAY),
  previous: WorkspaceContext | null = null,
): WorkspaceContext[] {
  const sums = startContexts(days, sender, previous);
  for (const history of histories) addAccount(sums, history);
  return finishContexts(sums);
}
const contextOf = (histories: readonly AccountHistory[], day = SUNDAY) => built(histories, [day])[0] ?? noContext(0);
const activeOn = (count: number, features: Record<number, number[]> = {}): ActiveDay[] =>
  daysBetween(SUNDAY - count + 1, SUNDAY).map((day) => activeDay(day, [1], features));

describe("typical active days", () => {
  it("§11.15 are the 75th percentile of ten or more active accounts", () => {
    const accounts = crowd(10).map((days) => historyOf(activeOn(days)));
    // The eighth of ten.
    expect(contextOf(accounts).typicalActiveDays).toBe(8);
    expect(contextOf(accounts.slice(1)).typicalActiveDays).toBe(12);
    expect(contextOf([...accounts, historyOf(activeOn(28)), historyOf(activeOn(28))]).typicalActiveDays).toBe(9);
  });
  it("§11.15 ignore accounts that were not active in 28 days", () => {
    const gone = crowd(30).map(() => historyOf([activeDay(SUNDAY - 28)]));
    expect(contextOf([...crowd(10).map((days) => historyOf(activeOn(days))), ...gone]).typicalActiveDays).toBe(8);
    expect(contextOf([...crowd(9).map(() => historyOf(activeOn(5))), ...gone]).typicalActiveDays).toBe(12);
    expect(contextOf([])).toEqual(noContext(SUNDAY));
  });
});

describe("core features", () => {
  it("§11.15 are used by a quarter of the active accounts", () => {
    const others = (count: number) => crowd(count).map(() => historyOf(activeOn(1, { 7: [] })));
    const user = historyOf(activeOn(3, { 4: [1] }));
    expect(contextOf([user, ...others(3)]).coreFeatures).toEqual([4, 7]);
    expect(contextOf([user, ...others(4)]).coreFeatures).toEqual([7]);
  });
  it.each([
    [27, [4]],
    [28, []],
  ])("§11.15 were used in 28 days: %d days ago", (ago, features) => {
    const days = [activeDay(SUNDAY - ago, [1], { 4: [1] }), activeDay(SUNDAY, [1])];
    expect(contextOf([historyOf(days)]).coreFeatures).toEqual(features);
  });
});

const steady = (users: number, lately: number) =>
  historyOf(usageOf(weekdaysBetween(SUNDAY - 69, SUNDAY), (day) => (day > SUNDAY - 14 ? lately : users)));

describe("the accounts of the workspace factor", () => {
  it("§11.15 have at least 10 expected user-days", () => {
    const one = historyOf(
      weekdaysBetween(SUNDAY - 69, SUNDAY).map((day) => activeDay(day, day <= SUNDAY - 14 ? [1] : [])),
    );
    expect(contextOf([one, steady(4, 2), steady(4, 3)]).factor).toEqual({ count: 3, middle: [0, 0.5, 0.75] });
    const rare = historyOf(
      weekdaysBetween(SUNDAY - 69, SUNDAY)
        .filter((day) => day % 7 !== 4)
        .map((day) => activeDay(day)),
    );
    expect(contextOf([rare, steady(4, 2)]).factor).toEqual({ count: 1, middle: [0.5] });
    const young = historyOf(usageOf(weekdaysBetween(SUNDAY - 34, SUNDAY), () => 9));
    expect(contextOf([young, historyOf([])]).factor).toEqual({ count: 0, middle: [] });
  });
  it("§11.15 do not decline in a week that all take off", () => {
    const accounts = crowd(12).map(() => steady(4, 2));
    const context = contextOf(accounts);
    for (const account of accounts) expect(measure(account, context).trend(SUNDAY)?.ratio).toBe(1);
    const worse = measure(steady(4, 1), context).trend(SUNDAY);
    expect(worse?.ratio).toBe(0.5);
  });
});

const paying = (values: AccountAttributes) =>
  historyOf([], { firstDay: SUNDAY - 9, attributes: [[SUNDAY - 5, values]] });

describe("the MRR of a workspace", () => {
  it("§11.15 is listed by currency, without churned accounts", () => {
    const accounts = [
      paying({ mrr: 30, currency: "EUR" }),
      paying({ mrr: 10, currency: "EUR", stage: "trial" }),
      paying({ mrr: 20, currency: "EUR", stage: "Cancelled" }),
      paying({ mrr: 0, currency: "EUR" }),
      paying({ currency: "EUR" }),
      paying({ mrr: 99 }),
      paying({ mrr: 7, currency: "CHF" }),
    ];
    expect(contextOf(accounts).mrr).toEqual({ "": [99], CHF: [7], EUR: [10, 30] });
    expect(Object.keys(contextOf(accounts.toReversed()).mrr)).toEqual(["", "CHF", "EUR"]);
    expect(contextOf(accounts, SUNDAY - 6).mrr).toEqual({});
  });
});

const senderOf = (accounts: AccountHistory[]): Day[] =>
  [...new Set(accounts.flatMap(({ days }) => days.map(({ day }) => day)))].toSorted((a, b) => a - b);

describe("§10.4 the contexts of a workspace", () => {
  const sender = [...weekdaysBetween(SUNDAY - 90, SUNDAY - 30), ...weekdaysBetween(SUNDAY - 20, SUNDAY)];
  it("§11.11 contain the silence during an outage, and the outage afterwards", () => {
    const contexts = built([], daysBetween(SUNDAY - 30, SUNDAY - 20), sender);
    expect(contexts.map(({ silence }) => silence?.gap ?? 0)).toEqual([0, 0, 0, 0, 2, 3, 4, 5, 5, 5, 0]);
    expect(contexts.at(-2)?.outages).toEqual([]);
    expect(contexts.at(-1)?.outages).toEqual([[SUNDAY - 29, SUNDAY - 21]]);
  });
  it("§11.11 windows reach back further by the days of outages", () => {
    expect(extraReachDays(outagesOf(sender, SUNDAY, null))).toBe(9 + 7);
    const two = [10, 20].map((first): [number, number] => [first, first + 4]);
    expect(extraReachDays(two)).toBe(5 + 7 + 5 + 7);
    expect(extraReachDays([])).toBe(0);
  });

  const anyAccounts = fc.array(
    fc
      .record({ days: anyDays(100), mrr: fc.nat(50) })
      .map(({ days, mrr }) => historyOf(days, { attributes: [[MONDAY, { mrr, currency: "EUR" }]] })),
    { minLength: 1, maxLength: 14 },
  );

  it("§11.15 do not depend on the order of the accounts", () => {
    fc.assert(
      fc.property(anyAccounts, (accounts) => {
        const days = daysBetween(MONDAY + 60, MONDAY + 99);
        const textOf = (of: AccountHistory[]) => JSON.stringify(built(of, days, senderOf(accounts)));
        expect(textOf(accounts.toReversed())).toBe(textOf(accounts));
      }),
      { numRuns: 20 },
    );
  });
  it("§11.15 are the same day by day as all at once", () => {
    fc.assert(
      fc.property(anyAccounts, (accounts) => {
        const days = daysBetween(MONDAY + 60, MONDAY + 99);
        let previous: WorkspaceContext | null = null;
        const daily: WorkspaceContext[] = [];
        for (const day of days) {
          const [context = noContext(0)]: WorkspaceContext[] = built(accounts, [day], senderOf(accounts), previous);
          previous = context;
          daily.push(context);
        }
        expect(daily).toEqual(built(accounts, days, senderOf(accounts)));
      }),
      { numRuns: 20 },
    );
  });
});

describe("a comparison that stops", () => {
  it("continues from its sums as JSON, and leaves days to a later one", () => {
    const days = daysBetween(SUNDAY - 9, SUNDAY);
    const sender = weekdaysBetween(SUNDAY - 90, SUNDAY);
    const accounts = crowd(14).map((count) =>
      historyOf(activeOn(count + 2, { [count % 3]: [1] }), {
        attributes: [[SUNDAY - 90, { mrr: count, currency: "EUR" }]],
      }),
    );
    const first = startContexts(days, sender, null);
    for (const account of accounts.slice(0, 5)) addAccount(first, account);
    dropLastDays(first, 30);
    const kept = first.length;
    expect(kept).toBeGreaterThan(1);
    expect(kept).toBeLessThan(days.length);
    const rest: typeof first = JSON.parse(JSON.stringify(first));
    for (const account of accounts.slice(5)) addAccount(rest, account);
    expect(finishContexts(rest)).toEqual(built(accounts, days).slice(0, kept));
    dropLastDays(rest, 0);
    expect(rest).toHaveLength(1);
  });
});

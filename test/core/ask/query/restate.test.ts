import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { canonical, isSame } from "../../../../src/core/ask/query/canonical.ts";
import { checkQuery } from "../../../../src/core/ask/query/check.ts";
import { type Query, querySchema } from "../../../../src/core/ask/query/model.ts";
import { restate } from "../../../../src/core/ask/query/restate.ts";
import { dimensions, neighbors, queries, speech } from "./queries.ts";

type Given = Omit<Query, "where"> & { where?: Query["where"] };

const acme = { dimension: "account", is: "acme" };
const business = { dimension: "plan", is: "Business" };
const customers = { dimension: "stage", is: "active" };
const silent = { dimension: "events", is: 0 };
const october = { from: "2026-10-01", to: "2026-10-31" };

const TABLE: readonly (readonly [Given, string])[] = [
  [
    { find: "accounts", show: "count", where: [business, silent], window: { last: 14, unit: "day" } },
    "How many accounts on the Business plan had no events in the last 14 days?",
  ],
  [{ find: "accounts", show: "count", where: [business] }, "How many accounts are on the Business plan?"],
  [{ find: "accounts", show: "count", where: [customers] }, "How many customers are there?"],
  [
    {
      find: "accounts",
      show: "list",
      where: [customers],
      measure: "events",
      compare: { to: "before" },
      order: { by: "change", direction: "up" },
      limit: 5,
    },
    "Which 5 customers lost the most events in the last 28 days compared with the 28 days before?",
  ],
  [{ find: "accounts", show: "value", measure: "mrr", per: "account.region" }, "MRR per region"],
  [
    { find: "accounts", show: "value", measure: "mrr", where: [business], per: "account.region" },
    "MRR of accounts on the Business plan per region",
  ],
  [{ find: "accounts", show: "value", measure: "mrr", where: [customers] }, "What is the total MRR of customers?"],
  [{ find: "accounts", show: "value", measure: "mrr", where: [acme] }, "What is the MRR of Acme?"],
  [
    { find: "accounts", show: "when", where: [acme, { dimension: "stage", became: "active" }], window: { all: true } },
    "When did Acme become a customer?",
  ],
  [
    { find: "accounts", show: "count", where: [{ dimension: "stage", became: "active", after: "trial" }] },
    "How many accounts became customers after being on trial in the last 28 days?",
  ],
  [
    { find: "accounts", show: "list", where: [{ dimension: "stage", became: "active", first: true }] },
    "Accounts that became customers for the first time in the last 28 days",
  ],
  // People mean customers by "accounts that churned", so other changes are marked.
  [
    { find: "accounts", show: "list", where: [{ dimension: "stage", became: "churned" }] },
    "Accounts that churned at some point in the last 28 days",
  ],
  [
    { find: "accounts", show: "count", where: [{ dimension: "health", newly: "at_risk" }], window: { this: "week" } },
    "How many accounts are newly at risk this week?",
  ],
  [
    { find: "accounts", show: "value", measure: "mrr_lost", window: { previous: "quarter" } },
    "What is the total MRR lost to churn and contraction last quarter?",
  ],
  [
    {
      find: "accounts",
      show: "yes_no",
      measure: "seats",
      window: { this: "month" },
      compare: { to: "before" },
      order: { by: "change", direction: "up" },
    },
    "Did accounts have fewer seats this month than the month before?",
  ],
  [{ find: "items", show: "list" }, "Open inbox items"],
  [
    { find: "events", show: "value", window: { this: "month" }, compare: { to: "before" } },
    "How many events were there this month compared with as many days of the month before?",
  ],
  [
    { find: "events", show: "value", window: { last: 3, unit: "day" }, compare: { to: "before" } },
    "How many events were there in the last 3 days compared with the same weekdays a week earlier?",
  ],
  [{ find: "accounts", show: "when", where: [acme], measure: "last_seen" }, "When was Acme last active?"],
  [{ find: "accounts", show: "when", where: [acme], measure: "trial_ends" }, "When does the trial of Acme end?"],
  [
    {
      find: "users",
      show: "list",
      where: [
        { dimension: "account", is: "meridian-air" },
        { dimension: "user.role", is: "admin" },
      ],
      measure: "events",
      window: october,
    },
    "Users of Meridian Air with the role admin, most events first, in October 2026",
  ],
  [{ find: "accounts", show: "yes_no", where: [acme, business] }, "Is Acme on the Business plan?"],
  [{ find: "accounts", show: "yes_no", where: [acme, customers] }, "Is Acme a customer?"],
  [
    { find: "accounts", show: "yes_no", where: [acme, { dimension: "event", is: "Report Exported" }] },
    "Did Acme use Report Exported in the last 28 days?",
  ],
  [
    {
      find: "accounts",
      show: "yes_no",
      where: [acme],
      measure: "events",
      compare: { to: "before" },
      window: { previous: "week" },
    },
    "Did Acme have more events last week than the week before?",
  ],
  [{ find: "accounts", show: "why", where: [acme] }, "Why is the health of Acme as it is?"],
  [{ find: "accounts", show: "why", where: [acme, { dimension: "health", is: "at_risk" }] }, "Why is Acme at risk?"],
  [{ find: "accounts", show: "summary", where: [acme] }, "Tell me about Acme"],
  [
    { find: "events", show: "value", per: "week", where: [acme], window: october },
    "Events from Acme per week in October 2026",
  ],
  [
    { find: "features", show: "list", where: [acme, { dimension: "active", is: false }] },
    "Features for Acme that were not used in the last 28 days",
  ],
  [
    {
      find: "items",
      show: "list",
      where: [
        { dimension: "status", is: "open" },
        { dimension: "severity", is: "high" },
      ],
    },
    "Open inbox items of high severity",
  ],
  [
    {
      find: "accounts",
      show: "list",
      where: [{ dimension: "account.contractEndsOn", within: { next: 30, unit: "day" } }],
      measure: "mrr",
    },
    'Accounts whose account trait "contractEndsOn" is in the next 30 days with their MRR, sorted by earliest account trait "contractEndsOn"',
  ],
  [
    { find: "accounts", show: "count", where: [{ dimension: "plan", is: "Business plan" }] },
    'How many accounts are on the "Business plan" plan?',
  ],
  [
    { find: "accounts", show: "share", of: [business], where: [silent], window: { last: 14, unit: "day" } },
    "What share of accounts on the Business plan had no events in the last 14 days?",
  ],
  [
    { find: "accounts", show: "share", where: [customers, business] },
    "What share of accounts are customers on the Business plan?",
  ],
  [
    { find: "accounts", show: "value", measure: "mrr", aggregate: "average", where: [customers] },
    "What is the average MRR of customers?",
  ],
  [
    { find: "accounts", show: "value", measure: "score", aggregate: "median", per: "plan" },
    "Median health score per plan",
  ],
  [
    { find: "accounts", show: "list", where: [{ dimension: "active_users", is: 1 }] },
    "Accounts that had exactly 1 active user in the last 28 days",
  ],
  [
    { find: "accounts", show: "list", where: [{ dimension: "item_kind", isUnknown: true }] },
    "Accounts with no open item of any kind",
  ],
  [{ find: "accounts", show: "count", where: [acme] }, "How many accounts called Acme are there?"],
  [
    { find: "events", show: "value", measure: "active_users", where: [{ dimension: "event", is: "Report Exported" }] },
    "How many active users of Report Exported were there in the last 28 days?",
  ],
  [{ find: "accounts", show: "list", with: ["plan", "seats"] }, "Accounts, with their plan and seats"],
  [
    { find: "accounts", show: "count", where: [{ dimension: "item_kind", is: "usage_growth" }] },
    "How many accounts have an open item of the kind usage growth?",
  ],
  [
    { find: "items", show: "list", where: [{ dimension: "resolved", within: { previous: "week" } }] },
    "Inbox items resolved last week",
  ],
  [
    { find: "accounts", show: "when", where: [acme, { dimension: "mrr", changed: "up" }], window: { all: true } },
    "When did the MRR of Acme go up?",
  ],
  [
    {
      find: "events",
      show: "value",
      per: "day",
      order: { by: "events", direction: "down" },
      limit: 1,
      window: october,
    },
    "The day with the most events in October 2026",
  ],
  [
    { find: "accounts", show: "value", measure: "mrr", window: october },
    "What is the total MRR at the end of October 2026?",
  ],
  [{ find: "accounts", show: "list", where: [{ dimension: "account", is: "Acme" }] }, "The account Acme"],
  [{ find: "accounts", show: "value", measure: "seats", where: [acme] }, "How many seats does Acme have?"],
  [{ find: "accounts", show: "value", measure: "seats", where: [customers] }, "How many seats do customers have?"],
  [
    { find: "users", show: "value", measure: "account", where: [{ dimension: "user.role", is: "admin" }] },
    "Which account do users with the role admin belong to?",
  ],
  [{ find: "accounts", show: "list", measure: "seats", limit: 2 }, "Which 2 accounts have the most seats?"],
  [{ find: "accounts", show: "list", measure: "mrr", limit: 1 }, "Which one of the accounts has the highest MRR?"],
  [
    { find: "accounts", show: "list", where: [{ dimension: "stage", became: "churned" }], window: october },
    "Accounts that churned at some point in October 2026",
  ],
  [
    {
      find: "accounts",
      show: "when",
      where: [acme, { dimension: "events", from: 5 }, { dimension: "seats", changed: "down" }],
      window: { all: true },
    },
    "When did the seats of Acme that had at least 5 events go down at any time?",
  ],
  [
    { find: "accounts", show: "count", where: [customers, { dimension: "stage", became: "churned" }], window: october },
    "How many accounts that are customers churned at some point in October 2026?",
  ],
  [
    {
      find: "accounts",
      show: "share",
      of: [customers],
      where: [{ dimension: "stage", became: "churned" }],
      window: october,
    },
    "What share of accounts that are customers churned at some point in October 2026?",
  ],
  [
    { find: "events", show: "value", measure: "active_users", where: [acme], per: "week" },
    "Active users at Acme per week in the last 28 days",
  ],
  [
    {
      find: "accounts",
      show: "list",
      where: [
        business,
        { dimension: "mrr", over: 5 },
        { dimension: "score", under: 40 },
        { dimension: "health", is: "at_risk" },
        silent,
      ],
    },
    "Accounts on the Business plan with MRR over 5 and a health score under 40 that are at risk and had no events in the last 28 days",
  ],
  [
    {
      find: "accounts",
      show: "value",
      measure: "mrr",
      where: [acme],
      window: { from: "2026-10-05", to: "2026-10-05" },
    },
    "What is the MRR of Acme on 5 October 2026?",
  ],
];

describe("§16 restatements", () => {
  it.each(TABLE)("of %j is %s", (given, text) => {
    const parsed = querySchema.parse(given);
    expect(checkQuery(parsed, dimensions)).toEqual([]);
    expect(restate(parsed, speech)).toBe(text);
  });

  it("differ for different queries", () => {
    const seen = new Map<string, Query>();
    const collide = (given: Query, text: string): string[] => {
      const form = canonical(given);
      const other = seen.get(text) ?? form;
      seen.set(text, form);
      return isSame(other, form) ? [] : [`${text}\n${JSON.stringify(other)}\n${JSON.stringify(form)}`];
    };
    fc.assert(
      fc.property(neighbors(), (several) => {
        expect(several.flatMap((given) => collide(given, restate(given, speech)))).toEqual([]);
      }),
      { numRuns: 1_000 },
    );
  });

  it("come from a canonical form that is stable and valid, and have no odd words", () => {
    fc.assert(
      fc.property(queries, (given) => {
        const form = canonical(given);
        expect(canonical(form)).toEqual(form);
        expect(checkQuery(form, dimensions)).toEqual([]);
        expect(restate(form, speech)).toBe(restate(given, speech));
        expect(restate(given, speech).replaceAll(/"(?:[^"]|"")*"/g, "")).not.toMatch(
          /undefined|NaN|Infinity|(?<![\w-])-0\b|\{\w+\}|\[object|function/,
        );
      }),
    );
  });
});

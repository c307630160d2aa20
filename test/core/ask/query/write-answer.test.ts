import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { type Query, querySchema } from "../../../../src/core/ask/query/model.ts";
import type { Entity, QueryResult, ResultRow } from "../../../../src/core/ask/query/result.ts";
import { refuseWithoutHistory } from "../../../../src/core/ask/query/compared-windows.ts";
import { summaryQueries, writeSummary } from "../../../../src/core/ask/query/summary.ts";
import { writeAnswer } from "../../../../src/core/ask/query/write-answer.ts";
import type { AnswerSettings, WrittenAnswer } from "../../../../src/core/ask/query/answer-context.ts";
import { dayOf } from "../../../../src/core/ask/query/windows.ts";
import { queries, speech } from "./queries.ts";

const today = dayOf("2026-11-23");
const telling: AnswerSettings = { ...speech, today, now: today * 86_400_000, firstDay: null };
const window = { from: today - 27, to: today };
const complete = { from: today - 28, to: today - 1 };
const before = { from: today - 56, to: today - 29 };

const account = (externalId: string, name: string | null, stage: Entity["stage"] = "active"): Entity => ({
  type: "account",
  id: `acc_${externalId}`,
  externalId,
  name,
  stage,
});
const acme = account("acme", "Acme");
const beta = account("beta", null, "churned");

const result = (rows: readonly ResultRow[], rest: Partial<QueryResult> = {}): QueryResult => ({
  rows,
  total: rows.length,
  population: null,
  window,
  before: null,
  ...rest,
});

type Given = Omit<Query, "where"> & { where?: Query["where"] };
const isAcme = { dimension: "account", is: "acme" };
const business = { dimension: "plan", is: "Business" };
const compare = { to: "before" } as const;

const weeks = { find: "events", show: "value", per: "week", window: { last: 2, unit: "week" } } as const;

const RECENTLY = "in the last 28 days (27 Oct to 23 Nov 2026, today so far)";
const exported = { dimension: "event", is: "Report Exported" } as const;
const was = (value: number | string | null, rest: Partial<QueryResult> = {}) => result([{ value }], rest);
const october = { from: "2026-10-01", to: "2026-10-31" } as const;
const all = { from: dayOf("2026-08-26"), to: today };

/** As people say them. */
const SAID: readonly (readonly [Given, QueryResult, string])[] = [
  [
    { find: "accounts", show: "value", measure: "active_users", where: [isAcme] },
    was(1),
    `1 person at Acme was active ${RECENTLY}.`,
  ],
  [
    { find: "events", show: "value", measure: "active_users", where: [isAcme] },
    was(30),
    `30 people at Acme were active ${RECENTLY}.`,
  ],
  [
    { find: "events", show: "value", measure: "active_users", where: [isAcme] },
    was(0),
    `Nobody at Acme was active ${RECENTLY}.`,
  ],
  [
    { find: "events", show: "value", measure: "active_users", where: [business] },
    was(2),
    `2 people at accounts on the Business plan were active ${RECENTLY}.`,
  ],
  [
    { find: "events", show: "value", measure: "active_users", where: [exported] },
    was(12),
    `12 people used Report Exported ${RECENTLY}.`,
  ],
  [
    { find: "features", show: "value", measure: "active_users", where: [exported, isAcme] },
    was(3),
    `3 people at Acme used Report Exported ${RECENTLY}.`,
  ],
  [
    { find: "events", show: "value", measure: "active_accounts", where: [exported] },
    was(1),
    `1 account used Report Exported ${RECENTLY}.`,
  ],
  [
    { find: "events", show: "value", measure: "active_accounts", where: [business] },
    was(5),
    `5 accounts on the Business plan were active ${RECENTLY}.`,
  ],
  [
    { find: "accounts", show: "value", measure: "active_days", where: [isAcme] },
    was(1),
    `Acme was active on 1 day ${RECENTLY}.`,
  ],
  [
    { find: "accounts", show: "value", measure: "active_days", where: [isAcme, exported] },
    was(0),
    `Acme did not use Report Exported ${RECENTLY}.`,
  ],
  [
    { find: "events", show: "value", measure: "features_used", where: [business] },
    was(2),
    `2 features were used at accounts on the Business plan ${RECENTLY}.`,
  ],
  [{ find: "events", show: "value", where: [exported] }, was(2), `Report Exported was sent 2 times ${RECENTLY}.`],
  [
    { find: "events", show: "value", where: [exported, business] },
    was(0),
    `Report Exported was not sent by accounts on the Business plan ${RECENTLY}.`,
  ],
  [{ find: "events", show: "value", where: [isAcme] }, was(5), `Acme had 5 events ${RECENTLY}.`],
  [
    { find: "events", show: "value", where: [isAcme, exported], compare },
    result([{ value: 0, before: 1 }], { window: complete, before }),
    "Acme used Report Exported 0 times in the last 28 days (26 Oct to 22 Nov 2026), 1 in the 28 days before (28 Sep to 25 Oct 2026): 100% fewer.",
  ],
  [
    { find: "accounts", show: "yes_no", where: [isAcme, { dimension: "health", isNot: "at_risk" }] },
    was("", { window: null }),
    "Acme is not at risk.",
  ],
  [
    { find: "accounts", show: "yes_no", where: [isAcme, { dimension: "health", isNot: "at_risk" }] },
    result([], { window: null }),
    "Acme is at risk.",
  ],
  [
    { find: "accounts", show: "yes_no", where: [isAcme, { dimension: "health", is: "at_risk" }] },
    result([], { window: null }),
    "No, Acme is not at risk.",
  ],
  [
    { find: "accounts", show: "yes_no", where: [isAcme, { dimension: "active", is: false }] },
    result([]),
    `Acme was active ${RECENTLY}.`,
  ],
  [
    { find: "accounts", show: "yes_no", where: [isAcme, { dimension: "item_kind", isUnknown: true }] },
    result([], { window: null }),
    "Acme has an open item of any kind.",
  ],
  [
    { find: "accounts", show: "yes_no", where: [isAcme, { dimension: "item_kind", isNot: "usage_drop" }] },
    was("", { window: null }),
    "Acme has no open item of the kind usage drop.",
  ],
  [
    {
      find: "accounts",
      show: "when",
      where: [isAcme, { dimension: "stage", became: "churned" }],
      window: { all: true },
    },
    result([{ entity: acme, value: "2026-10-12" }]),
    "Acme churned on 12 Oct 2026.",
  ],
  [
    { find: "accounts", show: "count", where: [{ dimension: "stage", became: "trial" }], window: { all: true } },
    was(1, { window: all }),
    "1 account started a trial since records began (26 Aug to 23 Nov 2026, today so far).",
  ],
  [
    { find: "accounts", show: "count", where: [business, { dimension: "health", is: "at_risk" }] },
    was(1),
    "1 account on the Business plan is at risk.",
  ],
  [
    { find: "accounts", show: "count", where: [business, { dimension: "stage", isNot: "active" }] },
    was(1),
    "1 account on the Business plan is not a customer.",
  ],
  [
    { find: "items", show: "count", where: [{ dimension: "opened", is: "2026-11-23" }] },
    was(1, { window: null }),
    "1 inbox item was opened on 23 November 2026.",
  ],
  [
    { find: "accounts", show: "value", measure: "stage", where: [isAcme], window: october },
    was("active", { window: { from: dayOf("2026-10-01"), to: dayOf("2026-10-31") } }),
    "Acme was a customer at the end of October 2026.",
  ],
  [
    {
      find: "accounts",
      show: "value",
      measure: "mrr",
      where: [isAcme],
      window: { from: "2026-10-05", to: "2026-10-05" },
    },
    result([{ value: 5, currency: "EUR" }], { window: { from: dayOf("2026-10-05"), to: dayOf("2026-10-05") } }),
    "The MRR of Acme on 5 October 2026 was €5.",
  ],
  [
    {
      find: "accounts",
      show: "value",
      measure: "seats",
      where: [isAcme],
      window: { from: "2026-09-01", to: "2026-11-23" },
    },
    was(1, { window: all }),
    "Acme has 1 seat.",
  ],
  [
    { find: "accounts", show: "value", measure: "health", where: [isAcme] },
    was("insufficient_data", { window: null }),
    "Acme does not have enough data for a health score.",
  ],
  [
    {
      find: "accounts",
      show: "list",
      measure: "score",
      window: { previous: "week" },
      compare,
      order: { by: "change", direction: "up" },
    },
    result([], { window: { from: dayOf("2026-11-16"), to: dayOf("2026-11-22") } }),
    "No accounts lost health score last week (16 Nov to 22 Nov 2026).",
  ],
  [
    { find: "events", show: "value", measure: "active_users", where: [business], per: "user.role" },
    result([]),
    `There were no active users at accounts on the Business plan ${RECENTLY}.`,
  ],
  [
    {
      find: "accounts",
      show: "value",
      measure: "score",
      per: "plan",
      order: { by: "score", direction: "up" },
      limit: 1,
    },
    result([{ group: "Team", value: 30 }], { window: null }),
    "The plan with the lowest average health score is Team, with 30.",
  ],
];

const TABLE: readonly (readonly [Given, QueryResult, string])[] = [
  [
    { find: "accounts", show: "count", where: [business, { dimension: "events", is: 0 }] },
    result([{ value: 12 }], { population: 60 }),
    "12 accounts on the Business plan had no events in the last 28 days (27 Oct to 23 Nov 2026, today so far), out of 60 accounts.",
  ],
  [
    { find: "accounts", show: "value", measure: "mrr", where: [{ dimension: "health", is: "at_risk" }] },
    result([{ value: 900, currency: "EUR" }]),
    "The total MRR of accounts that are at risk is €900.",
  ],
  [
    { find: "accounts", show: "value", measure: "mrr", where: [{ dimension: "health", isNot: "healthy" }] },
    result([{ value: 900, currency: "EUR" }]),
    "The total MRR of accounts that are not churned and are not healthy is €900.",
  ],
  [
    { find: "accounts", show: "list", where: [{ dimension: "unused_seats", over: 1 }] },
    result([{ entity: acme, with: { unused_seats: 12 } }]),
    "1 account that is not churned and had more than 1 unused seat in the last 28 days (27 Oct to 23 Nov 2026, today so far):\n- Acme: 12 unused seats",
  ],
  [
    { find: "items", show: "list", order: { by: "mrr", direction: "down" } },
    result(
      [
        {
          entity: acme,
          item: { id: "itm_1", kind: "usage_drop", severity: "high", status: "open", opened: today, about: null },
          currency: "EUR",
          with: { mrr: 900 },
        },
      ],
      { window: null },
    ),
    "1 open inbox item about accounts that are not churned:\n- Acme: usage drop, high severity, opened 23 Nov 2026, MRR €900",
  ],
  [{ find: "accounts", show: "count", where: [business] }, result([]), "No accounts are on the Business plan."],
  [
    { find: "accounts", show: "count", where: [business] },
    result([{ value: 1 }]),
    "1 account is on the Business plan.",
  ],
  [
    { find: "accounts", show: "value", measure: "active_users", where: [isAcme], compare },
    result([{ value: 34, before: 52 }], { window: complete, before }),
    "34 people at Acme were active in the last 28 days (26 Oct to 22 Nov 2026), 52 in the 28 days before (28 Sep to 25 Oct 2026): 35% fewer.",
  ],
  [
    { find: "accounts", show: "value", measure: "mrr" },
    result([
      { value: 48_000.5, currency: "EUR" },
      { value: 1_250, currency: "JPY" },
      { value: -0, currency: null },
    ]),
    "The total MRR of accounts that are not churned is €48,000.50, ¥1,250 and 0 (no currency).",
  ],
  [
    { find: "accounts", show: "list", measure: "events", window: { this: "day" } },
    result(
      [
        { entity: acme, value: 12 },
        { entity: beta, value: 1 },
      ],
      { window: { from: today, to: today } },
    ),
    "2 accounts, most events first, so far today (23 Nov 2026):\n- Acme: 12 events\n- beta (churned): 1 event",
  ],
  [
    { find: "accounts", show: "yes_no", where: [isAcme, business] },
    result([], { window: null }),
    "No, Acme is not on the Business plan.",
  ],
  [
    { find: "accounts", show: "yes_no", where: [isAcme, { dimension: "event", isNot: "Report Exported" }] },
    result([]),
    "Acme used Report Exported in the last 28 days (27 Oct to 23 Nov 2026, today so far).",
  ],
  [
    {
      find: "accounts",
      show: "when",
      where: [isAcme, { dimension: "stage", became: "active" }],
      window: { all: true },
    },
    result([{ entity: acme, value: "2026-10-12" }]),
    "Acme became a customer on 12 Oct 2026.",
  ],
  [
    { find: "accounts", show: "when", where: [isAcme], measure: "last_seen" },
    result([{ entity: acme, value: "2026-11-12" }]),
    "Acme was last active on 12 Nov 2026.",
  ],
  [
    { find: "accounts", show: "value", measure: "mrr", per: "account.region" },
    result([
      { group: "emea", currency: "EUR", value: 10 },
      { group: "emea", currency: "USD", value: 1e308 },
      { group: null, currency: "EUR", value: 5 },
    ]),
    "MRR of accounts that are not churned per region:\n- emea: €10 and $1E308\n- no region: €5",
  ],
  [
    { find: "events", show: "value", where: [isAcme], per: "week" },
    result([{ group: "2026-11-16", value: 5 }]),
    "Events from Acme per week in the last 28 days (27 Oct to 23 Nov 2026, today so far):\n- the week from 16 Nov 2026: 5 events",
  ],
  [
    { find: "events", show: "value", where: [isAcme, { dimension: "event", is: "Report Exported" }] },
    result([{ value: 5 }]),
    "Acme used Report Exported 5 times in the last 28 days (27 Oct to 23 Nov 2026, today so far).",
  ],
  [
    {
      find: "accounts",
      show: "share",
      of: [business],
      where: [{ dimension: "events", is: 0 }],
      window: { last: 14, unit: "day" },
    },
    result([{ value: 25, count: 3 }], { population: 12, window: { from: today - 13, to: today } }),
    "25% of the 12 accounts on the Business plan had no events in the last 14 days (10 Nov to 23 Nov 2026, today so far): 3 of 12.",
  ],
  [
    { find: "accounts", show: "value", measure: "mrr", aggregate: "average", where: [business] },
    result([
      { value: 10.5, currency: "EUR" },
      { value: 20, currency: "USD" },
    ]),
    "The average MRR of accounts on the Business plan that are not churned is €10.50 and $20.",
  ],
  [
    { find: "accounts", show: "list", with: ["plan", "seats", "active_users"] },
    result([
      { entity: acme, with: { plan: "Team", seats: 1, active_users: 1 } },
      { entity: beta, with: { plan: null, seats: null, active_users: 3 } },
    ]),
    "2 accounts in the last 28 days (27 Oct to 23 Nov 2026, today so far):\n- Acme: plan Team, 1 seat, 1 active user\n- beta (churned): no known plan, no known seats, 3 active users",
  ],
  [
    { find: "events", show: "value", per: "day", order: { by: "events", direction: "down" }, limit: 1 },
    result([{ group: "2026-11-16", value: 5 }], { total: 28 }),
    "The day with the most events in the last 28 days (27 Oct to 23 Nov 2026, today so far) is 16 Nov 2026, with 5 events.",
  ],
  [
    {
      find: "accounts",
      show: "when",
      where: [isAcme, { dimension: "mrr", changed: "up" }],
      window: { all: true },
    },
    result([{ entity: acme, value: "2026-10-12" }]),
    "The MRR of Acme went up on 12 Oct 2026.",
  ],
  [
    { find: "accounts", show: "value", measure: "account.industry", where: [isAcme] },
    result([{ entity: acme, value: "energy" }]),
    "The industry of Acme is energy.",
  ],
  [
    weeks,
    result(
      ["2026-11-09", "2026-11-16", "2026-11-23"].map((group) => ({ group, value: 7 })),
      { window: { from: today - 13, to: today } },
    ),
    "Events per week in the last 14 days (10 Nov to 23 Nov 2026, today so far):\n- the week from 9 Nov 2026 (from 10 Nov 2026): 7 events\n- the week from 16 Nov 2026: 7 events\n- the week from 23 Nov 2026 (so far): 7 events",
  ],
  [
    { find: "events", show: "value", per: "month", window: { this: "quarter" } },
    result(
      ["2026-10-01", "2026-11-01"].map((group) => ({ group, value: 7 })),
      { window: { from: dayOf("2026-10-01"), to: today } },
    ),
    "Events per month this quarter (1 Oct to 23 Nov 2026, today so far):\n- Oct 2026: 7 events\n- Nov 2026 (so far): 7 events",
  ],
  [
    { find: "accounts", show: "list", measure: "mrr", limit: 1 },
    result(
      [
        { entity: acme, value: 100, currency: "EUR" },
        { entity: beta, value: 90, currency: "USD" },
      ],
      { total: 9 },
    ),
    "2 of 9 accounts with a known MRR that are not churned, highest MRR first in each currency:\n- Acme: €100\n- beta (churned): $90",
  ],
  [
    { find: "users", show: "count", per: "user.role" },
    result([
      { group: null, value: 2 },
      { group: "admin", value: 1 },
    ]),
    "Users per role:\n- no role: 2\n- admin: 1",
  ],
];

const isLogin = { dimension: "event", is: "login" };
/** Wordings that were once wrong or hard to read. */
const WORDED: typeof TABLE = [
  [
    { find: "accounts", show: "value", measure: "seats", where: [isAcme] },
    result([{ entity: acme, value: 69 }]),
    "Acme has 69 seats.",
  ],
  [
    { find: "accounts", show: "value", measure: "seats" },
    result([{ value: 690 }]),
    "The total number of seats is 690.",
  ],
  [
    { find: "accounts", show: "value", measure: "stage", where: [isAcme] },
    result([{ entity: acme, value: "active" }]),
    "Acme is a customer.",
  ],
  [{ find: "features", show: "count" }, result([{ value: 12 }]), "There are 12 features."],
  [
    { find: "accounts", show: "count", where: [isAcme, business] },
    result([{ value: 1 }]),
    "There is 1 account called Acme on the Business plan.",
  ],
  [
    { find: "users", show: "count", per: "user.role", where: [{ dimension: "events", under: 60 }] },
    result([{ group: "admin", value: 4 }], { window: null }),
    "Users per role that had fewer than 60 events in the last 28 days:\n- admin: 4",
  ],
  [
    { find: "accounts", show: "value", measure: "seat_use", where: [isAcme], compare },
    result([{ value: 80, before: 40 }], { window: complete }),
    "The seat use of Acme in the last 28 days (26 Oct to 22 Nov 2026) is 80% of seats, 40% of seats in the 28 days before: 40 percentage points more.",
  ],
  [
    { find: "features", show: "value", measure: "events", where: [isLogin] },
    result([{ entity: { type: "feature", id: "login", externalId: "login", name: null }, value: 3 }]),
    "The feature login was sent 3 times in the last 28 days (27 Oct to 23 Nov 2026, today so far).",
  ],
  [
    { find: "accounts", show: "yes_no", measure: "mrr", compare },
    result(
      [
        { value: 2, before: 1, currency: "KRW" },
        { value: 1.5, before: 2, currency: "USD" },
      ],
      { window: complete },
    ),
    "Yes in KRW, no in USD: the total MRR of accounts that are not churned on 22 Nov 2026 is ₩2, ₩1 in the 28 days before: 100% more; $1.50, $2 in the 28 days before: 25% less.",
  ],
  [
    { find: "accounts", show: "list", measure: "mrr", window: { from: "2026-10-01", to: "2026-10-31" } },
    result([{ entity: acme, value: 1e308, currency: "EUR" }], { window: null }),
    "1 account that is not churned at the end of October 2026:\n- Acme: €1E308",
  ],
];

const converted = { dimension: "stage", became: "active", after: "trial" };
/** Sentences whose number, tense or order was odd. */
const PLAIN: typeof TABLE = [
  [
    { find: "accounts", show: "list", where: [{ dimension: "stage", became: "active", first: true }] },
    result([{ entity: acme }], { window: null }),
    "1 account that became a customer for the first time in the last 28 days:\n- Acme",
  ],
  [
    { find: "accounts", show: "count", where: [converted] },
    result([{ value: 1 }], { population: 60 }),
    `1 of 60 accounts became a customer after being on trial ${RECENTLY}.`,
  ],
  [
    { find: "accounts", show: "list", where: [{ dimension: "stage", became: "churned", after: "active" }] },
    result([{ entity: acme }], { window: null }),
    "1 account that churned after being a customer in the last 28 days:\n- Acme",
  ],
  [
    { find: "accounts", show: "value", measure: "seats", where: [isAcme], compare },
    result([{ value: 20, before: 34 }], { window: complete, before }),
    "Acme has 20 seats on 22 Nov 2026, 34 on 25 Oct 2026: 41% fewer.",
  ],
  [
    { find: "accounts", show: "value", measure: "seats", where: [isAcme], compare },
    result([{ value: 20, before: null }], { window: complete, before }),
    "Acme has 20 seats on 22 Nov 2026; no data on 25 Oct 2026.",
  ],
  [
    { find: "accounts", show: "value", measure: "score", where: [isAcme], compare },
    result([{ value: 39, before: 94.05 }], { window: complete, before }),
    "The health score of Acme on 22 Nov 2026 is 39, 94.05 on 25 Oct 2026: down 55.05 points.",
  ],
  [
    { find: "accounts", show: "list", where: [{ dimension: "contract_ends", within: { previous: "month" } }] },
    result([], { window: null }),
    "There are no accounts whose contract ended last month.",
  ],
  [
    { find: "accounts", show: "list", where: [{ dimension: "trial_ends", within: { last: 7, unit: "day" } }] },
    result([{ entity: acme, with: { trial_ends: "2026-11-20" } }], { window: null }),
    "1 account whose trial ended in the last 7 days:\n- Acme: trial end 20 Nov 2026",
  ],
  [
    { find: "accounts", show: "list", measure: "first_seen" },
    result(
      [acme, beta].map((entity) => ({ entity, value: "2026-10-01" })),
      { window: null },
    ),
    "2 accounts, newest first:\n- Acme: 1 Oct 2026\n- beta (churned): 1 Oct 2026",
  ],
  [
    { find: "users", show: "list", measure: "last_seen", order: { by: "last_seen", direction: "up" } },
    result(
      [acme, beta].map((entity) => ({ entity, value: "2026-10-01" })),
      { window: null },
    ),
    "2 users, longest inactive first:\n- Acme: 1 Oct 2026\n- beta (churned): 1 Oct 2026",
  ],
  [
    { find: "accounts", show: "list", measure: "plan", with: ["seats"] },
    result(
      [acme, beta].map((entity) => ({ entity, value: "Team", with: { seats: 5 } })),
      { window: null },
    ),
    "2 accounts, sorted by plan from Z to A:\n- Acme: Team, 5 seats\n- beta (churned): Team, 5 seats",
  ],
  [
    { find: "accounts", show: "count", per: "health" },
    result([{ group: "churned", value: 2 }], { window: null }),
    "Accounts per health:\n- churned: 2",
  ],
];

const answerOf = (told: WrittenAnswer): string =>
  "answer" in told ? told.answer : `${told.refusal.reason}: ${told.refusal.detail}`;

/** An account at risk. */
const health = {
  day: today - 1,
  state: "at_risk" as const,
  band: "at_risk" as const,
  score: 35.25,
  uncapped: 40,
  coverage: 1,
  confidence: "high" as const,
  losses: [],
  modelVersion: 1,
  trend: null,
  stage: "active" as const,
  stageKnown: true,
  reasons: [{ kind: "loss" as const, code: "breadth" as const, points: 12, observed: 3, expected: 9, window }],
  changes: [],
  missing: [],
};

describe("§15.5 §16 answers", () => {
  it("rank amounts in several currencies at the workspace's rates", () => {
    const top = querySchema.parse({ find: "accounts", show: "list", measure: "mrr", limit: 1 });
    const rates = { EUR: 1.08, USD: 1 };
    const rows = [
      { entity: acme, value: 100, currency: "EUR" },
      { entity: beta, value: 90, currency: "USD" },
    ];
    const lines = "\n- Acme: €100\n- beta (churned): $90";
    const head = "accounts with a known MRR that are not churned, highest MRR first";
    expect(answerOf(writeAnswer(top, result(rows), telling))).toBe(`2 of 2 ${head} in each currency:${lines}`);
    const atRates = { ...telling, rates };
    expect(answerOf(writeAnswer(top, result(rows), atRates))).toBe(
      `2 of 2 ${head} at the workspace's exchange rates:${lines}`,
    );
    // The others may be in another currency.
    const first = result(rows.slice(0, 1), { total: 9 });
    expect(answerOf(writeAnswer(top, first, atRates))).toMatch(/^1 of 9 .* first at the workspace's exchange rates:/);
    expect(answerOf(writeAnswer(top, result(rows.slice(0, 1)), atRates))).toBe(
      "1 account that is not churned:\n- Acme: €100",
    );
  });

  it("give the figures that a filter bounds the filter's window in the evidence", () => {
    const week = { last: 7, unit: "day" };
    const where = [{ dimension: "events", over: 5, window: week }];
    const asked = querySchema.parse({ find: "accounts", show: "list", measure: "active_users", where });
    const told = writeAnswer(asked, result([{ entity: acme, value: 3, with: { events: 9 } }]), telling);
    expect(answerOf(told)).toContain("- Acme: 3 active users, 9 events");
    expect(told).toMatchObject({
      evidence: expect.arrayContaining([
        expect.objectContaining({ measure: "active_users", value: 3, window }),
        expect.objectContaining({ measure: "events", value: 9, window: { from: today - 6, to: today } }),
      ]),
    });
  });

  it.each([...TABLE, ...SAID, ...WORDED, ...PLAIN])("to %j with %j", (given, found, text) => {
    expect(answerOf(writeAnswer(querySchema.parse(given), found, telling))).toBe(text);
  });

  it.each<readonly [Given, QueryResult, string]>([
    [
      { find: "accounts", show: "value", measure: "plan", where: [isAcme] },
      result([{ entity: acme, value: null }]),
      "unmeasured_attribute: The plan of Acme isn't recorded.",
    ],
    [
      { find: "accounts", show: "value", measure: "score", where: [isAcme] },
      result([]),
      "insufficient_history: Acme has no health score yet.",
    ],
    [
      { find: "accounts", show: "why", where: [isAcme] },
      result([{ entity: acme, health: null }]),
      "insufficient_history: Acme has no health score yet.",
    ],
  ])("refuses %j", (given, found, text) => {
    expect(answerOf(writeAnswer(querySchema.parse(given), found, telling))).toBe(text);
  });

  it("says where records begin, and compares nothing with days before", () => {
    const since = { ...telling, firstDay: today - 6 };
    const asked = querySchema.parse({ find: "events", show: "value" });
    expect(answerOf(writeAnswer(asked, result([{ value: 7 }]), since))).toContain(
      "in the last 28 days (17 Nov to 23 Nov 2026, since records began, today so far)",
    );
    const kept = { ...since, historyFrom: today - 10 };
    expect(answerOf(writeAnswer(asked, result([{ value: 7 }]), kept))).toContain(
      "in the last 28 days (17 Nov to 23 Nov 2026, as far back as counts are kept, today so far)",
    );
    expect(refuseWithoutHistory({ ...asked, compare }, today, today - 6)).toMatchObject({
      refusal: { reason: "insufficient_history" },
    });
    expect(refuseWithoutHistory({ ...asked, compare, window: { this: "day" } }, today, null)).toMatchObject({
      refusal: { reason: "insufficient_history" },
    });
    expect(refuseWithoutHistory({ ...asked, compare }, today, today - 56)).toBeNull();
    const seats = querySchema.parse({ find: "accounts", show: "value", measure: "seats", compare });
    expect(refuseWithoutHistory(seats, today, today - 6)).toBeNull();
  });

  it("explains health by the texts of its reasons", () => {
    const told = writeAnswer(
      querySchema.parse({ find: "accounts", show: "why", where: [isAcme] }),
      result([{ entity: acme, health }]),
      telling,
    );
    expect(answerOf(told)).toBe(
      "Acme is at risk with a health score of 35.25.\n- 3 active users from 27 Oct 2026 to 23 Nov 2026 (9 expected): −12 points.",
    );
  });

  it("says that an account isn't in the state that a question supposes", () => {
    const told = ["healthy", "at_risk"].map((is) =>
      answerOf(
        writeAnswer(
          querySchema.parse({ find: "accounts", show: "why", where: [isAcme, { dimension: "health", is }] }),
          result([{ entity: acme, health }]),
          telling,
        ),
      ),
    );
    expect(told).toEqual([
      expect.stringMatching(/^Acme is not healthy: it is at risk with a health score of 35\.25\.\n- 3 active/),
      expect.stringMatching(/^Acme is at risk with a health score of 35\.25\.\n- /),
    ]);
  });

  it("lists at most ten rows in the text, and all rows in the value", () => {
    const rows = Array.from({ length: 25 }, (_, place) => ({ entity: account(`a${place}`, null) }));
    const told = writeAnswer(
      querySchema.parse({ find: "accounts", show: "list" }),
      result(rows, { window: null }),
      telling,
    );
    expect(answerOf(told)).toContain("\n- a9\n- and 15 more");
    expect("value" in told && told.value).toHaveLength(25);
  });

  it("names the accounts of users, and both sides of a comparison", () => {
    const users = querySchema.parse({ find: "users", show: "list", measure: "account" });
    expect(answerOf(writeAnswer(users, result([{ entity: beta, account: acme, value: "acme" }]), telling))).toContain(
      "Acme",
    );
    const compared = querySchema.parse({
      find: "accounts",
      show: "value",
      measure: "events",
      where: [isAcme],
      compare: { to: { account: "beta" } },
    });
    expect(answerOf(writeAnswer(compared, result([{ value: 3, before: 2 }]), telling))).toMatch(/3 events.*2 .*beta/);
  });

  it("explains each of several accounts on its own line, including one without a health score", () => {
    const told = writeAnswer(
      querySchema.parse({ find: "accounts", show: "why" }),
      result([
        { entity: acme, health },
        { entity: beta, health: null },
      ]),
      telling,
    );
    expect(answerOf(told)).toMatch(
      /^The health of 2 accounts:\n- Acme is at risk with a health score of 35\.25\. .*\n- beta \(churned\) has no health score yet\.$/,
    );
  });

  it("says what an item is about", () => {
    const about = { id: "itm_2", kind: "feature_dropped", severity: "low", status: "open", opened: 20_400 } as const;
    const items = querySchema.parse({ find: "items", show: "list" });
    const told = writeAnswer(items, result([{ entity: acme, item: { ...about, about: "report.exported" } }]), telling);
    expect(answerOf(told)).toContain("report.exported");
  });

  it("lists items with their account, severity and day", () => {
    const item = {
      id: "itm_1",
      kind: "usage_drop",
      severity: "high",
      status: "open",
      opened: 20_400,
      about: null,
    } as const;
    const told = writeAnswer(
      querySchema.parse({ find: "items", show: "list" }),
      result([
        { entity: acme, item },
        { entity: null, item: { ...item, kind: "tracking_stopped", status: "snoozed" } },
      ]),
      telling,
    );
    expect(answerOf(told)).toContain("Acme");
    expect("value" in told && told.value).toHaveLength(2);
  });

  it.each([
    ["the workspace", { find: "accounts" }],
    ["accounts", { find: "accounts", where: [{ dimension: "plan", is: "Business" }] }],
    ["an account", { find: "accounts", where: [isAcme] }],
    ["a user", { find: "users", where: [{ dimension: "user", is: "ann" }] }],
    ["users", { find: "users" }],
    ["a feature", { find: "features", where: [{ dimension: "event", is: "report.exported" }] }],
    ["accounts of last week", { find: "accounts", window: { previous: "week" } }],
    ["accounts with an open item", { find: "accounts", where: [{ dimension: "severity", is: "high" }] }],
  ])("sums up %s", (_, given) => {
    const summary = querySchema.parse({ ...given, show: "summary" });
    const results = summaryQueries(summary, today).map(() =>
      result([{ entity: acme, value: 3, before: 2, count: 1 }], { before }),
    );
    const answer = answerOf(writeSummary(summary, results, telling));
    expect(answer.split("\n").length).toBeGreaterThan(2);
    expect(answer).not.toMatch(/undefined|NaN|\{\w+\}/);
    expect(answerOf(writeSummary(summary, [], telling))).toMatch(/^no_data_in_window: There is no data about/);
  });

  it("sums up a time that is over by the values of that time, without today's reasons and open items", () => {
    const given = querySchema.parse({ find: "accounts", show: "summary", where: [isAcme], window: october });
    const parts = summaryQueries(given, today);
    expect(parts.every(({ find, show, window: own }) => find === "accounts" && show === "value" && own)).toBe(true);
    const results = parts.map(({ measure }) => {
      if (measure === "health") return result([{ entity: acme, value: "healthy" }], { window: null });
      return measure === "score" ? result([{ value: 93.97 }], { window: null }) : result([]);
    });
    expect(answerOf(writeSummary(given, results, telling))).toContain(
      "Acme:\nAcme was healthy at the end of October 2026.\nThe health score of Acme at the end of October 2026 was 93.97.",
    );
  });

  it("joins several results into the summary of an account", () => {
    const given = querySchema.parse({ find: "accounts", show: "summary", where: [isAcme] });
    const results = summaryQueries(given, today).map(({ measure }) => {
      if (measure === "plan") return result([{ entity: acme, value: "Team" }]);
      return measure === "mrr" ? result([{ value: 900, currency: "USD" }]) : result([]);
    });
    expect(answerOf(writeSummary(given, results, telling))).toContain(
      "Acme:\nAcme is on the Team plan.\nThe MRR of Acme is $900.",
    );
  });
});

const cell = fc.oneof(
  fc.constantFrom(0, -0, 1, 34, 1e308, -1e308, 0.000_1, null),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.nat(),
);
const row: fc.Arbitrary<ResultRow> = fc.record(
  {
    entity: fc.constantFrom(acme, beta),
    value: cell,
    before: cell,
    currency: fc.constantFrom("EUR", "JPY", "KRW", "usd", "not a currency", null),
    with: fc.record({ mrr: cell, plan: fc.constantFrom("Team", null), seats: cell, events: cell }),
  },
  { requiredKeys: ["entity", "value"] },
);

/** Numbers as an answer shows them. */
const NUMBER = /(?<![\p{L}\d.])\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?/giu;
const shownIn = (text: string): string[] => text.match(NUMBER) ?? [];

describe("any answer", () => {
  it("has evidence for each number, and only finite numbers", () => {
    fc.assert(
      fc.property(queries, fc.array(row, { maxLength: 12 }), fc.constantFrom(null, before), (given, rows, earlier) => {
        const told = writeAnswer(given, result(rows, { before: earlier, population: 60 }), telling);
        const text = answerOf(told).replaceAll(/"(?:[^"]|"")*"/g, "");
        expect(JSON.stringify(told)).not.toMatch(/NaN|Infinity|undefined/);
        if (!("answer" in told)) return;
        expect(told.evidence).not.toEqual([]);
        // No negative zero in any currency, and no fractions of yen and won.
        expect(text).not.toMatch(/(?<![\w.])-[€¥₩$]?0(?![\d.,]\d|\w)|[¥₩][\d,]+\.\d+(?!\d*E)|\{\w+\}|\[object/);
        const said = [
          ...told.evidence.flatMap(({ value }) => figuresIn(value)),
          ...figuresIn(JSON.stringify(given)),
          ...datesIn(told),
        ];
        expect(shownIn(text).filter((number) => !said.some((each) => isNear(each, valueOf(number))))).toEqual([]);
      }),
      { numRuns: 1_500 },
    );
  });
});

const valueOf = (number: string): number => Number(number.replaceAll(",", ""));
const isNear = (a: number, b: number): boolean =>
  Math.abs(a - b) <= Math.max(0.006, a * 0.001, 0.5 * Number(a % 1 !== 0 && b % 1 === 0));

function figuresIn(value: unknown): number[] {
  if (typeof value === "number") return [Math.abs(value)];
  const numbers = String(value).match(/\d+(?:\.\d+)?(?:e[+-]?\d+)?/g) ?? [];
  return numbers.flatMap((each) => [Number(each), Number(each) * 7, Number(each) * 3, Number(each) * 12]);
}

const datesIn = (told: Extract<WrittenAnswer, { answer: string }>): number[] =>
  told.evidence.flatMap(({ window: days }) =>
    days === undefined
      ? []
      : [days.from, days.to].flatMap((day) => figuresIn(new Date(day * 86_400_000).toISOString().slice(0, 10))),
  );

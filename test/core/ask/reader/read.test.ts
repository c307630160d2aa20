import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { vocabularyOf } from "../../../../evals/ask/written/vocabulary.ts";
import { writtenWorld } from "../../../../evals/ask/written/world.ts";
import type { Query } from "../../../../src/core/ask/query/model.ts";
import { LEXICON, STOP_WORDS } from "../../../../src/core/ask/reader/lexicon.ts";
import { eventsIn, namesIn, valuesIn } from "../../../../src/core/ask/reader/mentions.ts";
import { type Read, read } from "../../../../src/core/ask/reader/read.ts";
import { MAX_READINGS, tilingsOf } from "../../../../src/core/ask/reader/tile.ts";
import { wordsOf } from "../../../../src/core/ask/reader/words.ts";

const vocabulary = vocabularyOf(writtenWorld());
const ask = (question: string): Read => read(question, vocabulary(question));
const queryOf = (question: string): Query | null => {
  const result = ask(question);
  return result.kind === "query" ? result.query : null;
};
const account = (id: string) => ({ dimension: "account", is: id });
const customers = { dimension: "stage", is: "active" };

const FAMILIES: Readonly<Record<string, readonly (readonly [question: string, query: Partial<Query>])[]>> = {
  names: [
    ["tell me about Pixelforge", { find: "accounts", show: "summary", where: [account("pixelforge")] }],
    ["how is halcyon doing?", { find: "accounts", show: "summary", where: [account("halcyon-health")] }],
    ["brihgtwater bank contract end date", { where: [account("brightwater-bank")], measure: "account.contractEndsOn" }],
    [
      "which account is Omar Haddad with",
      { find: "users", measure: "account", where: [{ dimension: "user", is: "omar.haddad" }] },
    ],
  ],
  money: [
    ["total MRR emea", { show: "value", measure: "mrr", where: [{ dimension: "account.region", is: "emea" }] }],
    ["our EUR MRR", { show: "value", measure: "mrr", where: [{ dimension: "currency", is: "EUR" }] }],
    ["what is our ARR by plan", { show: "value", measure: "arr", per: "plan" }],
    [
      "renewals in the next 90 days",
      { show: "list", where: [{ dimension: "account.contractEndsOn", within: { next: 90, unit: "day" } }] },
    ],
    ["which contracts have expired?", { where: [{ dimension: "account.contractEndsOn", to: "2026-11-22" }] }],
    [
      "Who pays over $5k?",
      {
        find: "accounts",
        where: [
          { dimension: "mrr", over: 5000 },
          { dimension: "currency", is: "USD" },
        ],
      },
    ],
  ],
  filters: [
    [
      "which emea accounts are not healthy",
      {
        where: [
          { dimension: "health", isNot: "healthy" },
          { dimension: "account.region", is: "emea" },
        ],
      },
    ],
    [
      "accounts with 50+ seats not on Enterprise",
      {
        where: [
          { dimension: "seats", from: 50 },
          { dimension: "plan", isNot: "Enterprise" },
        ],
      },
    ],
    [
      "customers in finance or healthcare",
      { where: [{ dimension: "account.industry", in: ["finance", "healthcare"] }, customers] },
    ],
    [
      "users inactive for more than 14 days",
      { find: "users", window: { last: 14, unit: "day" }, where: [{ dimension: "active", is: false }] },
    ],
  ],
  health: [
    ["are all enterprise customers healthy?", { show: "share", where: [{ dimension: "health", is: "healthy" }] }],
    [
      "which accounts were at risk on 1 October",
      { where: [{ dimension: "health", is: "at_risk", asOf: "2026-10-01" }] },
    ],
    ["rank customers by health score", { show: "list", measure: "score", where: [customers] }],
    ["what's the median health score in the team plan", { show: "value", measure: "score", aggregate: "median" }],
    ["score of rowan pharma on 1 october", { measure: "score", window: { from: "2026-10-01", to: "2026-10-01" } }],
    [
      "which accounts became at risk this week",
      { where: [{ dimension: "health", became: "at_risk" }], window: { this: "week" } },
    ],
    [
      "why is Kestrel marked as at risk?",
      { show: "why", where: [{ dimension: "health", is: "at_risk" }, account("kestrel-analytics")] },
    ],
    [
      "what share of our customers is healthy",
      { show: "share", of: [customers], where: [{ dimension: "health", is: "healthy" }] },
    ],
  ],
  stages: [
    [
      "which accounts moved from Team to Business this quarter",
      {
        where: [
          { dimension: "plan", became: "Business" },
          { dimension: "plan", is: "Team", asOf: "2026-09-30" },
        ],
      },
    ],
    ["who churned last month", { where: [{ dimension: "stage", became: "churned" }], window: { previous: "month" } }],
    [
      "how many trials converted this quarter",
      { show: "count", where: [{ dimension: "stage", became: "active" }], window: { this: "quarter" } },
    ],
    [
      "trials ending this week",
      {
        where: [
          { dimension: "trial_ends", within: { from: "2026-11-23", to: "2026-11-29" } },
          { dimension: "stage", is: "trial" },
        ],
      },
    ],
  ],
  seats: [
    [
      "which customers have more active people than seats?",
      { where: [{ dimension: "seat_use", over: 100 }, customers] },
    ],
    ["accounts below 40% seat utilisation", { where: [{ dimension: "seat_use", under: 40 }] }],
    [
      "which accounts reduced seats this month",
      { where: [{ dimension: "seats", changed: "down" }], window: { this: "month" } },
    ],
  ],
  users: [
    [
      "users last seen in October",
      { where: [{ dimension: "last_seen", within: { from: "2026-10-01", to: "2026-10-31" } }] },
    ],
    [
      "top 3 users at Ostrava Steel over the past 30 days",
      { find: "users", measure: "events", limit: 3, window: { last: 30, unit: "day" } },
    ],
    [
      "how many new users last week",
      { find: "users", show: "count", where: [{ dimension: "first_seen", within: { previous: "week" } }] },
    ],
    [
      "list managers who create alerts",
      {
        find: "users",
        where: [
          { dimension: "user.role", is: "manager" },
          { dimension: "event", is: "alert.created" },
        ],
      },
    ],
  ],
  features: [
    [
      "does Lumen use forecasts?",
      { show: "yes_no", where: [account("lumen-energy"), { dimension: "event", is: "forecast.created" }] },
    ],
    [
      "which accounts have never created a forecast",
      { where: [{ dimension: "event", isNot: "forecast.created", window: { all: true } }] },
    ],
    [
      "which features are no longer used",
      {
        find: "features",
        where: [
          { dimension: "active", is: true, window: { all: true } },
          { dimension: "active", is: false },
        ],
      },
    ],
    ["when was Report Scheduled last used at Quillworks", { find: "features", show: "when", measure: "last_seen" }],
  ],
  series: [
    [
      "events per day at Lumen in October",
      { find: "events", per: "day", window: { from: "2026-10-01", to: "2026-10-31" } },
    ],
    ["daily active users for the last 14 days", { find: "events", measure: "active_users", per: "day" }],
    ["usage last week vs the week before", { compare: { to: "before" }, window: { previous: "week" } }],
  ],
  inbox: [
    [
      "open notices by severity",
      { find: "items", show: "count", per: "severity", where: [{ dimension: "status", is: "open" }] },
    ],
    [
      "critical notices for enterprise accounts",
      {
        find: "items",
        where: [
          { dimension: "severity", is: "critical" },
          { dimension: "plan", is: "Enterprise" },
        ],
      },
    ],
    ["what was dismissed this week", { find: "items", where: [{ dimension: "dismissed", within: { this: "week" } }] }],
  ],
  greetings: [
    [
      "Good morning! could you tell me which of our enterprise accounts are at risk? thanks!",
      {
        where: [
          { dimension: "health", is: "at_risk" },
          { dimension: "plan", is: "Enterprise" },
        ],
      },
    ],
    ["hi team, papercrane plan?", { measure: "plan", where: [account("papercrane")] }],
  ],
};

const REFUSALS: readonly (readonly [question: string, reason: string])[] = [
  ["Give me the health score for Peregrine Shipping", "no_such_subject"],
  ["And Halcyon Hotels? Any risk there?", "no_such_subject"],
  ["Which accounts use the Slack integration?", "no_such_event"],
  ["is brandt using it", "ambiguous_subject"],
  ["Will Halcyon renew in the spring?", "prediction"],
  ["Why don't people like the forecasting feature?", "causal_claim"],
  ["Who do you reckon deserves a hamper?", "opinion"],
  ["nps of the enterprise segment", "unmeasured_attribute"],
  ["Write me an email to the CFO of Halcyon", "out_of_scope"],
  ["usage in june vs october", "no_data_in_window"],
  ["show me usage", "unresolved_words"],
  ["top accounts", "unresolved_words"],
  ["can you check that account again", "ambiguous_subject"],
];

describe("read", () => {
  for (const [family, questions] of Object.entries(FAMILIES))
    it.each(questions)(`reads questions of the family "${family}": %s`, (question, query) => {
      expect(queryOf(question)).toMatchObject(query);
    });

  it.each(REFUSALS)("refuses %s: %s", (question, reason) => {
    expect(ask(question)).toMatchObject({ kind: "refusal", reason });
  });

  it("reads a pointer as what the question was sent with", () => {
    const question = "how many seats does this account have";
    expect(read(question, vocabulary(question), { account: "papercrane" })).toMatchObject({
      kind: "query",
      query: { measure: "seats", where: [account("papercrane")] },
    });
  });

  it("notes what a misspelled name was taken for, and not a part of a name", () => {
    expect(ask("Lumne plan")).toMatchObject({ notes: [{ asked: "Lumne", candidate: { externalId: "lumen-energy" } }] });
    expect(ask("Lumen plan")).toMatchObject({ kind: "query", notes: [] });
  });

  const all = Object.values(FAMILIES).flatMap((questions) => questions.map(([question]) => question));

  it.each(all)("asks something else, or nothing, once a word that counts is gone: %s", (question) => {
    const whole = JSON.stringify(queryOf(question));
    for (const { start, end, text } of counting(question))
      expect(JSON.stringify(queryOf(question.slice(0, start) + question.slice(end))), `without "${text}"`).not.toBe(
        whole,
      );
  });

  it.each(all)("answers nothing with a word that it doesn't know: %s", (question) => {
    for (const { end } of counting(question))
      expect(queryOf(`${question.slice(0, end)} zorbling ${question.slice(end)}`)).toBeNull();
  });

  it("offers both readings of a name that is a word of ordinary questions", () => {
    const world = writtenWorld();
    const named = vocabularyOf({ ...world, accounts: [...world.accounts, { externalId: "trials", name: null }] });
    const question = "trials in emea";
    expect(read(question, named(question))).toMatchObject({ kind: "options" });
  });

  it("tries a bounded number of readings of any text", () => {
    const words = [
      ...LEXICON.keys(),
      ...STOP_WORDS,
      "Team",
      "Business",
      "emea",
      "halcyon",
      "brandt",
      "energy",
      "forecast",
      "7",
      "last 30 days",
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { minLength: 5, maxLength: 120 }), (chosen) => {
        const text = chosen.join(" ").slice(0, 500);
        const { names, dimensions, events, today } = vocabulary(text);
        const cut = wordsOf(text);
        const mentions = [...namesIn(cut, names), ...valuesIn(cut, dimensions), ...eventsIn(cut, events)];
        expect(tilingsOf(cut, mentions, dimensions, today).length).toBeLessThanOrEqual(MAX_READINGS);
        ask(text);
      }),
      { numRuns: 300 },
    );
  });
});

/** The values, conditions, numbers and times of a question: what it can't be without. */
function counting(question: string): { start: number; end: number; text: string }[] {
  const { names, dimensions, events, today } = vocabulary(question);
  const words = wordsOf(question);
  const mentions = [...namesIn(words, names), ...valuesIn(words, dimensions), ...eventsIn(words, events)];
  const [tiling] = tilingsOf(words, mentions, dimensions, today);
  return (tiling?.fragments ?? [])
    .filter(({ type }) => ["value", "filter", "number", "window", "bound", "negation", "over"].includes(type))
    .map(({ from, to }) => {
      const [start, end] = [words[from]?.start ?? 0, words[to - 1]?.end ?? 0];
      return { start, end, text: question.slice(start, end) };
    });
}

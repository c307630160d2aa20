import * as fc from "fast-check";
import { describe, expect, it } from "vitest";

import { vocabularyOf } from "../../../../evals/ask/written/vocabulary.ts";
import { writtenWorld } from "../../../../evals/ask/written/world.ts";
import type { Filter, Query, WindowName } from "../../../../src/core/ask/query/model.ts";
import { KIND_NAMES } from "../../../../src/core/inbox/kind-names.ts";
import { ITEM_KINDS } from "../../../../src/core/inbox/model.ts";
import { stemOf } from "../../../../src/core/ask/stem.ts";
import { LEXICON, STOP_WORDS } from "../../../../src/core/ask/reader/lexicon/lexicon.ts";
import { eventMentions, nameMentions, valueMentions } from "../../../../src/core/ask/reader/words/mentions.ts";
import { type ReadResult, readQuestion } from "../../../../src/core/ask/reader/read-question.ts";
import { MAX_READINGS, readingsOf } from "../../../../src/core/ask/reader/fragments/readings.ts";
import { correctWords } from "../../../../src/core/ask/reader/words/corrections.ts";
import { splitWords } from "../../../../src/core/ask/reader/words/split-words.ts";
import { OUTCOMES } from "./outcome-wordings.ts";
import { FAMILIES } from "./wordings.ts";

const vocabulary = vocabularyOf(writtenWorld());
const ask = (question: string): ReadResult => readQuestion(question, vocabulary(question));
const queryOf = (question: string): Query | null => {
  const result = ask(question);
  return result.kind === "query" ? result.query : null;
};

const timeOf = (window: WindowName): string =>
  Object.entries(window)
    .map(([key, value]) => (key === "unit" ? value : key === "all" ? key : `${key} ${value}`))
    .join(" ");

/** As in "health is at_risk", "seats changed down @ this month". */
function plainFilter({ dimension, window, asOf, within, ...condition }: Filter): string {
  const parts = [...Object.entries(condition).flat(), ...(within ? ["within", timeOf(within)] : [])];
  return [dimension, ...parts, ...(window ? ["@", timeOf(window)] : []), ...(asOf ? ["asOf", asOf] : [])].join(" ");
}

/** Returns a query in a line: what it finds and shows, its filters, times and the rest. */
function plain({ find, show, where, of = [], window, compare, order, ...rest }: Query): string {
  const { to } = compare ?? {};
  return [
    `${find} ${show}`,
    ...where.map(plainFilter).toSorted(),
    ...of.map((filter) => `of ${plainFilter(filter)}`).toSorted(),
    ...(window ? [`@ ${timeOf(window)}`] : []),
    ...(to === undefined ? [] : [`vs ${typeof to === "string" ? to : Object.entries(to).flat().join(" ")}`]),
    ...(order ? [`by ${order.by} ${order.direction}`] : []),
    ...Object.entries(rest)
      .map(([key, value]) => `${key} ${String(value)}`)
      .toSorted(),
  ].join(" | ");
}

/** Words without effect in these questions: states are today's, and accounts only have filters on open items. */
const REDUNDANT = new Set(["only", "today", "open", "comes up"]);

const REFUSALS: readonly (readonly [question: string, reason: string])[] = [
  ["features used by accounts with more than 10 users", "unresolved_words"],
  ["which features do accounts with more than 5 users use", "unresolved_words"],
  ["score of accounts that went silent this month", "unresolved_words"],
  ["notices except trial ending ones", "unresolved_words"],
  ["accounts 90 days from renewal", "unresolved_words"],
  ["accounts which once used the api", "unresolved_words"],
  ["churned and trial accounts", "unresolved_words"],
  ["how many customers did we have in the last 30 days", "unresolved_words"],
  ["how many customers with more than 20 seats did we have last month", "unresolved_words"],
  ["how many accounts were at risk last month by plan", "unresolved_words"],
  ["how many customers did we have last year", "no_data_in_window"],
  ["accounts that did not renew", "unresolved_words"],
  ["which accounts used to have more than 10 seats", "unresolved_words"],
  ["never used forecasts before november", "unresolved_words"],
  ["accounts that gained seats and mrr", "unresolved_words"],
  ["number of users of accounts with open notices", "unresolved_words"],
  ["customers in the us", "unresolved_words"],
  ["renewals in the coming weeks", "unresolved_words"],
  ["accounts that exported only last week", "unresolved_words"],
  ["accounts only active in october", "unresolved_words"],
  ["accounts with more exports last month than this month", "unresolved_words"],
  ["accounts that had more seats on october 1 than now", "unresolved_words"],
  ["what share of customers churned last month", "unresolved_words"],
  ["who are the admins at silent accounts", "unresolved_words"],
  ["users at accounts that used the api", "unresolved_words"],
  ["features of accounts not active last month", "unresolved_words"],
  ["top 10 accounts by mrr that lost usage last month", "unresolved_words"],
  ["healthiest accounts losing usage", "unresolved_words"],
  ["accounts active this week and last week", "unresolved_words"],
  ["forecasts and alerts per week", "unresolved_words"],
  ["active users and active accounts per week", "unresolved_words"],
  ["exports and events by plan", "unresolved_words"],
  ["mrr and count by region", "unresolved_words"],
  ["count and average score by plan", "unresolved_words"],
  ["number of admins and events at northwind", "unresolved_words"],
  ["share of at risk accounts among enterprise", "unresolved_words"],
  ["share of admins at northwind", "unresolved_words"],
  ["exports by account for enterprise in october", "unresolved_words"],
  ["accounts not using all of their seats", "unresolved_words"],
  ["convert MRR to USD", "out_of_scope"],
  ["how many accounts are on trial and how many are paying", "unresolved_words"],
  ["northwind's team", "unresolved_words"],
  ["users of our best customer", "unresolved_words"],
  ["MRR between €1,000 and $2,000", "unresolved_words"],
  ["show me the number of personal accounts per account", "unresolved_words"],
  ["Give me the health score for Peregrine Shipping", "no_such_subject"],
  ["prep me for silverpine logistics", "no_such_subject"],
  ["open notices for birchwood-dairy", "no_such_subject"],
  ["is it worth offering a discount to Halcyon", "opinion"],
  ["is our Business plan too cheap", "opinion"],
  ["what's the difference between DAU and MAU again?", "out_of_scope"],
  ["What was Northwind's usage in the second quarter, April to June?", "no_data_in_window"],
  ["And Halcyon Hotels? Any risk there?", "no_such_subject"],
  ["Which accounts use the Slack integration?", "no_such_event"],
  ["is brandt using it", "ambiguous_subject"],
  ["Will Halcyon renew in the spring?", "prediction"],
  ["Why don't people like the forecasting feature?", "causal_claim"],
  ["Who do you reckon deserves a hamper?", "opinion"],
  ["nps of the enterprise segment", "unmeasured_attribute"],
  ["Write me an email to the CFO of Halcyon", "out_of_scope"],
  ["usage in june vs october", "no_data_in_window"],
  ["What's its MRR?", "ambiguous_subject"],
  ["show me usage", "unresolved_words"],
  ["can lena export reports", "unresolved_words"],
  ["what do new users use", "unresolved_words"],
  ["who exports more this month", "unresolved_words"],
  ["exports on mondays", "unresolved_words"],
  ["excel exports", "unresolved_words"],
  ["does northwind like forecast", "unresolved_words"],
  ["who shared reports with lena", "unresolved_words"],
  ["who uses the dashboard daily", "unresolved_words"],
  ["Accounts that were not at risk on 1 October and are now", "unresolved_words"],
  ["mrr over the last 6 months", "unresolved_words"],
  ["Which plans have MRR over 50000?", "unresolved_words"],
  ["How many users have we lost this month?", "unresolved_words"],
  ["Users of accounts that use forecasts", "unresolved_words"],
  ["Accounts with more than 50 exports but fewer than 5 active users", "unresolved_words"],
  ["What percentage of renewals this quarter are healthy?", "unresolved_words"],
  ["Which accounts changed seats last month?", "unresolved_words"],
  ["Customers renewing in Q1 whose usage fell in Q3", "unresolved_words"],
  ["Compare events last week with 2 weeks ago", "unresolved_words"],
  ["Renewals in the next 30 to 90 days", "unresolved_words"],
  ["MRR per month this year", "unresolved_words"],
  ["MRR per month", "unresolved_words"],
  ["Lumen's revenue per month", "unresolved_words"],
  ["did Lumen renew", "unresolved_words"],
  ["did anyone renew last month", "unresolved_words"],
  ["upsell MRR this month", "unmeasured_attribute"],
  ["Most active accounts sorted by MRR", "unresolved_words"],
  ["Top 5 by MRR then by seats", "unresolved_words"],
  ["For each region, which account has the highest MRR?", "unresolved_words"],
  ["exports next monday", "unresolved_words"],
  ["Users with most active days", "unresolved_words"],
  ["how many dashboards were created yesterday", "unresolved_words"],
  ["how many dashboards did Lumen make last week", "unresolved_words"],
  ["who cancelled a scheduled report", "unresolved_words"],
  ["highest number of events in a day", "unresolved_words"],
  ["notices about users who left", "unresolved_words"],
  ["can you check that account again", "ambiguous_subject"],
  ["when does acme renew", "no_such_subject"],
  ["acme corp health", "no_such_subject"],
  ["Tyrell: active users last week", "no_such_subject"],
  ["did Lumen archive reports", "no_such_event"],
  ["how many webinars were attended last month", "no_such_event"],
  ["when was the last email sent to Northwind", "unmeasured_attribute"],
  ["who is responsible for Halcyon", "unmeasured_attribute"],
  ["Which team does Hugo Moreau belong to?", "unresolved_words"],
  ["top account per region", "unresolved_words"],
  ["Lumen's lowest score", "unresolved_words"],
  ["Which US accounts are at risk?", "unresolved_words"],
  ["Did anyone but Maria use forecasts?", "unresolved_words"],
  ["How many trials and customers do we have?", "unresolved_words"],
  ["How many accounts churned last month vs the month before?", "unresolved_words"],
  ["Accounts that were healthy and are now at risk", "unresolved_words"],
  ["Are Lumen and Kestrel healthy?", "unresolved_words"],
  ["Did everyone at Halcyon view a report?", "unresolved_words"],
  ["How many accounts have grown?", "unresolved_words"],
  ["health changed last night for who", "unresolved_words"],
  ["average score in september and october", "unresolved_words"],
  ["which accounts were active in september and october", "unresolved_words"],
  ["do we have more customers than last month", "unresolved_words"],
  ["which accounts dropped between 1 October and 15 October", "unresolved_words"],
  ["exports same time last month", "unresolved_words"],
  ["how many days has juniper been silent", "unresolved_words"],
  ["Features used by Lumen but not Kestrel", "unresolved_words"],
  ["MRR including trials", "unresolved_words"],
  ["Why did Northwind stop exporting?", "causal_claim"],
  ["Why did Halcyon churn?", "causal_claim"],
  ["Which accounts may churn?", "prediction"],
  ["When was user halcyon-1 last seen?", "no_such_subject"],
  ["How many events did initech have today?", "no_such_subject"],
  ["who are the top users at our biggest customer", "unresolved_words"],
  ["what's the score of our biggest customer", "unresolved_words"],
  ["ok and how many of them are at risk", "unresolved_words"],
  ["which accounts had the smallest drop in usage", "unresolved_words"],
  ["Lumen's biggest drop", "unresolved_words"],
  ["Which accounts grew more than Halcyon?", "unresolved_words"],
  ["total MRR of the top 3 customers", "unresolved_words"],
  ["How many customers do we have and what's their MRR?", "unresolved_words"],
  ["Halcyon vs Meridian: active users and exports", "unresolved_words"],
  ["top and bottom accounts by score", "unresolved_words"],
  ["count of password resets at Orchard School", "no_such_event"],
  ["adoption of Report Printed in Q4", "no_such_event"],
  ["did Quillworks connect Salesforce last month", "no_such_event"],
  ["who shared dashboards last week", "no_such_event"],
  ["How many forecasts did Lumen share", "no_such_event"],
  ["How many people logged in at Lumen?", "no_such_event"],
  ["mobile app opens by region", "no_such_event"],
  ["Who is the account manager for Lumen?", "unmeasured_attribute"],
  ["what are Halcyon's headquarters", "unmeasured_attribute"],
  ["how many offices does Lumen have", "unmeasured_attribute"],
  ["does Lumen have a dedicated manager", "unmeasured_attribute"],
  ["which laptops does Halcyon use", "unmeasured_attribute"],
  ["usage of wayne enterprises this month", "no_such_subject"],
  ["compare Halcyon and umbrella corp", "no_such_subject"],
  ["Should I call Acme?", "no_such_subject"],
  ["Is a score of 62 good enough?", "opinion"],
  ["Why was October so bad?", "causal_claim"],
  ["Which health reason comes up most for at risk accounts?", "unresolved_words"],
  ["what's the reason Umber churned", "causal_claim"],
  ["Please dismiss all alerts for Lumen", "out_of_scope"],
  ["delete Halcyon", "out_of_scope"],
  ["convert 4500 usd into eur at todays rate", "out_of_scope"],
  ["the usual numbers for the meeting", "unresolved_words"],
  ["any news?", "unresolved_words"],
  ["how many experts are there", "no_such_event"],
  ["how many events did Activ have", "no_such_subject"],
  ["bluebird hotel score", "no_such_subject"],
  ["is greta lindqvist active", "no_such_subject"],
  ["cobalt's phone number pls", "unmeasured_attribute"],
  ["when was our last call with Ostrava, thanks", "unmeasured_attribute"],
  ["export all accounts at risk", "out_of_scope"],
  ["people who comment every week", "unresolved_words"],
  ["accounts with more than 50 api calls and more than 10 exports", "unresolved_words"],
  ["how many have tried forecasts", "unresolved_words"],
  ["which reports does Lumen export most", "unmeasured_attribute"],
  ["who was first to use forecasts", "unresolved_words"],
  ["accounts that use the API but have no admins", "unresolved_words"],
  ["do the accounts that use filters have better health", "unresolved_words"],
  ["what's the best feature we have", "opinion"],
  ["no admin at Halcyon was active this month", "unresolved_words"],
  ["are there no trials in apac?", "unresolved_words"],
  ["which features do no enterprise customers use", "unresolved_words"],
  ["not a single manager commented this month", "unresolved_words"],
  ["which features are used by nobody except admins", "unresolved_words"],
  ["accounts where everybody exports", "unresolved_words"],
  ["features used by all accounts", "unresolved_words"],
  ["which industry has no at-risk accounts", "unresolved_words"],
  ["are not all Enterprise accounts healthy", "unresolved_words"],
  ["which customers synced no data sources in October", "unresolved_words"],
  ["how much MRR is not up for renewal this quarter", "unresolved_words"],
  ["are there no open inbox items", "unresolved_words"],
  ["which features do most Enterprise accounts use", "unresolved_words"],
  ["top 10 accounts by events excluding API calls", "unresolved_words"],
  ["which accounts grew in usage but not in seats", "unresolved_words"],
  ["which features do Lumen and Meridian both use", "unresolved_words"],
  ["accounts at risk again", "unresolved_words"],
  ["MRR of accounts that upgraded this month", "unresolved_words"],
  ["which accounts use API Called with more than 3 users", "unresolved_words"],
  ["which features does only Lumen use", "unresolved_words"],
  ["is only Quillworks at risk", "unresolved_words"],
  ["did only admins export reports yesterday", "unresolved_words"],
  ["how many seats were added this month", "unresolved_words"],
  ["who churned most recently", "unresolved_words"],
  ["the latest churned accounts", "unresolved_words"],
  ["which accounts lost more than 5 seats this month", "unresolved_words"],
  ["how many seats did Lumen lose this month", "unresolved_words"],
  ["does Lumen have more users than Meridian", "unresolved_words"],
  ["how many users and accounts used the API last week", "unresolved_words"],
  ["who is at risk and who is silent", "unresolved_words"],
  ["the lowest health per region", "unresolved_words"],
  ["which user exported most in each account", "unresolved_words"],
  ["MRR by month", "unresolved_words"],
  ["exports by week for Halcyon vs Northwind", "unresolved_words"],
  ["which of the 5 biggest accounts are at risk", "unresolved_words"],
  ["which feature does Lumen use more than Meridian", "unresolved_words"],
  ["which accounts have more viewers than admins", "unresolved_words"],
  ["who commented in each of the last 4 weeks", "unresolved_words"],
  ["what is the MRR of accounts whose usage fell", "unresolved_words"],
  ["which accounts stopped using Forecast Created or Alert Created", "unresolved_words"],
  ["why did the score of Pixelforge rise", "unresolved_words"],
  ["which items were open last week", "unresolved_words"],
  ["items not dismissed this week", "unresolved_words"],
  ["which accounts have a new item this week", "unresolved_words"],
  ["how often was Pixelforge at risk", "unresolved_words"],
  ["how many dashboards does Halcyon have", "unmeasured_attribute"],
  ["tell me about Daytona", "no_such_subject"],
  ["is our biggest customer at risk", "unresolved_words"],
  ["is the account with the most seats at risk", "unresolved_words"],
  ["users of our biggest customer", "unresolved_words"],
  ["which features does our biggest customer use", "unresolved_words"],
  ["how healthy are our top 5 customers", "unresolved_words"],
  ["exports of our 3 largest customers", "unresolved_words"],
  ["are there more at-risk accounts than last month", "unresolved_words"],
  ["do we have more users than last month", "unresolved_words"],
  ["new users this month vs last month", "unresolved_words"],
  ["who uses all features", "unresolved_words"],
  ["features Lumen uses more this month", "unresolved_words"],
  ["who has the most admins", "unresolved_words"],
  ["accounts with notices and their number", "unresolved_words"],
  ["customers with no notices this month", "unresolved_words"],
  ["events per week and feature", "unresolved_words"],
  ["accounts per industry and health", "unresolved_words"],
  ["trials and churned accounts", "unresolved_words"],
  ["users and admins at Lumen", "unresolved_words"],
  ["new and churned customers this month", "unresolved_words"],
  ["customers we won and lost this quarter", "unresolved_words"],
  ["opened and resolved notices last week", "unresolved_words"],
  ["highest score ever", "unresolved_words"],
  ["latest events at Quillworks", "unresolved_words"],
  ["exports of Halcyon, Northwind and Lumen by week", "unresolved_words"],
  ["industries without trials", "unresolved_words"],
  ["paying trials", "unresolved_words"],
  ["which accounts were never customers", "unresolved_words"],
  ["accounts in emea that are Team customers but not on Team", "unresolved_words"],
  ["average and total MRR", "unresolved_words"],
  ["average number of exports per user per account", "unresolved_words"],
  ["accounts at risk on more than 3 days", "unresolved_words"],
  ["top 3 industries by MRR", "unresolved_words"],
  ["who exports every day", "unresolved_words"],
  ["what is in the report Omar exported", "unmeasured_attribute"],
];

describe("§15.1 §15.6 read", () => {
  for (const [family, questions] of Object.entries({ ...FAMILIES, ...OUTCOMES }))
    it.each(questions)(`reads questions of the family "${family}": %s`, (question, query) => {
      const asked = queryOf(question);
      expect(asked && plain(asked)).toBe(query);
    });

  it.each(REFUSALS)("refuses %s: %s", (question, reason) => {
    expect(ask(question)).toMatchObject({ kind: "refusal", reason });
  });

  it("gives no phrase of the lexicon one meaning twice", () => {
    for (const [phrase, meanings] of LEXICON)
      expect(new Set(meanings.map((each) => JSON.stringify(each))).size, phrase).toBe(meanings.length);
  });

  it("reads every line of the lexicon as valid fragments", () => {
    const { dimensions } = vocabulary("");
    const known = new Set([
      ...dimensions.map(({ name }) => name),
      "renewal",
      "industry",
      "region",
      "role",
      "end",
      "champion",
    ]);
    for (const fragment of [...LEXICON.values()].flat(2)) {
      expect(JSON.stringify(fragment)).not.toMatch(/"undefined"|null,|""/);
      const filters =
        fragment.type === "filter" ? [fragment.filter] : fragment.type === "find" ? (fragment.where ?? []) : [];
      const names = [...filters, ...(fragment.type === "dimension" ? [fragment] : [])].map(
        ({ dimension }) => dimension,
      );
      for (const name of names) expect(known).toContain(name);
    }
  });

  it("proposes the closest name, and the question with it", () => {
    const question = "mrr of Halzyonics";
    const near = { type: "account", externalId: "halcyon-health", name: "Halcyon Health", isPersonal: false } as const;
    const names = [{ ...near, number: 1, id: "acc_1", from: 2, to: 3, matchedBy: "suggestion" as const }];
    expect(readQuestion(question, { ...vocabulary(question), names })).toMatchObject({
      reason: "no_such_subject",
      candidates: [near],
      nearest: { measure: "mrr", where: [{ dimension: "account", is: "halcyon-health" }] },
    });
  });

  it("proposes who was active instead of who logged in", () => {
    expect(ask("who logged in at Lumen yesterday")).toMatchObject({
      reason: "no_such_event",
      nearest: {
        find: "users",
        where: [
          { dimension: "active", is: true },
          { dimension: "account", is: "lumen-energy" },
        ],
      },
    });
  });

  it.each([
    "Any news from Halcyon?",
    "Which customers have good health?",
    "users that created forecasts",
    "dismissed alerts",
    "any chance you could list all trials",
  ])("answers %s", (question) => {
    expect(ask(question)).toMatchObject({ kind: "query" });
  });

  it("proposes the closest events, and the query if only one is close", () => {
    expect(ask("which accounts imported data")).toMatchObject({
      reason: "no_such_event",
      events: ["data.source.synced"],
      nearest: { find: "accounts", where: [{ dimension: "event", is: "data.source.synced" }] },
    });
    expect(ask("who printed a report")).toMatchObject({ events: expect.arrayContaining(["report.exported"]) });
  });

  it.each([
    ["how did our MRR look in May", { find: "accounts", measure: "mrr" }],
    ["who was at risk in October", { where: [{ dimension: "health", is: "at_risk", asOf: "2026-10-31" }] }],
    ["accounts with more than 10 users", { find: "accounts", where: [{ dimension: "active_users", over: 10 }] }],
  ])("proposes a question close to %s", (question, nearest) => {
    expect(ask(question)).toMatchObject({ kind: "refusal", nearest });
  });

  it.each(["twice as many exports as last month", "mrr of Contoso", "NPS of Lumen"])(
    "proposes no question close to %s",
    (question) => {
      expect(ask(question)).not.toHaveProperty("nearest");
    },
  );

  it('reads "this account" as the account that was sent with the question', () => {
    const question = "how many seats does this account have";
    expect(readQuestion(question, vocabulary(question), { account: "papercrane" })).toMatchObject({
      kind: "query",
      query: { measure: "seats", where: [{ dimension: "account", is: "papercrane" }] },
    });
  });

  it.each(ITEM_KINDS.flatMap((kind) => [KIND_NAMES[kind], kind.replaceAll("_", " ")].map((name) => [name, kind])))(
    "reads items by the name of their kind: %s items",
    (name, kind) => {
      const where = [{ dimension: "item_kind", is: kind }];
      expect(queryOf(`${name} items`)).toMatchObject({ find: "items", show: "list", where });
      expect(queryOf(`how many open ${name} alerts are there`)).toMatchObject({ find: "items", show: "count" });
    },
  );

  it.each([
    ["churn rate", "how many customers churned, or how much MRR was lost"],
    ["what is our gross churn this quarter", "how many customers churned, or how much MRR was lost"],
    ["net revenue retention", "how many customers churned, or how much MRR was lost"],
    ["trial conversion rate", "how many trials converted"],
    ["ARPU", "for the average MRR per account"],
    ["expansion MRR this month", "which accounts' MRR went up or down, or how MRR changed this month"],
    ["net new MRR", "which accounts' MRR went up or down, or how MRR changed this month"],
    ["upsell MRR", "which accounts' MRR went up or down, or how MRR changed this month"],
    ["our stickiness", "for daily or monthly active users"],
    ["NPS of Lumen", "about activity, health, plans, seats, MRR or traits"],
  ])("names what is recorded and comes closest: %s", (question, neighbor) => {
    const detail = expect.stringMatching(/isn't recorded; ask /);
    const result = ask(question);
    expect(result).toMatchObject({ kind: "refusal", reason: "unmeasured_attribute", detail });
    expect(result.kind === "refusal" && result.detail).toContain(`; ask ${neighbor}.`);
  });

  it.each([
    "how many customers churned",
    "how much MRR was lost",
    "how many trials converted",
    "average MRR per account",
    "which accounts' MRR went up",
    "which accounts' MRR went down",
    "how MRR changed this month",
    "daily active users",
    "monthly active users",
  ])("answers what it names instead of what isn't recorded: %s", (question) => {
    expect(queryOf(question)).not.toBeNull();
  });

  it("notes which name it used for a misspelled one, but not for a part of a name", () => {
    expect(ask("Lumne plan")).toMatchObject({ notes: [{ asked: "Lumne", candidate: { externalId: "lumen-energy" } }] });
    expect(ask("Lumen plan")).toMatchObject({ kind: "query", notes: [] });
  });

  it("notes which word it used for a misspelled one, but not for another form of a word", () => {
    expect(ask("acounts at risk")).toMatchObject({ notes: [{ kind: "word", asked: "acounts", meant: "accounts" }] });
    expect(ask("events this mth")).toMatchObject({ kind: "query", notes: [] });
  });

  it("takes no form of a known word for another word", () => {
    const known = [...LEXICON.keys()].filter((phrase) => /^[a-z]{5,}$/.test(phrase));
    const forms = known.flatMap((word) => ["s", "ed", "ing"].map((ending) => word + ending));
    const wrong = forms.flatMap((form) => {
      const [, meant] = correctWords(splitWords(`who ${form} today`), [], vocabulary(form));
      const isOther = meant !== undefined && stemOf(meant.folded) !== stemOf(form);
      return isOther && known.some((word) => stemOf(form) === word) ? [`${form}: ${meant.folded}`] : [];
    });
    expect(wrong).toEqual([]);
    for (const question of ["who hasn't been contacted", "customers we contacted this month"])
      expect(ask(question), question).toMatchObject({ reason: "unmeasured_attribute" });
  });

  it.each([["is Kestrel red, amber or green?", "accounts value | account is kestrel-analytics | measure health"]])(
    "takes no state for granted that the answer tells: %s",
    (question, query) => {
      const asked = queryOf(question);
      expect(asked && plain(asked)).toBe(query);
    },
  );

  const all = Object.values(FAMILIES).flatMap((questions) => questions.map(([question]) => question));

  it.each(all)("reads another query, or none, without any word that matters: %s", (question) => {
    const whole = JSON.stringify(queryOf(question));
    for (const { start, end, text } of counting(question).filter((each) => !REDUNDANT.has(each.text)))
      expect(JSON.stringify(queryOf(question.slice(0, start) + question.slice(end))), `without "${text}"`).not.toBe(
        whole,
      );
  });

  it.each(all)("reads no query if there is an unknown word: %s", (question) => {
    for (const { end } of counting(question))
      expect(queryOf(`${question.slice(0, end)} zorbling ${question.slice(end)}`)).toBeNull();
  });

  it("offers both readings of a name that is an ordinary word", () => {
    const world = writtenWorld();
    const named = vocabularyOf({ ...world, accounts: [...world.accounts, { externalId: "trials", name: null }] });
    const question = "trials in emea";
    expect(readQuestion(question, named(question))).toMatchObject({ kind: "options" });
  });

  it("reads a quoted phrase as a whole, even if one of its words is the name of an industry", () => {
    const world = writtenWorld();
    const named = vocabularyOf({ ...world, values: new Map([...world.values, ["account.industry", ["Feature"]]]) });
    const question = 'accounts with a "feature no longer used" notice';
    expect(readQuestion(question, named(question))).toMatchObject({
      kind: "query",
      query: { where: [{ dimension: "item_kind", is: "feature_dropped" }] },
    });
  });

  it("offers rankings by MRR, events and score, if a question doesn't say what it ranks by", () => {
    const result = ask("top 10 customers and their plan");
    const ranked = ["measure mrr | with plan", "measure events | with plan", "measure score | with plan"];
    expect(result.kind === "options" && result.options.map(plain)).toEqual(
      ranked.map((by) => `accounts list | stage is active | limit 10 | ${by}`),
    );
  });

  it('reads the name of a trait after "whose", even if an event has it too', () => {
    const names = writtenWorld();
    const values = new Map([...names.values, ["user.invitedOn", ["2026-10-01"]]] as const);
    const question = "please number of users whose invited is on 18 october 2026 per plan";
    const result = readQuestion(
      question,
      vocabularyOf({ ...names, events: [...names.events, "invite_sent"], values })(question),
    );
    expect(result).toMatchObject({ kind: "query", query: { where: [{ dimension: "user.invitedOn" }] } });
  });

  it("counts events even if a trait is called event", () => {
    const names = writtenWorld();
    const values = new Map([...names.values, ["account.event", ["x"]]] as const);
    const question = "how many events last week";
    const named = vocabularyOf({ ...names, values })(question);
    expect(readQuestion(question, named)).toMatchObject({ kind: "query", query: { find: "events", show: "value" } });
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
        const cut = splitWords(text);
        const mentions = [
          ...nameMentions(cut, names),
          ...valueMentions(cut, dimensions),
          ...eventMentions(cut, events),
        ];
        expect(readingsOf(cut, mentions, dimensions, today).length).toBeLessThanOrEqual(MAX_READINGS);
        ask(text);
      }),
      { numRuns: 300 },
    );
  });
});

/** Returns the words that matter in a question: values, conditions, numbers and times. */
function counting(question: string): { start: number; end: number; text: string }[] {
  const { names, dimensions, events, today } = vocabulary(question);
  const words = splitWords(question);
  const mentions = [
    ...nameMentions(words, names),
    ...valueMentions(words, dimensions),
    ...eventMentions(words, events),
  ];
  const [reading] = readingsOf(words, mentions, dimensions, today);
  return (reading?.fragments ?? [])
    .filter(({ type }) => ["value", "filter", "number", "window", "bound", "negation", "over"].includes(type))
    .map(({ from, to }) => {
      const [start, end] = [words[from]?.start ?? 0, words[to - 1]?.end ?? 0];
      return { start, end, text: question.slice(start, end) };
    });
}

describe("the end of a contract", () => {
  const world = writtenWorld();
  const values = new Map([...world.values].filter(([name]) => name !== "account.contractEndsOn"));
  const withoutTrait = vocabularyOf({ ...world, values });

  it.each([
    ["renewals in the next 60 days", "accounts list | contract_ends within next 60 day"],
    ["which contracts have expired?", "accounts list | contract_ends to 2026-11-22"],
    ["accounts in order of renewal", "accounts list | by contract_ends up | measure contract_ends"],
    ["accounts without a contract end date", "accounts list | contract_ends isUnknown true"],
    [
      "when does the contract of brightwater end",
      "accounts when | account is brightwater-bank | measure contract_ends",
    ],
  ])("§15.4 is the attribute, unless the workspace has a trait for it: %s", (question, expected) => {
    const result = readQuestion(question, withoutTrait(question));
    expect(result.kind === "query" && plain(result.query)).toBe(expected);
  });

  it.each([
    [
      "at risk accounts by contract end",
      "accounts list | health is at_risk | by contract_ends up | measure contract_ends",
    ],
    ["customers without contract end", "accounts list | contract_ends isUnknown true | stage is active"],
    ["contract end of Lumen", "accounts value | account is lumen-energy | measure contract_ends"],
  ])("§15.4 is the accounts' own, if only users have a trait for it: %s", (question, expected) => {
    const ofUsers = new Map([...values, ["user.contractEndsOn", ["2027-01-31"]] as const]);
    const result = readQuestion(question, vocabularyOf({ ...world, values: ofUsers })(question));
    expect(result.kind === "query" && plain(result.query)).toBe(expected);
  });
});

import { describe, expect, it } from "vitest";

import { vocabularyOf } from "../../../../evals/ask/written/vocabulary.ts";
import { writtenWorld } from "../../../../evals/ask/written/world.ts";
import { canonical } from "../../../../src/core/ask/query/canonical.ts";
import { type ReadResult, readQuestion } from "../../../../src/core/ask/reader/read-question.ts";

const vocabulary = vocabularyOf(writtenWorld());
const ask = (question: string, hints = {}): ReadResult => readQuestion(question, vocabulary(question), hints);
const open = { dimension: "status", is: "open" };

describe("§15.4 questions for where to begin", () => {
  it.each([
    "who should I call today",
    "who should i call first?",
    "hi team, who should we reach out to this morning?",
    "whom do I need to contact first",
    "who to call next",
    "who should my team call",
    "which accounts should I call today",
    "what accounts do i need to look at today",
    "any accounts I should worry about",
    "which ones should I worry about",
    "what first",
    "what's first",
    "what next?",
    "what should I do first",
    "what should we do now",
    "what do I do next",
    "what to do today",
    "where do I start",
    "where should i begin today",
    "who needs attention",
    "who needs my attention right now",
    "which accounts need my attention",
    "does anyone need attention?",
    "accounts needing attention",
    "which accounts require action",
    "who needs a call",
    "who needs attention and why",
    "what should I work on",
    "what should we be working on",
    "what should I prioritise this week",
    "where should I focus",
    "where should we focus our time",
    "what do we need to focus on today",
    "any fires?",
    "any fires to put out today",
    "what's on fire",
    "is anything burning",
    "what is most urgent",
    "my priorities today",
    "what are our top priorities",
  ])("asks for open items: %s", (question) => {
    expect(ask(question)).toMatchObject({
      kind: "query",
      query: { find: "items", show: "list", where: [open] },
    });
  });

  it.each([
    ["which emea accounts should I prioritise", { dimension: "account.region", is: "emea" }],
    ["accounts needing attention in apac", { dimension: "account.region", is: "apac" }],
    ["Enterprise accounts I should call", { dimension: "plan", is: "Enterprise" }],
    ["which at-risk accounts should we call first", { dimension: "health", is: "at_risk" }],
    ["which trials should I chase", { dimension: "stage", is: "trial" }],
  ])("asks for open items about some accounts: %s", (question, filter) => {
    expect(ask(question)).toMatchObject({ query: { find: "items", show: "list", where: [filter, open] } });
  });

  it("counts the accounts that need attention by their open items", () => {
    expect(ask("how many accounts need attention")).toMatchObject({
      query: { find: "accounts", show: "count", where: [{ dimension: "item_kind", isUnknown: false }] },
    });
  });

  it.each([
    ["who should I call about the lawsuit", "unresolved_words"],
    ["who should I call if it rains", "unresolved_words"],
    ["what needs fixing", "unresolved_words"],
    ["which account should I visit in Berlin", "no_such_subject"],
    ["who needs a discount", "unmeasured_attribute"],
    ["who should I invite to lunch", "out_of_scope"],
    ["who should I call at Halcyon", "opinion"],
    ["should I call Halcyon or Lumen first", "opinion"],
    ["hey, should I call today?", "opinion"],
    ["should I fire Halcyon", "opinion"],
    ["what should I do", "opinion"],
    ["what should I do about churn", "opinion"],
    ["who should I not call", "opinion"],
    ["which accounts should I ignore", "opinion"],
    ["which feature should we focus on", "opinion"],
    ["which users should I call", "opinion"],
    ["what should I focus on with Halcyon", "opinion"],
    ["who should I call on Friday", "opinion"],
    ["what should I say to Halcyon", "opinion"],
  ])("has no answer to %s: %s", (question, reason) => {
    expect(ask(question)).toMatchObject({ kind: "refusal", reason });
  });
});

describe("§15.6 causes of a score", () => {
  const lumen = { dimension: "account", is: "lumen-energy" };

  it.each([
    ["why is Lumen at risk", "at_risk"],
    ["why is Lumen Energy at risk?", "at_risk"],
    ["why is lumen-energy red", "at_risk"],
    ["why is lumen on watch", "watch"],
    ["why is Lumen Energy healthy", "healthy"],
  ])("keep the state that the question supposes: %s", (question, is) => {
    const result = ask(question);
    const where = [lumen, { dimension: "health", is }];
    expect(result.kind === "query" && canonical(result.query)).toEqual({ find: "accounts", show: "why", where });
  });

  it.each([
    "why did lumen's score drop",
    "why has the score of Lumen gone down",
    "why did lumen drop",
    "why did it fall",
    "why is it low",
    "why is it so bad",
    "how come it's so low",
    "why is lumen low",
    "why does lumen have such a low score",
    "what's behind lumen's low score",
    "why is lumen's health bad",
    "why is lumen's health so low lately",
    "why isnt it green",
    "why isn't lumen healthy",
    "what's wrong with it",
    "whats the matter with lumen",
    "what's the problem with lumen",
    "what is going on with Lumen",
    "what's happening with lumen",
  ])("are its reasons: %s", (question) => {
    expect(ask(question, { account: "lumen-energy" })).toMatchObject({
      query: { find: "accounts", show: "why", where: [lumen] },
    });
  });

  it.each([
    "why did Lumen leave",
    "why did Lumen cut seats",
    "why did Lumen drop forecasts",
    "why did Lumen rise",
    "why is Lumen so big",
    "why is Lumen's usage low",
    "why did usage drop at Lumen",
    "what made Halcyon leave?",
    "what drives Lumen's score down",
  ])("aren't those of anything else: %s", (question) => {
    expect(ask(question)).toMatchObject({ kind: "refusal", reason: "causal_claim" });
  });

  it.each([
    ["what's going on with jonas weber", "users"],
    ["what's going on with our trials", "accounts"],
    ["what is happening with report exports", "features"],
  ])("are a summary for anything but one account: %s", (question, find) => {
    expect(ask(question)).toMatchObject({ query: { find, show: "summary" } });
  });
});

it("reads customers that churned as those that were customers before", () => {
  for (const question of ["how many customers churned last month", "customers that churned last month"])
    expect(ask(question)).toMatchObject({ query: { where: [{ dimension: "stage", became: "churned" }] } });
});

it.each(["isnt", "isn't", "is not"])("reads the subject after %s as the subject", (negation) => {
  expect(ask(`${negation === "is not" ? "is lumen not" : `${negation} lumen`} healthy`)).toMatchObject({
    query: {
      show: "yes_no",
      where: [
        { dimension: "health", isNot: "healthy" },
        { dimension: "account", is: "lumen-energy" },
      ],
    },
  });
});

it.each([
  ["events of Lumen on rainy days", "I don't know what “rainy days” means here."],
  ["generate a list of accounts", "I don't know what “generate” means here."],
  ["accounts that are rubbery and squishy", "I don't know what “rubbery” and “squishy” mean here."],
  [
    "is it wobbly or squishy or rubbery or fluffy or bouncy",
    "I don't know what “wobbly”, “squishy”, “rubbery”, “fluffy” and other words mean here.",
  ],
  ["why did lumen's score drop last week", "I don't know what “last week” means here."],
  ["What is Lumen's NPS?", "“NPS” isn't recorded; "],
  ["Lumen's headquarters", "“headquarters” isn't recorded; "],
  ["who logged in yesterday", "No event is called “logged in”; "],
  ["did Lumen archive reports", "No event is called “archive”; "],
  ["status of account globex-1", "No account or user is called “globex-1”."],
  ["exports in 2019", "There is no data before 25 Aug 2026; ask about a later time."],
  ["how many dashboards does Lumen have", "Events are counted, but not the things they are about."],
])("§15.6 names what isn't understood: %s", (question, detail) => {
  expect(ask(question)).toMatchObject({ detail: expect.stringContaining(detail) });
});

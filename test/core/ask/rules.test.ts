/** What single words and turns of phrase make of a question, where the tables of phrasings have no example of it. */
import { describe, expect, it } from "vitest";

import type { Plan } from "../../../src/core/ask/model.ts";
import { account, ACME, days, EXPORTED, feature, INVITED, MARIA, namesOf, planOf, TODAY } from "./world.ts";

const OCTOBER = days(-51, -21);

/** Measure and days; else why it is not answered. */
function gist(question: string, hints = {}): string {
  const plan = planOf(question, { hints });
  return typeof plan === "string" ? plan : gistOf(plan);
}

function gistOf(plan: Plan): string {
  const window = "window" in plan ? ` ${plan.window.from - TODAY} ${plan.window.to - TODAY}` : "";
  return `${plan.subject} ${plan.measure}${window}`;
}

/** Of a trait its name. */
const trait = (question: string, hints = {}) => {
  const plan = planOf(question, { hints });
  return typeof plan !== "string" && plan.measure === "trait" ? `${plan.subject} ${plan.key}` : gist(question, hints);
};

describe("§15.4 daily, weekly and monthly active users", () => {
  it.each([
    // Of the last day that is over: today is none yet.
    ["What is acme's DAU?", "account active_users -1 -1"],
    ["DAU of acme on 2026-11-10", "account active_users -11 -11"],
    ["acme WAU", "account active_users -6 0"],
    ["acme WAU last week", "account active_users -12 -6"],
    ["acme MAU", "account active_users -27 0"],
    ["MAU of acme in October", "account active_users -51 -21"],
    ["What is our DAU?", "portfolio active_users -1 -1"],
    ["our WAU", "portfolio active_users -6 0"],
    ["our MAU in October", "portfolio active_users -51 -21"],
    ["acme WAU yesterday", "unresolved_words"],
    ["acme DAU last week", "unresolved_words"],
    ["acme MAU last week", "unresolved_words"],
    ["our MAU last week", "unresolved_words"],
    ["our DAU in October", "unresolved_words"],
  ])("§15.4 are of as many days: %s: %s", (question, expected) => {
    expect(gist(question)).toBe(expected);
  });
});

describe("§15.4 what has been done", () => {
  it("§15.4 is no stock of what there is", () => {
    expect(gist("How many invited users does acme have?")).toBe("unresolved_words");
    expect(gist("How many exported reports does Maria Lopez have?")).toBe("unresolved_words");
    expect(planOf("How many users did acme invite?")).toMatchObject({ measure: "event_count", feature: INVITED });
  });

  it("§15.4 is not counted by those whom it was done to", () => {
    expect(planOf("How many users were invited by acme in October?")).toMatchObject({
      measure: "event_count",
      feature: INVITED,
      window: OCTOBER,
    });
    expect(planOf("How many users at acme exported reports in October?")).toMatchObject({
      measure: "active_users",
      feature: EXPORTED,
    });
    expect(planOf("Who at acme used report.exported in October?")).toMatchObject({
      measure: "active_user_list",
      feature: EXPORTED,
    });
  });

  it("§15.4 is never until now, where no time is said", () => {
    expect(gist("Which features has acme never used?")).toBe("account features_not_used -399 0");
    expect(gist("Which features has acme never used this month?")).toBe("account features_not_used -20 0");
    expect(gist("Has acme ever used report.exported?")).toBe("account uses_feature -399 0");
  });

  it("§15.4 is counted from the first event where it is asked for in total", () => {
    expect(gist("How many events did acme have in total?")).toBe("account event_count -399 0");
  });
});

describe("§15.4 what is counted", () => {
  it.each([
    ["How many users were exporting reports in October?", "feature user_count -51 -21"],
    ["rank 4 accounts by activity", "portfolio top -27 0"],
    ["How many users used active users in October?", "unresolved_words"],
    ["rank 4 of the accounts by activity", "unresolved_words"],
    ["Is Maria Lopez's growth slowing?", "unresolved_words"],
    ["Did Maria Lopez's usage rise more than last month?", "unresolved_words"],
    ["How many events did acme in the US have?", "unresolved_words"],
    ["How many users were exported at acme in October?", "unresolved_words"],
  ])("§15.4 is what stands where that is told: %s: %s", (question, expected) => {
    expect(gist(question)).toBe(expected);
  });
});

describe("§15.4 a comparison", () => {
  it.each([
    ["compare acme and globex", "account compare_accounts -27 0"],
    ["Is acme more active than globex?", "account compare_accounts -27 0"],
    ["Is acme better than globex?", "opinion"],
    ["Who has more, acme or globex?", "unresolved_words"],
    ["acme vs globex per month", "unresolved_words"],
    ["compare the seats of acme and globex in October", "unresolved_words"],
    ["compare the seats and the MRR of acme and globex", "unresolved_words"],
    ["compare acme, globex and umbrella", "unresolved_words"],
    ["compare the MRR of acme this month with last month", "unresolved_words"],
    ["Did acme's events grow more this month than last month?", "unresolved_words"],
    ["Did acme's active users go up?", "account compare_windows -27 0"],
  ])("§15.4 is of one thing that is counted or known of both: %s: %s", (question, expected) => {
    expect(gist(question)).toBe(expected);
  });
});

describe("§15.4 which accounts", () => {
  it.each([
    ["Which paying accounts are healthy?", { state: "healthy", stage: "active" }],
    ["Which accounts on trial are on watch?", { state: "watch", stage: "trial" }],
    ["Which accounts are stale?", { state: "stale" }],
    ["Which accounts have too little data?", { state: "insufficient_data" }],
    ["Which accounts on the pro plan are healthy?", { state: "healthy", plan: "Pro" }],
  ])("§15.4 are told by state, stage and plan: %s", (question, filter) => {
    expect(planOf(question)).toEqual({ subject: "portfolio", measure: "account_list", filter });
  });

  it.each([
    "Which accounts are healthy or at risk?",
    "Which accounts are healthy and at risk?",
    "Which accounts are on trial or churned?",
    "Which accounts are on Pro and Enterprise?",
    "Which churned accounts are at risk?",
    "Which accounts were at risk?",
    "How many accounts were healthy?",
    "Which accounts went quiet in the last 14 days?",
    "Which accounts are on the Gold plan?",
    "MRR breakdown",
  ])("§15.4 are not told by two of a kind, or by what is not known: %s", (question) => {
    expect(typeof planOf(question)).toBe("string");
  });
});

describe("§15.4 how many are wanted", () => {
  it.each([
    ["top accounts by activity", 10],
    ["the most active account", 1],
    ["top 1 accounts by activity", 1],
    ["top twenty accounts by activity", 20],
    ["top 100 accounts by activity", 100],
    ["top 101 accounts by activity", null],
    ["top 0 accounts by activity", null],
    ["top 5 3 accounts by activity", null],
    ["the most used feature", 1],
    ["the 3 most used features", 3],
  ])("§15.8 are 1 to 100: %s: %j", (question, limit) => {
    const plan = planOf(question);
    expect(typeof plan !== "string" && "limit" in plan ? plan.limit : null).toBe(limit);
  });
});

describe("§15.4 a trait", () => {
  it.each([
    ["What is acme's company size?", "account company size"],
    ["acme's Company-Size", "account company size"],
    ["Which industry is acme in?", "account industry"],
    ["What motto does acme have?", "account motto"],
    ["Show me the motto of acme", "account motto"],
    ["What is the motto that is on file for acme?", "account motto"],
    ["What is Maria Lopez's favourite colour?", "opinion"],
    ["What is Maria Lopez's job title?", "user job title"],
    // What is measured is no trait, and what changes the question is none either.
    ["What is acme's plan?", "account plan"],
    ["What is acme's ARR?", "unmeasured_attribute"],
    ["Why is acme's industry?", "causal_claim"],
    ["What was acme's industry last year?", "unresolved_words"],
    ["What is acme's and globex's industry?", "unresolved_words"],
    ["What is acme's very long name of a trait?", "unresolved_words"],
    ["What is Twin's industry?", "unresolved_words"],
  ])("§15.4 is asked for by its name: %s: %s", (question, expected) => {
    expect(trait(question)).toBe(expected);
  });

  it("§15.1 may be of what was said beside the question, if that is one", () => {
    expect(trait("What is its industry?", { account: ACME })).toBe("account industry");
    expect(trait("What is her nickname?", { user: MARIA })).toBe("user nickname");
    expect(trait("What is their industry?", { account: ACME, user: MARIA })).toBe("unresolved_words");
    expect(typeof planOf("What is its industry?")).toBe("string");
  });
});

describe("§15.4 a misspelt word", () => {
  it.each([
    ["hwo many evetns did acme have in october", "account event_count -51 -21"],
    ["how many evens did acme have in october", "account event_count -51 -21"],
    ["acme inbx", "account items"],
    ["acme saets", "account seats"],
  ])("§15.4 is mended where one word can be meant: %s", (question, expected) => {
    expect(gist(question)).toBe(expected);
  });

  it.each([
    // Other words, and letters that were replaced.
    "how many vents did acme have",
    "how many firms did acme have",
    "acme heath",
    "acme sests",
    "How many Evnets did acme have?",
  ])("§15.4 is left as it is where it may be another: %s", (question) => {
    const plan = planOf(question);
    expect(typeof plan === "string" || plan.measure === "trait").toBe(true);
  });
});

describe("§15.2 an event that is called as questions are", () => {
  const names = [account("acme"), feature("active users"), feature("events")].flatMap((of) => namesOf(of));
  const world = { names, plans: [] };

  it("§15.2 is meant where it is written as a name", () => {
    expect(planOf('did acme use "active users" in October?', { world })).toMatchObject({ measure: "uses_feature" });
    expect(planOf('How often did acme use "events" in October?', { world })).toMatchObject({ measure: "event_count" });
  });

  it("§15.5 answers nothing where that would leave it open what is meant", () => {
    expect(planOf("How many active users did acme have in October?", { world })).toBe("unresolved_words");
  });
});

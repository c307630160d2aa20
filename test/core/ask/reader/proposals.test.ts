import { describe, expect, it } from "vitest";

import { vocabularyOf } from "../../../../evals/ask/written/vocabulary.ts";
import { writtenWorld } from "../../../../evals/ask/written/world.ts";
import { MAX_PROPOSALS } from "../../../../src/core/ask/reader/proposals/propose.ts";
import { readQuestion } from "../../../../src/core/ask/reader/read-question.ts";

const vocabulary = vocabularyOf(writtenWorld());
function proposalsFor(question: string) {
  const result = readQuestion(question, vocabulary(question));
  if (result.kind !== "refusal") throw new Error(`It is read: ${question}`);
  return result.proposals ?? [];
}

describe("§15.1 a question with words that aren't understood", () => {
  it.each([
    // Unknown words, alone and with their preposition.
    [
      "How many exports did Lumen have on rainy days in October",
      ["on rainy days"],
      {
        find: "events",
        where: [
          { dimension: "event", is: "report.exported" },
          { dimension: "account", is: "lumen-energy" },
        ],
      },
    ],
    ["zealous accounts at risk in emea", ["zealous"], { find: "accounts" }],
    // Words that only seem to be an activity, or a name.
    ["dismissed notices of last week, how many morsels", ["morsels"], { find: "items", show: "count" }],
    ["the contract end of Brightwater for sure", ["for sure"], { show: "value" }],
    // A second question.
    [
      "which account has the highest MRR and which the lowest",
      ["and which the lowest"],
      { find: "accounts", measure: "mrr", limit: 1 },
    ],
    // Several corrections.
    ["renewls by MRR", [], { find: "accounts", measure: "mrr" }],
    // Too little is said: when, and which users.
    ["who was at risk in October", [], { where: [{ dimension: "health", is: "at_risk", asOf: "2026-10-31" }] }],
    ["accounts with more than 10 users", [], { where: [{ dimension: "active_users", over: 10 }] }],
    // An owner and a number that no step used.
    ["who is our engineer", ["our"], { find: "users" }],
    ["Has Granite Works had more than one notice this quarter?", ["one"], { find: "items" }],
  ])("has proposals: %s", (question, leftOut, query) => {
    const proposals = proposalsFor(question);
    expect(proposals.length).toBeLessThanOrEqual(MAX_PROPOSALS);
    expect(proposals).toContainEqual(expect.objectContaining({ leftOut, query: expect.objectContaining(query) }));
  });

  // Operators, and words that belong to a number, aren't left out.
  it.each([
    "twice as many exports as last month",
    "accounts that renew within the gud 60 days",
    "accounts that nearly churned",
    "health score of acme corp",
    "who deleted reports",
  ])("has none: %s", (question) => {
    expect(proposalsFor(question)).toEqual([]);
  });
});

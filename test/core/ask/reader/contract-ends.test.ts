import { describe, expect, it } from "vitest";

import { vocabularyOf } from "../../../../evals/ask/written/vocabulary.ts";
import { writtenWorld } from "../../../../evals/ask/written/world.ts";
import type { Query } from "../../../../src/core/ask/query/model.ts";
import { readQuestion } from "../../../../src/core/ask/reader/read-question.ts";

describe("the end of a contract", () => {
  const world = writtenWorld();
  const values = new Map([...world.values].filter(([name]) => name !== "account.contractEndsOn"));
  const withoutTrait = vocabularyOf({ ...world, values });

  const byEnd = {
    find: "accounts",
    show: "list",
    measure: "contract_ends",
    order: { by: "contract_ends", direction: "up" },
  } as const;

  it.each<[question: string, query: Query]>([
    [
      "renewals in the next 60 days",
      { find: "accounts", show: "list", where: [{ dimension: "contract_ends", within: { next: 60, unit: "day" } }] },
    ],
    [
      "which contracts have expired?",
      { find: "accounts", show: "list", where: [{ dimension: "contract_ends", to: "2026-11-22" }] },
    ],
    ["accounts in order of renewal", { ...byEnd, where: [] }],
    [
      "accounts without a contract end date",
      { find: "accounts", show: "list", where: [{ dimension: "contract_ends", isUnknown: true }] },
    ],
    [
      "when does the contract of brightwater end",
      {
        find: "accounts",
        show: "when",
        where: [{ dimension: "account", is: "brightwater-bank" }],
        measure: "contract_ends",
      },
    ],
  ])("§15.4 is the attribute, unless the workspace has a trait for it: %s", (question, query) => {
    const result = readQuestion(question, withoutTrait(question));
    expect(result.kind === "query" && result.query).toEqual(query);
  });

  it.each<[question: string, query: Query]>([
    ["at risk accounts by contract end", { ...byEnd, where: [{ dimension: "health", is: "at_risk" }] }],
    [
      "customers without contract end",
      {
        find: "accounts",
        show: "list",
        where: [
          { dimension: "contract_ends", isUnknown: true },
          { dimension: "stage", is: "active" },
        ],
      },
    ],
    [
      "contract end of Lumen",
      {
        find: "accounts",
        show: "value",
        where: [{ dimension: "account", is: "lumen-energy" }],
        measure: "contract_ends",
      },
    ],
  ])("§15.4 is the accounts' own, if only users have a trait for it: %s", (question, query) => {
    const ofUsers = new Map([...values, ["user.contractEndsOn", ["2027-01-31"]] as const]);
    const result = readQuestion(question, vocabularyOf({ ...world, values: ofUsers })(question));
    expect(result.kind === "query" && result.query).toEqual(query);
  });
});

/** §15 questions about who looks after an account. */
import { describe, expect, it } from "vitest";

import { vocabularyOf } from "../../../../evals/ask/written/vocabulary.ts";
import { writtenWorld } from "../../../../evals/ask/written/world.ts";
import { type Query, querySchema } from "../../../../src/core/ask/query/model.ts";
import { readQuestion } from "../../../../src/core/ask/reader/read-question.ts";

const world = writtenWorld();
const values = new Map([...world.values, ["owner", ["Dana Fox", "Omar"]] as const]);
const vocabulary = vocabularyOf({ ...world, values });

const accounts = (query: Partial<Query>) => querySchema.parse({ find: "accounts", show: "list", ...query });
const ofDana = { dimension: "owner", is: "Dana Fox" };
const lumen = accounts({ show: "value", measure: "owner", where: [{ dimension: "account", is: "lumen-energy" }] });

describe("§15 owners", () => {
  it.each<[question: string, query: Query]>([
    ["Who owns Lumen Energy?", lumen],
    ["Who is the owner of Lumen Energy?", lumen],
    ["Which accounts are owned by Dana Fox?", accounts({ where: [ofDana] })],
    ["Which accounts does Dana Fox own?", accounts({ where: [ofDana] })],
    ["accounts that Omar owns", accounts({ where: [{ dimension: "owner", is: "Omar" }] })],
    ["Dana Fox's accounts", accounts({ where: [ofDana] })],
    ["How many accounts does Dana Fox have?", accounts({ show: "count", where: [ofDana] })],
    ["accounts not owned by Omar", accounts({ where: [{ dimension: "owner", isNot: "Omar" }] })],
    ["Which accounts have no owner?", accounts({ where: [{ dimension: "owner", isUnknown: true }] })],
    ["How many accounts per owner?", accounts({ show: "count", per: "owner" })],
    ["MRR by owner", accounts({ show: "value", measure: "mrr", per: "owner" })],
    ["list accounts with MRR and owner", accounts({ measure: "mrr", with: ["owner"] })],
    [
      "open items of accounts owned by Dana Fox",
      accounts({ find: "items", where: [{ dimension: "status", is: "open" }, ofDana] }),
    ],
  ])("%s", (question, query) => {
    expect(readQuestion(question, vocabulary(question))).toMatchObject({ kind: "query", query });
  });

  it("aren't account managers, but come closest", () => {
    const question = "Who is the account manager of Lumen Energy?";
    expect(readQuestion(question, vocabulary(question))).toMatchObject({
      reason: "unmeasured_attribute",
      detail: expect.stringContaining("ask who owns an account"),
    });
  });
});

/** The written questions for development. */
import { expect, it } from "vitest";

import { judgeFile } from "../../../../evals/ask/written/judge.ts";

const judged = judgeFile("evals/ask/written/development.jsonl");
const having = (...verdicts: readonly string[]) =>
  judged.filter(({ verdict }) => verdicts.includes(verdict)).map(({ question }) => question);

it("reads no written question as another query, and gives no wrong reason", () => {
  expect(having("wrong", "wrong reason")).toEqual([]);
});

it("reads at least 85 % of the written questions that have an answer", () => {
  const answerable = judged.filter(({ expect: label }) => "queries" in label).length;
  expect(having("right", "options").length).toBeGreaterThanOrEqual(0.85 * answerable);
});

/** The written questions. Both parts have been used to improve the reader, so both must stay as they are read today. */
import { describe, expect, it } from "vitest";

import { checkReplacedPieces } from "../../../../evals/ask/reader/replaced-pieces.ts";
import { judgeFile } from "../../../../evals/ask/written/judge.ts";

describe("§15.4 what is said in the written questions", () => {
  it("is in their queries: another value, number, time or measure makes another one", () => {
    const { replaced, unchanged } = checkReplacedPieces("evals/ask/written/development.jsonl");
    expect(unchanged).toEqual([]);
    expect(replaced).toBeGreaterThan(1_000);
  });
});

describe("§15.4 the questions of first-contact.jsonl that have labels", () => {
  it("are never read as another query, and get no other reason", () => {
    const judged = judgeFile("evals/ask/written/first-contact.jsonl");
    const wrong = judged.filter(({ verdict }) => verdict.startsWith("wrong")).map(({ question }) => question);
    expect(wrong).toEqual([]);
  });
});

describe.each(["development", "final"])("§15.4 the written questions of %s.jsonl", (part) => {
  const judged = judgeFile(`evals/ask/written/${part}.jsonl`);
  const having = (...verdicts: readonly string[]) =>
    judged.filter(({ verdict }) => verdicts.includes(verdict)).map(({ question }) => question);

  it("are never read as another query, and get no wrong reason", () => {
    expect(having("wrong", "wrong reason")).toEqual([]);
  });

  it("are read in at least 85 % of the cases that have an answer", () => {
    const answerable = judged.filter(({ expect: label }) => "queries" in label).length;
    expect(having("right", "options").length).toBeGreaterThanOrEqual(0.85 * answerable);
  });
});

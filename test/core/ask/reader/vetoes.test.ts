/** The vetoes on queries: each has a question that it alone keeps from being answered. */
import { afterEach, describe, expect, it, vi } from "vitest";

import { vocabularyOf } from "../../../../evals/ask/written/vocabulary.ts";
import { writtenWorld } from "../../../../evals/ask/written/world.ts";
import { readQuestion } from "../../../../src/core/ask/reader/read-question.ts";
import { VETOES } from "../../../../src/core/ask/reader/vetoes/vetoes.ts";

const vocabulary = vocabularyOf(writtenWorld());
const kindOf = (question: string): string => readQuestion(question, vocabulary(question)).kind;

describe("§15.4 a veto", () => {
  afterEach(() => vi.restoreAllMocks());

  it.each(VETOES)("refuses “$example”, which would be answered without it", (veto) => {
    expect(kindOf(veto.example)).toBe("refusal");
    vi.spyOn(veto, "vetoes").mockReturnValue(false);
    expect(kindOf(veto.example)).toBe("query");
  });
});

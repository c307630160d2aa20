/**
 * Reads the questions of `questions/*.jsonl`. `wordings` has many wordings of what people ask, by family; `outcomes` has
 * ten ways to ask for each outcome, open item, comparison and development; `refusals` has what no query says.
 */
import { describe, expect, it } from "vitest";

import { type LabeledQuestion, readQuestions } from "../../../../evals/ask/written/questions.ts";
import { vocabularyOf } from "../../../../evals/ask/written/vocabulary.ts";
import { writtenWorld } from "../../../../evals/ask/written/world.ts";
import type { Query } from "../../../../src/core/ask/query/model.ts";
import { readingsOf } from "../../../../src/core/ask/reader/fragments/readings.ts";
import { type ReadResult, readQuestion } from "../../../../src/core/ask/reader/read-question.ts";
import { eventMentions, nameMentions, valueMentions } from "../../../../src/core/ask/reader/words/mentions.ts";
import { splitWords } from "../../../../src/core/ask/reader/words/split-words.ts";

const vocabulary = vocabularyOf(writtenWorld());
const ask = (question: string): ReadResult => readQuestion(question, vocabulary(question));
const queryOf = (question: string): Query | null => {
  const result = ask(question);
  return result.kind === "query" ? result.query : null;
};

/** Returns questions with what they are read as. */
const questionsOf = (name: string): [question: string, label: LabeledQuestion["expect"]][] =>
  readQuestions(`test/core/ask/reader/questions/${name}.jsonl`).map(({ question, expect: label }) => [question, label]);
const wordings = questionsOf("wordings");

/** The order of filters means nothing. */
const withoutOrder = ({ where, of = [], ...rest }: Query) => ({ ...rest, where: new Set(where), of: new Set(of) });

describe("§15.4 §15.6 a question", () => {
  it.each([...wordings, ...questionsOf("outcomes")])("is read as its query: %s", (question, label) => {
    const asked = queryOf(question);
    expect("queries" in label && label.queries.map(withoutOrder)).toEqual([asked && withoutOrder(asked)]);
  });

  it.each(questionsOf("refusals"))("is refused with its reason: %s", (question, label) => {
    expect(ask(question)).toMatchObject({ kind: "refusal", ...label });
  });

  it("stands in one line only", () => {
    const all = ["wordings", "outcomes", "refusals"].flatMap(questionsOf).map(([question]) => question);
    expect(all.filter((question, index) => all.indexOf(question) !== index)).toEqual([]);
  });
});

/** Words without effect in these questions: states are today's, and accounts only have filters on open items. */
const REDUNDANT = new Set(["only", "already", "at all", "today", "open", "comes up"]);

/** The words that matter in a question: values, conditions, numbers and times. */
function wordsThatMatter(question: string): { start: number; end: number; text: string }[] {
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

describe("§15.4 no word is skipped", () => {
  it.each(wordings)("a question without a word that matters is another query, or none: %s", (question) => {
    const whole = JSON.stringify(queryOf(question));
    for (const { start, end, text } of wordsThatMatter(question).filter((each) => !REDUNDANT.has(each.text)))
      expect(JSON.stringify(queryOf(question.slice(0, start) + question.slice(end))), `without "${text}"`).not.toBe(
        whole,
      );
  });

  it.each(wordings)("a question with an unknown word is no query: %s", (question) => {
    for (const { end } of wordsThatMatter(question))
      expect(queryOf(`${question.slice(0, end)} zorbling ${question.slice(end)}`)).toBeNull();
  });
});

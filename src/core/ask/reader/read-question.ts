/** Reads a question: returns one query, several to choose from, or a reason for not answering. */
import { foldName } from "../normalize-names.ts";
import type { Query } from "../query/model.ts";
import type { Hints } from "./pronouns.ts";
import { isBeforeRecording, nearestOf, queryOrOptions, readFreely, type ReadResult, refused } from "./read-freely.ts";
import { noDataBefore } from "./refusal/details.ts";
import { readRestated } from "./restated/read-restated.ts";
import type { ReadStats } from "./understand.ts";
import { type Mention, nameMentions, valueMentions } from "./words/mentions.ts";
import { type Word, splitWords } from "./words/split-words.ts";
import type { Vocabulary } from "./words/vocabulary.ts";

export type { Hints } from "./pronouns.ts";
export type { Note, ReadResult } from "./read-freely.ts";
export type { ReadStats } from "./understand.ts";
export type { Vocabulary };

export const MAX_QUESTION_WORDS = 120;

export function readQuestion(
  text: string,
  vocabulary: Vocabulary,
  hints: Hints = {},
  work: ReadStats = { readings: 0, rules: 0 },
): ReadResult {
  const typed = splitWords(text).slice(0, MAX_QUESTION_WORDS + 1);
  if (typed.length > MAX_QUESTION_WORDS) return refused("A question has at most 120 words.");
  // "Users", after a question about an account, may be its users.
  const isFragment = hints.previous !== undefined && typed.length < 3;
  const queries = isFragment ? [] : readRestated(text, vocabulary, work);
  if (queries.length > 0 && !useAllNames(queries, typed, vocabulary))
    return refused("A name is also an ordinary word. Put the name in quotation marks.");
  const result =
    queries.length > 0 ? queryOrOptions(queries, []) : readFreely({ text, typed, vocabulary, hints, work });
  if (result.kind !== "query" || !isBeforeRecording(result.query, vocabulary)) return result;
  const { window: _, ...query } = result.query;
  const detail = noDataBefore(vocabulary.firstDay ?? vocabulary.today);
  return { kind: "refusal", reason: "no_data_in_window", detail, ...nearestOf([query], vocabulary) };
}

/** Tests whether queries use every name in a question. A name could be mistaken for the renderer's own words. */
function useAllNames(queries: readonly Query[], words: readonly Word[], { names, dimensions }: Vocabulary): boolean {
  const mentions = [...nameMentions(words, names), ...valueMentions(words, dimensions)].filter(
    ({ distance }) => distance === 0,
  );
  const texts = queries.map((query) => new Set(textsIn(query).flatMap((text) => [text, foldName(text)])));
  // A run with many meanings has only some of them as mentions: any value with the same words is meant.
  const isUsed = ({ value, name }: Mention) => texts.every((all) => all.has(name ? value : foldName(value)));
  const used = mentions.filter(isUsed);
  return mentions.every((each) => used.some(({ from, to }) => from <= each.from && each.to <= to));
}

/** Returns all texts in a query, also the names of its fields. */
const textsIn = (query: Query): string[] =>
  Array.from(JSON.stringify(query).matchAll(/"(?:[^"\\]|\\.)*"/g), ([text]) => JSON.parse(text));

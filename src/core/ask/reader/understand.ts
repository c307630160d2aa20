/** Understands one wording of a question: its possible readings, their queries, and the reason for having none. */
import type { Query } from "../query/model.ts";
import { assemble } from "./draft/assemble.ts";
import { type Leant, leanOn } from "./follow-ups/follow-up.ts";
import { type Reading, readingsOf } from "./fragments/readings.ts";
import { type Hints, resolvePronouns } from "./pronouns.ts";
import { type RefusalMatch, refusalOf } from "./refusal/refuse.ts";
import { correctWords } from "./words/corrections.ts";
import { eventMentions, type Mention, nameMentions, traitsBySpokenName, valueMentions } from "./words/mentions.ts";
import { foldedOf, type Run, type Word } from "./words/split-words.ts";
import type { Vocabulary } from "./words/vocabulary.ts";

/** A question: its text, and its words as typed. */
export interface Asked {
  text: string;
  typed: readonly Word[];
  vocabulary: Vocabulary;
  hints: Hints;
  work: ReadStats;
}

/** The work of reading a question, for tests: the readings of all its wordings, and the rules for restated questions. */
export interface ReadStats {
  readings: number;
  rules: number;
}

export interface Found {
  query: Query;
  reading: Reading;
}

export interface Understanding extends Asked {
  /** With corrected spelling. */
  words: readonly Word[];
  mentions: readonly Mention[];
  readings: readonly Reading[];
  /** The readings without unknown words. */
  known: readonly Reading[];
  /** Their queries, without those of readings that need the question before. */
  found: readonly Found[];
  leant: Leant;
  refusal: RefusalMatch | null;
  /** Fills in the query of a reading, or of one with other pieces. */
  queryOf: (reading: Pick<Reading, "fragments">) => Query | null;
}

export function understand(asked: Asked): Understanding {
  const { text, typed, vocabulary, hints } = asked;
  const { dimensions, events, names, today } = vocabulary;
  const named = nameMentions(typed, names);
  const words = correctWords(typed, named, vocabulary);
  const kept = named.filter(({ from, to }) => words.slice(from, to).every((word, at) => word === typed[from + at]));
  // "Users whose invited is …": a trait, not the event of inviting.
  const isTrait = (run: Run) =>
    words[run.from - 1]?.folded === "whose" && traitsBySpokenName(dimensions).has(foldedOf(words, run));
  const done = eventMentions(words, events).filter((mention) => !isTrait(mention));
  const mentions = [...kept, ...valueMentions(words, dimensions), ...done];
  const queryOf = ({ fragments }: Pick<Reading, "fragments">): Query | null =>
    assemble(resolvePronouns(fragments, words, hints), words, vocabulary);
  const readings = readingsOf(words, mentions, dimensions, today);
  asked.work.readings += readings.length;
  const known = readings.filter(({ unknown }) => unknown.length === 0);
  const leant = leanOn(known, words, hints, vocabulary);
  const found = withoutPersonal(distinctQueries(leant.alone, queryOf));
  const refusal = refusalOf(text, words, readings, vocabulary, found.length + leant.changed.length > 0);
  return { ...asked, words, mentions, readings, known, found, leant, refusal, queryOf };
}

/** Returns the distinct queries. Of readings that differ only in meanings of phrases, the first with a query wins. */
export function distinctQueries(
  readings: readonly Reading[],
  queryOf: (reading: Reading) => Query | null,
): { query: Query; reading: Reading }[] {
  const found = new Map<string, Found>();
  const settled = new Set<number>();
  for (const reading of readings) {
    const query = settled.has(reading.choice) ? null : queryOf(reading);
    if (query === null) continue;
    settled.add(reading.choice);
    found.set(JSON.stringify(query), { query, reading });
  }
  return [...found.values()];
}

/** Drops personal accounts that share an id with their user: the id then means the user. */
function withoutPersonal(found: Found[]): Found[] {
  const isUserId = (id: string) =>
    found.some(({ reading }) => reading.mentions.some(({ dimension, value }) => dimension === "user" && value === id));
  const kept = found.filter(
    ({ reading }) => !reading.mentions.some(({ name }) => name?.isPersonal === true && isUserId(name.externalId)),
  );
  return kept.length > 0 ? kept : found;
}

/** Reads a question: returns one query, several to choose from, or a reason for not answering. */
import { foldName } from "../normalize-names.ts";
import { isBeforeRecords } from "../query/compared-windows.ts";
import type { Query } from "../query/model.ts";
import type { Day } from "../../health/model.ts";
import { windowDays, isoDate } from "../query/windows.ts";
import { assemble } from "./draft/assemble.ts";
import type { Piece } from "./fragments/fragments.ts";
import { isA, isEvent } from "./fragments/pieces.ts";
import { type Reading, readingsOf } from "./fragments/readings.ts";
import { noDataBefore, unknownDetail, unknownWords } from "./refusal/details.ts";
import { distinct, leanOn } from "./follow-ups/follow-up.ts";
import { RANKINGS } from "./follow-ups/likewise.ts";
import { canLeaveOut } from "./refusal/proposals.ts";
import { type Refusal, type RefusalMatch, refusalOf } from "./refusal/refuse.ts";
import { readRestated } from "./restated/read-restated.ts";
import { correctWords, misspelled } from "./words/corrections.ts";
import { eventMentions, type Mention, nameMentions, traitsBySpokenName, valueMentions } from "./words/mentions.ts";
import type { Candidate } from "./words/match-names.ts";
import type { Hints, Vocabulary } from "./words/vocabulary.ts";
import { foldedOf, rawOf, type Run, type Word, splitWords } from "./words/split-words.ts";

export type { Hints, Vocabulary };

/** A remark in the answer on how the question was understood. */
export type Note =
  | { kind: "name"; asked: string; candidate: Candidate }
  | { kind: "word"; asked: string; meant: string };

export type ReadResult =
  | { kind: "query"; query: Query; notes: readonly Note[]; isFollowUp?: true }
  | { kind: "options"; options: readonly Query[] }
  | ({ kind: "refusal" } & Refusal);

const MAX_OPTIONS = 4;
export const MAX_QUESTION_WORDS = 120;

/** The work of reading a question, for tests: how many readings and rules were tried. */
export interface ReadStats {
  readings: number;
  rules: number;
}

export function readQuestion(
  text: string,
  vocabulary: Vocabulary,
  hints: Hints = {},
  stats: ReadStats = { readings: 0, rules: 0 },
): ReadResult {
  const words = splitWords(text).slice(0, MAX_QUESTION_WORDS + 1);
  if (words.length > MAX_QUESTION_WORDS) return refused("A question has at most 120 words.");
  const queries = readRestated(text, vocabulary, stats);
  if (queries.length > 0 && !useAllNames(queries, words, vocabulary))
    return refused("A name is also an ordinary word. Put the name in quotation marks.");
  const result = queries.length > 0 ? queryOrOptions(queries, []) : readFreely(text, words, vocabulary, hints, stats);
  if (result.kind === "refusal") return result;
  if (result.kind === "options" || !isBeforeRecording(result.query, vocabulary)) return result;
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

const refused = (detail: string): ReadResult & { kind: "refusal" } => ({
  kind: "refusal",
  reason: "unresolved_words",
  detail,
});

function queryOrOptions(queries: readonly Query[], notes: readonly Note[]): ReadResult {
  const [query] = queries;
  return query === undefined || queries.length > 1
    ? { kind: "options", options: queries.slice(0, MAX_OPTIONS) }
    : { kind: "query", query, notes };
}

/** Reads what people write: fragments in any order. */
function readFreely(
  text: string,
  typed: readonly Word[],
  vocabulary: Vocabulary,
  hints: Hints,
  work: ReadStats,
  isRepeated = false,
): ReadResult {
  const { dimensions, events, names, today } = vocabulary;
  const named = nameMentions(typed, names);
  const words = correctWords(typed, named, vocabulary);
  const kept = named.filter(({ from, to }) => words.slice(from, to).every((word, at) => word === typed[from + at]));
  // "Users whose invited is …": a trait, not the event of inviting.
  const isTrait = (run: Run) =>
    words[run.from - 1]?.folded === "whose" && traitsBySpokenName(dimensions).has(foldedOf(words, run));
  const done = eventMentions(words, events).filter((mention) => !isTrait(mention));
  const mentions = [...kept, ...valueMentions(words, dimensions), ...done];
  const queriesOf = (some: readonly Reading[]) =>
    distinctQueries(some, ({ fragments }) => assemble(resolvePronouns(fragments, words, hints), words, vocabulary));
  const readings = readingsOf(words, mentions, dimensions, today);
  work.readings = readings.length;
  const known = readings.filter(({ unknown }) => unknown.length === 0);
  const { alone, changed, leaning, refusal: leans } = leanOn(known, words, hints, vocabulary);
  const found = withoutPersonal(queriesOf(alone));
  const refusal = refusalOf(text, words, readings, vocabulary, found.length + changed.length > 0);
  const [first] = found;
  const corrections = misspelled(typed, words).map((each): Note => ({ kind: "word", ...each }));
  if (refusal === null && leaning !== undefined && changed.length > 0) {
    const queries = distinct([...changed, ...found.map(({ query }) => query)]);
    const result = queryOrOptions(queries, [...corrections, ...notesOf(text, words, leaning.mentions)]);
    return result.kind === "query" ? { ...result, isFollowUp: true } : result;
  }
  if (refusal === null && leans !== null && first === undefined) {
    const proposed = queriesOf(known).map(({ query }) => query);
    return { kind: "refusal", ...leans, ...nearestOf(proposed, vocabulary) };
  }
  if (refusal === null && first !== undefined) {
    if (found.length === 1 && first.reading.nameIsPartOfPhrase)
      return refused("A name is also part of a phrase. Put the name in quotation marks.");
    const queries = found.map(({ query }) => query);
    return queryOrOptions(queries, [...corrections, ...notesOf(text, words, first.reading.mentions)]);
  }
  const ranked = refusal === null ? RANKINGS.flatMap((by) => queriesOf(changedBy(rankedBy(by), known))) : [];
  if (ranked.length > 1) return { kind: "options", options: ranked.map(({ query }) => query) };
  const options = refusal?.reason === "ambiguous_subject" && !isRepeated ? meaningsOf(refusal.candidates ?? []) : [];
  const { meant, ...told }: RefusalMatch = refusal ?? {
    reason: "unresolved_words",
    detail: unknownDetail(text, words, readings, (reading) => queriesOf([reading]).length > 0),
  };
  // An unrecorded event may have a recorded substitute: "who was active" for "who logged in".
  const hasSubstitute = refusal?.reason === "no_such_event" && refusal.events === undefined;
  const close =
    meant !== undefined
      ? readingsOf(words, [...mentions, meant], dimensions, today)
      : readings.filter((reading) =>
          refusal === null
            ? reading.unknown.length > 0 && canLeaveOut(words, reading)
            : hasSubstitute && reading.unknown.length === 0,
        );
  const others = [atEnd(today), countingActive].flatMap((change) => changedBy(change, known));
  const similar = refusal === null ? [...close, ...others] : close;
  const proposed = queriesOf(similar).map(({ query }) => query);
  const [best] = readings.toSorted((a, b) => a.unknown.length - b.unknown.length);
  const unknown = best === undefined ? [] : unknownWords(text, words, best);
  const nearest = nearestOf(proposed, vocabulary);
  return { ...told, kind: "refusal", unknown, ...nearest, ...(options.length > 0 && { options }) };

  /** Reads the question again with only one of the meanings of a name. */
  function meaningsOf(candidates: readonly Candidate[]): Query[] {
    return candidates.slice(0, MAX_OPTIONS).flatMap((only) => {
      const isOther = (one: Candidate) => !isSame(one, only) && candidates.some((candidate) => isSame(one, candidate));
      const some = { ...vocabulary, names: names.filter((name) => !isOther(name)) };
      const result = readFreely(text, typed, some, hints, work, true);
      return result.kind === "query" ? [result.query] : [];
    });
  }
}

const isSame = (one: Candidate, other: Candidate): boolean =>
  one.type === other.type && one.externalId === other.externalId;

/** Bounds the work for questions without an answer. */
const MAX_CHANGED = 4;

type PieceChange = (piece: Piece, at: number, fragments: readonly Piece[]) => Piece;

/** Changes pieces of the likeliest readings. Leaves out readings that stay the same. */
const changedBy = (change: PieceChange, readings: readonly Reading[]): Reading[] =>
  readings.slice(0, MAX_CHANGED).flatMap(({ fragments, ...reading }) => {
    const changed = fragments.map(change);
    return changed.every((piece, at) => piece === fragments[at]) ? [] : [{ ...reading, fragments: changed }];
  });

/** "Top 10 customers" doesn't say by what they are ranked. */
const rankedBy =
  (by: (typeof RANKINGS)[number]): PieceChange =>
  (piece, at, fragments) => {
    const noun = fragments.slice(at + 1).find(({ type }) => !/^(?:number|value|filter)$/.test(type));
    return isA(piece, "order") && piece.by === undefined && isA(noun, "find", "accounts") ? { ...piece, by } : piece;
  };

/** "At risk in October": the state may have changed within a time, but at its end there is one. */
const atEnd =
  (today: Day): PieceChange =>
  (piece, _at, fragments) => {
    const end = isA(piece, "window") ? windowDays(piece.window, today).to : today;
    const isOfState = fragments.some((each) => isA(each, "filter", "health"));
    return isOfState && end < today ? { ...piece, window: { from: isoDate(end), to: isoDate(end) } } : piece;
  };

/** "Accounts with more than 10 users": no filter counts all users of an account, but one counts those that were active. */
const countingActive: PieceChange = (piece, _at, fragments) => {
  const { from, to } = piece;
  const isFirst = fragments.find((each) => isA(each, "find")) === piece;
  return isA(piece, "find", "users") && !isFirst ? { type: "measure", measure: "active_users", from, to } : piece;
};

/** Returns the distinct queries. Of readings that differ only in meanings of phrases, the first with a query wins. */
function distinctQueries(
  readings: readonly Reading[],
  queryOf: (reading: Reading) => Query | null,
): { query: Query; reading: Reading }[] {
  const found = new Map<string, { query: Query; reading: Reading }>();
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
function withoutPersonal<Found extends { reading: Reading }>(found: Found[]): Found[] {
  const isUserId = (id: string) =>
    found.some(({ reading }) => reading.mentions.some(({ dimension, value }) => dimension === "user" && value === id));
  const kept = found.filter(
    ({ reading }) => !reading.mentions.some(({ name }) => name?.isPersonal === true && isUserId(name.externalId)),
  );
  return kept.length > 0 ? kept : found;
}

/** Returns the similar query to propose for a question without an answer, if there is exactly one. */
const nearestOf = ([only, ...others]: readonly Query[], vocabulary: Vocabulary): Pick<Refusal, "nearest"> =>
  only === undefined || others.length > 0 || isBeforeRecording(only, vocabulary) ? {} : { nearest: only };

/**
 * Drops "it" and "this account" if the question names a subject, or else replaces them by the hint. Also drops pronouns
 * for the object of an event: "share reports but never comment on them", "never schedule one".
 */
function resolvePronouns(
  fragments: readonly Piece[],
  words: readonly Word[],
  { account, user, feature }: Hints,
): Piece[] {
  const named = new Set(fragments.flatMap((fragment) => (fragment.type === "value" ? [fragment.dimension] : [])));
  const hints = Object.entries({ account, user, event: feature });
  return fragments.flatMap((fragment, index): Piece[] => {
    const { from, to } = fragment;
    const before = fragments[index - 1];
    const isPronoun = isA(fragment, "pointer", "any") || (isA(fragment, "number") && words[from]?.folded === "one");
    const isDone = isEvent(before) || isA(before, "use");
    if (isPronoun && isDone && fragments.slice(0, index - 1).some(isEvent)) return [];
    if (fragment.type !== "pointer") return [fragment];
    const { at } = fragment;
    if (at === "any" ? named.has("account") || named.has("user") : named.has(at)) return [];
    const hint = hints.find(
      ([type, value]) => value !== undefined && !named.has(type) && (at === "any" || at === type),
    );
    if (hint?.[1] === undefined) return [fragment];
    return [{ type: "value", dimension: hint[0], values: [hint[1]], from, to }];
  });
}

const isBeforeRecording = (query: Query, { today, firstDay = -Infinity }: Vocabulary): boolean =>
  isBeforeRecords(query, today, firstDay);

const notesOf = (text: string, words: readonly Word[], mentions: readonly Mention[]): Note[] =>
  mentions.flatMap(({ distance, name, ...run }): Note[] =>
    distance < 2 || name === undefined ? [] : [{ kind: "name", asked: rawOf(text, words, run), candidate: name }],
  );

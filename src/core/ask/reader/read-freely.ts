/**
 * Reads what people write: fragments in any order. A query counts only if it says everything that was read. Without one,
 * similar questions are proposed.
 */
import { isBeforeRecords } from "../query/compared-windows.ts";
import type { Query } from "../query/model.ts";
import { lostPieces } from "./conservation/lost-pieces.ts";
import { distinct } from "./follow-ups/follow-up.ts";
import { type Reading, readingsOf } from "./fragments/readings.ts";
import { atEnd, changedBy, countingActive, rankedBy, RANKINGS } from "./proposals/alternatives.ts";
import { type Proposal, propose } from "./proposals/propose.ts";
import { lostDetail, textsOf, unknownDetail, unknownWords } from "./refusal/details.ts";
import type { Refusal, RefusalMatch } from "./refusal/refuse.ts";
import { type Asked, distinctQueries, understand, type Understanding } from "./understand.ts";
import { misspelled } from "./words/corrections.ts";
import type { Candidate } from "./words/match-names.ts";
import type { Mention } from "./words/mentions.ts";
import { rawOf, type Word } from "./words/split-words.ts";
import type { Vocabulary } from "./words/vocabulary.ts";

/** A remark in the answer on how the question was understood. */
export type Note =
  | { kind: "name"; asked: string; candidate: Candidate }
  | { kind: "word"; asked: string; meant: string };

export type ReadResult =
  | { kind: "query"; query: Query; notes: readonly Note[]; isFollowUp?: true }
  | { kind: "options"; options: readonly Query[] }
  | ({ kind: "refusal"; proposals?: readonly Proposal[] } & Refusal);

const MAX_OPTIONS = 4;

export function readFreely(asked: Asked): ReadResult {
  const meant = understand(asked);
  return followUpOf(meant) ?? resultOf(meant) ?? refusalOf(meant);
}

/** Returns the query that a follow-up makes of the one before, or several to choose from. @returns `null` if it has none */
function followUpOf({ text, typed, words, found, leant, refusal, vocabulary }: Understanding): ReadResult | null {
  const [first] = leant.changed;
  if (refusal !== null || first === undefined) return null;
  const [query, ...others] = distinct([...leant.changed, ...found].map((each) => each.query));
  const { reading } = first;
  const lost = leant.changed.flatMap((each) =>
    lostPieces(each.reading.fragments, words, each.query, vocabulary.dimensions, each.queryOf),
  );
  if (lost.length > 0) return refused(lostDetail(text, words, lost));
  if (query === undefined || others.length > 0)
    return queryOrOptions(query === undefined ? [] : [query, ...others], []);
  return { kind: "query", query, notes: allNotes(text, typed, words, reading), isFollowUp: true };
}

/** Returns the query of a question, or several to choose from. @returns `null` if it has none */
function resultOf({ text, typed, words, found, refusal, vocabulary, queryOf }: Understanding): ReadResult | null {
  const [first, ...others] = found;
  if (refusal !== null || first === undefined) return null;
  if (others.length > 0)
    return queryOrOptions(
      found.map(({ query }) => query),
      [],
    );
  const { query, reading } = first;
  if (reading.nameIsPartOfPhrase) return refused("A name is also part of a phrase. Put the name in quotation marks.");
  const lost = lostPieces(reading.fragments, words, query, vocabulary.dimensions, (fragments) =>
    queryOf({ fragments }),
  );
  if (lost.length > 0)
    return { ...refused(lostDetail(text, words, lost)), proposals: [{ query, leftOut: textsOf(text, words, lost) }] };
  return queryOrOptions([query], allNotes(text, typed, words, reading));
}

const allNotes = (text: string, typed: readonly Word[], words: readonly Word[], { mentions }: Reading): Note[] => [
  ...misspelled(typed, words).map((each): Note => ({ kind: "word", ...each })),
  ...notesOf(text, words, mentions),
];

export const refused = (detail: string): ReadResult & { kind: "refusal" } => ({
  kind: "refusal",
  reason: "unresolved_words",
  detail,
});

export function queryOrOptions(queries: readonly Query[], notes: readonly Note[]): ReadResult {
  const [query] = queries;
  return query === undefined || queries.length > 1
    ? { kind: "options", options: queries.slice(0, MAX_OPTIONS) }
    : { kind: "query", query, notes };
}

/** Says why a question has no query, and what can be asked instead. */
function refusalOf(meant: Understanding): ReadResult {
  const { text, words, mentions, readings, known, refusal, vocabulary, queryOf } = meant;
  const [best] = readings.toSorted((a, b) => a.unknown.length - b.unknown.length);
  const unknown = best === undefined ? [] : unknownWords(text, words, best);
  const queriesOf = (some: readonly Reading[]) => distinctQueries(some, queryOf).map(({ query }) => query);
  if (refusal !== null) {
    const { meant: only, isGuess = false, ...told }: RefusalMatch = refusal;
    // An unrecorded event may have a recorded substitute: "who was active" for "who logged in".
    const hasSubstitute = told.reason === "no_such_event" && told.events === undefined;
    const { dimensions, today } = vocabulary;
    const close =
      only !== undefined ? readingsOf(words, [...mentions, only], dimensions, today) : hasSubstitute ? known : [];
    const options = told.reason === "ambiguous_subject" ? meaningsOf(meant, told.candidates ?? []) : [];
    const nearest = nearestOf(queriesOf(close), vocabulary);
    // "I do not succeed to find the seats of Lumen": the word may be neither an event nor a name.
    // Without an unknown name, a question has to be about another one: "score of acme" asks for no average.
    const isAboutAnother = told.reason !== "no_such_subject" || mentions.some(({ name }) => name !== undefined);
    const isOpen = isGuess && only === undefined && isAboutAnother;
    const proposals = isOpen && best !== undefined ? propose(meant, best, [], queryIn) : [];
    return {
      ...told,
      kind: "refusal",
      unknown,
      ...nearest,
      ...(options.length > 0 && { options }),
      ...(proposals.length > 0 && { proposals }),
    };
  }
  const { refusal: leans } = meant.leant;
  if (leans !== null) return { ...leans, kind: "refusal", ...nearestOf(queriesOf(known), vocabulary) };
  const ranked = RANKINGS.flatMap((by) => queriesOf(changedBy(rankedBy(by), known)));
  if (ranked.length > 1) return { kind: "options", options: ranked };
  const detail = unknownDetail(text, words, readings, (reading) => queryOf(reading) !== null);
  const changed = [atEnd(vocabulary.today), countingActive].flatMap((change) => queriesOf(changedBy(change, known)));
  const similar = changed.map((query): Proposal => ({ query, leftOut: [] }));
  const proposals = best === undefined ? similar : propose(meant, best, similar, queryIn);
  return { ...refused(detail), unknown, proposals };
}

/** Returns the query of another wording. */
function queryIn(asked: Asked): Query | null {
  const meant = understand(asked);
  const result = followUpOf(meant) ?? resultOf(meant);
  return result?.kind === "query" && !isBeforeRecording(result.query, asked.vocabulary) ? result.query : null;
}

/** Reads the question with only one of the meanings of a name. */
function meaningsOf({ vocabulary, ...asked }: Understanding, candidates: readonly Candidate[]): Query[] {
  return candidates.slice(0, MAX_OPTIONS).flatMap((only) => {
    const isOther = (one: Candidate) => !isSame(one, only) && candidates.some((candidate) => isSame(one, candidate));
    const names = vocabulary.names.filter((name) => !isOther(name));
    return queryIn({ ...asked, vocabulary: { ...vocabulary, names } }) ?? [];
  });
}

const isSame = (one: Candidate, other: Candidate): boolean =>
  one.type === other.type && one.externalId === other.externalId;

/** Returns the similar query to propose for a question without an answer, if there is exactly one. */
export const nearestOf = ([only, ...others]: readonly Query[], vocabulary: Vocabulary): Pick<Refusal, "nearest"> =>
  only === undefined || others.length > 0 || isBeforeRecording(only, vocabulary) ? {} : { nearest: only };

export const isBeforeRecording = (query: Query, { today, firstDay = -Infinity }: Vocabulary): boolean =>
  isBeforeRecords(query, today, firstDay);

const notesOf = (text: string, words: readonly Word[], mentions: readonly Mention[]): Note[] =>
  mentions.flatMap(({ distance, name, ...run }): Note[] =>
    distance < 2 || name === undefined ? [] : [{ kind: "name", asked: rawOf(text, words, run), candidate: name }],
  );

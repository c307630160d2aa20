/**
 * Reads a follow-up. The reader reads its words with the noun of the query before. What that says more than the noun alone
 * is laid over the query. Words such as "they" mean what the query found, or the account or user that it names.
 */
import { canonical, isSame } from "../../query/canonical.ts";
import type { Query } from "../../query/model.ts";
import type { DraftContext } from "../draft/context.ts";
import { finishQuery } from "../draft/finish.ts";
import type { Piece } from "../fragments/fragments.ts";
import { hasA } from "../fragments/pieces.ts";
import type { Reading } from "../fragments/readings.ts";
import type { Hints } from "../pronouns.ts";
import type { Word } from "../words/split-words.ts";
import type { VetoContext } from "../vetoes/veto.ts";
import { ofForm, ofFound } from "./found.ts";
import { anaphorsIn, isBare, isOnes, isOpening, leaningOf } from "./leaning.ts";
import { likewise } from "./likewise.ts";

/** Bounds the work for questions with many readings. */
const MAX_READ = 4;

export interface Leant {
  /** The readings that say something without the question before. */
  alone: readonly Reading[];
  /** The queries that the question may make of the one before. `queryOf` reads it with other pieces. */
  changed: readonly { query: Query; reading: Reading; queryOf: (pieces: readonly Piece[]) => Query | null }[];
  /** Why there is no answer, if no reading stands alone. */
  refusal: { reason: "needs_previous" | "unresolved_words"; detail: string } | null;
}

const NEEDS_PREVIOUS = "This needs the question before it; ask the whole question.";
const CHANGES_NOTHING = "I don't know how this changes the question before it; ask the whole question.";

/** Reads what leans on the question before. "They" may also mean the account that was sent with the question. */
export function leanOn(
  readings: readonly Reading[],
  words: readonly Word[],
  { previous, ...subjects }: Hints,
  context: DraftContext,
): Leant {
  const all = readings.map((reading) => ({
    reading,
    leaning: leaningOf(reading.fragments, words, previous !== undefined),
  }));
  const hasSubject = Object.keys(subjects).length > 0;
  const isAlone = ({ reading, leaning }: (typeof all)[number]) =>
    leaning !== "clear" || (hasSubject && hasA(reading.fragments, "pointer"));
  const leaning = all.filter((each) => each.leaning !== null).map(({ reading }) => reading);
  const isLeant = all.every(
    (each) => each.leaning === "clear" || (each.leaning !== null && isBare(each.reading.fragments)),
  );
  const refusal =
    previous === undefined
      ? ({ reason: "needs_previous", detail: NEEDS_PREVIOUS } as const)
      : ({ reason: "unresolved_words", detail: CHANGES_NOTHING } as const);
  const read = (pieces: readonly Piece[]): Query[] =>
    previous === undefined ? [] : followUps(pieces, words, previous, context);
  return {
    alone: all.filter(isAlone).map(({ reading }) => reading),
    changed: leaning.slice(0, MAX_READ).flatMap((reading) => {
      const queries = read(reading.fragments);
      const queryOf = (pieces: readonly Piece[]) => read(pieces)[0] ?? null;
      return queries.map((query) => ({ query, reading, queryOf }));
    }),
    refusal: isLeant && all.length > 0 ? refusal : null,
  };
}

/** Leaves out queries with the same meaning as one before them. */
export const distinct = (queries: readonly Query[]): Query[] =>
  queries.filter((query, at) => !queries.slice(0, at).some((each) => isSame(canonical(each), canonical(query))));

/** What a question asks about, beside its form. */
const OF_CONTENT = /^(?:measure|dimension|find|use|change|compare)$/;

/** @returns the queries that a follow-up may mean: one if it is clear, none if it doesn't fit the query before */
function followUps(given: readonly Piece[], words: readonly Word[], previous: Query, context: DraftContext): Query[] {
  const pieces = given.filter((piece) => !isOpening(piece, words, given) && !isOnes(piece, words));
  const ofWhom = anaphorsIn(pieces, words, true);
  const complete = (query: Query): Query[] => [finished(query, { ...context, words })].filter((each) => each !== null);
  if (ofWhom.length > 0) return ofFound(pieces, words, ofWhom, previous, context).flatMap(complete);
  if (hasA(pieces, "form") && !pieces.some(({ type }) => OF_CONTENT.test(type)))
    return ofForm(pieces, words, previous, context).flatMap(complete);
  const meant = likewise(pieces, words, previous, context);
  const known = meant.flatMap(complete);
  // One of two meanings isn't the only one because the other has no answer. "And now?" must say something else.
  return known.length < meant.length ? [] : known.filter((query) => !isSame(canonical(query), canonical(previous)));
}

/** Completes a query as the reader does. @returns `null` if it can't be answered, or if that changes more than its times */
function finished(query: Query, context: VetoContext): Query | null {
  const result = finishQuery({ ...query, where: [...query.where] }, context);
  if (result === null) return null;
  return isSame(untimed(result), untimed(query)) ? result : null;
}

/** A list about one account shows its value, or whether something holds for it. */
function untimed(query: Query): Query {
  const { window: _, ...rest } = canonical(query);
  const where = rest.where.map(({ window: _window, asOf: _asOf, ...filter }) => filter);
  return { ...rest, where, show: /^(?:list|yes_no|value)$/.test(rest.show) ? "list" : rest.show };
}

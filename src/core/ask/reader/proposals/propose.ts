/**
 * Proposes questions for one whose words aren't all understood: the same question with a few words left out, or with
 * another correction of a misspelled one, read by the same reader. Names, values, times, numbers and bounds are never
 * left out, nor are words that say how the rest is meant: "not", "only", "most".
 */
import type { Query } from "../../query/model.ts";
import type { FragmentType, Piece } from "../fragments/fragments.ts";
import { hasA } from "../fragments/pieces.ts";
import type { Reading } from "../fragments/readings.ts";
import { runsOf, textsOf } from "../refusal/details.ts";
import { NUMBER_WORDS } from "../times/calendar.ts";
import type { Asked, Understanding } from "../understand.ts";
import { correctionsOf } from "../words/corrections.ts";
import type { NameMatch } from "../words/match-names.ts";
import type { Vocabulary } from "../words/vocabulary.ts";
import { type Run, wordSet, type Word } from "../words/split-words.ts";

/** A question that may be meant. */
export interface Proposal {
  query: Query;
  /** The words that were left out, as typed. */
  leftOut: readonly string[];
}

export const MAX_PROPOSALS = 3;
/** Bounds the work: variants of a question that are read, their words, and their readings. */
const MAX_VARIANTS = 48;
const MAX_VARIANT_WORDS = 300;
export const MAX_VARIANT_READINGS = 24;
const MAX_LEFT_OUT = 4;

/** What it costs to leave out a piece that was understood. All other types are kept. */
const PRICES: Partial<Record<FragmentType, number>> = {
  with: 3,
  form: 5,
  use: 6,
  change: 9,
  find: 11,
  dimension: 9,
  measure: 12,
  filter: 12,
};
const PRICE_OF_UNKNOWN = 2;
const PRICE_OF_CORRECTION = 1;
const PRICE_OF_HALF = 7;
/** A question without more of its words is another one. */
const MAX_PRICE = 16;
/** Proposals that leave out much more than the first one aren't what was asked. */
const MAX_DEARER = 6;

/** Words that say how the rest of a question is meant. */
const OPERATORS = wordSet(
  "not no never none nobody nothing without neither nor only just again both either most least more less fewer than every each all any per my our your except but unless instead rather until till almost nearly half double twice first last second third once before after between other another same also too still yet ever if",
);

interface Part extends Run {
  price: number;
}

/** A change of the question: words that are left out, or the word to read instead. */
interface Change {
  price: number;
  without: readonly Run[];
  instead?: readonly [at: number, word: string];
}

/**
 * @param best the reading with the fewest unknown words
 * @param similar proposals without any change of the words
 * @param queryIn reads a wording of the question; `null` if it has no query, or several
 */
export function propose(
  asked: Understanding,
  { fragments, unknown }: Reading,
  similar: readonly Proposal[],
  queryIn: (variant: Asked) => Query | null,
): Proposal[] {
  const { text, words, vocabulary, work, mentions } = asked;
  const isNamed = (at: number) => mentions.some(({ from, to }) => from <= at && at < to);
  // "In nxt 60 days" is no other time without the word.
  const isNeeded = (at: number) => OPERATORS.has(words[at]?.folded ?? "") || isNumeric(words[at + 1]);
  if (unknown.some(isNeeded)) return [...similar];
  const parts = [...droppable(words, fragments, isNamed), ...halves(words, fragments, isNamed)];
  const changes = replacements(words, unknown, vocabulary)
    .flatMap((change) => subsetsOf(parts).map((some) => withoutAlso(change, some)))
    .filter(({ price, without }) => price > 0 && price <= MAX_PRICE && without.length <= MAX_LEFT_OUT)
    .toSorted((a, b) => a.price - b.price)
    .slice(0, Math.min(MAX_VARIANTS, MAX_VARIANT_WORDS / words.length));
  const found = new Map(similar.map((each) => [JSON.stringify(each.query), each]));
  let least = found.size > 0 ? 0 : Infinity;
  for (const change of changes) {
    if (found.size >= MAX_PROPOSALS || change.price > least + MAX_DEARER || work.readings > MAX_VARIANT_READINGS) break;
    const variant = changed(words, vocabulary.names, change);
    const query = queryIn({ ...asked, typed: variant.words, vocabulary: { ...vocabulary, names: variant.names } });
    const key = JSON.stringify(query);
    if (query === null || found.has(key)) continue;
    found.set(key, { query, leftOut: textsOf(text, words, change.without) });
    least = Math.min(least, change.price);
  }
  return [...found.values()].slice(0, MAX_PROPOSALS);
}

const isNumeric = (word: Word | undefined): boolean =>
  word !== undefined && (/^\d/.test(word.folded) || NUMBER_WORDS.has(word.folded));

/** The phrases that can be left out, apart from names and operators. */
function droppable(words: readonly Word[], fragments: readonly Piece[], isNamed: (at: number) => boolean): Part[] {
  const byRun = Map.groupBy(fragments, ({ from, to }) => `${from} ${to}`);
  return [...byRun.values()].flatMap((pieces): Part[] => {
    const [{ from, to } = { from: 0, to: 0 }] = pieces;
    const price = Math.max(...pieces.map(({ type }) => PRICES[type] ?? Infinity));
    const isKept = words.slice(from, to).some(({ folded }, at) => OPERATORS.has(folded) || isNamed(from + at));
    return isKept || price === Infinity ? [] : [{ from, to, price }];
  });
}

/** "Which account has the highest score, and which the lowest": two questions. One is left out if it names nothing more. */
function halves(words: readonly Word[], fragments: readonly Piece[], isNamed: (at: number) => boolean): Part[] {
  const cuts = words.flatMap(({ isAfterStop, folded }, at) =>
    at > 0 && (isAfterStop || /^(?:and|but|plus)$/.test(folded)) ? [at] : [],
  );
  const runs = cuts.flatMap((at) => [
    { from: 0, to: at },
    { from: at, to: words.length },
  ]);
  return runs.flatMap(({ from, to }): Part[] => {
    const own = fragments.filter((piece) => from <= piece.from && piece.from < to);
    const isNeeded =
      words.slice(from, to).some((_, at) => isNamed(from + at)) ||
      own.some(({ type }) => /^(?:window|number|bound|value)$/.test(type)) ||
      (hasA(own, "form") ? false : own.some(({ type }) => /^(?:per|order|negation)$/.test(type)));
    return isNeeded ? [] : [{ from, to, price: PRICE_OF_HALF }];
  });
}

/** Nothing, each part, and each pair of parts. */
const subsetsOf = (parts: readonly Part[]): Part[][] => [
  [],
  ...parts.map((part) => [part]),
  ...parts.flatMap((part, at) => parts.slice(at + 1).map((other) => [part, other])),
];

const withoutAlso = (change: Change, parts: readonly Part[]): Change => ({
  ...change,
  without: joined([...change.without, ...parts]),
  price: change.price + parts.reduce((sum, { price }) => sum + price, 0),
});

/** Joins runs that overlap. */
function joined(runs: readonly Run[]): Run[] {
  const result: Run[] = [];
  for (const { from, to } of runs.toSorted((a, b) => a.from - b.from)) {
    const last = result.at(-1);
    if (last !== undefined && from < last.to) result.splice(-1, 1, { from: last.from, to: Math.max(last.to, to) });
    else result.push({ from, to });
  }
  return result;
}

/** Leaves out each run of unknown words, or corrects one word. */
function replacements(words: readonly Word[], unknown: readonly number[], vocabulary: Vocabulary): Change[] {
  let all: Change[] = [{ price: 0, without: [] }];
  for (const run of runsOf(words, unknown)) {
    const isOne = run.to === run.from + 1;
    const corrected = isOne ? correctionsOf(words[run.from], vocabulary) : [];
    const without = { from: isLed(words, run) ? run.from - 1 : run.from, to: run.to };
    all = all.flatMap((change) => [
      ...(change.instead === undefined ? corrected : []).map((word): Change => ({
        ...change,
        price: change.price + PRICE_OF_CORRECTION,
        instead: [run.from, word],
      })),
      withoutAlso(change, [{ ...without, price: PRICE_OF_UNKNOWN * (run.to - run.from) }]),
    ]);
    if (all.length > MAX_VARIANTS) return [];
  }
  return all;
}

/** "On rainy days": the preposition belongs to the unknown words. */
const isLed = (words: readonly Word[], { from }: Run): boolean =>
  /^(?:at|by|for|from|in|of|on|with)$/.test(words[from - 1]?.folded ?? "") && words[from]?.isAfterStop === false;

/** Applies a change, and moves the names to where their words are then. */
function changed(
  words: readonly Word[],
  names: readonly NameMatch[],
  { without, instead }: Change,
): { words: Word[]; names: NameMatch[] } {
  const isOut = (at: number) => without.some(({ from, to }) => from <= at && at < to);
  const places: number[] = [];
  const kept: Word[] = [];
  let isAfterStop = false;
  for (const [at, word] of words.entries()) {
    places.push(kept.length);
    isAfterStop ||= word.isAfterStop;
    if (isOut(at)) continue;
    kept.push({ ...word, isAfterStop, ...(instead?.[0] === at && { folded: instead[1], raw: instead[1] }) });
    isAfterStop = false;
  }
  return {
    words: kept,
    names: names.flatMap((name): NameMatch[] => {
      const run = words.slice(name.from, name.to);
      const isWhole = run.every((_, at) => !isOut(name.from + at) && instead?.[0] !== name.from + at);
      const from = places[name.from] ?? 0;
      return isWhole ? [{ ...name, from, to: from + run.length }] : [];
    }),
  };
}

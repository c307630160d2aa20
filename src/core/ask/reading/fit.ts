/**
 * Whether a reading of a question fits a rule: each of its words is a name, a time or a plan that the rule takes, means
 * something that the rule knows, or means nothing. What is left over is never passed over.
 */
import type { Concept } from "../lexicon/concept-words.ts";
import { type Phrase, phrasesAt, type Pointing } from "../lexicon/lexicon.ts";
import { numberOf } from "../lexicon/numbers.ts";
import type { Rule } from "../rules/rule.ts";
import { isPredicate } from "./predicate.ts";
import { type Unit, wordAt, wordsFrom } from "./units.ts";
import { IDIOMS, isBeforeName, isPlace, isSaidByAsker } from "./weightless.ts";

/** What was found in words. `at` counts units. */
export interface Piece {
  at: number;
  concepts: readonly Concept[];
}

interface State {
  pieces: readonly Piece[];
  number: number | null;
  /** Tokens of words that it could do nothing with; none unless that was allowed. */
  dropped: readonly number[];
}

export interface Fit extends State {
  way: readonly Concept[];
}

/** Whether something stands for a pointing word, there or in the question. */
type CanPoint = (target: Pointing, at: number) => boolean;

/** No question that anybody asks comes near so many. */
const MOST_STEPS = 4_000;

/** @param mayDrop how many words it may do nothing with */
export function fitOf(rule: Rule, units: readonly Unit[], canPoint: CanPoint, mayDrop = 0): Fit | null {
  const { concepts } = meaningsOf(units);
  for (const way of longestFirst(rule)) {
    if (!way.every((concept) => concepts.has(concept))) continue;
    const fit = searchFor(way, rule, units, canPoint, mayDrop);
    if (fit !== null) return fit;
  }
  return null;
}

/** What the words of a reading may mean: the same for all rules, so it is looked up once. */
interface Meanings {
  /** By unit, those that begin there. */
  phrases: readonly (readonly Phrase[])[];
  concepts: ReadonlySet<Concept>;
}

const MEANINGS = new WeakMap<readonly Unit[], Meanings>();

function meaningsOf(units: readonly Unit[]): Meanings {
  const known = MEANINGS.get(units);
  if (known !== undefined) return known;
  const phrases = units.map((unit, at) => (unit.kind === "word" ? phrasesAt(wordsFrom(units, at), 0) : []));
  const concepts = new Set([
    ...phrases.flat().flatMap((phrase) => [...phrase.concepts, ...phrase.compound]),
    ...units.flatMap((unit) => (unit.kind === "word" || unit.kind === "time" ? unit.concepts : [])),
  ]);
  const meanings = { phrases, concepts };
  MEANINGS.set(units, meanings);
  return meanings;
}

const WAYS = new WeakMap<Rule, readonly (readonly Concept[])[]>();

function longestFirst(rule: Rule): readonly (readonly Concept[])[] {
  const known = WAYS.get(rule);
  if (known !== undefined) return known;
  const ways = rule.ways.toSorted((a, b) => b.length - a.length);
  WAYS.set(rule, ways);
  return ways;
}

function searchFor(
  way: readonly Concept[],
  rule: Rule,
  units: readonly Unit[],
  canPoint: CanPoint,
  mayDrop: number,
): Fit | null {
  const { phrases } = meaningsOf(units);
  const taken: ReadonlySet<Concept> = new Set([...way, ...(rule.may ?? [])]);
  let steps = 0;
  const failed = new Set<string>();

  function walk(at: number, state: State): State | null {
    steps += 1;
    if (steps > MOST_STEPS) return null;
    const unit = units[at];
    if (unit === undefined) return isMet(way, state.pieces) ? state : null;
    const key = `${at} ${way.map((concept) => Number(hasConcept(state.pieces, concept))).join("")} ${state.number ?? ""} ${state.dropped.length}`;
    if (failed.has(key)) return null;
    for (const [length, next] of steppedFrom(at, unit, state)) {
      const found = walk(at + length, next);
      if (found !== null) return found;
    }
    failed.add(key);
    return null;
  }

  function* steppedFrom(at: number, unit: Unit, state: State): Generator<[number, State]> {
    if (unit.kind === "name") yield [1, state];
    if (unit.kind === "plan" && rule.takesPlan !== undefined) yield [1, state];
    if (unit.kind === "time") yield [1, withPiece(state, at, unit.concepts)];
    if (unit.kind !== "word") return;
    const idiom = (phrases[at] ?? []).find(
      ({ length, isFrame }) => isFrame && length > 1 && IDIOMS.has(wordAt(units, at + length - 1)),
    );
    if (idiom !== undefined) {
      if (!isPredicate(units, at, idiom.length)) yield [idiom.length, state];
      return;
    }
    for (const phrase of phrases[at] ?? []) {
      const concepts = phrase.concepts.filter((concept) => taken.has(concept) && !isRestOfName(units, at, concept));
      if (concepts.length > 0) yield [phrase.length, withPiece(state, at, concepts)];
      if (phrase.compound.length > 0 && phrase.compound.every((concept) => taken.has(concept))) {
        yield [phrase.length, withPiece(state, at, phrase.compound)];
      }
      const target = phrase.pointsTo;
      if (target !== null && canPoint(target, at)) yield [phrase.length, state];
      const isIdle = phrase.isFrame && !isPredicate(units, at, phrase.length);
      if (isIdle && (phrase.length > 1 || isSaidByAsker(units, at, conceptsOf(state)))) {
        yield [phrase.length, state];
      }
    }
    const own = unit.concepts.filter((concept) => taken.has(concept));
    if (own.length > 0) yield [1, withPiece(state, at, own)];
    const number = numberOf(unit.word);
    if (number !== null && rule.takesNumber === true && state.number === null && !isPlace(units, at)) {
      yield [1, { ...state, number }];
    }
    if (isBeforeName(units, at)) yield [1, state];
    if (state.dropped.length < mayDrop) yield [1, { ...state, dropped: [...state.dropped, unit.at] }];
  }

  const state = walk(0, { pieces: [], number: null, dropped: [] });
  return state === null ? null : { way, ...state };
}

/** "Acme solutions" is nobody, where there is only an "Acme". */
const isRestOfName = (units: readonly Unit[], at: number, concept: Concept): boolean =>
  concept === "product" && units[at - 1]?.kind === "name";

const withPiece = (state: State, at: number, concepts: readonly Concept[]): State =>
  concepts.length === 0 ? state : { ...state, pieces: [...state.pieces, { at, concepts }] };

const conceptsOf = ({ pieces }: State): Concept[] => pieces.flatMap(({ concepts }) => concepts);

const hasConcept = (pieces: readonly Piece[], concept: Concept): boolean =>
  pieces.some(({ concepts }) => concepts.includes(concept));

const isMet = (way: readonly Concept[], pieces: readonly Piece[]): boolean =>
  way.every((concept) => hasConcept(pieces, concept));

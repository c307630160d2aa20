/** What a trait is called in a question, and where that stands. */
import { isFrameWord, isLexiconWord, phrasesAt } from "../lexicon/lexicon.ts";
import type { Run } from "../question/spans.ts";
import type { Question } from "../question/tokens.ts";
import { type Unit, wordAt } from "./units.ts";

const MOST_WORDS = 4;
export const POSSESSIVES: ReadonlySet<string> = new Set("its their his her".split(" "));
/** What such a question may begin with. */
const OPENINGS: ReadonlySet<string> = new Set(
  "what which who whos whats whose show tell give get list find look up check as listed".split(" "),
);
const VERBS: ReadonlySet<string> = new Set("is are was were does do has have".split(" "));
const CLOSINGS: ReadonlySet<string> = new Set("in have has at from use belong to with on under".split(" "));
/** Words that a trait's name does not have: they would change what is asked. */
const NEVER: ReadonlySet<string> = new Set(
  "why when where how not never no or and if should will would could".split(" "),
);

/**
 * Where the trait's name stands: after its owner ("acme's industry"), or before it ("the industry of acme").
 *
 * @returns its first and its last unit
 */
export function traitRun({ tokens }: Question, units: readonly Unit[], ownerAt: number): Run | null {
  const wordOf = (at: number) => wordAt(units, at);
  const isSmall = (at: number) => isFrameWord(wordOf(at)) || OPENINGS.has(wordOf(at));
  const isOwned = tokens[lastTokenOf(units[ownerAt])]?.possessive === true || POSSESSIVES.has(wordOf(ownerAt));
  const isTerse = units.length === ownerAt + 2 && ownerAt === 0;
  let end = units.length - 1;
  while (end > ownerAt + 1 && isFrameWord(wordOf(end))) end -= 1;
  if (end > ownerAt && (isOwned || isTerse) && upTo(0, ownerAt - 1).every(isSmall))
    return { from: ownerAt + 1, to: end };

  let from = 0;
  while (from < ownerAt && isSmall(from)) from += 1;
  if (from >= ownerAt) return null;
  let before = ownerAt - 1;
  while (before > from && ["the", "account", "customer", "company", "user"].includes(wordOf(before))) before -= 1;
  const isEnd = upTo(ownerAt + 1, units.length - 1).every(isSmall);
  // "the motto that is on file for acme": what follows the name of the trait says nothing.
  const isNoise = (at: number) => isSmall(at) || ["file", "record"].includes(wordOf(at));
  let to = from;
  while (to + 1 < before && (!isNoise(to + 1) || (wordOf(to + 1) === "of" && !isNoise(to + 2)))) to += 1;
  if (!upTo(to + 1, before - 1).every(isNoise)) return null;
  if (["of", "for"].includes(wordOf(before)) && isEnd) return { from, to };
  const isClosed = upTo(ownerAt + 1, units.length - 1).every(
    (at) => CLOSINGS.has(wordOf(at)) || isFrameWord(wordOf(at)),
  );
  const isAsked = upTo(0, from - 1).some((at) => ["what", "which", "who"].includes(wordOf(at)));
  return VERBS.has(wordOf(before)) && isClosed && isAsked ? { from, to: Math.min(to, before - 1) } : null;
}

const upTo = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, offset) => from + offset);

function lastTokenOf(unit: Unit | undefined): number {
  return unit?.kind === "name" ? (unit.mention.span.parts.at(-1)?.to ?? -1) : -1;
}

/** Whether some words may be the name of a trait: not all of them known here, and none that would be a condition. */
export function isTraitName({ tokens }: Question, units: readonly Unit[]): boolean {
  if (units.length === 0 || units.length > MOST_WORDS) return false;
  const words = units.map((_, at) => wordAt(units, at));
  if (units.some(({ kind }) => kind !== "word") || words.some((word) => NEVER.has(word))) return false;
  const isUnknown = words.some(
    (word, at) => !isLexiconWord(word === "" ? (tokens[units[at]?.at ?? 0]?.folded ?? "") : word) || word === "",
  );
  const isRefused = words.some((_, at) =>
    phrasesAt(words, at).some(({ refusals, concepts }) => refusals.length > 0 && concepts.length === 0),
  );
  return isUnknown && !isRefused;
}

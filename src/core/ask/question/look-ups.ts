/** What to look up to find the names in a question: all of it bounded, whatever was typed. */
import { foldName, fuzzyReach, MAX_FUZZY_CHARACTERS, spokenKey } from "../names.ts";
import { isFrameWord, isLexiconWord } from "../lexicon/lexicon.ts";
import { rawForms, type Span, spansOf, spokenSplits, textOf } from "./spans.ts";
import type { Question, Token } from "./tokens.ts";

/** Forms of the spans that may be names. Those that are likeliest come first. */
export interface LookUps {
  /** As typed. */
  exact: string[];
  /** By `foldName`. */
  folded: string[];
  /** By `spokenKey`. */
  spoken: string[];
  /** Folded ones of which a misspelt name is worth a search. */
  fuzzy: string[];
}

export const MAX_KEYS = 150;
export const MAX_FUZZY_KEYS = 40;
const MAX_FUZZY_TOKENS = 4;
const HAS_DIGIT = /\p{N}/u;

export function lookUps(question: Question): LookUps {
  const { text, tokens } = question;
  const spans = spansOf(tokens)
    .map((span) => ({ span, likelihood: likelihoodOf(tokens, span) }))
    .toSorted((a, b) => b.likelihood - a.likelihood)
    .map(({ span }) => span);
  const raws = spans.map(({ parts: [run] }) => (run === undefined ? [] : rawForms(text, tokens, run)));
  const splits = spokenSplits(tokens).map((span) => textOf(question, span));
  const spoken = raws.flatMap(([raw]) => (raw === undefined ? [] : [spokenKey(raw)]));
  const fuzzy = spans.flatMap((span, at) => (mayBeMisspelt(tokens, span) ? [foldName(raws[at]?.[0] ?? "")] : []));
  return {
    exact: firstOf(raws.flat(), MAX_KEYS),
    folded: firstOf(raws.flat().map(foldName), MAX_KEYS),
    spoken: firstOf(alternating(spoken, splits.map(spokenKey)), MAX_KEYS),
    fuzzy: firstOf(fuzzy.filter(isInReach), MAX_FUZZY_KEYS),
  };
}

/** Quotations first, then runs of unknown words, and last what a question is made of anyway. */
function likelihoodOf(tokens: readonly Token[], { parts }: Span): number {
  const [run] = parts;
  const words = run === undefined ? [] : tokens.slice(run.from, run.to + 1);
  if (words[0]?.quote !== null) return 4;
  const unknown = words.filter(({ folded }) => !isLexiconWord(folded)).length;
  if (unknown === words.length) return 3;
  if (unknown === 0) return words.length === 1 ? 1 : 0;
  return isFrameWord(words[0].folded) || isFrameWord(words.at(-1)?.folded ?? "") ? 1.5 : 2;
}

function mayBeMisspelt(tokens: readonly Token[], { parts: [run] }: Span): boolean {
  if (run === undefined || run.to - run.from >= MAX_FUZZY_TOKENS) return false;
  const words = tokens.slice(run.from, run.to + 1);
  const isOuterFrame = words.length > 1 && [words[0], words.at(-1)].some((word) => isFrameWord(word?.folded ?? ""));
  return !isOuterFrame && words.some(({ folded }) => !isLexiconWord(folded));
}

function isInReach(folded: string): boolean {
  const { length } = Array.from(folded);
  return fuzzyReach(length) > 0 && length <= MAX_FUZZY_CHARACTERS && !HAS_DIGIT.test(folded);
}

function alternating(some: readonly string[], others: readonly string[]): string[] {
  return Array.from({ length: Math.max(some.length, others.length) }, (_, at) => [some[at], others[at]])
    .flat()
    .filter((key) => key !== undefined);
}

const firstOf = (keys: readonly string[], most: number): string[] =>
  [...new Set(keys.filter((key) => key !== ""))].slice(0, most);

/** The runs of words in a question that may be a name. */
import { AUXILIARIES } from "../lexicon/grammar-words.ts";
import { isFrameWord } from "../lexicon/lexicon.ts";
import { type Question, quotationsOf, type Token } from "./tokens.ts";

/** A run of tokens, both ends included. */
export interface Run {
  from: number;
  to: number;
}

/** A name as it stands: in one piece, but for what was done and to what: "how many REPORTS did acme EXPORT". */
export interface Span {
  parts: readonly Run[];
}

const MAX_NAME_TOKENS = 6;
const MAX_SPLIT_TOKENS = 3;
const MAX_GAP = 8;

/** Where it begins. */
export const startOf = ({ parts }: Span): number => parts[0]?.from ?? 0;

/** How many tokens it has. */
export const sizeOf = ({ parts }: Span): number => parts.reduce((sum, { from, to }) => sum + to - from + 1, 0);

export const overlap = (a: Span, b: Span): boolean =>
  a.parts.some((part) => b.parts.some((other) => part.from <= other.to && other.from <= part.to));

/** As it was typed, with what stands between its parts left out. */
export const textOf = ({ text, tokens }: Question, { parts }: Span, joint = " "): string =>
  parts.map(({ from, to }) => text.slice(tokens[from]?.start, tokens[to]?.end)).join(joint);

export const tokensIn = ({ tokens }: Question, { parts }: Span): Token[] =>
  parts.flatMap(({ from, to }) => tokens.slice(from, to + 1));

/** Runs that begin and end where words are divided: no part of `acme-corp`, and all of a quotation or nothing of it. */
export function spansOf(tokens: readonly Token[]): Span[] {
  const spans: Span[] = [];
  for (const [from, first] of tokens.entries()) {
    for (const [offset, last] of tokens.slice(from).entries()) {
      const to = from + offset;
      const isOneChunk = first.chunk === last.chunk;
      const isQuotation = first.quote !== null && first.quote === last.quote;
      if (offset >= MAX_NAME_TOKENS && !isOneChunk && !isQuotation) break;
      if (first.quote !== last.quote) break;
      if (isWhole(tokens, from, to)) spans.push({ parts: [{ from, to }] });
    }
  }
  return spans;
}

function isWhole(tokens: readonly Token[], from: number, to: number): boolean {
  const [first, last, before, after] = [tokens[from], tokens[to], tokens[from - 1], tokens[to + 1]];
  if (first === undefined || last === undefined) return false;
  if (first.quote !== null) return before?.quote !== first.quote && after?.quote !== last.quote;
  const isOneChunk = before?.chunk !== first.chunk && after?.chunk !== last.chunk && first.chunk === last.chunk;
  return isOneChunk || (divides(before, first) && divides(last, after));
}

const divides = (a: Token | undefined, b: Token | undefined): boolean => a?.unit !== b?.unit || isNegation(b);

/** "isn't" is two words in one. */
const isNegation = (token: Token | undefined): boolean => token?.folded === "not" || token?.folded === "will";

/** Things that something is done to, apart from what is done: an auxiliary stands between. */
export function spokenSplits(tokens: readonly Token[]): Span[] {
  const spans: Span[] = [];
  for (const { parts } of spansOf(tokens)) {
    const [object] = parts;
    if (object === undefined || object.to - object.from >= MAX_SPLIT_TOKENS || hasFrame(tokens, object)) continue;
    let hasAuxiliary = false;
    for (const [offset, token] of tokens.slice(object.to + 1, object.to + 1 + MAX_GAP).entries()) {
      const at = object.to + 1 + offset;
      if (token.quote !== null) break;
      if (hasAuxiliary && offset > 0 && !isFrameWord(token.folded) && isWhole(tokens, at, at)) {
        spans.push({ parts: [object, { from: at, to: at }] });
      }
      hasAuxiliary ||= AUXILIARIES.has(token.folded);
    }
  }
  return spans;
}

function hasFrame(tokens: readonly Token[], { from, to }: Run): boolean {
  return tokens.slice(from, to + 1).some(({ folded, quote }) => quote !== null || isFrameWord(folded));
}

const OUTER_BEFORE = /[^\s"“”«»`,;()[\]{}]*$/u;
const OUTER_AFTER = /^[^\s"“”«»`,;()[\]{}]*/u;
const SENTENCE_END = /[.?!:'’]+$/u;

/** As it was typed: by itself, with "'s" where that may belong to it, and with the signs around it (`#42`, `C++`). */
export function rawForms(text: string, tokens: readonly Token[], { from, to }: Run): string[] {
  const [first, last] = [tokens[from], tokens[to]];
  if (first === undefined || last === undefined) return [];
  const raw = text.slice(first.start, last.end);
  const before = OUTER_BEFORE.exec(text.slice(0, first.start))?.[0] ?? "";
  const after = OUTER_AFTER.exec(text.slice(last.end))?.[0] ?? "";
  // What stands in quotation marks is all of it, whatever signs it begins and ends with.
  const quotation = first.quote === null ? undefined : quotationsOf(text)[first.quote];
  if (quotation !== undefined) return [text.slice(quotation.start, quotation.end).trim()];
  const possessive = last.possessive ? [text.slice(first.start, last.end + 2)] : [];
  const isInside = /[\p{L}\p{N}]/u.test(before) || /[\p{L}\p{N}]/u.test(last.possessive ? after.slice(2) : after);
  const outer =
    isInside || last.possessive ? [] : [`${before}${raw}${after.replace(SENTENCE_END, "")}`, `${before}${raw}${after}`];
  return [...new Set([raw, ...possessive, ...outer])];
}

/** Names that are made of the words that questions are made of: when they are names, and when they are words. */
import { MONTHS, SHORT_MONTHS, WEEKDAYS } from "../lexicon/calendar-words.ts";
import { KINDS } from "../lexicon/grammar-words.ts";
import { isConceptWord, isFrameWord, isLexiconWord } from "../lexicon/lexicon.ts";
import { numberOf } from "../lexicon/numbers.ts";
import { type Span, startOf, tokensIn } from "../question/spans.ts";
import type { Question, Token } from "../question/tokens.ts";
import { isPartOfId } from "../question/written-ids.ts";

/** A name of nothing but small words is taken for one only where this is said before it. */
const MARKERS: ReadonlySet<string> = new Set([...KINDS, "member", "tenant"]);
const TIME_WORDS: ReadonlySet<string> = new Set([
  ...MONTHS,
  ...SHORT_MONTHS,
  ...WEEKDAYS,
  ..."today yesterday tomorrow week weeks month months quarter quarters year years day days q1 q2 q3 q4 past previous this next".split(
    " ",
  ),
]);
const BEFORE_WEEKDAYS: ReadonlySet<string> = new Set(
  "on last this next since until till before after past every each week weeks yesterday today tomorrow month".split(
    " ",
  ),
);
const ASKING_WORDS: ReadonlySet<string> = new Set(
  "how many what which who when why where number count list show tell give is are was were do does did has have".split(
    " ",
  ),
);

/** Whether a name may be no name here, as its words mean something by themselves. */
export function isOptional(question: Question, span: Span): boolean {
  if (span.parts.some(({ from, to }) => from !== to && isPartOfId(question, from))) return false;
  return tokensIn(question, span).every(
    ({ folded, quote }) => quote === null && (isKnownWord(folded) || numberOf(folded) !== null),
  );
}

const isKnownWord = (word: string): boolean => isLexiconWord(word) || TIME_WORDS.has(word);

export const hasUnknownWord = (question: Question, span: Span): boolean =>
  tokensIn(question, span).some(({ folded }) => !isKnownWord(folded));

export function isBareFrame(question: Question, span: Span): boolean {
  const words = tokensIn(question, span);
  if (words.some(({ folded, quote }) => quote !== null || !isFrameWord(folded))) return false;
  return !MARKERS.has(wordBefore(question, span));
}

const DAYS: ReadonlySet<string> = new Set(["today", "yesterday", "tomorrow"]);

/** "On Friday" is a day, whoever is called so, and so is "today", unless it is said what kind of thing is called so. */
export function isDay(question: Question, span: Span): boolean {
  const [word, second] = tokensIn(question, span);
  if (word === undefined || second !== undefined || word.quote !== null) return false;
  if (DAYS.has(word.folded)) return !MARKERS.has(wordBefore(question, span));
  return WEEKDAYS.includes(word.folded) && BEFORE_WEEKDAYS.has(wordBefore(question, span));
}

const wordBefore = ({ tokens }: Question, span: Span): string => tokens[startOf(span) - 1]?.folded ?? "";

/** Words that ask, and nothing that is no word of a question: a name of them must be written exactly. */
export function isAsking(question: Question, span: Span): boolean {
  const words = tokensIn(question, span);
  return (
    words.every(({ folded, quote }) => quote === null && isLexiconWord(folded)) &&
    words.some(({ folded }) => ASKING_WORDS.has(folded))
  );
}

/** Whether more than one word stands there, and the first or the last says nothing. */
export function hasOuterFrame({ tokens }: Question, { parts: [part] }: Span): boolean {
  if (part === undefined || part.from === part.to) return false;
  return isFrameWord(tokens[part.from]?.folded ?? "") || isFrameWord(tokens[part.to]?.folded ?? "");
}

/** Whether words mean something in questions, each by itself. */
export const areConcepts = (words: readonly Token[]): boolean =>
  words.every(({ folded, quote }) => quote === null && isConceptWord(folded));

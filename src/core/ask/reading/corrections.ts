/** Misspelt words of the lexicon in a question, among those that are no name. */
import { isLexiconWord, phrasesAt } from "../lexicon/lexicon.ts";
import { correctionOf } from "../lexicon/misspelt-words.ts";
import type { Mention } from "../naming/mentions.ts";
import type { Question } from "../question/tokens.ts";

/** @returns what is meant, by the number of the token */
export function correctionsOf({ tokens }: Question, taken: readonly Mention[]): ReadonlyMap<number, string> {
  const corrections = new Map<number, string>();
  for (const [at, { folded, quote, raw }] of tokens.entries()) {
    const isTaken = taken.some(({ span }) => span.parts.some(({ from, to }) => at >= from && at <= to));
    const isName = at > 0 && /^\p{Lu}/u.test(raw);
    if (quote !== null || isTaken || isName || isLexiconWord(folded)) continue;
    const correction = correctionOf(folded);
    if (correction === null || mayBeName(tokens[at - 1]?.folded ?? "", correction)) continue;
    corrections.set(at, correction);
  }
  return corrections;
}

/** What is asked of stands after these: "how many events did acton have". */
const BEFORE_SUBJECTS: ReadonlySet<string> = new Set("did does do has have had at for from by with".split(" "));

/** A name that nobody knows is no misspelt word: without it the question would be one about everybody. */
function mayBeName(before: string, correction: string): boolean {
  if (BEFORE_SUBJECTS.has(before)) return true;
  const [phrase] = phrasesAt([correction], 0);
  return phrase !== undefined && phrase.concepts.some((concept) => concept === "product" || concept === "portfolio");
}

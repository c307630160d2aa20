/** Ordinary words of questions. They count as a name only if the whole name is written. */
import { LEXICON, STOP_WORDS } from "./lexicon.ts";
import { foldedOf, type Run, type Word } from "./words.ts";

const COUNTING = new Set(
  (
    "one two three four five six seven eight nine ten eleven twelve day week month quarter year days weeks months quarters years " +
    "today yesterday monday tuesday wednesday thursday friday saturday sunday january february march april may june july august " +
    "september october november december last next past previous since until"
  ).split(" "),
);

/** Whether these words can be in a question without naming anything. */
export const isOrdinary = (words: readonly Word[], run: Run): boolean =>
  words.slice(run.from, run.to).every(({ quote }) => quote === null) &&
  (LEXICON.has(foldedOf(words, run)) ||
    words
      .slice(run.from, run.to)
      .every(
        ({ folded }) => STOP_WORDS.has(folded) || LEXICON.has(folded) || COUNTING.has(folded) || /^\d/.test(folded),
      ));

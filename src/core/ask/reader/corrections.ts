/** Corrects unknown words that are one letter away from a single word of the lexicon: "stoped", "recieved". */
import { editDistanceWithin } from "../names.ts";
import { LEXICON, STOP_WORDS } from "./lexicon.ts";
import type { Mention } from "./mentions.ts";
import { timeAt } from "./times.ts";
import type { Word } from "./words.ts";

/** Shorter words are one letter away from too many others. */
const MIN_LETTERS = 7;
const MAX_CORRECTIONS = 5;

const KNOWN: ReadonlySet<string> = new Set([...LEXICON.keys(), ...STOP_WORDS].flatMap((phrase) => phrase.split(" ")));
/** Words of the lexicon by first letter and length. */
const CORRECT = Map.groupBy(
  [...KNOWN].filter(
    (word) => word.length >= MIN_LETTERS && LEXICON.get(word)?.every(([first]) => first?.type !== "reason") !== false,
  ),
  (word) => `${word[0]}${word.length}`,
);

/** Capitalized words may be names, so they aren't corrected. */
export function corrected(words: readonly Word[], mentions: readonly Mention[]): Word[] {
  const isNamed = (at: number): boolean => mentions.some(({ from, to }) => from <= at && at < to);
  let count = 0;
  return words.map((word, at) => {
    const { folded, raw, quote } = word;
    const isWord = quote === null && /^[a-z]+$/.test(raw) && folded.length >= MIN_LETTERS && !KNOWN.has(folded);
    if (!isWord || isNamed(at) || timeAt(folded, 0, 0) !== null || count >= MAX_CORRECTIONS) return word;
    count += 1;
    const close = [-1, 0, 1]
      .flatMap((more) => CORRECT.get(`${folded[0]}${folded.length + more}`) ?? [])
      .filter(
        (each) => !folded.startsWith(each) && !each.startsWith(folded) && editDistanceWithin(folded, each, 1) !== null,
      );
    return close.length === 1 && close[0] !== undefined ? { ...word, folded: close[0] } : word;
  });
}

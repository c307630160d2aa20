/** Slips of the lexicon's own words: "waht", "helath", "inbx". */
import { editDistanceWithin } from "../names.ts";
import { meaningOf, WORDS_THAT_MEAN } from "./lexicon.ts";

const MIN_SWAPPED = 3;
const MIN_MISSPELT = 5;
const VOWELS = /[aeiou]/g;
/** Words of their own, which are no slips of those that they resemble. */
const NO_SLIPS: ReadonlySet<string> = new Set(
  "quite vents heath octave tired form forms casual planes wealthy tends seas adaption heats teats salient diary trails sets stag quit slid lads".split(
    " ",
  ),
);
const WORDS_BY_LENGTH = Map.groupBy(
  [...WORDS_THAT_MEAN].filter((word) => /^[a-z]+$/.test(word)),
  ({ length }) => length,
);

/**
 * The word that an unknown one is a slip of, where there is exactly one that it may be: two letters swapped, one too few
 * or one too many. A letter that is replaced makes another word too easily ("forms", "firms").
 */
export function correctionOf(word: string): string | null {
  if (word.length < MIN_SWAPPED || !/^[a-z]+$/.test(word) || NO_SLIPS.has(word)) return null;
  const near = (length: number) =>
    (WORDS_BY_LENGTH.get(length) ?? []).filter((known) => editDistanceWithin(word, known, 1) !== null);
  const swapped = near(word.length).filter((known) => isSwapped(word, known));
  const [only] = swapped;
  if (only !== undefined) return swapped.length === 1 ? only : null;
  if (word.length < MIN_MISSPELT) return withVowel(word);
  const others = [...near(word.length - 1), ...near(word.length + 1)].filter(
    (known) => known[0] === word[0] && known.length >= MIN_MISSPELT,
  );
  const meanings = new Set(others.map(meaningOf));
  return meanings.size === 1 ? (others[0] ?? null) : null;
}

/** "inbx": of a word of four letters only a vowel may be missing. */
function withVowel(word: string): string | null {
  const consonants = word.replaceAll(VOWELS, "");
  const found = (WORDS_BY_LENGTH.get(word.length + 1) ?? []).filter(
    (known) =>
      word.length === MIN_MISSPELT - 1 &&
      editDistanceWithin(word, known, 1) !== null &&
      known.replaceAll(VOWELS, "") === consonants,
  );
  return found.length === 1 ? (found[0] ?? null) : null;
}

const lettersOf = (word: string): string => word.split("").toSorted().join("");

/** Of short words the first letter must be the same. */
const isSwapped = (word: string, known: string): boolean =>
  lettersOf(word) === lettersOf(known) && (word.length > MIN_SWAPPED || word[0] === known[0]);

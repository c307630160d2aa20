/**
 * The forms that names are looked up by: folded, so that case, accents and punctuation don't matter; spoken, so that
 * an event name is found however it is put in a sentence; and cut into trigrams, so that a misspelt one is found by an
 * index instead of a scan of all names. What is stored and what is asked go through the same functions.
 */
import { stemOf } from "./stem.ts";

/** Longer names are found by their exact and folded forms alone. */
export const MAX_FUZZY_CHARACTERS = 64;

const DIACRITICS = /[\u0300-\u036F]+/gu;
const SEPARATORS = /[^\p{L}\p{M}\p{N}]+/gu;
const LETTERS_WITHOUT_DECOMPOSITION: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
};
const UNDECOMPOSED = /[ßæœøłđðþı]/gu;

/** Words that a spoken form does without: "exports of any reports" is `report.exported`. */
const UNSPOKEN: ReadonlySet<string> = new Set("a an the of any some our their its your my".split(" "));

/**
 * Lower case, accents folded, every run of characters that are no letter or digit one space: "Ünïted-Corp." is
 * "united corp". Idempotent; empty where nothing is left.
 */
export function foldName(text: string): string {
  return text
    .normalize("NFKD")
    .replace(DIACRITICS, "")
    .toLowerCase()
    .replace(DIACRITICS, "")
    .replace(UNDECOMPOSED, (letter) => LETTERS_WITHOUT_DECOMPOSITION[letter] ?? letter)
    .normalize("NFC")
    .replace(SEPARATORS, " ")
    .trim();
}

/** The stems of the words, in an order of their own: one key for "report exported", "exporting reports", "reports export". */
export function spokenKey(text: string): string {
  const words = foldName(text).split(" ");
  const spoken = words.filter((word) => !UNSPOKEN.has(word));
  return (spoken.length > 0 ? spoken : words).map(stemOf).toSorted().join(" ");
}

/** The distinct trigrams of a folded name, padded so that its first letters count most; none of an overlong one. */
export function gramsOf(folded: string): string[] {
  const letters = Array.from(`  ${folded} `);
  if (folded === "" || letters.length - 3 > MAX_FUZZY_CHARACTERS) return [];
  return [...new Set(letters.slice(2).map((letter, at) => `${letters[at]}${letters[at + 1]}${letter}`))];
}

/** How many edits a misspelling of so many characters may be away. */
export function fuzzyReach(length: number): 0 | 1 | 2 {
  if (length < 5) return 0;
  return length < 9 ? 1 : 2;
}

/**
 * The number of insertions, deletions, replacements and swaps of neighbours (Damerau-Levenshtein, each place edited
 * once) that lead from one to the other; `null` where it is more than `most`.
 */
export function editDistanceWithin(a: string, b: string, most: number): number | null {
  const from = Array.from(a);
  const to = Array.from(b);
  if (Math.abs(from.length - to.length) > most) return null;
  let beforeLast: number[] = [];
  let last = to.map((_, at) => at + 1);
  for (const [row, letter] of from.entries()) {
    const current: number[] = [];
    for (const [column, other] of to.entries()) {
      const above = last[column] ?? 0;
      const left = column === 0 ? row + 1 : (current[column - 1] ?? 0);
      const corner = column === 0 ? row : (last[column - 1] ?? 0);
      let least = Math.min(above + 1, left + 1, corner + (letter === other ? 0 : 1));
      if (row > 0 && column > 0 && letter === to[column - 1] && from[row - 1] === other) {
        const beforeCorner = column === 1 ? row - 1 : (beforeLast[column - 2] ?? 0);
        least = Math.min(least, beforeCorner + 1);
      }
      current.push(least);
    }
    if (Math.min(row + 1, ...current) > most) return null;
    beforeLast = last;
    last = current;
  }
  const distance = to.length === 0 ? from.length : (last.at(-1) ?? 0);
  return distance <= most ? distance : null;
}

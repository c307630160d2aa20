/**
 * Normalizes names, so that case, accents and punctuation don't matter, and measures how far two forms are apart.
 * Stored names and the words of questions go through the same functions.
 */

const DIGIT = /\p{N}/u;
const MIN_PART_CHARACTERS = 3;
const MAX_PARTS = 8;
const LINKS = new Set("and the for von van".split(" "));

interface NameKey {
  key: string;
  isPart: boolean;
}

const ASCII = /^[ -~]*$/;
const DIACRITICS = /[\u0300-\u036F]+/gu;
const SEPARATORS = /[^\p{L}\p{M}\p{N}]+/gu;
/** Letters that no normal form takes apart. */
const LETTERS = new Map(Object.entries({ ß: "ss", æ: "ae", œ: "oe", ø: "o", ł: "l", đ: "d", ð: "d", þ: "th", ı: "i" }));
const UNDECOMPOSED = new RegExp(`[${[...LETTERS.keys()].join("")}]`, "gu");

/**
 * Converts to lower case, removes accents, and replaces each run of other characters than letters and digits by one
 * space: "Ünïted-Corp." becomes "united corp". Idempotent; may return an empty text.
 */
export function foldName(text: string): string {
  // Most texts are plain. A class of a few characters is matched faster than one of all letters.
  if (ASCII.test(text)) return foldPlain(text.toLowerCase());
  const decomposed = text.normalize("NFKD").replace(DIACRITICS, "").toLowerCase().replace(DIACRITICS, "");
  const letters = decomposed.replace(UNDECOMPOSED, (letter) => LETTERS.get(letter) ?? letter);
  return ASCII.test(letters) ? foldPlain(letters) : letters.normalize("NFC").replace(SEPARATORS, " ").trim();
}

const foldPlain = (lower: string): string => lower.replace(/[^a-z0-9]+/g, " ").trim();

/** Returns the keys of a name: the whole name, then each of its words. Ids with a digit have no keys for words. */
export function nameKeys(name: string, source: "external_id" | "company" | "name" | "email"): NameKey[] {
  const key = foldName(name);
  const hasParts = source !== "email" && !(source === "external_id" && DIGIT.test(key));
  const parts = new Set(hasParts ? key.split(" ") : []);
  parts.delete(key);
  const words = [...parts].filter((word) => word.length >= MIN_PART_CHARACTERS && !LINKS.has(word));
  return [{ key, isPart: false }, ...words.slice(0, MAX_PARTS).map((word) => ({ key: word, isPart: true }))];
}

/** Returns how many edits a misspelling of this length may have. */
export function maxEdits(length: number): 0 | 1 | 2 {
  if (length < 5) return 0;
  return length < 9 ? 1 : 2;
}

/**
 * Returns the number of insertions, deletions, replacements and swaps of neighbors (Damerau-Levenshtein, each place
 * edited once) that lead from one to the other; `null` if it is more than `most`, which must be small.
 */
export const editDistanceWithin = (a: string, b: string, most: number): number | null =>
  SURROGATE.test(a) || SURROGATE.test(b)
    ? editsBetween(Array.from(a), Array.from(b), 0, 0, most)
    : editsBetween(a, b, 0, 0, most);

const SURROGATE = /[\uD800-\uDFFF]/;

/** Compares what follows `i` in one and `j` in the other. Copies nothing, because questions are compared with many names. */
function editsBetween(a: ArrayLike<string>, b: ArrayLike<string>, i: number, j: number, most: number): number | null {
  if (Math.abs(a.length - i - (b.length - j)) > most) return null;
  while (i < a.length && a[i] === b[j]) {
    i += 1;
    j += 1;
  }
  if (i >= a.length && j >= b.length) return 0;
  if (most === 0) return null;
  const isSwap = a[i] === b[j + 1] && a[i + 1] === b[j];
  const edited = (from: number, to: number): number => editsBetween(a, b, i + from, j + to, most - 1) ?? Infinity;
  const least = Math.min(edited(1, 1), edited(1, 0), edited(0, 1), isSwap ? edited(2, 2) : Infinity);
  return least < most ? least + 1 : null;
}

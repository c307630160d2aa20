/**
 * A small stemmer for the verbs and nouns in event names: "exported", "exporting" and "exports" have the same stem, and
 * so do "invited" and "invitation". Stems are never shown. If two words wrongly share a stem, questions with them
 * become ambiguous, but never get wrong answers.
 */
const PLAIN_WORD = /^[a-z]+$/;
const VOWEL = /[aeiouy]/;

/** Verbs, each with its irregular forms. */
const IRREGULAR_VERBS = `
begin began begun, build built, buy bought, choose chose chosen, do did done, draw drew drawn, find found, get got,
give gave given, go went gone, hide hid hidden, hold held, keep kept, leave left, lose lost, make made, meet met, pay paid,
rebuild rebuilt, run ran, see saw seen, sell sold, send sent, show shown, spend spent, take took taken, tell told, win won,
write wrote written`;
const IRREGULAR: ReadonlyMap<string, string> = new Map(
  IRREGULAR_VERBS.split(",").flatMap((verb) => {
    const [base = "", ...forms] = verb.trim().split(" ");
    return forms.map((form) => [form, base] as const);
  }),
);

/** @param word as `foldName` writes it */
export function stemOf(word: string): string {
  if (!PLAIN_WORD.test(word) || word.length < 3) return word;
  return withoutEnding(verbOf(singularOf(IRREGULAR.get(word) ?? word)));
}

export function singularOf(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  return /[^sui]s$/.test(word) ? word.slice(0, -1) : word;
}

function verbOf(word: string): string {
  if (word.length > 8 && word.endsWith("ification")) return `${word.slice(0, -7)}y`;
  if (word.length > 7 && word.endsWith("ission")) return `${word.slice(0, -6)}it`;
  if (word.length > 5 && word.endsWith("ied")) return `${word.slice(0, -3)}y`;
  for (const ending of ["ing", "ion", "ed"]) {
    if (!word.endsWith(ending) || word.endsWith("eed")) continue;
    const rest = word.slice(0, -ending.length);
    if (!VOWEL.test(rest)) continue;
    if (rest.length >= (ending === "ion" ? 4 : ending === "ing" ? 3 : 2)) return rest;
  }
  return word;
}

/** Removes a final "e", the "at" of "-ate" and "-ation" and a doubled consonant, and turns a final "y" into "i". */
function withoutEnding(word: string): string {
  let stem = word.length > 2 && word.endsWith("e") ? word.slice(0, -1) : word;
  if (stem.length > 6 && stem.endsWith("at")) stem = stem.slice(0, -2);
  if (stem.length > 2 && stem.at(-1) === stem.at(-2)) stem = stem.slice(0, -1);
  return stem.length > 2 && stem.endsWith("y") ? `${stem.slice(0, -1)}i` : stem;
}

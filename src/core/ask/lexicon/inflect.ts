/** The forms of the lexicon's words, so that it lists each once. Forms that no speaker would use do no harm. */
import { foldName } from "../names.ts";

const VOWELS_BEFORE_Y = /[aeiou]y$/;

/** The phrases that an entry stands for: `!` marks a verb, `*` a noun, each of which takes its forms. */
export function phrasesOf(entry: string): string[] {
  let phrases = [""];
  for (const word of entry.split(/\s+/)) {
    const forms = formsOf(word);
    phrases = phrases.flatMap((phrase) => forms.map((form) => `${phrase} ${form}`.trim()));
  }
  return phrases;
}

export const entriesOf = (list: string): string[] =>
  list
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");

function formsOf(marked: string): string[] {
  const word = foldName(marked);
  if (marked.endsWith("*")) return [word, pluralOf(word)];
  return marked.endsWith("!") ? verbForms(word) : [word];
}

function pluralOf(word: string): string {
  if (word.endsWith("y") && !VOWELS_BEFORE_Y.test(word)) return `${word.slice(0, -1)}ies`;
  return /(?:s|x|z|ch|sh)$/.test(word) ? `${word}es` : `${word}s`;
}

function verbForms(word: string): string[] {
  const forms = [word, pluralOf(word)];
  if (word.endsWith("e")) return [...forms, `${word}d`, `${word.slice(0, -1)}ing`];
  if (word.endsWith("y") && !VOWELS_BEFORE_Y.test(word)) return [...forms, `${word.slice(0, -1)}ied`, `${word}ing`];
  const last = word.at(-1) ?? "";
  return [...forms, `${word}ed`, `${word}ing`, `${word}${last}ed`, `${word}${last}ing`];
}

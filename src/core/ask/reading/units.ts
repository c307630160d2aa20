/** A question as rules see it: names, times, plans and words in the order they stand in. */
import type { Concept } from "../lexicon/concept-words.ts";
import type { Mention } from "../naming/mentions.ts";
import type { TimePhrase } from "../time/time-phrase.ts";

/** `at` is the number of its first token. */
export type Unit =
  | { kind: "name"; mention: Mention; isGoingOn: boolean; at: number }
  | { kind: "time"; time: TimePhrase; text: string; concepts: readonly Concept[]; at: number }
  | { kind: "plan"; plan: string; isExact: boolean; at: number }
  /** `word` is empty of what can be no word of the lexicon: it is quoted, or an abbreviation in capitals. */
  | {
      kind: "word";
      word: string;
      concepts: readonly Concept[];
      at: number;
      /** Of a word that was misspelt, as it was typed. */
      said?: string;
    };

export interface Reading {
  units: readonly Unit[];
  mentions: readonly Mention[];
}

/** Empty of what is no word. */
export function wordAt(units: readonly Unit[], at: number): string {
  const unit = units[at];
  return unit?.kind === "word" ? unit.word : "";
}

/** The words from a unit to the next that is none. */
export function wordsFrom(units: readonly Unit[], at: number): string[] {
  const words: string[] = [];
  for (const unit of units.slice(at)) {
    if (unit.kind !== "word") break;
    words.push(unit.word);
  }
  return words;
}

export const says = (units: readonly Unit[], words: readonly string[]): boolean =>
  units.some((unit) => unit.kind === "word" && words.includes(unit.word));

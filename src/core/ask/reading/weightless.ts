/** Words that say nothing where they stand, though they would elsewhere; and those that only seem to say nothing. */
import type { Concept } from "../lexicon/concept-words.ts";
import { ASKERS, ASKERS_VERBS } from "../lexicon/frame-words.ts";
import { QUESTION_AUXILIARIES } from "../lexicon/grammar-words.ts";
import { type Unit, wordAt } from "./units.ts";

/** What ends a verb of two words: "pull up" goes nowhere. */
export const IDIOMS: ReadonlySet<string> = new Set(["up", "into", "out"]);
/** What stands before a name and says no more than that: "by acme", "events across acme". */
const BEFORE_NAMES: ReadonlySet<string> = new Set("by from across within among through via under".split(" "));
/** Articles and what kind of thing is named may stand between. */
const BETWEEN: ReadonlySet<string> = new Set(
  "the our account customer company client user feature event all any".split(" "),
);
/** "By whom", "by how many". */
const ASKING: ReadonlySet<string> = new Set("whom who how which what".split(" "));
/** Concepts that a question may open with before it comes to what it asks for. */
const OPENERS: ReadonlySet<Concept> = new Set<Concept>(["yesNo", "what", "listing"]);
const PLACES: ReadonlySet<string> = new Set("rank ranked number place position".split(" "));
const AFTER_ASKERS = 3;

/**
 * Whether a word that says nothing of who asks is said of them: before all else, or close after "I" or "we".
 *
 * @param said what the words before it mean
 */
export function isSaidByAsker(units: readonly Unit[], at: number, said: readonly Concept[]): boolean {
  if (!ASKERS_VERBS.has(wordAt(units, at))) return true;
  const isOpening =
    said.every((concept) => OPENERS.has(concept)) && units.slice(0, at).every(({ kind }) => kind === "word");
  if (isOpening) return true;
  const before = Array.from({ length: AFTER_ASKERS }, (_, away) => at - 1 - away);
  const asker = before.find((place) => ASKERS.has(wordAt(units, place)));
  return asker !== undefined && !QUESTION_AUXILIARIES.has(wordAt(units, asker - 1));
}

/** Whether a word does no more than lead to a name, or to what is asked for. */
export const isBeforeName = (units: readonly Unit[], at: number): boolean =>
  BEFORE_NAMES.has(wordAt(units, at)) && (ASKING.has(wordAt(units, at + 1)) || isNameNext(units, at));

function isNameNext(units: readonly Unit[], at: number): boolean {
  const next = units.slice(at + 1).find((unit) => unit.kind !== "word" || !BETWEEN.has(unit.word));
  return next?.kind === "name";
}

/** "Rank 4 of the accounts" is one of them, "rank 4 accounts" are four. */
export function isPlace(units: readonly Unit[], at: number): boolean {
  const after = units[at + 1];
  const isFollowed = after?.kind === "word" && after.word !== "of";
  return PLACES.has(wordAt(units, at - 1)) && !isFollowed;
}

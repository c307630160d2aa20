/**
 * What a question says besides the words that its answer is found by, and that no answer tells: what is yet to be, what
 * may be done, or which way something went. The words are small and say nothing elsewhere; here they turn what is asked.
 */
import { ASKERS } from "../lexicon/frame-words.ts";
import { HAVING, QUESTION_AUXILIARIES, USE_VERBS, wordsOf } from "../lexicon/grammar-words.ts";
import { isFrameWord, phrasesFor } from "../lexicon/lexicon.ts";
import { isSubject } from "./predicate.ts";
import { says, type Unit, wordAt } from "./units.ts";

const TRIALS = [...phrasesFor("trial", "trialsMany")];
const MODALS = wordsOf("can could may might would will");
const ANYBODY = wordsOf("we i you anyone someone anybody somebody");
const PLACES = wordsOf("at in on from with");
const BEING = wordsOf("is are was were");
const ASKING_AUXILIARIES = wordsOf("is are was were does do did has have");
const COMPARED = wordsOf("compare compares compared comparing relative opposed contrast contrasted");
const BELONGING = wordsOf("belong belongs belonged belonging according assigned attached subscribed");
const TRIES = wordsOf("try tries tried trying");
const TRYING_BEFORE = 2;

/** Whether it asks for what nothing tells, whatever else it says. */
export const isUntold = (units: readonly Unit[]): boolean =>
  units.some(
    (_, at) =>
      isAhead(units, at) ||
      isPossible(units, at) ||
      isDuty(units, at) ||
      isJudged(units, at) ||
      isTurned(units, at) ||
      isRest(units, at) ||
      hasBecome(units, at) ||
      isPaid(units, at) ||
      isMadeBySomebody(units, at),
  ) || asksOfAll(units);

/** "About to churn", "going to be at risk", "would be healthy". When trials end is known. */
function isAhead(units: readonly Unit[], at: number): boolean {
  const [before, word, next] = [wordAt(units, at - 1), wordAt(units, at), wordAt(units, at + 1)];
  if (next === "to" && (word === "about" || word === "going")) return !says(units, TRIALS);
  if (next === "to" && word === "looking") return !ASKERS.has(before) && before !== "am";
  return word === "would" && next === "be" && (units[at - 1]?.kind === "name" || isSubject(before));
}

/** "How much could we get", "can anyone use it": who asks may begin so, and nobody else. */
function isPossible(units: readonly Unit[], at: number): boolean {
  if (!MODALS.has(wordAt(units, at)) || !ANYBODY.has(wordAt(units, at + 1))) return false;
  const next = wordAt(units, at + 2);
  const isOpening = units.slice(0, at).every((unit) => unit.kind === "word" && isFrameWord(unit.word));
  return !isOpening || USE_VERBS.has(next) || PLACES.has(next);
}

/** "Has to use", "tried to export". */
function isDuty(units: readonly Unit[], at: number): boolean {
  if (wordAt(units, at + 1) !== "to" || units[at + 2]?.kind === "time") return false;
  if (HAVING.has(wordAt(units, at))) return true;
  const before = Array.from({ length: TRYING_BEFORE }, (_, away) => wordAt(units, at - 1 - away));
  return TRIES.has(wordAt(units, at)) && !before.some((word) => ASKERS.has(word));
}

/** "The right plan", "is the score correct"; but ", right?" at the end of what is asked otherwise. */
function isJudged(units: readonly Unit[], at: number): boolean {
  if (wordAt(units, at) !== "right" && wordAt(units, at) !== "correct") return false;
  if (wordAt(units, at - 1) === "it" && wordAt(units, at + 1) === "that") return false;
  if (wordAt(units, at + 1) === "now") return false;
  return at < units.length - 1 || ASKING_AUXILIARIES.has(wordAt(units, 0));
}

/** "Out of seats", "to last week", "sent to acme", "log in", "three times more". */
function isTurned(units: readonly Unit[], at: number): boolean {
  const [before, word, next] = [wordAt(units, at - 1), wordAt(units, at), wordAt(units, at + 1)];
  const after = units[at + 1];
  if (word === "out" && !/^r[au]n/.test(before) && (next === "of" || after?.kind === "time")) return true;
  if (/^log(?:s|ged|ging)?$/.test(word) && /^(?:in|into|on)$/.test(next)) return true;
  if (word === "times" && next === "more") return true;
  if (word === "about" || word === "into") return after?.kind === "time" && !/^(?:what|how)$/.test(before);
  if (word !== "to" || says(units, [...COMPARED])) return false;
  // "Is acme to churn", "which accounts are to be lost".
  if (units[at - 1]?.kind === "name" && BEING.has(wordAt(units, 0))) return true;
  if (BEING.has(before) && after?.kind === "word") return true;
  if (after === undefined) return !says(units, [...BELONGING]);
  if (after.kind === "name") return after.mention.byType.feature === undefined && !BELONGING.has(before);
  return after.kind === "time";
}

/** "Which accounts got healthy": of what becomes nothing is told. */
const hasBecome = (units: readonly Unit[], at: number): boolean =>
  wordAt(units, at) === "got" && isSubject(wordAt(units, at - 1));

/** "How many accounts are left" are those that are still there. */
function isRest(units: readonly Unit[], at: number): boolean {
  if (wordAt(units, at) !== "left" || says(units, TRIALS)) return false;
  if (!units.some((unit) => unit.kind === "word" && isSubject(unit.word))) return false;
  const [before, first] = [wordAt(units, at - 1), wordAt(units, at - 2)];
  return BEING.has(before) || before === "still" || (HAVING.has(before) && /^(?:we|i|you|still)$/.test(first));
}

/** "Which accounts have paid": of payments nothing is known. Paid accounts are those of a stage. */
function isPaid(units: readonly Unit[], at: number): boolean {
  if (wordAt(units, at) !== "paid" || wordAt(units, at + 1) === "for" || isSubject(wordAt(units, at + 1))) return false;
  const before = wordAt(units, at - 1);
  return HAVING.has(before) || isSubject(before) || units[at - 1]?.kind === "name";
}

/** "Who created accounts" asks for people, "who created" for accounts. */
function isMadeBySomebody(units: readonly Unit[], at: number): boolean {
  if (wordAt(units, at) !== "who") return false;
  const made = /^(?:created|added|onboarded|registered|acquired|won|started|invited)$/;
  return made.test(wordAt(units, at + 1)) && [2, 3, 4].some((away) => isSubject(wordAt(units, at + away)));
}

/** "Do all accounts use it": yes or no is not told of all. */
const asksOfAll = (units: readonly Unit[]): boolean =>
  QUESTION_AUXILIARIES.has(wordAt(units, 0)) && /^(?:all|every|each|both|most)$/.test(wordAt(units, 1));

const PAST = wordsOf("was were had");

/** "Which accounts were on trial", "what did it pay", "have been": how it was is not how it is. */
export function isOfThePast(units: readonly Unit[]): boolean {
  const hasBeen = units.some((_, at) => HAVING.has(wordAt(units, at)) && says(units.slice(at + 1, at + 5), ["been"]));
  return says(units, [...PAST]) || hasBeen || (says(units, ["did"]) && says(units, ["have"]));
}

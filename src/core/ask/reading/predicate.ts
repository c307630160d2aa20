/**
 * Words that change nothing in most places, and say something of accounts or users where they stand behind them: "a right
 * figure", but "which accounts are right"; "a question", but "which customers question it". Nothing tells of that, so they
 * are no mere words there.
 */
import { entriesOf } from "../lexicon/inflect.ts";
import { AUXILIARIES, HAVING, QUESTION_AUXILIARIES } from "../lexicon/grammar-words.ts";
import { isFrameWord, phrasesAt, phrasesFor } from "../lexicon/lexicon.ts";
import { type Unit, wordAt, wordsFrom } from "./units.ts";

/** Of whom something can be said. */
const SUBJECTS = phrasesFor("accountOne", "accountMany", "userOne", "userMany");

const ONE = phrasesFor("accountOne", "userOne");

export const isSubject = (word: string): boolean => SUBJECTS.has(word) || word === "who";

/** What may stand between them and what is said of them. */
const BETWEEN: ReadonlySet<string> = new Set([
  ...AUXILIARIES,
  ...entriesOf(
    "not, never, no, that, which, would, will, can, could, should, might, may, a, an, any, the, some, also, really, exactly, simply, actually, basically, possibly, ever, even, still, all, just, currently, now, ve, d, we, i, you",
  ),
]);

/** Nothing is known of it, whatever follows. */
const PREDICATES: ReadonlySet<string> = new Set(
  entriesOf(
    `thank, question, info, information, detail, details, figure, figures, stand, stands, appreciate it, much appreciated, right, correct, exact, precise, specific, particular,
    ok, okay, dear, sorry, quick, mine, my, yours, your, me, you, i, find, find out, figure out, work out, look up, look into, looking for, looking into, pull up, bring up,
    would appreciate, would like, would love, be glad, be grateful, happy to know, out, out what, on again, in again, at again, over at, what, if, whether, so, then, u, id, im, ive, m`,
  ),
);

/** They lead to a plan, or to a word that is known: "rated healthy", "down as churned". */
const PARTICIPLES: ReadonlySet<string> = new Set(
  entriesOf(
    "called, named, considered, deemed, classed, classified, given, noted, held, kept, shown, reported, rated, marked as, down as, been given, happen, happens",
  ),
);
const NAMING: ReadonlySet<string> = new Set(["called", "named"]);

/** They lead to whatever is known: "on the Pro plan", "of acme". */
const PREPOSITIONS: ReadonlySet<string> = new Set(
  entriesOf("on, in, at, into, with, for, of, about, regarding, concerning, inside, to, re, to be, to have"),
);
const LINKS: ReadonlySet<string> = new Set(entriesOf("as, to, be, being, a, an, the"));

/** "Do we need": who asks is asked about. */
const WISHES: ReadonlySet<string> = new Set(entriesOf("i want, i need, we want, we need"));

/** Whether words that say nothing elsewhere are what a question says of somebody. */
export function isPredicate(units: readonly Unit[], at: number, length: number): boolean {
  const phrase = wordsFrom(units, at).slice(0, length).join(" ");
  // "Well, how is acme"; but "does it use that well".
  if (phrase === "well") return !units.slice(0, at).every((unit) => unit.kind === "word" && isFrameWord(unit.word));
  if (WISHES.has(phrase)) return QUESTION_AUXILIARIES.has(wordAt(units, at - 1));
  if (PARTICIPLES.has(phrase)) {
    const isOfName = units[at - 1]?.kind === "name" && HAVING.has(wordAt(units, at - 2));
    if (!isOfName && !isSaidOfSomebody(units, at)) return false;
    return !leadsToWord(units, at + length) && !(NAMING.has(phrase) && leadsFromOneToName(units, at, at + length));
  }
  if (PREPOSITIONS.has(phrase)) return isSaidOfSomebody(units, at) && !leadsToSomething(units, at + length);
  return PREDICATES.has(phrase) && isSaidOfSomebody(units, at);
}

function isSaidOfSomebody(units: readonly Unit[], at: number): boolean {
  let before = at - 1;
  while (BETWEEN.has(wordAt(units, before))) before -= 1;
  return isSubject(wordAt(units, before));
}

/** "The account called acme"; "the users called acme" is another thing. */
const leadsFromOneToName = (units: readonly Unit[], at: number, next: number): boolean =>
  ONE.has(wordAt(units, at - 1)) && units[next]?.kind === "name";

function leadsToWord(units: readonly Unit[], at: number): boolean {
  if (units[at]?.kind === "plan" || isMeantAt(units, at)) return true;
  return LINKS.has(wordAt(units, at)) && leadsToWord(units, at + 1);
}

function leadsToSomething(units: readonly Unit[], at: number): boolean {
  const unit = units[at];
  if (unit === undefined) return false;
  return unit.kind !== "word" || isMeantAt(units, at) || (isFrameWord(unit.word) && leadsToSomething(units, at + 1));
}

function isMeantAt(units: readonly Unit[], at: number): boolean {
  const unit = units[at];
  if (unit?.kind !== "word") return false;
  const phrases = phrasesAt(wordsFrom(units, at), 0);
  return unit.concepts.length > 0 || phrases.some(({ concepts, compound }) => concepts.length + compound.length > 0);
}

/**
 * The closed lexicon: phrases and the fragments that they mean. The longest match wins.
 */
import { UNITS } from "../../query/model.ts";
import type { Fragment } from "../fragments/fragments.ts";
import { KIND_NAMES } from "../../../inbox/kind-names.ts";
import { ITEM_KINDS } from "../../../inbox/model.ts";
import { MONTH_WORDS, NUMBER_WORDS, WEEKDAY_WORDS } from "../times/calendar.ts";
import { foldedOf, type Run, wordSet, type Word } from "../words/split-words.ts";
import { type PhraseGroup, PHRASE_GROUPS } from "./phrase-groups.ts";

/** Auxiliary verbs at the beginning of a question ask for yes or no. Elsewhere they are ignored. */
export const AUXILIARIES = wordSet("is are was were did does do has have had");

/** Words that are ignored in any question. */
export const STOP_WORDS = wordSet(
  "a an the of in on at to for with from into as and our my your their its us we i you me that these there here please pls plz thanks thank thx hi hello hey dear cheers ok okay so well now currently right can did does do been being be am is are was were has have had having & + / what about record recorded log logged tracked either regarding concerning between among amongst but running level tool product our say s t d re ve m want need know see look looks get got tell say let check wondering curious quick quickly whether rn atm asap fyi kindly simply basically literally honestly perhaps maybe possibly anyway anyways pretty gimme lemme wanna hiya also too really actually all some who which where whose come came stay stand stands still already lately current today then if again btw haha lol abt w due u ur ty ta hm hmm oh eh even done quite pretty very somehow exactly whatsoever hold holds",
);

export const GREETINGS = wordSet("hi hello hey dear morning");

export const MAX_PHRASE_WORDS = 8;

/** Words for a notice: `~` in a phrase. */
const NOTICES =
  "notice notices alert alerts warning warnings item items signal signals notification notifications".split(" ");
const PLURAL = /s\b|where|people|ppl|inbox|active|ranking|history/;
const asSingular = (fragment: Fragment): Fragment =>
  fragment.type === "find" ? { ...fragment, isOne: true } : fragment;

/** Items by the names and the codes of their kinds: "renewal at risk items". */
const KIND_GROUPS = ITEM_KINDS.map((kind): PhraseGroup => {
  const names = [KIND_NAMES[kind].toLowerCase(), kind.replaceAll("_", " ")];
  return {
    means: [
      { type: "filter", filter: { dimension: "item_kind", is: kind } },
      { type: "find", find: "items" },
    ],
    phrases: names.map((name) => `${name} ~`),
  };
});

/** Returns the phrases with each word for a notice. */
const written = (phrases: readonly string[]): ReadonlySet<string> =>
  new Set(
    phrases.flatMap((phrase) => (phrase.includes("~") ? NOTICES.map((word) => phrase.replace("~", word)) : phrase)),
  );

const meantBy = (phrase: string, means: readonly Fragment[]): readonly Fragment[] =>
  PLURAL.test(phrase) ? means : means.map(asSingular);

/** The alternative meanings of each phrase. Each is a list of fragments. */
export const LEXICON: ReadonlyMap<string, readonly (readonly Fragment[])[]> = lexiconOf();

function lexiconOf(): Map<string, (readonly Fragment[])[]> {
  const lexicon = new Map<string, (readonly Fragment[])[]>();
  for (const { means, phrases } of PHRASE_GROUPS)
    for (const phrase of written(phrases))
      lexicon.set(phrase, [...(lexicon.get(phrase) ?? []), meantBy(phrase, means)]);
  for (const { means, phrases } of KIND_GROUPS)
    for (const phrase of written(phrases)) if (!lexicon.has(phrase)) lexicon.set(phrase, [meantBy(phrase, means)]);
  return lexicon;
}

export const isKnown = (word: string): boolean => LEXICON.has(word) || STOP_WORDS.has(word);

/** Ordinary words for numbers and times. They are part of a name only if the whole name is written. */
const TIME_WORDS = [...UNITS, ...UNITS.map((unit) => `${unit}s`), ...MONTH_WORDS, ...WEEKDAY_WORDS];
const NUMBER_AND_TIME_WORDS = new Set([
  ...NUMBER_WORDS.keys(),
  ...TIME_WORDS,
  ..."yesterday past previous since until".split(" "),
]);

const isUsual = ({ folded }: Word): boolean =>
  isKnown(folded) || NUMBER_AND_TIME_WORDS.has(folded) || /^\d/.test(folded);

/** Tests whether a question could have these words without naming anything. */
export function isOrdinary(words: readonly Word[], run: Run): boolean {
  const said = words.slice(run.from, run.to);
  return said.every(({ quote }) => quote === null) && (LEXICON.has(foldedOf(words, run)) || said.every(isUsual));
}

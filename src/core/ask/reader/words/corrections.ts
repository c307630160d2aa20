/**
 * Expands abbreviations, and corrects unknown words that are one edit away from a known one ("betwen", "octobr") or have
 * its letters in another order ("exprots").
 */
import { editDistanceWithin, foldName } from "../../normalize-names.ts";
import { stemOf } from "../../stem.ts";
import { TimeReader } from "../times/time-reader.ts";
import { valuesByName, type Mention, eventStems, traitsBySpokenName, verbStemOf, wordsOfName } from "./mentions.ts";
import { ORDINARY_WORDS } from "./ordinary-words.ts";
import type { Vocabulary } from "./vocabulary.ts";
import { wordTable, type Word } from "./split-words.ts";
import { MONTH_WORDS, NUMBER_WORDS, WEEKDAY_WORDS } from "../times/calendar.ts";
import { LEXICON, STOP_WORDS } from "../lexicon/lexicon.ts";
import { SMALL_TALK_WORDS } from "./small-talk.ts";

/** Shorter words are one letter away from too many others, unless letters are swapped or doubled. */
const MIN_LETTERS = 5;
const MIN_SWAPPED_LETTERS = 4;
/** Words of the workspace may be any words. */
const MIN_OWN_LETTERS = 6;
const MAX_CORRECTIONS = 10;

/** Abbreviations, and the words that each stands for. */
const SHORT = wordTable(
  "administrator admin|administrators admins|any1 anyone|some1 someone|every1 everyone|mth month|mths months|mo month|wk week|wks weeks|yr year|yrs years|qtr quarter|" +
    "pct percent|tmrw tomorrow|tmr tomorrow|2moro tomorrow|2day today|yday yesterday|nr number|num number|btwn between|avrg average|" +
    "alot a lot|b4 before|champ champion|co company|cust customer|custs customers|dwn down|em them|ent enterprise|eom month end|" +
    "eoq quarter end|eoy year end|frm from|hav have|howmany how many|hw how|lst last|mny many|n and|nxt next|pr per|r are|" +
    "accnt account|accnts accounts|alrdy already|bck back|biz business|blw below|cmnt comment|cmnts comments|cnt count|cnts counts|" +
    "dashbrd dashboard|dashbrds dashboards|dn down|enuf enough|evnt event|evnts events|evr ever|evry every|gna gonna|" +
    "hlth health|hlthy healthy|mch much|mgr manager|mgrs managers|mst most|mthly monthly|nrs numbers|ovr over|rprt report|rprts reports|" +
    "savd saved|shld should|tdy today|thn than|usr user|usrs users|wat what|wats what|wkend weekend|wkly weekly|ystrday yesterday|" +
    "rev revenue|sev severity|smth something|sth something|ths this|upto up to|w with|wen when|wht what|yest yesterday",
);

const TIMES = [
  ...MONTH_WORDS,
  ...WEEKDAY_WORDS,
  ...NUMBER_WORDS.keys(),
  ..."yesterday tomorrow fortnight previous until".split(" "),
];
const KNOWN: ReadonlySet<string> = new Set(
  [...LEXICON.keys(), ...STOP_WORDS, ...SMALL_TALK_WORDS, ...TIMES].flatMap((phrase) => phrase.split(" ")),
);

/** The distinct words that are long enough to be meant, by first letter and length. */
type MeantWords = ReadonlyMap<string, readonly string[]>;
const meantWords = (words: Iterable<string>, least: number): MeantWords =>
  Map.groupBy(
    [...new Set(words)].filter((word) => word.length >= least && /^[a-z]+$/.test(word)),
    (word) => `${word.charAt(0)}${word.length}`,
  );
/** Words to correct to: those with a meaning, and long stop words. "Greta" doesn't become "great". */
const CORRECT = meantWords(
  [
    ...[...LEXICON].flatMap(([phrase, [fragments = []]]) =>
      fragments.length > 0 && fragments[0]?.type !== "reason" ? phrase.split(" ") : [],
    ),
    ...[...STOP_WORDS].filter((word) => word.length >= MIN_OWN_LETTERS),
    ...TIMES,
  ],
  MIN_SWAPPED_LETTERS,
);
const PROPER = meantWords([...MONTH_WORDS, ...WEEKDAY_WORDS], MIN_LETTERS);

const isOneEdit = (a: string, b: string): boolean => editDistanceWithin(a, b, 1) !== null;
const lettersOf = (word: string): string => [...new Set(word)].toSorted().join("");

/** Tests whether two words have the same letters: "bussines". */
const isJumbled = (a: string, b: string): boolean =>
  a.length >= MIN_OWN_LETTERS &&
  sumOf(a) === sumOf(b) &&
  Array.from(a).toSorted().join("") === Array.from(b).toSorted().join("");

/** Differs for most words with other letters, and takes less than sorting them. */
function sumOf(word: string): number {
  let sum = 0;
  for (let at = 0; at < word.length; at += 1) sum += word.charCodeAt(at) ** 2;
  return sum;
}

/** Finds the words that may be meant, one of each stem. Swapped and doubled letters are likelier. */
function closestWords(word: string, lists: readonly MeantWords[]): string[] {
  const lengths = [word.length - 1, word.length, word.length + 1];
  const similar = lists.flatMap((words) => lengths.flatMap((length) => words.get(`${word.charAt(0)}${length}`) ?? []));
  const close = similar.filter((each) => isOneEdit(word, each) || isJumbled(word, each));
  const likely = close.filter((each) => lettersOf(each) === lettersOf(word));
  const meant = likely.length > 0 ? likely : close.filter(({ length }) => length >= MIN_LETTERS);
  return Array.from(
    Map.groupBy(meant, stemOf).values(),
    (forms) => forms.find((each) => each.at(-1) === word.at(-1)) ?? forms[0] ?? "",
  );
}

/** The only word that may be meant. */
function closest(word: string, ...lists: readonly MeantWords[]): string | null {
  const [only, ...others] = closestWords(word, lists);
  return others.length > 0 ? null : (only ?? null);
}

const isUnknown = ({ folded, quote }: Word): boolean =>
  quote === null &&
  folded.length >= MIN_SWAPPED_LETTERS &&
  /^[a-z]+$/.test(folded) &&
  !KNOWN.has(folded) &&
  !ORDINARY_WORDS.has(folded);

/**
 * @param named the names in the question. A word of them is corrected only if it is a whole misspelled name, and only to
 * a word of that name. The caller then drops the name
 */
export function correctWords(words: readonly Word[], named: readonly Mention[], vocabulary: Vocabulary): Word[] {
  if (!words.some((word) => isUnknown(word) || SHORT.has(word.folded))) return [...words];
  const { own, ownWords, ownValues } = wordsOfWorkspace(vocabulary);
  let count = 0;
  return words.map((word, at) => {
    const { folded, raw, quote, isAfterStop, joint } = word;
    const names = named.filter(({ from, to }) => from <= at && at < to);
    const next = words[at + 1];
    // "birchwood-dairy" may be an id.
    if (joint === "-" || next?.joint === "-") return word;
    if (quote !== null || names.some(({ distance, to, from }) => distance < 2 || to > from + 1)) return word;
    const short = SHORT.get(folded)?.join(" ");
    // "W/o" isn't "with".
    if (
      short !== undefined &&
      names.length === 0 &&
      !own.has(folded) &&
      (next?.joint !== "/" || (folded === "w" && next.folded !== "o"))
    )
      return { ...word, folded: short };
    const isOwn = [folded, stemOf(folded), verbStemOf(folded)].some((each) => own.has(each));
    if (!isUnknown(word) || isOwn || new TimeReader(folded, 0).timeAt(0) !== null || count >= MAX_CORRECTIONS)
      return word;
    count += 1;
    // Capitalized words may be names, except at the beginning of a sentence.
    const isStart = (at === 0 || isAfterStop) && next?.isAfterStop === false && !/^\p{Lu}/u.test(next.raw);
    const isPlain = !/^\p{Lu}/u.test(raw) || isStart;
    const possible = isPlain ? [CORRECT, ownWords] : [PROPER, ownValues];
    const meant = closest(folded, ...possible) ?? (isPlain ? closest(stemOf(folded), ownWords) : null);
    // "Contacted" is a form of "contact", and no misspelling of "contract".
    const isForm = KNOWN.has(stemOf(folded)) && stemOf(meant ?? "") !== stemOf(folded);
    const isOfName = names.every(({ name }) => wordsOfName(name).has(meant ?? ""));
    return meant !== null && isOfName && !isForm ? { ...word, folded: meant } : word;
  });
}

/** Returns all words that an unknown word may be a misspelling of, if there are several. */
export function correctionsOf(word: Word | undefined, vocabulary: Vocabulary): string[] {
  if (word === undefined || !isUnknown(word) || word.joint === "-") return [];
  const { ownWords, ownValues } = wordsOfWorkspace(vocabulary);
  const lists = /^\p{Lu}/u.test(word.raw) ? [PROPER, ownValues] : [CORRECT, ownWords];
  return closestWords(word.folded, lists).slice(0, MAX_ALTERNATIVES);
}
const MAX_ALTERNATIVES = 3;

/** The words of values, traits and events. */
function wordsOfWorkspace({ events, dimensions }: Vocabulary) {
  const values = [...valuesByName(dimensions).keys()].flatMap((value) => value.split(" "));
  const own = new Set([
    ...values,
    ...[...traitsBySpokenName(dimensions).keys()].flatMap((trait) => trait.split(" ")),
    ...eventStems(events).spoken.flatMap(({ event, key }) => [...foldName(event).split(" "), ...key]),
  ]);
  return { own, ownWords: meantWords(own, MIN_OWN_LETTERS), ownValues: meantWords(values, MIN_OWN_LETTERS) };
}

/** Returns the words that were corrected to other ones: neither abbreviations nor other forms of them. */
export const misspelled = (typed: readonly Word[], words: readonly Word[]): { asked: string; meant: string }[] =>
  typed.flatMap(({ folded, raw }, at) => {
    const { folded: meant = folded } = words[at] ?? {};
    return SHORT.has(folded) || stemOf(meant) === stemOf(folded) ? [] : [{ asked: raw, meant }];
  });

/**
 * Matches names in questions with stored names: in full, regardless of case, accents and punctuation, by a distinctive
 * word, or misspelled. The database finds stored names by key and by prefix; this module decides which of them match.
 */
import { editDistanceWithin, foldName, maxEdits } from "../../normalize-names.ts";
import { isOrdinary } from "../lexicon/lexicon.ts";
import { rawOf, type Run, type Word } from "./split-words.ts";

export interface Candidate {
  type: "account" | "user";
  externalId: string;
  name: string | null;
  /** Whether it is an account that belongs to a single user and has that user's external id. */
  isPersonal: boolean;
}

/** A stored name, with its account or user. */
export interface KnownName extends Candidate {
  number: number;
  id: string;
  /** The name, or a word of it, as `foldName` writes it. */
  key: string;
  isPart: boolean;
  /** Whether the database found more names than it returned. */
  isTruncated: boolean;
}

/** What the database found for a question. */
export interface FoundNames {
  /** Names with one of the keys. */
  byKey: readonly KnownName[];
  /** Names that begin with one of the prefixes. */
  byPrefix: readonly KnownName[];
}

/** How a name was found. `suggestion` is too different from what was typed to be used, but similar enough to propose. */
export type MatchedBy = "internal_id" | "external_id" | "name" | "folded" | "part" | "fuzzy" | "suggestion";

export interface NameMatch extends Run, Candidate {
  number: number;
  id: string;
  matchedBy: MatchedBy;
}

/** Tests whether the whole name was typed. */
export const isWholeName = ({ matchedBy }: NameMatch): boolean => !/^(?:part|fuzzy|suggestion)$/.test(matchedBy);

/** A run of words that may be a name. */
interface SoughtRun extends Run {
  /** As typed, and as `foldName` writes it. */
  raw: string;
  key: string;
}

/** What to look for in the database. */
export interface NameLookup {
  runs: readonly SoughtRun[];
  /** Names, and words of names. */
  keys: string[];
  /** Prefixes of names that may be misspelled. */
  prefixes: string[];
  /** Internal ids. */
  ids: string[];
  /** Runs of words as typed. They may be event names. */
  texts: string[];
}

const MAX_NAME_WORDS = 6;
const MAX_FUZZY_WORDS = 3;
const MAX_FUZZY_CHARACTERS = 40;
const MAX_PREFIXES = 40;
/** The length of the shortest prefix. There is also a longer one, for workspaces with many names. */
export const SHORT_PREFIX = 2;
/** Maximum names that the database returns for a key, and for a prefix. */
export const MAX_PER_KEY = 11;
export const MAX_PER_PREFIX = 30;
/** A word that is in more names isn't distinctive. */
const MAX_SHARED = 3;
const DIGIT = /\p{N}/u;
const INTERNAL_ID = /^(?:acc|usr)_[0-9a-f]{24}$/;
const SIGN_AT_END = /^[^\p{L}\p{N}]|[^\p{L}\p{M}\p{N}]$/u;

/** Returns every run of at most `most` words, and each quotation. */
export const wordRuns = (words: readonly Word[], most: number): Run[] =>
  words.flatMap(({ quote }, from) => {
    const lengths = Array.from({ length: Math.min(most, words.length - from) }, (_, index) => index + 1);
    const isQuotation = quote !== null && words[from - 1]?.quote !== quote;
    const quoted = isQuotation ? words.filter((word) => word.quote === quote).length : 0;
    return [...lengths, ...(quoted > most ? [quoted] : [])].map((length) => ({ from, to: from + length }));
  });

const JOINT_BEFORE = /[\p{L}\p{N}][-_.@]$/u;
const JOINT_AFTER = /^[-_.@][\p{L}\p{N}]/u;

/** "Globex" isn't part of the id "globex-1". */
function isWhole(text: string, words: readonly Word[], { from, to }: Run): boolean {
  const start = words[from]?.start ?? 0;
  // A joint and the letter before it have at most three UTF-16 units.
  return (
    !JOINT_BEFORE.test(text.slice(Math.max(0, start - 3), start)) && !JOINT_AFTER.test(text.slice(words[to - 1]?.end))
  );
}

/** Returns prefixes for finding misspelled names that begin with the word. */
function prefixesOf({ folded, quote }: Word, isKnown: boolean): string[] {
  if (maxEdits(folded.length) === 0 || DIGIT.test(folded) || (isKnown && quote === null)) return [];
  return [folded.slice(0, SHORT_PREFIX), longPrefixOf(folded), swappedPrefixOf(folded)];
}

/** "Hlacyon" is Halcyon: its second and third letter are swapped. */
const swappedPrefixOf = (word: string): string => word.charAt(0) + word.charAt(SHORT_PREFIX);

const longPrefixOf = (word: string): string => word.slice(0, Math.ceil(word.length / 2));

/** "Couriers" may mean Metro Courier. */
const singularAndPlural = (word: string): string[] => [word, word.endsWith("s") ? word.slice(0, -1) : `${word}s`];

export function nameLookup(text: string, words: readonly Word[]): NameLookup {
  const all = wordRuns(words, MAX_NAME_WORDS).map((run) => ({ ...run, raw: rawOf(text, words, run) }));
  const runs = all.filter((run) => isWhole(text, words, run)).map((run) => ({ ...run, key: foldName(run.raw) }));
  const prefixes = words.flatMap((word, at) => prefixesOf(word, isOrdinary(words, { from: at, to: at + 1 })));
  return {
    runs,
    keys: [...new Set([...runs.map(({ key }) => key), ...words.flatMap(({ folded }) => singularAndPlural(folded))])],
    prefixes: [...new Set(prefixes)].slice(0, MAX_PREFIXES),
    ids: runs.flatMap(({ raw }) => (INTERNAL_ID.test(raw) ? [raw] : [])),
    texts: [...new Set(all.map(({ raw }) => raw))],
  };
}

/** Finds what each run of words names. @param found what the database found for `soughtNames` */
export function matchNames(words: readonly Word[], { runs }: NameLookup, found: FoundNames): NameMatch[] {
  const companies = new Set(
    found.byKey.flatMap(({ type, isPersonal, externalId }) => (type === "account" && !isPersonal ? [externalId] : [])),
  );
  const named = found.byKey.filter(({ isPersonal, externalId }) => !isPersonal || !companies.has(externalId));
  const byKey = Map.groupBy(named, ({ key }) => key);
  const byPrefix = Map.groupBy(
    found.byPrefix.filter(({ key }) => !DIGIT.test(key) && key.length <= MAX_FUZZY_CHARACTERS),
    ({ key }) => key.slice(0, SHORT_PREFIX),
  );
  const byWord = words.map(({ folded }) => singularAndPlural(folded).flatMap((key) => byKey.get(key) ?? []));
  return runs.flatMap(({ raw, key, ...run }) => {
    const exact = exactly(raw, byKey.get(key) ?? []);
    const matched = exact.length > 0 ? exact : byWords(byWord.slice(run.from, run.to));
    const candidates = matched.length > 0 ? matched : misspelled(key, words, run, byPrefix);
    const meant = uniqueOf(ofSaidType(words[run.from - 1], candidates));
    // "Acme + Globex": the sign belongs to a name only if the name has it.
    const stored = SIGN_AT_END.test(raw) ? meant.filter(([, how]) => how === "name" || how === "external_id") : meant;
    return stored.map(([{ key: _key, isPart: _isPart, ...name }, how]) => ({ ...run, ...name, matchedBy: how }));
  });
}

type Found = readonly [name: KnownName, how: MatchedBy];

const SAID_TYPES: Readonly<Record<string, string>> = { company: "account", customer: "account", person: "user" };

/** Prefers the type that the question names: "account Kim" over the user Kim. */
function ofSaidType(before: Word | undefined, found: readonly Found[]): readonly Found[] {
  const said = before?.folded ?? "";
  const ofType = found.filter(([{ type }]) => type === (SAID_TYPES[said] ?? said));
  return ofType.length > 0 ? ofType : found;
}

const uniqueOf = (found: readonly Found[]): Found[] => [...new Map(found.map((each) => [each[0].id, each])).values()];

/** Returns whole names. Prefers those that are exactly as typed. */
function exactly(raw: string, known: readonly KnownName[]): Found[] {
  const whole = known
    .filter(({ isPart }) => !isPart)
    .map((each): Found => [
      each,
      each.id === raw ? "internal_id" : each.externalId === raw ? "external_id" : each.name === raw ? "name" : "folded",
    ]);
  const asTyped = whole.filter(([, how]) => how !== "folded");
  const isOnly = !known.some(({ isTruncated }) => isTruncated) || whole.length < known.length;
  return asTyped.length > 0 ? asTyped : isOnly ? whole : whole.map(([each]) => [each, "suggestion"]);
}

/** Names that contain all words of a run. @param byWord the names that contain each of the words */
function byWords([first = [], ...others]: readonly (readonly KnownName[])[]): Found[] {
  const isInOthers = (name: KnownName) => others.every((names) => names.some(({ id }) => id === name.id));
  const common = first.filter((name) => name.isPart && isInOthers(name));
  const isDistinctive =
    new Set(common.map(({ id }) => id)).size <= MAX_SHARED && !common.some(({ isTruncated }) => isTruncated);
  return common.map((each) => [each, isDistinctive ? "part" : "suggestion"]);
}

/** Finds the closest names within the allowed edits, or else names with one more edit or that begin with the run. */
function misspelled(
  folded: string,
  words: readonly Word[],
  run: Run,
  byPrefix: ReadonlyMap<string, readonly KnownName[]>,
): Found[] {
  const reach = maxEdits(folded.length);
  if (reach === 0 || run.to - run.from > MAX_FUZZY_WORDS || DIGIT.test(folded)) return [];
  if (folded.length > MAX_FUZZY_CHARACTERS || isOrdinary(words, run)) return [];
  const [first = ""] = folded.split(" ");
  const known = byPrefix.get(folded.slice(0, SHORT_PREFIX)) ?? [];
  const half = longPrefixOf(first);
  // The first ones are those with the short prefix. The others were found for several words: these are for this one.
  const possible = [
    ...known.filter(({ key }, at) => at < MAX_PER_PREFIX || key.startsWith(half)),
    ...(byPrefix.get(swappedPrefixOf(first)) ?? []).filter(({ key }) => key.charAt(SHORT_PREFIX) === first.charAt(1)),
  ];
  const close = possible.flatMap((each) => {
    const distance = editDistanceWithin(folded, each.key, reach + 1);
    const isLonger = each.key.startsWith(`${folded} `);
    return distance === null && !isLonger ? [] : [{ each, distance: distance ?? reach + 1 }];
  });
  const least = Math.min(...close.map(({ distance }) => distance));
  return close
    .filter(({ distance }) => distance === least || least > reach)
    .map(({ each }) => [each, least <= reach && !each.isTruncated ? "fuzzy" : "suggestion"]);
}

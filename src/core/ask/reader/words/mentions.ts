/**
 * Finds what the words of a question name: accounts, users, events, and values of dimensions. `readings.ts` decides
 * which of them count.
 */
import { editDistanceWithin, foldName, maxEdits } from "../../normalize-names.ts";
import type { Dimension } from "../../query/dimensions.ts";
import { memoizeByIdentity } from "../../memoize-by-identity.ts";
import { singularOf, stemOf } from "../../stem.ts";
import { isKnown, isOrdinary } from "../lexicon/lexicon.ts";
import { type Candidate, type MatchedBy, type NameMatch, wordRuns } from "./match-names.ts";
import { foldedOf, type Run, wordSet, stemSet, type Word } from "./split-words.ts";

export interface Mention extends Run {
  dimension: string;
  value: string;
  /** 0 for a whole name, 1 for a part of one, 2 for a misspelling. */
  distance: 0 | 1 | 2;
  name?: Candidate;
  /** "exporters": the people who did it. */
  isAgentNoun?: true;
}

/** Longer values are only recognized in quotation marks. */
const MAX_VALUE_WORDS = 6;

/** Returns whole names, and parts and misspellings of names unless they are ordinary words. */
export function nameMentions(words: readonly Word[], found: readonly NameMatch[]): Mention[] {
  return found.flatMap(({ matchedBy, type, externalId, name, isPersonal, ...run }): Mention[] => {
    const distance = matchedBy === "part" ? 1 : matchedBy === "fuzzy" ? 2 : 0;
    const mention = { dimension: type, value: externalId, name: { type, externalId, name, isPersonal } };
    if (matchedBy === "suggestion" || (distance > 0 && isOrdinary(words, run))) return [];
    if (distance === 0) return [{ ...run, ...mention, distance }];
    // "Pharma accounts" are several.
    if (type === "account" && /^(?:account|customer|client|trial|companie)s$/.test(words[run.to]?.folded ?? ""))
      return [];
    const own = wordsOfName(mention.name);
    if (!isNamed(words.slice(run.from, run.to), own, matchedBy)) return [];
    const { from, to } = extended(words, run, own);
    return [{ from, to, ...mention, distance: to - from > run.to - run.from ? 2 : distance }];
  });
}

/** Returns the words of a name and of its id. */
export const wordsOfName = (name: Candidate | undefined): ReadonlySet<string> =>
  wordSet(foldName(`${name?.externalId} ${name?.name ?? ""}`));

/**
 * A single word in lower case must be a word of the name: "work" isn't "Granite Works". Ordinary words are never read as
 * misspelled ones: "Brightwater rank" doesn't mean "Brightwater Bank".
 */
function isNamed(words: readonly Word[], own: ReadonlySet<string>, how: MatchedBy): boolean {
  if (words.slice(0, -1).some(({ isPossessive }) => isPossessive)) return false;
  if (own.has(words.map(({ folded }) => folded).join(""))) return true;
  return words.every(
    ({ folded, raw }) =>
      own.has(folded) ||
      (how === "part"
        ? folded.length > 6 || /^\p{Lu}/u.test(raw)
        : how === "fuzzy" && folded.length > 6 && !isKnown(folded)) ||
      ((how === "fuzzy" || words.length > 1) && !isKnown(folded) && isLike(folded, own, words.length)),
  );
}

/** Tests whether a word is a misspelled word of a name. Beside its other words, it may be short, or singular. */
const isLike = (word: string, own: ReadonlySet<string>, count: number): boolean =>
  Array.from(own).some(
    (each) =>
      each[0] === word[0] &&
      editDistanceWithin(word, each, count > 1 && word.length > 3 ? 1 : maxEdits(word.length)) !== null,
  );

/** Extends a part of a name over misspelled words of the name: "omar hadad". */
function extended(words: readonly Word[], { from, to }: Run, own: ReadonlySet<string>): Run {
  const isMore = (word: Word | undefined): boolean =>
    word !== undefined && word.quote === null && !isKnown(word.folded) && isLike(word.folded, own, 2);
  if (words[to]?.isAfterStop === false && words[to - 1]?.isPossessive === false && isMore(words[to]))
    return extended(words, { from, to: to + 1 }, own);
  if (words[from]?.isAfterStop === false && words[from - 1]?.isPossessive === false && isMore(words[from - 1]))
    return extended(words, { from: from - 1, to }, own);
  return { from, to };
}

const SPOKEN_CURRENCIES = { euro: "EUR", dollar: "USD", "us dollar": "USD", pound: "GBP" };

/** One more than the readings that are tried. A run with so many meanings isn't read, however many others it has. */
const MAX_MEANINGS = 17;

function addTo<Key, Value>(meanings: Map<Key, Value[]>, key: Key, value: Value): void {
  const known = meanings.get(key);
  if (known === undefined) meanings.set(key, [value]);
  else if (known.length < MAX_MEANINGS) known.push(value);
}

/** A value may be 18 times as long once its characters are taken apart. */
const MAX_FOLDED_CHARACTERS = 100_000;

type KnownValues = ReadonlyMap<string, readonly { dimension: string; value: string }[]>;

export const valuesByName = memoizeByIdentity((dimensions: readonly Dimension[]): KnownValues => {
  const byName = new Map<string, { dimension: string; value: string }[]>();
  let characters = 0;
  for (const { name, type, values = [] } of dimensions) {
    if (type !== "text") continue;
    for (const value of new Set(values)) {
      const key = characters < MAX_FOLDED_CHARACTERS ? foldName(value) : "";
      characters += key.length;
      addTo(byName, key, { dimension: name, value });
    }
    if (name !== "currency") continue;
    for (const [spoken, value] of Object.entries(SPOKEN_CURRENCIES))
      if (values.includes(value)) addTo(byName, spoken, { dimension: name, value });
  }
  byName.delete("");
  return byName;
});

/** Returns values of text dimensions: plans, currencies and traits. */
export function valueMentions(words: readonly Word[], dimensions: readonly Dimension[]): Mention[] {
  const known = valuesByName(dimensions);
  return wordRuns(words, MAX_VALUE_WORDS).flatMap((run) => {
    if (words.slice(run.from + 1, run.to).some(({ isAfterStop }) => isAfterStop)) return [];
    const key = foldedOf(words, run);
    // "Admins" are those whose role is "admin"; "movies" may have the singular "movie".
    const found = [key, singularOf(key), key.replace(/s$/, "")].find((each) => known.has(each)) ?? "";
    return (known.get(found) ?? []).map((each): Mention => ({
      ...run,
      ...each,
      distance: 0,
    }));
  });
}

/** Stems that many events share, so they don't identify one. */
const GENERIC = stemSet(
  "creat open add cal call sav updat delet remov chang start complet click set get send mak us report data user account page new run",
);
/** "exporter", "editor": who did it. */
const AGENT_NOUN = /^(.{3,})(?:er|or)$/;
/** Returns the stem of the verb in an agent noun: "schedul" of "schedulers". */
export const verbStemOf = (word: string): string => stemOf(AGENT_NOUN.exec(stemOf(word))?.[1] ?? "");
const UNSPOKEN = wordSet("a an the of any some our their its your my to new");
const MAX_GAP = 3;

export const eventStems = memoizeByIdentity((events: readonly string[]) => {
  const spoken = events.map((event) => ({ event, key: stemSet(foldName(event)) }));
  const owners = new Map<string, string[]>();
  for (const { event, key } of spoken) for (const stem of key) addTo(owners, stem, event);
  return { spoken, owners };
});

/**
 * Returns events by the words of their names, in any order and form ("exporting reports"), and by a word that only one
 * event has ("exports"). Its other words may stand elsewhere: "how many reports did Omar export".
 */
export function eventMentions(words: readonly Word[], events: readonly string[]): Mention[] {
  const { spoken, owners } = eventStems(events);
  const said = words.map(({ folded }) => {
    const [stem, verb] = [stemOf(folded), verbStemOf(folded)];
    const isAgentNoun = owners.has(verb) && !owners.has(stem);
    return { stem: isAgentNoun ? verb : stem, isAgentNoun };
  });
  const stems = said.map(({ stem }) => stem);
  const all = new Set(stems);
  const whole = spoken.filter(({ key }) => Array.from(key).every((stem) => all.has(stem)));
  const wholeByStem = new Map(Array.from(all, (stem) => [stem, whole.filter(({ key }) => key.has(stem))]));
  const mentionOf = (value: string, distance: 0 | 1, from: number, to: number): Mention => {
    const isDoer = said.slice(from, to).some(({ isAgentNoun }) => isAgentNoun);
    return { from, to, dimension: "event", value, distance, ...(isDoer && { isAgentNoun: true }) };
  };
  return stems.flatMap((stem, from) => {
    const byEnd = new Map<number, string[]>();
    for (const { event, key } of wholeByStem.get(stem) ?? []) {
      const to = endOfEvent(words, stems, from, key);
      if (to !== null) addTo(byEnd, to, event);
    }
    const found = Array.from(byEnd, ([to, some]) => some.map((event) => mentionOf(event, 0, from, to))).flat();
    const [only, ...others] = owners.get(stem) ?? [];
    const isDistinctive = only !== undefined && others.length === 0 && !GENERIC.has(stem);
    return isDistinctive ? [...found, mentionOf(only, 1, from, from + 1)] : found;
  });
}

/** Returns where the words of an event end; `null` if some are missing or too far apart. */
function endOfEvent(
  words: readonly Word[],
  stems: readonly string[],
  from: number,
  key: ReadonlySet<string>,
): number | null {
  const seen: string[] = [];
  let gap = 0;
  for (let at = from; at < stems.length && gap <= MAX_GAP; at += 1) {
    const [stem = "", word] = [stems[at], words[at]];
    if (at > from && word?.isAfterStop === true) return null;
    if (key.has(stem)) {
      if (seen.includes(stem)) continue;
      seen.push(stem);
      gap = 0;
    } else if (UNSPOKEN.has(word?.folded ?? "")) gap += 1;
    else return null;
    if (seen.length === key.size) return at + 1;
  }
  return null;
}

/** Returns the words that repeat an event named elsewhere in the question: also "the forecast thing". */
export function repeatedEventWords(words: readonly Word[], mentions: readonly Mention[]): Set<number> {
  const events = mentions.flatMap(({ dimension, value }) => (dimension === "event" ? [value] : []));
  const stems = stemSet(events.map(foldName).join(" "));
  const isThing = (at: number) =>
    words[at + 1]?.isAfterStop !== true && mentions.some(({ dimension, to }) => dimension === "event" && to === at);
  return new Set(
    words.flatMap(({ folded }, at) => (stems.has(stemOf(folded)) || (folded === "thing" && isThing(at)) ? [at] : [])),
  );
}

/** Names of traits in questions: `account.contractEndsOn` is "contract ends on", "contract ends" or "contract end". */
export const traitsBySpokenName = memoizeByIdentity(
  (dimensions: readonly Dimension[]): ReadonlyMap<string, readonly string[]> => {
    const spoken = new Map<string, string[]>();
    for (const { name } of dimensions) {
      const own = /^(?:account|user)\.(.+)$/.exec(name)?.[1];
      if (own === undefined) continue;
      const words = foldName(own.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, " "));
      const short = words.replace(/ (?:on|at|date)$/, "");
      for (const each of new Set([words, short, `${short} date`, `${short}s`, short.replace(/s$/, "")]))
        addTo(spoken, each, name);
    }
    return spoken;
  },
);

/** What the words of a question may mean: the lists of words, turned round so that they are found by what is said. */
import { COMPOUNDS, type Concept, CONCEPT_WORDS } from "./concept-words.ts";
import { typedKeys } from "../../typed-keys.ts";
import { FRAME_WORDS, POINTING_WORDS } from "./frame-words.ts";
import { entriesOf, phrasesOf } from "./inflect.ts";
import { foldName } from "../names.ts";
import { REFUSAL_WORDS, type RefusalWord } from "./refusal-words.ts";

export type Pointing = keyof typeof POINTING_WORDS;

/** What a phrase is. One may be several things, of which the rest of the question chooses. */
export interface Phrase {
  /** How many words it has. */
  length: number;
  concepts: readonly Concept[];
  /** What it means all at once or not at all. */
  compound: readonly Concept[];
  /** Whether a question is the same without it. */
  isFrame: boolean;
  pointsTo: Pointing | null;
  refusals: readonly RefusalWord[];
}

interface Entry {
  concepts: Set<Concept>;
  compound: readonly Concept[];
  isFrame: boolean;
  pointsTo: Pointing | null;
  refusals: Set<RefusalWord>;
}

const ENTRIES = new Map<string, Entry>();
const FIRST_WORDS = new Map<string, number>();

function entryOf(phrase: string): Entry {
  const known = ENTRIES.get(phrase);
  if (known !== undefined) return known;
  const entry: Entry = { concepts: new Set(), compound: [], isFrame: false, pointsTo: null, refusals: new Set() };
  ENTRIES.set(phrase, entry);
  const words = phrase.split(" ");
  const first = words[0] ?? "";
  FIRST_WORDS.set(first, Math.max(words.length, FIRST_WORDS.get(first) ?? 0));
  return entry;
}

for (const concept of typedKeys(CONCEPT_WORDS)) {
  for (const phrase of entriesOf(CONCEPT_WORDS[concept]).flatMap(phrasesOf)) entryOf(phrase).concepts.add(concept);
}
for (const refusal of typedKeys(REFUSAL_WORDS)) {
  for (const phrase of entriesOf(REFUSAL_WORDS[refusal]).flatMap(phrasesOf)) entryOf(phrase).refusals.add(refusal);
}
for (const [phrase, meant] of COMPOUNDS) entryOf(phrase).compound = meant;
for (const phrase of FRAME_WORDS) entryOf(foldName(phrase)).isFrame = true;
for (const target of typedKeys(POINTING_WORDS)) {
  for (const phrase of POINTING_WORDS[target]) entryOf(foldName(phrase)).pointsTo = target;
}

const KNOWN_WORDS: ReadonlySet<string> = new Set([...ENTRIES.keys()].flatMap((phrase) => phrase.split(" ")));

/** Whether the lexicon has a word, alone or in a phrase. */
export const isLexiconWord = (word: string): boolean => KNOWN_WORDS.has(word);

/** All that says one of some concepts, as it may be typed. */
export const phrasesFor = (...concepts: readonly Concept[]): ReadonlySet<string> =>
  new Set(concepts.flatMap((concept) => entriesOf(CONCEPT_WORDS[concept]).flatMap(phrasesOf)));

/** Whether a word says nothing by itself. */
export const isFrameWord = (word: string): boolean => ENTRIES.get(word)?.isFrame ?? false;

/** Whether a word has a meaning of its own that questions are answered by. */
export const isConceptWord = (word: string): boolean => (ENTRIES.get(word)?.concepts.size ?? 0) > 0;

/** The phrases that begin at a place, the longest first. */
export function phrasesAt(words: readonly string[], at: number): Phrase[] {
  const longest = FIRST_WORDS.get(words[at] ?? "") ?? 0;
  const found: Phrase[] = [];
  for (let length = Math.min(longest, words.length - at); length > 0; length -= 1) {
    const entry = ENTRIES.get(words.slice(at, at + length).join(" "));
    if (entry === undefined) continue;
    found.push({ ...entry, concepts: [...entry.concepts], refusals: [...entry.refusals], length });
  }
  return found;
}

/** What a word alone means, as a key by which two words can be told to mean the same. */
export function meaningOf(word: string): string {
  const entry = ENTRIES.get(word);
  return `${[...(entry?.concepts ?? [])].toSorted().join(" ")}/${[...(entry?.refusals ?? [])].toSorted().join(" ")}`;
}

/** The words of phrases that are no mere reason to refuse. */
export const WORDS_THAT_MEAN: ReadonlySet<string> = new Set(
  [...ENTRIES].flatMap(([phrase, { concepts: meant, isFrame }]) =>
    meant.size > 0 || isFrame ? phrase.split(" ") : [],
  ),
);

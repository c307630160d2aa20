/**
 * Reads the words of a question into fragments: what the workspace has a value for, then times and numbers, then the
 * lexicon. Values come first: words that name something are never read as anything else, unless all of them are words
 * that questions are made of; then both readings are tried.
 */
import type { Day } from "../../health/model.ts";
import { type Unit, UNITS } from "../query/model.ts";
import type { Fragment, Placed } from "./fragments.ts";
import { LEXICON, MAX_PHRASE_WORDS, STOP_WORDS } from "./lexicon.ts";
import { timeAt } from "./times.ts";
import { foldedOf, type Run, type Word } from "./words.ts";

/** Something that a run of words names. Several of one run exclude each other. */
export interface Mention extends Run {
  dimension: string;
  value: string;
  /** How sure it is: 0 for the whole name, higher for a part or a misspelling of it. */
  distance: number;
}

/** The name of a trait, in the words by which people say it. */
export interface SpokenDimension {
  words: string;
  dimension: string;
}

export interface Tiling {
  fragments: readonly Placed[];
  /** Words that belong to nothing. */
  unknown: readonly Run[];
  distance: number;
}

export interface Vocabulary {
  mentions: readonly Mention[];
  dimensions: readonly SpokenDimension[];
  today: Day;
}

/** More readings of one question aren't tried. */
export const MAX_READINGS = 48;

/** All ways to read the words, the likeliest first. */
export function tilingsOf(words: readonly Word[], vocabulary: Vocabulary): Tiling[] {
  const choices = chosenMentions(words, vocabulary.mentions);
  return choices.flatMap((mentions) => tile(words, mentions, vocabulary)).slice(0, MAX_READINGS);
}

/** Whether a question could be made of these words without naming anything. */
const isOrdinary = (words: readonly Word[], run: Run): boolean =>
  LEXICON.has(foldedOf(words, run)) ||
  words.slice(run.from, run.to).every(({ folded, quote }) => quote === null && (STOP_WORDS.has(folded) || LEXICON.has(folded)));

/** Sets of mentions that don't overlap: of two that do, the longer one counts. */
function chosenMentions(words: readonly Word[], mentions: readonly Mention[]): Mention[][] {
  const runs = Map.groupBy(mentions, ({ from, to }) => `${from} ${to}`);
  const sorted = [...runs.values()].toSorted(([a], [b]) => lengthOf(b) - lengthOf(a) || (a?.from ?? 0) - (b?.from ?? 0));
  const kept: Mention[][] = [];
  for (const group of sorted) {
    const [first] = group;
    if (first === undefined || kept.some(([other]) => other !== undefined && overlap(first, other))) continue;
    kept.push(group.toSorted((a, b) => a.distance - b.distance));
  }
  let choices: Mention[][] = [[]];
  for (const group of kept) {
    const [first] = group;
    if (first === undefined) continue;
    const options: (Mention | null)[] = isOrdinary(words, first) ? [...group, null] : group;
    choices = choices.flatMap((chosen) => options.map((mention) => (mention === null ? chosen : [...chosen, mention])));
    if (choices.length > MAX_READINGS) choices.length = MAX_READINGS;
  }
  return choices;
}

const lengthOf = (run: Run | undefined): number => (run === undefined ? 0 : run.to - run.from);
const overlap = (a: Run, b: Run): boolean => a.from < b.to && b.from < a.to;

const NUMBER = /^(\d+(?:[.,]\d+)*)(k|m)?$/;
const NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split(" ");

/** Tiles what the mentions leave over, from left to right, with the longest piece at each place. */
function tile(words: readonly Word[], mentions: readonly Mention[], vocabulary: Vocabulary): Tiling[] {
  const starts = new Map(mentions.map((mention) => [mention.from, mention]));
  const text = words.map(({ folded }) => folded).join(" ");
  const offsets: number[] = [];
  let offset = 0;
  for (const { folded } of words) {
    offsets.push(offset);
    offset += folded.length + 1;
  }
  let readings: Placed[][] = [[]];
  const unknown: Run[] = [];
  for (let at = 0; at < words.length; ) {
    const limit = Math.min(...mentions.filter(({ from }) => from > at).map(({ from }) => from), words.length);
    const mention = starts.get(at);
    const piece: Piece =
      mention === undefined
        ? pieceAt({ words, text, offsets, limit }, at, vocabulary)
        : { fragments: [{ type: "value", dimension: mention.dimension, value: mention.value }], to: mention.to };
    if (piece.fragments === null) unknown.push({ from: at, to: piece.to });
    else if (piece.fragments.length > 0) {
      const placed = piece.fragments.map((fragment): Placed => ({ ...fragment, from: at, to: piece.to }));
      readings = readings.flatMap((reading) => placed.map((fragment) => [...reading, fragment]));
      if (readings.length > MAX_READINGS) readings.length = MAX_READINGS;
    }
    at = piece.to;
  }
  const distance = mentions.reduce((sum, each) => sum + each.distance, 0);
  return readings.map((fragments) => ({ fragments, unknown, distance }));
}

interface Piece {
  /** What it may mean; empty for a stop word, `null` for an unknown one. */
  fragments: readonly Fragment[] | null;
  to: number;
}

interface Place {
  words: readonly Word[];
  /** The folded words, and where each begins. */
  text: string;
  offsets: readonly number[];
  /** The first word that is taken. */
  limit: number;
}

function pieceAt({ words, text, offsets, limit }: Place, at: number, { dimensions, today }: Vocabulary): Piece {
  const time = timeAt(text, offsets[at] ?? 0, today);
  const timeEnd = time === null ? at : offsets.findLastIndex((offset) => offset < (offsets[at] ?? 0) + time.length) + 1;
  const phrase = phraseAt(words, at, limit, dimensions);
  if (time !== null && timeEnd <= limit && timeEnd - at >= (phrase?.to ?? at) - at) {
    const { window, isBound } = time;
    return { fragments: [{ type: "window", window, ...(isBound && { isBound }) }], to: timeEnd };
  }
  const number = numberAt(words, at);
  if (number !== null) return number;
  if (phrase !== null) return phrase;
  const word = words[at];
  return { fragments: word !== undefined && word.quote === null && STOP_WORDS.has(word.folded) ? [] : null, to: at + 1 };
}

/** The longest phrase of the lexicon or name of a trait. */
function phraseAt(words: readonly Word[], at: number, limit: number, dimensions: readonly SpokenDimension[]): Piece | null {
  for (let to = Math.min(at + MAX_PHRASE_WORDS, limit); to > at; to -= 1) {
    if (words.slice(at, to).some(({ quote }, place) => quote !== null || (place > 0 && words[at + place]?.isAfterStop))) continue;
    const phrase = foldedOf(words, { from: at, to });
    const traits = dimensions.filter((each) => each.words === phrase).map(({ dimension }): Fragment => ({ type: "dimension", dimension }));
    const fragments = [...traits, ...(LEXICON.get(phrase) ?? [])];
    if (fragments.length > 0) return { fragments, to };
  }
  return null;
}

function numberAt(words: readonly Word[], at: number): Piece | null {
  const word = words[at];
  if (word === undefined) return null;
  const isMoney = /^[$€£]$/.test(word.folded);
  const digits = words[isMoney ? at + 1 : at];
  const match = NUMBER.exec(digits?.raw.toLowerCase() ?? "");
  const spelled = NUMBER_WORDS.indexOf(word.folded);
  if (match === null && spelled < 0) return null;
  const factor = match?.[2] === "k" ? 1_000 : match?.[2] === "m" ? 1_000_000 : 1;
  const value = match === null ? spelled : factor * Number(match[1]?.replaceAll(/,(?=\d{3})/g, ""));
  let to = (isMoney ? at + 1 : at) + 1;
  const unit = unitOf(words[to]?.folded);
  if (unit !== null) to += 1;
  return { fragments: [{ type: "number", value, ...(unit && { unit }) }], to };
}

function unitOf(word: string | undefined): Unit | "percent" | null {
  if (word === "%" || word === "percent") return "percent";
  return UNITS.find((unit) => word === unit || word === `${unit}s`) ?? null;
}

/**
 * Reads the words of a question into fragments: names and values of the workspace first, then times and numbers, then
 * phrases of the lexicon. If a name consists of ordinary words, readings with and without it are tried. A whole name
 * yields only to a longer phrase that is quoted or that no answerable question has; a part of a name or a misspelled one
 * yields to any longer phrase. A reading gives each word one meaning.
 */
import type { Day } from "../../../health/model.ts";
import type { Dimension } from "../../query/dimensions.ts";
import { GREETINGS, isOrdinary } from "../lexicon/lexicon.ts";
import { repeatedEventWords, type Mention } from "../words/mentions.ts";
import { findSmallTalk } from "../words/small-talk.ts";
import type { Run, Word } from "../words/split-words.ts";
import type { Fragment, Piece } from "./fragments.ts";
import { type Segment, SegmentReader } from "./read-segment.ts";

export interface Reading {
  /** Readings with the same choice of names differ only in meanings of phrases. The first with a query counts. */
  choice: number;
  fragments: readonly Piece[];
  /** Words without a meaning. */
  unknown: readonly number[];
  mentions: readonly Mention[];
  /** Whether a name is part of a longer phrase of the lexicon: "active users", where something is called Active. */
  nameIsPartOfPhrase: boolean;
}

/** Maximum readings that are tried for one question. */
export const MAX_READINGS = 16;

/** Returns all ways to read the words; none if names can be chosen in too many ways. */
export function readingsOf(
  words: readonly Word[],
  mentions: readonly Mention[],
  dimensions: readonly Dimension[],
  today: Day,
): Reading[] {
  const reader = new SegmentReader(words, dimensions, today);
  const choices = chosenMentions(words, mentions, reader);
  const readings: Reading[] = [];
  for (const [choice, chosen] of choices.entries()) {
    // Each of the other choices has a reading of its own.
    if (readings.length + choices.length - choice > MAX_READINGS) return [];
    const nameIsPartOfPhrase = chosen.some(
      (mention) => words[mention.from]?.quote === null && reader.isInPhrase(mention),
    );
    readings.push(
      ...readBetween(words, chosen, reader).map((reading): Reading => ({ ...reading, choice, nameIsPartOfPhrase })),
    );
  }
  return readings.slice(0, MAX_READINGS);
}

/** Chooses mentions without overlaps. If two overlap, it keeps the longer one, then the more certain one. */
function chosenMentions(words: readonly Word[], mentions: readonly Mention[], reader: SegmentReader): Mention[][] {
  const sorted = mentions
    .filter((each) => {
      const isSure = each.distance === 0 && each.dimension !== "currency";
      return !isGreeted(words, each) && !reader.isInPhrase(each, isSure);
    })
    .toSorted((a, b) => lengthOf(b) - lengthOf(a) || a.distance - b.distance || a.from - b.from);
  const taken: Run[] = [];
  let choices: Mention[][] = [[]];
  for (const group of Map.groupBy(sorted, ({ from, to }) => `${from} ${to}`).values()) {
    const [surest] = group;
    if (surest === undefined || taken.some((other) => overlap(surest, other))) continue;
    taken.push(surest);
    // In quotation marks, a value may be part of a name as well.
    const possible = group.filter((each) => each.distance === surest.distance || words[each.from]?.quote !== null);
    const isOptional = possible.every(
      (each) => isOrdinary(words, each) && !(each.dimension === "event" && lengthOf(each) > 2),
    );
    const options: Mention[][] = [...possible.map((each) => [each]), ...(isOptional ? [[]] : [])];
    choices = choices.flatMap((chosen) => options.map((option) => [...chosen, ...option]));
    if (choices.length > MAX_READINGS) return choices;
  }
  return choices;
}

/** "Hi team", "Finance here": part of a greeting. */
const isGreeted = (words: readonly Word[], { from, to }: Run): boolean =>
  from === 0 ? words[to]?.folded === "here" : from === 1 && GREETINGS.has(words[0]?.folded ?? "");

const lengthOf = ({ from, to }: Run): number => to - from;
const overlap = (a: Run, b: Run): boolean => a.from < b.to && b.from < a.to;

/** Reads the words between the mentions, from left to right. Takes the longest piece at each position. */
function readBetween(
  words: readonly Word[],
  mentions: readonly Mention[],
  reader: SegmentReader,
): Omit<Reading, "choice" | "nameIsPartOfPhrase">[] {
  const starts = new Map(mentions.map((mention) => [mention.from, mention]));
  const echoes = repeatedEventWords(words, mentions);
  const talk = findSmallTalk(words, mentions);
  let placings: Piece[][] = [[]];
  const unknown: number[] = [];
  let isBeginning = true;
  for (let at = 0; at < words.length;) {
    const limit = Math.min(words.length, ...[...starts.keys()].filter((start) => start > at));
    const mention = starts.get(at);
    const piece =
      mention === undefined && (talk.has(at) || (isBeginning && words[at]?.folded === "but"))
        ? { alternatives: [], to: at + 1 }
        : mention === undefined
          ? reader.segmentAt(at, limit, isBeginning || words[at]?.isAfterStop === true)
          : pieceOf(mention);
    const alternatives = [...(piece.alternatives ?? [])];
    if (mention === undefined && piece.to === at + 1 && echoes.has(at)) alternatives.unshift([]);
    else if (piece.alternatives === null) unknown.push(at);
    if (alternatives.some((each) => each.length > 0)) isBeginning = false;
    if (alternatives.length > 0) {
      const placed = alternatives.map((each) =>
        each.map((fragment: Fragment): Piece => ({ ...fragment, from: at, to: piece.to })),
      );
      placings = placings.flatMap((placing) => placed.map((each) => [...placing, ...each]));
      if (placings.length > MAX_READINGS) placings.length = MAX_READINGS;
    }
    at = piece.to;
  }
  return placings.map((fragments) => ({ fragments, unknown, mentions }));
}

const pieceOf = ({ dimension, value, to, isAgentNoun }: Mention): Segment => ({
  alternatives: [
    [...(isAgentNoun ? [{ type: "find", find: "users" } as const] : []), { type: "value", dimension, values: [value] }],
  ],
  to,
});

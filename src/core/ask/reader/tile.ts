/**
 * Reads the words of a question into fragments: what the workspace has a value for, then times and numbers, then the
 * lexicon. Words that name something are never read as anything else, unless all of them are words that questions are
 * made of; then both readings are tried.
 */
import type { Day } from "../../health/model.ts";
import { type Unit, UNITS } from "../query/model.ts";
import type { Dimension } from "../query/dimensions.ts";
import type { Fragment, Placed } from "./fragments.ts";
import { AUXILIARIES, GREETINGS, LEXICON, MAX_PHRASE_WORDS, STOP_WORDS } from "./lexicon.ts";
import { echoesOf, isOrdinary, type Mention, spokenTraits } from "./mentions.ts";
import { timeAt } from "./times.ts";
import { foldedOf, type Run, type Word } from "./words.ts";

export interface Tiling {
  /** Tilings of the same number differ only in what words of the lexicon mean: the first that fits counts. */
  choice: number;
  fragments: readonly Placed[];
  /** Words that belong to nothing. */
  unknown: readonly number[];
  mentions: readonly Mention[];
}

/** More readings of one question aren't tried. */
export const MAX_READINGS = 24;

type Alternatives = readonly (readonly Fragment[])[];

interface Piece {
  /** What it may mean; an empty list for words that change nothing, `null` for unknown ones. */
  alternatives: Alternatives | null;
  to: number;
}

/** All ways to read the words. */
export function tilingsOf(
  words: readonly Word[],
  mentions: readonly Mention[],
  dimensions: readonly Dimension[],
  today: Day,
): Tiling[] {
  const reader = new PieceReader(words, dimensions, today);
  const tilings: Tiling[] = [];
  for (const [choice, chosen] of chosenMentions(words, mentions, reader).entries()) {
    if (tilings.length >= MAX_READINGS) break;
    tilings.push(...tile(words, chosen, reader).map((tiling): Tiling => ({ ...tiling, choice })));
  }
  return tilings.slice(0, MAX_READINGS);
}

/** Sets of mentions that don't overlap: of two that do, the longer one counts, then the surer one. */
function chosenMentions(words: readonly Word[], mentions: readonly Mention[], reader: PieceReader): Mention[][] {
  const runs = Map.groupBy(
    mentions.filter(
      (mention) =>
        (mention.distance === 0 && mention.dimension !== "currency" && !isGreeted(words, mention)) ||
        !reader.isInPhrase(mention),
    ),
    ({ from, to }) => `${from} ${to}`,
  );
  const groups = [...runs.values()].map((group) => {
    const least = Math.min(...group.map(({ distance }) => distance));
    // In quotation marks, a value may be part of a name as well.
    return group.filter(({ distance, from }) => distance === least || words[from]?.quote !== null);
  });
  const sorted = groups.toSorted(
    ([a], [b]) =>
      lengthOf(b) - lengthOf(a) || (a?.distance ?? 0) - (b?.distance ?? 0) || (a?.from ?? 0) - (b?.from ?? 0),
  );
  const kept: Mention[][] = [];
  for (const group of sorted) {
    const [first] = group;
    if (first !== undefined && !kept.some(([other]) => other !== undefined && overlap(first, other))) kept.push(group);
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

/** "Hi team": the first words greet. */
const isGreeted = (words: readonly Word[], { from }: Run): boolean =>
  from === 1 && GREETINGS.has(words[0]?.folded ?? "");

const lengthOf = (run: Run | undefined): number => (run === undefined ? 0 : run.to - run.from);
const overlap = (a: Run, b: Run): boolean => a.from < b.to && b.from < a.to;

/** Tiles what the mentions leave over, from left to right, with the longest piece at each place. */
function tile(words: readonly Word[], mentions: readonly Mention[], reader: PieceReader): Omit<Tiling, "choice">[] {
  const starts = new Map(mentions.map((mention) => [mention.from, mention]));
  const echoes = echoesOf(words, mentions);
  // Where the next mention begins, for each word.
  const limits: number[] = [];
  for (let at = words.length - 1, next = words.length; at >= 0; at -= 1) {
    limits[at] = next;
    if (starts.has(at)) next = at;
  }
  let readings: Placed[][] = [[]];
  const unknown: number[] = [];
  let isBeginning = true;
  for (let at = 0; at < words.length;) {
    const limit = limits[at] ?? words.length;
    const mention = starts.get(at);
    const piece =
      mention === undefined
        ? reader.pieceAt(at, limit, isBeginning || words[at]?.isAfterStop === true)
        : pieceOf(mention);
    const alternatives = [...(piece.alternatives ?? [])];
    if (mention === undefined && piece.to === at + 1 && echoes.has(at)) alternatives.push([]);
    else if (piece.alternatives === null) unknown.push(at);
    if (alternatives.some((each) => each.length > 0)) isBeginning = false;
    if (alternatives.length > 0) {
      const placed = alternatives.map((each) =>
        each.map((fragment): Placed => ({ ...fragment, from: at, to: piece.to })),
      );
      readings = readings.flatMap((reading) => placed.map((each) => [...reading, ...each]));
      if (readings.length > MAX_READINGS) readings.length = MAX_READINGS;
    }
    at = piece.to;
  }
  return readings.map((fragments) => ({ fragments, unknown, mentions }));
}

const pieceOf = ({ dimension, value, to }: Mention): Piece => ({
  alternatives: [[{ type: "value", dimension, values: [value] }]],
  to,
});

const NUMBER = /^(\d+(?:[.,]\d+)*)(k|m)?$/;
const NUMBER_WORDS =
  "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split(" ");
const ROUND_NUMBERS: Readonly<Record<string, number>> = {
  twenty: 20,
  thirty: 30,
  forty: 40,
  fifty: 50,
  sixty: 60,
  seventy: 70,
  eighty: 80,
  ninety: 90,
  hundred: 100,
};
const MONEY: Readonly<Record<string, string>> = { $: "USD", "€": "EUR", "£": "GBP" };

/** The names of traits in the lexicon, by which word of their own names they are known. */
const ROLES_OF_TRAITS: Readonly<Record<string, RegExp>> = {
  renewal: /^account\.(?:.*(?:renew|contract).*)$/i,
  industry: /^account\.(?:industry|sector|vertical)$/i,
  region: /^account\.(?:region|territory|geo)$/i,
  role: /^user\.(?:role|jobTitle|job_title|title)$/i,
};

/** Reads one piece at a place. What doesn't depend on the choice of mentions is read once. */
class PieceReader {
  readonly #words: readonly Word[];
  readonly #dimensions: readonly Dimension[];
  readonly #traits: ReadonlyMap<string, readonly string[]>;
  readonly #times: readonly (readonly { fragment: Fragment; to: number }[])[];

  constructor(words: readonly Word[], dimensions: readonly Dimension[], today: Day) {
    this.#words = words;
    this.#dimensions = dimensions;
    this.#traits = spokenTraits(dimensions);
    this.#times = timesOf(words, today);
  }

  /** Whether a longer phrase of the lexicon stands over a run. */
  isInPhrase({ from, to }: Run): boolean {
    for (let start = Math.max(0, to - MAX_PHRASE_WORDS); start <= from; start += 1)
      for (let end = Math.max(to, start + 2); end <= Math.min(start + MAX_PHRASE_WORDS, this.#words.length); end += 1)
        if (
          end - start > to - from &&
          this.#isUnbroken(start, end) &&
          LEXICON.has(foldedOf(this.#words, { from: start, to: end }))
        )
          return true;
    return false;
  }

  pieceAt(at: number, limit: number, isBeginning: boolean): Piece {
    const time = this.#times[at]?.find(({ to }) => to <= limit);
    const phrase = this.#phraseAt(at, limit, isBeginning);
    const number = this.#numberAt(at);
    // "2026" may be a year or a number.
    if (time !== undefined && time.to >= (phrase?.to ?? at))
      return {
        alternatives: [[time.fragment], ...(number?.to === time.to ? (number.alternatives ?? []) : [])],
        to: time.to,
      };
    if (number !== null && number.to >= (phrase?.to ?? at)) return number;
    if (phrase !== null) return phrase;
    const word = this.#words[at];
    return {
      alternatives: word !== undefined && word.quote === null && STOP_WORDS.has(word.folded) ? [] : null,
      to: at + 1,
    };
  }

  #isUnbroken(from: number, to: number): boolean {
    const words = this.#words.slice(from, to);
    return words.every(({ quote, isAfterStop }, place) => quote === words[0]?.quote && (place === 0 || !isAfterStop));
  }

  /** The longest phrase of the lexicon or name of a trait. */
  #phraseAt(at: number, limit: number, isBeginning: boolean): Piece | null {
    for (let to = Math.min(at + MAX_PHRASE_WORDS, limit); to > at; to -= 1) {
      if (!this.#isUnbroken(at, to)) continue;
      const phrase = foldedOf(this.#words, { from: at, to });
      const traits = (this.#traits.get(phrase) ?? []).map((dimension): readonly Fragment[] => [
        { type: "dimension", dimension },
      ]);
      const known = LEXICON.get(phrase)?.map((fragments) => fragments.flatMap((fragment) => this.#resolved(fragment)));
      if (traits.length > 0) return { alternatives: traits, to };
      if (known !== undefined) return { alternatives: known, to };
      if (to === at + 1 && AUXILIARIES.has(phrase) && isBeginning)
        return { alternatives: [[{ type: "form", show: "yes_no" }]], to };
    }
    return null;
  }

  #resolved(fragment: Fragment): Fragment[] {
    if (fragment.type !== "dimension") return [fragment];
    const pattern = ROLES_OF_TRAITS[fragment.dimension];
    if (pattern === undefined) return [fragment];
    const trait = this.#dimensions.find(
      ({ name, type }) => pattern.test(name) && (fragment.dimension !== "renewal" || type === "date"),
    );
    return [
      trait === undefined
        ? { type: "reason", reason: "unmeasured_attribute" }
        : { type: "dimension", dimension: trait.name },
    ];
  }

  #numberAt(at: number): Piece | null {
    const first = this.#words[at];
    if (first === undefined) return null;
    const sign = MONEY[first.folded];
    const word = this.#words[sign === undefined ? at : at + 1];
    const value = word === undefined ? null : numberOf(word);
    if (value === null) return null;
    let to = (sign === undefined ? at : at + 1) + 1;
    const isPlus = this.#words[to]?.folded === "+";
    if (isPlus) to += 1;
    const currency = sign ?? MONEY[this.#words[to]?.folded ?? ""];
    const unit = unitOf(this.#words[to]?.folded);
    if (unit !== null || (sign === undefined && currency !== undefined)) to += 1;
    const number: Fragment = {
      type: "number",
      value,
      ...(unit && { unit }),
      ...(currency !== undefined && { currency }),
    };
    return { alternatives: [isPlus ? [{ type: "bound", condition: "from" }, number] : [number]], to };
  }
}

function numberOf({ raw, folded }: Word): number | null {
  const match = NUMBER.exec(raw.toLowerCase());
  if (match?.[1] === undefined) {
    const spelled = NUMBER_WORDS.indexOf(folded);
    return spelled > 0 ? spelled : (ROUND_NUMBERS[folded] ?? null);
  }
  const factor = match[2] === "k" ? 1_000 : match[2] === "m" ? 1_000_000 : 1;
  const value = factor * Number(match[1].replaceAll(/[.,](?=\d{3}(?!\d))/g, "").replace(",", "."));
  return Number.isFinite(value) ? value : null;
}

function unitOf(word: string | undefined): Unit | "percent" | null {
  if (word === "%" || word === "percent") return "percent";
  return UNITS.find((unit) => word === unit || word === `${unit}s`) ?? null;
}

/** The times that begin at each word, the longest first. */
function timesOf(words: readonly Word[], today: Day): { fragment: Fragment; to: number }[][] {
  const text = words.map(({ folded }) => folded).join(" ");
  const offsets: number[] = [];
  let offset = 0;
  for (const { folded } of words) {
    offsets.push(offset);
    offset += folded.length + 1;
  }
  return offsets.map((start) => {
    const time = timeAt(text, start, today);
    if (time === null) return [];
    const to = offsets.findLastIndex((each) => each < start + time.length) + 1;
    const { window, ahead, isBound } = time;
    return [{ fragment: { type: "window", window, ahead, ...(isBound && { isBound }) }, to }];
  });
}

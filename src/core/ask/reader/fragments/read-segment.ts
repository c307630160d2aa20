/** Reads one piece of a question at a time: a time, a number, a phrase of the lexicon, or the name of a trait. */
import type { Day } from "../../../health/model.ts";
import type { Dimension } from "../../query/dimensions.ts";
import { type Unit, UNITS } from "../../query/model.ts";
import { memoizeByIdentity } from "../../memoize-by-identity.ts";
import { attentionWords } from "../lexicon/attention.ts";
import { AUXILIARIES, LEXICON, MAX_PHRASE_WORDS, STOP_WORDS } from "../lexicon/lexicon.ts";
import { NUMBER_WORDS } from "../times/calendar.ts";
import { TimeReader } from "../times/time-reader.ts";
import { traitsBySpokenName } from "../words/mentions.ts";
import { wordRuns } from "../words/match-names.ts";
import { foldedOf, type Run, wordSet, type Word } from "../words/split-words.ts";
import type { Fragment } from "./fragments.ts";

type Alternatives = readonly (readonly Fragment[])[];

export interface Segment {
  /** What it may mean; an empty list if it is ignored, `null` if it is unknown. */
  alternatives: Alternatives | null;
  to: number;
}

const CONTRASTS = wordSet("but yet though although while whereas");
const CONDITIONS = /^(?:negation|use|before|bound)$/;
/** "While paying more than 2,000". */
const CONDITIONS_AFTER_WHILE = /^(?:negation|use|before|bound|measure)$/;
const LINKING = wordSet("with at they it also still who which that we");
const NUMBER = /^(\d+(?:[.,]\d+)*)(k|m)?$/;
const MONEY: Readonly<Record<string, string>> = { $: "USD", "€": "EUR", "£": "GBP" };

/** Who may stand after "can" in a question. */
const ASKING = /^(?:you|u|i|we|someone|somebody|anyone|anybody|this|it|that|the)$/;

/** What questions count in any workspace. */
const COUNTED = /^(?:account|user|event|feature|item)s?$/;

/** Names of traits in the lexicon, with the words in trait keys that they stand for. */
const TRAIT_PATTERNS: Readonly<Record<string, RegExp>> = {
  renewal: /^account\.(?:.*(?:renew|contract).*)$/i,
  industry: /^account\.(?:industry|sector|vertical)$/i,
  region: /^account\.(?:region|territory|geo)$/i,
  role: /^user\.(?:role|jobTitle|job_title|title)$/i,
};

/** Returns the first trait that each of these names stands for. */
const namedTraits = memoizeByIdentity((dimensions: readonly Dimension[]) => {
  const traitOf = ([meant, pattern]: [string, RegExp]) =>
    dimensions.find(({ name, type }) => pattern.test(name) && (meant !== "renewal" || type === "date"))?.name;
  return new Map(Object.entries(TRAIT_PATTERNS).map((entry) => [entry[0], traitOf(entry)]));
});

const isOfUsers = (fragment: Fragment | undefined): boolean =>
  fragment?.type === "dimension" && fragment.dimension.startsWith("user.");

/** Returns the type of the first fragment that a phrase of the lexicon means. */
const fragmentType = (phrase: string): string | undefined => LEXICON.get(phrase)?.[0]?.[0]?.type;

/** Reads one segment at a position. Caches segments: sixteen readings of a question share most of them. */
export class SegmentReader {
  readonly #words: readonly Word[];
  readonly #dimensions: readonly Dimension[];
  readonly #traits: ReadonlyMap<string, readonly string[]>;
  readonly #phrases: readonly Run[];
  readonly #times: readonly (readonly { alternatives: Alternatives; to: number }[])[];
  readonly #segments = new Map<string, Segment>();

  constructor(words: readonly Word[], dimensions: readonly Dimension[], today: Day) {
    this.#words = words;
    this.#dimensions = dimensions;
    this.#traits = traitsBySpokenName(dimensions);
    this.#times = timesOf(words, today);
    this.#phrases = wordRuns(words, MAX_PHRASE_WORDS).filter(
      (run) => this.#isUnbroken(run.from, run.to) && LEXICON.has(foldedOf(words, run)),
    );
  }

  /**
   * Tests whether a run is part of a longer phrase of the lexicon. A sure name yields only to a phrase in quotation
   * marks, and to one that no answerable question has.
   */
  isInPhrase({ from, to }: Run, isSure = false): boolean {
    return this.#phrases
      .filter((phrase) => phrase.from <= from && to <= phrase.to && phrase.to - phrase.from > to - from)
      .some(
        (phrase) => !isSure || this.#isQuotation(phrase) || fragmentType(foldedOf(this.#words, phrase)) === "reason",
      );
  }

  #isQuotation({ from, to }: Run): boolean {
    const quote = this.#words[from]?.quote ?? null;
    return quote !== null && this.#words[from - 1]?.quote !== quote && this.#words[to]?.quote !== quote;
  }

  /** @param limit where the next mention begins */
  segmentAt(at: number, limit: number, isBeginning: boolean): Segment {
    const key = `${at} ${limit} ${isBeginning}`;
    const segment = this.#segments.get(key) ?? this.#read(at, limit, isBeginning);
    this.#segments.set(key, segment);
    return segment;
  }

  #read(at: number, limit: number, isBeginning: boolean): Segment {
    const time = this.#times[at]?.find(({ to }) => to <= limit);
    const [attention, known] = [this.#attentionAt(at, limit), this.#phraseAt(at, limit, isBeginning)];
    const phrase = (attention?.to ?? at) > (known?.to ?? at) ? attention : known;
    const number = this.#numberAt(at);
    // "2026" may be a year or a number; "MRR above 2000" is a number.
    if (time !== undefined && time.to >= (phrase?.to ?? at)) {
      const numbers = number?.to === time.to ? (number.alternatives ?? []) : [];
      const isBounded = [1, 2].some(
        (count) => fragmentType(foldedOf(this.#words, { from: Math.max(at - count, 0), to: at })) === "bound",
      );
      return {
        alternatives: isBounded ? [...numbers, ...time.alternatives] : [...time.alternatives, ...numbers],
        to: time.to,
      };
    }
    if (number !== null && number.to >= (phrase?.to ?? at)) return number;
    if (phrase !== null && !this.#isContrast(at)) return phrase;
    const ranking = this.#rankingAt(at);
    if (ranking !== null) return ranking;
    return { alternatives: this.#isStopWord(at) ? [] : null, to: at + 1 };
  }

  /** Tests whether a word changes nothing. "US" is a country, and "anyone but Maria" leaves her out. */
  #isStopWord(at: number): boolean {
    const word = this.#words[at];
    if (word === undefined || word.quote !== null) return false;
    const before = this.#words[at - 1]?.folded ?? "the";
    if (word.raw === "US" || (word.folded === "us" && /^(?:the|in|our|all)$/.test(before))) return false;
    return CONTRASTS.has(word.folded) ? this.#isContrast(at) : STOP_WORDS.has(word.folded);
  }

  /** "But never", "yet had", "but fewer than 10": another condition follows. "Anyone but Maria" leaves her out. */
  #isContrast(at: number): boolean {
    const [word = "", ...rest] = this.#words.slice(at, at + 4).map(({ folded }) => folded);
    const index = rest.findIndex((each) => !LINKING.has(each));
    const [next = "", after = ""] = rest.slice(Math.max(index, 0));
    const type = fragmentType(`${next} ${after}`) ?? fragmentType(next) ?? "";
    const isStated = AUXILIARIES.has(next) || /^(?:sit|sits|sitting|located|based|work|works|working)$/.test(next);
    const types = word === "but" ? CONDITIONS : CONDITIONS_AFTER_WHILE;
    // "But an MRR above 0".
    const isBounded = rest.some((each) => fragmentType(each) === "bound");
    return CONTRASTS.has(word) && at > 0 && (isStated || isBounded || types.test(type) || rest[0] === "still");
  }

  #isUnbroken(from: number, to: number): boolean {
    const words = this.#words.slice(from, to);
    return words.every(({ quote, isAfterStop }, index) => quote === words[0]?.quote && (index === 0 || !isAfterStop));
  }

  /** "Did Lumen do last week": "do last" would leave half a time. */
  #cutsTime = (from: number, end: number): boolean =>
    this.#words
      .slice(from + 1, end)
      .some(({ folded }, at) => !STOP_WORDS.has(folded) && this.#times[from + 1 + at]?.some(({ to }) => to > end));

  #attentionAt(at: number, limit: number): Segment | null {
    const end = this.#words.findIndex(
      ({ isAfterStop, quote }, index) => index >= at && ((index > at && isAfterStop) || quote !== null),
    );
    const text = foldedOf(this.#words, { from: at, to: Math.min(limit, end < 0 ? limit : end) });
    const to = at + attentionWords(text, foldedOf(this.#words, { from: 0, to: at }));
    return to === at ? null : { alternatives: [[{ type: "attention" }]], to };
  }

  /** Returns the longest phrase of the lexicon or name of a trait. */
  #phraseAt(at: number, limit: number, isBeginning: boolean): Segment | null {
    for (let to = Math.min(at + MAX_PHRASE_WORDS, limit); to > at; to -= 1) {
      const phrase = foldedOf(this.#words, { from: at, to });
      // Words of a longer quotation, such as "never.sent", are part of a name.
      if (this.#words[at]?.quote !== null && !this.#isQuotation({ from: at, to })) continue;
      // "Per week from 1 October": "week from 1 October" isn't a time here.
      if (!this.#isUnbroken(at, to) || (fragmentType(phrase) !== "per" && this.#cutsTime(at, to))) continue;
      const traits = this.#traits.get(phrase)?.map((dimension): Fragment[] => [{ type: "dimension", dimension }]);
      const known = LEXICON.get(phrase)?.map((fragments) => fragments.map((each) => this.#resolved(each)));
      // What accounts have comes before a trait of users: "contract end".
      const isOfAccounts =
        traits?.every(([own]) => isOfUsers(own)) === true &&
        known?.every(([own]) => own?.type === "dimension" && !isOfUsers(own));
      // A trait called "event" doesn't change what events are.
      if (traits !== undefined && !COUNTED.test(phrase))
        return { alternatives: isOfAccounts ? [...(known ?? []), ...traits] : traits, to };
      // "What plans do we have" asks for a list.
      const isListed = this.#words[at - 1]?.folded === "what" && /[^u]s$/.test(phrase);
      if (known !== undefined && isListed && known.every(([first]) => first?.type === "dimension"))
        return { alternatives: known.map((each) => [{ type: "form", show: "list" }, ...each]), to };
      if (known !== undefined) return { alternatives: known, to };
      if (to > at + 1 || !isBeginning) continue;
      // "Can Lena export reports": permissions aren't recorded.
      if (phrase === "can" && !ASKING.test(this.#words[to]?.folded ?? ""))
        return { alternatives: [[{ type: "unsupported" }]], to };
      // "What did we dismiss", "by how much did it fall" don't ask for yes or no.
      const isAsked = /^(?:what|much|percent|percentage)$/.test(this.#words[at - 1]?.folded ?? "");
      if (AUXILIARIES.has(phrase) && !isAsked) return { alternatives: [[{ type: "form", show: "yes_no" }]], to };
    }
    return null;
  }

  #resolved(fragment: Fragment): Fragment {
    const traits = namedTraits(this.#dimensions);
    if (fragment.type !== "dimension" || !traits.has(fragment.dimension)) return fragment;
    const dimension = traits.get(fragment.dimension);
    if (dimension !== undefined) return { type: "dimension", dimension };
    // A trait with a name that isn't read as the attribute says what this workspace calls a renewal.
    return fragment.dimension === "renewal"
      ? { type: "dimension", dimension: "contract_ends" }
      : { type: "reason", reason: "unmeasured_attribute" };
  }

  /** "top5", "bottom10". */
  #rankingAt(at: number): Segment | null {
    const word = this.#words[at];
    const [, order = "", value] = /^([a-z]+)(\d{1,3})$/.exec(word?.quote === null ? word.folded : "") ?? [];
    const [fragments] = (fragmentType(order) === "order" && LEXICON.get(order)) || [];
    const number: Fragment = { type: "number", value: Number(value) };
    return fragments === undefined ? null : { alternatives: [[...fragments, number]], to: at + 1 };
  }

  #numberAt(at: number): Segment | null {
    const sign = MONEY[this.#words[at]?.folded ?? ""];
    let to = sign === undefined ? at + 1 : at + 2;
    const word = this.#words[to - 1];
    const value = word === undefined ? null : numberOf(word);
    if (value === null) return null;
    const isPlus = this.#words[to]?.folded === "+";
    if (isPlus) to += 1;
    const currency = sign ?? MONEY[this.#words[to]?.folded ?? ""];
    const unit = unitOf(this.#words[to]?.folded);
    if (unit !== null || (sign === undefined && currency !== undefined)) to += 1;
    const number: Fragment = { type: "number", value, ...(unit && { unit }), ...(currency && { currency }) };
    return { alternatives: [isPlus ? [{ type: "bound", condition: "from" }, number] : [number]], to };
  }
}

function numberOf({ raw, folded }: Word): number | null {
  const match = NUMBER.exec(raw.toLowerCase());
  if (match?.[1] === undefined) return NUMBER_WORDS.get(folded) ?? null;
  const factor = match[2] === "k" ? 1_000 : match[2] === "m" ? 1_000_000 : 1;
  const value = factor * Number(match[1].replaceAll(/[.,](?=\d{3}(?!\d))/g, "").replace(",", "."));
  return Number.isFinite(value) ? value : null;
}

function unitOf(word: string | undefined): Unit | "percent" | null {
  if (word === "%" || word === "percent") return "percent";
  return UNITS.find((unit) => word === unit || word === `${unit}s`) ?? null;
}

/** Returns the times that begin at each word, and what else they may mean. */
function timesOf(words: readonly Word[], today: Day): { alternatives: Alternatives; to: number }[][] {
  const offsets: number[] = [];
  let text = "";
  for (const [at, { folded, raw, joint }] of words.entries()) {
    if (at > 0) text += joint;
    offsets.push(text.length);
    // A date with dots is one word.
    text += /^\d+\.\d/.test(raw) ? raw : folded;
  }
  const reader = new TimeReader(text, today);
  return offsets.map((start) => {
    const time = reader.timeAt(start);
    if (time === null) return [];
    const to = offsets.findLastIndex((each) => each < start + time.length) + 1;
    const { length: _, ends, ...fragment } = time;
    const compared = ends?.map((end): Fragment => ({ type: "window", window: end })).toReversed();
    const [later, earlier] = compared ?? [];
    const others: Alternatives = later && earlier ? [[later, { type: "compare", isImplied: true }, earlier]] : [];
    return [{ alternatives: [[{ type: "window", ...fragment }], ...others], to }];
  });
}

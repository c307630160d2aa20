/**
 * A question cut into words, each of which knows where it stands, so that any run of them can be read as it was typed:
 * external ids like `acme-corp`, `u.42` and `jo@acme.example` are runs of words that nothing but themselves divides.
 */
import { foldName } from "../names.ts";

export interface Token {
  raw: string;
  /** By `foldName`; of a symbol the word for it. */
  folded: string;
  /** Where it stands in the text, in UTF-16 units. */
  start: number;
  end: number;
  /** Whether "'s" follows, or the "'" alone after an "s". It is no part of the word. */
  possessive: boolean;
  /** The number of the quotation that it stands in. */
  quote: number | null;
  /** The same of all that stands together between blanks, commas, dashes and slashes. */
  unit: number;
  /** The same of all that stands together between blanks alone. */
  chunk: number;
}

export interface Question {
  text: string;
  tokens: readonly Token[];
}

/** All that stands in quotation marks, where it has no letter. */
const QUOTED_SIGNS = /(?<=["“«`])[^\p{L}\p{N}\s"“”«»`]+(?=["”»`])/u;
/** Signs by themselves that neither divide nor end anything: they may be a name, and mean nothing else that is known. */
const LONE_SIGNS =
  /(?<![^\s"“«`(])(?=[^\p{L}\p{N}\s]*[^\p{L}\p{M}\p{N}\s.,;:!?…'’"“”«»`()[\]{}\-–—−/\\|&+<>=≥≤$€£#%•·*])[^\p{L}\p{N}\s"“”«»`?!.,;:()]+(?![^\s"”»`)?!.,;:])/u;
/** A sign before a number is no dash. */
const WORDS = /[\p{L}\p{M}\p{N}]+|[#%&+<>=≥≤$€£]|(?<=^|\s)[-−](?=\d)/u;
const PIECE = new RegExp([QUOTED_SIGNS, LONE_SIGNS, WORDS].map(({ source }) => source).join("|"), "gu");
/** After the end of a sentence they are a smile. */
const SMILE = /[.?!]\s*$/u;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;
/** "isn't": the negation is a word of its own. */
const NEGATED = /^n['’]t(?![\p{L}\p{N}])/iu;
const SHORTENED: ReadonlyMap<string, string> = new Map([
  ["ca", "can"],
  ["wo", "will"],
  ["sha", "shall"],
]);
const POSSESSIVE = /^["”»`]?['’]s(?![\p{L}\p{N}])/iu;
const PLURAL_POSSESSIVE = /^["”»`]?['’](?![\p{L}\p{N}])/iu;
/** "I'd", "they've": an auxiliary, which says nothing, but for the future. */
const AUXILIARY = /^['’](?:d|ve|re|m)(?![\p{L}\p{N}])/iu;
const FUTURE = /^['’]ll(?![\p{L}\p{N}])/iu;
const SYMBOL_WORDS: ReadonlyMap<string, string> = new Map([
  ["#", "number"],
  ["&", "and"],
  ["%", "percent"],
]);
const DIVIDES_CHUNKS = /\s/u;
const DIVIDES_UNITS = /[\s,;()[\]{}?!"“”«»…—–/\\|]/u;
const QUOTATIONS = /"([^"]+)"|“([^“”]+)”|«([^«»]+)»|`([^`]+)`|(?<![\p{L}\p{N}"”»`])'([^']+)'(?![\p{L}\p{N}])/gu;

/** What stands in quotation marks: where its inside begins and ends. */
interface Quotation {
  start: number;
  end: number;
}

export function quotationsOf(text: string): Quotation[] {
  return Array.from(text.matchAll(QUOTATIONS), (match) => ({
    start: match.index + 1,
    end: match.index + match[0].length - 1,
  }));
}

export function tokensOf(text: string, quotations: readonly Quotation[]): Token[] {
  const tokens: Token[] = [];
  let [unit, chunk, reached] = [0, 0, 0];
  const add = (raw: string, folded: string, start: number, possessive: boolean) => {
    const quote = quotations.findIndex((quotation) => start >= quotation.start && start < quotation.end);
    const at = { start, end: start + raw.length, unit, chunk };
    tokens.push({ raw, folded, possessive, quote: quote < 0 ? null : quote, ...at });
  };
  for (const match of text.matchAll(PIECE)) {
    if (match.index < reached) continue;
    const gap = text.slice(reached, match.index);
    if (DIVIDES_UNITS.test(gap)) unit += 1;
    if (DIVIDES_CHUNKS.test(gap)) chunk += 1;
    const [raw] = match;
    if (LONE_SIGNS.test(raw) && SMILE.test(text.slice(0, match.index))) continue;
    const after = text.slice(match.index + raw.length, match.index + raw.length + 5);
    if (!LETTER_OR_DIGIT.test(raw)) {
      if (raw === "#" && /^[\p{L}\p{N}]/u.test(after)) continue;
      add(raw, SYMBOL_WORDS.get(raw) ?? raw, match.index, false);
    } else if (raw.length > 1 && /n$/i.test(raw) && NEGATED.test(`n${after}`)) {
      const verb = raw.slice(0, -1);
      add(verb, SHORTENED.get(foldName(verb)) ?? foldName(verb), match.index, false);
      add(`n${after.slice(0, 2)}`, "not", match.index + raw.length - 1, false);
    } else {
      add(
        raw,
        foldName(raw),
        match.index,
        POSSESSIVE.test(after) || (/s$/i.test(raw) && PLURAL_POSSESSIVE.test(after)),
      );
      if (FUTURE.test(after)) add(after.slice(0, 3), "will", match.index + raw.length, false);
    }
    reached = Math.max(match.index + raw.length + suffixLength(after), tokens.at(-1)?.end ?? 0);
  }
  return tokens;
}

/** Of what follows a word with an apostrophe and belongs to it. */
function suffixLength(after: string): number {
  const suffix = POSSESSIVE.exec(after) ?? AUXILIARY.exec(after) ?? FUTURE.exec(after);
  return suffix?.[0].length ?? 0;
}

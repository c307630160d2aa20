/** Splits a question into words with their positions, so that any run of words can be read as typed. */
import { foldName } from "../../normalize-names.ts";
import { stemOf } from "../../stem.ts";

export interface Word {
  /** As typed, without a possessive ending. */
  raw: string;
  /** As `foldName` writes it; for a sign, the sign itself. */
  folded: string;
  /** Its position in the text, in UTF-16 units. */
  start: number;
  end: number;
  /** The number of the quotation that contains it; `null` outside of quotation marks. */
  quote: number | null;
  /** Whether a comma, a colon, a bracket or the end of a sentence precedes it. */
  isAfterStop: boolean;
  /** "Halcyon's": the next words name something that belongs to it. */
  isPossessive: boolean;
  /** What joins it to the word before it: "1-15 November", "sat/sun"; "–" for a dash between spaces. */
  joint: " " | "-" | "–" | "/";
}

export const wordSet = (words: string): ReadonlySet<string> => new Set(words.split(" "));

/** Returns the stems of words. */
export const stemSet = (words: string): ReadonlySet<string> => new Set(words.split(" ").map(stemOf));

/** Returns the first word of each entry, and the others: "day d days|week w weeks". */
export const wordTable = (entries: string): ReadonlyMap<string, readonly string[]> =>
  new Map(entries.split("|").map((entry) => [entry.split(" ")[0] ?? "", entry.split(" ").slice(1)]));

const QUOTATION = /"([^"]+)"|“([^”]+)”|«([^»]+)»|`([^`]+)`/gu;
const PIECE = /[\p{L}\p{M}\p{N}]+(?:[.,]\d+)*(?:(?<=\d)[km](?![\p{L}\p{N}]))?|[%&+<>=≥≤$€£]|#(?= )/gu;
/** Splits "isn't" and "isnt" into two words: the negation is a word of its own. */
const NEGATED = /^(.+?)n['’]t$|^(is|are|was|were|do|does|did|has|have|had|ca)nt$/iu;
const APOSTROPHE = /^(?:['’](?:t|s|d|ve|re|m|ll)(?![\p{L}\p{N}])|['’](?![\p{L}\p{N}]))/iu;
/** "whats", typed without the apostrophe. */
const UNMARKED = /^(what|who|how|where|when|that|there)s$/i;
const STOP = /[,;:()[\]?!\n]|[.](?=\s|$)|\s[-–—]\s/u;
/** "No. of exports", "avg. MRR": these dots end no sentence. */
const ABBREVIATED = /^(?:[Nn]o|[Nn]r|[Aa]vg|incl|vs|approx|max|min)\. \p{Ll}$/u;
const DASH = /^[-–—]$/u;
const SHORTENED: Readonly<Record<string, string>> = { ca: "can", wo: "will", sha: "shall" };

export function splitWords(text: string): Word[] {
  const quotations = Array.from(
    text.matchAll(QUOTATION),
    ({ index, 0: { length } }) => [index, index + length] as const,
  );
  const words: Word[] = [];
  let reached = 0;
  for (const match of text.matchAll(PIECE)) {
    const { index: start, 0: piece } = match;
    const end = start + piece.length;
    const after = APOSTROPHE.exec(text.slice(end))?.[0] ?? "";
    const quote = quotations.findIndex(([from, to]) => start >= from && end <= to);
    if (start < reached) continue;
    const gap = text.slice(reached, start);
    const position = {
      joint: jointOf(gap),
      isPossessive: /^['’]s?$/i.test(after),
      start,
      end,
      quote: quote < 0 ? null : quote,
      isAfterStop:
        STOP.test(text.slice(reached, start + 1)) &&
        !ABBREVIATED.test((words.at(-1)?.raw ?? "") + text.slice(reached, start + 1)),
    };
    const negated = NEGATED.exec(piece + after);
    const said = negated?.[1] ?? negated?.[2];
    if (said !== undefined) {
      const verb = foldName(said);
      words.push({ ...position, raw: said, folded: SHORTENED[verb] ?? verb });
      words.push({ ...position, raw: "n't", folded: "not", isAfterStop: false, joint: " " });
    } else {
      const raw = UNMARKED.exec(piece)?.[1] ?? piece;
      words.push({ ...position, raw, folded: foldName(raw) || raw });
      if (/^['’]ll$/i.test(after))
        words.push({ ...position, raw: after, folded: "will", isAfterStop: false, joint: " " });
    }
    reached = end + after.length;
  }
  return words;
}

const jointOf = (gap: string): Word["joint"] =>
  DASH.test(gap) ? "-" : DASH.test(gap.trim()) ? "–" : gap.trim() === "/" ? "/" : " ";

/** A run of words: the index of the first, and of the one after the last. */
export interface Run {
  from: number;
  to: number;
}

/** Returns the words of a run as typed. */
export const rawOf = (text: string, words: readonly Word[], { from, to }: Run): string =>
  text.slice(words[from]?.start, words[to - 1]?.end);

export const foldedOf = (words: readonly Word[], { from, to }: Run): string =>
  words
    .slice(from, to)
    .map(({ folded }) => folded)
    .join(" ");

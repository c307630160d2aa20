/**
 * Misspelt names: what a name within reach of a span has to share with it, by which the index is asked, and what the
 * tail brings is sifted. Distances are counted only for what passes.
 */
import { editDistanceWithin, fuzzyReach } from "../../core/ask/names.ts";
import { fuzzyGrams } from "./name-rows.ts";

/** An edit, a swap of neighbours at worst, changes so many trigrams. */
const GRAMS_PER_EDIT = 4;

export interface SoughtSpan {
  span: string;
  grams: readonly string[];
  /** So many trigrams the edits within reach may cost. */
  lost: number;
}

/** The spans that say enough for a name to be told by what is left of their trigrams. */
export function soughtSpans(spans: readonly string[]): SoughtSpan[] {
  return spans
    .map((span) => ({ span, grams: fuzzyGrams(span), lost: GRAMS_PER_EDIT * reachOf(span) }))
    .filter(({ grams, lost }) => lost > 0 && grams.length > lost);
}

/** Distances that are counted for a question: names made to resemble each other must not take it seconds. */
const MOST_DISTANCES = 10_000;

export interface SlipFinder {
  /** Whether a key is no further from one of the spans than a slip. */
  isSlip: (key: string) => boolean;
  /** Whether there were too many keys to tell: then none of those that are left may be the only one. */
  isSpent: () => boolean;
}

export function slipFinder(sought: readonly SoughtSpan[]): SlipFinder {
  let counted = 0;
  const places = new Map<string, number[]>();
  for (const [place, { grams }] of sought.entries()) {
    for (const gram of grams) places.set(gram, [...(places.get(gram) ?? []), place]);
  }
  const isSlip = (key: string): boolean => {
    const shared = sought.map(() => 0);
    for (const gram of fuzzyGrams(key)) {
      for (const place of places.get(gram) ?? []) shared[place] = (shared[place] ?? 0) + 1;
    }
    return sought.some(({ span, grams, lost }, place) => {
      if ((shared[place] ?? 0) < grams.length - lost) return false;
      counted += 1;
      return counted <= MOST_DISTANCES && editDistanceWithin(span, key, reachOf(span)) !== null;
    });
  };
  return { isSlip, isSpent: () => counted > MOST_DISTANCES };
}

const reachOf = (span: string): number => fuzzyReach(Array.from(span).length);

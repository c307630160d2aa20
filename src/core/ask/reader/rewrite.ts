/** Combines neighboring fragments: a rule replaces a few of them by their joint meaning. */
import type { Fragment, FragmentType, Of, Placed } from "./fragments.ts";
import type { Word } from "./words.ts";

export interface Around {
  words: readonly Word[];
  pieces: readonly Placed[];
}

/** @returns how many pieces it replaces, and by what; `null` if it doesn't fit */
export type Rule = (
  pieces: readonly Placed[],
  at: number,
  words: readonly Word[],
) => { count: number; put: readonly Fragment[] } | null;

/** Applies each rule wherever it fits. It ends: a rule leaves fewer pieces, or a piece that it doesn't fit again. */
export function rewrite(pieces: readonly Placed[], rules: readonly Rule[], words: readonly Word[]): Placed[] {
  let current = [...pieces];
  for (const rule of rules) {
    for (let at = 0, steps = 0; at < current.length && steps < MAX_STEPS; steps += 1) {
      const result = rule(current, at, words);
      if (result === null) {
        at += 1;
        continue;
      }
      const taken = current.slice(at, at + result.count);
      const place = { from: Math.min(...taken.map(({ from }) => from)), to: Math.max(...taken.map(({ to }) => to)) };
      current = [
        ...current.slice(0, at),
        ...result.put.map((fragment): Placed => ({ ...fragment, ...place })),
        ...current.slice(at + result.count),
      ];
      at = Math.max(0, at - 1);
    }
  }
  return current;
}

const MAX_STEPS = 1_000;

export const isA = <T extends FragmentType>(piece: Placed | undefined, type: T): piece is Of<T> => piece?.type === type;

/** The words between two pieces. */
export const between = (words: readonly Word[], a: Placed, b: Placed): string[] =>
  words.slice(a.to, b.from).map(({ folded }) => folded);

export const touch = (a: Placed | undefined, b: Placed | undefined): boolean =>
  a !== undefined && b !== undefined && a.to === b.from;

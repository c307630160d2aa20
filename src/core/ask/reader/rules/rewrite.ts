/** Rules that combine pieces that stand together, and how they are applied. */
import type { Filter } from "../../query/model.ts";
import type { Fragment, Piece } from "../fragments/fragments.ts";
import type { Word } from "../words/split-words.ts";

/**
 * @param next the pieces from an index on
 * @returns how many of them it replaces, and the fragments that replace them; `null` where it doesn't fit
 */
export type RewriteRule = (next: readonly Piece[], context: RuleContext) => Rewritten | null;

interface RuleContext {
  /** All pieces, and the index of the first of the next ones. */
  pieces: readonly Piece[];
  at: number;
  before: Piece | undefined;
  words: readonly Word[];
}

interface Rewritten {
  count: number;
  fragments: readonly Fragment[];
}

/** Replaces the next `count` pieces by fragments. */
export const swap = (count: number, ...fragments: readonly Fragment[]): Rewritten => ({ count, fragments });

export const UNSUPPORTED: Fragment = { type: "unsupported" };

export const filter = (own: Filter): Fragment => ({ type: "filter", filter: own });

/** Applies each rule in turn wherever it fits. A rule must not fit its own result; `MAX_STEPS` bounds an error. */
export function rewrite(pieces: readonly Piece[], rules: readonly RewriteRule[], words: readonly Word[]): Piece[] {
  let current = [...pieces];
  for (const rule of rules) {
    for (let at = 0, steps = 0; at < current.length && steps < MAX_STEPS; steps += 1) {
      const result = rule(current.slice(at), { pieces: current, at, before: current[at - 1], words });
      if (result === null) {
        at += 1;
        continue;
      }
      const taken = current.slice(at, at + result.count);
      const run = { from: Math.min(...taken.map(({ from }) => from)), to: Math.max(...taken.map(({ to }) => to)) };
      current = [
        ...current.slice(0, at),
        ...result.fragments.map((fragment): Piece => ({ ...fragment, ...run })),
        ...current.slice(at + result.count),
      ];
      at = Math.max(0, at - 1);
    }
  }
  return current;
}

const MAX_STEPS = 400;

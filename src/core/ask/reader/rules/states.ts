/** Rules for states that have a history: health, stage and plan; how they changed, and since when they are so. */
import type { Fragment, Of, Placed } from "../fragments/fragments.ts";
import {
  BEFORE_WINDOW,
  between,
  dimensionOf,
  filter,
  hasA,
  isA,
  isSubject,
  put,
  type Rule,
} from "../fragments/pieces.ts";
import type { Word } from "../words/words.ts";

export type State = { dimension: string; is: string };

const changedTo = ({ dimension, is }: State): Fragment => filter({ dimension, became: is });

const earlier = (state: State): Fragment => filter({ ...state, asOf: BEFORE_WINDOW });

/** It was so before the window, and isn't now. */
export const left = (state: State): Fragment[] => [
  filter({ dimension: state.dimension, isNot: state.is }),
  earlier(state),
];

const nounOf = ({ find }: Of<"find">): Fragment => ({ type: "find", find });

/** The health, stage or plan that a piece says: "healthy", "customers", "Business". */
export function stateOf(piece: Placed | undefined): State | null {
  const own = isA(piece, "find") && piece.where?.length === 1 ? piece.where[0] : undefined;
  const dimension = own?.dimension ?? dimensionOf(piece) ?? "";
  const is = own === undefined ? onlyOf(piece) : own.is;
  return HISTORIC.has(dimension) && typeof is === "string" ? { dimension, is } : null;
}

const HISTORIC = new Set(["health", "stage", "plan"]);

export function valuesOf(piece: Placed): readonly string[] | null {
  if (!isA(piece, "filter")) return null;
  const { is, in: several } = piece.filter;
  return typeof is === "string" ? [is] : several !== undefined ? several.map(String) : null;
}

/** The only value of a condition. */
export function onlyOf(piece: Placed | undefined): string | null {
  const values = isA(piece, "value")
    ? piece.values
    : isA(piece, "filter") && piece.filter.asOf === undefined
      ? valuesOf(piece)
      : null;
  return values?.length === 1 ? (values[0] ?? null) : null;
}

/** Whether a question asks about one account or user. */
export const isOfOne = (pieces: readonly Placed[]): boolean =>
  pieces.filter(isSubject).length === 1 && !hasA(pieces, "form", "list");

/** "From healthy to watch": the second is the new state, and the first the one before the window. */
export const fromTo: Rule = ([a, b], { words }) => {
  const [old, next] = [stateOf(a), stateOf(b)];
  if (a === undefined || b === undefined || old === null || !isFrom(words, a)) return null;
  if (old.dimension !== dimensionOf(b) && old.dimension !== next?.dimension) return null;
  if (!between(words, a, b).some((word) => /^(?:in)?to$/.test(word))) return null;
  return put(2, next === null ? b : changedTo(next), earlier(old));
};

/** "became healthy", "upgraded to Business", "recovered from at risk", "went" before "from healthy to watch". */
export const moved: Rule = ([a, b, c], { words }) => {
  // "Went from September to October" is about what is counted.
  if (isA(a, "moved") && isA(b, "window") && a.to === b.from && /^(?:go|went)/.test(words[a.from]?.folded ?? ""))
    return put(1, { type: "change", direction: null });
  const state = stateOf(b);
  const isRecovery = isA(a, "filter") && a.filter.became !== undefined;
  if (!isA(a, "moved") && !isA(a, "change") && !isRecovery) return null;
  if (isA(b, "filter") && (b.filter.became ?? b.filter.in) && isA(c, "filter") && c.filter.asOf === BEFORE_WINDOW)
    return put(2, b);
  if (b === undefined || state === null) return null;
  if (!isFrom(words, b))
    return isA(a, "moved") ? put(2, changedTo(state), ...(isA(b, "find") ? [nounOf(b)] : [])) : null;
  if (isRecovery) return a.filter.dimension === state.dimension ? put(2, a, earlier(state)) : null;
  // A rise or fall from the state in the middle may lead to either of the others.
  const isClear = isA(a, "moved") || (state.dimension === "health" && state.is !== "watch");
  return isClear ? put(2, ...left(state)) : null;
};

const isFrom = (words: readonly Word[], { from }: Placed): boolean =>
  words.slice(Math.max(0, from - 2), from).some(({ folded }) => folded === "from");

/** "How long", "since when", of what still is so: not "how long ago", "how long was it", "how long until". */
export function asksSince(pieces: readonly Placed[], words: readonly Word[]): boolean {
  const form = pieces.find((piece) => isA(piece, "form", "when"));
  const asked = words.slice(form?.from, (form?.to ?? 0) + 2).map(({ folded }) => folded);
  return (
    form !== undefined &&
    isOfOne(pieces) &&
    !pieces.some((piece) => isA(piece, "window") && piece.isVague !== true) &&
    /^(?:for )?(?:how long|since when)(?! (?:ago|was|were|did|until|till|is the))/.test(asked.join(" "))
  );
}

/** "How long has it been at risk", "since when is it a customer", "how long is it silent": when that began. */
export const sinceWhen: Rule = ([a], { pieces, words }) => {
  if (a === undefined || !asksSince(pieces, words)) return null;
  const state = stateOf(a);
  if (state !== null) return put(1, changedTo(state));
  return isA(a, "filter", "active") && a.filter.is === false
    ? put(1, { type: "dimension", dimension: "last_seen" })
    : null;
};

/** "ever at risk", "was ever a trial": at any recorded time. */
export const ever: Rule = ([a, b]) =>
  isA(a, "window") && "all" in a.window && isA(b, "filter", "health", "stage") && b.filter.is !== undefined
    ? put(2, filter({ dimension: b.filter.dimension, became: b.filter.is, window: { all: true } }))
    : null;

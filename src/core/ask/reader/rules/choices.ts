/** Rules for "this or that": they ask for a value, or for yes or no. */
import type { Piece } from "../fragments/fragments.ts";
import { dimensionOf, hasA, isA, isActive, isEntityName, isEvent, measureName } from "../fragments/pieces.ts";
import { swap, type RewriteRule } from "./rewrite.ts";
import { namesOneEntity, onlyOf, stateOf } from "./states.ts";

/** "Is it a customer or did it churn", "healthy or not": asks for the stage, or for yes or no. */
export const thisOrThat: RewriteRule = ([a, or, ...rest], { pieces }) => {
  if (a === undefined || !isA(or, "or")) return null;
  const isPointed = isA(rest[0], "pointer");
  const [b, c] = isPointed ? rest.slice(1) : rest;
  const count = isPointed ? 4 : 3;
  if (isA(a, "change") && isA(b, "change")) return swap(count, { type: "change", direction: null });
  if (!namesOneEntity(pieces)) return null;
  if (isA(b, "negation") && c === undefined) return swap(count, a, { type: "form", show: "yes_no" });
  // "Is she still active or has she gone quiet".
  if (isActive(a) && dimensionOf(b) === "active") return swap(count, a);
  // Two plain states are joined.
  if (!isPointed && [a, b].every((each) => onlyOf(each) !== null)) return null;
  const dimension = stageOf(a);
  return dimension !== null && dimension === stageOf(b) ? swap(count, { type: "dimension", dimension }) : null;
};

const stageOf = (piece: Piece | undefined): string | null =>
  isA(piece, "filter") && piece.filter.became !== undefined
    ? piece.filter.dimension
    : (stateOf(piece)?.dimension ?? null);

/** "Is it red, amber or green", "does it pay in euro or dollar": asks for the value. */
export const choiceOfValue: RewriteRule = ([a], { pieces, words }) => {
  const isOne = isA(a, "value")
    ? a.values.length > 1 && !isEntityName(a)
    : isA(a, "filter") && a.filter.in !== undefined;
  if (a === undefined || !isOne || !namesOneEntity(pieces) || hasA(pieces, "find") || pieces.some(isEvent)) return null;
  const hasOr = words.slice(a.from, a.to).some(({ folded }) => folded === "or");
  return hasOr ? swap(1, { type: "dimension", dimension: dimensionOf(a) ?? "" }) : null;
};

/** "Its plan, and whether it is a customer": the stage is asked for, too. */
export const whetherState: RewriteRule = ([a], { pieces, words }) => {
  const state = stateOf(a);
  const isAsked = words
    .slice(Math.max((a?.from ?? 0) - 5, 0), a?.from)
    .some(({ folded }) => /^(?:if|whether)$/.test(folded));
  const isBeside = pieces.some((piece) => piece !== a && measureName(piece) !== null);
  return isAsked && state !== null && isBeside && namesOneEntity(pieces)
    ? swap(1, { type: "dimension", dimension: state.dimension })
    : null;
};

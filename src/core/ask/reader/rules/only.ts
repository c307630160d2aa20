/** Rules for words that restrict a condition, or add nothing to it. */
import { DEFAULT_WINDOW } from "../../query/windows.ts";
import type { Placed } from "../fragments/fragments.ts";
import { filter, hasA, isA, isEvent, put, type Rule, touch } from "../fragments/pieces.ts";

const isPlain = (piece: Placed | undefined): boolean =>
  (isA(piece, "value") && piece.dimension !== "event") || isA(piece, "filter");

const isOnly = (piece: Placed | undefined): boolean => isA(piece, "bound", "is");

/** "Accounts that only use forecasts": one feature, of which nothing else is said. */
export const onlyEvents: Rule = ([a, b, c], { pieces, words }) => {
  const isBefore = isOnly(a);
  const use = isBefore && isA(b, "use", "uses") ? b : undefined;
  const event = isBefore ? (use === undefined ? b : c) : a;
  // "API called but only Team plan": the only plan.
  if (!isBefore && isPlain(c) && words[c?.from ?? 0]?.isAfterStop === false) return null;
  if (!isEvent(event) || !(isBefore || isOnly(b))) return null;
  const isOther = hasA(pieces, "filter", "events") || pieces.some((piece) => isEvent(piece) && piece !== event);
  const window = pieces.find((piece) => isA(piece, "window"))?.window ?? DEFAULT_WINDOW;
  const alone = filter({ dimension: "features_used", is: event.values.length, window });
  return put(use === undefined ? 2 : 3, event, ...(isOther ? [] : [alone]));
};

/** "Only Enterprise accounts", "usage drops, amer only". */
export const only: Rule = ([a, b, c]) => {
  if (isOnly(a)) return isPlain(b) || isA(b, "find") ? put(1) : null;
  return a !== undefined && isPlain(a) && isOnly(b) && touch(a, b) && !isA(c, "number") ? put(2, a) : null;
};

/** "Mid-sized (20 to 60 seats)", "the big accounts, i.e. Enterprise", "why is the score so low": something else says it. */
export const sized: Rule = (next, { pieces, words }) => {
  const isSaid = (piece: Placed): boolean =>
    isA(piece, "filter", "seats", "mrr") || (isA(piece, "value", "plan") && words[piece.from]?.isAfterStop === true);
  const isWhy = hasA(pieces, "form", "why") && hasA(pieces, "measure", "score");
  return isA(next[0], "sized") && (isWhy || next.some(isSaid)) ? put(1) : null;
};

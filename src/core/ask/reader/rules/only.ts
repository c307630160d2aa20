/** Rules for words that restrict a condition, or add nothing to it. */
import { DEFAULT_WINDOW } from "../../query/windows.ts";
import type { Piece } from "../fragments/fragments.ts";
import { hasA, isA, isActive, isEntityName, isEvent, touch } from "../fragments/pieces.ts";
import { AUXILIARIES } from "../lexicon/lexicon.ts";
import { filter, swap, type RewriteRule, UNSUPPORTED } from "./rewrite.ts";

const isPlain = (piece: Piece | undefined): boolean =>
  (isA(piece, "value") && piece.dimension !== "event") || isA(piece, "filter");

const isOnly = (piece: Piece | undefined): boolean => isA(piece, "bound", "is");

/** "Accounts that only use forecasts": they use no other feature, unless the question names another event. */
export const onlyEvents: RewriteRule = ([a, b, c], { pieces, words }) => {
  const isBefore = isOnly(a);
  const use = isBefore && isA(b, "use", "uses") ? b : undefined;
  const event = isBefore ? (use === undefined ? b : c) : a;
  // "API called but only Team plan": the only plan.
  if (!isBefore && isPlain(c) && words[c?.from ?? 0]?.isAfterStop === false) return null;
  // "Exported only last week" restricts the time.
  if (!isEvent(event) || !(isBefore || isOnly(b)) || (!isBefore && isA(c, "window"))) return null;
  const isOther = hasA(pieces, "filter", "events") || pieces.some((piece) => isEvent(piece) && piece !== event);
  const window = pieces.find((piece) => isA(piece, "window"))?.window ?? DEFAULT_WINDOW;
  const alone = filter({ dimension: "features_used", is: event.values.length, window });
  return swap(use === undefined ? 2 : 3, event, ...(isOther ? [] : [alone]));
};

/** "Only Enterprise accounts", "usage drops, amer only". Not: "does only Lumen use it", "used by admins only". */
export const only: RewriteRule = ([a, b, c], { pieces, words }) => {
  const [mark, said] = isOnly(a) ? [a, b] : [b, a];
  if (mark === undefined || said === undefined || !isOnly(mark)) return null;
  // "Active only in October", "only last week": at no other time.
  if (mark === a && (isA(said, "window") || (isActive(said) && isA(c, "window")))) return swap(2, UNSUPPORTED);
  // "Paying customers only", at the end.
  const begin = mark === b ? beginningOf(pieces, said) : Math.min(mark.from, said.from);
  const isDone = pieces.some((piece) => isEvent(piece) || isA(piece, "use"));
  const isAtEnd = words[mark.to]?.isAfterStop !== false && (!isDone || words[begin]?.isAfterStop === true);
  if (!isPlain(said) && !(isA(said, "find") && (mark === a || isAtEnd))) return null;
  const before = words[begin - 1]?.folded ?? "";
  const isOfOthers =
    AUXILIARIES.has(before) || before === "by" || isEntityName(said) || hasA(pieces, "find", "features");
  if (isOfOthers) return swap(2, UNSUPPORTED);
  return mark === a || (touch(a, b) && !isA(c, "number")) ? swap(2, said) : null;
};

/** Returns where the conditions before a noun begin. */
function beginningOf(pieces: readonly Piece[], said: Piece): number {
  const before = pieces[pieces.indexOf(said) - 1];
  return before !== undefined && isPlain(before) && touch(before, said) ? beginningOf(pieces, before) : said.from;
}

/** Tests whether pieces name an account or a user, and nothing that is counted or measured. */
export const namesOnlyEntity = (pieces: readonly Piece[]): boolean =>
  pieces.some(isEntityName) &&
  !pieces.some((piece) => isEvent(piece) || isA(piece, "measure") || isA(piece, "dimension"));

/** "Mid-sized (20 to 60 seats)", "the big accounts, i.e. Enterprise", "why is the score so low": something else says it. */
export const sized: RewriteRule = (next, { pieces, words }) => {
  const isSaid = (piece: Piece): boolean =>
    isA(piece, "filter", "seats", "mrr") || (isA(piece, "value", "plan") && words[piece.from]?.isAfterStop === true);
  const asksWhy = hasA(pieces, "form", "why");
  const isWhy = asksWhy && hasA(pieces, "measure", "score");
  // "Why is it low": its score.
  const isPoor =
    asksWhy && namesOnlyEntity(pieces) && /^(?:low|bad|poor)$/.test(words[(next[0]?.to ?? 0) - 1]?.folded ?? "");
  return isA(next[0], "sized") && (isWhy || isPoor || next.some(isSaid)) ? swap(1) : null;
};

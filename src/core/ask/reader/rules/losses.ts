/** Rules for what was lost: money, points or users, and not who left. */
import type { Fragment, PieceOf, Piece } from "../fragments/fragments.ts";
import { hasA, isA, isEntityName, isEvent, isWho, touch } from "../fragments/pieces.ts";
import { foldedOf, type Word } from "../words/split-words.ts";
import { swap, type RewriteRule, UNSUPPORTED } from "./rewrite.ts";

/** "How much did we lose", "how much MRR are we losing": what churned and contracted, not who. */
export const lostMoney: RewriteRule = ([a, b], { pieces, words }) => {
  if (hasA(pieces, "find") || pieces.some(isEntityName) || pieces.some(isWho)) return null;
  if (isChurn(a) && isLosing(words, a) && isA(b, "measure", "mrr") && touch(a, b)) return swap(2, LOST_MRR);
  if (!isChurn(b)) return null;
  // "How much MRR did we lose to churn": said twice.
  if (isA(a, "measure", "mrr_lost") && words[b.from - 1]?.folded === "to") return swap(2, a);
  if (!isLosing(words, b)) return null;
  if (isA(a, "form", "count") && foldedOf(words, a) === "how much") return swap(2, a, LOST_MRR);
  return isA(a, "measure", "mrr") ? swap(2, LOST_MRR) : null;
};
const LOST_MRR: Fragment = { type: "measure", measure: "mrr_lost" };
const isChurn = (piece: Piece | undefined): piece is PieceOf<"filter"> =>
  isA(piece, "filter", "stage") && (piece.filter.became ?? piece.filter.is) === "churned";
const isLosing = (words: readonly Word[], { to }: Piece): boolean =>
  /^(?:lost|lose|losing)$/.test(words[to - 1]?.folded ?? "");

/** "Lost the largest number of active users": by how much it fell, and not who left. */
export const lostMost: RewriteRule = ([a, b, ...rest], { words }) => {
  if (!isChurn(a) || !isLosing(words, a) || !isA(b, "order") || b.direction !== "down" || b.isMore === true)
    return null;
  const isCount = isA(rest[0], "form", "count");
  const measure = isCount ? rest[1] : rest[0];
  const fell: Fragment = { type: "change", direction: "down" };
  return isA(measure, "measure") && measure.measure !== "mrr" ? swap(isCount ? 4 : 3, fell, b, measure) : null;
};

/** "Lost score", "lost more than 5 seats": what was lost, not who left. */
export const lostWhat: RewriteRule = ([a, b], { pieces, at, words }) => {
  if (!isA(a, "filter", "stage") || !/^(?:lost|lose|losing)$/.test(words[a.to - 1]?.folded ?? "")) return null;
  // "How many seats did Lumen lose".
  const said = pieces.slice(0, at);
  const isAsked =
    hasA(said, "measure", "seats") || hasA(said, "find", "users") || (hasA(said, "measure") && said.some(isEntityName));
  if (!isAsked && isA(b, "measure") && touch(a, b)) return swap(1, { type: "change", direction: "down" });
  return isAsked || isEvent(b) || /^(?:bound|number|dimension|find)$/.test(b?.type ?? "") ? swap(1, UNSUPPORTED) : null;
};

/** Rejects "most points lost", "seats sold this month": no churned accounts, and not the seats at the end of the month. */
export const soldOrLost: RewriteRule = ([a, b], { pieces, words }) => {
  const isLost = isChurn(b) && words[b.to - 1]?.folded === "lost" && touch(a, b) && !isA(a, "measure", "mrr");
  const isSold = /\b(?:sold|booked)\b/.test(foldedOf(words, a ?? NOWHERE)) && hasA(pieces, "window");
  return isA(a, "measure") && (isLost || isSold) ? swap(isLost ? 2 : 1, UNSUPPORTED) : null;
};
const NOWHERE = { from: 0, to: 0 };

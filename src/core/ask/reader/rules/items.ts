/** Rules for inbox items, and for what their kinds say of accounts. */
import { ITEM_STATUSES } from "../../../inbox/model.ts";
import type { Piece, PieceOf } from "../fragments/fragments.ts";
import { hasA, isA, touch } from "../fragments/pieces.ts";
import { foldedOf } from "../words/split-words.ts";
import { filter, swap, type RewriteRule } from "./rewrite.ts";

const isCondition = (piece: Piece): boolean => isA(piece, "filter") || isA(piece, "value");

/** "Inbox: the oldest notice": said twice. */
export const inboxOf: RewriteRule = ([a], { pieces, at, words }) =>
  isA(a, "find", "items") &&
  foldedOf(words, a).endsWith("inbox") &&
  words[a.to]?.isAfterStop === true &&
  hasA(pieces.slice(at + 1), "find", "items")
    ? swap(1)
    : null;

/** "All critical notices", "every notice": of any status. */
export const allItems: RewriteRule = ([a], { pieces, at, words }) => {
  if (!isA(a, "find", "items") || a.where !== undefined) return null;
  const begin = pieces
    .slice(0, at)
    .findLastIndex((piece, index) => !isCondition(piece) || !touch(piece, pieces[index + 1]));
  const from = pieces[begin + 1]?.from ?? a.from;
  const lead = words.slice(0, from).findLast(({ folded }) => !/^(?:the|our|my|of)$/.test(folded));
  const isAll = [lead, words.at(-1)].some((word) => /^(?:all|every|each)$/.test(word?.folded ?? ""));
  const where = [{ dimension: "status", in: [...ITEM_STATUSES] }];
  return isAll ? swap(1, { ...a, where }) : null;
};

/** "Notices with dates", "with severity", "which are snoozed, and until when": a list of items shows them anyway. */
export const itemDates: RewriteRule = ([a, b], { pieces }) => {
  const date = isA(a, "with") ? b : a;
  const isShown = isA(date, "dimension", "opened", "severity", "item_kind")
    ? date !== a
    : isA(date, "dimension", "snoozed_until") &&
      pieces.some((piece) => isA(piece, "filter") && piece.filter.is === "snoozed");
  const isListed =
    hasA(pieces, "find", "items") && !["count", "when", "yes_no"].some((form) => hasA(pieces, "form", form));
  return isShown && isListed && !hasA(pieces, "order") && !hasA(pieces, "per") ? swap(date === a ? 1 : 2) : null;
};

/** "The last three notices", "the last 5 critical notices": the newest. */
export const lastItems: RewriteRule = ([a, b, ...rest], { words }) => {
  const isLast = isA(a, "dimension", "last_seen") && foldedOf(words, a) === "last";
  const noun = rest.find((piece) => !isA(piece, "filter"));
  return isLast && isA(b, "number") && b.unit === undefined && touch(a, b) && isA(noun, "find", "items")
    ? swap(2, { type: "order", direction: "down", by: "time" }, b)
    : null;
};

/** "Which trial is ending next", "this week": by its date, and not by a notice. */
export const trialEnding: RewriteRule = ([a], { pieces }) => {
  const isEnding = isA(a, "filter", "item_kind") && a.filter.in?.includes("trial_ending_ready") === true;
  const isDated = pieces.some((piece) => isA(piece, "window") || (isA(piece, "order") && piece.by === "time"));
  const trials = { dimension: "stage", is: "trial" };
  return isEnding && isDated && !hasA(pieces, "find", "items")
    ? swap(1, filter(trials), { type: "dimension", dimension: "trial_ends" })
    : null;
};

/** "Which accounts had seats reduced since May": the notice is also about MRR, and may be resolved. */
export const seatsReduced: RewriteRule = ([a], { pieces, words }) =>
  isA(a, "filter", "item_kind") &&
  a.filter.is === "contraction" &&
  /\bseats?\b/.test(foldedOf(words, a)) &&
  hasA(pieces, "window") &&
  !hasA(pieces, "find", "items")
    ? swap(1, filter({ dimension: "seats", changed: "down" }))
    : null;

/** "Ready to buy more today": so now, whenever the notice came. */
export const readyToday: RewriteRule = ([a], { pieces }) =>
  isA(a, "window") &&
  "this" in a.window &&
  a.window.this === "day" &&
  !hasA(pieces, "find", "items") &&
  pieces.some((piece) => isA(piece, "filter", "item_kind") && isReady(piece))
    ? swap(1)
    : null;
const isReady = (piece: PieceOf<"filter">): boolean => READY.test(String(piece.filter.is ?? piece.filter.in));
const READY = /usage_growth|ready|nearly_full/;

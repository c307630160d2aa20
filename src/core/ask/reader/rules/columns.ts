/** Rules for what a list shows beside what it lists. */
import type { Piece } from "../fragments/fragments.ts";
import { between, hasA, isA, isEvent, isWho, touch } from "../fragments/pieces.ts";
import { foldedOf } from "../words/split-words.ts";
import { swap, type RewriteRule, UNSUPPORTED } from "./rewrite.ts";

/** "Accounts with the number of exports", "who exported, with counts": a column with the number of events. */
export const withNumber: RewriteRule = ([a, b], { pieces, words }) => {
  if (isA(a, "with") && /counts?$/.test(foldedOf(words, a)) && !isA(b, "measure"))
    return pieces.some(isEvent)
      ? swap(1, { type: "with" }, { type: "measure", measure: "events" })
      : swap(1, UNSUPPORTED);
  const isNumber = isA(a, "with") && words.slice(a.from, a.to).some(({ folded }) => folded === "number");
  if (!isNumber || isA(b, "measure")) return null;
  return isEvent(b) ? swap(2, { type: "with" }, { type: "measure", measure: "events" }, b) : swap(1, UNSUPPORTED);
};

/** "Users with their accounts", "who exported, and at which company": a column. Items show their account anyway. */
export const withAccounts: RewriteRule = ([a, b], { pieces, at, before, words }) => {
  const isAsked =
    isA(a, "form", "list") && ASKED_ACCOUNT.test(foldedOf(words, { from: Math.max(a.from - 2, 0), to: a.to }));
  const isAnd = isA(before, "dimension") && a !== undefined && between(words, before, a).join(" ") === "and";
  const isShown = isA(a, "with") || isAnd || (a !== undefined && words[a.from - 1]?.folded === "with");
  const accounts = isA(a, "with") || isAsked ? b : a;
  if (!(isAsked || isShown) || !isA(accounts, "find", "accounts") || accounts.where !== undefined) return null;
  const earlier = pieces.slice(0, at);
  const count = accounts === a ? 1 : 2;
  if (isAsked && hasA(earlier, "find", "items")) return swap(count);
  const ofUsers = earlier.find((piece) => isA(piece, "find") || isWho(piece) || isRole(piece));
  return isWho(ofUsers) || isA(ofUsers, "find", "users") || isRole(ofUsers)
    ? swap(count, { type: "with" }, { type: "dimension", dimension: "account" })
    : null;
};

const isRole = (piece: Piece | undefined): boolean => isA(piece, "value") && piece.dimension.startsWith("user.");

const ASKED_ACCOUNT = /^and (?:at|for|from|in|by|of|to) (?:which|what)$/;

/** "The export count of Enterprise accounts" counts exports. */
export const eventCount: RewriteRule = ([a, b], { words }) =>
  isEvent(a) &&
  isA(b, "form", "count") &&
  /^counts?(?: of)?$/.test(foldedOf(words, b)) &&
  touch(a, b) &&
  !words[b.from]?.isAfterStop
    ? swap(2, { type: "measure", measure: "events" }, a)
    : null;

/** Turns "which Enterprise accounts need attention" into open inbox items about these accounts. */
import type { Filter } from "../../query/model.ts";
import type { Fragment, PieceOf, Piece } from "../fragments/fragments.ts";
import { hasA, isA } from "../fragments/pieces.ts";
import { foldedOf, type Word } from "../words/split-words.ts";
import { isOfAccounts } from "./context.ts";

const OPEN: Filter = { dimension: "status", is: "open" };
const ANY_ITEM: Filter = { dimension: "item_kind", isUnknown: false };

/** An inbox lists the most urgent items first. Questions that say more than what accounts are meant have no answer. */
export function rewriteAttention(fragments: readonly Piece[], words: readonly Word[]): readonly Piece[] {
  const asked = fragments.find((piece) => isA(piece, "attention"));
  if (asked === undefined) return fragments;
  const { from, to } = asked;
  // "Any fires this week": those that began in it. "Who should I call this week" is about the call.
  const isDated = FIRES.test(foldedOf(words, asked));
  // "How many accounts need attention".
  if (hasA(fragments, "form", "count"))
    return fragments.map((piece) => (piece === asked ? { type: "filter", filter: ANY_ITEM, from, to } : piece));
  const others = fragments.flatMap((piece) =>
    (isDated && isA(piece, "window") && !isToday(piece) ? [piece] : kept(piece, piece.from > from)).map(
      (each): Piece => ({ ...each, from: piece.from, to: piece.to }),
    ),
  );
  return [
    { type: "form", show: "list", from, to },
    { type: "find", find: "items", where: [OPEN], from, to },
    ...others,
  ];
}

const isToday = ({ window }: PieceOf<"window">): boolean => "this" in window && window.this === "day";
const FIRES = /\b(?:fires|fire to put|emergenc)/;

/** Returns what a piece adds to the items that are asked for; `isAfter` the phrase that asks for them. */
function kept(piece: Piece, isAfter: boolean): readonly Fragment[] {
  if (isA(piece, "find", "accounts")) return (piece.where ?? []).map((filter) => ({ type: "filter", filter }));
  // "And why": the kind of an item says so.
  const isImplied =
    isA(piece, "attention") ||
    isA(piece, "find", "items") ||
    isA(piece, "form", "list", "yes_no", ...(isAfter ? ["why"] : [])) ||
    (isA(piece, "window") && "this" in piece.window && /^(?:day|week)$/.test(piece.window.this));
  if (isImplied) return [];
  const isCondition =
    (isA(piece, "value") && isOfAccounts(piece.dimension)) ||
    (isA(piece, "filter", "health", "stage", "severity", "item_kind") && (piece.filter.is ?? piece.filter.in)) ||
    isA(piece, "or");
  return [isCondition ? piece : { type: "unsupported" }];
}

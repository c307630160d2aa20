/** Takes comparatives between two times, such as "more exports than last month". */
import type { Draft, PieceOf, Piece } from "../fragments/fragments.ts";
import type { Pieces } from "../fragments/pieces.ts";
import { isA, isActive, isEvent } from "../fragments/pieces.ts";
import { AUXILIARIES } from "../lexicon/lexicon.ts";
import { UNSUPPORTED } from "../rules/rewrite.ts";
import type { Word } from "../words/split-words.ts";
import { comparedValues } from "./comparisons.ts";

/** "More exports in May than in April": between two times, "more" asks for a change. */
export function takeComparatives(pieces: Pieces, draft: Draft, words: readonly Word[]): void {
  const comparesWindows = pieces.has("before") || (pieces.has("compare") && pieces.has("window"));
  // "More exports than shares this month".
  if (!comparesWindows || comparedValues(pieces) !== null || eventsIn(pieces).size > 1) return;
  const mores = pieces.all("order").filter(({ isMore }) => isMore);
  const counts = pieces.all("form", "count");
  for (const mark of [...mores, ...counts]) countActive(pieces, draft, mark);
  // "More at-risk accounts than last month": how many there were isn't known.
  for (const more of mores) if (isCountable(pieces.firstAfter(more, isNoun))) pieces.replace(more, UNSUPPORTED);
  const [first] = pieces.remaining;
  const [noun, ...others] = pieces.all("find");
  // "Were Enterprise customers more active": all of them together.
  const isOfAll = AUXILIARIES.has(words[first?.from ?? 0]?.folded ?? "") && others.length === 0;
  if (isOfAll && mores.length > 0 && isA(noun, "find", "users", "accounts") && noun.isOne === undefined) {
    draft.where.push(...(noun.where ?? []));
    pieces.take(noun);
  }
  if (mores.some(({ by }) => by === "events") && !pieces.has("measure")) draft.measure = "events";
  for (const more of mores) {
    // "More features than last month".
    const next = pieces.after(more);
    if (isA(next, "find", "features")) pieces.replace(next, { type: "measure", measure: "features_used" });
    const direction = more.direction === "down" ? "up" : "down";
    pieces.replace(more, { type: "change", direction, ...(more.by === "score" && { by: more.by }) });
  }
}

const isCountable = (piece: Piece | undefined): boolean =>
  isA(piece, "find", "accounts", "users", "items") || (isA(piece, "value") && isOfUsers(piece));

const isNoun = (piece: Piece): boolean =>
  isA(piece, "value") ? isEvent(piece) || isOfUsers(piece) : !isA(piece, "filter");

const eventsIn = (pieces: Pieces): Set<string> => new Set(pieces.all("value", "event").flatMap(({ values }) => values));

/** "More people used dashboards", "more active accounts": compares how many of them were active. */
function countActive(pieces: Pieces, draft: Draft, mark: Piece): void {
  const noun = pieces.firstAfter(mark, isNoun);
  const active = pieces.remaining.find(isActive);
  if (active === undefined && !pieces.remaining.some(isEvent)) return;
  if (isA(noun, "value") && isOfUsers(noun)) draft.where.push({ dimension: noun.dimension, in: [...noun.values] });
  else if (isA(noun, "find", "users", "accounts")) draft.where.push(...(noun.where ?? []));
  else return;
  const measure = isA(noun, "find", "accounts") ? "active_accounts" : "active_users";
  pieces.replace(noun, { type: "measure", measure });
  pieces.take(active);
}

const isOfUsers = ({ dimension }: PieceOf<"value">): boolean => dimension.startsWith("user.");

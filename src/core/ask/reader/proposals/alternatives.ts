/** What a question may mean that says too little: by what it ranks, when a state held, how users are counted. */
import type { Day } from "../../../health/model.ts";
import { windowDays, isoDate } from "../../query/windows.ts";
import type { Piece } from "../fragments/fragments.ts";
import { isA, isWho } from "../fragments/pieces.ts";
import type { Reading } from "../fragments/readings.ts";

export const RANKINGS = ["mrr", "events", "score"] as const;

/** Bounds the work for questions without an answer. */
const MAX_CHANGED = 4;

type PieceChange = (piece: Piece, at: number, fragments: readonly Piece[]) => Piece;

/** Changes pieces of the likeliest readings. Leaves out readings that stay the same. */
export const changedBy = (change: PieceChange, readings: readonly Reading[]): Reading[] =>
  readings.slice(0, MAX_CHANGED).flatMap(({ fragments, ...reading }) => {
    const changed = fragments.map(change);
    return changed.every((piece, at) => piece === fragments[at]) ? [] : [{ ...reading, fragments: changed }];
  });

/** "Top 10 customers" doesn't say by what they are ranked. */
export const rankedBy =
  (by: (typeof RANKINGS)[number]): PieceChange =>
  (piece, at, fragments) => {
    const noun = fragments.slice(at + 1).find(({ type }) => !/^(?:number|value|filter)$/.test(type));
    // "Worst 3 in emea".
    const isOfAccounts =
      noun === undefined && fragments.some((each) => isA(each, "value")) && !fragments.some(isActivity);
    return isA(piece, "order") && piece.by === undefined && (isOfAccounts || isA(noun, "find", "accounts"))
      ? { ...piece, by }
      : piece;
  };

const isActivity = (piece: Piece): boolean =>
  isA(piece, "value", "event", "user") || isA(piece, "find") || isWho(piece);

/** "At risk in October": the state may have changed within a time, but at its end there is one. */
export const atEnd =
  (today: Day): PieceChange =>
  (piece, _at, fragments) => {
    const end = isA(piece, "window") ? windowDays(piece.window, today).to : today;
    const isOfState = fragments.some((each) => isA(each, "filter", "health"));
    return isOfState && end < today ? { ...piece, window: { from: isoDate(end), to: isoDate(end) } } : piece;
  };

/** "Accounts with more than 10 users": no filter counts all users of an account, but one counts those that were active. */
export const countingActive: PieceChange = (piece, _at, fragments) => {
  const { from, to } = piece;
  const isFirst = fragments.find((each) => isA(each, "find")) === piece;
  return isA(piece, "find", "users") && !isFirst ? { type: "measure", measure: "active_users", from, to } : piece;
};

/** Describes a question before the steps take its pieces. */
import type { Piece, PieceOf } from "../fragments/fragments.ts";
import type { Pieces } from "../fragments/pieces.ts";
import { between, dimensionOf, isA, isEvent, isWho, touch } from "../fragments/pieces.ts";
import type { Word } from "../words/split-words.ts";

/** What is known about a question before its pieces are taken. */
export interface QuestionShape {
  hasWho: boolean;
  hasNoun: boolean;
  startsWithNoun: boolean;
  /** What "how many" counts. */
  counted: Piece | undefined;
  hasEvent: boolean;
  /** "Exports by analysts", "exports at Enterprise accounts" ask for events, "analysts who export" for users. */
  asksForEvents: boolean;
  /** "Admins at our Enterprise accounts", "who at our Enterprise accounts": users. */
  asksForUsers: boolean;
  namesAccount: boolean;
  namesUser: boolean;
  /** "Who exports more, Lumen or Kestrel": accounts. "Who at Lumen or Kestrel exports more": users. */
  comparesAccounts: boolean;
}

const isLead = ({ folded }: Word): boolean => !/^(?:the|our|my|all)$/.test(folded);

export function questionShape(pieces: Pieces, words: readonly Word[]): QuestionShape {
  const count = pieces.first("form", "count");
  const isPaid = words[(count?.to ?? 0) - 1]?.folded === "much" && pieces.has("measure", "mrr");
  const values = pieces.all("value");
  const event = pieces.remaining.find(isEvent);
  const doers = values.find(({ dimension }) => dimension.startsWith("user."));
  const noun = pieces.first("find");
  const who = pieces.remaining.find(isWho);
  const lead = words.slice(0, noun === undefined ? 0 : beginningOf(pieces, noun)).findLast(isLead)?.folded ?? "";
  return {
    asksForUsers:
      noun !== undefined &&
      ((doers !== undefined &&
        between(words, doers, noun).some((word) => /^(?:at|of|in|from|within|across|on)$/.test(word))) ||
        (who !== undefined && who.from < noun.from && /^(?:at|in|from)$/.test(lead))),
    hasNoun: pieces.has("find"),
    startsWithNoun: isA(pieces.remaining[0], "find"),
    hasWho: who !== undefined,
    // "How much do customers pay" doesn't count customers.
    counted:
      count &&
      pieces.firstAfter(
        count,
        (piece) => canBeCounted(piece) && !(isPaid && isA(piece, "find") && !touch(count, piece)),
      ),
    hasEvent: pieces.remaining.some((piece) => dimensionOf(piece) === "event"),
    asksForEvents:
      event !== undefined &&
      ((doers !== undefined && event.from < doers.from && BY.test(words[doers.from - 1]?.folded ?? "")) ||
        (noun !== undefined && event.from < noun.from && /^(?:by|from|of|for|among|across|at)$/.test(lead))),
    namesAccount: values.some(({ dimension }) => dimension === "account"),
    comparesAccounts: pieces.has("order") && values.some((each) => isCompared(each, pieces, words)),
    namesUser: values.some(({ dimension }) => dimension === "user"),
  };
}

const isCompared = ({ dimension, values, from }: PieceOf<"value">, pieces: Pieces, words: readonly Word[]): boolean =>
  dimension === "account" &&
  values.length > 1 &&
  (pieces.has("compare") || words[from]?.isAfterStop === true) &&
  !/^(?:at|in|from|of)$/.test(words[from - 1]?.folded ?? "");

/** Returns where a noun begins, with the conditions before it: "at-risk Enterprise accounts". */
function beginningOf(pieces: Pieces, noun: Piece): number {
  const before = pieces.before(noun);
  const isPart = isA(before, "filter") || (isA(before, "value") && !isEvent(before));
  return isPart && touch(before, noun) ? beginningOf(pieces, before) : noun.from;
}

const BY = /^(?:by|from|of|for|among|across|our|the)$/;

/** Tests whether "how many" may count it: conditions may stand between. */
const canBeCounted = (piece: Piece): boolean =>
  isA(piece, "value") ? /^(?:event|user\..*)$/.test(piece.dimension) : !isA(piece, "filter") && !isA(piece, "new");

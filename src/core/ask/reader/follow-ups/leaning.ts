/** Tells questions that lean on the one before, such as "and in amer?", from whole ones. */
import type { Piece } from "../fragments/fragments.ts";
import { hasA, isA, isEntityName, isEvent, isWho } from "../fragments/pieces.ts";
import { AUXILIARIES } from "../lexicon/lexicon.ts";
import { foldedOf, wordSet, type Word } from "../words/split-words.ts";

/**
 * `clear`: says nothing without the question before. `unclear`: may stand alone as well, as "in emea, at risk" does.
 * `null`: a whole question.
 */
export type Leaning = "clear" | "unclear" | null;

const POLITE = "(?:(?:ok|okay|so|thanks|thank you|thx|great|good|then|now|well|hm|hmm|yes|please) )*";
const OPENING = new RegExp(
  `^${POLITE}(?:and|or|but|also|plus|what about|how about|(?:the )?same(?: but)? for|only|just)(?= |$)`,
);
const ASKING = /\b(?:which|who|when|why|how many|how much|what (?!about))\b/;
const CONTINUING = new RegExp(`^${POLITE}(?:in|at|for|on|with|from|of|by|per|to|during)$`);

const ANAPHORS = wordSet("they them their theirs those these");
/** "Those who export" says which, "these days" is a time. */
const RELATIVE = /^(?:who|that|which|whose|with|days?)$/;

/** Words that a shorter question may consist of. What is asked for comes from the question before. */
const FRAGMENT =
  /^(?:value|filter|window|bound|number|negation|or|both|unknown|per|order|nth|form|measure|dimension|compare|before|aggregate|find)$/;

const CONDITION = /^(?:value|filter|window|bound|number|negation|or|both|unknown|form)$/;

/** "The healthy ones": a noun that says nothing. */
export const isOnes = (piece: Piece, words: readonly Word[]): boolean =>
  isA(piece, "find") && piece.where === undefined && /^ones?$/.test(words[piece.to - 1]?.folded ?? "");

/** "How about last week" asks for no summary, and "only in emea" bounds no number. */
export const isOpening = (piece: Piece, words: readonly Word[], pieces: readonly Piece[]): boolean =>
  OPENING.test(foldedOf(words, { from: 0, to: piece.to })) &&
  (isA(piece, "form", "summary") || (isA(piece, "bound", "is") && piece === pieces[0] && !isA(pieces[1], "number")));

/** "How much MRR is that", "who is active there"; but "accounts that export", "are there any". */
function pointsBack(words: readonly Word[], at: number): boolean {
  const [before = "", said = "", after = ""] = [words[at - 1], words[at], words[at + 1]].map((word) => word?.folded);
  const isEnd = after === "" || words[at + 1]?.isAfterStop === true;
  const isVerb = AUXILIARIES.has(before);
  if (/^(?:there|here)$/.test(said))
    return at > 1 && !isVerb && !AUXILIARIES.has(after) && !/^(?:hi|hello|hey|out|over|in|dear)$/.test(before);
  return said === "that" && (isVerb || /^(?:of|about|like)$/.test(before)) && (isEnd || AFTER_THAT.test(after));
}
const AFTER_THAT = /^(?:in|worth|total|all|altogether|make|come|now|then|per|for|last|this)$/;

/**
 * Returns the positions of words for what the question before found: "they", unless the question itself says who.
 * @param isAny counts "it", "this account" and "which one" too
 */
export function anaphorsIn(pieces: readonly Piece[], words: readonly Word[], isAny: boolean): number[] {
  // "Which features do they use", "who are their users": what is asked for isn't who they are.
  const isAsked = (piece: Piece, at: number): boolean => {
    const gap = words.slice(piece.to, at).map(({ folded }) => folded);
    if (isWho(piece)) return gap.length > 0 && gap.every((word) => /^(?:is|are|was|were)$/.test(word));
    const isSubject = /^(?:they|it|he|she|those|these|that)$/.test(words[at]?.folded ?? "");
    return isA(piece, "find") && isSubject && gap.every((word) => AUXILIARIES.has(word));
  };
  return words.flatMap(({ folded }, at) => {
    const own = pieces.find(({ from, to }) => from <= at && at < to);
    const isPlace = folded !== "that" && pointsBack(words, at);
    if (isPlace || (isAny && folded === "it" && !isA(own, "pointer")))
      return pieces.some((piece) => isEntityName(piece) || isA(piece, "find", "accounts")) ? [] : [at];
    const isPointer = isA(own, "pointer") && own.from === at && (isAny || own.at === "any");
    if (isAny && /^ones?$/.test(folded) && words[at - 1]?.folded === "which") return [at];
    // "Exports last month vs this": this month.
    const isCompared = pieces.some((piece) => isA(piece, "compare") && piece.to === at) && hasA(pieces, "window");
    if (isCompared) return [];
    const isThat = folded === "that" && pointsBack(words, at);
    if (!isPointer && !isThat && (!ANAPHORS.has(folded) || RELATIVE.test(words[at + 1]?.folded ?? ""))) return [];
    const isSaid = pieces.some(
      (piece) =>
        piece !== own &&
        !isAsked(piece, at) &&
        (piece.to <= at || words[piece.from]?.isAfterStop === true || (!isAny && isEntityName(piece))) &&
        ((isA(piece, "find") && !(isAny && isOnes(piece, words))) ||
          isWho(piece) ||
          (isA(piece, "value") && !isEvent(piece)) ||
          (isThat && isA(piece, "dimension")) ||
          /^(?:filter|over)$/.test(piece.type)),
    );
    return isSaid ? [] : [at];
  });
}

export function leaningOf(given: readonly Piece[], words: readonly Word[], hasPrevious: boolean): Leaning {
  const pieces = given.filter((piece) => !isOpening(piece, words, given));
  if (anaphorsIn(pieces, words, hasPrevious).length > 0) return "clear";
  const said = foldedOf(words, { from: 0, to: words.length });
  const isAsked = hasA(pieces, "form") || ASKING.test(said);
  const isMeasured = pieces.some(
    (piece, index) => isA(piece, "measure") || (isA(piece, "dimension") && !isA(pieces[index - 1], "per")),
  );
  const hasNoun = pieces.some((piece) => isA(piece, "find") && !isOnes(piece, words));
  const isWhole =
    hasNoun ||
    (pieces.some(isWho) && pieces.length > 1) ||
    (isAsked && (isMeasured || pieces.some(isEntityName) || pieces.some(isEvent))) ||
    (isMeasured && pieces.some((piece) => isA(piece, "value") && !isEvent(piece)));
  const isQuestion = isAsked && (hasNoun || pieces.some(isWho) || !pieces.every(({ type }) => CONDITION.test(type)));
  // "What about Halcyon" alone asks for a summary.
  const isOfName = pieces.length > 0 && pieces.every(isEntityName);
  if (!hasPrevious && isOfName && /(?:what|how) about /.test(said)) return null;
  // "Which accounts", "and how many users": of those that were found, or all of them.
  const isShort = hasPrevious && pieces.length <= 2 && words.length <= 5 && !pieces.some(isEntityName);
  // "Do any use forecasts", "how often", "who has": of what was found.
  const isOfAny = ANY.test(said) && !hasNoun && !pieces.some((piece) => isWho(piece) || isOfPeople(piece));
  const isBareForm = hasPrevious && pieces.length > 0 && pieces.every((piece) => isA(piece, "form"));
  if ((hasPrevious && isOfAny) || isBareForm || (HOW_OFTEN.test(said) && pieces.every(isOfTimes))) return "clear";
  if (OPENING.test(said)) {
    const stands = isQuestion || (isWhole && pieces.some(isEntityName));
    return stands ? (isShort ? "unclear" : null) : "clear";
  }
  const [first, second] = pieces;
  if (first === undefined || hasA(pieces, "form", "summary") || !pieces.every(({ type }) => FRAGMENT.test(type)))
    return null;
  // "By plan", but not "weekly exports".
  const isGroup =
    isA(first, "per") &&
    /^(?:by|per|sort|sorted|order|ordered|rank|ranked)$/.test(words[first.from]?.folded ?? "") &&
    !pieces.some(isEvent);
  const isCompared = /^(?:compared|vs|versus|than)$/.test(words[first.from]?.folded ?? "");
  const isLed = CONTINUING.test(foldedOf(words, { from: 0, to: first.from })) && (!isMeasured || isA(second, "number"));
  if ((isGroup || isCompared || isLed) && !isAsked) return "clear";
  return isWhole && !isShort ? null : "unclear";
}

const ANY = /^(?:and |but )?(?:do|did|does|are|is|have|has|were|was) any (?!of )/;
const HOW_OFTEN = /^(?:and )?how (?:often|many times|frequently)\b/;

const isOfTimes = (piece: Piece): boolean =>
  isA(piece, "form") || isA(piece, "window") || isA(piece, "measure", "events");

const isOfPeople = (piece: Piece): boolean => isA(piece, "value") && !isEvent(piece);

/** "How many?", "last month?": without a condition, it needs the question before, if it isn't one itself. */
export const isBare = (pieces: readonly Piece[]): boolean =>
  pieces.every(({ type }) => /^(?:form|window|order|number|per|aggregate)$/.test(type));

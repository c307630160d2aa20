/**
 * Combines the fragments of a question into a query. Each step takes the fragments that belong together. A step rejects
 * a question by leaving a fragment: a fragment that no step takes would be a skipped word, so there is no query.
 */
import type { Query } from "../../query/model.ts";
import type { Draft, PieceOf, Piece } from "../fragments/fragments.ts";
import { between, isA, isActive, isEvent, isWho, Pieces } from "../fragments/pieces.ts";
import { AUXILIARIES } from "../lexicon/lexicon.ts";
import { rewrite } from "../rules/rewrite.ts";
import { REWRITE_RULES } from "../rules/rewrite-rules.ts";
import { foldedOf, type Word } from "../words/split-words.ts";
import { rewriteAttention } from "./attention.ts";
import { takeComparatives } from "./comparatives.ts";
import { takeComparisons } from "./comparisons.ts";
import type { DraftContext } from "./context.ts";
import { takeFilters, takeNew, takeShare } from "./filters.ts";
import { chooseFind } from "./find.ts";
import { finishQuery } from "./finish.ts";
import { takeAskedGroup, takeGroups } from "./groups.ts";
import { limitToOne, takeOrders } from "./orders.ts";
import { questionShape } from "./question-shape.ts";
import { takeShow } from "./show.ts";
import { takeUses } from "./uses.ts";
import { takeReturns, takeWindows } from "./windows.ts";

/** Questions with more fragments aren't read. Written questions have up to 11. */
const MAX_FRAGMENTS = 16;

/** @returns `null` if the fragments don't form one query */
export function assemble(fragments: readonly Piece[], words: readonly Word[], context: DraftContext): Query | null {
  if (fragments.length > MAX_FRAGMENTS) return null;
  const pieces = new Pieces(
    rewrite(withImpliedFeatures(rewriteAttention(fragments, words), words), REWRITE_RULES, words),
  );
  // "The last" alone has a meaning only for events.
  const isOfEvents = pieces.remaining.some(isEvent) || pieces.has("find", "features");
  if (!isOfEvents && pieces.all("dimension").some((each) => /^(?:last|first)$/.test(foldedOf(words, each))))
    return null;
  // "Active users and exports" are two numbers.
  if (pieces.remaining.some((piece) => isBeside(piece, pieces.after(piece), words))) return null;
  // "Who churned and who converted": two questions.
  const isSecondWho = (piece: Piece): boolean =>
    isWho(piece) && /^(?:and|or)$/.test(words[piece.from - 1]?.folded ?? "");
  if (isWho(pieces.remaining[0]) && pieces.remaining.some(isSecondWho)) return null;
  // "Which accounts exported, and for which users": two lists. Items show whom and what they are about.
  const isOfItems = pieces.has("find", "items") || pieces.has("filter", "item_kind");
  const isSecondNoun = ({ find, from }: PieceOf<"find">): boolean =>
    find !== pieces.first("find")?.find &&
    /\band (?:\w+ )?(?:which|what)$/.test(foldedOf(words, { from: Math.max(from - 3, 0), to: from }));
  if (!isOfItems && pieces.all("find").some(isSecondNoun)) return null;
  if (pieces.all("number").some((number) => isPartOfTop(number, words))) return null;
  // "90 days from renewal".
  const isBeforeDate = (piece: PieceOf<"window">): boolean =>
    /^(?:from|before|until)$/.test(words[piece.to]?.folded ?? "") &&
    isA(
      pieces.firstAfter(piece, (next) => !isA(next, "find")),
      "dimension",
    );
  if (pieces.all("window").some((piece) => "last" in piece.window && isBeforeDate(piece))) return null;
  const draft: Draft = { where: [] };
  takeReturns(pieces, context);
  takeComparatives(pieces, draft, words);
  takeGroups(pieces, draft, words, context);
  const question = questionShape(pieces, words);
  takeAskedGroup(pieces, draft, words, context);
  const isRanked = pieces.all("order").some(({ isMore }) => isMore !== true);
  takeOrders(pieces, draft, words);
  takeComparisons(pieces, draft, words, context);
  if (isRanked) limitToOne(pieces, draft, words);
  takeUses(pieces, draft, words, context);
  takeNew(pieces, draft, question, context);
  takeWindows(pieces, draft, context);
  takeShare(pieces, draft, words);
  takeFilters(pieces, draft);
  const find = chooseFind(pieces, draft, question);
  if (find === null) return null;
  draft.find = find;
  takeShow(pieces, draft, question, words, context);
  if (pieces.remaining.length > 0) return null;
  return finishQuery(draft, { ...context, words });
}

/**
 * Tests whether two things are asked for side by side: a measure and an event, users and accounts, a count and an MRR,
 * churned accounts and trials.
 */
const isBeside = (a: Piece, b: Piece | undefined, words: readonly Word[]): boolean =>
  b !== undefined &&
  /^(?:and|&|plus)(?: (?:the|their|its|our))*$/.test(between(words, a, b).join(" ")) &&
  ((isEvent(a) && isMeasured(b)) ||
    (isMeasured(a) && isEvent(b)) ||
    (isA(a, "find") && isA(b, "find") && a.find !== b.find) ||
    ((isA(a, "measure") || isA(a, "aggregate")) && isA(b, "form", "count")) ||
    (isA(a, "filter", "stage") && isA(b, "find") && b.where !== undefined) ||
    (isA(a, "filter") && a.filter.changed !== undefined && isMeasured(b)) ||
    (isA(a, "value") && isA(b, "measure", "events")) ||
    (isA(a, "measure", "active_users") && isActive(b)) ||
    (isA(a, "form", "count") && (isMeasured(b) || isA(b, "aggregate"))));

/** "Which of our 5 biggest customers export": filters would choose five others. */
const isPartOfTop = ({ from }: Piece, words: readonly Word[]): boolean =>
  /(?:^of|(?:which|any|many|none|some|who|all) of|among) (?:the|our|my)(?: top)?$/.test(
    foldedOf(words, { from: Math.max(from - 4, 0), to: from }),
  );

const isMeasured = (piece: Piece): boolean => isA(piece, "measure") && piece.measure !== "events";

/** "What does Lumen use", "what did Maria do" ask for features. */
function withImpliedFeatures(fragments: readonly Piece[], words: readonly Word[]): readonly Piece[] {
  const [what, verb] = words.filter(({ folded }) => folded === "what" || AUXILIARIES.has(folded));
  if (what?.folded !== "what" || verb === undefined) return fragments;
  const start = words.indexOf(verb);
  const done = words.findIndex(
    ({ folded }, at) => folded === "do" && fragments.some((piece) => isA(piece, "value") && piece.to === at),
  );
  const use =
    fragments.find((piece) => isA(piece, "use", "uses", "never", "stopped")) ??
    (done < 0 ? undefined : { from: done, to: done + 1 });
  const isOther = (piece: Piece): boolean =>
    isA(piece, "measure") ||
    isEvent(piece) ||
    (isA(piece, "find") && (piece.from < start || piece.find === "features" || piece.find === "items"));
  if (use === undefined || fragments.some(isOther)) return fragments;
  const { from, to } = use;
  const events: Piece[] = done < 0 ? [] : [{ type: "measure", measure: "events", from, to }];
  return [{ type: "find", find: "features", from, to }, ...events, ...fragments];
}

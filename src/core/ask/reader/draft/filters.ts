/** Takes the filters of a question: what is new, what a share is of, conditions and values. */
import type { Filter } from "../../query/model.ts";
import { DEFAULT_WINDOW } from "../../query/windows.ts";
import type { Draft, PieceOf, Piece } from "../fragments/fragments.ts";
import type { Pieces } from "../fragments/pieces.ts";
import { BEFORE_WINDOW, isA, isEntityName, isEvent } from "../fragments/pieces.ts";
import { AUXILIARIES } from "../lexicon/lexicon.ts";
import { foldedOf, type Word } from "../words/split-words.ts";
import type { DraftContext } from "./context.ts";
import { asConverted } from "./outcomes.ts";
import type { QuestionShape } from "./question-shape.ts";
import { dateFilter, belongsToCondition } from "./windows.ts";

/** "new users", "new notices since Friday". */
export function takeNew(pieces: Pieces, draft: Draft, shape: QuestionShape, context: DraftContext): void {
  const { hasWho, namesAccount, namesUser } = shape;
  // "New users who signed up": said twice.
  const [mark, ...repeated] = pieces.all("new");
  pieces.take(...repeated);
  if (mark === undefined) return;
  // "Who joined Lumen": its users.
  const [who] = pieces.all("form");
  if (who !== undefined && hasWho && namesAccount && !pieces.has("find"))
    pieces.replace(who, { type: "find", find: "users" });
  const [noun] = pieces.all("find");
  // "Accounts with a new item", "features that new users use": the others are new.
  const next = pieces.after(mark);
  if (isA(next, "find") && next.find !== noun?.find && (next.find === "items" || noun?.find === "features")) return;
  // "What's new at Lumen".
  if (noun === undefined && !hasWho && (namesAccount || namesUser))
    pieces.replace(mark, { type: "form", show: "summary" });
  // "New Enterprise customers" have become customers.
  const [stage] = noun?.where ?? [];
  if (stage?.is !== undefined && stage.dimension === "stage") {
    draft.where.push({ dimension: "stage", became: stage.is, ...(stage.is === "active" && { first: true }) });
    pieces.take(mark);
    return;
  }
  if (noun === undefined) return;
  const window = pieces.all("window").find((each) => !belongsToCondition(each, pieces));
  const dimension = noun.find === "items" ? "opened" : "first_seen";
  draft.where.push(dateFilter(dimension, window ?? { window: DEFAULT_WINDOW }, context));
  pieces.take(mark, window);
}

const isCondition = (piece: Piece): piece is PieceOf<"value"> | PieceOf<"filter"> =>
  isA(piece, "value") || isA(piece, "filter");

const RELATIVES = new Set(["that", "who", "which"]);

/** "What share of our Team customers in emea is healthy": the conditions before the verb choose the whole. */
export function takeShare(pieces: Pieces, draft: Draft, words: readonly Word[]): void {
  const [share, ...repeated] = pieces.all("share");
  // "What share is healthy, in percent".
  pieces.take(...repeated.filter(({ from, to }) => /^(?:percent|percentage|%)$/.test(foldedOf(words, { from, to }))));
  // "The share of engineers who call the API".
  const role = share && pieces.after(share);
  if (isA(role, "value") && role.dimension.startsWith("user.") && !pieces.has("find"))
    pieces.replace(role, { type: "find", find: "users", where: filtersOf(role) });
  const noun = pieces.first("find");
  if (share === undefined || noun === undefined || pieces.all("share").length > 1) return;
  // "Accounts using it, share of the customer base": a number and a share.
  const whole = pieces.after(share);
  if (isA(whole, "find") && whole !== noun) return;
  const conditions = pieces.remaining.filter(isCondition);
  // "The share of Enterprise accounts among trials", "out of all customers": the whole follows the part.
  if (words.slice(share.to).some(({ folded }) => folded === "among" || folded === "out")) return;
  const verbAfter = (start: number, isRelative: boolean): number =>
    words.findIndex(
      ({ folded }, at) =>
        at >= start && AUXILIARIES.has(folded) && RELATIVES.has(words[at - 1]?.folded ?? "") === isRelative,
    );
  const main = verbAfter(noun.to, false);
  // "Of accounts in emea that are at risk": the clause is the part.
  const [first, second] = conditions.filter(({ from }) => from >= noun.to);
  const verb =
    main < 0 && second !== undefined && second === conditions.at(-1) ? verbAfter(first?.to ?? 0, true) : main;
  const pieceIndex = (piece: Piece): number => pieces.remaining.indexOf(piece);
  // "Of users at Lumen exported": a verb without an auxiliary.
  const last = conditions.at(-1);
  const isOfWhole = (piece: Piece): boolean =>
    pieceIndex(piece) < pieceIndex(noun) || piece.from < verb || (verb < 0 && isEvent(last) && piece !== last);
  // "Out of all trials, what share …".
  const isBefore = pieceIndex(noun) < pieceIndex(share);
  const of = conditions.filter((piece) =>
    pieceIndex(piece) < pieceIndex(share) ? isBefore : !isBefore && isOfWhole(piece),
  );
  if (verb < 0 && conditions.length > of.length + 1) return;
  // "The share of admins at Northwind" may be of its users or of all admins.
  if (verb < 0 && noun.find === "users" && isA(last, "value", "account")) return;
  draft.show = "share";
  const filters = of.flatMap((piece) => (isA(piece, "filter") ? [piece.filter] : filtersOf(piece)));
  // "What share of trials converted": of those that were on trial before.
  const changes = pieces.all("filter").filter(({ filter }) => filter.became !== undefined);
  const hasChange = changes.some(({ filter }) => filter.dimension === "stage");
  draft.of = [...(noun.where ?? []), ...filters].map((filter) =>
    hasChange && filter.dimension === "stage" ? { ...filter, asOf: BEFORE_WINDOW } : filter,
  );
  if (draft.of.length === 0) delete draft.of;
  pieces.take(share, ...of);
  pieces.replace(noun, { type: "find", find: noun.find });
}

function filtersOf({ dimension, values, all }: PieceOf<"value">): Filter[] {
  if (all === true) return values.map((each) => ({ dimension, is: each }));
  return [values.length === 1 ? { dimension, is: values[0] ?? "" } : { dimension, in: [...values] }];
}

export function takeFilters(pieces: Pieces, draft: Draft): void {
  const seen = new Set(draft.where.map((filter) => keyOf(filter)));
  const changes = pieces.all("filter").filter(({ filter }) => filter.became !== undefined);
  // "Red accounts that turned green", "Team customers that moved to Business": the state before.
  const dated = (piece: Piece, own: Filter): Filter => {
    const isOld = changes.some(
      ({ from, filter }) => piece.from < from && filter.dimension === own.dimension && filter.became !== own.is,
    );
    return isOld && own.asOf === undefined && (own.is ?? own.in) !== undefined ? { ...own, asOf: BEFORE_WINDOW } : own;
  };
  const filters = pieces.all("filter").map((piece) => dated(piece, piece.filter));
  // "When does the trial of Lumen end".
  const asksOfTrial = pieces.remaining.some(isEntityName) && pieces.has("dimension", "trial_ends");
  const isConverted = filters.some(({ dimension, became }) => dimension === "stage" && became === "active");
  for (const filter of filters) {
    const isSaid = seen.has(keyOf(filter));
    // A repeated negation may mean something else.
    const isNegative = (filter.isNot ?? filter.isUnknown) !== undefined || filter.is === "insufficient_data";
    if (isSaid && isNegative) return;
    // An account that converted was on trial before, so "trial" adds nothing else.
    const isMeant =
      filter.dimension === "stage" &&
      (((isConverted || asksOfTrial) && filter.is === "trial") ||
        (filter.isNot === "active" && filters.some(({ is }) => is === "trial")));
    const isOfTrial = filters.some(({ dimension, is }) => dimension === "stage" && is === "trial");
    if (!isSaid && !isMeant) draft.where.push(isOfTrial ? asConverted(filter) : filter);
    seen.add(keyOf(filter));
  }
  pieces.take(...pieces.all("filter"));
  for (const value of pieces.all("value")) {
    const same = draft.where.filter(({ dimension }) => dimension === value.dimension);
    if (value.dimension !== "event" && same.some((each) => (each.is ?? each.in) !== undefined)) continue;
    for (const filter of filtersOf(value).map((each) => dated(value, each)))
      if (!draft.where.some((said) => keyOf(said) === keyOf(filter))) draft.where.push(filter);
    pieces.take(value);
  }
}

const keyOf = ({ in: several, ...filter }: Filter): string =>
  JSON.stringify({ ...filter, ...(several && { in: several.map(String).toSorted((a, b) => a.localeCompare(b)) }) });

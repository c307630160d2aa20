/**
 * Checks, apart from all rules, that a query says everything that was read in its question. Rules combine pieces and drop
 * some of them. A piece is kept if the query has what it names, or if the question is another one without it, or with
 * another number. One that is dropped by mistake is neither.
 */
import { isMoney } from "../../query/check.ts";
import { byName, type Dimension } from "../../query/dimensions.ts";
import type { Query, WindowName } from "../../query/model.ts";
import type { FragmentType, PieceOf, Piece } from "../fragments/fragments.ts";
import type { Run, Word } from "../words/split-words.ts";
import { isA } from "../fragments/pieces.ts";

type Check<Type extends FragmentType> = (
  piece: PieceOf<Type>,
  query: Query,
  dimensions: readonly Dimension[],
) => boolean;

const filtersOf = ({ where, of = [] }: Query) => [...where, ...of];

/** Returns the names of all measures and dimensions of a query. */
const namesIn = (query: Query): ReadonlySet<string> =>
  new Set([
    ...[query.measure, query.per, query.order?.by].filter((name) => name !== undefined),
    ...(query.with ?? []),
    ...filtersOf(query).map(({ dimension }) => dimension),
  ]);

const has = (query: Query, value: unknown): boolean => JSON.stringify(query).includes(JSON.stringify(value));
const hasAny = (query: Query, fields: RegExp): boolean => fields.test(JSON.stringify(query));

const isToday = (window: WindowName): boolean => "this" in window && window.this === "day";

/** Lists and groups have the highest first, unless the query says otherwise. */
const isRanked = ({ order, limit, compare, per, show, measure }: Query): boolean =>
  (order ?? limit ?? compare ?? per) !== undefined || (show === "list" && measure !== undefined) || show === "summary";

/** What a query has of a piece of each type. Pieces of other types only say how the others are meant. */
const KEPT: { [Type in FragmentType]?: Check<Type> } = {
  value: ({ values }, query) => values.every((value) => has(query, value)),
  filter: ({ filter: { dimension, is } }, query) =>
    [...namesIn(query)].some((name) => name.startsWith(dimension)) ||
    (dimension === "active" && query.measure === "last_seen") ||
    // "More users active than seats".
    (dimension === "active" && is === true && namesIn(query).has("seat_use")) ||
    (dimension === "active" && query.measure === "events") ||
    (dimension === "status" && hasAny(query, /"(?:item_kind|severity)"/)) ||
    (dimension === "stage" && query.measure === "mrr_lost"),
  measure: ({ measure }, query) => {
    const names = namesIn(query);
    if (measure === "events")
      return /^(?:events|features)$/.test(query.find) || names.has("events") || names.has("event");
    return (
      names.has(measure) ||
      (isMoney(measure) && names.has("currency")) ||
      (measure === "score" && (names.has("health") || /^(?:why|summary)$/.test(query.show)))
    );
  },
  dimension: ({ dimension }, query, dimensions) =>
    !byName(dimensions).has(dimension) ||
    dimension.endsWith("_seen") ||
    (dimension === "snoozed_until" && has(query, "snoozed")) ||
    (query.find === "items" && query.show === "list" && /^(?:opened|severity|item_kind)$/.test(dimension)) ||
    namesIn(query).has(dimension) ||
    query.show === "summary",
  // "Today" adds nothing to what accounts are now, nor "ever" to a time.
  window: ({ window, ahead = window, isVague }, query) =>
    isVague === true || "all" in window || isToday(window) || has(query, window) || has(query, ahead),
  number: ({ value }, query) => new RegExp(`[:[,]${value}[\\],}]`).test(JSON.stringify(query)),
  order: (_, query) => isRanked(query),
  // Reasons explain only what lowers a score.
  change: ({ direction }, query) =>
    (query.show === "why" && direction === "down") ||
    (query.compare ?? query.per) !== undefined ||
    hasAny(query, /"(?:changed|became|newly|asOf)"|change/),
  compare: (_, query) => (query.compare ?? query.per ?? query.with) !== undefined || hasAny(query, /"in":/),
  before: (_, query) => query.compare !== undefined || hasAny(query, /"where":\[.*"(?:window|asOf)".*\]/),
  // "2,000 a month" is what people pay. "Month over month, May vs June" says it twice.
  per: ({ per, isOver, isVague }, query) =>
    [undefined, query.per].includes(per) ||
    (isVague === true && query.per !== undefined) ||
    (isOver === true && query.compare !== undefined) ||
    [...namesIn(query)].some(isMoney),
  aggregate: ({ aggregate }, query) =>
    aggregate === "sum" || query.aggregate === aggregate || query.measure === "score",
  share: (_, { show }) => show === "share",
  negation: (_, query) => hasAny(query, /"(?:isNot|isUnknown|under|to|became)"|false/),
};

const isKept = <Type extends FragmentType>(piece: PieceOf<Type>, query: Query, dimensions: readonly Dimension[]) =>
  KEPT[piece.type]?.(piece, query, dimensions) ?? true;

/** "Who is our engineer": one that works for the vendor, or for one of the accounts? */
const isPossessed = (piece: Piece, words: readonly Word[], { where }: Query): boolean =>
  isA(piece, "value") &&
  piece.dimension.startsWith("user.") &&
  /^(?:my|our)$/.test(words[piece.from - 1]?.folded ?? "") &&
  words[piece.to - 1]?.folded.endsWith("s") === false &&
  !where.some(({ dimension }) => dimension === "account");

/**
 * @param queryOf reads the question with other pieces
 * @returns the words that the query doesn't say
 */
export function lostPieces(
  pieces: readonly Piece[],
  words: readonly Word[],
  query: Query,
  dimensions: readonly Dimension[],
  queryOf: (pieces: readonly Piece[]) => Query | null,
): Run[] {
  const key = JSON.stringify(query);
  const possessed = pieces.filter((piece) => isPossessed(piece, words, query));
  if (possessed.length > 0) return possessed.map(({ from }) => ({ from: from - 1, to: from }));
  return pieces.filter((piece) => {
    if (isKept(piece, query, dimensions)) return false;
    const other = isA(piece, "number") ? [{ ...piece, value: piece.value + 1 }] : [];
    return JSON.stringify(queryOf(pieces.flatMap((each) => (each === piece ? other : [each])))) === key;
  });
}

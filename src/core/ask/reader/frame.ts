/** What a question asks for around its filters: groups, rankings, comparisons, and the times that belong to each. */
import type { Day } from "../../health/model.ts";
import type { Dimension } from "../query/dimensions.ts";
import type { Find, WindowName } from "../query/model.ts";
import { nameOf } from "./conditions.ts";
import type { Draft, Placed } from "./fragments.ts";
import type { Pieces } from "./pieces.ts";
import { isA } from "./rewrite.ts";

export interface FrameContext {
  dimensions: readonly Dimension[];
  today: Day;
}

export const typeOf = (name: string, { dimensions }: FrameContext): Dimension["type"] | undefined =>
  dimensions.find((each) => each.name === name)?.type;

const GROUPS: Partial<Record<Find, string>> = { accounts: "account", users: "user", features: "event" };
const GROUPABLE = new Set(["entity", "code", "text", "boolean"]);
const isEvent = (piece: Placed | undefined): boolean => isA(piece, "value") && piece.dimension === "event";

/** "per region", "by plan", "each week", "which roles … most"; "top 5 by MRR" ranks. */
export function takeGroups(pieces: Pieces, draft: Draft, context: FrameContext): void {
  for (const per of pieces.all("per")) {
    const next = pieces.after(per);
    const before = pieces.before(per);
    const noun = per.isStrict === true ? nounAfter(pieces, per) : next;
    if (per.per !== undefined) {
      if (draft.per !== undefined && draft.per !== per.per) continue;
      draft.per = per.per;
      pieces.take(per);
    } else if (isA(next, "form") && next.show === "count") {
      pieces.take(per, next);
      rankBy(pieces, draft);
    } else if (
      per.isStrict !== true &&
      (isA(next, "measure") ||
        isEvent(next) ||
        (isA(next, "dimension") && ["date", "number"].includes(typeOf(next.dimension, context) ?? "")))
    ) {
      pieces.take(per);
      if (isA(next, "dimension") && typeOf(next.dimension, context) === "date")
        draft.order = { by: next.dimension, direction: "up" };
      rankBy(pieces, draft);
    } else if (isA(next, "dimension") && draft.per === undefined) {
      if (
        isA(before, "measure") &&
        before.measure !== "events" &&
        per.isStrict === true &&
        isA(next, "dimension") &&
        typeOf(next.dimension, context) === "number"
      )
        continue;
      draft.per = next.dimension;
      pieces.take(per, next);
    } else if (isA(before, "dimension") && draft.per === undefined) {
      draft.per = before.dimension;
      pieces.take(per, before);
    } else if (isA(noun, "find") && GROUPS[noun.find] !== undefined && draft.per === undefined) {
      const isSet =
        pieces.has("aggregate") &&
        pieces.all("find").length === 1 &&
        pieces.all("measure").every(({ measure }) => measure !== "events");
      if (!isSet) {
        draft.per = GROUPS[noun.find];
        draft.where.push(...(noun.where ?? []));
        pieces.take(noun);
      }
      pieces.take(per);
    } else if (per.isStrict === true) continue;
    else if (isA(next, "value") || isA(next, "window") || isA(next, "filter")) pieces.take(per);
  }
}

/** "per Enterprise account": conditions may stand between. */
function nounAfter(pieces: Pieces, per: Placed): Placed | undefined {
  let next = pieces.after(per);
  while (isA(next, "value") || isA(next, "filter")) next = pieces.after(next);
  return next;
}

/** Ranks, if nothing else says how, from the highest. */
function rankBy(pieces: Pieces, draft: Draft): void {
  if (!pieces.has("order") && draft.order === undefined) draft.order = { by: "", direction: "down" };
}

/** "Which industry … most", "which roles create alerts": the dimension asked for divides what is counted. */
export function takeAskedGroup(pieces: Pieces, draft: Draft, context: FrameContext): void {
  const dimension = pieces.left.find((piece) => isA(piece, "dimension"));
  if (!isA(dimension, "dimension") || draft.per !== undefined || pieces.all("dimension").length > 1) return;
  const [only, ...others] = pieces
    .all("value")
    .filter((value) => value.dimension === "account" || value.dimension === "user");
  if (only !== undefined && others.length === 0 && only.values.length === 1) return;
  const type = typeOf(dimension.dimension, context);
  const isCounted = pieces.has("order") || pieces.all("form").some(({ show }) => show === "count");
  const asks = isA(pieces.before(dimension), "form") && pieces.left.indexOf(dimension) <= 2;
  if (!asks || !isCounted || type === undefined || !GROUPABLE.has(type)) return;
  if (
    !pieces.has("order") &&
    !pieces.all("value").some((value) => value.dimension === "event") &&
    !pieces.has("find") &&
    !pieces.has("measure") &&
    dimension.dimension !== "item_kind"
  )
    return;
  draft.per = dimension.dimension;
  pieces.take(dimension);
}

/** "most events", "lowest health", "top 5", "newest". */
export function takeOrders(pieces: Pieces, draft: Draft): void {
  const orders = pieces.all("order");
  const [order] = orders;
  const number = pieces.all("number").find((each) => each.unit === undefined && each.currency === undefined);
  const changes = pieces.has("change");
  if (order !== undefined && orders.every(({ direction }) => direction === order.direction)) {
    const told = orders.find(({ by }) => by !== undefined)?.by;
    if (!changes)
      draft.order = {
        by: told ?? draft.order?.by ?? "",
        direction: draft.order !== undefined && draft.order.by !== "" ? draft.order.direction : order.direction,
      };
    // "The biggest drops": of accounts, if nothing else is said.
    if (changes && !pieces.has("find") && !pieces.has("value"))
      pieces.replace(order, { type: "find", find: "accounts" });
    pieces.take(...orders);
  } else if (orders.length > 1 && draft.per !== undefined) pieces.take(...orders);
  if (number === undefined) return;
  const isCounted = order !== undefined || (isA(pieces.after(number), "find") && isA(pieces.before(number), "form"));
  if (!isCounted || !Number.isInteger(number.value) || number.value < 1 || number.value > 100) return;
  draft.limit = number.value;
  pieces.take(number);
}

/** "the oldest notice", "our smallest customer": one. */
export function limitOne(pieces: Pieces, draft: Draft): void {
  const [noun, ...others] = pieces.all("find");
  if (draft.order === undefined || draft.order.by === "change" || draft.limit !== undefined || draft.per !== undefined)
    return;
  const asksForOne = pieces.all("form").some(({ isOne }) => isOne === true);
  if (asksForOne || (noun?.isOne === true && others.length === 0)) draft.limit = 1;
}

/** "compared with September", "than analysts", "Team vs Business". */
export function takeComparisons(pieces: Pieces, draft: Draft): void {
  const [compare, ...more] = pieces.all("compare");
  const changes = pieces.all("change");
  const [before] = pieces.all("before");
  if (compare === undefined && changes.length === 0 && before === undefined) return;
  // "Why did the score drop": its explanation says so.
  if (compare === undefined && before === undefined && pieces.all("form").some(({ show }) => show === "why")) {
    if (pieces.all("measure").some(({ measure }) => measure === "score")) pieces.take(...changes);
    return;
  }
  const windows = pieces.all("window").filter(({ isBound }) => isBound === undefined);
  const [window, other] = windows;
  const pair = pairIn(pieces);
  if (compare !== undefined && more.length === 0 && pair !== null && windows.length < 2) {
    const [dimension, a, b, values] = pair;
    if (dimension === "account" || dimension === "user") draft.order ??= { by: "", direction: "down" };
    else draft.per ??= dimension;
    draft.where.push({ dimension, in: [...values] });
    pieces.take(compare, a, b);
    return;
  }
  if (
    window !== undefined &&
    windows.length === 1 &&
    before !== undefined &&
    isOneDay(window.window) &&
    draft.order !== undefined
  ) {
    draft.compare = { to: window.window };
    pieces.take(compare, before, window, ...changes);
    return;
  }
  if (
    window !== undefined &&
    other !== undefined &&
    windows.length === 2 &&
    (compare !== undefined || changes.length > 0)
  ) {
    // "The 28 days before" are as many as those that they come before.
    if (before !== undefined && JSON.stringify(other.window) !== JSON.stringify(window.window)) return;
    draft.compare = { to: before === undefined ? other.window : "before" };
    pieces.take(compare, other);
  } else if (changes.length > 0 || before !== undefined) draft.compare = { to: "before" };
  else return;
  if (!pieces.has("measure") && changes.some(({ by }) => by === "score")) draft.measure = "score";
  const direction = changes.find((change) => change.direction !== null)?.direction ?? null;
  if (direction !== null && draft.order?.by !== "change")
    draft.order = { by: "change", direction: direction === "up" ? "down" : "up" };
  pieces.take(...changes, before, compare);
  if (draft.per === "day" || draft.per === "week" || draft.per === "month") {
    delete draft.compare;
    delete draft.order;
  }
}

const isOneDay = (window: WindowName): boolean => "from" in window && window.from === window.to;

type Pair = readonly [dimension: string, a: Placed, b: Placed, values: readonly string[]];

/** Two conditions on one dimension. */
function pairIn(pieces: Pieces): Pair | null {
  const conditions = pieces.left.flatMap((piece): { piece: Placed; dimension: string; values: readonly string[] }[] => {
    if (isA(piece, "value") && piece.dimension !== "event")
      return [{ piece, dimension: piece.dimension, values: piece.values }];
    return isA(piece, "filter") && typeof piece.filter.is === "string"
      ? [{ piece, dimension: piece.filter.dimension, values: [piece.filter.is] }]
      : [];
  });
  for (const [place, a] of conditions.entries()) {
    const b = conditions.slice(place + 1).find(({ dimension }) => dimension === a.dimension);
    if (b !== undefined) return [a.dimension, a.piece, b.piece, [...a.values, ...b.values]];
    if (a.values.length === 2) return [a.dimension, a.piece, a.piece, a.values];
  }
  return null;
}
/** What is ranked, compared or shown, by what its pieces are called. */
export const namesIn = (pieces: Pieces): string[] =>
  pieces.left.flatMap((piece) => (isA(piece, "measure") && piece.measure === "arr" ? ["arr"] : (nameOf(piece) ?? [])));

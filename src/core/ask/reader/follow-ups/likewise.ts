/** Asks the same question with something else in it: "and in amer". */
import { isSame, isWindowed } from "../../query/canonical.ts";
import { isMeasure } from "../../query/check.ts";
import { type Filter, MAX_ROWS, type Query } from "../../query/model.ts";
import { assemble } from "../draft/assemble.ts";
import type { DraftContext } from "../draft/context.ts";
import type { Piece } from "../fragments/fragments.ts";
import { hasA, isA } from "../fragments/pieces.ts";
import { RANKINGS } from "../proposals/alternatives.ts";
import type { Word } from "../words/split-words.ts";
import { nounOf } from "./found.ts";
import { inOwnTime, namesEntity, withFilters, withTime } from "./overlay.ts";

/** What a query may say beside what it finds, its conditions and its time. */
const PARTS = ["show", "measure", "aggregate", "with", "of", "per", "compare", "order", "limit"] as const;

/** "And in amer": the same question with another condition, time, measure, group or order. */
export function likewise(
  pieces: readonly Piece[],
  words: readonly Word[],
  previous: Query,
  context: DraftContext,
): Query[] {
  const { find, measure = "events", show } = previous;
  const windows = pieces.filter((piece) => isA(piece, "window"));
  const [time, ...times] = windows;
  const rest = pieces.filter((piece) => !isA(piece, "window"));
  // "The next 5" may be the next page.
  const isPage = hasA(rest, "number") && rest.some((piece) => isA(piece, "order") && piece.by === "time");
  if (times.length > 0 || time?.isBound !== undefined || isPage) return [];
  const isMeasured = rest.some((piece) => isA(piece, "measure") || (isA(piece, "dimension") && !hasA(rest, "per")));
  const skeleton: Piece[] = [
    ...(find === "events" || (hasA(rest, "find") && !hasA(rest, "negation"))
      ? []
      : [{ type: "find", find, from: 0, to: 0 } as const]),
    ...(isMeasured || (find !== "events" && show !== "value") || !isMeasure(measure)
      ? []
      : [{ type: "measure", measure, from: 0, to: 0 } as const]),
  ];
  const read = (some: readonly Piece[]): Query | null => assemble([...skeleton, ...some], words, context);
  const noun = nounOf(previous, 0);
  const alone = hasA(rest, "find") && noun !== null ? assemble([noun], words, context) : read([]);
  const plain = alone ?? { find, where: [], show, measure };
  const whole = rest.length > 0 ? read(pieces) : null;
  // "And active users", which alone would be those of any account and time.
  const [only, ...others] = rest;
  const isCount = find === "events" && isA(only, "measure") && others.length === 0;
  const bare: Query | null =
    only === undefined
      ? { find, where: [], show }
      : isCount
        ? { find, where: [], show: "value", measure: only.measure }
        : null;
  const asked = whole ?? (only === undefined ? null : read(rest)) ?? bare;
  if (asked === null) return time === undefined ? ranked(rest, previous) : [];
  // "And trials?", after users: their users, or they.
  if (asked.find !== find && rest.some((piece) => isA(piece, "find") && piece.where !== undefined)) return [];
  const laidTime = whole === null || asked.window !== undefined ? time : undefined;
  const said: Partial<Query> = {};
  const isMore = rest.some(
    (piece) => !/^(?:value|filter|bound|number|negation|or|both|unknown|find)$/.test(piece.type),
  );
  for (const part of PARTS)
    if (isMore && asked[part] !== undefined && !(plain && isSame([plain[part]], [asked[part]])))
      Object.assign(said, { [part]: asked[part] });
  const isOwnTime = find !== "events" && laidTime !== undefined && asked.where.some(isWindowed) && whole !== null;
  const filters = isOwnTime ? inOwnTime(asked.where, laidTime.window) : asked.where;
  // "Amer too": beside what is there already.
  const isAdded = words.some(({ folded }) => /^(?:too|also|both|well|plus)$/.test(folded));
  if (isAdded && filters.some((filter) => previous.where.some(({ dimension }) => dimension === filter.dimension)))
    return [];
  const isRanked = asked.per === undefined && (hasA(rest, "order") || hasA(rest, "per"));
  return withParts(previous, asked, said, isRanked).flatMap((query) => {
    const filtered = withFilters(query, filters);
    if (filtered === null && !isMore && time === undefined) return ofNamed(query, filters);
    if (filtered === null || laidTime === undefined || isOwnTime || said.compare !== undefined) return filtered ?? [];
    return withTime(filtered, laidTime, context) ?? [];
  });
}

/** "The top 5": by what the query shows, or else by what accounts are ranked by. */
function ranked(rest: readonly Piece[], previous: Query): Query[] {
  const [top, number, ...others] = rest;
  const {
    show,
    find,
    measure,
    compare,
    order = measure === undefined ? undefined : { by: measure, direction: "down" },
  } = previous;
  const isPlain = isA(top, "order") && top.by === undefined && isA(number, "number") && number.unit === undefined;
  if (!isPlain || others.length > 0 || show !== "list" || compare !== undefined || number.value > MAX_ROWS) return [];
  const turned = (given: "up" | "down") => (top.direction === "down" ? given : given === "down" ? "up" : "down");
  if (order !== undefined)
    return [{ ...previous, order: { by: order.by, direction: turned(order.direction) }, limit: number.value }];
  return (find === "accounts" ? RANKINGS : find === "items" ? [] : (["events"] as const)).map((by): Query => ({
    ...previous,
    measure: by,
    order: { by, direction: turned("down") },
    limit: number.value,
  }));
}

/** "What about Halcyon", after "which accounts are at risk": whether it is, or how it is. */
function ofNamed({ find, show, measure, limit, ...previous }: Query, filters: readonly Filter[]): Query[] {
  const [named, ...others] = filters;
  if (named?.dimension !== "account" || named.is === undefined || others.length > 0) return [];
  const isOne = previous.where.some(namesEntity) || limit !== undefined || measure !== undefined || find !== "accounts";
  if (isOne || !/^(?:list|count|yes_no)$/.test(show)) return [];
  return [
    { find, show: "yes_no", ...previous, where: [...previous.where, named] },
    { find, show: "summary", where: [named] },
  ];
}

/** Replaces the parts that a follow-up says. @returns none if it isn't clear what becomes of the others */
function withParts(previous: Query, asked: Query, said: Partial<Query>, isRanked: boolean): Query[] {
  const { show, measure, limit, order, compare } = previous;
  const query: Query = { ...previous, ...said };
  const only = (...parts: readonly string[]): boolean => Object.keys(said).every((part) => parts.includes(part));
  if (asked.find !== previous.find) {
    // "And the users?"
    const isNoun = [asked.find, previous.find].every((find) => /^(?:accounts|users|features)$/.test(find));
    return isNoun && only() && (show === "list" || show === "count") ? [{ ...previous, find: asked.find }] : [];
  }
  if (said.compare !== undefined) {
    const window = previous.window ?? asked.window;
    const isSameTime = asked.window === undefined || isSame([asked.window], [window]);
    return show === "value" && compare === undefined && isSameTime && only("compare", "show")
      ? [{ ...query, show, ...(window && { window }) }]
      : [];
  }
  if (isRanked) {
    const { order: _, ...unordered } = previous;
    const isFit = show === "list" && compare === undefined && only("show", "measure", "order", "limit");
    return isFit ? [{ ...(said.measure === undefined ? previous : unordered), ...said, show }] : [];
  }
  if (said.per !== undefined) {
    const isPlain = limit === undefined && order === undefined && compare === undefined;
    return isPlain &&
      only("show", "per") &&
      (show === "value" || (/^(?:count|list)$/.test(show) && measure === undefined))
      ? [query]
      : [];
  }
  if (said.aggregate !== undefined) return only("aggregate", "show") && show === "value" ? [query] : [];
  if (said.measure === undefined) return only() ? [query] : [];
  const { order: _, ...unordered } = query;
  if (!only("measure", "show")) return [];
  if (show === "value" || show === "summary") return order === undefined ? [{ ...unordered, show: "value" }] : [];
  if (show === "count") return isMeasure(said.measure) ? [{ ...unordered, show: "value" }] : [];
  if (show !== "list" || measure !== undefined || limit !== undefined) return [];
  const list: Query = { ...query, show: "list" };
  return isMeasure(said.measure) ? [list, { ...unordered, show: "value" }] : [list];
}

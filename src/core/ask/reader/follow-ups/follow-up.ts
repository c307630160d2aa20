/**
 * Reads a follow-up. The reader reads its words with the noun of the query before. What that says more than the noun alone
 * is laid over the query. Words such as "they" mean what the query found, or the account or user that it names.
 */
import { canonical, isSame, isWindowed, showsPast, usesWindow } from "../../query/canonical.ts";
import { isMeasure } from "../../query/check.ts";
import { isAccountDimension } from "../../query/dimensions.ts";
import { withoutChurned } from "../../query/implied.ts";
import { type Filter, MAX_ROWS, type Query } from "../../query/model.ts";
import { assemble } from "../draft/assemble.ts";
import type { DraftContext } from "../draft/context.ts";
import { finishQuery } from "../draft/finish.ts";
import type { Fragment, Piece } from "../fragments/fragments.ts";
import { hasA, isA, isEvent } from "../fragments/pieces.ts";
import type { Word } from "../words/split-words.ts";
import { anaphorsIn, isOnes, isOpening } from "./leaning.ts";
import { inOwnTime, namesEntity, withFilters, withTime } from "./overlay.ts";

/** What accounts may be ranked by. */
export const RANKINGS = ["mrr", "events", "score"] as const;

/** @returns the queries that a follow-up may mean: one if it is clear, none if it doesn't fit the query before */
export function followUps(
  given: readonly Piece[],
  words: readonly Word[],
  previous: Query,
  context: DraftContext,
): Query[] {
  const pieces = given.filter((piece) => !isOpening(piece, words, given) && !isOnes(piece, words));
  const ofWhom = anaphorsIn(pieces, words, true);
  const [form] = pieces.filter((piece) => isA(piece, "form"));
  const isOther = (piece: Piece): boolean => /^(?:measure|dimension|find|use|change|compare)$/.test(piece.type);
  const queries =
    ofWhom.length > 0
      ? ofFound(pieces, words, ofWhom, previous, context)
      : form !== undefined && !pieces.some(isOther)
        ? ofSet(previous, read([form, nounOf(previous, form.to), ...pieces.filter((each) => each !== form)]), false)
        : null;
  if (queries !== null) return queries.flatMap((query) => finished(query, context) ?? []);
  const changed = likewise(pieces, words, previous, context).map((query) => finished(query, context));
  // One of two meanings isn't the only one because the other has no answer. "And now?" must say something else.
  const known = changed.filter((query) => query !== null);
  return known.length < changed.length ? [] : known.filter((query) => !isSame(canonical(query), canonical(previous)));

  function read(asked: readonly (Piece | null)[]): Query | null {
    return asked.includes(null)
      ? null
      : assemble(
          asked.filter((piece) => piece !== null),
          words,
          context,
        );
  }
}

/** Completes a query as the reader does. @returns `null` if it can't be answered, or if that changes more than its times */
function finished(query: Query, context: DraftContext): Query | null {
  const result = finishQuery({ ...query, where: [...query.where] }, context);
  if (result === null) return null;
  const untimed = (each: Query): Query => {
    const { window: _, ...rest } = canonical(each);
    const where = rest.where.map(({ window: _window, asOf: _asOf, ...filter }) => filter);
    return { ...rest, where, show: /^(?:list|yes_no|value)$/.test(rest.show) ? "list" : rest.show };
  };
  return isSame(untimed(result), untimed(query)) ? result : null;
}

const nounOf = ({ find }: Query, at: number): Piece | null =>
  find === "events" ? null : { type: "find", find, from: at, to: at };

const PART = /^(?:most|least|half|some|none|few|each|both|majority)$/;

/** "How healthy are they": the question with what was found in place of "they". */
function ofFound(
  pieces: readonly Piece[],
  words: readonly Word[],
  [at = 0]: readonly number[],
  previous: Query,
  context: DraftContext,
): Query[] {
  // "Most of them": no query says so of a part.
  if (words[at - 1]?.folded === "of" && PART.test(words[at - 2]?.folded ?? "")) return [];
  const own = pieces.find(({ from, to }) => from <= at && at < to);
  const from = own === undefined || isA(own, "pointer") ? at : own.to;
  const rest = pieces.filter(({ type }) => type !== "pointer");
  const next = rest.find((piece) => piece.from >= from);
  // "Those users", "their users".
  const isNoun = isA(next, "find") && next.from === at + 1;
  const with_ = (fragment: Fragment | null): Query | null => {
    if (fragment === null) return assemble(rest, words, context);
    const index = next === undefined ? rest.length : rest.indexOf(next);
    return assemble(rest.toSpliced(index, 0, { ...fragment, from, to: from }), words, context);
  };
  const named = previous.where.filter(({ dimension, is }) => namesEntity({ dimension, is }));
  const isOfOne = /^(?:it|its|he|his|she|her|this|that)$/.test(words[at]?.folded ?? "");
  const found = named.flatMap(({ dimension, is }): Query[] => {
    const query = with_({ type: "value", dimension, values: [String(is)] });
    return query === null ? [] : inTimeOf(previous, query, words);
  });
  const isNamed = named.some(({ dimension }) => `${dimension}s` === previous.find);
  // "Their exports" are counted, and choose none of them.
  const isTheirs = words[at]?.folded === "their" && isEvent(next) && next.from === at + 1;
  if (isTheirs || isNamed || isOfOne || previous.find === "events") return found;
  const noun: Fragment = { type: "find", find: previous.find };
  const query = with_(isNoun ? null : noun);
  // "Are they healthy": all of them, or any.
  const isAny = words.some(({ folded }) => folded.startsWith("any"));
  if (query?.show === "yes_no" && !isAny) return found;
  return [...found, ...ofSet(previous, query, true).flatMap((each) => inTimeOf(previous, each, words))];
}

/** A new measure is counted in the same time. A state is that of now, or of then: "how healthy were they". */
function inTimeOf({ window, ...previous }: Query, query: Query, words: readonly Word[]): Query[] {
  if (window === undefined || query.window !== undefined) return [query];
  const then = { ...query, window };
  if (usesWindow(query) || (showsPast(then) && showsPast({ ...previous, window }))) return [then];
  const isPast = words.some(({ folded }) => /^(?:was|were|did|had)$/.test(folded));
  return isPast && showsPast(then) ? [query, then] : [query];
}

/** What a query says about accounts holds for their users and events too. */
const isTransferable = ({ dimension }: Filter): boolean => isAccountDimension(dimension);

/**
 * Asks about the accounts, users, features or items that a query found.
 * @param isAll conditions are added to those of the query, and never replace them
 */
function ofSet(previous: Query, asked: Query | null, isAll: boolean): Query[] {
  const { find, show, per, compare, measure, limit, window, order } = previous;
  if (asked === null || per !== undefined || compare !== undefined || measure === "mrr_lost" || find === "events")
    return [];
  const set = inOwnTime([...(previous.of ?? []), ...withoutChurned(previous).where], window);
  if (asked.find !== find && !set.every(isTransferable)) return [];
  if (limit !== undefined && show === "list") {
    const { find: _, where, show: form, measure: shown = measure, with: columns, window: time, ...others } = asked;
    const by = order ?? (measure === undefined ? undefined : { by: measure, direction: "down" as const });
    const isListed = form === "list" || (form === "value" && shown !== measure);
    if (!isListed || by === undefined || asked.find !== find || where.length > 0 || Object.keys(others).length > 0)
      return [];
    const query: Query = {
      ...previous,
      where: set,
      order: by,
      limit,
      ...(shown && { measure: shown }),
      ...(columns && { with: columns }),
    };
    // The ranking keeps its time, so another one can't be shown beside it.
    return time === undefined ? [query] : [];
  }
  const base: Query = { ...asked, where: set };
  // "Who are they", after a number: each with its own.
  if (asked.show === "list" && show === "value" && asked.measure === undefined && measure !== undefined)
    base.measure = measure;
  if (!isAll) return [withFilters(base, asked.where)].filter((query) => query !== null);
  const where = narrowed(set, asked.where);
  return where === null ? [] : [{ ...base, where }];
}

/** Adds conditions. @returns `null` if nothing can meet them */
function narrowed(set: readonly Filter[], added: readonly Filter[]): Filter[] | null {
  const isOld = (filter: Filter): boolean => set.some((each) => isSame(each, filter));
  const isWider = ({ dimension, in: several }: Filter): boolean =>
    added.some((each) => each.dimension === dimension && each.is !== undefined && several?.includes(each.is) === true);
  const isOther = added.some(({ dimension, is }) =>
    set.some((each) => each.dimension === dimension && is !== undefined && (each.is ?? is) !== is),
  );
  return isOther ? null : [...set.filter((each) => !isWider(each)), ...added.filter((filter) => !isOld(filter))];
}

/** What a query may say beside what it finds, its conditions and its time. */
const PARTS = ["show", "measure", "aggregate", "with", "of", "per", "compare", "order", "limit"] as const;

/** "And in amer": the same question with another condition, time, measure, group or order. */
function likewise(pieces: readonly Piece[], words: readonly Word[], previous: Query, context: DraftContext): Query[] {
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

/**
 * Combines the fragments of a question into a query. Each step takes the fragments that belong together. A fragment
 * that no step takes would be a skipped word, so there is no query.
 */
import type { Filter, Query } from "../query/model.ts";
import { BOUND_RULES, money } from "./bounds.ts";
import { BEFORE_WINDOW, dimensionOf, NAME_RULES, NEGATION_RULES } from "./conditions.ts";
import { takeReturns, takeWindows, TIME_RULES } from "./dates.ts";
import type { Draft, Of, Placed } from "./fragments.ts";
import {
  type FrameContext,
  limitOne,
  takeAskedGroup,
  takeComparatives,
  takeComparisons,
  takeGroups,
  takeOrders,
} from "./frame.ts";
import { AUXILIARIES } from "./lexicon.ts";
import { findIn, type Shape } from "./find.ts";
import { finished } from "./finish.ts";
import { takeUses } from "./uses.ts";
import { takeShow } from "./show.ts";
import type { Word } from "./words.ts";
import { between, isA, isEvent, isSubject, isWho, Pieces, rewrite } from "./pieces.ts";

const RULES = [money, ...NAME_RULES, ...BOUND_RULES, ...TIME_RULES, ...NEGATION_RULES];

/** Questions with more fragments aren't read. Written questions have up to 11. */
const MAX_FRAGMENTS = 20;

/** @returns `null` if the fragments don't form one query */
export function assemble(fragments: readonly Placed[], words: readonly Word[], context: FrameContext): Query | null {
  if (fragments.length > MAX_FRAGMENTS) return null;
  const pieces = new Pieces(rewrite(whatIsUsed(fragments, words), RULES, words));
  const hasEvent = pieces.left.some(isEvent);
  // "The last" alone tells nothing but of events.
  const isCut = ({ dimension, from, to }: Of<"dimension">): boolean =>
    to === from + 1 && dimension.endsWith("_seen") && /^(?:last|first)$/.test(words[to - 1]?.folded ?? "");
  const hasFeatures = pieces.has("find", "features");
  if (!hasEvent && !hasFeatures && pieces.all("dimension").some(isCut)) return null;
  // "Active users and exports" are two numbers.
  if (pieces.left.some((piece) => isBeside(piece, pieces.after(piece), words))) return null;
  const draft: Draft = { where: [] };
  takeReturns(pieces, context);
  takeComparatives(pieces, draft, words);
  takeGroups(pieces, draft, context);
  const question = shapeOf(pieces, words);
  takeAskedGroup(pieces, draft, words, context);
  const isRanked = pieces.all("order").some(({ isMore }) => isMore !== true);
  takeOrders(pieces, draft);
  takeComparisons(pieces, draft, words, context);
  if (isRanked) limitOne(pieces, draft, words);
  takeUses(pieces, draft, context);
  takeNew(pieces, draft, question);
  takeWindows(pieces, draft, context);
  takeShare(pieces, draft, words);
  takeFilters(pieces, draft);
  const find = findIn(pieces, draft, question);
  if (find === null) return null;
  draft.find = find;
  takeShow(pieces, draft, question, context);
  if (pieces.left.length > 0) return null;
  return finished(draft, context);
}

/** Whether a measure and an event are listed side by side. */
function isBeside(a: Placed, b: Placed | undefined, words: readonly Word[]): boolean {
  if (b === undefined || !((isEvent(a) && isMeasured(b)) || (isMeasured(a) && isEvent(b)))) return false;
  const gap = between(words, a, b);
  return gap.length === 1 && /^(?:and|&|plus)$/.test(gap[0] ?? "");
}

const isMeasured = (piece: Placed): boolean => isA(piece, "measure") && piece.measure !== "events";

/** "What does Lumen use", "what did Maria do" ask for features. */
function whatIsUsed(fragments: readonly Placed[], words: readonly Word[]): readonly Placed[] {
  const [what, verb] = words.filter(({ folded }) => folded === "what" || AUXILIARIES.has(folded));
  const done = words.findIndex(
    ({ folded }, at) => at > 1 && folded === "do" && fragments.some((piece) => isA(piece, "value") && piece.to === at),
  );
  const use =
    fragments.find((piece) => isA(piece, "use") && (piece.use === "uses" || piece.use === "never")) ??
    (done < 0 ? undefined : { from: done, to: done + 1 });
  const start = verb === undefined ? 0 : words.indexOf(verb);
  const isOther = fragments.some(
    (piece) =>
      isA(piece, "measure") ||
      isEvent(piece) ||
      (isA(piece, "find") && (piece.from < start || piece.find === "features" || piece.find === "items")),
  );
  if (what?.folded !== "what" || verb === undefined || use === undefined || isOther) return fragments;
  const { from, to } = use;
  const events: Placed[] = done < 0 ? [] : [{ type: "measure", measure: "events", from, to }];
  return [{ type: "find", find: "features", from, to }, ...events, ...fragments];
}

/** Describes a question before its pieces are taken. */
function shapeOf(pieces: Pieces, words: readonly Word[]): Shape {
  const count = pieces.first("form", "count");
  const values = pieces.all("value");
  const deed = pieces.left.find(isEvent);
  const doers = values.find(({ dimension }) => dimension.startsWith("user."));
  const noun = pieces.first("find");
  return {
    isOfRoles:
      doers !== undefined &&
      noun !== undefined &&
      between(words, doers, noun).some((word) => /^(?:at|of|in|from|within|across|on)$/.test(word)),
    hasNoun: pieces.has("find"),
    hasWho: pieces.left.some(isWho),
    counted: count && nounAfter(pieces, count),
    hasEvent: pieces.left.some((piece) => dimensionOf(piece) === "event"),
    isOfDeeds:
      deed !== undefined &&
      doers !== undefined &&
      deed.from < doers.from &&
      BY.test(words[doers.from - 1]?.folded ?? ""),
    account: values.some(({ dimension }) => dimension === "account"),
    user: values.some(({ dimension }) => dimension === "user"),
  };
}

const BY = /^(?:by|from|of|for|among|across|our|the)$/;

const isCounted = (piece: Placed): boolean =>
  isA(piece, "value") ? /^(?:event|user\..*)$/.test(piece.dimension) : !isA(piece, "filter") && !isA(piece, "new");

/** The noun after "how many": conditions may stand between. */
const nounAfter = (pieces: Pieces, count: Placed): Placed | undefined =>
  pieces.left.slice(pieces.left.indexOf(count) + 1).find(isCounted);

/** "new users", "new notices since Friday". */
function takeNew(pieces: Pieces, draft: Draft, { hasWho, account, user }: Shape): void {
  // "New users who signed up": said twice.
  const [mark, ...repeated] = pieces.all("new");
  pieces.take(...repeated);
  if (mark === undefined) return;
  // "Who joined Lumen": its users.
  const [who] = pieces.all("form");
  if (who !== undefined && hasWho && account && !pieces.has("find"))
    pieces.replace(who, { type: "find", find: "users" });
  const [noun] = pieces.all("find");
  // "What's new at Lumen".
  if (noun === undefined && !hasWho && (account || user)) pieces.replace(mark, { type: "form", show: "summary" });
  // "New Enterprise customers" have become customers.
  const [stage] = noun?.where ?? [];
  if (stage?.is !== undefined && stage.dimension === "stage") {
    draft.where.push({ dimension: "stage", became: stage.is });
    pieces.take(mark);
    return;
  }
  const dimension = noun === undefined ? null : noun.find === "items" ? "opened" : "first_seen";
  const [window] = pieces.all("window");
  if (dimension === null) return;
  const bound = window?.isBound !== undefined && "from" in window.window ? window.window : undefined;
  draft.where.push(
    bound === undefined
      ? { dimension, within: window?.window ?? { last: 28, unit: "day" } }
      : { dimension, [window?.isBound === "before" ? "to" : "from"]: bound.from },
  );
  pieces.take(mark, window);
}

const isCondition = (piece: Placed): piece is Of<"value"> | Of<"filter"> => isA(piece, "value") || isA(piece, "filter");

const RELATIVES = new Set(["that", "who", "which"]);

/** "What share of our Team customers in emea is healthy": the conditions before the verb choose the whole. */
function takeShare(pieces: Pieces, draft: Draft, words: readonly Word[]): void {
  const share = pieces.first("share");
  // "The share of engineers who call the API".
  const role = share && pieces.after(share);
  if (isA(role, "value") && role.dimension.startsWith("user.") && !pieces.has("find"))
    pieces.replace(role, { type: "find", find: "users", where: filtersOf(role) });
  const noun = pieces.first("find");
  if (share === undefined || noun === undefined || pieces.all("share").length > 1) return;
  const conditions = pieces.left.filter(isCondition);
  const verb = words.findIndex(
    ({ folded }, at) => at >= noun.to && AUXILIARIES.has(folded) && !RELATIVES.has(words[at - 1]?.folded ?? ""),
  );
  const placeOf = (piece: Placed): number => pieces.left.indexOf(piece);
  // "Of users at Lumen exported": a verb without an auxiliary.
  const deed = conditions.at(-1);
  // "Out of all trials, what share …".
  const isBefore = placeOf(noun) < placeOf(share);
  const of = conditions.filter((piece) =>
    isBefore
      ? placeOf(piece) < placeOf(share)
      : placeOf(piece) > placeOf(share) &&
        (placeOf(piece) < placeOf(noun) || piece.from < verb || (verb < 0 && isEvent(deed) && piece !== deed)),
  );
  if (verb < 0 && conditions.length > of.length + 1) return;
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

function filtersOf({ dimension, values, all }: Of<"value">): Filter[] {
  if (all === true) return values.map((each) => ({ dimension, is: each }));
  return [values.length === 1 ? { dimension, is: values[0] ?? "" } : { dimension, in: [...values] }];
}

function takeFilters(pieces: Pieces, draft: Draft): void {
  const seen = new Set(draft.where.map((filter) => keyOf(filter)));
  const changes = pieces.all("filter").filter(({ filter }) => filter.became !== undefined);
  // "Red accounts that turned green", "Team customers that moved to Business": the state before.
  const isOld = (piece: Placed, name: string, value: unknown): boolean =>
    changes.some(({ from, filter }) => piece.from < from && filter.dimension === name && filter.became !== value);
  const filters = pieces.all("filter").map((piece): Filter => {
    const { filter } = piece;
    const isBefore =
      (filter.is ?? filter.in) !== undefined && filter.asOf === undefined && isOld(piece, filter.dimension, filter.is);
    return isBefore ? { ...filter, asOf: BEFORE_WINDOW } : filter;
  });
  // "When does the trial of Lumen end".
  const isOfTrial = pieces.left.some(isSubject) && pieces.has("dimension", "trial_ends");
  const isConverted = filters.some(({ dimension, became }) => dimension === "stage" && became === "active");
  for (const filter of filters) {
    const isSaid = seen.has(keyOf(filter));
    // A repeated negation may mean something else.
    const isNegative = (filter.isNot ?? filter.isUnknown) !== undefined || filter.is === "insufficient_data";
    if (isSaid && isNegative) return;
    // An account that converted was on trial before, so "trial" adds nothing.
    const isMeant =
      filter.dimension === "stage" &&
      (((isConverted || isOfTrial) && filter.is === "trial") ||
        (filter.isNot === "active" && filters.some(({ is }) => is === "trial")));
    if (!isSaid && !isMeant) draft.where.push(filter);
    seen.add(keyOf(filter));
  }
  pieces.take(...pieces.all("filter"));
  for (const value of pieces.all("value")) {
    const same = draft.where.filter(({ dimension }) => dimension === value.dimension);
    if (value.dimension !== "event" && same.some((each) => (each.is ?? each.in) !== undefined)) continue;
    const isBefore = value.values.length === 1 && isOld(value, value.dimension, value.values[0]);
    draft.where.push(...filtersOf(value).map((each) => (isBefore ? { ...each, asOf: BEFORE_WINDOW } : each)));
    pieces.take(value);
  }
}

const keyOf = ({ in: several, ...filter }: Filter): string =>
  JSON.stringify({ ...filter, ...(several && { in: several.map(String).toSorted((a, b) => a.localeCompare(b)) }) });

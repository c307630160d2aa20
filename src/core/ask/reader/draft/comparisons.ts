/** Takes comparisons: with another time, or of several accounts, users and values. */
import { isPeriod } from "../../query/check.ts";
import { HISTORY } from "../../query/dimensions.ts";
import { UNITS, type WindowName } from "../../query/model.ts";
import { dayOf, windowDays, isoDate } from "../../query/windows.ts";
import type { Draft, PieceOf, Piece } from "../fragments/fragments.ts";
import type { Pieces } from "../fragments/pieces.ts";
import { isA, isEvent, isWho, shownNames } from "../fragments/pieces.ts";
import { namesOnlyEntity } from "../rules/only.ts";
import { type DateRange, unitAt, unitOfSpan } from "../times/calendar.ts";
import { foldedOf, type Word } from "../words/split-words.ts";
import { type DraftContext, isEntityDimension, dimensionType } from "./context.ts";

/** "compared with September", "than analysts", "Team vs Business". */
export function takeComparisons(pieces: Pieces, draft: Draft, words: readonly Word[], context: DraftContext): void {
  // "Snoozed vs dismissed, as a ratio".
  const compares = pieces.all("compare");
  const compare = compares.find(({ isImplied }) => isImplied === undefined) ?? compares[0];
  const isImplied = compare?.isImplied === true;
  const changes = pieces.all("change");
  // "Falling usage and rising MRR".
  const directed = changes.filter(({ direction }) => direction !== null);
  if (directed.length > 1) return;
  // "The MRR of accounts whose usage fell" is ordered by another measure.
  const [changed] = directed;
  const measures = pieces.all("measure");
  const isOther = changed && measures[0] !== pieces.before(changed) && measures[0] !== pieces.after(changed);
  if (isOther && measures.length > 1) return;
  if (isImplied && changes.length === 0) return;
  // "More seats on 1 October than now": fewer now.
  const isThanNow = /^(?:now|today|currently)$/.test(words[compare?.to ?? words.length]?.folded ?? "");
  if (isThanNow && (draft.order !== undefined || directed.length > 0)) return;
  pieces.take(...compares.filter((each) => each !== compare));
  const [before] = pieces.all("before");
  if (compare === undefined && changes.length === 0 && before === undefined) {
    // "Lumen's health over the past 2 months" is how it changed.
    const development = developmentOf(pieces, draft, context);
    if (development === undefined) return;
    // "Lumen's health since 1 September".
    const then = comparedAlone(pieces, draft, development, undefined, words, context);
    draft.compare = { to: then?.to ?? "before" };
    if (then?.window === undefined) return;
    draft.window = then.window;
    pieces.take(development);
    return;
  }
  // "Top accounts by MRR that lost usage".
  if (directed.length > 0 && !["", "events", "change"].includes(draft.order?.by ?? "")) return;
  if (changes.some(({ by }) => by === "what") && !pieces.has("measure") && !pieces.remaining.some(isEvent)) return;
  // "Why did the score drop": its explanation says so.
  if (compare === undefined && before === undefined && pieces.asks("why")) {
    // Reasons explain only what lowers a score.
    const isOfScore = pieces.has("measure", "score") || namesOnlyEntity(pieces.remaining);
    if (isOfScore && directed.every(({ direction }) => direction === "down")) pieces.take(...changes);
    return;
  }
  const windows = pieces.all("window").filter(({ isBound, isVague }) => (isBound ?? isVague) === undefined);
  // "Renewals in Q1 that lost users last month": one of the times belongs to the renewal.
  if (compare === undefined && windows.length > 1 && pieces.all("dimension").some((each) => isDate(each, context)))
    return;
  const [window, other] = windows;
  const compared = comparedValues(pieces);
  if (compare !== undefined && compared !== null && windows.length < 2) {
    const { dimension, conditions, values } = compared;
    const noun = pieces.first("find");
    const isCount = pieces.asks("count") && !pieces.has("measure") && !pieces.remaining.some(isEvent);
    // "Lumen vs Kestrel".
    const isAlone = pieces.remaining.every(
      (piece) => [compare, window, ...conditions].includes(piece) || isA(piece, "form"),
    );
    // "Compare the users of Lumen and Kestrel": their number, or their activity.
    if (!isCount && dimension === "account" && noun?.find === "users") return;
    // "Features that Lumen uses more than Kestrel", "more viewers than admins", "more churned accounts than trials".
    const isOfEach = noun?.find === "features" || (dimension.startsWith("user.") && noun?.find === "accounts");
    // "Exports per week of Lumen vs Kestrel" would be a series of both together.
    if (isOfEach || (draft.per !== undefined && draft.per !== dimension)) return;
    if (!isEntityDimension(dimension) || isCount) draft.per ??= dimension;
    else if (dimension === "account" || noun?.find !== "accounts")
      draft.order ??= {
        by: !isAlone || dimension !== "account" ? "" : window === undefined ? "score" : "events",
        direction: "down",
      };
    draft.where.push({ dimension, in: values });
    pieces.take(compare, ...conditions);
    // "Lumen vs Kestrel, who exports more": one of them, and not their users.
    const who = pieces.remaining.find(isWho);
    const isAt = /^(?:at|in|from|of)$/.test(words[(conditions[0]?.from ?? 0) - 1]?.folded ?? "");
    if (dimension === "account" && who !== undefined && noun === undefined && !isAt)
      pieces.replace(who, { type: "find", find: "accounts" });
    return;
  }
  if (!pieces.has("measure") && changes.some(({ by }) => by === "score")) draft.measure = "score";
  // "Grew more than Halcyon": compares with the change of another account.
  if (compare !== undefined && window === undefined && before === undefined) return;
  const only = windows.length === 1 ? window : undefined;
  // "Since last month": the value now, and a month ago.
  const ago = UNITS.find((each) => only && foldedOf(words, only) === `since last ${each}`);
  const since = ago && windowDays({ last: 1, unit: ago }, context.today).from - 1;
  const own = since && isState(pieces, draft) ? { from: isoDate(since), to: isoDate(context.today) } : only?.window;
  // "Compare last week with the week before".
  const isFollowed =
    compare !== undefined && only !== undefined && pieces.after(only) === before && before !== undefined;
  const then =
    only && own && !isFollowed && comparedAlone(pieces, draft, { ...only, window: own }, compare, words, context);
  if (then) {
    if (then.window !== undefined) draft.window = then.window;
    draft.compare = { to: then.to };
    pieces.take(compare, before, window);
  } else if (only !== undefined && compare !== undefined && !isFollowed && pieces.after(compare) === only) return;
  else if (other !== undefined && windows.length === 2 && (compare !== undefined || changes.length > 0)) {
    // "The last 28 days vs the 28 days before": both have the same window.
    const isRepeated = JSON.stringify(other.window) === JSON.stringify(window?.window);
    if (isRepeated ? (compare ?? before) === undefined : before !== undefined) return;
    // A day's events say nothing about a month's.
    const days = windows.filter((each) => isDay(each.window));
    if ((isImplied ? days.length > 0 : days.length === 1) && !isState(pieces, draft)) return;
    // "Last month vs this month": as many days of both.
    const isTurned = window !== undefined && "previous" in window.window && "this" in other.window;
    if (isTurned && (draft.order !== undefined || directed.length > 0)) return;
    // "The score yesterday vs last week", on a Monday: both end on the same day.
    const ends = windows.map((each) => windowDays(each.window, context.today).to);
    if (isState(pieces, draft) && !isRepeated && new Set(ends).size === 1) return;
    draft.compare = { to: isRepeated ? "before" : (isTurned ? window : other).window };
    pieces.take(compare, isTurned ? window : other);
  } else if (changes.length > 0 || before !== undefined)
    draft.compare = {
      to: before === undefined ? "before" : unitBefore(only?.window, foldedOf(words, before), context),
    };
  else return;
  if (changed !== undefined && draft.order?.by !== "change")
    draft.order = { by: "change", direction: changed.direction === "up" ? "down" : "up" };
  pieces.take(...changes, before, compare);
  const money = pieces.first("measure", "mrr");
  const isLost = changed !== undefined && /\blos(?:t|e|es|ing)\b/.test(foldedOf(words, changed));
  if (isLost && money !== undefined && (compare ?? before) === undefined) {
    // "Which accounts lost the most MRR": churned ones did too.
    pieces.replace(money, { type: "measure", measure: "mrr_lost" });
    delete draft.compare;
    draft.order = { by: "mrr_lost", direction: "down" };
  }
  // "Exports per week, October vs September": two series.
  if (isPeriod(draft.per) && (compare ?? before) === undefined) {
    delete draft.compare;
    delete draft.order;
  }
}

const isDate = ({ dimension }: PieceOf<"dimension">, context: DraftContext): boolean =>
  dimensionType(dimension, context) === "date";

/** Returns the time of a question that asks for one value of one account over several days. */
function developmentOf(pieces: Pieces, draft: Draft, { today }: DraftContext): PieceOf<"window"> | undefined {
  const [only, ...others] = pieces.remaining.filter(
    (piece) => !isA(piece, "form") && !isA(piece, "measure") && !isA(piece, "value", "account"),
  );
  const isPlain = others.length === 0 && isState(pieces, draft) && shownNames(pieces).length === 1;
  const isLong =
    isA(only, "window") &&
    ("last" in only.window || ("from" in only.window && only.window.to === isoDate(today) && !isOneDay(only.window)));
  return isPlain && isLong && pieces.has("value", "account") && !pieces.asks("why") ? only : undefined;
}

/** Tests whether the compared measure has a value for each day, and isn't counted over days. */
const isState = (pieces: Pieces, draft: Draft): boolean =>
  HISTORY.has(pieces.first("measure")?.measure ?? draft.measure ?? "");

/** "Last month vs the month before": months, quarters and years differ in length. "Yesterday vs the day before". */
function unitBefore(window: WindowName | undefined, said: string, { today }: DraftContext): WindowName | "before" {
  if (window === undefined || !("from" in window || "previous" in window)) return "before";
  const { from, to } = windowDays(window, today);
  if (from === to && said.endsWith("day before")) return { from: isoDate(from - 1), to: isoDate(from - 1) };
  const unit = unitOfSpan({ from: isoDate(from), to: isoDate(to) });
  return (unit !== undefined && unit !== "day" && unit !== "week" && unitAt(unit, from - 1)) || "before";
}

/** "Compared to last month", "since September": gives the earlier window. The other one is the current period. */
function comparedAlone(
  pieces: Pieces,
  draft: Draft,
  piece: PieceOf<"window">,
  compare: PieceOf<"compare"> | undefined,
  words: readonly Word[],
  { today }: DraftContext,
): { window?: WindowName; to: WindowName | "before" } | null {
  const { window } = piece;
  // "Compare exports to last month".
  const isTo = /^(?:to|with|against)$/.test(words[piece.from - 1]?.folded ?? "");
  if (compare !== undefined && (isTo || pieces.after(compare)?.from === piece.from)) {
    if ("previous" in window) return { window: { this: window.previous }, to: window };
    if ("from" in window && unitOfSpan(window) === "month") return { window: { this: "month" }, to: window };
    if (!isOneDay(window)) return null;
    if (isState(pieces, draft)) return { to: window };
    // "Compared to a month ago": the month since then, and the one before.
    const unit = UNITS.slice(1).find(
      (each) => windowDays({ last: 1, unit: each }, today).from === dayOf(window.from) + 1,
    );
    const days = today - dayOf(window.from);
    if (unit === undefined && (days < 7 || days > 31)) return null;
    return { window: unit === undefined ? { last: days, unit: "day" } : { last: 1, unit }, to: "before" };
  }
  // "Seats in May vs now".
  if (compare !== undefined && pieces.remaining.at(-1) === compare && isOneDay(window) && isState(pieces, draft))
    return { window: { this: "day" }, to: window };
  // "Since" a day: the value then and now.
  if (compare !== undefined || !("from" in window) || window.to !== isoDate(today)) return null;
  if (pieces.first("measure")?.measure === "seat_use") {
    const month = unitAt("month", dayOf(window.from));
    return month?.from === window.from ? { window: { this: "month" }, to: month } : null;
  }
  return isState(pieces, draft) ? { window: { this: "day" }, to: { from: window.from, to: window.from } } : null;
}

const isOneDay = (window: WindowName): window is DateRange => "from" in window && window.from === window.to;

const isDay = (window: WindowName): boolean =>
  isOneDay(window) || ("this" in window ? window.this : "previous" in window && window.previous) === "day";

/** Returns conditions with different values of one dimension. */
export function comparedValues(pieces: Pieces): { dimension: string; conditions: Piece[]; values: string[] } | null {
  const conditions = pieces.remaining.flatMap(
    (piece): { piece: Piece; dimension: string; values: readonly string[] }[] => {
      if (isA(piece, "value") && piece.dimension !== "event")
        return [{ piece, dimension: piece.dimension, values: piece.values }];
      const condition = isA(piece, "filter") ? piece.filter : isA(piece, "find") ? piece.where?.[0] : undefined;
      return typeof condition?.is === "string"
        ? [{ piece, dimension: condition.dimension, values: [condition.is] }]
        : [];
    },
  );
  for (const [dimension, each] of Map.groupBy(conditions, (condition) => condition.dimension)) {
    const values = [...new Set(each.flatMap((condition) => condition.values))];
    if (values.length > 1) return { dimension, conditions: each.map(({ piece }) => piece), values };
  }
  return null;
}

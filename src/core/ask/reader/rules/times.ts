/** Rules for times that stand together. */
import { DAILY_MEASURES } from "../../query/dimensions.ts";
import type { PieceOf } from "../fragments/fragments.ts";
import { between, hasA, isA, isActive, isWho, touch } from "../fragments/pieces.ts";
import { adjacent } from "../times/calendar.ts";
import { foldedOf } from "../words/split-words.ts";
import { swap, type RewriteRule, UNSUPPORTED } from "./rewrite.ts";

const LISTED = new Set("and or in the".split(" "));

/** "September, October and November": one time, if what is asked for can be counted over all of it. */
export const listedTimes: RewriteRule = ([a, or, c], { pieces, words }) => {
  const hasOr = isA(or, "or");
  const b = hasOr ? c : or;
  if (!isA(a, "window") || !isA(b, "window") || a.isBound !== undefined || b.isBound !== undefined) return null;
  const gap = between(words, a, b);
  // "The score today and a month ago": compared.
  const [then, now] = isToday(a) ? [b, a] : [a, b];
  const isOfTwoDays = isToday(now) && "from" in then.window && then.window.from === then.window.to && !hasOr;
  const isPlain =
    gap.every((word) => word === "and") && hasA(pieces, "measure", ...DAILY_MEASURES) && !hasA(pieces, "compare");
  if (isOfTwoDays && isPlain) return swap(2, now, { type: "compare" }, then);
  if (!gap.every((word) => LISTED.has(word)) || (gap.length === 0 && words[b.from]?.isAfterStop !== true)) return null;
  const isOther = hasA(pieces, "compare") || hasA(pieces, "measure", ...DAILY_MEASURES);
  const isCounted = hasA(pieces, "form", "count") || hasA(pieces, "per") || hasA(pieces, "measure");
  const isAny = hasOr || gap.includes("or") || hasA(pieces, "find", "items");
  const [window, ahead] = [adjacent(a.window, b.window), adjacent(a.ahead ?? a.window, b.ahead ?? b.window)];
  if (window === null || isOther || !(isCounted || isAny)) return null;
  // "Usage in September and October": a number for each month, unless one is asked for.
  const isEach =
    gap.includes("and") && hasA(pieces, "measure", "events") && !hasA(pieces, "form") && !hasA(pieces, "per");
  return swap(
    hasOr ? 3 : 2,
    ...(isEach && isOfMonths(a) && isOfMonths(b) ? [{ type: "per", per: "month" } as const] : []),
    { type: "window", window, ahead: ahead ?? window },
  );
};

const isToday = ({ window }: PieceOf<"window">): boolean => "this" in window && window.this === "day";

const isOfMonths = ({ window }: PieceOf<"window">): boolean =>
  "from" in window && window.from.endsWith("-01") && window.from !== window.to;

/** "Active on Saturday and Sunday": on each of them. */
export const onSeveralDays: RewriteRule = ([a, b], { words }) => {
  const said = isA(b, "window") ? words.slice(b.from, b.to).map(({ folded }) => folded) : [];
  const isOfDays = said.filter((word) => word.endsWith("day")).length > 1 && said.some((word) => word === "and");
  return isActive(a) && isOfDays && said[0] !== "between" ? swap(2, UNSUPPORTED) : null;
};

/** Rejects "in the next 30 to 60 days": "next 30" isn't a number of results. Rejects "every 2 weeks". */
export const rangeOfDays: RewriteRule = ([a, b], { words }) => {
  const isEvery = isA(a, "window") && /^\d/.test(words[a.from]?.folded ?? "");
  if (isEvery && /^(?:every|each|per)$/.test(words[a.from - 1]?.folded ?? "")) return swap(1, UNSUPPORTED);
  const isRange =
    isA(a, "number") &&
    isA(b, "window") &&
    (words[b.from]?.joint === "-" || words[b.from]?.folded === "to" || between(words, a, b).join(" ") === "to");
  return isRange ? swap(2, UNSUPPORTED) : null;
};

/** "Exports per day, two weeks": the last two. */
export const bareTime: RewriteRule = ([a, b], { pieces, words }) => {
  const isAlone = isA(a, "number") && words[a.from]?.isAfterStop === true && words[a.to]?.isAfterStop !== false;
  if (!isAlone || a.unit === undefined || a.unit === "percent" || isA(b, "bound")) return null;
  const { value, unit } = a;
  return hasA(pieces, "window") || hasA(pieces, "bound")
    ? null
    : swap(1, { type: "window", window: { last: value, unit }, ahead: { next: value, unit } });
};

/** "In each of the last 6 weeks": one result per week. */
export const perUnit: RewriteRule = ([a, b], { pieces, words }) => {
  if (pieces.some(isWho) || !isA(a, "per") || a.isStrict !== true || !isA(b, "window") || !("last" in b.window))
    return null;
  // "How many did each have in 30 days".
  if (between(words, a, b).some((word) => !/^(?:of|in|the|these|those)$/.test(word))) return null;
  const { unit } = b.window;
  return unit === "quarter" || unit === "year" ? null : swap(2, { type: "per", per: unit }, b);
};

/** "Was usage higher in September or October": compares them. */
export const higherWhen: RewriteRule = ([a, or, c], { pieces }) => {
  const isPair = isA(a, "window") && isA(or, "or") && isA(c, "window") && (a.isBound ?? c.isBound) === undefined;
  if (isPair && hasA(pieces, "change")) return swap(3, a, { type: "compare" }, c);
  const hasPair = pieces.some(
    (piece, at) => isA(piece, "window") && isA(pieces[at + 1], "or") && isA(pieces[at + 2], "window"),
  );
  const isMore = isA(a, "order") && a.isMore === true && a.by === undefined && !hasA(pieces, "compare");
  return isMore && hasPair && !hasA(pieces, "find") ? swap(1, { type: "change", direction: null }) : null;
};

/** "The usage curve by day": said twice. A curve alone has a value for each week. */
export const curve: RewriteRule = ([a], { pieces }) =>
  isA(a, "per") && a.isVague === true && pieces.some((piece) => piece !== a && isA(piece, "per")) ? swap(1) : null;

/** "This week vs last": last week. "Last month vs this": this month. */
export const lastOne: RewriteRule = ([a, b, c, d], { words }) => {
  const isEnd = c === undefined || (isA(c, "pointer") && d === undefined);
  const isThis = isEnd && isA(b, "compare") && words[b.to]?.folded === "this";
  if (isThis && isA(a, "window") && "previous" in a.window)
    return swap(c === undefined ? 2 : 3, a, b, { type: "window", window: { this: a.window.previous } });
  const isLast = isA(c, "dimension", "last_seen") && !touch(c, d) && foldedOf(words, c) === "last";
  return isLast && isA(a, "window") && "this" in a.window && a.window.this !== "day" && isA(b, "compare")
    ? swap(3, a, b, { type: "window", window: { previous: a.window.this } })
    : null;
};

/** "Compared to the same time last month": this month and last month are compared over as many days. */
export const sameTime: RewriteRule = ([a, b], { pieces, words }) => {
  if (!isA(a, "same") || !isA(b, "window") || !("previous" in b.window)) return null;
  const { previous } = b.window;
  // The first days of months are other weekdays.
  if (previous !== "week" && /weekday/.test(foldedOf(words, a))) return null;
  const isSame = pieces.every(
    (piece) => piece === b || !isA(piece, "window") || ("this" in piece.window && piece.window.this === previous),
  );
  return isSame && hasA(pieces, "compare") ? swap(2, b) : null;
};

/** "Signed a contract": a new customer's, or a renewal. */
export const signedContract: RewriteRule = ([a, b], { words }) =>
  isA(a, "filter", "stage") &&
  isA(b, "dimension") &&
  /^contracts?\b/.test(foldedOf(words, b)) &&
  b.from - a.to < 2 &&
  /^(?:bought|signed|purchased|sign|won)$/.test(words[a.to - 1]?.folded ?? "")
    ? swap(2, UNSUPPORTED)
    : null;

/** "Did Lumen renew": when its contract ends says nothing about that. */
export const renewed: RewriteRule = ([a], { words }) => {
  const isDone = words.slice(0, a?.from).some(({ folded }) => folded === "did");
  return isDone && isA(a, "dimension") && words[a.from]?.folded === "renew" ? swap(1, UNSUPPORTED) : null;
};

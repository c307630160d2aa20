/** Rules for numbers and amounts of money: what they bound. */
import type { Fragment, PieceOf, Piece } from "../fragments/fragments.ts";
import { foldedOf, type Word } from "../words/split-words.ts";
import { between, hasA, isA, isActive, isEntityName, isEvent, isWho, measureName, touch } from "../fragments/pieces.ts";
import { filter, swap, type RewriteRule, UNSUPPORTED } from "./rewrite.ts";

/** "2k a month", "what they pay monthly". "MRR per month", which is monthly anyway, would be a series. */
const isMonthly = (words: readonly Word[], amount: Piece, { from: unit }: Piece): boolean =>
  /^(?:pay|money)/.test(words[amount.from]?.folded ?? "") ||
  (/^(?:a|per|each|every)$/.test(words[unit]?.folded ?? "") && !/mrr|revenue/.test(foldedOf(words, amount)));

/** "Pays per month" is the MRR. "Pays per month this year" would be a series. */
export const money: RewriteRule = ([a, b, c], { pieces, words }) => {
  // "How much pays Lumen per month".
  const isNamed = isA(a, "measure", "mrr") && isEntityName(b) && isA(c, "per") && c.per === "month" && touch(b, c);
  if (isNamed && isMonthly(words, a, c) && !hasA(pieces, "window")) return swap(3, a, b);
  const isPaid =
    isA(a, "measure", "mrr") || (isA(a, "number") && (a.currency !== undefined || hasA(pieces, "measure", "mrr")));
  const isOfMonth = isA(b, "per") && b.per === "month" && a !== undefined && touch(a, b) && isMonthly(words, a, b);
  if (isPaid && isOfMonth && !hasA(pieces, "window")) return swap(2, a);
  return isA(a, "number") && isA(b, "value", "currency") && touch(a, b) && a.unit === undefined
    ? swap(2, { ...a, currency: b.values[0] ?? "" })
    : null;
};

/** "How many dollars renew in May", "euros up for renewal, in total": an amount, and not accounts. */
export const amountOf: RewriteRule = ([a], { pieces, before, words }) => {
  // "How much USD is at risk".
  const isMuch = before !== undefined && foldedOf(words, before) === "how much";
  const isAmount = isMuch || /^(?:dollars|euros)$/.test(words[a?.from ?? 0]?.folded ?? "");
  if (
    !isA(a, "value", "currency") ||
    !isAmount ||
    hasA(pieces, "measure") ||
    hasA(pieces, "find") ||
    words[a.from - 1]?.folded === "in"
  )
    return null;
  const isCounted = isA(before, "form", "count") || isA(before, "aggregate") || before === undefined;
  return isCounted ? swap(1, a, { type: "measure", measure: "mrr" }) : null;
};

/** "The account with maximum seats", "who pays minimum": without a number, they rank. */
export const extreme: RewriteRule = ([a], { pieces, words }) => {
  if (!isA(a, "bound", "from", "to") || !/^(?:min|max)(?:imum)?$/.test(foldedOf(words, a))) return null;
  return hasA(pieces, "number") ? null : swap(1, { type: "order", direction: a.condition === "to" ? "down" : "up" });
};

/** "Score below 60 plus MRR": a column. "30 plus seats" is a bound. */
export const plusColumn: RewriteRule = ([a, b, c, d], { words }) => {
  const isPlus = isA(c, "bound") && words[c.from]?.folded === "plus" && measureName(d) !== null;
  return isA(a, "bound") && isA(b, "number") && isPlus ? swap(3, a, b, { type: "with" }) : null;
};

/** "lower than it was 30 days ago", "more than last week": a comparison with that time, not a bound. */
export const moreThanThen: RewriteRule = ([a, b, c]) => {
  const window = isA(b, "pointer") || isA(b, "before") ? c : b;
  if (!isA(a, "bound", "over", "under") || !isA(window, "window")) return null;
  if (window.isBound !== undefined || "last" in window.window || "next" in window.window) return null;
  const changed: Fragment = { type: "change", direction: a.condition === "over" ? "up" : "down" };
  return swap(window === c ? 3 : 2, changed, { type: "compare" }, window);
};

/** "Open for more than 30 days": opened before that. */
export const openFor: RewriteRule = ([a, ...next], { words }) => {
  // "Open items for more than 30 days".
  const b = isA(next[0], "find", "items") ? next[1] : next[0];
  const count = b === next[0] ? 2 : 3;
  if (!isA(a, "filter", "status") || a.filter.is !== "open" || !isA(b, "window") || b.isBound !== undefined)
    return null;
  // "Items that were open last week" may be resolved by now.
  if (touch(a, b) && /^(?:was|were)$/.test(words[a.from - 1]?.folded ?? "")) return swap(2, UNSUPPORTED);
  return "last" in b.window && /^(?:for|over|more|longer|at)$/.test(words[b.from]?.folded ?? "")
    ? swap(count, a, ...next.slice(0, count - 2), { type: "window", window: b.window, isBound: "before" })
    : null;
};

/** "active on at least 5 days", "exported on more than 3 days": how many days are counted. */
export const activeOn: RewriteRule = ([a, b, c], { words }) => {
  if (a === undefined || !isA(b, "window") || !("last" in b.window) || b.window.unit !== "day") return null;
  // "Active at least 10 days in October".
  const isOfTime = isA(c, "window") && touch(b, c) && /^(?:for )?at least/.test(foldedOf(words, b));
  if (words[b.from - 1]?.folded !== "on" && !(isOfTime && isActive(a))) return null;
  if (!isActive(a) && !isEvent(a)) return swap(2, UNSUPPORTED);
  const first = words[b.from]?.folded ?? "";
  const condition = first === "at" || isOfTime ? "from" : /^(?:more|over)$/.test(first) ? "over" : "is";
  return swap(2, ...(isEvent(a) ? [a] : []), filter({ dimension: "active_days", [condition]: b.window.last }));
};

/** Returns a bound and its number, in any order. */
function boundIn(a: Piece | undefined, b: Piece | undefined): Partial<Record<string, number>> | null {
  const [bound, number] = isA(a, "number") ? [b, a] : [a, b];
  return isA(bound, "bound") && isA(number, "number") && number.unit === undefined
    ? { [bound.condition]: number.value }
    : null;
}

/** "fewer than 3 users active", "accounts with 10 or more people who share reports", "with no users exporting". */
export const activeUsers: RewriteRule = (next, { pieces, at }) => {
  const [a, b] = next;
  const isNone = isA(a, "negation");
  const bound = boundIn(a, b);
  const rest = next.slice(isNone ? 1 : 2).filter((piece) => !isWho(piece));
  const uses = rest.slice(0, 3).find((piece) => isA(piece, "use", "uses"));
  const [first, second] = rest.filter((piece) => piece !== uses);
  const [users, action] = isA(first, "filter") ? [second, first] : [first, second];
  if (users === undefined || action === undefined || !isA(users, "find", "users")) return null;
  if (!isActive(action) && !(isEvent(action) && hasA(pieces.slice(0, at), "find", "accounts"))) return null;
  const count = Math.max(pieces.indexOf(users), pieces.indexOf(action)) + 1 - at;
  if (isNone && isEvent(action)) return swap(count, { type: "negation" }, action);
  if (isNone)
    return hasA(pieces.slice(0, at), "find", "accounts") && uses === undefined
      ? swap(count, filter({ dimension: "active", is: false }))
      : null;
  return bound && swap(count, filter({ dimension: "active_users", ...bound }), ...(isEvent(action) ? [action] : []));
};

/** "Accounts with fewer than 3 features", "features used by more than 10 accounts". */
export const countedNouns: RewriteRule = ([a, b, c], { pieces, at, before }) => {
  const bound = boundIn(a, b);
  const noun = pieces.slice(0, at).find((piece) => isA(piece, "find"));
  if (bound === null || !isA(c, "find") || c.where !== undefined || !isA(noun, "find") || noun.find === c.find)
    return null;
  if (c.find === "features" && noun.find !== "items") return swap(3, filter({ dimension: "features_used", ...bound }));
  const isBy = isA(before, "per") || isA(before, "use");
  return noun.find === "features" && isBy ? swap(3, filter({ dimension: `active_${c.find}`, ...bound })) : null;
};

/** Rejects "dropped by 15 points or more", "fell more than 20 %": no query limits how much something changed. */
export const changedByNumber: RewriteRule = ([a, b, c, d], { words }) => {
  const [first, second] = isA(b, "per") && words[b.from]?.folded === "by" ? [c, d] : [b, c];
  if (!isA(a, "change") || first === undefined || words[first.from]?.isAfterStop === true) return null;
  const isBounded = isA(first, "bound") ? isA(second, "number") : isA(second, "bound") || measureName(second) !== null;
  const isNear = between(words, a, first).every((word) => /^(?:by|of)$/.test(word));
  return isNear && isBounded && (isA(first, "bound") || isA(first, "number")) ? swap(2, UNSUPPORTED) : null;
};

/** "MRR between 1,000 and 2,000", "between €1000 and €2000", "20-60 seats". */
export const within: RewriteRule = (next, { words }) => {
  const [a, b, c] = isA(next[0], "number") ? [next[2], next[0], next[1]] : next;
  const name = isEvent(a) ? "events" : measureName(a);
  if (name === null || isA(a, "dimension") || !isA(b, "number") || !isA(c, "number")) return null;
  const [first, second] = [words[b.from - 1]?.folded, words[c.from - 1]?.folded];
  const currency = b.currency ?? c.currency;
  if (currency !== undefined && (name !== "mrr" || (c.currency ?? currency) !== currency)) return null;
  if (!touch(b, c) && (first !== "between" || second !== "and") && second !== "to") return null;
  const bounds: Fragment[] = [filter({ dimension: name, from: b.value }), filter({ dimension: name, to: c.value })];
  if (currency !== undefined) bounds.push({ type: "value", dimension: "currency", values: [currency] });
  return swap(3, ...bounds, ...(isEvent(a) ? [a] : []));
};

/** "more than 3 active users", "MRR above 5,000", "5 or more", "over $5k", "below 40% utilisation", "more than ten exports". */
export const bounded: RewriteRule = (next, { pieces, before }) => {
  for (const order of ORDERS) {
    const [bound, number, counted] = ["bound", "number", "counted"].map((each) => next[order.indexOf(each)]);
    if (!isA(bound, "bound") || !isA(number, "number")) continue;
    if (number.unit !== undefined && number.unit !== "percent") {
      const isLong = bound.condition === "over" || bound.condition === "from";
      if (order.length === 2 && isLong && isA(before, "filter", "active"))
        return swap(2, { type: "window", window: { last: number.value, unit: number.unit } });
      continue;
    }
    // "Synced more than 100 times", "exported and have more than 20 seats": what follows the number is bounded.
    const following = next[order.length];
    const isOfOther = touch(number, following) && (measureName(following) !== null || isA(following, "find"));
    if (isEvent(counted) && isOfOther && measureName(following) !== "events") continue;
    // "By MRR with fewer than 5 active users".
    if (order[0] === "counted" && touch(number, following) && measureName(following) !== null) continue;
    if (isEvent(counted) && isTimes(number, following)) continue;
    // "Tried it at least once".
    const isOnce =
      bound.condition === "from" && number.value === 1 && pieces.some((piece) => isEvent(piece) || isActive(piece));
    if (isOnce && measureName(counted) === "events") return swap(order.length);
    const fragments = boundOf(bound, number, counted);
    if (fragments !== null && (order.length === 3 || number.currency !== undefined))
      return swap(order.length, ...fragments);
  }
  return null;
};

const ORDERS = ["bound number counted", "number bound counted", "counted bound number", "counted number bound"]
  .concat("number counted bound", "bound number", "number bound")
  .map((order) => order.split(" "));

function boundOf(
  { condition }: PieceOf<"bound">,
  { value, unit, currency }: PieceOf<"number">,
  counted: Piece | undefined,
): Fragment[] | null {
  const name = measureName(counted);
  const bound = (dimension: string): Fragment => filter({ dimension, [condition]: value });
  if (currency !== undefined)
    return counted === undefined || name === "mrr"
      ? [bound("mrr"), { type: "value", dimension: "currency", values: [currency] }]
      : null;
  if (unit === "percent" && (name === "seats" || name === "seat_use")) return [bound("seat_use")];
  if (unit === "percent") return name === "adoption" ? [bound("adoption")] : null;
  // "At least one export": used at all.
  if (isEvent(counted) && condition === "from" && value === 1) return [counted];
  if (isEvent(counted) && value === 0) return condition === "is" ? [{ type: "negation" }, counted] : null;
  if (isEvent(counted)) return [bound("events"), counted];
  return name === null || isA(counted, "dimension") ? null : [bound(name)];
}

/** "Exported twice": exactly so often. */
export const timesDone: RewriteRule = ([a, b, c], { pieces, words }) => {
  if (!isA(a, "number") || a.unit !== undefined || !isTimes(a, b) || !pieces.some(isEvent)) return null;
  // "Accounts which once used it": at some time.
  if (words[a.from]?.folded === "once" && (isA(c, "use") || isEvent(c))) return swap(2, UNSUPPORTED);
  const isRate = /^(?:per|bound|order|compare)$/.test(c?.type ?? "");
  return isRate ? null : swap(2, filter({ dimension: "events", is: a.value }));
};

/** "3 times", or "twice": one word for both. */
const isTimes = (number: Piece | undefined, next: Piece | undefined): boolean =>
  isA(next, "measure", "events") && (touch(number, next) || number?.from === next.from);

/** Rules for the bounds that numbers and amounts of money set. */
import type { Bound, Fragment, Placed } from "../fragments/fragments.ts";
import type { Filter } from "../../query/model.ts";
import type { Word } from "../words/words.ts";
import { hasA, isA, isActive, isEvent, isWho, nameOf, touch } from "../fragments/pieces.ts";
import { filter, put, type Rule, UNSUPPORTED } from "./rewrite.ts";

/** "MRR a month", "what they pay monthly". */
const isMonthly = (words: readonly Word[], { from }: Placed, { from: unit }: Placed): boolean =>
  /^(?:a|per)$/.test(words[unit]?.folded ?? "") || words[from]?.folded.startsWith("pay") === true;

/** "MRR per month" is the MRR. "MRR by month" and "MRR per month this year" are series. */
export const money: Rule = ([a, b], { pieces, words }) => {
  const isPaid =
    isA(a, "measure", "mrr") || (isA(a, "number") && (a.currency !== undefined || hasA(pieces, "measure", "mrr")));
  const isOfMonth = isA(b, "per") && b.per === "month" && a !== undefined && touch(a, b) && isMonthly(words, a, b);
  if (isPaid && isOfMonth && !hasA(pieces, "window")) return put(2, a);
  return isA(a, "number") && isA(b, "value", "currency") && touch(a, b) && a.unit === undefined
    ? put(2, { ...a, currency: b.values[0] ?? "" })
    : null;
};

/** "lower than it was 30 days ago", "more than last week": a comparison with that time, not a bound. */
export const moreThanThen: Rule = ([a, b, c]) => {
  const window = isA(b, "pointer") || isA(b, "before") ? c : b;
  if (!isA(a, "bound", "over", "under") || !isA(window, "window")) return null;
  if (window.isBound !== undefined || "last" in window.window || "next" in window.window) return null;
  const changed: Fragment = { type: "change", direction: a.condition === "over" ? "up" : "down" };
  return put(window === c ? 3 : 2, changed, { type: "compare" }, window);
};

/** "Open for more than 30 days": opened before that. */
export const openFor: Rule = ([a, ...next], { words }) => {
  // "Open items for more than 30 days".
  const b = isA(next[0], "find", "items") ? next[1] : next[0];
  const count = b === next[0] ? 2 : 3;
  if (!isA(a, "filter", "status") || a.filter.is !== "open" || !isA(b, "window") || b.isBound !== undefined)
    return null;
  // "Items that were open last week" may be resolved by now.
  if (touch(a, b) && /^(?:was|were)$/.test(words[a.from - 1]?.folded ?? "")) return put(2, UNSUPPORTED);
  return "last" in b.window && /^(?:for|over|more|longer|at)$/.test(words[b.from]?.folded ?? "")
    ? put(count, a, ...next.slice(0, count - 2), { type: "window", window: b.window, isBound: "before" })
    : null;
};

/** "active on at least 5 days", "exported on more than 3 days": how many days are counted. */
export const activeOn: Rule = ([a, b], { words }) => {
  if (a === undefined || !isA(b, "window") || !("last" in b.window) || b.window.unit !== "day") return null;
  if (words[b.from - 1]?.folded !== "on") return null;
  if (!isActive(a) && !isEvent(a)) return put(2, UNSUPPORTED);
  const first = words[b.from]?.folded ?? "";
  const condition = first === "at" ? "from" : /^(?:more|over)$/.test(first) ? "over" : "is";
  return put(2, ...(isEvent(a) ? [a] : []), filter({ dimension: "active_days", [condition]: b.window.last }));
};

/** "More than 5", "5 or more": the bound becomes part of the number. */
export const withBound: Rule = ([a, b, c]) => {
  const [bound, number] = isA(a, "bound") ? [a, b] : [b, a];
  if (!isA(bound, "bound") || !isA(number, "number") || number.condition !== undefined) return null;
  return number === b || !isA(c, "number") ? put(2, { ...number, condition: bound.condition }) : null;
};

export const boundIn = (piece: Placed | undefined): Pick<Filter, Bound> | null =>
  isA(piece, "number") && piece.condition !== undefined && piece.unit === undefined
    ? { [piece.condition]: piece.value }
    : null;

/** "fewer than 3 users active", "accounts with 10 or more people who share reports", "with no users exporting". */
export const activeUsers: Rule = ([a, ...next], { pieces, at }) => {
  const bound = boundIn(a);
  const rest = next.filter((piece) => !isWho(piece));
  const uses = rest.slice(0, 3).find((piece) => isA(piece, "use", "uses"));
  const [first, second] = rest.filter((piece) => piece !== uses);
  const [users, deed] = isA(first, "filter") ? [second, first] : [first, second];
  if (users === undefined || deed === undefined || !isA(users, "find", "users")) return null;
  if (!isActive(deed) && !(isEvent(deed) && hasA(pieces.slice(0, at), "find", "accounts"))) return null;
  const count = Math.max(pieces.indexOf(users), pieces.indexOf(deed)) + 1 - at;
  if (isA(a, "negation")) return isEvent(deed) ? put(count, { type: "negation" }, deed) : null;
  return bound && put(count, filter({ dimension: "active_users", ...bound }), ...(isEvent(deed) ? [deed] : []));
};

/** "MRR between 1,000 and 2,000", "between €1000 and €2000", "20-60 seats". */
export const within: Rule = (next, { words }) => {
  const [a, b, c] = isA(next[0], "number") ? [next[2], next[0], next[1]] : next;
  const name = isEvent(a) ? "events" : nameOf(a);
  if (name === null || isA(a, "dimension") || !isA(b, "number") || !isA(c, "number")) return null;
  const [first, second] = [words[b.from - 1]?.folded, words[c.from - 1]?.folded];
  const currency = b.currency ?? c.currency;
  if (currency !== undefined && (name !== "mrr" || (c.currency ?? currency) !== currency)) return null;
  // "Below 50 or above 90".
  if ((b.condition ?? c.condition) !== undefined) return null;
  if (!touch(b, c) && (first !== "between" || second !== "and") && second !== "to") return null;
  const bounds: Fragment[] = [filter({ dimension: name, from: b.value }), filter({ dimension: name, to: c.value })];
  if (currency !== undefined) bounds.push({ type: "value", dimension: "currency", values: [currency] });
  return put(3, ...bounds, ...(isEvent(a) ? [a] : []));
};

/** "more than 3 active users", "MRR above 5,000", "5 or more", "over $5k", "below 40% utilisation", "more than ten exports". */
export const bounded: Rule = ([a, b, c], { pieces, before }) => {
  const [number, counted] = isA(a, "number") ? [a, b] : [b, a];
  if (!isA(number, "number")) return null;
  // "20 seats or more".
  const isSplit = number === a && isA(c, "bound");
  const { value, unit, currency, condition = isSplit ? c.condition : undefined } = number;
  if (condition === undefined) return null;
  const name = nameOf(counted);
  const count = isSplit ? 3 : 2;
  const bound = (dimension: string): Fragment => filter({ dimension, [condition]: value });
  if (currency !== undefined) {
    const fragments: Fragment[] = [bound("mrr"), { type: "value", dimension: "currency", values: [currency] }];
    return name === "mrr" ? put(count, ...fragments) : number === a && !isSplit ? put(1, ...fragments) : null;
  }
  if (unit === "percent" && (name === "seats" || name === "seat_use")) return put(count, bound("seat_use"));
  if (unit === "percent") return name === "adoption" ? put(count, bound("adoption")) : null;
  // "Silent for 7+ days".
  if (unit !== undefined)
    return number === a && condition === "from" && isA(before, "filter", "active")
      ? put(1, { type: "window", window: { last: value, unit } })
      : null;
  // "Synced more than 100 times", "by MRR with fewer than 5 active users": what follows the number is bounded.
  if (number === b && touch(b, c) && (nameOf(c) !== null || (isEvent(a) && isA(c, "find")))) return null;
  if (isEvent(counted) && isTimes(number, c)) return null;
  // "Tried it at least once", "at least one export": used at all.
  const isUsed = condition === "from" && value === 1 && pieces.some(isEvent);
  if (isUsed && name === "events") return put(count);
  if (!isEvent(counted)) return name === null || isA(counted, "dimension") ? null : put(count, bound(name));
  if (value === 0) return condition === "is" ? put(count, { type: "negation" }, counted) : null;
  return put(count, ...(isUsed ? [] : [bound("events")]), counted);
};

/** "Exported twice": exactly that many times. */
export const timesDone: Rule = ([a, b, c], { pieces, words }) => {
  if (!isA(a, "number") || a.unit !== undefined || !isTimes(a, b) || !pieces.some(isEvent)) return null;
  // "Accounts which once used it": at some time.
  if (words[a.from]?.folded === "once" && (isA(c, "use") || isEvent(c))) return put(2, UNSUPPORTED);
  const isRate = /^(?:per|bound|order|compare)$/.test(c?.type ?? "");
  return isRate ? null : put(2, filter({ dimension: "events", is: a.value }));
};

/** "3 times", or "twice": one word for both. */
const isTimes = (number: Placed, next: Placed | undefined): boolean =>
  isA(next, "measure", "events") && next.from <= number.to;

/** Rules for numbers, amounts of money and seats: what they bound, and what they are compared with. */
import { DEFAULT_WINDOW } from "../query/windows.ts";
import { nameOf } from "./conditions.ts";
import type { Fragment, Of, Placed } from "./fragments.ts";
import { hasA, between, filter, isA, isActive, isEvent, isWho, isSubject, put, touch, type Rule } from "./pieces.ts";
import { foldedOf } from "./words.ts";

export const money: Rule = ([a, b], { pieces }) => {
  const isPaid =
    isA(a, "measure", "mrr") || (isA(a, "number") && (a.currency !== undefined || hasA(pieces, "measure", "mrr")));
  if (isPaid && isA(b, "per") && b.per === "month" && touch(a, b)) return put(2, a);
  return isA(a, "number") && isA(b, "value", "currency") && touch(a, b) && a.unit === undefined
    ? put(2, { ...a, currency: b.values[0] ?? "" })
    : null;
};

const isUse = (piece: Placed | undefined): boolean =>
  isA(piece, "measure", "active_users") || isA(piece, "find", "users") || isA(piece, "use", "uses");
const isSeats = (piece: Placed | undefined): boolean => isA(piece, "measure", "seats");

/** "more active people than seats", "more seats than they use", "seats vs active users". */
const seatsCompared: Rule = ([a, b, c, ...rest]) => {
  const d = isA(rest[0], "pointer") ? rest[1] : rest[0];
  const isOver = isUse(b) && isSeats(d);
  if (isA(a, "order") && a.by === undefined && isA(c, "compare") && (isOver || (isSeats(b) && isUse(d))))
    return put(
      d === rest[0] ? 4 : 5,
      filter({ dimension: "seat_use", [isOver === (a.direction === "down") ? "over" : "under"]: 100 }),
    );
  // "What share of our seats is used".
  if (isA(a, "share") && isSeats(b) && (isUse(c) || isActive(c)))
    return put(3, { type: "measure", measure: "seat_use" });
  if (isA(a, "measure") && isA(b, "compare") && isA(c, "measure") && a.measure !== c.measure) return put(3, a, c);
  // "The seats of Lumen vs its users".
  const [other] = rest;
  const isOfOne = isA(b, "value", "account") && isA(c, "compare");
  return isA(a, "measure") && isOfOne && isA(other, "measure") && other.measure !== a.measure
    ? put(4, a, b, other)
    : null;
};

/** "cut their seats", "seats went up": a filter on the change, unless the question ranks by its size. */
const seatsChanged: Rule = ([a, b], { pieces, words }) => {
  const [change, seats] = isA(a, "change") ? [a, b] : [b, a];
  if (!isA(change, "change") || change.direction === null || !isSeats(seats)) return null;
  if (a === undefined || b === undefined || between(words, a, b).length > 1) return null;
  const isRanked = hasA(pieces, "order") || hasA(pieces, "aggregate") || hasA(pieces, "compare");
  return isRanked ? null : put(2, filter({ dimension: "seats", changed: change.direction }));
};

/** "who is more active": has more events. */
const moreActive: Rule = ([a, b, c]) =>
  isA(a, "order") && a.by === undefined && isActive(b) && !isA(c, "find") ? put(2, { ...a, by: "events" }) : null;

/** "lower than it was 30 days ago", "more than last week": a comparison with that time, not a bound. */
const moreThanThen: Rule = ([a, b, c]) => {
  const window = isA(b, "pointer") || isA(b, "before") ? c : b;
  if (!isA(a, "bound", "over", "under") || !isA(window, "window")) return null;
  if (window.isBound !== undefined || "last" in window.window || "next" in window.window) return null;
  const changed: Fragment = { type: "change", direction: a.condition === "over" ? "up" : "down" };
  return put(window === c ? 3 : 2, changed, { type: "compare" }, window);
};

/** "Open for more than 30 days": opened before that. */
const openFor: Rule = ([a, b], { words }) => {
  const isOpen = isA(a, "filter", "status") && a.filter.is === "open" && isA(b, "window") && "last" in b.window;
  return isOpen && b.isBound === undefined && /^(?:for|over|more|longer|at)$/.test(words[b.from]?.folded ?? "")
    ? put(2, a, { type: "window", window: b.window, isBound: "before" })
    : null;
};

/** "ever at risk", "was ever a trial": at any recorded time. */
const ever: Rule = ([a, b]) =>
  isA(a, "window") && "all" in a.window && isA(b, "filter", "health", "stage") && b.filter.is !== undefined
    ? put(2, filter({ dimension: b.filter.dimension, became: b.filter.is, window: { all: true } }))
    : null;

/** "active on at least 5 days": how many days are counted. */
const activeOn: Rule = ([a, b], { words }) => {
  if (!isA(a, "filter", "active") || !isA(b, "window") || !("last" in b.window)) return null;
  if (words[b.from - 1]?.folded !== "on" || b.window.unit !== "day") return null;
  const first = words[b.from]?.folded ?? "";
  const condition = first === "at" ? "from" : /^(?:more|over)$/.test(first) ? "over" : "is";
  return put(2, filter({ dimension: "active_days", [condition]: b.window.last }));
};

/** "What share of active users". */
const shareOfActive: Rule = ([a, b]) =>
  isA(a, "share") && isA(b, "measure", "active_users")
    ? put(2, a, filter({ dimension: "active", is: true }), { type: "find", find: "users" })
    : null;

/** A bound and its number, in any order. */
function boundIn(a: Placed | undefined, b: Placed | undefined): Partial<Record<string, number>> | null {
  const [bound, number] = isA(a, "number") ? [b, a] : [a, b];
  return isA(bound, "bound") && isA(number, "number") && number.unit === undefined
    ? { [bound.condition]: number.value }
    : null;
}

/** "fewer than 3 users active", "accounts with 10 or more people who share reports", "with no users exporting". */
const activeUsers: Rule = (next, { pieces, at }) => {
  const [a, b] = next;
  const isNone = isA(a, "negation");
  const bound = boundIn(a, b);
  const rest = next.slice(isNone ? 1 : 2).filter((piece) => !isWho(piece));
  const uses = rest.slice(0, 3).find((piece) => isA(piece, "use", "uses"));
  const [first, second] = rest.filter((piece) => piece !== uses);
  const [users, deed] = isA(first, "filter") ? [second, first] : [first, second];
  if (users === undefined || deed === undefined || !isA(users, "find", "users")) return null;
  if (!isActive(deed) && !(isEvent(deed) && hasA(pieces.slice(0, at), "find", "accounts"))) return null;
  const count = Math.max(pieces.indexOf(users), pieces.indexOf(deed)) + 1 - at;
  if (isNone) return isEvent(deed) ? put(count, { type: "negation" }, deed) : null;
  return bound && put(count, filter({ dimension: "active_users", ...bound }), ...(isEvent(deed) ? [deed] : []));
};

/** "Accounts with fewer than 3 features", "features used by more than 10 accounts". */
const countedNouns: Rule = ([a, b, c], { pieces, at, before }) => {
  const bound = boundIn(a, b);
  const noun = pieces.slice(0, at).find((piece) => isA(piece, "find"));
  if (bound === null || !isA(c, "find") || c.where !== undefined || !isA(noun, "find") || noun.find === c.find)
    return null;
  if (c.find === "features" && noun.find !== "items") return put(3, filter({ dimension: "features_used", ...bound }));
  const isBy = isA(before, "per") || isA(before, "use");
  return noun.find === "features" && isBy ? put(3, filter({ dimension: `active_${c.find}`, ...bound })) : null;
};

/** "MRR between 1,000 and 2,000", "20-60 seats". */
const within: Rule = (next, { words }) => {
  const [a, b, c] = isA(next[0], "number") ? [next[2], next[0], next[1]] : next;
  const name = isEvent(a) ? "events" : nameOf(a);
  if (name === null || isA(a, "dimension") || !isA(b, "number") || !isA(c, "number")) return null;
  const [first, second] = [words[b.from - 1]?.folded, words[c.from - 1]?.folded];
  if (b.currency !== undefined || c.currency !== undefined) return null;
  if (!touch(b, c) && (first !== "between" || second !== "and") && second !== "to") return null;
  const bounds = [filter({ dimension: name, from: b.value }), filter({ dimension: name, to: c.value })];
  return put(3, ...bounds, ...(isEvent(a) ? [a] : []));
};

/** "more than 3 active users", "MRR above 5,000", "5 or more", "over $5k", "below 40% utilisation", "more than ten exports". */
const bounded: Rule = (next, { pieces, before }) => {
  for (const order of ORDERS) {
    const [bound, number, counted] = ["bound", "number", "counted"].map((each) =>
      order.includes(each) ? next[order.indexOf(each)] : undefined,
    );
    if (!isA(bound, "bound") || !isA(number, "number")) continue;
    if (number.unit !== undefined && number.unit !== "percent") {
      const isLong = bound.condition === "over" || bound.condition === "from";
      if (order.length === 2 && isLong && isA(before, "filter", "active"))
        return put(2, { type: "window", window: { last: number.value, unit: number.unit } });
      continue;
    }
    // "Synced more than 100 times": the times are bounded.
    if (isEvent(counted) && isTimes(number, next[order.length])) continue;
    // "Tried it at least once".
    const isOnce = bound.condition === "from" && number.value === 1 && pieces.some(isEvent);
    if (isOnce && nameOf(counted) === "events") return put(order.length);
    const fragments = boundOf(bound, number, counted);
    if (fragments !== null && (order.length === 3 || number.currency !== undefined))
      return put(order.length, ...fragments);
  }
  return null;
};

const ORDERS = ["bound number counted", "number bound counted", "counted bound number", "counted number bound"]
  .concat("number counted bound", "bound number", "number bound")
  .map((order) => order.split(" "));

function boundOf(
  { condition }: Of<"bound">,
  { value, unit, currency }: Of<"number">,
  counted: Placed | undefined,
): Fragment[] | null {
  const name = nameOf(counted);
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

const isPlain = (piece: Placed | undefined): boolean =>
  (isA(piece, "value") && piece.dimension !== "event") || isA(piece, "filter");
const isOnly = (piece: Placed | undefined): boolean => isA(piece, "bound", "is");

/** "Exported twice": exactly so often. */
const timesDone: Rule = ([a, b, c], { pieces }) => {
  const isRate = isA(c, "per") || isA(c, "bound") || isA(c, "order") || isA(c, "compare");
  return isA(a, "number") && a.unit === undefined && isTimes(a, b) && !isRate && pieces.some(isEvent)
    ? put(2, filter({ dimension: "events", is: a.value }))
    : null;
};

/** "3 times", or "twice": one word for both. */
const isTimes = (number: Placed | undefined, next: Placed | undefined): boolean =>
  isA(next, "measure", "events") && (touch(number, next) || number?.from === next.from);

/** "Accounts that only use forecasts": one feature, of which nothing else is said. */
const onlyEvents: Rule = ([a, b, c], { pieces, words }) => {
  const isBefore = isOnly(a);
  const use = isBefore && isA(b, "use", "uses") ? b : undefined;
  const event = isBefore ? (use === undefined ? b : c) : a;
  // "API called but only Team plan": the only plan.
  if (!isBefore && isPlain(c) && words[c?.from ?? 0]?.isAfterStop === false) return null;
  if (!isEvent(event) || !(isBefore || isOnly(b))) return null;
  const isOther = hasA(pieces, "filter", "events") || pieces.some((piece) => isEvent(piece) && piece !== event);
  const window = pieces.find((piece) => isA(piece, "window"))?.window ?? DEFAULT_WINDOW;
  const alone = filter({ dimension: "features_used", is: event.values.length, window });
  return put(use === undefined ? 2 : 3, event, ...(isOther ? [] : [alone]));
};

/** "Only Enterprise accounts", "usage drops, amer only". */
const only: Rule = ([a, b, c]) => {
  if (isOnly(a)) return isPlain(b) || isA(b, "find") ? put(1) : null;
  return a !== undefined && isPlain(a) && isOnly(b) && touch(a, b) && !isA(c, "number") ? put(2, a) : null;
};

/** "Mid-sized (20 to 60 seats)", "the big accounts, i.e. Enterprise", "why is the score so low": something else says it. */
const sized: Rule = (next, { pieces, words }) => {
  const isSaid = (piece: Placed): boolean =>
    isA(piece, "filter", "seats", "mrr") || (isA(piece, "value", "plan") && words[piece.from]?.isAfterStop === true);
  const isWhy = hasA(pieces, "form", "why") && hasA(pieces, "measure", "score");
  return isA(next[0], "sized") && (isWhy || next.some(isSaid)) ? put(1) : null;
};

/** "How many accounts shrank, and how much MRR": a list with both. "How many seats and how many people used it": both. */
const countedTwice: Rule = ([a, b, c], { pieces, at }) => {
  if (!isA(a, "form", "count") || (!isA(b, "measure") && !isA(b, "find"))) return null;
  const isFigure = (piece: Placed, place: number): boolean =>
    isA(piece, "form", "count") && (isA(pieces[place + 1], "measure") || isActive(pieces[place + 2]));
  const isFirst =
    pieces.some((piece, place) => place > at && isFigure(piece, place)) || isA(pieces.at(-1), "form", "list");
  const earlier = pieces.slice(0, at);
  const isSecond = hasA(earlier, "dimension") || hasA(earlier, "form", "list");
  const isUsers = isA(b, "find", "users") && isActive(c);
  const figure: Fragment = isUsers ? { type: "measure", measure: "active_users" } : b;
  if (!isFirst && !(isSecond && figure.type === "measure")) return null;
  return put(isUsers ? 3 : 2, ...(isFirst ? [{ type: "form", show: "list" } as const] : []), figure);
};

/** "Have they had more than one notice": answered with the number. */
const counted: Rule = ([a, b, c], { pieces }) => {
  const isBound = isA(a, "bound", "over", "from") && isA(b, "number") && b.unit === undefined;
  return hasA(pieces, "form", "yes_no") && isBound && isA(c, "find")
    ? put(3, { type: "form", show: "count" }, c)
    : null;
};

/** "Who uses the most features", "which features have the most users": how many each has. */
const mostOf: Rule = ([a, b], { pieces, words }) => {
  if (!isA(a, "order") || a.by !== undefined || a.isTop === true || !isA(b, "find") || b.where !== undefined)
    return null;
  const others = pieces.filter((piece) => piece !== b && isA(piece, "find"));
  if (hasA(others, "find", "features") && (b.find === "users" || b.find === "accounts"))
    return put(2, a, { type: "measure", measure: `active_${b.find}` });
  const hasOther = others.length > 0 || pieces.some(isWho) || pieces.some(isSubject);
  // "The most popular feature among trials" asks for a feature.
  const isNumber = /^(?:most|fewest|least)$/.test(foldedOf(words, a));
  return b.find === "features" && hasOther && isNumber
    ? put(2, a, { type: "measure", measure: "features_used" })
    : null;
};

/** "Does emea or amer have more customers": compares what is counted. "Is Lumen or Kestrel healthier": compares. */
const moreOf: Rule = ([a, ...rest], { pieces }) => {
  const b = rest.find((piece) => !isA(piece, "filter"));
  if (!isA(a, "order") || a.isTop === true || hasA(pieces, "compare")) return null;
  const { isMore, ...order } = a;
  const hasSeveral = pieces.some((piece) => isA(piece, "value") && piece.values.length > 1 && !isEvent(piece));
  if (!hasSeveral || (isMore === undefined && pieces.filter((piece) => isA(piece, "find")).length > 1)) return null;
  const isCounted = isA(b, "find") || (isA(b, "value") && b.dimension.startsWith("user."));
  if (isCounted && a.by === undefined) return put(1, { type: "compare" }, { type: "form", show: "count" });
  return isMore === undefined ? null : put(1, order, { type: "compare" });
};

/** "Do engineers export more than analysts": compares, without a number. */
const unbounded: Rule = ([a, b]) =>
  isA(a, "bound", "over", "under") && (isA(b, "value") || isA(b, "find"))
    ? put(1, { type: "order", direction: a.condition === "over" ? "down" : "up" }, { type: "compare" })
    : null;

export const BOUND_RULES: readonly Rule[] = [
  countedTwice,
  moreActive,
  moreThanThen,
  openFor,
  seatsCompared,
  seatsChanged,
  activeOn,
  activeUsers,
  shareOfActive,
  ever,
  within,
  bounded,
  countedNouns,
  timesDone,
  onlyEvents,
  counted,
  only,
  sized,
  unbounded,
  mostOf,
  moreOf,
];

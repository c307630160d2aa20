/** Rules for numbers, amounts of money and seats: what they bound, and what they are compared with. */
import { DEFAULT_WINDOW } from "../query/windows.ts";
import { nameOf } from "./conditions.ts";
import type { Fragment, Of, Placed } from "./fragments.ts";
import { asksIn, between, filter, isA, isActive, isEvent, isSubject, put, touch, type Rule } from "./pieces.ts";

export const money: Rule = (pieces, at) => {
  const [a, b] = [pieces[at], pieces[at + 1]];
  const isMoney = (isA(a, "number") && a.currency !== undefined) || (isA(a, "measure") && a.measure === "mrr");
  const isPaid =
    isMoney || (isA(a, "number") && pieces.some((piece) => isA(piece, "measure") && piece.measure === "mrr"));
  if (isPaid && isA(b, "per") && b.per === "month" && touch(a, b)) return put(2, a);
  return isA(a, "number") && isA(b, "value") && b.dimension === "currency" && touch(a, b) && a.unit === undefined
    ? put(2, { ...a, currency: b.values[0] ?? "" })
    : null;
};

const isUse = (piece: Placed | undefined): boolean =>
  (isA(piece, "measure") && piece.measure === "active_users") ||
  (isA(piece, "find") && piece.find === "users") ||
  (isA(piece, "use") && piece.use === "uses");
const isSeats = (piece: Placed | undefined): boolean => isA(piece, "measure") && piece.measure === "seats";

/** "more active people than seats", "more seats than they use", "seats vs active users". */
const seatsCompared: Rule = (pieces, at) => {
  const [a, b, c, ...rest] = pieces.slice(at, at + 5);
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
  const isOfOne = isA(b, "value") && b.dimension === "account" && isA(c, "compare");
  return isA(a, "measure") && isOfOne && isA(other, "measure") && other.measure !== a.measure
    ? put(4, a, b, other)
    : null;
};

/** "cut their seats", "seats went up": a filter on the change, unless the question ranks by its size. */
const seatsChanged: Rule = (pieces, at, words) => {
  const [a, b] = [pieces[at], pieces[at + 1]];
  const [change, seats] = isA(a, "change") ? [a, b] : [b, a];
  if (!isA(change, "change") || change.direction === null || !isSeats(seats)) return null;
  if (a === undefined || b === undefined || between(words, a, b).length > 1) return null;
  const isRanked = pieces.some((piece) => isA(piece, "order") || isA(piece, "aggregate") || isA(piece, "compare"));
  return isRanked ? null : put(2, filter({ dimension: "seats", changed: change.direction }));
};

/** "who is more active": has more events. */
const moreActive: Rule = (pieces, at) => {
  const [a, b, c] = pieces.slice(at, at + 3);
  return isA(a, "order") && a.by === undefined && isActive(b) && !isA(c, "find")
    ? put(2, { ...a, by: "events" })
    : null;
};

/** "lower than it was 30 days ago", "more than last week": a comparison with that time, not a bound. */
const moreThanThen: Rule = (pieces, at) => {
  const [a, b, c] = pieces.slice(at, at + 3);
  const window = isA(b, "pointer") || isA(b, "before") ? c : b;
  if (!isA(a, "bound") || (a.condition !== "over" && a.condition !== "under") || !isA(window, "window")) return null;
  if (window.isBound !== undefined || "last" in window.window || "next" in window.window) return null;
  return put(window === c ? 3 : 2, changed(a), { type: "compare" }, window);
};

const changed = ({ condition }: Of<"bound">): Fragment => ({
  type: "change",
  direction: condition === "over" ? "up" : "down",
});

/** "ever at risk", "was ever a trial": at any recorded time. */
const ever: Rule = (pieces, at) => {
  const [a, b] = [pieces[at], pieces[at + 1]];
  if (!isA(a, "window") || !("all" in a.window) || !isA(b, "filter")) return null;
  const { dimension, is } = b.filter;
  return typeof is === "string" && (dimension === "health" || dimension === "stage")
    ? put(2, filter({ dimension, became: is, window: { all: true } }))
    : null;
};

/** "active on at least 5 days": how many days are counted. */
const activeOn: Rule = (pieces, at, words) => {
  const [a, b] = [pieces[at], pieces[at + 1]];
  if (!isA(a, "filter") || a.filter.dimension !== "active" || !isA(b, "window") || !("last" in b.window)) return null;
  if (words[b.from - 1]?.folded !== "on" || b.window.unit !== "day") return null;
  const first = words[b.from]?.folded ?? "";
  const condition = first === "at" ? "from" : /^(?:more|over)$/.test(first) ? "over" : "is";
  return put(2, filter({ dimension: "active_days", [condition]: b.window.last }));
};

/** "What share of active users". */
const shareOfActive: Rule = (pieces, at) => {
  const [a, b] = [pieces[at], pieces[at + 1]];
  return isA(a, "share") && isA(b, "measure") && b.measure === "active_users"
    ? put(2, a, filter({ dimension: "active", is: true }), { type: "find", find: "users" })
    : null;
};

/** "fewer than 3 users active", "accounts with 10 or more people who share reports", "with no users exporting". */
const activeUsers: Rule = (pieces, at) => {
  const [a, b] = pieces.slice(at, at + 2);
  const [bound, number] = isA(a, "number") ? [b, a] : [a, b];
  const isNone = isA(a, "negation");
  const rest = pieces.slice(at + (isNone ? 1 : 2)).filter((piece) => !(isA(piece, "form") && piece.who === true));
  const uses = rest.slice(0, 3).find((piece) => isA(piece, "use") && piece.use === "uses");
  const [first, second] = rest.filter((piece) => piece !== uses);
  const [users, deed] = isA(first, "filter") ? [second, first] : [first, second];
  const isOfAccounts = pieces.slice(0, at).some((piece) => isA(piece, "find") && piece.find === "accounts");
  if (!isA(users, "find") || users.find !== "users" || !(isActive(deed) || (isEvent(deed) && isOfAccounts)))
    return null;
  const count = Math.max(pieces.indexOf(users), pieces.indexOf(deed)) + 1 - at;
  if (isNone) return isEvent(deed) ? put(count, { type: "negation" }, deed) : null;
  if (!isA(bound, "bound") || !isA(number, "number") || number.unit !== undefined) return null;
  const filters = [filter({ dimension: "active_users", [bound.condition]: number.value })];
  return put(count, ...filters, ...(isEvent(deed) ? [deed] : []));
};

/** "Accounts with fewer than 3 features", "features used by more than 10 accounts". */
const countedNouns: Rule = (pieces, at) => {
  const [a, b, c] = pieces.slice(at, at + 3);
  const [bound, number] = isA(a, "number") ? [b, a] : [a, b];
  if (!isA(bound, "bound") || !isA(number, "number") || number.unit !== undefined || !isA(c, "find")) return null;
  const noun = pieces.slice(0, at).find((piece) => isA(piece, "find"));
  const isOf = isA(noun, "find") && noun.find !== "items" && noun.find !== c.find && c.where === undefined;
  const dimension = c.find === "features" ? "features_used" : noun?.find === "features" ? `active_${c.find}` : null;
  const isBy = isA(pieces[at - 1], "per") || isA(pieces[at - 1], "use");
  return isOf && dimension !== null && (c.find === "features" || isBy)
    ? put(3, filter({ dimension, [bound.condition]: number.value }))
    : null;
};

/** "MRR between 1,000 and 2,000". */
const within: Rule = (pieces, at, words) => {
  const isLast = isA(pieces[at], "number");
  const [a, b, c] = isLast ? [pieces[at + 2], pieces[at], pieces[at + 1]] : pieces.slice(at, at + 3);
  const name = isEvent(a) ? "events" : nameOf(a);
  if (name === null || isA(a, "dimension") || !isA(b, "number") || !isA(c, "number")) return null;
  const [first, second] = [words[b.from - 1]?.folded, words[c.from - 1]?.folded];
  if (b.currency !== undefined || c.currency !== undefined) return null;
  // "20-60 seats".
  if (!touch(b, c) && (first !== "between" || second !== "and") && second !== "to") return null;
  return put(
    3,
    filter({ dimension: name, from: b.value }),
    filter({ dimension: name, to: c.value }),
    ...(isEvent(a) ? [a] : []),
  );
};

/** "more than 3 active users", "MRR above 5,000", "5 or more", "over $5k", "below 40% utilisation", "more than ten exports". */
const bounded: Rule = (pieces, at) => {
  for (const order of ORDERS) {
    const [bound, number, counted] = ["bound", "number", "counted"].map((each) =>
      order.includes(each) ? pieces[at + order.indexOf(each)] : undefined,
    );
    if (!isA(bound, "bound") || !isA(number, "number")) continue;
    if (number.unit !== undefined && number.unit !== "percent") {
      const before = pieces[at - 1];
      const isLong = bound.condition === "over" || bound.condition === "from";
      if (order.length === 2 && isLong && isA(before, "filter") && before.filter.dimension === "active")
        return put(2, { type: "window", window: { last: number.value, unit: number.unit } });
      continue;
    }
    // "Synced more than 100 times": the times are bounded.
    const next = pieces[at + order.length];
    if (isEvent(counted) && isTimes(number, next)) continue;
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
  if (currency !== undefined) {
    const isMoney = counted === undefined || nameOf(counted) === "mrr";
    return isMoney
      ? [filter({ dimension: "mrr", [condition]: value }), { type: "value", dimension: "currency", values: [currency] }]
      : null;
  }
  // "At least one export": used at all.
  if (isEvent(counted) && condition === "from" && value === 1) return [counted];
  if (isEvent(counted) && value === 0) return condition === "is" ? [{ type: "negation" }, counted] : null;
  if (isEvent(counted) && unit === undefined) return [filter({ dimension: "events", [condition]: value }), counted];
  const name = nameOf(counted);
  if (name === null) return null;
  if (unit === "percent")
    return name === "seats" || name === "seat_use"
      ? [filter({ dimension: "seat_use", [condition]: value })]
      : name === "adoption"
        ? [filter({ dimension: "adoption", [condition]: value })]
        : null;
  return isA(counted, "dimension") ? null : [filter({ dimension: name, [condition]: value })];
}

const isPlain = (piece: Placed | undefined): boolean =>
  (isA(piece, "value") && piece.dimension !== "event") || isA(piece, "filter");
const isOnly = (piece: Placed | undefined): boolean => isA(piece, "bound") && piece.condition === "is";

/** "Exported twice": exactly so often. */
const timesDone: Rule = (pieces, at) => {
  const [a, b, c] = pieces.slice(at, at + 3);
  const isRate = isA(c, "per") || isA(c, "bound") || isA(c, "order") || isA(c, "compare");
  return isA(a, "number") && a.unit === undefined && isTimes(a, b) && !isRate && pieces.some(isEvent)
    ? put(2, filter({ dimension: "events", is: a.value }))
    : null;
};

/** "3 times", or "twice": one word for both. */
const isTimes = (number: Placed | undefined, next: Placed | undefined): boolean =>
  isA(next, "measure") && next.measure === "events" && (touch(number, next) || number?.from === next.from);

/** "Accounts that only use forecasts": one feature, of which nothing else is said. */
const onlyEvents: Rule = (pieces, at, words) => {
  const [a, ...rest] = pieces.slice(at, at + 3);
  const isBefore = isOnly(a);
  const event = isBefore ? rest.find(isEvent) : a;
  const use = isBefore && isA(rest[0], "use") ? rest[0] : undefined;
  const isAlone = isBefore ? use === undefined || use.use === "uses" : isOnly(rest[0]);
  // "API called but only Team plan": the only plan.
  if (!isBefore && isPlain(rest[1]) && words[rest[1]?.from ?? 0]?.isAfterStop === false) return null;
  if (!isEvent(event) || !isAlone || (isBefore && rest[use === undefined ? 0 : 1] !== event)) return null;
  const isOther = pieces.some(
    (piece) => (isA(piece, "filter") && piece.filter.dimension === "events") || (isEvent(piece) && piece !== event),
  );
  const window = pieces.find((piece) => isA(piece, "window"))?.window ?? DEFAULT_WINDOW;
  const alone = filter({ dimension: "features_used", is: event.values.length, window });
  return put(use === undefined ? 2 : 3, event, ...(isOther ? [] : [alone]));
};

/** "Only Enterprise accounts", "usage drops, amer only". */
const only: Rule = (pieces, at) => {
  const [a, b, c] = pieces.slice(at, at + 3);
  if (isOnly(a)) return isPlain(b) || isA(b, "find") ? put(1) : null;
  return a !== undefined && isPlain(a) && isOnly(b) && touch(a, b) && !isA(c, "number") ? put(2, a) : null;
};

/** "Mid-sized (20 to 60 seats)", "the big accounts, i.e. Enterprise", "why is the score so low": something else says it. */
const sized: Rule = (pieces, at, words) => {
  const isSaid = (piece: Placed): boolean =>
    (isA(piece, "filter") && /^(?:seats|mrr)$/.test(piece.filter.dimension)) ||
    (isA(piece, "value") && piece.dimension === "plan" && words[piece.from]?.isAfterStop === true);
  const isWhy = asksIn(pieces, "why") && pieces.some((piece) => isA(piece, "measure") && piece.measure === "score");
  return isA(pieces[at], "sized") && (isWhy || pieces.slice(at).some(isSaid)) ? put(1) : null;
};

/** "How many accounts shrank, and how much MRR": a list with both. "How many seats and how many people used it": both. */
const countedTwice: Rule = (pieces, at) => {
  const [a, b, c] = pieces.slice(at, at + 3);
  if (!isA(a, "form") || a.show !== "count" || (!isA(b, "measure") && !isA(b, "find"))) return null;
  const isFigure = (piece: Placed, place: number): boolean =>
    isA(piece, "form") && piece.show === "count" && (isA(pieces[place + 1], "measure") || isActive(pieces[place + 2]));
  const last = pieces.at(-1);
  const isFirst =
    pieces.some((piece, place) => place > at && isFigure(piece, place)) || (isA(last, "form") && last.show === "list");
  const isSecond = pieces
    .slice(0, at)
    .some((piece) => isA(piece, "dimension") || (isA(piece, "form") && piece.show === "list"));
  const isUsers = isA(b, "find") && b.find === "users" && isActive(c);
  const next: Fragment = isUsers ? { type: "measure", measure: "active_users" } : b;
  if (!isFirst && !(isSecond && next.type === "measure")) return null;
  return put(isUsers ? 3 : 2, ...(isFirst ? [{ type: "form", show: "list" } as const] : []), next);
};

/** "Have they had more than one notice": answered with the number. */
const counted: Rule = (pieces, at) => {
  const [a, b, c] = pieces.slice(at, at + 3);
  const asks = asksIn(pieces, "yes_no");
  return asks &&
    isA(a, "bound") &&
    /over|from/.test(a.condition) &&
    isA(b, "number") &&
    b.unit === undefined &&
    isA(c, "find")
    ? put(3, { type: "form", show: "count" }, c)
    : null;
};

/** "Who uses the most features", "which features have the most users": how many each has. */
const mostOf: Rule = (pieces, at) => {
  const [a, b] = [pieces[at], pieces[at + 1]];
  if (!isA(a, "order") || a.by !== undefined || a.isTop === true || !isA(b, "find") || b.where !== undefined)
    return null;
  const others = pieces.filter((piece) => isA(piece, "find") && piece !== b);
  const isOfFeatures = others.some((piece) => isA(piece, "find") && piece.find === "features");
  if (isOfFeatures && (b.find === "users" || b.find === "accounts"))
    return put(2, a, { type: "measure", measure: `active_${b.find}` });
  const hasOther =
    others.length > 0 || pieces.some((piece) => (isA(piece, "form") && piece.who === true) || isSubject(piece));
  return b.find === "features" && hasOther ? put(2, a, { type: "measure", measure: "features_used" }) : null;
};

/** "Does emea or amer have more customers": compares what is counted. "Is Lumen or Kestrel healthier": compares. */
const moreOf: Rule = (pieces, at) => {
  const a = pieces[at];
  const b = pieces.slice(at + 1).find((piece) => !isA(piece, "filter"));
  if (!isA(a, "order") || a.isTop === true || pieces.some((piece) => isA(piece, "compare"))) return null;
  const hasSeveral = pieces.some(
    (piece) => isA(piece, "value") && piece.dimension !== "event" && piece.values.length > 1,
  );
  const { isMore, ...order } = a;
  if (!hasSeveral || (isMore === undefined && pieces.filter((piece) => isA(piece, "find")).length > 1)) return null;
  const isCounted = isA(b, "find") || (isA(b, "value") && b.dimension.startsWith("user."));
  if (isCounted && a.by === undefined) return put(1, { type: "compare" }, { type: "form", show: "count" });
  return isMore === undefined ? null : put(1, order, { type: "compare" });
};

/** "Do engineers export more than analysts": compares, without a number. */
const unbounded: Rule = (pieces, at) => {
  const a = pieces[at];
  if (!isA(a, "bound") || (a.condition !== "over" && a.condition !== "under")) return null;
  return isA(pieces[at + 1], "value") || isA(pieces[at + 1], "find")
    ? put(1, { type: "order", direction: a.condition === "over" ? "down" : "up" }, { type: "compare" })
    : null;
};

export const BOUND_RULES: readonly Rule[] = [
  countedTwice,
  moreActive,
  moreThanThen,
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

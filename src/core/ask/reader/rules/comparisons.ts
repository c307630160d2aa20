/** Rules for what is compared, and for several figures that are asked for at once. */
import type { Fragment, Piece } from "../fragments/fragments.ts";
import { between, hasA, isA, isActive, isEntityName, isEvent, isWho, touch } from "../fragments/pieces.ts";
import { foldedOf } from "../words/split-words.ts";
import { filter, swap, type RewriteRule, UNSUPPORTED } from "./rewrite.ts";

const isUse = (piece: Piece | undefined): boolean =>
  isA(piece, "measure", "active_users") || isA(piece, "find", "users") || isA(piece, "use", "uses");

const isSeats = (piece: Piece | undefined): boolean => isA(piece, "measure", "seats");

/** "more active people than seats", "more seats than they use", "seats vs active users". */
export const seatsCompared: RewriteRule = ([a, b, ...next]) => {
  // "More users active than seats", "more active users this month than seats".
  const isSaid = isA(b, "find", "users") && isActive(next[0]);
  const said = isSaid ? next.slice(1) : next;
  const window = isA(said[0], "window") ? said[0] : undefined;
  const [c, ...rest] = window === undefined ? said : said.slice(1);
  const d = isA(rest[0], "pointer") ? rest[1] : rest[0];
  const isOver = isUse(b) && isSeats(d);
  if (isA(a, "order") && a.by === undefined && isA(c, "compare") && (isOver || (isSeats(b) && isUse(d))))
    return swap(
      (d === rest[0] ? 4 : 5) + (isSaid ? 1 : 0) + (window === undefined ? 0 : 1),
      filter({ dimension: "seat_use", [isOver === (a.direction === "down") ? "over" : "under"]: 100 }),
      ...(window === undefined ? [] : [window]),
    );
  if (window !== undefined) return null;
  // "What share of our seats is used".
  if (isA(a, "share") && isSeats(b) && (isUse(c) || isActive(c)))
    return swap(3, { type: "measure", measure: "seat_use" });
  // "The seats of Lumen vs its users".
  const isOfOne = isA(b, "value", "account");
  const [compare, other] = isOfOne ? [c, rest[0]] : [b, c];
  if (!isA(a, "measure") || !isA(compare, "compare") || !isA(other, "measure") || other.measure === a.measure)
    return null;
  return isOfOne ? swap(4, a, b, other) : swap(3, a, other);
};

/** "How many seats are unused" asks for a number, "accounts that have unused seats" for those with at least one. */
export const seatsUnused: RewriteRule = ([a, b], { words }) => {
  const isUnused = isSeats(a) && isA(b, "filter", "active") && b.filter.is === false;
  if (isUnused) return swap(2, { type: "measure", measure: "unused_seats" });
  // "How many of their seats are actually used".
  const isUsed =
    isSeats(a) && isA(b, "use", "uses") && words.slice(a?.to, b.from).some(({ folded }) => folded === "are");
  if (isUsed) return swap(2, { type: "measure", measure: "seat_use" });
  const isHad = isA(a, "measure", "unused_seats") && HAVING.test(words[a.from - 1]?.folded ?? "");
  return isHad ? swap(1, filter({ dimension: "unused_seats", from: 1 })) : null;
};

const HAVING = /^(?:with|have|has|had|having|got|any|for)$/;

/** "cut their seats", "seats went up": a filter on the change, unless the question ranks by its size. */
export const seatsChanged: RewriteRule = ([a, b], { pieces, before, words }) => {
  const [change, seats] = isA(a, "change") ? [a, b] : [b, a];
  if (!isA(change, "change") || change.direction === null || !isSeats(seats)) return null;
  if (a === undefined || b === undefined || between(words, a, b).length > 1) return null;
  // "How many seats were added" counts seats, not accounts.
  if (isA(before, "form", "count")) return swap(2, UNSUPPORTED);
  const isRanked = hasA(pieces, "order") || hasA(pieces, "aggregate") || hasA(pieces, "compare");
  return isRanked ? null : swap(2, filter({ dimension: "seats", changed: change.direction }));
};

/** "who is more active", "who uses us most": has more events. */
export const moreActive: RewriteRule = ([a, b, c], { words }) => {
  if (isA(a, "order") && a.by === undefined && isActive(b) && !isA(c, "find")) return swap(2, { ...a, by: "events" });
  const isMost = isA(b, "order") && b.by === undefined && /^(?:most|least)$/.test(words[b.to - 1]?.folded ?? "");
  const isOther = isEvent(c) || /^(?:find|measure|dimension|filter|number)$/.test(c?.type ?? "");
  return isActive(a) && isMost && touch(a, b) && !isOther ? swap(2, { ...b, by: "events" }) : null;
};

/** "What share of active users". */
export const shareOfActive: RewriteRule = ([a, b]) =>
  isA(a, "share") && isA(b, "measure", "active_users")
    ? swap(2, a, filter({ dimension: "active", is: true }), { type: "find", find: "users" })
    : null;

/** "How many accounts shrank, and how much MRR": a list with both. "How many seats and how many people used it": both. */
export const severalFigures: RewriteRule = ([a, b, c], { pieces, at, words }) => {
  if (!isA(a, "form", "count") || (!isA(b, "measure") && !isA(b, "find"))) return null;
  const isFigure = (piece: Piece, index: number): boolean => {
    const next = pieces[index + 1];
    // "How many are paying" counts accounts.
    const isMeasure = isA(next, "measure") && words[next.from - 1]?.folded !== "are";
    return isA(piece, "form", "count") && (isMeasure || isActive(pieces[index + 2]));
  };
  const isFirst =
    pieces.some((piece, index) => index > at && isFigure(piece, index)) || isA(pieces.at(-1), "form", "list");
  const earlier = pieces.slice(0, at);
  const isSecond = hasA(earlier, "dimension") || hasA(earlier, "form", "list");
  const isUsers = isA(b, "find", "users") && isActive(c);
  const figure: Fragment = isUsers ? { type: "measure", measure: "active_users" } : b;
  if (!isFirst && !(isSecond && figure.type === "measure")) return null;
  return swap(isUsers ? 3 : 2, ...(isFirst ? [{ type: "form", show: "list" } as const] : []), figure);
};

/** "Notices, how many and for whom", "how many notices, and for which accounts": a list says both. */
export const countAndList: RewriteRule = ([a, ...rest], { pieces, words }) => {
  const [b, c] = rest;
  // "Names and count of trials".
  if (isA(a, "form", "list") && isA(b, "form", "count") && between(words, a, b).join(" ") === "and") return swap(2, a);
  if (!isA(a, "form", "count")) return null;
  const gap = isA(b, "form", "list") ? between(words, a, b) : [];
  // "How many and which accounts".
  if (gap[0] === "and" && (c === undefined || gap.length === 1)) return swap(2, ...rest.slice(0, 1));
  const asked = hasA(pieces, "find", "items") ? rest.find((piece) => isA(piece, "form", "list")) : undefined;
  const said = asked && foldedOf(words, { from: asked.from - 2, to: asked.from });
  return said !== undefined && /^and \w+$/.test(said) ? swap(1, { type: "form", show: "list" }) : null;
};

/** "Have they had more than one notice": answered with the number. */
export const boundAsCount: RewriteRule = ([a, b, c], { pieces }) => {
  const isBound = isA(a, "bound", "over", "from") && isA(b, "number") && b.unit === undefined;
  return hasA(pieces, "form", "yes_no") && isBound && isA(c, "find")
    ? swap(3, { type: "form", show: "count" }, c)
    : null;
};

/** Rejects "features that most Enterprise accounts use": no query asks for more than half of a group. */
export const mostly: RewriteRule = ([a, b, c], { before, words }) => {
  const isMost = isA(a, "order") && foldedOf(words, a) === "most" && words[a.from - 1]?.folded !== "the";
  const isGroup = isA(b, "value") && !isEvent(b) ? isA(c, "find") : isA(b, "find") && b.where !== undefined;
  return isMost && isGroup && !isA(before, "form", "list") ? swap(1, UNSUPPORTED) : null;
};

/** Rejects "who has the most admins", unless the question says that it asks for accounts. */
export const hasMost: RewriteRule = ([a, b], { pieces, at, words }) => {
  const isPeople = isA(b, "find", "users") || (isA(b, "value") && b.dimension.startsWith("user."));
  const isMost = isA(a, "order") && a.isMore !== true;
  const isHad =
    isMost && words.slice(Math.max(a.from - 2, 0), a.from).some(({ folded }) => /^ha(?:s|ve|d)$/.test(folded));
  return isPeople && isHad && !hasA(pieces.slice(0, at), "find", "accounts") ? swap(2, UNSUPPORTED) : null;
};

/** "Who uses the most features", "which features have the most users": how many each has. */
export const mostOf: RewriteRule = ([a, b], { pieces, words }) => {
  if (!isA(a, "order") || a.by !== undefined || a.isTop === true || !isA(b, "find") || b.where !== undefined)
    return null;
  const others = pieces.filter((piece) => piece !== b && isA(piece, "find"));
  if (hasA(others, "find", "features") && (b.find === "users" || b.find === "accounts"))
    return swap(2, a, { type: "measure", measure: `active_${b.find}` });
  const hasOther = others.length > 0 || pieces.some(isWho) || pieces.some(isEntityName);
  // "The most popular feature among trials" asks for a feature.
  const isNumber = /^(?:most|fewest|least)$/.test(foldedOf(words, a));
  return b.find === "features" && hasOther && isNumber
    ? swap(2, a, { type: "measure", measure: "features_used" })
    : null;
};

/** "Does emea or amer have more customers": compares what is counted. "Is Lumen or Kestrel healthier": compares. */
export const moreOf: RewriteRule = ([a, ...rest], { pieces, words }) => {
  const b = rest.find((piece) => !isA(piece, "filter"));
  if (!isA(a, "order") || a.isTop === true || hasA(pieces, "compare")) return null;
  const { isMore, ...order } = a;
  const hasSeveral = pieces.some((piece) => isA(piece, "value") && piece.values.length > 1 && !isEvent(piece));
  if (!hasSeveral || (isMore === undefined && pieces.filter((piece) => isA(piece, "find")).length > 1)) return null;
  const isPeople = isA(b, "value") && b.dimension.startsWith("user.");
  // "Who shares more, analysts or managers": not how many they are.
  const isCounted = isA(b, "find") || (isPeople && words[b.from]?.isAfterStop === false);
  if (isCounted && a.by === undefined) return swap(1, { type: "compare" }, { type: "form", show: "count" });
  // "Who exports most, Lumen or Kestrel".
  const isChoice = pieces.some((piece) => isA(piece, "value", "account") && words[piece.from]?.isAfterStop === true);
  if (isMore === undefined && !(isChoice && pieces.some(isWho))) return null;
  return swap(1, order, { type: "compare" });
};

/** "Do engineers export more than analysts": compares, without a number. */
export const unbounded: RewriteRule = ([a, b]) =>
  isA(a, "bound", "over", "under") && (isA(b, "value") || isA(b, "find"))
    ? swap(1, { type: "order", direction: a.condition === "over" ? "down" : "up" }, { type: "compare" })
    : null;

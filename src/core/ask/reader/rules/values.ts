/** Rules for names and values: the words beside them that add nothing, lists of them, and dates that they choose. */
import type { Piece } from "../fragments/fragments.ts";
import {
  between,
  dimensionOf,
  hasA,
  isA,
  isEntityName,
  isEvent,
  isTrial,
  isWho,
  measureName,
  FIND_OF_DIMENSION,
  touch,
} from "../fragments/pieces.ts";
import { LEXICON } from "../lexicon/lexicon.ts";
import { foldedOf, type Word } from "../words/split-words.ts";
import { filter, swap, type RewriteRule, UNSUPPORTED } from "./rewrite.ts";
import { valuesOf } from "./states.ts";

const LINKS = new Set("is are as the of in on at called named a an to being".split(" "));

const isConditionOf = (piece: Piece, name: string | null): boolean =>
  name !== null && dimensionOf(piece) === (name === "score" ? "health" : name);

/** "plan Business", "emea region", "healthy score": the name of the dimension adds nothing. */
export const named: RewriteRule = ([a, b], { before, words }) => {
  if (a === undefined || b === undefined) return null;
  const [nameA, nameB] = [measureName(a), measureName(b)];
  // "By region, emea and apac": a group for each. "Used by Business plan customers".
  if (isA(before, "per") && nameA !== null) return null;
  if (isConditionOf(b, nameA) && between(words, a, b).every((word) => LINKS.has(word) && word !== "of"))
    return swap(2, b);
  return isConditionOf(a, nameB) && touch(a, b) && words[b.from]?.isAfterStop === false ? swap(2, a) : null;
};

/** "By MRR, the first 10", "exported most, the first 5": how many. */
export const firstNumber: RewriteRule = ([a, b], { pieces, words }) =>
  a !== undefined &&
  isFirst(a, words) &&
  isA(b, "number") &&
  b.unit === undefined &&
  touch(a, b) &&
  (hasA(pieces, "order") || hasA(pieces, "per"))
    ? swap(2, { type: "order", direction: "down", isTop: true }, b)
    : null;

/** "Highest MRR first": the last word adds nothing. "Whose contract ends first": it ranks. */
export const firstOf: RewriteRule = ([a, b, c, d], { words }) => {
  if (a === undefined || b === undefined) return null;
  const isDate = isA(a, "dimension") && /^(?:account\.|trial_ends|contract_ends)/.test(a.dimension);
  // "The busiest single user".
  if (isA(a, "order") && isA(b, "nth") && words[b.from]?.folded === "single") return swap(2, a);
  if (isFirst(b, words) && touch(a, b) && !isEvent(c))
    return isDate ? swap(2, a, { type: "order", direction: "up", by: "time" }) : null;
  return isA(a, "order") && isFirst(c, words) && touch(b, c) && !isEvent(d) ? swap(3, a, b) : null;
};

const isFirst = (piece: Piece | undefined, words: readonly Word[]): boolean =>
  (isA(piece, "nth") && piece.value === 1) ||
  (isA(piece, "dimension") && piece.to === piece.from + 1 && words[piece.from]?.folded === "first");

/** "the forecast feature", "account Pixelforge", "customer Pixelforge", "new forecast feature". */
export const nounBesideName: RewriteRule = ([a, b, c], { words }) => {
  if (!touch(a, b)) return null;
  // "The least usd feature", typed for "used": features have no currency.
  if (isA(a, "value", "currency") && isA(b, "find", "features")) return swap(2, UNSUPPORTED);
  // "Northwind's team": not the plan Team.
  if (isA(b, "value", "plan") && words[b.from - 1]?.isPossessive === true) return swap(2, UNSUPPORTED);
  if (isA(a, "value") && isA(b, "find") && b.find === FIND_OF_DIMENSION[a.dimension] && b.where === undefined)
    return swap(2, a);
  const isNoun = isA(a, "find") && (a.where === undefined || (a.isOne === true && a.where[0]?.is === "active"));
  if (isNoun && isA(b, "value") && a.find === FIND_OF_DIMENSION[b.dimension]) return swap(2, b);
  return isA(a, "new") && isEvent(b) && !isA(c, "find", "users") ? swap(2, b) : null;
};

/** "What did the team dismiss": the colleagues of the person who asks, not the plan Team. */
export const ownTeam: RewriteRule = ([a, b], { pieces, words }) => {
  const said = words[a?.from ?? 0];
  if (!isA(a, "value", "plan") || said?.raw !== "team" || a.to > a.from + 1) return null;
  if (!/^(?:the|our|my|your)$/.test(words[a.from - 1]?.folded ?? "")) return null;
  // "The team plan", "our team accounts", "the team and business plans".
  const isPlan = touch(a, b) && /^(?:find|dimension|measure|value)$/.test(b?.type ?? "") && !isEvent(b);
  const isJoined = /^(?:and|or|vs|to)$/.test(words[a.to]?.folded ?? "");
  if (!said.isPossessive && (isPlan || isJoined)) return null;
  // Only they change items, so the question without them is proposed.
  return hasA(pieces, "find", "items") && hasA(pieces, "filter", "status") ? swap(1) : swap(1, UNSUPPORTED);
};

/** "How many of these trials": only an earlier answer says which ones. "Lumen and Halcyon, these two": said before. */
export const ofThese: RewriteRule = ([a], { pieces, at, words }) => {
  const said = pieces.slice(0, at).flatMap((piece) => (isEntityName(piece) ? piece.values : []));
  const isThese = /^(?:these|those)$/.test(words[(a?.from ?? 0) - 1]?.folded ?? "");
  if (isThese && isA(a, "number") && a.value === said.length && said.length > 1) return swap(1);
  const isPointed = isA(a, "find") && words[a.from - 1]?.folded === "these";
  return isPointed && !hasA(pieces.slice(0, at), "find") ? swap(1, UNSUPPORTED) : null;
};

/** "MRR across all Enterprise customers": of all of them together. */
export const acrossAll: RewriteRule = ([a, ...rest], { words }) => {
  const index = rest.findIndex((each) => !isA(each, "value"));
  const noun = rest[index];
  if (!isA(a, "per") || words[a.from]?.folded !== "across" || !isA(noun, "find", "accounts", "users")) return null;
  const isAll = words.slice(a.from, rest[0]?.from).some(({ folded }) => folded === "all");
  return isAll ? swap(index + 2, ...rest.slice(0, index), ...(noun.where ?? []).map(filter)) : null;
};

const OF_COMPANIES = ["seats", "mrr", "seat_use", "unused_seats"];

/** "Team plan folks with over 20 seats": customers, because people have no seats. */
export const peopleWith: RewriteRule = ([a, b], { before, words }) => {
  if (!isA(a, "find", "users") || a.where !== undefined || !isA(b, "filter", ...OF_COMPANIES)) return null;
  if (!between(words, a, b).every((word) => /^(?:with|having|who|that|have|has)$/.test(word))) return null;
  const isOfCustomers = isA(before, "value") && OF_CUSTOMERS.test(before.dimension) && touch(before, a);
  const isSpoken = /^(?:ppl|people|folks)$/.test(words[a.from]?.folded ?? "");
  return swap(2, isOfCustomers && isSpoken ? { type: "find", find: "accounts" } : UNSUPPORTED, b);
};
const OF_CUSTOMERS = /^(?:plan$|account\.)/;

/** "New forecast users", "first-time users of forecasts": those who hadn't used it before. */
export const newTo: RewriteRule = ([a, b, c], { pieces, words }) => {
  // "Who created their first alert".
  const isTheirs = /^(?:their|its|his|her)$/.test(words[(a?.from ?? 0) - 1]?.folded ?? "");
  if (isTheirs && isA(a, "dimension", "first_seen") && isEvent(b) && !hasA(pieces, "form", "when"))
    return swap(2, { type: "use", use: "started" }, b);
  const [event, users] = isEvent(b) ? [b, c] : [c, b];
  if (!isA(a, "new") || !isEvent(event) || users === undefined || !isA(users, "find", "users")) return null;
  const isOf = event === b ? touch(b, c) : words[event.from - 1]?.folded === "of";
  return isOf ? swap(3, users, { type: "use", use: "started" }, event) : null;
};

/** "The latest export", "the first alert": when it was used. */
export const timeOfEvent: RewriteRule = ([a, b], { pieces, at, words }) => {
  const isTime = isA(a, "order") && a.by === "time" && a.isMore !== true;
  // "Call with Lumen, what's the latest".
  const isOther = pieces.some((piece) => !isEntityName(piece) && !isA(piece, "form") && piece !== a);
  if (isTime && b === undefined && a.direction === "down" && at > 0 && !isOther && pieces.some(isEntityName))
    return swap(1, { type: "form", show: "summary" });
  const isPlain = isEvent(b) && touch(a, b) && !LEXICON.has(words[b.from]?.folded ?? "");
  // "Who made the first export": no query ranks users by when they did something.
  const asksWho = pieces.some((piece) => isWho(piece) && words[piece.from]?.folded === "who");
  return isTime && isPlain && !hasA(pieces, "find") && !asksWho
    ? swap(2, { type: "dimension", dimension: a.direction === "down" ? "last_seen" : "first_seen" }, b)
    : null;
};

const JOINTS = new Set("and or nor & / + the in on".split(" "));

/** "Plan, seats and status": status in a list of columns is the stage. A summary can't be a column. */
export const summarized: RewriteRule = ([a], { pieces, words }) => {
  if (!isA(a, "form", "summary") || pieces.every((piece) => measureName(piece) === null)) return null;
  const isListed = JOINTS.has(words[a.from - 1]?.folded ?? "") || JOINTS.has(words[a.to]?.folded ?? "");
  const own = foldedOf(words, a);
  if (own === "status" && !hasA(pieces, "find", "items")) return swap(1, { type: "dimension", dimension: "stage" });
  return isListed || /^(?:status|summary|overview|details|info|profile|update)$/.test(own)
    ? swap(1, { type: "reason", reason: "unmeasured_attribute" })
    : null;
};

/** "What's Lumen up to". */
export const upTo: RewriteRule = ([a, b], { pieces, words }) =>
  isA(a, "bound", "to") && foldedOf(words, a) === "up to" && !isA(b, "number") && pieces.some(isEntityName)
    ? swap(1, { type: "form", show: "summary" })
    : null;

/** "How are we doing", "give me an overview": all accounts. */
export const summaryOfAll: RewriteRule = ([a], { pieces, words }) => {
  const isAlone = pieces.at(-1) === a && pieces.every((piece) => isA(piece, "form", "summary", "list"));
  const isOfAll = words.some(({ folded }) => /^(?:we|us|everything|summary|overview)$/.test(folded));
  return isA(a, "form", "summary") && isAlone && isOfAll ? swap(1, a, { type: "find", find: "accounts" }) : null;
};

/** "Customers whose trial ended": the date, not accounts on trial. */
export const whoseTrial: RewriteRule = ([a, b], { before, words }) => {
  const isOwn = isA(before, "find") && isWho(a) && words[a.from]?.folded === "whose";
  return isOwn && isTrial(b) ? swap(2, { type: "dimension", dimension: "trial_ends" }) : null;
};

/** "The trial … ends", "the contract of Lumen ends": chooses the date that "ends" means. */
export const whichEndDate: RewriteRule = ([a], { pieces }) => {
  if (!isA(a, "dimension", "end")) return null;
  if (pieces.some(isTrial)) return swap(1, { type: "dimension", dimension: "trial_ends" });
  return pieces.some((piece) => piece !== a && isA(piece, "dimension") && END.test(piece.dimension)) ? swap(1) : null;
};

const END = /contract|renew|end|expir/i;

/** "emea or apac", "Northwind, Halcyon and Meridian", "risk or watch". */
export const joinedValues: RewriteRule = ([a, or, c], { words }) => {
  const hasOr = isA(or, "or");
  const b = hasOr ? c : or;
  if (a === undefined || b === undefined) return null;
  const gap = between(words, a, b);
  const isList =
    hasOr ||
    words[b.from]?.joint === "/" ||
    // "Healthy watch and at risk": no account is in two states.
    (gap.length === 0 && isA(a, "filter", "health") && isA(b, "filter", "health")) ||
    (gap.every((word) => JOINTS.has(word)) && (gap.length > 0 || words[b.from]?.isAfterStop === true));
  const dimension = dimensionOf(a);
  if (!isList || dimension === null || dimension !== dimensionOf(b)) return null;
  const count = hasOr ? 3 : 2;
  if (isA(a, "value") && isA(b, "value")) {
    const all = dimension === "event" && !hasOr && (a.all === true || a.values.length === 1);
    return swap(count, {
      type: "value",
      dimension,
      values: [...new Set([...a.values, ...b.values])],
      ...(all && { all }),
    });
  }
  const [first, second] = [valuesOf(a), valuesOf(b)];
  return first.length > 0 && second.length > 0 ? swap(count, filter({ dimension, in: [...first, ...second] })) : null;
};

/** "Everyone at Lumen": its users. */
export const everyoneAt: RewriteRule = ([a, b], { pieces, words }) => {
  const isOnly = pieces.every((piece) => piece === b || isA(piece, "form") || isA(piece, "window"));
  const isAt = isA(b, "value", "account") && /^(?:at|in|from)$/.test(words[b.from - 1]?.folded ?? "");
  return isWho(a) && isAt && isOnly ? swap(2, { type: "find", find: "users" }, b) : null;
};

const isDone = (piece: Piece | undefined): boolean =>
  isA(piece, "filter", "active") || /^(?:new|use|change|negation)$/.test(piece?.type ?? "") || isEvent(piece);

/** "Users at silent accounts", "features used by accounts that export": what accounts did filters only accounts. */
export const ofActiveAccounts: RewriteRule = ([a, b], { pieces, at, words }) => {
  const isAfter = isA(a, "find", "accounts");
  const [accounts, next] = isAfter ? [a, b] : [b, pieces[at + 2]];
  const isOfOthers = pieces
    .slice(0, at)
    .some((piece) => isA(piece, "find") || (isA(piece, "value") && piece.dimension.startsWith("user.")));
  const isAt = /^(?:at|of|in|from|by|for|do|does)$/.test(words[(a?.from ?? 0) - 1]?.folded ?? "");
  if (!isA(accounts, "find", "accounts") || !isOfOthers || !isAt) return null;
  if (!isAfter && isDone(a) && touch(a, accounts)) return swap(2, UNSUPPORTED);
  const isTheirs = /^(?:that|which|with|not)$/.test(words[accounts.to]?.folded ?? "") && isDone(next);
  return isTheirs ? swap(isAfter ? 2 : 3, UNSUPPORTED) : null;
};

/** "List active users at Lumen": who they are, not how many. */
export const listedUsers: RewriteRule = ([a, b], { pieces, words }) => {
  const isListed = isA(a, "form", "list") && /^(?:list|which|what|name)$/.test(words[a.from]?.folded ?? "");
  if (!isListed || !isA(b, "measure", "active_users") || hasA(pieces, "per") || hasA(pieces, "order")) return null;
  return swap(2, a, filter({ dimension: "active", is: true }), { type: "find", find: "users" });
};

/** "Trials with activity yesterday", "who had any usage": those that were active. */
export const withActivity: RewriteRule = ([a, b, c], { pieces, words }) => {
  if (!(isA(a, "find", "accounts", "users") || isWho(a)) || !isA(b, "measure", "events")) return null;
  const isHad = between(words, a, b).every((word) => /^(?:with|has|have|had|any|some|who|that)$/.test(word));
  const isPlain = !isA(c, "bound") && !pieces.some(({ type }) => /^(?:order|compare|change)$/.test(type));
  const isSaid = /^(?:activity|usage|events)$/.test(words[b.from]?.folded ?? "") && b.from > a.to;
  return isHad && isPlain && isSaid ? swap(2, a, filter({ dimension: "active", is: true })) : null;
};

const isGroup = (piece: Piece | undefined): boolean =>
  isA(piece, "dimension") || isA(piece, "find") || isA(piece, "measure", "score");

/** "Events per week and feature", "trials and churned accounts": two groupings, or two groups. */
export const sideBySide: RewriteRule = ([a, b, c], { words }) => {
  const isJoined = (first: Piece | undefined, second: Piece | undefined): boolean =>
    first !== undefined && second !== undefined && between(words, first, second).join(" ") === "and";
  if (isA(a, "per") && a.per !== undefined && isGroup(b) && isJoined(a, b)) return swap(2, UNSUPPORTED);
  if (isA(a, "per") && isGroup(b) && isGroup(c) && isJoined(b, c)) return swap(3, UNSUPPORTED);
  const isOther = isA(a, "find") && (isA(b, "find") || (a.where !== undefined && isA(b, "filter", "stage", "health")));
  const isRole = isA(a, "find", "users") && isA(b, "value") && b.dimension.startsWith("user.");
  const isOpened = isA(a, "use", "arose") && isA(b, "filter", "status");
  const isNew = isA(a, "new") && (isA(b, "filter", "stage") || isA(b, "find"));
  const isEnded =
    isA(a, "filter", "stage") && (isA(b, "over") || (isA(b, "filter", "stage") && a.filter.is === undefined));
  return (isOther || isRole || isOpened || isNew || isEnded) && isJoined(a, b) ? swap(2, UNSUPPORTED) : null;
};

const isJoint = (piece: Piece | undefined): boolean =>
  isA(piece, "value") &&
  (piece.dimension === "event" ? piece.all === true : piece.dimension === "currency" && piece.values.length > 1);

/** "Both exports and shares": two events. Two accounts "both" have something only if each has it. Money is per currency. */
export const bothOf: RewriteRule = ([a, b]) => {
  if (isA(a, "value", "currency") && a.values.length > 1 && isA(b, "both")) return swap(2, a);
  return isA(a, "both") && isJoint(b) ? swap(1) : null;
};

/** "How many are healthy, on watch and at risk": one number each. */
export const countPerState: RewriteRule = ([a], { pieces, words }) => {
  const isSeveral = isA(a, "filter", "health") && a.filter.in !== undefined;
  if (!isSeveral || !hasA(pieces, "form", "count") || hasA(pieces, "per")) return null;
  const said = new Set(words.slice(a.from, a.to).flatMap(({ folded, joint }) => [folded, joint]));
  return (said.has("and") || said.has("/")) && !said.has("or")
    ? swap(1, a, { type: "per" }, { type: "dimension", dimension: "health" })
    : null;
};

/** Drops "they" in "how much MRR do they have" if a noun precedes it. */
export const pronounForNoun: RewriteRule = ([a, b], { pieces, at, before, words }) => {
  const isMany = isA(a, "pointer") && /^(?:they|them|those|its)$/.test(words[a.from]?.folded ?? "");
  // "And how many of them are healthy", "and are they healthy": another question.
  if (!isMany || isA(before, "form", "count") || (isA(b, "filter") && !isA(before, "use"))) return null;
  const earlier = pieces.slice(0, at);
  return hasA(earlier, "find") || hasA(earlier, "dimension") || earlier.some(isEvent) ? swap(1) : null;
};

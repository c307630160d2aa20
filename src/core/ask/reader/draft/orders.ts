/** Takes rankings, and how many rows they have. */
import { isPeriod } from "../../query/check.ts";
import type { Draft, PieceOf, Piece } from "../fragments/fragments.ts";
import type { Pieces } from "../fragments/pieces.ts";
import { isA, isEntityName, isEvent, measureName, touch } from "../fragments/pieces.ts";
import { wordSet, type Word } from "../words/split-words.ts";
import { namesSeveralEntities } from "./context.ts";

/** "most events", "lowest health", "top 5", "newest". */
export function takeOrders(pieces: Pieces, draft: Draft, words: readonly Word[]): void {
  const all = pieces.all("order");
  // "The fewest seats, top 5": five of them.
  const tops = all.filter((each) => each.isTop === true && isA(pieces.after(each), "number"));
  if (tops.length === 1 && all.length > 1) pieces.take(...tops);
  const orders = pieces.all("order");
  const [order] = orders;
  const number = pieces.all("number").find((each) => each.unit === undefined && each.currency === undefined);
  const [nth] = pieces.all("nth");
  const changes = pieces.has("change");
  // Rejects "the smallest drop", "drops of our biggest customers", "healthiest accounts losing usage", and "the worst changes", which may be rises.
  const isOfNoun = /^(?:size|score|mrr)$/.test(order?.by ?? "") && order && isA(pieces.after(order), "find");
  const isLeast = order?.direction === "up" && (order.by ?? "size") === "size";
  if (order && changes && (isOfNoun || isLeast || !pieces.all("change").some(({ direction }) => direction))) return;
  // "The total of the top 3" isn't the total of each.
  const isOfTop = (each: Piece): boolean =>
    isA(
      pieces.firstAfter(each, ({ type }) => type !== "number"),
      "find",
    );
  if (orders.some((each) => isOfTop(each) && pieces.all("aggregate").some(({ from }) => from < each.from))) return;
  // "Earlier" compares two dates, or tells a time. "Do those that export have more seats" compares with the others.
  const isOfOthers = pieces.asks("yes_no") && !pieces.has("compare") && !changes;
  // "Who uses the API less this month".
  const isUncompared = !pieces.has("compare") && (pieces.has("find", "features") || pieces.has("window"));
  if (orders.some(({ by, isMore }) => isMore === true && (by === "time" || isOfOthers || isUncompared))) return;
  if (orders.some((each) => isInside(each, pieces))) return;
  // "Most active accounts sorted by MRR", "biggest accounts by renewal date" rank by two things.
  const sortedBy = draft.order?.by ?? "";
  const isOfDate = /^(?:score|last_seen|first_seen|trial_ends|contract_ends|account\..*)$/.test(sortedBy);
  const isOther = ({ by }: PieceOf<"order">) =>
    by === "size" ? isOfDate : /^(?:events|score|mrr)$/.test(by ?? "") && by !== sortedBy;
  if (sortedBy !== "" && orders.some(isOther)) return;
  // "The second largest" is the last of two.
  if (nth !== undefined && order !== undefined && pieces.after(nth) === order) {
    draft.limit = nth.value;
    pieces.take(nth);
  }
  // "The top account per region" would be a ranking in each group.
  const isOfGroups = draft.per !== undefined && !isPeriod(draft.per);
  // "The top users of our biggest customer" would be a ranking within a ranking.
  const ofNouns = orders.filter((each) => isA(pieces.after(each), "find"));
  if (ofNouns.length > 1) return;
  const isOfNouns = orders.some((each) => each.isTop === true || each.by !== undefined);
  if (isOfGroups && isOfNouns && ofNouns.length > 0) return;
  if (order !== undefined && orders.every(({ direction }) => direction === order.direction)) {
    const statedBy = orders.find(({ by }) => by !== undefined)?.by;
    const next = pieces.after(order);
    const isOwn = touch(order, next) || next?.from === order.from;
    // "Trials with the days left, soonest first": by this date. "Trials ending, soonest first" are those ahead.
    const isShown = ({ dimension, from }: PieceOf<"dimension">): boolean =>
      from < order.from &&
      /end|renew|expir/i.test(dimension) &&
      words.slice(pieces.remaining[0]?.to, from).some(({ folded }) => /^(?:with|their|its|and|plus)$/.test(folded));
    const date = statedBy === "time" ? pieces.all("dimension").find(isShown)?.dimension : undefined;
    const { by, direction } = draft.order ?? { by: (isOwn && measureName(next)) || "", direction: order.direction };
    if (!changes)
      draft.order = {
        by: date ?? (by === "" || statedBy === "time" ? (statedBy ?? "") : by),
        direction: by !== "" && order.isTop === true ? direction : order.direction,
      };
    // "Lumen's biggest drop" would be one of its times.
    if (changes && pieces.remaining.some(isEntityName) && !pieces.has("find")) return;
    // "The biggest drops" are those of accounts, unless the question says otherwise.
    if (changes && !pieces.has("find")) {
      draft.show = "list";
      pieces.replace(order, { type: "find", find: "accounts" });
    }
    pieces.take(...orders);
  }
  // "More as 50 seats", "5 more accounts": not a limit.
  if (number === undefined || order?.isMore === true) return;
  // "Exports per region, top 3", but not "the top 3 accounts per region".
  const isOfLast = order?.isTop === true && touch(order, number) && words[order.from]?.isAfterStop === true;
  if (isOfGroups && !(isOfLast && ofNouns.length === 0 && number.to === words.length)) return;
  const isCounted = order !== undefined || (isA(pieces.after(number), "find") && isA(pieces.before(number), "form"));
  if (!isCounted || !Number.isInteger(number.value) || number.value < 1 || number.value > 100) return;
  draft.limit = number.value;
  pieces.take(number);
}

/** Tests whether another question contains a ranking: "is our biggest customer healthy". */
function isInside(order: PieceOf<"order">, pieces: Pieces): boolean {
  if (pieces.asks("yes_no") && order.isMore !== true && !pieces.has("compare")) return true;
  const noun = pieces.firstAfter(order, (piece) => isEvent(piece) || !/^(?:number|filter|value)$/.test(piece.type));
  // "Admins of our biggest customer".
  const people = pieces.all("value").find(({ dimension }) => dimension.startsWith("user."));
  if (isA(noun, "find", "accounts") && people !== undefined && people.from < order.from) return true;
  const isOfAccounts = isA(noun, "find", "accounts") && pieces.after(order) === noun;
  if (!isA(noun, "find") || (order.isTop !== true && order.by === undefined && !isOfAccounts)) return false;
  const event = pieces.remaining.find(isEvent);
  const isOfDeed = event !== undefined && event.from < order.from && !pieces.has("per");
  // "How healthy are our top 5 customers" doesn't choose them by their health.
  const score = pieces.first("measure", "score");
  const isOfScore = order.isTop === true && score !== undefined && score.from < order.from;
  return noun !== pieces.first("find") || isOfDeed || isOfScore;
}

/** "the oldest notice", "our smallest customer", "who exports most": limits the list to one. */
export function limitToOne(pieces: Pieces, draft: Draft, words: readonly Word[]): void {
  const [noun, ...others] = pieces.all("find");
  if (draft.order === undefined || draft.limit !== undefined || draft.per !== undefined) return;
  // "Who edits most, Tomas or Grace": shows both.
  const hasSeveral =
    pieces.remaining.some((piece) => isEntityName(piece) && piece.values.length > 1) ||
    draft.where.some(namesSeveralEntities);
  if (noun === undefined && hasSeveral) return;
  // "Every account, the lowest score first", "seat use per account, lowest first".
  if (noun && words.slice(0, noun.from).some(({ folded }) => /^(?:every|each)$/.test(folded))) return;
  if (noun && words[noun.from - 1]?.folded === "per") return;
  const isTrial = pieces.all("filter", "stage").some(({ to }) => words[to - 1]?.folded === "trial");
  const forms = pieces.all("form");
  const asksForOne = forms.some(({ isOne }) => isOne === true);
  const asksWho = forms.some(
    ({ from, to }) => words[from]?.folded === "who" && !PLURAL_VERBS.has(words[to]?.folded ?? ""),
  );
  if (
    noun === undefined ? isTrial || asksForOne || asksWho : asksForOne || (noun.isOne === true && others.length === 0)
  )
    draft.limit = 1;
}

const PLURAL_VERBS = wordSet("are have were all");

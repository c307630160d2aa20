/** Reads groups, rankings and comparisons, and the times that belong to them. */
import type { Day } from "../../health/model.ts";
import type { Dimension } from "../query/dimensions.ts";
import { type Find, UNITS, type WindowName } from "../query/model.ts";
import { dayOf, daysOf, isoDate, startOf } from "../query/windows.ts";
import { type Span, unitAt } from "./calendar.ts";
import { isPeriod } from "../query/check.ts";
import { AUXILIARIES } from "./lexicon.ts";
import { nameOf } from "./conditions.ts";
import type { Draft, Of, Placed } from "./fragments.ts";
import { isA, isActive, isEvent, isWho, type Pieces, touch } from "./pieces.ts";
import { foldedOf, type Word } from "./words.ts";

export interface FrameContext {
  dimensions: readonly Dimension[];
  today: Day;
  /** The first day with records. */
  firstDay?: Day;
}

export const typeOf = (name: string, { dimensions }: FrameContext): Dimension["type"] | undefined =>
  dimensions.find((each) => each.name === name)?.type;

const GROUPS: Partial<Record<Find, string>> = { accounts: "account", users: "user", features: "event" };
const GROUPABLE = new Set(["entity", "code", "text", "boolean"]);

/** "per region", "by plan", "each week", "which roles … most"; "top 5 by MRR" ranks. */
export function takeGroups(pieces: Pieces, draft: Draft, context: FrameContext): void {
  const isDivided = pieces.all("per").some(({ isSplit }) => isSplit) || pieces.asks("count");
  for (const per of pieces.all("per")) {
    const next = pieces.after(per);
    const before = pieces.before(per);
    const noun = per.isStrict === true ? nounAfter(pieces, per) : next;
    const divider = per.isSplit === true && !isA(next, "dimension") && !isScore(next) ? before : next;
    const isOfOther = per.isStrict !== true && isA(before, "measure") && before.measure !== "score";
    if (per.isOver === true && pieces.all("change").some(({ direction }) => direction !== null)) {
      // "Grew week over week": in the last whole week.
      if (per.per !== undefined && !pieces.has("window"))
        pieces.replace(per, { type: "window", window: { previous: per.per } });
    } else if (per.isOrder === true && isA(next, "dimension") && next.dimension !== "severity") {
      draft.order = { by: next.dimension, direction: directionOf(next) };
      pieces.take(per);
    } else if ((isDivided || isOfOther) && per.isOrder !== true && draft.per === undefined && isScore(divider)) {
      draft.per = "health";
      pieces.take(per, divider);
    } else if (per.isSplit === true && !isA(next, "dimension") && pieces.all("per").length > 1) {
      pieces.take(per);
    } else if (per.per !== undefined) {
      if (per.isStrict === true && isOfDoers(pieces)) continue;
      if (draft.per !== undefined && draft.per !== per.per) continue;
      draft.per = per.per;
      pieces.take(per);
    } else if (isEvents(before) ? isA(next, "dimension", "item_kind") : isSplitEvents(pieces, per)) {
      // "Events by type", "breakdown of events".
      draft.per = "event";
      pieces.take(per, isEvents(before) ? next : undefined);
    } else if (isA(next, "form", "count")) {
      const counted = pieces.after(next);
      pieces.take(per, next);
      countUsers(pieces, counted);
      rankBy(pieces, draft);
    } else if (per.isStrict !== true && countUsers(pieces, next)) {
      pieces.take(per);
      rankBy(pieces, draft);
    } else if (
      per.isStrict !== true &&
      per.isSplit !== true &&
      (isA(next, "measure") ||
        isEvent(next) ||
        (isA(next, "dimension") && ["date", "number"].includes(typeOf(next.dimension, context) ?? "")))
    ) {
      pieces.take(per);
      if (isA(next, "dimension") && typeOf(next.dimension, context) === "date")
        draft.order = { by: next.dimension, direction: directionOf(next) };
      else if (isA(next, "measure")) draft.order = { by: next.measure, direction: "down" };
      rankBy(pieces, draft);
    } else if (isA(next, "dimension") && draft.per === undefined) {
      draft.per = next.dimension;
      pieces.take(per, next);
    } else if (per.isSplit === true && draft.per === undefined && isA(next, "value") && next.values.length > 1) {
      draft.per = next.dimension;
      pieces.take(per);
    } else if (per.isStrict === true && (next === undefined || isA(next, "window")) && !pieces.asks("count")) {
      // "Kestrel and Lumen: seats of each".
      draft.show = "list";
      pieces.take(per);
    } else if (isA(before, "dimension") && draft.per === undefined && (per.isSplit === true || !isA(next, "value"))) {
      draft.per = before.dimension;
      pieces.take(per, before);
    } else if (isA(noun, "find") && GROUPS[noun.find] !== undefined && draft.per === undefined) {
      const isInGroups = pieces.all("per").some((each) => each !== per && isA(pieces.after(each), "dimension"));
      // "Exports per user by plan".
      if (per.isStrict === true && isInGroups && !pieces.has("aggregate")) {
        draft.find = noun.find;
        pieces.replace(per, { type: "aggregate", aggregate: "average" });
        continue;
      }
      // "On average per account", "in total across all accounts", "what changed across all accounts".
      if (isAverage(pieces)) draft.find = noun.find;
      else if (per.isStrict !== true && pieces.has("aggregate")) draft.show = "value";
      else if (per.isStrict !== true && pieces.asks("summary")) draft.show = "summary";
      // "For every account: score and seats" lists them.
      else if (isList(pieces)) draft.show = "list";
      else {
        draft.per = GROUPS[noun.find];
        draft.where.push(...(noun.where ?? []));
        pieces.take(noun);
      }
      pieces.take(per);
    } else if (per.isStrict === true || per.isSplit === true) continue;
    else if (
      /^(?:value|window|filter)$/.test(next?.type ?? "") ||
      (isA(next, "order") && isA(pieces.after(next), "measure"))
    )
      pieces.take(per);
  }
}

const isEvents = (piece: Placed | undefined): boolean => isA(piece, "measure", "events");
const isSplitEvents = (pieces: Pieces, per: Of<"per">): boolean =>
  per.isSplit === true && isEvents(pieces.after(per)) && pieces.all("per").length === 1;

/** "Who exports every day" asks for those who never missed one, not for how many each day had. */
function isOfDoers(pieces: Pieces): boolean {
  if (pieces.asks("count")) return false;
  const doer = pieces.left.findIndex((piece) => isA(piece, "find", "users", "accounts") || isWho(piece));
  return doer >= 0 && pieces.left.slice(doer).some((piece) => isEvent(piece) || isActive(piece));
}

export const isAverage = (pieces: Pieces): boolean =>
  pieces.all("aggregate").some(({ aggregate }) => aggregate !== "sum");

/** Whether a question shows several columns, or one that has no sum. */
function isList(pieces: Pieces): boolean {
  const names = new Set(namesIn(pieces));
  return !pieces.left.some(isEvent) && (names.size > 1 || names.has("score"));
}

/** Ends are sorted from the next one, what was last seen from the latest. */
const directionOf = ({ dimension }: Of<"dimension">) => (dimension === "last_seen" ? "down" : "up");

const isScore = (piece: Placed | undefined): piece is Of<"measure"> => isA(piece, "measure", "score");

/** "per Enterprise account": conditions may stand between. */
function nounAfter(pieces: Pieces, per: Placed): Placed | undefined {
  let next = pieces.after(per);
  while (isA(next, "value") || isA(next, "filter") || isA(next, "use")) next = pieces.after(next);
  return next;
}

/** "Features by number of accounts": the accounts that used them. */
function countUsers(pieces: Pieces, noun: Placed | undefined): boolean {
  const first = pieces.first("find")?.find;
  if (!isA(noun, "find") || noun.where !== undefined) return false;
  // "Accounts by number of people sharing reports".
  if (first !== "features" && !(first === "accounts" && noun.find === "users" && pieces.left.some(isEvent)))
    return false;
  if (noun.find !== "accounts" && noun.find !== "users") return false;
  pieces.replace(noun, { type: "measure", measure: `active_${noun.find}` });
  return true;
}

/** Ranks from the highest, unless the question says otherwise. */
function rankBy(pieces: Pieces, draft: Draft): void {
  if (!pieces.has("order") && draft.order === undefined) draft.order = { by: "", direction: "down" };
}

/** "Which industry … most", "which roles create alerts": groups the count by the dimension. */
export function takeAskedGroup(pieces: Pieces, draft: Draft, words: readonly Word[], context: FrameContext): void {
  const dimension = pieces.left.find((piece) => isA(piece, "dimension"));
  if (!isA(dimension, "dimension") || draft.per !== undefined || pieces.all("dimension").length > 1) return;
  const [only, ...others] = pieces.all("value").filter(({ dimension: each }) => isSubject(each));
  if (only !== undefined && others.length === 0 && only.values.length === 1) return;
  const type = typeOf(dimension.dimension, context);
  // "Which industries do our trials come from": how many come from each.
  const isOfMany =
    /^(?:which|what)$/.test(words[dimension.from - 1]?.folded ?? "") && pieces.has("find") && !pieces.has("measure");
  const isCounted = pieces.has("order") || draft.order !== undefined || pieces.asks("count") || isOfMany;
  const before = pieces.before(dimension);
  const asks =
    (/^(?:form|order|number)$/.test(before?.type ?? "") || words[dimension.from - 1]?.folded === "what") &&
    pieces.left.indexOf(dimension) <= 2;
  const isOfSomething = pieces.has("order") || pieces.has("find") || pieces.has("measure") || pieces.left.some(isEvent);
  if (!asks || !isCounted || !isOfSomething || type === undefined || !GROUPABLE.has(type)) return;
  draft.per = dimension.dimension;
  pieces.take(dimension);
  // "The top 3 regions".
  if (!isA(before, "number") || before.unit !== undefined || before.currency !== undefined) return;
  draft.limit = before.value;
  pieces.take(before);
}

/** "most events", "lowest health", "top 5", "newest". */
export function takeOrders(pieces: Pieces, draft: Draft): void {
  const all = pieces.all("order");
  // "The fewest seats, top 5": five of them.
  const tops = all.filter((each) => each.isTop === true && isA(pieces.after(each), "number"));
  if (tops.length === 1 && all.length > 1) pieces.take(...tops);
  const orders = pieces.all("order");
  const [order] = orders;
  const number = pieces.all("number").find((each) => each.unit === undefined && each.currency === undefined);
  const [nth] = pieces.all("nth");
  const changes = pieces.has("change");
  // "The smallest drop" isn't the biggest, nor are those of "our biggest customers". "The worst changes" may be rises.
  const isOfNoun = order?.by === "size" && isA(pieces.after(order), "find");
  const isLeast = order?.direction === "up" && (order.by ?? "size") === "size";
  if (order && changes && (isOfNoun || isLeast || !pieces.all("change").some(({ direction }) => direction))) return;
  // "The total of the top 3" isn't the total of each.
  const isOfTop = (each: Of<"order">): boolean => {
    const next = pieces.after(each);
    return isA(isA(next, "number") ? pieces.after(next) : next, "find");
  };
  if (orders.some((each) => isOfTop(each) && pieces.all("aggregate").some(({ from }) => from < each.from))) return;
  // "Earlier" compares two dates, or tells a time. "Do those that export have more seats" compares with the others.
  const isOfOthers = pieces.asks("yes_no") && !pieces.has("compare") && !changes;
  if (orders.some(({ by, isMore }) => isMore === true && (by === "time" || isOfOthers))) return;
  // "The second largest" is the last of two.
  if (nth !== undefined && order !== undefined && pieces.after(nth) === order) {
    draft.limit = nth.value;
    pieces.take(nth);
  }
  // "The top account per region" would be a ranking in each group.
  const isOfGroups = draft.per !== undefined && !isPeriod(draft.per);
  // "The top users of our biggest customer" would be a ranking within a ranking.
  if (orders.filter((each) => isA(pieces.after(each), "find")).length > 1) return;
  const isOfOne = (each: Of<"order">) =>
    (each.isTop === true || each.by !== undefined) && isA(pieces.after(each), "find");
  if (isOfGroups && orders.some(isOfOne)) return;
  if (order !== undefined && orders.every(({ direction }) => direction === order.direction)) {
    const told = orders.find(({ by }) => by !== undefined)?.by;
    const isNamed = pieces.all("value").some(({ dimension }) => isSubject(dimension));
    const next = pieces.after(order);
    const isOwn = touch(order, next) || next?.from === order.from;
    const { by, direction } = draft.order ?? { by: (isOwn && nameOf(next)) || "", direction: order.direction };
    if (!changes)
      draft.order = {
        by: by === "" ? (told ?? "") : by,
        direction: by !== "" && order.isTop === true ? direction : order.direction,
      };
    // "Lumen's biggest drop" would be one of its times.
    if (changes && isNamed && !pieces.has("find")) return;
    // "The biggest drops" are those of accounts, unless the question says otherwise.
    if (changes && !pieces.has("find")) {
      draft.show = "list";
      pieces.replace(order, { type: "find", find: "accounts" });
    }
    pieces.take(...orders);
  }
  if (number === undefined || isOfGroups) return;
  const isCounted = order !== undefined || (isA(pieces.after(number), "find") && isA(pieces.before(number), "form"));
  if (!isCounted || !Number.isInteger(number.value) || number.value < 1 || number.value > 100) return;
  draft.limit = number.value;
  pieces.take(number);
}

/** "the oldest notice", "our smallest customer", "who exports most": limits the list to one. */
export function limitOne(pieces: Pieces, draft: Draft, words: readonly Word[]): void {
  const [noun, ...others] = pieces.all("find");
  if (draft.order === undefined || draft.limit !== undefined || draft.per !== undefined) return;
  // "Who edits most, Tomas or Grace": shows both.
  const hasSeveral =
    pieces.all("value").some(({ dimension, values }) => isSubject(dimension) && values.length > 1) ||
    draft.where.some((each) => isSubject(each.dimension) && each.in !== undefined);
  if (noun === undefined && hasSeveral) return;
  // "Every account, the lowest score first".
  if (noun && words.slice(0, noun.from).some(({ folded }) => /^(?:every|each)$/.test(folded))) return;
  const isTrial = pieces.left.some((piece) => isA(piece, "filter", "stage") && words[piece.to - 1]?.folded === "trial");
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

const PLURAL_VERBS = new Set("are have were all".split(" "));

/** "More exports in May than in April": between two times, "more" asks for a change. */
export function takeComparatives(pieces: Pieces, draft: Draft, words: readonly Word[]): void {
  const isOfTimes = pieces.has("before") || (pieces.has("compare") && pieces.has("window"));
  // "More exports than shares this month".
  if (!isOfTimes || comparedIn(pieces) !== null || pieces.left.filter(isEvent).length > 1) return;
  const mores = pieces.all("order").filter(({ isMore }) => isMore);
  const counts = pieces.all("form", "count");
  for (const mark of [...mores, ...counts]) countActive(pieces, draft, mark);
  const [first] = pieces.left;
  const [noun, ...others] = pieces.all("find");
  // "Were Enterprise customers more active": all of them together.
  const isOfAll = AUXILIARIES.has(words[first?.from ?? 0]?.folded ?? "") && others.length === 0;
  if (isOfAll && mores.length > 0 && isA(noun, "find", "users", "accounts") && noun.isOne === undefined) {
    draft.where.push(...(noun.where ?? []));
    pieces.take(noun);
  }
  if (mores.some(({ by }) => by === "events") && !pieces.has("measure")) draft.measure = "events";
  for (const more of mores) {
    const direction = more.direction === "down" ? "up" : "down";
    pieces.replace(more, { type: "change", direction, ...(more.by === "score" && { by: more.by }) });
  }
}

/** "More people used dashboards", "more active accounts": how many of them were active is what changed. */
function countActive(pieces: Pieces, draft: Draft, mark: Placed): void {
  const after = pieces.left.slice(pieces.left.indexOf(mark) + 1);
  const noun = after.find((piece) =>
    isA(piece, "value") ? isOfUsers(piece) || isEvent(piece) : !isA(piece, "filter"),
  );
  const active = pieces.left.find(isActive);
  if (noun === undefined || (active === undefined && !pieces.left.some(isEvent))) return;
  if (isA(noun, "value") && isOfUsers(noun)) draft.where.push({ dimension: noun.dimension, in: [...noun.values] });
  else if (isA(noun, "find", "users", "accounts")) draft.where.push(...(noun.where ?? []));
  else return;
  const measure = isA(noun, "find", "accounts") ? "active_accounts" : "active_users";
  pieces.replace(noun, { type: "measure", measure });
  pieces.take(active);
}

const isOfUsers = ({ dimension }: Of<"value">): boolean => dimension.startsWith("user.");

/** "compared with September", "than analysts", "Team vs Business". */
export function takeComparisons(pieces: Pieces, draft: Draft, words: readonly Word[], context: FrameContext): void {
  // "Snoozed vs dismissed, as a ratio".
  const said = pieces.all("compare").filter(({ isImplied }) => isImplied === undefined);
  const implied = pieces.all("compare").filter(({ isImplied }) => isImplied);
  const changes = pieces.all("change");
  // "Falling usage and rising MRR".
  if (changes.filter(({ direction }) => direction !== null).length > 1) return;
  const isImplied = said.length === 0 && implied.length > 0;
  if (isImplied && changes.length === 0) return;
  const [compare, ...more] = [...said, ...implied];
  pieces.take(...more);
  const [before] = pieces.all("before");
  if (compare === undefined && changes.length === 0 && before === undefined) {
    // "Lumen's health over the past 2 months" is how it changed.
    if (isDevelopment(pieces, draft)) draft.compare = { to: "before" };
    return;
  }
  if (changes.some(({ by }) => by === "what") && !pieces.has("measure") && !pieces.left.some(isEvent)) return;
  // "Why did the score drop": its explanation says so.
  if (compare === undefined && before === undefined && pieces.asks("why")) {
    if (pieces.has("measure", "score")) pieces.take(...changes);
    return;
  }
  const windows = pieces.all("window").filter(({ isBound }) => isBound === undefined);
  const [window, other] = windows;
  const compared = comparedIn(pieces);
  if (compare !== undefined && compared !== null && windows.length < 2) {
    const { dimension, conditions, values } = compared;
    const noun = pieces.first("find");
    const isCount = pieces.asks("count") && !pieces.has("measure") && !pieces.left.some(isEvent);
    // "Lumen vs Kestrel".
    const isBare =
      dimension === "account" &&
      pieces.left.every(
        (piece) => piece === compare || piece === window || conditions.includes(piece) || isA(piece, "form"),
      );
    // "Compare the users of Lumen and Kestrel": their number, or their activity.
    if (!isCount && dimension === "account" && draft.order === undefined && noun?.find === "users") return;
    if (!isSubject(dimension) || isCount) draft.per ??= dimension;
    else if (dimension === "account" || noun?.find !== "accounts")
      draft.order ??= { by: !isBare ? "" : window === undefined ? "score" : "events", direction: "down" };
    draft.where.push({ dimension, in: values });
    pieces.take(compare, ...conditions);
    return;
  }
  if (!pieces.has("measure") && changes.some(({ by }) => by === "score")) draft.measure = "score";
  // "Grew more than Halcyon": compares with the change of another account.
  if (compare !== undefined && window === undefined && before === undefined) return;
  const only = windows.length === 1 ? window : undefined;
  // "Since last month": the value now, and a month ago.
  const ago = UNITS.find((each) => only && foldedOf(words, only) === `since last ${each}`);
  if (only && ago && isState(pieces, draft))
    only.window = { from: isoDate(daysOf({ last: 1, unit: ago }, context.today).from - 1), to: isoDate(context.today) };
  const then = only && comparedAlone(pieces, draft, only, compare, context);
  if (then) {
    if (then.window !== undefined) draft.window = then.window;
    draft.compare = { to: then.to };
    pieces.take(compare, before, window);
  } else if (only !== undefined && compare !== undefined && pieces.after(compare) === only) return;
  else if (other !== undefined && windows.length === 2 && (compare !== undefined || changes.length > 0)) {
    // "The 28 days before" are as many as those that they come before.
    const isRepeated = JSON.stringify(other.window) === JSON.stringify(window?.window);
    if (isRepeated ? (compare ?? before) === undefined : before !== undefined) return;
    // A day's events say nothing about a month's.
    const isUneven = [window, other].some((each) => each !== undefined && isOneDay(each.window));
    if (isImplied && isUneven && !isState(pieces, draft)) return;
    // "Last month vs this month": as many days of both.
    const isTurned = window !== undefined && "previous" in window.window && "this" in other.window;
    draft.compare = { to: isRepeated ? "before" : (isTurned ? window : other).window };
    pieces.take(compare, isTurned ? window : other);
  } else if (changes.length > 0 || before !== undefined)
    draft.compare = { to: before === undefined ? "before" : unitBefore(only?.window, context) };
  else return;
  const direction = changes.find((change) => change.direction !== null)?.direction ?? null;
  if (direction !== null && draft.order?.by !== "change")
    draft.order = { by: "change", direction: direction === "up" ? "down" : "up" };
  pieces.take(...changes, before, compare);
  if (draft.per !== undefined && isPeriod(draft.per)) {
    delete draft.compare;
    delete draft.order;
  }
}

/** Whether a question asks for one value of one account over several days. */
function isDevelopment(pieces: Pieces, draft: Draft): boolean {
  const [only, ...others] = pieces.left.filter(
    ({ type, ...piece }) =>
      type !== "form" && type !== "measure" && !("dimension" in piece && piece.dimension === "account"),
  );
  const isRecent = isA(only, "window") && "last" in only.window;
  return isRecent && others.length === 0 && isState(pieces, draft) && namesIn(pieces).length === 1;
}

/** Whether what is compared has a value on each day, and isn't counted over days. */
function isState(pieces: Pieces, draft: Draft): boolean {
  const [measure] = pieces.all("measure");
  return ["score", "mrr", "seats"].includes(measure?.measure ?? draft.measure ?? "");
}

/** "Last month vs the month before": months, quarters and years differ in length. */
function unitBefore(window: WindowName | undefined, { today }: FrameContext): WindowName | "before" {
  if (window === undefined || !("from" in window || "previous" in window)) return "before";
  const { from, to } = daysOf(window, today);
  const unit = (["month", "quarter", "year"] as const).find((each) => unitAt(each, from)?.to === isoDate(to));
  return (unit && startOf(unit, from) === from && unitAt(unit, from - 1)) || "before";
}

/** "Compared to last month", "since September": gives the earlier window. The other one is the current period. */
function comparedAlone(
  pieces: Pieces,
  draft: Draft,
  piece: Of<"window">,
  compare: Of<"compare"> | undefined,
  { today }: FrameContext,
): { window?: WindowName; to: WindowName | "before" } | null {
  const { window } = piece;
  if (compare !== undefined && pieces.after(compare) === piece) {
    if ("previous" in window) return { window: { this: window.previous }, to: window };
    if (isMonth(window)) return { window: { this: "month" }, to: window };
    if (!isOneDay(window)) return null;
    if (isState(pieces, draft)) return { to: window };
    // "Compared to a month ago": the month since then, and the one before.
    const unit = UNITS.slice(1).find((each) => daysOf({ last: 1, unit: each }, today).from === dayOf(window.from) + 1);
    const days = today - dayOf(window.from);
    if (unit === undefined && (days < 7 || days > 31)) return null;
    return { window: unit === undefined ? { last: days, unit: "day" } : { last: 1, unit }, to: "before" };
  }
  // "Seats in May vs now".
  if (compare !== undefined && pieces.left.at(-1) === compare && isOneDay(window) && isState(pieces, draft))
    return { window: { this: "day" }, to: window };
  // "Since" a day: the value then and now.
  const [measure] = pieces.all("measure");
  if (compare !== undefined || !("from" in window) || window.to !== isoDate(today)) return null;
  if (measure?.measure === "seat_use") {
    const month = unitAt("month", dayOf(window.from));
    return month?.from === window.from ? { window: { this: "month" }, to: month } : null;
  }
  return isState(pieces, draft) ? { window: { this: "day" }, to: { from: window.from, to: window.from } } : null;
}

const isMonth = (window: WindowName): boolean =>
  "from" in window && JSON.stringify(unitAt("month", dayOf(window.from))) === JSON.stringify(window);

const isOneDay = (window: WindowName): window is Span => "from" in window && window.from === window.to;

const isSubject = (dimension: string): boolean => dimension === "account" || dimension === "user";

/** Conditions with different values of one dimension. */
function comparedIn(pieces: Pieces): { dimension: string; conditions: Placed[]; values: string[] } | null {
  const conditions = pieces.left.flatMap((piece): { piece: Placed; dimension: string; values: readonly string[] }[] => {
    if (isA(piece, "value") && piece.dimension !== "event")
      return [{ piece, dimension: piece.dimension, values: piece.values }];
    const condition = isA(piece, "filter") ? piece.filter : isA(piece, "find") ? piece.where?.[0] : undefined;
    return typeof condition?.is === "string" ? [{ piece, dimension: condition.dimension, values: [condition.is] }] : [];
  });
  for (const [dimension, each] of Map.groupBy(conditions, (condition) => condition.dimension)) {
    const values = [...new Set(each.flatMap((condition) => condition.values))];
    if (values.length > 1) return { dimension, conditions: each.map(({ piece }) => piece), values };
  }
  return null;
}

/** The names of the measures and dimensions that are ranked, compared or shown. */
export const namesIn = (pieces: Pieces): string[] =>
  pieces.left.flatMap((piece) => (isA(piece, "measure", "arr") ? ["arr"] : (nameOf(piece) ?? [])));

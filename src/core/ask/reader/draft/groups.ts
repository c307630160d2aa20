/** Takes the groups of a question. */
import { GROUPABLE } from "../../query/check.ts";
import type { Find } from "../../query/model.ts";
import type { Draft, PieceOf, Piece } from "../fragments/fragments.ts";
import type { Pieces } from "../fragments/pieces.ts";
import { isA, isActive, isEntityName, isEvent, isWho, shownNames } from "../fragments/pieces.ts";
import { UNSUPPORTED } from "../rules/rewrite.ts";
import type { Word } from "../words/split-words.ts";
import { type DraftContext, dimensionType } from "./context.ts";

const GROUPS: Partial<Record<Find, string>> = { accounts: "account", users: "user", features: "event" };

/** "per region", "by plan", "each week", "which roles … most"; "top 5 by MRR" ranks. */
export function takeGroups(pieces: Pieces, draft: Draft, words: readonly Word[], context: DraftContext): void {
  const isDivided = pieces.all("per").some(({ isSplit }) => isSplit) || pieces.asks("count");
  for (const per of pieces.all("per")) {
    const next = pieces.after(per);
    const before = pieces.before(per);
    const noun = per.isStrict === true ? pieces.firstAfter(per, isNoun) : next;
    const divider = per.isSplit === true && !isA(next, "dimension") && !isA(next, "measure", "score") ? before : next;
    const type = isA(next, "dimension") ? dimensionType(next.dimension, context) : undefined;
    const isFree = draft.per === undefined;
    /** Groups by a dimension. `said`: the piece that says which. */
    const group = (by: string, said?: Piece): void => {
      draft.per = by;
      pieces.take(per, said);
    };
    const isPlain = per.isStrict !== true && per.isSplit !== true;
    const count = isA(next, "form", "count") ? next : undefined;
    const isOfOther = per.isStrict !== true && isA(before, "measure") && before.measure !== "score";
    // "The lowest score per region", "who exported most in each account": one of each group.
    const order = pieces.first("order");
    const ranksWithinGroups =
      per.isStrict === true &&
      order !== undefined &&
      per.per === undefined &&
      (order.from < per.from || (pieces.has("find") && !/^(?:number)?$/.test(typesAfter(order, pieces))));
    if (ranksWithinGroups && draft.find === undefined) continue;
    // "Exports by account for retail".
    if (isPlain && isA(next, "value") && /^(?:account|customer|user)s?$/.test(words[per.to]?.folded ?? "")) continue;
    // "By MRR, then by seats".
    if (draft.order !== undefined && draft.order.by !== "" && isA(next, "measure")) continue;
    // "Notices sorted by severity": not their number.
    if (per.isOrder === true && isA(next, "dimension", "severity")) continue;
    const isOfNoun = per.isStrict === true && isA(noun, "find", "accounts", "users");
    const isGroup = order === undefined && !pieces.has("find");
    // "MRR of each, with plan".
    const isShown = per.isStrict === true && next !== undefined && words[next.from - 1]?.folded === "with";
    if (isShown && isA(next, "dimension")) {
      draft.show = "list";
      pieces.take(per);
    } else if (isEach(per, pieces)) {
      draft.show = "list";
      draft.measure = "events";
      pieces.take(per, pieces.first("form", "count"), pieces.first("measure", "events"));
    } else if (per.isOver === true && pieces.has("compare") && pieces.all("window").length > 1) pieces.take(per);
    else if (per.isOver === true && pieces.all("change").some(({ direction }) => direction !== null)) {
      // "Grew week over week": in the last whole week.
      if (per.per !== undefined && !pieces.has("window"))
        pieces.replace(per, { type: "window", window: { previous: per.per } });
    } else if (per.isOrder === true && isA(next, "dimension")) {
      draft.order = { by: next.dimension, direction: directionOf(next) };
      pieces.take(per);
    } else if (isFree && (isDivided || isOfOther) && per.isOrder !== true && isA(divider, "measure", "score"))
      group("health", divider);
    else if (per.isSplit === true && !isA(next, "dimension") && pieces.all("per").length > 1) pieces.take(per);
    else if (per.per !== undefined) {
      const isOfEach = (per.isStrict === true || isWho(pieces.remaining[0])) && isOfDoers(pieces);
      if (!isOfEach && (isFree || draft.per === per.per)) group(per.per);
    }
    // "Events by type", "breakdown of events".
    else if (isEvents(before) && isA(next, "dimension", "item_kind")) group("event", next);
    else if (per.isSplit === true && isEvents(next)) group("event");
    // "Plans by MRR", "plans by number of customers".
    else if (isFree && isA(before, "dimension") && (count || (isGroup && isA(next, "measure"))))
      group(before.dimension, before);
    else if (count !== undefined || (per.isStrict !== true && countUsers(pieces, next))) {
      countUsers(pieces, count && pieces.after(count));
      pieces.take(per, count);
      rankBy(pieces, draft);
    } else if (isPlain && (isA(next, "measure") || isEvent(next) || /^(?:date|number)$/.test(type ?? ""))) {
      pieces.take(per);
      if (isA(next, "dimension") && type === "date") draft.order = { by: next.dimension, direction: directionOf(next) };
      else if (isA(next, "measure")) draft.order = { by: next.measure, direction: "down" };
      rankBy(pieces, draft);
    } else if (isFree && isA(next, "dimension")) group(next.dimension, next);
    else if (isFree && per.isSplit === true && isA(next, "value") && next.values.length > 1) group(next.dimension);
    // "MRR in emea and apac separately".
    else if (
      isFree &&
      per.isSplit === true &&
      isA(before, "value") &&
      before.values.length > 1 &&
      before.dimension !== "event"
    )
      group(before.dimension);
    else if (per.isStrict === true && (next === undefined || isA(next, "window")) && !pieces.asks("count")) {
      // "Who exported in each of the last 4 weeks".
      if (pieces.remaining.some(isWho)) continue;
      // "Kestrel and Lumen: seats of each".
      draft.show = "list";
      pieces.take(per);
    }
    // But "the plan of each account" is one value each.
    else if (isFree && isA(before, "dimension") && (per.isSplit === true || !isA(next, "value")) && !isOfNoun)
      group(before.dimension, before);
    else if (isFree && isA(noun, "find") && GROUPS[noun.find] !== undefined) {
      const isInGroups = pieces.all("per").some((each) => each !== per && isA(pieces.after(each), "dimension"));
      // "Exports per user by plan".
      if (per.isStrict === true && isInGroups && !pieces.has("aggregate")) {
        draft.find = noun.find;
        pieces.replace(per, { type: "aggregate", aggregate: "average" });
        continue;
      }
      // "On average per account", "in total across all accounts", "what changed across all accounts".
      if (pieces.all("aggregate").some(({ aggregate }) => aggregate !== "sum")) draft.find = noun.find;
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
    } else if (
      isPlain &&
      (/^(?:value|window|filter)$/.test(next?.type ?? "") || (isA(next, "order") && isA(pieces.after(next), "measure")))
    )
      pieces.take(per);
  }
}

const typesAfter = (piece: Piece, pieces: Pieces): string =>
  pieces.remaining
    .slice(pieces.remaining.indexOf(piece) + 1)
    .map(({ type }) => type)
    .join(" ");

/** "Trials: how many exports did each have". */
function isEach(per: PieceOf<"per">, pieces: Pieces): boolean {
  const [count, ...others] = pieces.all("form").filter(({ who }) => who !== true);
  const [noun, ...nouns] = pieces.all("find");
  const next = pieces.after(per);
  return (
    per.isStrict === true &&
    (next === undefined || isA(next, "window")) &&
    isA(count, "form", "count") &&
    others.length + nouns.length === 0 &&
    isA(noun, "find", "accounts", "users") &&
    noun.from < count.from &&
    (isEvents(pieces.after(count)) || isEvent(pieces.after(count)))
  );
}

/** "per Enterprise account": conditions may stand between. */
const isNoun = ({ type }: Piece): boolean => !/^(?:value|filter|use)$/.test(type);

const isEvents = (piece: Piece | undefined): boolean => isA(piece, "measure", "events");

/** "Who exports every day" asks for those who never missed one, not for how many each day had. */
function isOfDoers(pieces: Pieces): boolean {
  if (pieces.asks("count")) return false;
  const doer = pieces.remaining.findIndex((piece) => isA(piece, "find", "users", "accounts") || isWho(piece));
  return doer >= 0 && pieces.remaining.slice(doer).some((piece) => isEvent(piece) || isActive(piece));
}

/** Tests whether a question shows several columns, or one that has no sum. */
function isList(pieces: Pieces): boolean {
  const names = new Set(shownNames(pieces));
  return !pieces.remaining.some(isEvent) && (pieces.has("dimension") || names.size > 1 || names.has("score"));
}

/** Ends are sorted from the next one, what was last seen from the latest. */
const directionOf = ({ dimension }: PieceOf<"dimension">) => (dimension === "last_seen" ? "down" : "up");

/** "Features by number of accounts": the accounts that used them. */
function countUsers(pieces: Pieces, noun: Piece | undefined): boolean {
  const first = pieces.first("find")?.find;
  if (!isA(noun, "find") || (noun.find !== "accounts" && noun.find !== "users") || noun.where !== undefined)
    return false;
  // "Accounts by number of people sharing reports".
  if (first !== "features" && !(first === "accounts" && noun.find === "users" && pieces.remaining.some(isEvent)))
    return false;
  pieces.replace(noun, { type: "measure", measure: `active_${noun.find}` });
  return true;
}

const isWhich = (word: Word | undefined): boolean => /^(?:which|what)$/.test(word?.folded ?? "");

/** Ranks from the highest, unless the question says otherwise. */
function rankBy(pieces: Pieces, draft: Draft): void {
  if (!pieces.has("order") && draft.order === undefined) draft.order = { by: "", direction: "down" };
}

/** "Which industry … most", "which roles create alerts": groups the count by the dimension. */
export function takeAskedGroup(pieces: Pieces, draft: Draft, words: readonly Word[], context: DraftContext): void {
  const [dimension, ...dimensions] = pieces.all("dimension");
  if (dimension === undefined || dimensions.length > 0 || draft.per !== undefined) return;
  const [only, ...others] = pieces.remaining.filter(isEntityName);
  if (only !== undefined && others.length === 0 && only.values.length === 1) return;
  // "Which plans have an MRR over 50,000": their totals can't be filtered.
  const isBounded = pieces
    .all("filter")
    .some(({ filter }) => (filter.over ?? filter.under ?? filter.from ?? filter.to) !== undefined);
  if (isBounded && !pieces.has("find") && isWhich(words[dimension.from - 1])) pieces.replace(dimension, UNSUPPORTED);
  const type = dimensionType(dimension.dimension, context);
  // "Which industries do our trials come from": how many come from each.
  const isOfMany = isWhich(words[dimension.from - 1]) && pieces.has("find") && !pieces.has("measure");
  const isCounted = pieces.has("order") || draft.order !== undefined || pieces.asks("count") || isOfMany;
  const before = pieces.before(dimension);
  // "Industries with the highest MRR".
  const isRanked = before === undefined && words[dimension.to]?.folded === "with";
  const asks =
    isRanked ||
    ((/^(?:form|order|number)$/.test(before?.type ?? "") || words[dimension.from - 1]?.folded === "what") &&
      pieces.remaining.indexOf(dimension) <= 2);
  const hasMeasuredThing =
    pieces.has("order") || pieces.has("find") || pieces.has("measure") || pieces.remaining.some(isEvent);
  if (!asks || !isCounted || !hasMeasuredThing || type === undefined || !GROUPABLE.has(type)) return;
  draft.per = dimension.dimension;
  pieces.take(dimension);
  // "The top 3 regions".
  if (!isA(before, "number") || before.unit !== undefined || before.currency !== undefined) return;
  draft.limit = before.value;
  pieces.take(before);
}

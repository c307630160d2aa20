/** Decides what a question looks for: the first noun, or the entity that its conditions belong to. */
import { isWindowed } from "../../query/canonical.ts";
import { isPeriod } from "../../query/check.ts";
import { ONLY_OF_ITEMS } from "../../query/dimensions.ts";
import type { Find } from "../../query/model.ts";
import type { Draft } from "../fragments/fragments.ts";
import type { Pieces } from "../fragments/pieces.ts";
import { EVENT_MEASURES, isA, isEvent, FIND_OF_DIMENSION, shownNames, touch } from "../fragments/pieces.ts";
import { filtersOn, namesSeveralEntities } from "./context.ts";
import { findWithoutNoun } from "./find-without-noun.ts";
import { asConverted } from "./outcomes.ts";
import type { QuestionShape } from "./question-shape.ts";

export function chooseFind(pieces: Pieces, draft: Draft, shape: QuestionShape): Find | null {
  const nouns = pieces.all("find").map(({ find }) => find);
  // "How many admins", "admins at our Enterprise accounts": users.
  const isOfRole = isA(shape.counted, "value") && shape.counted.dimension.startsWith("user.") && nouns.length === 0;
  if (isOfRole || (shape.asksForUsers && nouns[0] === "accounts")) nouns.unshift("users");
  const find = draft.find === undefined ? foundBy(pieces, draft, shape, nouns) : averaged(pieces, draft, draft.find);
  // "Trials and customers" are two kinds of account.
  const kinds = pieces.all("find").filter((each) => each.find === find && each.where !== undefined);
  if (new Set(kinds.map(({ where }) => JSON.stringify(where))).size > 1) return null;
  for (const each of pieces.all("find")) {
    // Who became a customer wasn't one before.
    const said = draft.where.filter(({ isNot }) => isNot === undefined);
    const dimensions = new Set(said.map(({ dimension }) => dimension));
    // "Trials that churned", "customers that became trials": what they were before.
    const old = each.where?.find(({ is }) => is === "trial" || said.some(({ became }) => became === "trial"));
    const next = said.find(({ dimension, is, became }) => dimension === "stage" && (became ?? is) !== "active");
    if (old?.dimension === "stage" && next !== undefined && (next.became ?? next.is) !== old.is) {
      const changed = { dimension: "stage", became: next.became ?? next.is, after: old.is };
      draft.where = draft.where.map((filter) => (filter === next ? changed : filter));
    }
    // "Trials that became customers".
    if (old?.is === "trial") draft.where = draft.where.map(asConverted);
    // What was in the inbox at some time may be resolved.
    const isOpen = draft.where.every(({ dimension, isNot }) => !ONLY_OF_ITEMS.has(dimension) || isNot !== undefined);
    if (draft.window !== undefined || !isOpen) dimensions.add("status");
    draft.where.push(...(each.where ?? []).filter(({ dimension }) => !dimensions.has(dimension)));
    pieces.take(each);
  }
  return find;
}

/** "How many features does each account use on average". The average number of users per account isn't known. */
function averaged(pieces: Pieces, draft: Draft, find: Find): Find | null {
  const others = pieces.all("find").filter((each) => each.find !== find);
  if (others.every((each) => each.find === "features") && others.length === 1 && !pieces.has("measure"))
    draft.measure = "features_used";
  else if (others.some((each) => each.find !== "accounts")) return null;
  return find;
}

function foundBy(pieces: Pieces, draft: Draft, shape: QuestionShape, nouns: readonly Find[]): Find | null {
  const { counted, hasEvent, namesUser } = shape;
  const adoption = pieces.first("measure", "adoption");
  // The accounts active in each week aren't known, so those that adopted the feature are counted.
  if (isPeriod(draft.per) && hasEvent && adoption !== undefined)
    pieces.replace(adoption, { type: "measure", measure: "active_accounts" });
  const names = shownNames(pieces);
  const isActivity = names.length > 0 && names.every((name) => EVENT_MEASURES.has(name));
  const [noun] = nouns;
  const isOfPeople = noun === "users" || noun === "accounts";
  // "The number of forecast users".
  const [of] = pieces.all("find");
  const countsUsers = isA(of, "find", "users") && touch(counted, of);
  const countsEvents =
    (isEvent(counted) && !countsUsers) || isA(counted, "measure", "events", "active_users", "active_accounts");
  const active = draft.where.findIndex(({ dimension, is }) => dimension === "active" && is === true);
  const comparesWindows = draft.compare !== undefined && (pieces.asks("yes_no") || pieces.asks("count"));
  // "Active accounts per plan", but "the number of accounts that were active per plan" counts accounts.
  const isOfGroups = draft.per !== undefined && !pieces.asks("count");
  if ((isPeriod(draft.per) || isOfGroups || comparesWindows) && active >= 0 && names.length === 0 && isOfPeople) {
    draft.where.splice(active, 1);
    draft.measure = `active_${noun}`;
    return "events";
  }
  // "Exports per week at Enterprise accounts".
  if (isPeriod(draft.per) && shape.asksForEvents && isOfPeople && names.length === 0 && !pieces.has("form"))
    return "events";
  if (isPeriod(draft.per) && hasEvent && isOfPeople) {
    draft.measure = `active_${noun}`;
    return of === counted ? "events" : null;
  }
  if (isPeriod(draft.per) && nouns.includes("items")) return null;
  if (isPeriod(draft.per)) return isActivity || hasEvent || draft.order?.by === "events" ? "events" : null;
  if (names.includes("adoption") && (hasEvent || noun === undefined)) {
    if (draft.per === undefined || !hasEvent) return "features";
    // "Forecast adoption by plan": the accounts that use it.
    pieces.take(...pieces.all("measure"));
    return "accounts";
  }
  // "How many use forecasts": accounts or users.
  if (isA(counted, "use") && noun === undefined) return null;
  // "Of the trials, how many exported a report".
  if (countsEvents && noun === "accounts" && of && of.from < counted.from) return noun;
  if (countsEvents && noun !== "features" && !draft.where.some(namesSeveralEntities)) return "events";
  const isPlain = draft.per === undefined && draft.order === undefined && draft.compare === undefined;
  if (shape.asksForEvents && isOfPeople && names.length === 0 && isPlain && !pieces.has("form")) return "events";
  const own = FIND_OF_DIMENSION[draft.per ?? ""];
  if (own !== undefined) {
    // "Exports in May vs April, per account": a list with the change of each.
    const isCompared = draft.compare !== undefined && draft.per !== "event";
    if (isCompared || (noun === undefined && names.length > 0 && !isActivity)) {
      delete draft.per;
      draft.show = "list";
      return own;
    }
    // "Admins per account".
    if (noun === undefined && filtersOn(draft, /^user\./) && !hasEvent && names.length === 0) return "users";
    // "Number of companies per account" is always one.
    const isOfOwn = noun === own || (noun === undefined && !hasEvent && names.length === 0);
    if (isOfOwn && pieces.asks("count")) return null;
    return noun === undefined || noun === own ? "events" : /^(?:size)?$/.test(draft.order?.by ?? "") ? noun : null;
  }
  const ranksByNumber = draft.order?.by === "" && draft.order.direction === "down" && names.length === 0;
  const isOfAccounts = noun === "accounts" || noun === undefined;
  // "Which accounts lost a champion this quarter": the notices of that time.
  const isOfTime = draft.window !== undefined && !draft.where.some(isWindowed) && !pieces.has("measure");
  if (isOfAccounts && filtersOn(draft, /^item_kind$/) && isOfTime) return "items";
  if (nouns.includes("items")) {
    // "Who has a notice", "accounts with open notices".
    const startsWithWho = pieces.all("form").some((each) => each.who === true && each.from < (of?.from ?? 0));
    const asksWho = startsWithWho && !pieces.asks("yes_no");
    // "The number of users of accounts with open notices".
    if (noun === "users") return null;
    if (noun !== "accounts" && !asksWho) return "items";
    const isOpen = draft.where.every(({ dimension, is }) => !ONLY_OF_ITEMS.has(dimension) || is === "open");
    if (isOpen && !hasEvent && draft.order === undefined && names.length === 0) {
      if (!filtersOn(draft, /^(?:item_kind|severity)$/)) draft.where.push({ dimension: "item_kind", isUnknown: false });
      return "accounts";
    }
    // "Which accounts have the most notices": how many each has.
    if (ranksByNumber) {
      draft.per = "account";
      return "items";
    }
    return filtersOn(draft, /^(?:item_kind|severity)$/) ? "accounts" : null;
  }
  if (noun === "accounts" && namesUser && names.every((name) => name.startsWith("user.")) && draft.where.length === 1) {
    draft.measure = "account";
    return "users";
  }
  const ofUsers = nouns.includes("users") || (filtersOn(draft, /^user\./) && draft.order !== undefined && !hasEvent);
  if (noun === "accounts" && ofUsers) {
    // "The account with the most users", "with the most people exporting".
    if (ranksByNumber) {
      const people = pieces.first("find", "users");
      if (hasEvent && people !== undefined) {
        pieces.replace(people, { type: "measure", measure: "active_users" });
        return noun;
      }
      draft.per = "account";
      return "users";
    }
    const isPositive = draft.where.every(({ is, isNot }) => is !== false && isNot === undefined);
    return filtersOn(draft, /^(?:active|event)$/) && isPositive && !filtersOn(draft, /^user/) ? "accounts" : null;
  }
  // "Who uses all features".
  if (noun === "features" && shape.hasWho && draft.order === undefined && !pieces.asks("count")) return null;
  if (noun === "accounts" && nouns.includes("features")) return null;
  return noun ?? findWithoutNoun(pieces, draft, shape, isActivity, names);
}

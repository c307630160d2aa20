/** Decides what a question looks for: the first noun, or the entity that its conditions belong to. */
import { isWindowed } from "../../query/canonical.ts";
import { isPeriod } from "../../query/check.ts";
import type { Filter, Find } from "../../query/model.ts";
import type { Draft, Placed } from "../fragments/fragments.ts";
import type { Pieces } from "../fragments/pieces.ts";
import { BEFORE_WINDOW, isA, isAverage, isEvent, isWho, shownNames } from "../fragments/pieces.ts";

/** What is known about a question before its pieces are taken. */
export interface QuestionShape {
  hasWho: boolean;
  hasNoun: boolean;
  /** What "how many" counts. */
  counted: Placed | undefined;
  hasEvent: boolean;
  /** "Exports by analysts", "exports of Enterprise accounts" ask for events, "analysts who export" for users. */
  asksForEvents: boolean;
  /** "Admins at our Enterprise accounts", "who at our Enterprise accounts": users. */
  asksForUsers: boolean;
  namesAccount: boolean;
  namesUser: boolean;
}

export const has = ({ where }: Draft, pattern: RegExp): boolean =>
  where.some(({ dimension }) => pattern.test(dimension));

/** Whether the filters name the one account or user that the query finds. */
export const findsOneEntity = ({ find, where }: Draft): boolean =>
  find !== "events" && where.some(({ dimension, is }) => is !== undefined && `${dimension}s` === find);

/** "Are Lumen and Kestrel at risk" asks about each. */
export const namesSeveralEntities = ({ dimension, in: several }: Filter): boolean =>
  several !== undefined && (dimension === "account" || dimension === "user");

const OF_ITEMS = /^(?:status|opened|resolved|dismissed|snoozed_until)$/;
const OF_ACCOUNTS =
  /^(?:stage|health|score|plan|seats|mrr|currency|trial_ends|seat_use|kind|account\..*|item_kind|severity|active_users)$/;

export function findIn(pieces: Pieces, draft: Draft, shape: QuestionShape): Find | null {
  const nouns = pieces.all("find").map(({ find }) => find);
  // "How many admins", "admins at our Enterprise accounts": users.
  const isOfRole = isA(shape.counted, "value") && shape.counted.dimension.startsWith("user.") && nouns.length === 0;
  if (isOfRole || (shape.asksForUsers && nouns[0] === "accounts")) nouns.unshift("users");
  const find = draft.find === undefined ? foundBy(pieces, draft, shape, nouns) : averaged(pieces, draft, draft.find);
  if (find === null) return null;
  // "Trials and customers" are two kinds of account.
  const kinds = pieces.all("find").filter((each) => each.find === find && each.where !== undefined);
  if (new Set(kinds.map(({ where }) => JSON.stringify(where))).size > 1) return null;
  for (const each of pieces.all("find")) {
    // Who became a customer wasn't one before.
    const said = draft.where.filter(
      ({ dimension, became, isNot }) => isNot === undefined && (became === undefined || dimension === "stage"),
    );
    const dimensions = new Set(said.map(({ dimension }) => dimension));
    // "Trials that churned", "customers that became trials": what they were before.
    const old = each.where?.find(({ is }) => is === "trial" || said.some(({ became }) => became === "trial"));
    const next = draft.where.find(({ dimension, is, became }) => dimension === "stage" && (became ?? is) !== "active");
    if (old?.dimension === "stage" && next !== undefined && (next.became ?? next.is) !== old.is) {
      const changed = { dimension: "stage", became: next.became ?? next.is };
      draft.where = draft.where.map((filter) => (filter === next ? changed : filter));
      draft.where.push({ ...old, asOf: BEFORE_WINDOW });
    }
    // What was in the inbox at some time may be resolved.
    const isOpen = draft.where.every(({ dimension, isNot }) => !OF_ITEMS.test(dimension) || isNot !== undefined);
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
  const countsEvents =
    isEvent(counted) ||
    (isA(counted, "measure") && EVENT_MEASURES.has(counted.measure) && counted.measure !== "active_days");
  const active = draft.where.findIndex(({ dimension, is }) => dimension === "active" && is === true);
  const isOfTimes = draft.compare !== undefined && (pieces.asks("yes_no") || pieces.asks("count"));
  // "Active accounts per plan", but "the number of accounts that were active per plan" counts accounts.
  const isOfGroups = draft.per !== undefined && !pieces.asks("count");
  if (
    (isPeriod(draft.per) || isOfGroups || isOfTimes) &&
    active >= 0 &&
    names.length === 0 &&
    (noun === "users" || noun === "accounts")
  ) {
    draft.where.splice(active, 1);
    draft.measure = noun === "users" ? "active_users" : "active_accounts";
    return "events";
  }
  const [of] = pieces.all("find");
  if (isPeriod(draft.per) && hasEvent && (noun === "users" || noun === "accounts")) {
    draft.measure = `active_${noun}`;
    return of === counted ? "events" : null;
  }
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
  if (countsEvents && noun === "accounts" && of !== undefined && counted !== undefined && of.from < counted.from)
    return noun;
  if (countsEvents && noun !== "features" && !draft.where.some(namesSeveralEntities)) return "events";
  const isPlain = draft.per === undefined && draft.order === undefined && draft.compare === undefined;
  const isOfNoun = shape.asksForEvents && (noun === "accounts" || noun === "users") && names.length === 0;
  if (isOfNoun && isPlain && !pieces.has("form")) return "events";
  if (draft.per === "account" || draft.per === "user" || draft.per === "event") {
    // "Exports in May vs April, per account": a list with the change of each.
    const isCompared = draft.compare !== undefined && draft.per !== "event";
    const own = draft.per === "account" ? "accounts" : draft.per === "user" ? "users" : "features";
    if (isCompared || (noun === undefined && names.length > 0 && !isActivity)) {
      delete draft.per;
      draft.show = "list";
      return own;
    }
    // "Number of companies per account" is always one.
    const isOfOwn = noun === own || (noun === undefined && !hasEvent && names.length === 0);
    if (isOfOwn && pieces.asks("count")) return null;
    return noun === undefined || noun === own ? "events" : /^(?:size)?$/.test(draft.order?.by ?? "") ? noun : null;
  }
  const isOfAccounts = noun === "accounts" || (noun === undefined && shape.hasWho);
  if (isOfAccounts && has(draft, /^item_kind$/) && isOfTime(pieces, draft)) return "items";
  if (nouns.includes("items")) {
    // "Who has a notice", "accounts with open notices".
    const startsWithWho = pieces.all("form").some((each) => each.who === true && each.from < (of?.from ?? 0));
    const asksWho = startsWithWho && !pieces.asks("yes_no");
    if (noun !== "accounts" && !asksWho) return "items";
    const isOpen = draft.where.every(({ dimension, is }) => !OF_ITEMS.test(dimension) || is === "open");
    if (isOpen && !hasEvent && draft.order === undefined && names.length === 0) {
      if (!has(draft, /^(?:item_kind|severity)$/)) draft.where.push({ dimension: "item_kind", isUnknown: false });
      return "accounts";
    }
    // "Which accounts have the most notices": how many each has.
    if (draft.order?.by === "" && draft.order.direction === "down" && names.length === 0) {
      draft.per = "account";
      return "items";
    }
    return has(draft, /^(?:item_kind|severity)$/) ? "accounts" : null;
  }
  if (noun === "accounts" && namesUser && names.every((name) => name.startsWith("user.")) && draft.where.length === 1) {
    draft.measure = "account";
    return "users";
  }
  if (
    noun === "accounts" &&
    (nouns.includes("users") || (has(draft, /^user\./) && draft.order !== undefined && !hasEvent))
  ) {
    // "The account with the most users", "with the most people exporting".
    if (draft.order?.by === "" && draft.order.direction === "down" && names.length === 0) {
      const people = pieces.first("find", "users");
      if (hasEvent && people !== undefined) {
        pieces.replace(people, { type: "measure", measure: "active_users" });
        return noun;
      }
      draft.per = "account";
      return "users";
    }
    const isPositive = draft.where.every(({ is, isNot }) => is !== false && isNot === undefined);
    return has(draft, /^(?:active|event)$/) && isPositive && !has(draft, /^user/) ? "accounts" : null;
  }
  if (noun === "accounts" && nouns.includes("features")) return null;
  // "Who uses all features".
  if (noun === "features" && shape.hasWho && draft.order === undefined && !pieces.asks("count")) return null;
  // Accounts have no roles: a list of users would answer another question.
  if (noun === "accounts" && has(draft, /^user\./) && draft.per === undefined) return null;
  return noun ?? unnamed(pieces, draft, shape, isActivity, names);
}

/** "Which accounts lost a champion this quarter": the notices of that time. */
const isOfTime = (pieces: Pieces, { window, where }: Draft): boolean =>
  window !== undefined && !where.some(isWindowed) && !pieces.has("measure");

const OF_USERS = /^(?:last_seen|first_seen|features_used|active_days|user\..*)$/;
const SEEN = new Set(["last_seen", "first_seen"]);
export const EVENT_MEASURES = new Set(["events", "active_users", "active_accounts", "active_days"]);

/** What a question without a noun looks for. */
function unnamed(
  pieces: Pieces,
  draft: Draft,
  { hasWho, hasEvent, asksForEvents, namesAccount, namesUser }: QuestionShape,
  isActivity: boolean,
  names: readonly string[],
): Find | null {
  const isRanked = draft.order !== undefined && draft.order.by !== "change" && draft.compare === undefined;
  const several = draft.where.find((each) => /^(?:account|user)$/.test(each.dimension) && each.in !== undefined);
  if ([...names, draft.per ?? ""].some((name) => /^(?:item_kind|severity|snoozed_until)$/.test(name))) return "items";
  if (has(draft, OF_ITEMS) || (has(draft, /^severity$/) && !hasWho)) return "items";
  const isNone = draft.where.some(({ dimension, isNot }) => dimension === "event" && isNot !== undefined);
  if (has(draft, /^user\./) && !(isActivity && draft.per !== undefined))
    return hasEvent && (draft.per !== undefined || (asksForEvents && !isNone && !isRanked)) ? "events" : "users";
  if (isAverage(pieces) && !hasEvent && names.length === 1 && names.includes("active_users")) return "accounts";
  // "Who exported, by plan" counts them.
  const isOfDoers = hasWho && hasEvent && !isActivity && !isRanked;
  if (draft.per !== undefined && (hasEvent || isActivity)) return isOfDoers ? "users" : "events";
  const hasSeen = hasEvent && names.some((name) => SEEN.has(name));
  if (several !== undefined) {
    if (hasEvent && names.length === 0 && !pieces.asks("yes_no")) draft.measure = "events";
    // "Who at Lumen or Kestrel exports".
    return several.dimension === "user" || (hasWho && hasEvent) ? "users" : "accounts";
  }
  if (namesUser && hasSeen) return "features";
  if (namesUser) {
    const isOfUsers = names.some((name) => OF_USERS.test(name));
    return !isOfUsers && !isNone && (isActivity || hasEvent) ? "events" : "users";
  }
  if (hasWho && names.includes("features_used")) return "users";
  const [start] = pieces.remaining;
  if (hasSeen && !isWho(start)) return "features";
  if (hasWho && (hasEvent || isActivity || draft.order?.by === "events" || (namesAccount && has(draft, /^active$/))))
    return "users";
  // "Everyone at Lumen and when they were last seen".
  const form = pieces.all("form").find(({ show, who }) => who === true || show === "when");
  if (namesAccount && form?.who === true && !hasEvent && names.length > 0 && names.every((name) => OF_USERS.test(name)))
    return "users";
  // "Who at Lumen is more active than last month".
  if (namesAccount && hasWho && draft.compare !== undefined) return "users";
  if (namesAccount) {
    if (names.some((name) => !EVENT_MEASURES.has(name)) || names.length > 1 || names.includes("active_days"))
      return hasSeen ? "features" : "accounts";
    if (isNone) return "accounts";
    if (hasEvent && pieces.asks("yes_no")) return "accounts";
    if (!isActivity && (!hasEvent || has(draft, /^(?:active|health|stage)$/))) return "accounts";
    // "Which reports does Lumen export most": which ones isn't recorded.
    return isRanked ? (pieces.asks("list") && !hasWho ? null : "users") : "events";
  }
  // "Top 5 in emea by usage".
  if (isRanked && (names.includes("active_users") || (isActivity && has(draft, OF_ACCOUNTS)))) return "accounts";
  if (isActivity) return names.includes("active_days") ? null : "events";
  if (hasEvent && pieces.asks("summary")) return "features";
  // "No syncs since Monday".
  if (isNone && !hasWho) return pieces.has("form") ? null : "accounts";
  if (hasEvent) return hasWho ? "users" : pieces.asks("list") ? null : "events";
  if (draft.per !== undefined && draft.order !== undefined && names.length === 0)
    return draft.order.by === "events" ? "events" : draft.per.startsWith("user.") ? "users" : "accounts";
  if (draft.compare !== undefined && draft.window !== undefined && names.length === 0 && !hasWho) return "events";
  if (draft.measure === "score" || draft.order?.by === "score" || draft.order?.by === "mrr") return "accounts";
  if (/^(?:health|plan|stage|kind)$/.test(draft.per ?? "")) return "accounts";
  if (has(draft, OF_ACCOUNTS) || names.some((name) => OF_ACCOUNTS.test(name) || name === "arr")) return "accounts";
  return hasWho && has(draft, /^active$/) ? "users" : null;
}

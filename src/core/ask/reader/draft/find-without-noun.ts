/** Decides what a question without a noun looks for. */
import { ONLY_OF_ITEMS } from "../../query/dimensions.ts";
import type { Find } from "../../query/model.ts";
import type { Draft } from "../fragments/fragments.ts";
import type { Pieces } from "../fragments/pieces.ts";
import { EVENT_MEASURES, isWho } from "../fragments/pieces.ts";
import { filtersOn, isOfAccounts, namesSeveralEntities } from "./context.ts";
import type { QuestionShape } from "./question-shape.ts";

const OF_USERS = /^(?:last_seen|first_seen|features_used|active_days|user\..*)$/;

/** Returns what a question without a noun looks for. */
export function findWithoutNoun(
  pieces: Pieces,
  draft: Draft,
  { hasWho, hasEvent, asksForEvents, comparesAccounts, namesAccount, namesUser }: QuestionShape,
  isActivity: boolean,
  names: readonly string[],
): Find | null {
  const isRanked = draft.order !== undefined && draft.order.by !== "change" && draft.compare === undefined;
  const several = draft.where.find(namesSeveralEntities);
  const dimensions = draft.where.map(({ dimension }) => dimension);
  if ([...names, draft.per ?? ""].some((name) => /^(?:item_kind|severity|snoozed_until)$/.test(name))) return "items";
  if (dimensions.some((name) => ONLY_OF_ITEMS.has(name)) || (filtersOn(draft, /^severity$/) && !hasWho)) return "items";
  const isNone = draft.where.some(({ dimension, isNot }) => dimension === "event" && isNot !== undefined);
  if (filtersOn(draft, /^user\./) && !(isActivity && draft.per !== undefined))
    return hasEvent && (draft.per !== undefined || (asksForEvents && !isNone && !isRanked)) ? "events" : "users";
  // "Who exported, by plan" counts them.
  if (draft.per !== undefined && (hasEvent || isActivity))
    return hasWho && !isActivity && !isRanked ? "users" : "events";
  const hasSeen = hasEvent && names.some((name) => name.endsWith("_seen"));
  if (several !== undefined) {
    if (hasEvent && names.length === 0 && !pieces.asks("yes_no")) draft.measure = "events";
    // "Who at Lumen or Kestrel exports".
    return several.dimension === "user" || (hasWho && hasEvent && !comparesAccounts) ? "users" : "accounts";
  }
  if (hasSeen && (namesUser || !isWho(pieces.remaining[0]))) return "features";
  if (namesUser) {
    const isOfUsers = names.some((name) => OF_USERS.test(name));
    return !isOfUsers && !isNone && (isActivity || hasEvent) ? "events" : "users";
  }
  // "Everyone at Lumen and when they were last seen", "who at Lumen is more active than last month".
  const isOfAccount =
    namesAccount &&
    (filtersOn(draft, /^active$/) ||
      draft.compare !== undefined ||
      (names.length > 0 && names.every((name) => OF_USERS.test(name))));
  const isDone = hasEvent || isActivity || draft.order?.by === "events" || names.includes("features_used");
  if (hasWho && (isDone || isOfAccount)) return "users";
  if (namesAccount) {
    if (names.some((name) => !EVENT_MEASURES.has(name)) || names.length > 1 || names.includes("active_days"))
      return hasSeen ? "features" : "accounts";
    if (isNone || (hasEvent && pieces.asks("yes_no"))) return "accounts";
    if (!isActivity && (!hasEvent || filtersOn(draft, /^(?:active|health|stage)$/))) return "accounts";
    // "Which reports does Lumen export most": which ones isn't recorded.
    return isRanked ? (pieces.asks("list") && !hasWho ? null : "users") : "events";
  }
  // "Top 5 in emea by usage".
  if (isRanked && (names.includes("active_users") || (isActivity && dimensions.some(isOfAccounts)))) return "accounts";
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
  if ([...dimensions, ...names].some(isOfAccounts)) return "accounts";
  return hasWho && filtersOn(draft, /^active$/) ? "users" : null;
}

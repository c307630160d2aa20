/** Rules for what doesn't hold, is unknown, or no longer holds. */
import { COUNTS } from "../../query/dimensions.ts";
import type { Filter } from "../../query/model.ts";
import { hasA, isA, isActive, isEntityName, isEvent, isWho, measureName, touch } from "../fragments/pieces.ts";
import { AUXILIARIES } from "../lexicon/lexicon.ts";
import { filter, swap, type RewriteRule, UNSUPPORTED } from "./rewrite.ts";
import { stateOf } from "./states.ts";

/** "Hasn't Lumen exported": the subject stands between the negation and what it negates. */
export const negationBeforeSubject: RewriteRule = ([a, b, c], { words }) => {
  if (!isA(a, "negation") || !isEntityName(b) || c === undefined) return null;
  // "Nobody at Lumen exports".
  const isNobody = /^(?:nobody|none|one)$/.test(words[a.to - 1]?.folded ?? "") && !isA(c, "or");
  const verb = words[a.from - 1]?.folded ?? "";
  const isInverted = AUXILIARIES.has(verb) && (a.from <= 2 || !/^(?:is|are|was|were)$/.test(verb));
  return isNobody || isInverted ? swap(2, b, { type: "negation" }) : null;
};

/** "Who exported nothing". "Exported nothing but shared reports" may mean two things. */
export const didNothing: RewriteRule = ([a, b], { words }) => {
  if (!isEvent(a) || b === undefined || words[b.from]?.folded !== "nothing" || !touch(a, b)) return null;
  return isA(b, "bound") ? swap(2, UNSUPPORTED) : isA(b, "filter", "active") ? swap(2, { type: "negation" }, a) : null;
};

/** Rejects "No admin exported", "features that no trials use": no query says that no member of a group did something. */
export const noneOf: RewriteRule = ([a, next, other], { pieces, words }) => {
  // "Not a single manager".
  const isSingle = isA(next, "nth") && words[next.from]?.folded === "single";
  const b = isSingle ? other : next;
  const last = words[(a?.to ?? 0) - 1]?.folded ?? "";
  // "Accounts that are neither healthy nor on watch" is about their own states.
  const isNeither = last === "neither" && hasA(pieces, "find", "features");
  // "Industries without trials" lists industries, not accounts.
  const isWithout = last === "without" && isA(b, "find") && !hasA(pieces.slice(0, pieces.indexOf(b)), "find");
  const isNone =
    isA(a, "negation") && (isSingle || /^(?:no|none|nobody|zero|one)$/.test(last) || isNeither || isWithout);
  const isGroup =
    (isA(b, "value") && !isEvent(b)) ||
    (isA(b, "find") && b.where !== undefined) ||
    isA(b, "filter", "health", "stage", "severity") ||
    isA(b, "negation");
  return isNone && isGroup ? swap(1, UNSUPPORTED) : null;
};

/** "Accounts with 0 exports". */
export const noneDone: RewriteRule = ([a, b], { before }) =>
  isA(a, "number") && a.value === 0 && a.unit === undefined && isEvent(b) && touch(a, b) && !isA(before, "bound")
    ? swap(2, { type: "negation" }, b)
    : null;

/** "not healthy", "without an MRR", "never exported", "no events", "not on Enterprise or Business". */
export const negated: RewriteRule = ([a, second, ...rest], { pieces, at, before, words }) => {
  const isUnused = isA(a, "use", "never");
  if (!isA(a, "negation") && !isUnused) return null;
  // "Never used forecasts before November": the time would be lost.
  if (isUnused && pieces.some((piece) => isA(piece, "window") && piece.isBound !== undefined))
    return swap(1, UNSUPPORTED);
  // "Did not renew" says nothing of the date.
  if (isA(second, "dimension") && words[second.from]?.folded.startsWith("renew") && second.to === second.from + 1)
    return swap(2, UNSUPPORTED);
  // "Not using all of their seats".
  if (isA(second, "use") && isA(rest[0], "filter", "seat_use")) return swap(3, UNSUPPORTED);
  const hasUse = isA(second, "use");
  if (hasUse && second.use !== "uses") return null;
  const isBare = !hasUse && !isUnused;
  const count = hasUse || isA(second, "pointer") ? 3 : 2;
  const [b, c, d] = count === 3 ? rest : [second, ...rest];
  // "Never exported this month".
  const isThen = isA(c, "window") && c.isVague !== true;
  const window: Pick<Filter, "window"> = isUnused && !isThen ? { window: { all: true } } : {};
  const inactive = filter({ dimension: "active", is: false, ...window });
  // "Not a single export".
  if (isA(second, "nth") && words[second.from]?.folded === "single") return swap(2, a);
  if (hasUse && (isA(before, "measure", "seats") || isA(b, "measure", "seats"))) return swap(2, UNSUPPORTED);
  // "Features not used at Lumen".
  if (hasUse && isEntityName(b)) return swap(2, inactive);
  // "By events excluding exports": of the accounts, not of the events.
  if (isEvent(b) && isA(before, "measure", "events")) return swap(1, UNSUPPORTED);
  // "Does Lumen use anything besides exports": asks for other features.
  const isElse = isA(before, "form", "yes_no") && EXCLUDING.test(words[a.from]?.folded ?? "");
  if (isEvent(b) && isElse && !hasA(pieces, "find"))
    return swap(
      count,
      { type: "find", find: "features" },
      ...b.values.map((isNot) => filter({ dimension: "event", isNot })),
    );
  if (isA(b, "value") && (isEvent(b) || !isUnused))
    return swap(count, ...b.values.map((value) => filter({ dimension: b.dimension, isNot: value, ...window })));
  // "Accounts without open notices", "without an open notice of critical severity".
  const isOpen = isA(b, "filter", "status") && b.filter.is === "open";
  const [item, kind] = isOpen ? [c, d] : [b, c];
  const [noun, ...events] = pieces.filter((piece) => isA(piece, "find") || isEvent(piece));
  const isDated = pieces.slice(at).some((piece) => isA(piece, "window") && piece.isVague !== true);
  if (isBare && isA(item, "find", "items") && (noun === item || isDated)) return swap(1, UNSUPPORTED);
  if (isBare && isA(item, "find", "items") && isA(noun, "find") && events.every((each) => each === item)) {
    const opposite = isA(kind, "filter", "severity", "item_kind") ? oppositeOf(kind.filter) : null;
    const none = opposite ?? [{ dimension: "item_kind", isUnknown: true }];
    return swap((isOpen ? 3 : 2) + (opposite ? 1 : 0), ...none.map(filter));
  }
  // "Accounts except trials".
  const condition = isA(b, "find") ? b.where?.[0] : isA(b, "filter") ? b.filter : undefined;
  if (condition !== undefined && !hasUse) {
    // "Did not convert last month": who was on trial then isn't said.
    if (condition.became === "active" && isA(c, "window") && !hasA(pieces, "over")) return swap(1, UNSUPPORTED);
    // "Without converting".
    if (condition.became === "active") return swap(count, filter({ dimension: "stage", isNot: "active" }));
    // Whether an account never had a state isn't known.
    const opposite = isUnused && condition.dimension !== "active" ? null : oppositeOf(condition);
    return opposite && swap(count, ...opposite.map((each) => filter({ ...each, ...window })));
  }
  if (isA(b, "window")) {
    const state = pieces[at - 2];
    // "Exported in October but not in November".
    if (isA(before, "window") && isEvent(state))
      return swap(1, ...state.values.map((isNot) => filter({ dimension: "event", isNot })));
    // "Customers with none in the last 30 days", "active in October but not in November".
    const isNone = words[a.from]?.folded === "none" && isA(before, "find");
    if (isNone || (isActive(state) && isA(before, "window"))) return swap(1, inactive);
  }
  // "Features that nobody uses", "trials nobody is using".
  if (hasUse && hasA(pieces, "find", "features", "accounts") && !pieces.some(isEvent)) return swap(2, inactive);
  if (isA(b, "measure", "events")) return hasA(pieces, "change") ? swap(1, UNSUPPORTED) : swap(count, inactive);
  const name = measureName(b);
  if (name === null || !isBare) return null;
  // "Don't pay in EUR".
  if (isA(c, "value", "currency") && /^(?:mrr|currency)$/.test(name))
    return swap(count + 1, ...c.values.map((isNot) => filter({ dimension: "currency", isNot })));
  // "Not up for renewal this quarter", "grew in usage but not in seats", "notices except trial ending ones": not about
  // what is unknown.
  const isOfItems = name === "trial_ends" && hasA(pieces, "find", "items");
  if (isA(c, "window") || hasA(pieces, "change") || isOfItems) return swap(1, UNSUPPORTED);
  const none = COUNTS.has(name) || name === "seats" ? { is: 0 } : { isUnknown: true };
  return swap(count, filter({ dimension: name, ...none }));
};

/** "Excluding trials and anyone who has churned": the negation holds for both. */
export const excluded: RewriteRule = ([a, b, or, ...rest], { words }) => {
  const isJoint = isA(or, "or") || isWho(or) || isA(or, "form", "yes_no");
  const [next, noun] = isJoint ? rest : [or, ...rest];
  const first = stateOf(b);
  // "Already churned".
  const second =
    isA(next, "filter") && typeof next.filter.became === "string"
      ? { dimension: next.filter.dimension, is: next.filter.became }
      : stateOf(next);
  if (!isA(a, "negation") || !EXCLUDING.test(words[a.from]?.folded ?? "")) return null;
  if (b === undefined || next === undefined || first === null || second === null) return null;
  if (!/^(?:and|or|nor|&)$/.test(words[b.to]?.folded ?? "")) return null;
  // "Excluding Enterprise and churned ones"; "excluding Enterprise and at risk" may mean two things.
  const isBoth = first.dimension === second.dimension || (isA(noun, "find", "accounts") && touch(next, noun));
  const both = [first, second].map(({ dimension, is }) => filter({ dimension, isNot: is }));
  return swap(isJoint ? 4 : 3, ...(isBoth ? both : [UNSUPPORTED]));
};

const EXCLUDING = /^(?:excluding|except|without|besides|apart|other|minus|outside|skip|skipping|leave|leaving)$/;

function oppositeOf({ is, isNot, in: several, isUnknown, ...rest }: Filter): Filter[] | null {
  if (isNot !== undefined) return [{ ...rest, is: isNot }];
  if (typeof is === "boolean") return [{ ...rest, is: !is }];
  if (is !== undefined) return [{ ...rest, isNot: is }];
  if (several !== undefined) return several.map((value) => ({ ...rest, isNot: value }));
  return isUnknown === undefined ? null : [{ ...rest, isUnknown: !isUnknown }];
}

/** "MRR unknown", "missing contract end date", "without a plan". */
export const unknownValue: RewriteRule = ([a, b]) => {
  const [mark, name] = isA(a, "unknown") ? [a, measureName(b)] : [b, measureName(a)];
  // Of health, either the score or the state could be unknown.
  if (isA(mark, "unknown") && name !== null && name !== "score")
    return swap(2, filter({ dimension: name, isUnknown: mark.unknown }));
  // "Without a single export": what is missing isn't a dimension.
  return isA(a, "unknown") && a.unknown && (isA(b, "value") || isA(b, "filter")) ? swap(1, { type: "negation" }) : null;
};

/** "Not in the last 45 days, but before": at some time. */
export const usedBefore: RewriteRule = ([a], { pieces, words }) => {
  if (!isA(a, "before") || !/^(?:before|previously|did|do|done|had)$/.test(words[a.from]?.folded ?? "")) return null;
  if (hasA(pieces, "compare") || hasA(pieces, "change") || hasA(pieces, "order")) return null;
  // "Stopped exporting; they did it before" says it twice. "Has Omar used forecasts before".
  if (hasA(pieces, "use", "stopped")) return swap(1);
  const isEver = hasA(pieces, "form", "yes_no") && pieces.some(isEvent) && !hasA(pieces, "window");
  if (isEver && a.to === words.length) return swap(1, { type: "window", window: { all: true } });
  const none = pieces.find((piece) => isA(piece, "filter", "event", "active") && piece.filter.window === undefined);
  if (!isA(none, "filter")) return null;
  const { dimension, is, isNot = is === false ? true : undefined } = none.filter;
  return isNot === undefined ? null : swap(1, filter({ dimension, is: isNot, window: { all: true } }));
};

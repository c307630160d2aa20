/** Rules that make filters from names beside values, bounds beside numbers, negations, and uses of events. */
import { COUNTS } from "../query/dimensions.ts";
import type { Filter } from "../query/model.ts";
import type { Fragment, Of, Placed } from "./fragments.ts";
import { AUXILIARIES, LEXICON } from "./lexicon.ts";
import { hasA, between, filter, isA, isActive, isEvent, isWho, isSubject, put, touch, type Rule } from "./pieces.ts";
import { foldedOf, type Word } from "./words.ts";

/** A placeholder for the day before the window, until the window is known. */
export const BEFORE_WINDOW = "before";

/** The name of a measure or a dimension in a filter. */
export function nameOf(piece: Placed | undefined): string | null {
  if (isA(piece, "measure")) return piece.measure === "arr" ? null : piece.measure;
  return isA(piece, "dimension") ? piece.dimension : null;
}

/** The dimension that a piece is a condition of. */
export function dimensionOf(piece: Placed | undefined): string | null {
  if (isA(piece, "value")) return piece.dimension;
  return isA(piece, "filter") ? piece.filter.dimension : null;
}

const LINKS = new Set("is are as the of in on at called named a an to being".split(" "));
const FAMILY: Readonly<Record<string, string>> = { score: "health" };

const isConditionOf = (piece: Placed, name: string | null): boolean =>
  name !== null && dimensionOf(piece) === (FAMILY[name] ?? name);

/** "plan Business", "emea region", "healthy score": the name of the dimension adds nothing. */
const named: Rule = ([a, b], { before, words }) => {
  // "By region, emea and apac": a group for each.
  if (a === undefined || b === undefined || isA(before, "per")) return null;
  const [nameA, nameB] = [nameOf(a), nameOf(b)];
  if (isConditionOf(b, nameA) && between(words, a, b).every((word) => LINKS.has(word) && word !== "of"))
    return put(2, b);
  return isConditionOf(a, nameB) && touch(a, b) && words[b.from]?.isAfterStop === false ? put(2, a) : null;
};

/** "Highest MRR first": the last word adds nothing. "Whose contract ends first": it ranks. */
const firstOf: Rule = ([a, b, c, d], { words }) => {
  if (a === undefined || b === undefined) return null;
  const isDate = isA(a, "dimension") && /^(?:account\.|trial_ends)/.test(a.dimension);
  if (isFirst(b, words) && touch(a, b) && !isEvent(c))
    return isDate ? put(2, a, { type: "order", direction: "up", by: "time" }) : null;
  return isA(a, "order") && isFirst(c, words) && touch(b, c) && !isEvent(d) ? put(3, a, b) : null;
};

const isFirst = (piece: Placed | undefined, words: readonly Word[]): boolean =>
  (isA(piece, "nth") && piece.value === 1) ||
  (isA(piece, "dimension") && piece.to === piece.from + 1 && words[piece.from]?.folded === "first");

const NOUN_OF: Readonly<Record<string, string>> = { account: "accounts", user: "users", event: "features" };

/** "the forecast feature", "account Pixelforge", "customer Pixelforge", "new forecast feature". */
const calledSo: Rule = ([a, b, c]) => {
  if (!touch(a, b)) return null;
  if (isA(a, "value") && isA(b, "find") && b.find === NOUN_OF[a.dimension] && b.where === undefined) return put(2, a);
  const isNoun = isA(a, "find") && (a.where === undefined || (a.isOne === true && a.where[0]?.is === "active"));
  if (isNoun && isA(b, "value") && a.find === NOUN_OF[b.dimension]) return put(2, b);
  return isA(a, "new") && isEvent(b) && !isA(c, "find", "users") ? put(2, b) : null;
};

/** "New forecast users", "first-time users of forecasts": those who hadn't used it before. */
const newTo: Rule = ([a, b, c], { pieces, words }) => {
  // "Who created their first alert".
  const isTheirs = /^(?:their|its|his|her)$/.test(words[(a?.from ?? 0) - 1]?.folded ?? "");
  if (isTheirs && isA(a, "dimension", "first_seen") && isEvent(b) && !hasA(pieces, "form", "when"))
    return put(2, { type: "use", use: "started" }, b);
  const [event, users] = isEvent(b) ? [b, c] : [c, b];
  if (!isA(a, "new") || !isEvent(event) || users === undefined || !isA(users, "find", "users")) return null;
  const isOf = event === b ? touch(b, c) : words[event.from - 1]?.folded === "of";
  return isOf ? put(3, users, { type: "use", use: "started" }, event) : null;
};

/** "The latest export", "the first alert": when it was used. */
const latest: Rule = ([a, b], { pieces, at, words }) => {
  const isTime = isA(a, "order") && a.by === "time" && a.isMore !== true;
  // "Call with Lumen, what's the latest".
  const isOther = pieces.some((piece) => !isSubject(piece) && !isA(piece, "form") && piece !== a);
  if (isTime && b === undefined && a.direction === "down" && at > 0 && !isOther && pieces.some(isSubject))
    return put(1, { type: "form", show: "summary" });
  const isPlain = isEvent(b) && touch(a, b) && !LEXICON.has(words[b.from]?.folded ?? "");
  return isTime && isPlain && !hasA(pieces, "find")
    ? put(2, { type: "dimension", dimension: a.direction === "down" ? "last_seen" : "first_seen" }, b)
    : null;
};
const JOINTS = new Set("and or nor & / + the in on".split(" "));

/** "Plan, seats and status": a column, which is the stage. A summary is none. */
const summarized: Rule = ([a], { pieces, words }) => {
  if (!isA(a, "form", "summary") || pieces.every((piece) => nameOf(piece) === null)) return null;
  const isListed = JOINTS.has(words[a.from - 1]?.folded ?? "") || JOINTS.has(words[a.to]?.folded ?? "");
  const own = foldedOf(words, a);
  if (own === "status" && !hasA(pieces, "find", "items")) return put(1, { type: "dimension", dimension: "stage" });
  return isListed || /^(?:status|summary|overview|details|info|profile|update)$/.test(own)
    ? put(1, { type: "reason", reason: "unmeasured_attribute" })
    : null;
};

export const isTrial = (piece: Placed | undefined): boolean =>
  (isA(piece, "filter") && piece.filter.is === "trial") ||
  (isA(piece, "find") && piece.where?.some(({ is }) => is === "trial") === true);

/** "The trial … ends", "the contract of Lumen ends": chooses the date that "ends" means. */
const ends: Rule = ([a], { pieces }) => {
  if (!isA(a, "dimension", "end")) return null;
  if (pieces.some(isTrial)) return put(1, { type: "dimension", dimension: "trial_ends" });
  return pieces.some((piece) => piece !== a && isA(piece, "dimension")) ? put(1) : null;
};

/** "emea or apac", "Northwind, Halcyon and Meridian", "risk or watch". */
const joined: Rule = ([a, or, c], { words }) => {
  const hasOr = isA(or, "or");
  const b = hasOr ? c : or;
  if (a === undefined || b === undefined) return null;
  const gap = between(words, a, b);
  const isList =
    hasOr ||
    words[b.from]?.joint === "/" ||
    (gap.every((word) => JOINTS.has(word)) && (gap.length > 0 || words[b.from]?.isAfterStop === true));
  const dimension = dimensionOf(a);
  if (!isList || dimension === null || dimension !== dimensionOf(b)) return null;
  const count = hasOr ? 3 : 2;
  if (isA(a, "value") && isA(b, "value")) {
    const all = dimension === "event" && !hasOr && (a.all === true || a.values.length === 1);
    return put(count, {
      type: "value",
      dimension,
      values: [...new Set([...a.values, ...b.values])],
      ...(all && { all }),
    });
  }
  const [first, second] = [valuesOf(a), valuesOf(b)];
  return first && second && put(count, filter({ dimension, in: [...first, ...second] }));
};

/** "How many are healthy, on watch and at risk": one number each. */
const eachState: Rule = ([a], { pieces, words }) => {
  const isSeveral = isA(a, "filter", "health") && a.filter.in !== undefined;
  if (!isSeveral || !hasA(pieces, "form", "count") || hasA(pieces, "per")) return null;
  const said = new Set(words.slice(a.from, a.to).map(({ folded }) => folded));
  return said.has("and") && !said.has("or")
    ? put(1, a, { type: "per" }, { type: "dimension", dimension: "health" })
    : null;
};

function valuesOf(piece: Placed): readonly string[] | null {
  if (!isA(piece, "filter")) return null;
  const { is, in: several } = piece.filter;
  return typeof is === "string" ? [is] : several !== undefined ? several.map(String) : null;
}

const BE = new Set("is are was were".split(" "));

/** "Hasn't Lumen exported": the subject stands between the negation and what it negates. */
const turned: Rule = ([a, b, c], { words }) => {
  if (!isA(a, "negation") || !isSubject(b) || c === undefined) return null;
  // "Nobody at Lumen exports".
  const isNobody = /^(?:nobody|none|one)$/.test(words[a.to - 1]?.folded ?? "") && !isA(c, "or");
  const verb = words[a.from - 1]?.folded ?? "";
  const isTurned = a.from <= 2 ? BE.has(verb) || AUXILIARIES.has(verb) : AUXILIARIES.has(verb) && !BE.has(verb);
  return isNobody || isTurned ? put(2, b, { type: "negation" }) : null;
};

/** "not healthy", "without an MRR", "never exported", "no events", "not on Enterprise or Business". */
const negated: Rule = ([a, second, ...rest], { pieces, at, before, words }) => {
  const isUnused = isA(a, "use", "never");
  if (!isA(a, "negation") && !isUnused) return null;
  const hasUse = isA(second, "use");
  if (hasUse && second.use !== "uses") return null;
  const isBare = !hasUse && !isUnused;
  const count = hasUse || isA(second, "pointer") ? 3 : 2;
  const [b, c, d] = count === 3 ? rest : [second, ...rest];
  const window: Pick<Filter, "window"> = isUnused ? { window: { all: true } } : {};
  const inactive = filter({ dimension: "active", is: false, ...window });
  // "Not a single export".
  if (isA(second, "nth") && words[second.from]?.folded === "single") return put(2, a);
  // "Features not used at Lumen".
  if (hasUse && isSubject(b)) return put(2, inactive);
  if (isA(b, "value") && (isEvent(b) || !isUnused))
    return put(count, ...b.values.map((value) => filter({ dimension: b.dimension, isNot: value, ...window })));
  // "Accounts without open notices", "without an open notice of critical severity".
  const isOpen = isA(b, "filter", "status") && b.filter.is === "open";
  const [item, kind] = isOpen ? [c, d] : [b, c];
  const [noun, ...events] = pieces.filter((piece) => isA(piece, "find") || isEvent(piece));
  if (isBare && isA(item, "find", "items") && isA(noun, "find") && events.every((each) => each === item)) {
    const opposite = isA(kind, "filter", "severity", "item_kind") ? oppositeOf(kind.filter) : null;
    const none = opposite ?? [{ dimension: "item_kind", isUnknown: true }];
    return put((isOpen ? 3 : 2) + (opposite ? 1 : 0), ...none.map(filter));
  }
  if (isA(b, "filter") && !hasUse) {
    // "Without converting".
    if (b.filter.became === "active") return put(count, filter({ dimension: "stage", isNot: "active" }));
    // What never was so isn't known of states.
    const opposite = isUnused && b.filter.dimension !== "active" ? null : oppositeOf(b.filter);
    return opposite && put(count, ...opposite.map((each) => filter({ ...each, ...window })));
  }
  if (isA(b, "window")) {
    const state = pieces[at - 2];
    // "Exported in October but not in November".
    if (isA(before, "window") && isEvent(state))
      return put(1, ...state.values.map((isNot) => filter({ dimension: "event", isNot })));
    // "Customers with none in the last 30 days", "active in October but not in November".
    const isNone = words[a.from]?.folded === "none" && isA(before, "find");
    if (isNone || (isActive(state) && isA(before, "window"))) return put(1, inactive);
  }
  // "Features that nobody uses", "trials nobody is using".
  if (hasUse && hasA(pieces, "find", "features", "accounts") && !pieces.some(isEvent)) return put(2, inactive);
  // "Accounts except trials".
  const [condition, ...others] = (isA(b, "find") ? b.where : undefined) ?? [];
  if (condition?.is !== undefined && others.length === 0) {
    const opposite = oppositeOf(condition);
    return opposite && put(count, ...opposite.map(filter));
  }
  if (isA(b, "measure", "events")) return put(count, inactive);
  const name = nameOf(b);
  if (name === null || !isBare) return null;
  return put(
    count,
    filter({ dimension: name, ...(COUNTS.has(name) || name === "seats" ? { is: 0 } : { isUnknown: true }) }),
  );
};

/** "Excluding trials and anyone who has churned": the negation holds for both. */
const excluded: Rule = ([a, b, or, ...rest], { words }) => {
  const next = isA(or, "or") || isWho(or) ? rest[0] : or;
  const [first, second] = [stateOf(b), stateOf(next)];
  if (!isA(a, "negation") || !EXCLUDING.test(words[a.from]?.folded ?? "")) return null;
  if (b === undefined || next === undefined || first === null || first.dimension !== second?.dimension) return null;
  return /^(?:and|or|nor|&)$/.test(words[b.to]?.folded ?? "")
    ? put(next === or ? 3 : 4, ...[first, second].map(({ dimension, is }) => filter({ dimension, isNot: is })))
    : null;
};
const EXCLUDING = /^(?:excluding|except|without|besides|apart|other|minus|outside)$/;

function oppositeOf({ is, isNot, in: several, isUnknown, ...rest }: Filter): Filter[] | null {
  if (isNot !== undefined) return [{ ...rest, is: isNot }];
  if (typeof is === "boolean") return [{ ...rest, is: !is }];
  if (is !== undefined) return [{ ...rest, isNot: is }];
  if (several !== undefined) return several.map((value) => ({ ...rest, isNot: value }));
  return isUnknown === undefined ? null : [{ ...rest, isUnknown: !isUnknown }];
}

/** "MRR unknown", "missing contract end date", "without a plan". */
const unknown: Rule = ([a, b]) => {
  const [mark, name] = isA(a, "unknown") ? [a, nameOf(b)] : [b, nameOf(a)];
  // Of health, either the score or the state could be unknown.
  if (isA(mark, "unknown") && name !== null && name !== "score")
    return put(2, filter({ dimension: name, isUnknown: mark.unknown }));
  // "Without a single export": what is missing isn't a dimension.
  return isA(a, "unknown") && a.unknown && (isA(b, "value") || isA(b, "filter")) ? put(1, { type: "negation" }) : null;
};

/** "How much MRR do they have": those that the question is about. */
const they: Rule = ([a, b], { pieces, at, before, words }) => {
  const isMany = isA(a, "pointer") && /^(?:they|them|those)$/.test(words[a.from]?.folded ?? "");
  // "And how many of them are healthy", "and are they healthy": another question.
  if (!isMany || isA(before, "form", "count") || (isA(b, "filter") && !isA(before, "use"))) return null;
  const earlier = pieces.slice(0, at);
  return hasA(earlier, "find") || hasA(earlier, "dimension") || earlier.some(isEvent) ? put(1) : null;
};

/** "From healthy to watch": the second is the new state, and the first the one before the window. */
const fromTo: Rule = ([a, b], { words }) => {
  const [old, next] = [stateOf(a), stateOf(b)];
  if (a === undefined || b === undefined || old === null || !isFrom(words, a)) return null;
  if (old.dimension !== dimensionOf(b) && old.dimension !== next?.dimension) return null;
  if (!between(words, a, b).some((word) => /^(?:in)?to$/.test(word))) return null;
  return put(2, next === null ? b : changedTo(next), earlier(old));
};

/** "became healthy", "upgraded to Business", "recovered from at risk", "went" before "from healthy to watch". */
const moved: Rule = ([a, b, c], { words }) => {
  // "Went from September to October" is about what is counted.
  if (isA(a, "moved") && isA(b, "window") && a.to === b.from && /^(?:go|went)/.test(words[a.from]?.folded ?? ""))
    return put(1, { type: "change", direction: null });
  const state = stateOf(b);
  const isRecovery = isA(a, "filter") && a.filter.became !== undefined;
  if (!isA(a, "moved") && !isA(a, "change") && !isRecovery) return null;
  if (isA(b, "filter") && (b.filter.became ?? b.filter.in) && isA(c, "filter") && c.filter.asOf === BEFORE_WINDOW)
    return put(2, b);
  if (b === undefined || state === null) return null;
  if (!isFrom(words, b))
    return isA(a, "moved") ? put(2, changedTo(state), ...(isA(b, "find") ? [nounOf(b)] : [])) : null;
  if (isRecovery) return a.filter.dimension === state.dimension ? put(2, a, earlier(state)) : null;
  // A rise or fall from the state in the middle may lead to either of the others.
  const isClear = isA(a, "moved") || (state.dimension === "health" && state.is !== "watch");
  return isClear ? put(2, ...left(state)) : null;
};

const isFrom = (words: readonly Word[], { from }: Placed): boolean =>
  words.slice(Math.max(0, from - 2), from).some(({ folded }) => folded === "from");

type State = { dimension: string; is: string };
const changedTo = ({ dimension, is }: State): Fragment => filter({ dimension, became: is });
const earlier = (state: State): Fragment => filter({ ...state, asOf: BEFORE_WINDOW });
/** It was so before the window, and isn't now. */
const left = (state: State): Fragment[] => [filter({ dimension: state.dimension, isNot: state.is }), earlier(state)];
const nounOf = ({ find }: Of<"find">): Fragment => ({ type: "find", find });

/** The health, stage or plan that a piece says: "healthy", "customers", "Business". */
function stateOf(piece: Placed | undefined): State | null {
  const own = isA(piece, "find") && piece.where?.length === 1 ? piece.where[0] : undefined;
  const dimension = own?.dimension ?? dimensionOf(piece) ?? "";
  const is = own === undefined ? onlyOf(piece) : own.is;
  return HISTORIC.has(dimension) && typeof is === "string" ? { dimension, is } : null;
}

const HISTORIC = new Set(["health", "stage", "plan"]);

/** The only value of a condition. */
function onlyOf(piece: Placed | undefined): string | null {
  const values = isA(piece, "value")
    ? piece.values
    : isA(piece, "filter") && piece.filter.asOf === undefined
      ? valuesOf(piece)
      : null;
  return values?.length === 1 ? (values[0] ?? null) : null;
}

/** "used exports", "stopped using dashboards". */
const used: Rule = ([a, b], { pieces, before, words }) => {
  if (!isA(a, "use")) return null;
  // "When did they start their trial".
  if (a.use === "started" && (isTrial(b) || isTrial(before)))
    return put(isTrial(b) ? 2 : 1, filter({ dimension: "stage", became: "trial" }));
  const state = stateOf(b);
  if (a.use === "stopped" && state !== null) return put(2, ...left(state));
  if (!isEvent(b)) return null;
  // "How many have tried forecasts": accounts or users, but not forecasts.
  if (a.use === "uses" && isA(before, "form", "count") && !hasA(pieces, "find")) return null;
  // "Since when do they use forecasts".
  const isBeginning = a.use === "started" ? hasA(pieces, "form", "when") : a.use === "uses" && asksSince(pieces, words);
  if (isBeginning) return put(2, { type: "dimension", dimension: "first_seen" }, b);
  return a.use === "uses" || a.use === "arose" ? put(2, b) : null;
};

/** What can be said of a champion: "still active", "lost", "left". */
const isFate = (piece: Placed | undefined): boolean =>
  isA(piece, "use", "arose", "stopped") ||
  (isA(piece, "filter") &&
    (typeof piece.filter.is === "boolean" || (piece.filter.is ?? piece.filter.became) === "churned"));

/** "No champion", "is the champion of Lumen still active": about the notice that a champion became quiet. */
const champion: Rule = ([a, b, c], { words }) => {
  const quiet = filter({ dimension: "item_kind", is: "key_user_quiet" });
  if (isA(a, "filter", "champion")) return a.filter.isUnknown === true ? put(1, quiet) : null;
  const [who, fate] = isChampion(b) ? [b, a] : [a, isSubject(b) ? c : b];
  if (who === undefined || fate === undefined || !isChampion(who) || !isFate(fate)) return null;
  if (between(words, a === who ? who : fate, a === who ? fate : who).includes("and")) return null;
  const said = isActive(fate) ? filter({ dimension: "item_kind", isNot: "key_user_quiet" }) : quiet;
  return isA(b, "value") && fate === c ? put(3, said, b) : put(2, said);
};
const isChampion = (piece: Placed | undefined): boolean => isA(piece, "dimension", "champion");

/** Whether a question asks about one account or user. */
const isOfOne = (pieces: readonly Placed[]): boolean =>
  pieces.filter(isSubject).length === 1 && !hasA(pieces, "form", "list");

/** "Is it a customer or did it churn", "healthy or not": asks for the stage, or for yes or no. */
const either: Rule = ([a, or, ...rest], { pieces }) => {
  if (a === undefined || !isA(or, "or")) return null;
  const isPointed = isA(rest[0], "pointer");
  const [b, c] = isPointed ? rest.slice(1) : rest;
  const count = isPointed ? 4 : 3;
  if (isA(a, "change") && isA(b, "change")) return put(count, { type: "change", direction: null });
  if (!isOfOne(pieces)) return null;
  if (isA(b, "negation") && c === undefined) return put(count, a, { type: "form", show: "yes_no" });
  // "Is she still active or has she gone quiet".
  if (isActive(a) && dimensionOf(b) === "active") return put(count, a);
  // Two plain states are joined.
  if (!isPointed && [a, b].every((each) => onlyOf(each) !== null)) return null;
  const dimension = stageOf(a);
  return dimension !== null && dimension === stageOf(b) ? put(count, { type: "dimension", dimension }) : null;
};

const stageOf = (piece: Placed | undefined): string | null =>
  isA(piece, "filter") && piece.filter.became !== undefined
    ? piece.filter.dimension
    : (stateOf(piece)?.dimension ?? null);

/** "Is it red, amber or green", "does it pay in euro or dollar": asks for the value. */
const chosen: Rule = ([a], { pieces, words }) => {
  const isOne = isA(a, "value") ? a.values.length > 1 && !isSubject(a) : isA(a, "filter") && a.filter.in !== undefined;
  if (a === undefined || !isOne || !isOfOne(pieces) || hasA(pieces, "find") || pieces.some(isEvent)) return null;
  const hasOr = words.slice(a.from, a.to).some(({ folded }) => folded === "or");
  return hasOr ? put(1, { type: "dimension", dimension: dimensionOf(a) ?? "" }) : null;
};

/** "How long", "since when", of what still is so: not "how long ago", "how long was it", "how long until". */
function asksSince(pieces: readonly Placed[], words: readonly Word[]): boolean {
  const form = pieces.find((piece) => isA(piece, "form", "when"));
  const asked = words.slice(form?.from, (form?.to ?? 0) + 2).map(({ folded }) => folded);
  return (
    form !== undefined &&
    isOfOne(pieces) &&
    !hasA(pieces, "window") &&
    /^(?:for )?(?:how long|since when)(?! (?:ago|was|were|did|until|till|is the))/.test(asked.join(" "))
  );
}

/** "How long has it been at risk", "since when is it a customer", "how long is it silent": when that began. */
const sinceWhen: Rule = ([a], { pieces, words }) => {
  if (a === undefined || !asksSince(pieces, words)) return null;
  const state = stateOf(a);
  if (state !== null) return put(1, changedTo(state));
  return isA(a, "filter", "active") && a.filter.is === false
    ? put(1, { type: "dimension", dimension: "last_seen" })
    : null;
};

/** "Not in the last 45 days, but before": at some time. */
const lapsed: Rule = ([a], { pieces, words }) => {
  if (!isA(a, "before") || !/^(?:before|previously|did|do|done|had)$/.test(words[a.from]?.folded ?? "")) return null;
  if (hasA(pieces, "compare") || hasA(pieces, "change") || hasA(pieces, "order")) return null;
  // "Stopped exporting; they did it before" says it twice. "Has Omar used forecasts before".
  if (hasA(pieces, "use", "stopped")) return put(1);
  const isEver = hasA(pieces, "form", "yes_no") && pieces.some(isEvent) && !hasA(pieces, "window");
  if (isEver && a.to === words.length) return put(1, { type: "window", window: { all: true } });
  const none = pieces.find((piece) => isA(piece, "filter", "event", "active") && piece.filter.window === undefined);
  if (!isA(none, "filter")) return null;
  const { dimension, is, isNot = is === false ? true : undefined } = none.filter;
  return isNot === undefined ? null : put(1, filter({ dimension, is: isNot, window: { all: true } }));
};

/** The rules of bounds.ts run between these two lists, because a negation may stand before a bound. */
export const NAME_RULES: readonly Rule[] = [
  summarized,
  ends,
  firstOf,
  they,
  newTo,
  calledSo,
  latest,
  named,
  either,
  joined,
  eachState,
  fromTo,
  moved,
  chosen,
  sinceWhen,
];
export const NEGATION_RULES: readonly Rule[] = [turned, unknown, excluded, negated, used, champion, lapsed];

/** Rules that make filters from names beside values, bounds beside numbers, negations, and uses of events. */
import { COUNTS } from "../query/dimensions.ts";
import type { Filter } from "../query/model.ts";
import type { Placed } from "./fragments.ts";
import { AUXILIARIES } from "./lexicon.ts";
import { asksIn, between, filter, isA, isActive, isEvent, put, touch, type Rule } from "./pieces.ts";

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
const named: Rule = (pieces, at, words) => {
  const [a, b] = [pieces[at], pieces[at + 1]];
  if (a === undefined || b === undefined) return null;
  const [nameA, nameB] = [nameOf(a), nameOf(b)];
  if (isConditionOf(b, nameA) && between(words, a, b).every((word) => LINKS.has(word) && word !== "of"))
    return put(2, b);
  return isConditionOf(a, nameB) && touch(a, b) ? put(2, a) : null;
};

/** "Highest MRR first": the last word adds nothing. */
const firstOf: Rule = (pieces, at, words) => {
  const [a, b, c] = [pieces[at - 2], pieces[at - 1], pieces[at]];
  const isFirst = isA(c, "dimension") && c.to === c.from + 1 && words[c.from]?.folded === "first";
  return isFirst && touch(b, c) && (isA(a, "order") || isA(b, "order")) && !isEvent(pieces[at + 1]) ? put(1) : null;
};

const NOUN_OF: Readonly<Record<string, string>> = { account: "accounts", user: "users", event: "features" };

/** "the forecast feature", "account Pixelforge", "new forecast feature". */
const calledSo: Rule = (pieces, at) => {
  const [a, b] = [pieces[at], pieces[at + 1]];
  if (!touch(a, b)) return null;
  if (isA(a, "value") && isA(b, "find") && b.find === NOUN_OF[a.dimension] && b.where === undefined) return put(2, a);
  if (isA(a, "find") && isA(b, "value") && a.find === NOUN_OF[b.dimension] && a.where === undefined) return put(2, b);
  return isA(a, "new") && isEvent(b) ? put(2, b) : null;
};
const JOINTS = new Set("and or nor & the in on".split(" "));

const isTrial = (piece: Placed | undefined): boolean =>
  (isA(piece, "filter") && piece.filter.is === "trial") ||
  (isA(piece, "find") && piece.where?.some(({ is }) => is === "trial") === true);

/** "The trial … ends", "the contract of Lumen ends": chooses the date that "ends" means. */
const ends: Rule = (pieces, at) => {
  const a = pieces[at];
  if (!isA(a, "dimension") || a.dimension !== "end") return null;
  if (pieces.some(isTrial)) return put(1, { type: "dimension", dimension: "trial_ends" });
  const hasDate = pieces.some((piece) => piece !== a && isA(piece, "dimension"));
  return hasDate ? put(1) : null;
};

/** "emea or apac", "Northwind, Halcyon and Meridian", "risk or watch". */
const joined: Rule = (pieces, at, words) => {
  const a = pieces[at];
  const hasOr = isA(pieces[at + 1], "or");
  const b = pieces[at + (hasOr ? 2 : 1)];
  if (a === undefined || b === undefined) return null;
  const gap = between(words, a, b);
  const isList = gap.every((word) => JOINTS.has(word)) && (gap.length > 0 || words[b.from]?.isAfterStop === true);
  if (!isList) return null;
  const count = hasOr ? 3 : 2;
  if (isA(a, "value") && isA(b, "value") && a.dimension === b.dimension) {
    const all = a.dimension === "event" && !hasOr && (a.all === true || a.values.length === 1);
    return put(count, {
      type: "value",
      dimension: a.dimension,
      values: [...new Set([...a.values, ...b.values])],
      ...(all && { all }),
    });
  }
  const [first, second] = [valuesOf(a), valuesOf(b)];
  return first !== null &&
    second !== null &&
    dimensionOf(a) === dimensionOf(b) &&
    ["health", "severity", "stage", "item_kind", "status"].includes(dimensionOf(a) ?? "")
    ? put(count, filter({ dimension: dimensionOf(a) ?? "", in: [...first, ...second] }))
    : null;
};

function valuesOf(piece: Placed): readonly string[] | null {
  if (!isA(piece, "filter")) return null;
  const { is, in: several } = piece.filter;
  return typeof is === "string" ? [is] : several !== undefined ? several.map(String) : null;
}

const BE = new Set("is are was were".split(" "));

/** "Hasn't Lumen exported": the subject stands between the negation and what it negates. */
const turned: Rule = (pieces, at, words) => {
  const [a, b, c] = pieces.slice(at, at + 3);
  if (!isA(a, "negation") || !isA(b, "value") || (b.dimension !== "account" && b.dimension !== "user")) return null;
  const verb = words[a.from - 1]?.folded ?? "";
  const isTurned = a.from <= 2 ? BE.has(verb) || AUXILIARIES.has(verb) : AUXILIARIES.has(verb) && !BE.has(verb);
  return isTurned && c !== undefined ? put(2, b, { type: "negation" }) : null;
};

/** "not healthy", "without an MRR", "never exported", "no events", "not on Enterprise or Business". */
const negated: Rule = (pieces, at, words) => {
  const a = pieces[at];
  const isUnused = isA(a, "use") && a.use === "never";
  if (!isA(a, "negation") && !isUnused) return null;
  const hasUse = isA(pieces[at + 1], "use");
  const use = pieces[at + 1];
  if (isA(use, "use") && use.use !== "uses") return null;
  const isPointed = isA(pieces[at + 1], "pointer");
  const b = pieces[at + (hasUse || isPointed ? 2 : 1)];
  const count = hasUse || isPointed ? 3 : 2;
  const window: Pick<Filter, "window"> = isUnused ? { window: { all: true } } : {};
  if (isA(b, "value") && (b.dimension === "event" || !isUnused))
    return put(count, ...b.values.map((value) => filter({ dimension: b.dimension, isNot: value, ...window })));
  // "Accounts without open notices".
  const isOpen = isA(b, "filter") && b.filter.dimension === "status" && b.filter.is === "open";
  const item = isOpen ? pieces[at + 2] : b;
  const [noun, ...events] = pieces.filter((piece) => isA(piece, "find") || isEvent(piece));
  if (
    !hasUse &&
    !isUnused &&
    isA(item, "find") &&
    item.find === "items" &&
    isA(noun, "find") &&
    events.every((each) => each === item)
  )
    return put(isOpen ? 3 : 2, filter({ dimension: "item_kind", isUnknown: true }));
  if (isA(b, "filter") && !hasUse) {
    const own = b.filter.dimension === "active" ? window : {};
    const opposite = oppositeOf(b.filter);
    return opposite && put(count, ...opposite.map((each) => filter({ ...each, ...own })));
  }
  // "Customers with none in the last 30 days", "active in October but not in November".
  const [state, before] = [pieces[at - 2], pieces[at - 1]];
  const isTurned = isActive(state);
  const isNone = words[a.from]?.folded === "none" && isA(before, "find");
  if (isA(b, "window") && (isNone || (isTurned && isA(before, "window"))))
    return put(1, filter({ dimension: "active", is: false }));
  // "Features that nobody uses".
  const isOfFeatures = pieces.some((piece) => isA(piece, "find") && piece.find === "features");
  if (isA(use, "use") && use.use === "uses" && isOfFeatures && !pieces.some(isEvent))
    return put(2, filter({ dimension: "active", is: false, ...window }));
  // "Accounts except trials".
  const [condition, ...others] = (isA(b, "find") ? b.where : undefined) ?? [];
  if (
    isA(b, "find") &&
    condition?.is !== undefined &&
    others.length === 0 &&
    pieces.slice(0, at).some((piece) => isA(piece, "find"))
  ) {
    const opposite = oppositeOf(condition);
    return opposite && put(count, ...opposite.map(filter));
  }
  if (isA(b, "measure") && b.measure === "events")
    return put(count, filter({ dimension: "active", is: false, ...window }));
  const name = nameOf(b);
  if (name !== null && !hasUse && !isUnused)
    return put(count, filter({ dimension: name, ...(COUNTS.has(name) ? { is: 0, ...window } : { isUnknown: true }) }));
  return null;
};

function oppositeOf({ is, in: several, isUnknown, ...rest }: Filter): Filter[] | null {
  if (typeof is === "boolean") return [{ ...rest, is: !is }];
  if (is !== undefined) return [{ ...rest, isNot: is }];
  if (several !== undefined) return several.map((value) => ({ ...rest, isNot: value }));
  return isUnknown === undefined ? null : [{ ...rest, isUnknown: !isUnknown }];
}

/** "MRR unknown", "missing contract end date", "without a plan". */
const unknown: Rule = (pieces, at) => {
  const [a, b] = [pieces[at], pieces[at + 1]];
  const [mark, name] = isA(a, "unknown") ? [a, nameOf(b)] : [b, nameOf(a)];
  // Of health, either the score or the state could be unknown.
  if (isA(mark, "unknown") && name !== null && name !== "score")
    return put(2, filter({ dimension: name, isUnknown: mark.unknown }));
  if (isA(a, "negation") && isA(b, "unknown")) return put(2, { type: "unknown", unknown: !b.unknown });
  // "Without a single export": what is missing isn't a dimension.
  return isA(a, "unknown") && a.unknown && (isA(b, "value") || isA(b, "filter")) ? put(1, { type: "negation" }) : null;
};

/** "became healthy", "upgraded to Business"; "went from healthy to watch": healthy is the state before the window. */
const moved: Rule = (pieces, at) => {
  const [a, b, c] = pieces.slice(at, at + 3);
  if (!isA(a, "moved") || b === undefined) return null;
  const dimension = dimensionOf(b) ?? "";
  if (!HISTORIC.has(dimension)) return null;
  const old = a.isFrom === true ? onlyOf(b) : null;
  const next = onlyOf(a.isFrom === true ? c : b);
  if (next === null || (a.isFrom === true && (old === null || dimensionOf(c) !== dimension))) return null;
  const became = filter({ dimension, became: next });
  return old === null ? put(2, became) : put(3, became, filter({ dimension, is: old, asOf: BEFORE_WINDOW }));
};

const HISTORIC = new Set(["health", "stage", "plan"]);

/** The only value of a condition. */
function onlyOf(piece: Placed | undefined): string | null {
  const values = isA(piece, "value") ? piece.values : piece === undefined ? null : valuesOf(piece);
  return values?.length === 1 ? (values[0] ?? null) : null;
}

/** "used exports", "stopped using dashboards". */
const used: Rule = (pieces, at) => {
  const [a, b] = [pieces[at], pieces[at + 1]];
  if (!isA(a, "use")) return null;
  // "When did they start their trial".
  if (a.use === "started" && (isTrial(b) || isTrial(pieces[at - 1])))
    return put(isTrial(b) ? 2 : 1, filter({ dimension: "stage", became: "trial" }));
  if (isA(b, "use") && a.use === "uses") return put(2, b);
  const state = onlyOf(b);
  const dimension = b === undefined ? null : dimensionOf(b);
  if (a.use === "stopped" && dimension !== null && HISTORIC.has(dimension) && state !== null)
    return put(2, filter({ dimension, isNot: state }), filter({ dimension, is: state, asOf: BEFORE_WINDOW }));
  if (!isEvent(b)) return null;
  if (a.use === "uses" || a.use === "arose") return put(2, b);
  return a.use === "started" && asksIn(pieces, "when")
    ? put(2, { type: "dimension", dimension: "first_seen" }, b)
    : null;
};

/** The rules of bounds.ts run between these two lists, because a negation may stand before a bound. */
export const NAME_RULES: readonly Rule[] = [ends, firstOf, moved, calledSo, named, joined, joined];
export const NEGATION_RULES: readonly Rule[] = [turned, unknown, negated, used, negated];

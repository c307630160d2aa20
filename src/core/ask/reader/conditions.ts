/** Rules that make filters: of names beside values, bounds beside numbers, negations, and what is used or not. */
import type { Filter } from "../query/model.ts";
import type { Fragment, Placed } from "./fragments.ts";
import { between, isA, type Rule, touch } from "./rewrite.ts";

/** Stands for the day before the window, until that is known. */
export const BEFORE_WINDOW = "before";

const filter = (own: Filter): Fragment => ({ type: "filter", filter: own });

/** The name of a measure or a dimension in a filter. */
export function nameOf(piece: Placed | undefined): string | null {
  if (isA(piece, "measure")) return piece.measure === "arr" ? null : piece.measure;
  return isA(piece, "dimension") ? piece.dimension : null;
}

/** The dimension that a piece is a condition of. */
function dimensionOf(piece: Placed | undefined): string | null {
  if (isA(piece, "value")) return piece.dimension;
  return isA(piece, "filter") ? piece.filter.dimension : null;
}

const LINKS = new Set("is are as the of in on at called named a an to being".split(" "));
const FAMILY: Readonly<Record<string, string>> = { score: "health" };

const isConditionOf = (piece: Placed, name: string | null): boolean =>
  name !== null && dimensionOf(piece) === (FAMILY[name] ?? name);

/** "plan Business", "emea region", "healthy score": the dimension says nothing more. */
const named: Rule = (pieces, at, words) => {
  const [a, b] = [pieces[at], pieces[at + 1]];
  if (a === undefined || b === undefined) return null;
  const [nameA, nameB] = [nameOf(a), nameOf(b)];
  if (isConditionOf(b, nameA) && between(words, a, b).every((word) => LINKS.has(word) && word !== "of"))
    return { count: 2, put: [b] };
  return isConditionOf(a, nameB) && touch(a, b) ? { count: 2, put: [a] } : null;
};

const NOUN_OF: Readonly<Record<string, string>> = { account: "accounts", user: "users", event: "features" };

/** "the forecast feature", "account Pixelforge", "new forecast feature". */
const calledSo: Rule = (pieces, at) => {
  const [a, b] = [pieces[at], pieces[at + 1]];
  if (!touch(a, b)) return null;
  if (isA(a, "value") && isA(b, "find") && b.find === NOUN_OF[a.dimension] && b.where === undefined)
    return { count: 2, put: [a] };
  if (isA(a, "find") && isA(b, "value") && a.find === NOUN_OF[b.dimension] && a.where === undefined)
    return { count: 2, put: [b] };
  return isA(a, "new") && isA(b, "value") && b.dimension === "event" ? { count: 2, put: [b] } : null;
};
const JOINTS = new Set("and or & the in on".split(" "));

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
    return {
      count,
      put: [
        {
          type: "value",
          dimension: a.dimension,
          values: [...new Set([...a.values, ...b.values])],
          ...(all && { all }),
        },
      ],
    };
  }
  const [first, second] = [valuesOf(a), valuesOf(b)];
  return first !== null &&
    second !== null &&
    dimensionOf(a) === dimensionOf(b) &&
    ["health", "severity", "stage", "item_kind", "status"].includes(dimensionOf(a) ?? "")
    ? { count, put: [filter({ dimension: dimensionOf(a) ?? "", in: [...first, ...second] })] }
    : null;
};

function valuesOf(piece: Placed): readonly string[] | null {
  if (!isA(piece, "filter")) return null;
  const { is, in: several } = piece.filter;
  return typeof is === "string" ? [is] : several !== undefined ? several.map(String) : null;
}

/** "not healthy", "without an MRR", "never exported", "no events", "not on Enterprise or Business". */
const negated: Rule = (pieces, at) => {
  const a = pieces[at];
  const isUnused = isA(a, "use") && a.use === "never";
  if (!isA(a, "negation") && !isUnused) return null;
  const hasUse = isA(pieces[at + 1], "use");
  const use = pieces[at + 1];
  if (isA(use, "use") && use.use !== "uses") return null;
  const b = pieces[at + (hasUse ? 2 : 1)];
  const count = hasUse ? 3 : 2;
  const window: Pick<Filter, "window"> = isUnused ? { window: { all: true } } : {};
  if (isA(b, "value") && (b.dimension === "event" || !isUnused))
    return { count, put: b.values.map((value) => filter({ dimension: b.dimension, isNot: value, ...window })) };
  if (isA(b, "filter") && !hasUse) {
    const put = oppositeOf(b.filter);
    return put === null
      ? null
      : { count, put: put.map((each) => filter({ ...each, ...(each.dimension === "active" && window) })) };
  }
  // "Features that nobody uses".
  const isOfFeatures = pieces.some((piece) => isA(piece, "find") && piece.find === "features");
  if (
    isA(use, "use") &&
    use.use === "uses" &&
    isOfFeatures &&
    !pieces.some((piece) => isA(piece, "value") && piece.dimension === "event")
  )
    return { count: 2, put: [filter({ dimension: "active", is: false, ...window })] };
  // "Accounts except trials".
  const [condition, ...others] = (isA(b, "find") ? b.where : undefined) ?? [];
  if (
    isA(b, "find") &&
    condition?.is !== undefined &&
    others.length === 0 &&
    pieces.slice(0, at).some((piece) => isA(piece, "find"))
  ) {
    const put = oppositeOf(condition);
    return put === null ? null : { count, put: put.map(filter) };
  }
  if (isA(b, "measure") && b.measure === "events")
    return { count, put: [filter({ dimension: "active", is: false, ...window })] };
  const name = nameOf(b);
  if (name !== null && !hasUse && !isUnused) return { count, put: [filter({ dimension: name, isUnknown: true })] };
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
  for (const [mark, other] of [
    [a, b],
    [b, a],
  ]) {
    const name = nameOf(other);
    if (isA(mark, "unknown") && name !== null)
      return { count: 2, put: [filter({ dimension: name, isUnknown: mark.unknown })] };
  }
  if (isA(a, "negation") && isA(b, "unknown")) return { count: 2, put: [{ type: "unknown", unknown: !b.unknown }] };
  // "Without a single export": what is missing isn't a dimension.
  return isA(a, "unknown") && a.unknown && (isA(b, "value") || isA(b, "filter"))
    ? { count: 1, put: [{ type: "negation" }] }
    : null;
};

/** "went from healthy to watch": it was the one before the window, and became the other in it. */
const moved: Rule = (pieces, at) => {
  const [a, b, c] = pieces.slice(at, at + 3);
  if (!isA(a, "moved") || b === undefined || c === undefined || dimensionOf(b) !== dimensionOf(c)) return null;
  const [before, after] = [b, c].map((piece) => (isA(piece, "value") ? piece.values : (valuesOf(piece) ?? [])));
  const dimension = dimensionOf(b);
  if (dimension === null || before?.length !== 1 || after?.length !== 1) return null;
  return {
    count: 3,
    put: [filter({ dimension, became: after[0] }), filter({ dimension, is: before[0], asOf: BEFORE_WINDOW })],
  };
};

/** "used exports", "stopped using dashboards". */
const used: Rule = (pieces, at) => {
  const [a, b] = [pieces[at], pieces[at + 1]];
  if (!isA(a, "use")) return null;
  const isEvent = isA(b, "value") && b.dimension === "event";
  if (isA(b, "use") && a.use === "uses") return { count: 2, put: [b] };
  if (!isEvent) return null;
  switch (a.use) {
    case "uses":
      return { count: 2, put: [b] };
    case "never":
      return null;
    case "stopped":
      return {
        count: 2,
        put: b.values.flatMap((value) => [
          filter({ dimension: "event", is: value, window: { all: true } }),
          filter({ dimension: "event", isNot: value }),
        ]),
      };
    case "started":
      return null;
  }
};

/** Those of bounds.ts come between: a negation may stand before what they make. */
export const NAME_RULES: readonly Rule[] = [moved, calledSo, named, joined, joined];
export const NEGATION_RULES: readonly Rule[] = [unknown, negated, used, negated];

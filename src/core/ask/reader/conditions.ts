/** Rules that make filters: of names beside values, bounds beside numbers, negations, and what is used or not. */
import type { Filter } from "../query/model.ts";
import type { Fragment, Of, Placed } from "./fragments.ts";
import { between, isA, type Rule, touch } from "./rewrite.ts";

const filter = (own: Filter): Fragment => ({ type: "filter", filter: own });

/** What a measure or a dimension is called in a filter. */
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

const money: Rule = (pieces, at) => {
  const [a, b] = [pieces[at], pieces[at + 1]];
  const isMoney = (isA(a, "number") && a.currency !== undefined) || (isA(a, "measure") && a.measure === "mrr");
  if (isMoney && isA(b, "per") && b.per === "month" && touch(a, b)) return { count: 2, put: [a] };
  return isA(a, "number") && isA(b, "value") && b.dimension === "currency" && touch(a, b) && a.unit === undefined
    ? { count: 2, put: [{ ...a, currency: b.values[0] ?? "" }] }
    : null;
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

const isUse = (piece: Placed | undefined): boolean =>
  (isA(piece, "measure") && piece.measure === "active_users") || (isA(piece, "use") && piece.use === "uses");
const isSeats = (piece: Placed | undefined): boolean => isA(piece, "measure") && piece.measure === "seats";

/** "more active people than seats", "more seats than they use", "seats vs active users". */
const seatsCompared: Rule = (pieces, at) => {
  const [a, b, c, d] = pieces.slice(at, at + 4);
  if (isA(a, "order") && a.by === undefined && isA(c, "compare")) {
    const isMore = a.direction === "down";
    if (isA(d, "pointer")) {
      const isUsed = isSeats(b) && isUse(pieces[at + 4]);
      return isUsed ? { count: 5, put: [filter({ dimension: "seat_use", [isMore ? "under" : "over"]: 100 })] } : null;
    }
    if (isUse(b) && isSeats(d))
      return { count: 4, put: [filter({ dimension: "seat_use", [isMore ? "over" : "under"]: 100 })] };
    if (isSeats(b) && isUse(d))
      return { count: 4, put: [filter({ dimension: "seat_use", [isMore ? "under" : "over"]: 100 })] };
  }
  if (isA(b, "compare") && ((isSeats(a) && isUse(c)) || (isUse(a) && isSeats(c))))
    return { count: 3, put: [{ type: "measure", measure: "seat_use" }] };
  return isA(a, "measure") && isA(b, "compare") && isA(c, "measure") && a.measure !== c.measure
    ? { count: 3, put: [a, c] }
    : null;
};

/** "who is more active": has more events. */
const moreActive: Rule = (pieces, at) => {
  const [a, b, c] = pieces.slice(at, at + 3);
  return isA(a, "order") &&
    a.by === undefined &&
    isA(b, "filter") &&
    b.filter.dimension === "active" &&
    b.filter.is === true &&
    !isA(c, "find")
    ? { count: 2, put: [{ ...a, by: "events" }] }
    : null;
};

/** "lower than it was 30 days ago": the day is compared with, not bounded by. */
const lowerThanThen: Rule = (pieces, at) => {
  const [a, b, c] = pieces.slice(at, at + 3);
  const window = isA(b, "pointer") || isA(b, "before") ? c : b;
  if (!isA(a, "bound") || (a.condition !== "over" && a.condition !== "under") || !isA(window, "window")) return null;
  if (!("from" in window.window) || window.window.from !== window.window.to) return null;
  return {
    count: window === c ? 3 : 2,
    put: [{ type: "order", direction: a.condition === "over" ? "down" : "up" }, { type: "before" }, window],
  };
};

/** "ever at risk", "was ever a trial": at some time in all that is known. */
const ever: Rule = (pieces, at) => {
  const [a, b] = [pieces[at], pieces[at + 1]];
  if (!isA(a, "window") || !("all" in a.window) || !isA(b, "filter")) return null;
  const { dimension, is } = b.filter;
  return typeof is === "string" && (dimension === "health" || dimension === "stage")
    ? { count: 2, put: [filter({ dimension, became: is, window: { all: true } })] }
    : null;
};

/** "MRR between 1,000 and 2,000". */
const within: Rule = (pieces, at, words) => {
  const [a, b, c] = pieces.slice(at, at + 3);
  const name = nameOf(a);
  if (name === null || isA(a, "dimension") || !isA(b, "number") || !isA(c, "number")) return null;
  if (words[b.from - 1]?.folded !== "between" || words[c.from - 1]?.folded !== "and") return null;
  return { count: 3, put: [filter({ dimension: name, from: b.value }), filter({ dimension: name, to: c.value })] };
};

/** "more than 3 active users", "MRR above 5,000", "5 or more", "over $5k", "below 40% utilisation", "more than ten exports". */
const bounded: Rule = (pieces, at) => {
  for (const [count, places] of BOUNDED) {
    const taken = pieces.slice(at, at + count);
    const bound = taken[places.bound];
    const number = taken[places.number];
    const counted = places.counted === null ? undefined : taken[places.counted];
    if (!isA(bound, "bound")) continue;
    if (isA(number, "window")) {
      const days = "last" in number.window ? number.window : null;
      if (days === null || counted !== undefined) continue;
      const before = pieces[at - 1];
      if (isA(before, "filter") && before.filter.dimension === "active") return { count, put: [number] };
      continue;
    }
    if (isA(number, "number") && number.unit !== undefined && number.unit !== "percent" && counted === undefined) {
      const before = pieces[at - 1];
      if (isA(before, "filter") && before.filter.dimension === "active")
        return { count, put: [{ type: "window", window: { last: number.value, unit: number.unit } }] };
    }
    if (!isA(number, "number") || (number.unit !== undefined && number.unit !== "percent")) continue;
    const put = boundOf(bound, number, counted);
    if (put !== null && (places.counted !== null || number.currency !== undefined)) return { count, put };
  }
  return null;
};

const BOUNDED: readonly (readonly [
  count: number,
  places: { bound: number; number: number; counted: number | null },
])[] = [
  [3, { bound: 0, number: 1, counted: 2 }],
  [3, { bound: 1, number: 0, counted: 2 }],
  [3, { bound: 1, number: 2, counted: 0 }],
  [3, { bound: 2, number: 1, counted: 0 }],
  [2, { bound: 0, number: 1, counted: null }],
  [2, { bound: 1, number: 0, counted: null }],
];

function boundOf(
  { condition }: Of<"bound">,
  { value, unit, currency }: Of<"number">,
  counted: Placed | undefined,
): Fragment[] | null {
  if (currency !== undefined) {
    const isMoney = counted === undefined || nameOf(counted) === "mrr";
    return isMoney
      ? [filter({ dimension: "mrr", [condition]: value }), { type: "value", dimension: "currency", values: [currency] }]
      : null;
  }
  if (isA(counted, "value") && counted.dimension === "event" && unit === undefined)
    return [filter({ dimension: "events", [condition]: value }), counted];
  const name = nameOf(counted);
  if (name === null) return null;
  if (unit === "percent")
    return name === "seats" || name === "seat_use"
      ? [filter({ dimension: "seat_use", [condition]: value })]
      : name === "adoption"
        ? [filter({ dimension: "adoption", [condition]: value })]
        : null;
  return isA(counted, "dimension") ? null : [filter({ dimension: name, [condition]: value })];
}

/** "Do engineers export more than analysts": there is no number to be more than. */
const unbounded: Rule = (pieces, at) => {
  const a = pieces[at];
  if (!isA(a, "bound") || (a.condition !== "over" && a.condition !== "under")) return null;
  return isA(pieces[at + 1], "value") || isA(pieces[at + 1], "find")
    ? { count: 1, put: [{ type: "order", direction: a.condition === "over" ? "down" : "up" }, { type: "compare" }] }
    : null;
};

/** "not healthy", "without an MRR", "never exported", "no events", "not on Enterprise or Business". */
const negated: Rule = (pieces, at) => {
  const a = pieces[at];
  const isUnused = isA(a, "use") && a.use === "never";
  if (!isA(a, "negation") && !isUnused) return null;
  const hasUse = isA(pieces[at + 1], "use") || (isUnused && isA(pieces[at + 1], "negation"));
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
  if (name !== null && !hasUse && !isUnused)
    return {
      count,
      put: [
        filter({
          dimension: name === "score" ? "health" : name,
          ...(name === "score" ? { is: "insufficient_data" } : { isUnknown: true }),
        }),
      ],
    };
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

export const CONDITION_RULES: readonly Rule[] = [
  calledSo,
  money,
  named,
  joined,
  joined,
  moreActive,
  lowerThanThen,
  seatsCompared,
  ever,
  within,
  bounded,
  unbounded,
  unknown,
  negated,
  used,
  negated,
];

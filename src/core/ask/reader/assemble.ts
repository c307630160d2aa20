/**
 * Combines the fragments of a question into a query. Each step takes the fragments that belong together; a fragment that
 * no step takes is a word that the query would skip, so there is no query.
 */
import { checkQuery } from "../query/check.ts";
import type { Filter, Find, Measure, Query } from "../query/model.ts";
import { CONDITION_RULES, nameOf } from "./conditions.ts";
import type { Draft, Of, Placed } from "./fragments.ts";
import {
  type FrameContext,
  namesIn,
  takeAskedGroup,
  takeComparisons,
  takeGroups,
  takeOrders,
  takeWindows,
  typeOf,
} from "./frame.ts";
import { Pieces } from "./pieces.ts";
import { isA, rewrite } from "./rewrite.ts";
import type { Word } from "./words.ts";

/** @returns `null` where the fragments don't come to one query */
export function assemble(fragments: readonly Placed[], words: readonly Word[], context: FrameContext): Query | null {
  const pieces = new Pieces(rewrite(fragments, CONDITION_RULES, words));
  if (pieces.has("reason") || pieces.has("pointer") || pieces.has("negation") || pieces.has("bound")) return null;
  const draft: Draft = { where: [] };
  const question = shapeOf(pieces);
  takeGroups(pieces, draft, context);
  takeAskedGroup(pieces, draft, context);
  takeOrders(pieces, draft);
  takeComparisons(pieces, draft);
  takeUses(pieces, draft);
  takeNew(pieces, draft, question);
  takeWindows(pieces, draft, context);
  takeFilters(pieces, draft);
  const find = findIn(pieces, draft, question);
  if (find === null) return null;
  draft.find = find;
  takeShow(pieces, draft, question, context);
  if (pieces.left.length > 0) return null;
  return finished(draft, context);
}

/** What a question looks like before any piece is taken. */
interface Shape {
  nouns: readonly Find[];
  hasWho: boolean;
  /** What "how many" counts. */
  counted: Placed | undefined;
  hasCount: boolean;
  isListed: boolean;
  hasEvent: boolean;
  account: boolean;
  user: boolean;
}

function shapeOf(pieces: Pieces): Shape {
  const count = pieces.all("form").find(({ show }) => show === "count");
  const values = pieces.all("value");
  const filters = pieces.all("filter");
  return {
    nouns: pieces.all("find").map(({ find }) => find),
    hasWho: pieces.all("form").some(({ who }) => who === true),
    counted: count === undefined ? undefined : skipped(pieces, count),
    hasCount: count !== undefined,
    isListed: pieces.all("form").some(({ show, who }) => show === "list" && who === undefined),
    hasEvent:
      values.some(({ dimension }) => dimension === "event") ||
      filters.some(({ filter }) => filter.dimension === "event"),
    account: values.some(({ dimension }) => dimension === "account"),
    user: values.some(({ dimension }) => dimension === "user"),
  };
}

/** The noun after "how many": conditions may stand between. */
function skipped(pieces: Pieces, count: Placed): Placed | undefined {
  let next = pieces.after(count);
  while (
    next !== undefined &&
    ((isA(next, "value") && next.dimension !== "event") || isA(next, "filter") || isA(next, "new"))
  )
    next = pieces.after(next);
  return next;
}

/** "used", without an event beside it. */
function takeUses(pieces: Pieces, draft: Draft): void {
  for (const use of pieces.all("use")) {
    const hasEvent = pieces.all("value").some(({ dimension }) => dimension === "event");
    const hasFeatures = pieces.all("find").some(({ find }) => find === "features");
    const hasEventFilter = pieces.all("filter").some(({ filter }) => filter.dimension === "event");
    if (use.use === "uses" && (hasEvent || hasFeatures || hasEventFilter)) pieces.take(use);
    else if (use.use === "never" && hasFeatures && !hasEvent) {
      draft.where.push({ dimension: "active", is: false, window: { all: true } });
      pieces.take(use);
    } else if (use.use === "stopped") {
      const values = pieces.all("value").filter(({ dimension }) => dimension === "event");
      const [event] = values;
      if (values.length > 1) continue;
      if (event === undefined)
        draft.where.push({ dimension: "active", is: true, window: { all: true } }, { dimension: "active", is: false });
      else
        for (const value of event.values)
          draft.where.push(
            { dimension: "event", is: value, window: { all: true } },
            { dimension: "event", isNot: value },
          );
      pieces.take(use, event);
    }
  }
}

/** "new users", "new notices since Friday". */
function takeNew(pieces: Pieces, draft: Draft, { nouns }: Shape): void {
  const [mark] = pieces.all("new");
  if (mark === undefined) return;
  const dimension = nouns.includes("items")
    ? "opened"
    : nouns.includes("users") || nouns.includes("accounts") || nouns.includes("features")
      ? "first_seen"
      : null;
  const [window] = pieces.all("window");
  if (dimension === null) return;
  draft.where.push({ dimension, within: window?.window ?? { last: 28, unit: "day" } });
  pieces.take(mark, window);
}

function takeFilters(pieces: Pieces, draft: Draft): void {
  for (const { filter } of pieces.all("filter")) draft.where.push(filter);
  pieces.take(...pieces.all("filter"));
  for (const value of pieces.all("value")) {
    if (
      value.dimension !== "event" &&
      draft.where.some((filter) => filter.dimension === value.dimension && (filter.is ?? filter.in) !== undefined)
    )
      continue;
    const [first = ""] = value.values;
    if (value.all === true)
      draft.where.push(...value.values.map((each): Filter => ({ dimension: value.dimension, is: each })));
    else
      draft.where.push(
        value.values.length === 1
          ? { dimension: value.dimension, is: first }
          : { dimension: value.dimension, in: [...value.values] },
      );
    pieces.take(value);
  }
  pieces.take(...pieces.all("or"));
}

const has = ({ where }: Draft, pattern: RegExp): boolean => where.some(({ dimension }) => pattern.test(dimension));
const OF_ITEMS = /^(?:status|opened|resolved|dismissed|snoozed_until)$/;
const OF_ACCOUNTS =
  /^(?:stage|health|score|plan|seats|mrr|currency|trial_ends|seat_use|kind|account\..*|item_kind|severity|active_users)$/;

/** What is looked for: the first noun, or what its conditions belong to. */
function findIn(pieces: Pieces, draft: Draft, shape: Shape): Find | null {
  const { nouns, counted, hasWho, hasEvent, account, user } = shape;
  const names = namesIn(pieces);
  const isActivity = names.length > 0 && names.every((name) => EVENT_MEASURES.has(name));
  const [noun] = nouns;
  const isCountOfEvents =
    counted !== undefined &&
    ((isA(counted, "value") && counted.dimension === "event") ||
      (isA(counted, "measure") && EVENT_MEASURES.has(counted.measure)));
  const isPeriod = draft.per === "day" || draft.per === "week" || draft.per === "month";
  let find: Find | null = null;
  if (isPeriod || (isCountOfEvents && !(isA(counted, "measure") && counted.measure === "active_days"))) find = "events";
  else if (noun === "items" || (nouns.includes("items") && noun !== "accounts")) find = "items";
  else if (noun === "accounts" && nouns.includes("items"))
    find = has(draft, /^(?:item_kind|severity)$/) ? "accounts" : nouns.length > 1 && has(draft, OF_ITEMS) ? null : null;
  else if (noun === "accounts" && user && names.length === 0 && draft.order === undefined && !hasEvent) {
    draft.measure = "account";
    find = "users";
  } else if (draft.per === "account" || draft.per === "user" || draft.per === "event") {
    const isAverage = pieces.has("aggregate") && noun === undefined;
    const own = draft.per === "account" ? "accounts" : draft.per === "user" ? "users" : "features";
    if (isAverage || (names.length > 0 && !isActivity)) {
      delete draft.per;
      find = own;
    } else find = noun ?? "events";
  } else if (noun === "accounts" && nouns.includes("users"))
    find =
      has(draft, /^(?:active|event)$/) && !draft.where.some(({ is, isNot }) => is === false || isNot !== undefined)
        ? "accounts"
        : null;
  else if (noun !== undefined) find = noun;
  else find = unnamed(pieces, draft, shape, isActivity, names);
  if (find === null) return null;
  for (const each of pieces.all("find")) {
    draft.where.push(
      ...(each.where ?? []).filter((filter) => !draft.where.some(({ dimension }) => dimension === filter.dimension)),
    );
    pieces.take(each);
  }
  if (hasWho && find === "accounts" && account && noun === undefined && names.length === 0 && hasEvent) return "users";
  return find;
}

const EVENT_MEASURES = new Set(["events", "active_users", "active_accounts", "active_days"]);

/** What is looked for where no noun says so. */
function unnamed(
  pieces: Pieces,
  draft: Draft,
  { hasWho, hasEvent, account, user }: Shape,
  isActivity: boolean,
  names: readonly string[],
): Find | null {
  const isRanked = draft.order !== undefined && draft.order.by !== "change";
  const accounts = draft.where.find(({ dimension }) => dimension === "account");
  if (
    names.some((name) => ["item_kind", "severity", "snoozed_until"].includes(name)) ||
    draft.per === "item_kind" ||
    draft.per === "severity"
  )
    return "items";
  if (has(draft, OF_ITEMS)) return "items";
  if (names.includes("adoption")) return "features";
  if (has(draft, /^user\./) && !(isActivity && draft.per !== undefined))
    return draft.per !== undefined && hasEvent ? "events" : "users";
  if (draft.per !== undefined && (hasEvent || isActivity)) return "events";
  if (user)
    return names.some(
      (name) => ["last_seen", "first_seen", "features_used", "active_days"].includes(name) || name.startsWith("user."),
    )
      ? "users"
      : isActivity || hasEvent
        ? "events"
        : "users";
  if (accounts?.in !== undefined) return "accounts";
  if (hasWho && (hasEvent || isActivity || draft.order?.by === "events" || (account && has(draft, /^active$/))))
    return "users";
  if (account) {
    if (names.some((name) => !EVENT_MEASURES.has(name)) || names.length > 1 || names.includes("active_days"))
      return names.includes("last_seen") && hasEvent ? "features" : "accounts";
    if (hasEvent && pieces.all("form").some(({ show }) => show === "yes_no")) return "accounts";
    return isActivity || (hasEvent && !has(draft, /^(?:active|health|stage)$/))
      ? isRanked
        ? "users"
        : "events"
      : "accounts";
  }
  if (hasEvent && names.some((name) => name === "last_seen" || name === "first_seen")) return "features";
  if (isActivity) return names.includes("active_days") ? null : "events";
  if (hasEvent)
    return hasWho
      ? "users"
      : pieces.all("form").some(({ show }) => show === "list" || show === "summary")
        ? null
        : "events";
  if (has(draft, OF_ACCOUNTS) || names.some((name) => OF_ACCOUNTS.test(name) || name === "arr")) return "accounts";
  return hasWho && has(draft, /^active$/) ? "accounts" : null;
}

/** What is shown of those who are found. */
function takeShow(pieces: Pieces, draft: Draft, shape: Shape, context: FrameContext): void {
  const find = draft.find ?? "accounts";
  if (find === "accounts" && has(draft, /^(?:item_kind|severity)$/))
    draft.where = draft.where.filter(({ dimension, is }) => dimension !== "status" || is !== "open");
  if (find === "items") datesOfItems(draft);
  const forms = pieces.all("form");
  const asks = (show: string) => forms.some((form) => form.show === show);
  const aggregates = pieces.all("aggregate");
  const [aggregate] = aggregates;
  const isShare = pieces.has("share");
  const measures = pieces.left.flatMap((piece) => (isA(piece, "measure") || isA(piece, "dimension") ? [piece] : []));
  const names = [
    ...new Set(measures.map(({ type, ...piece }) => ("measure" in piece ? piece.measure : piece.dimension))),
  ];
  const firstMeasure = measures[0];
  const isMeasureFirst = firstMeasure !== undefined && (shape.nouns.length === 0 || !shape.isListed);
  rank(draft, names, find);
  if (draft.measure === undefined) {
    const [first, ...rest] = names;
    if (first !== undefined) draft.measure = first;
    if (rest.length > 0) draft.with = rest;
  } else {
    const rest = names.filter((name) => name !== draft.measure);
    if (rest.length > 0) draft.with = rest;
  }
  const subject = draft.where.some(
    ({ dimension, is, in: several }) =>
      dimension === (find === "users" ? "user" : "account") && (is ?? several) !== undefined,
  );
  if (find === "events") {
    draft.show =
      asks("yes_no") &&
      draft.compare === undefined &&
      draft.per === undefined &&
      !asks("count") &&
      draft.measure === undefined
        ? "yes_no"
        : "value";
    if (asks("yes_no") && draft.compare !== undefined && draft.order?.by === "change") {
      draft.show = "yes_no";
    }
    draft.measure ??= "events";
    if (draft.order?.by === "change" && draft.order.direction === "down") delete draft.order;
  } else if (asks("why")) draft.show = "why";
  else if (isShare) {
    draft.show = "share";
    const [ofThem] = pieces.all("share");
    void ofThem;
    const of = draft.where.filter(
      ({ dimension, is }) =>
        (dimension === "stage" && is === "active") ||
        dimension === "plan" ||
        dimension.startsWith("account.") ||
        dimension.startsWith("user."),
    );
    const part = draft.where.filter((filter) => !of.includes(filter));
    if (part.length > 0) {
      draft.where = part;
      if (of.length > 0) draft.of = of;
    }
  } else if (
    asks("when") &&
    (draft.measure === undefined
      ? draft.where.some(({ became, changed }) => (became ?? changed) !== undefined)
      : typeOf(draft.measure, context) === "date")
  ) {
    draft.show = "when";
    if (draft.measure === undefined && draft.window === undefined) draft.window = { all: true };
  } else if (asks("when")) return;
  else if (draft.per !== undefined) draft.show = draft.measure === undefined ? "count" : "value";
  else if (draft.compare !== undefined) {
    draft.measure ??= "events";
    draft.show = subject ? (asks("yes_no") && draft.order !== undefined ? "yes_no" : "value") : "list";
    if (subject && draft.order?.by === "change" && draft.order.direction === "down") delete draft.order;
  } else if (aggregate !== undefined && draft.measure !== undefined && draft.order === undefined) draft.show = "value";
  else if (asks("count") && draft.order === undefined && (draft.measure === undefined || find === "items"))
    draft.show = "count";
  else if (asks("count") && draft.measure !== undefined) draft.show = "value";
  else if (draft.measure !== undefined || draft.order !== undefined) {
    const isNumber =
      draft.measure !== undefined && ["number", "percent"].includes(typeOf(draft.measure, context) ?? "number");
    draft.show =
      isNumber && isMeasureFirst && !subject && draft.order === undefined && draft.with === undefined
        ? "value"
        : "list";
  } else if (asks("summary") || (subject && draft.where.length === 1))
    draft.show = find === "accounts" || find === "users" || find === "features" ? "summary" : "list";
  else if (asks("yes_no") && !asks("list")) draft.show = "yes_no";
  else if (subject && !shape.hasWho && !asks("list") && shape.nouns.length === 0) draft.show = "yes_no";
  else draft.show = "list";
  if (draft.show !== "why" && measures.length === 0 && asks("why")) return;
  pieces.take(...measures, ...forms, ...pieces.all("with"));
  if (isShare && draft.show === "share") pieces.take(...pieces.all("share"));
  if (aggregate !== undefined && aggregates.every((each) => each.aggregate === aggregate.aggregate)) {
    const isTotal = aggregate.aggregate === "sum" || (draft.measure === "score" && aggregate.aggregate === "average");
    if (draft.show === "value" && !isTotal) draft.aggregate = aggregate.aggregate;
    if (draft.show === "value" || isTotal) pieces.take(...aggregates);
  }
}

/** What the highest or the lowest are meant by. */
function rank(draft: Draft, names: readonly string[], find: Find): void {
  if (draft.order === undefined || draft.order.by === "change") return;
  const { by, direction } = draft.order;
  const hasEvent = has(draft, /^event$/);
  const told: Readonly<Record<string, string | undefined>> = {
    size: names[0] ?? (find === "accounts" ? "mrr" : undefined),
    score: "score",
    mrr: "mrr",
    events: names[0] ?? "events",
    time: find === "items" ? "opened" : (names[0] ?? "first_seen"),
    "": names[0] ?? (hasEvent || find === "users" || find === "features" ? "events" : undefined),
  };
  const name = by in told ? told[by] : by;
  if (draft.per !== undefined || find === "events") {
    if (draft.per === undefined) return;
    if (find === "items" || (find !== "events" && names.length === 0 && !hasEvent)) delete draft.order;
    else if (direction === "down" && !["day", "week", "month"].includes(draft.per)) delete draft.order;
    else draft.order = { by: names[0] ?? "events", direction };
    if (draft.measure === undefined && names.length === 0 && hasEvent && find !== "items") draft.measure = "events";
    return;
  }
  if (name === undefined) {
    draft.order = { by: "", direction };
    return;
  }
  draft.order = { by: name, direction };
  if (find !== "items") draft.measure = name;
}

/** The window of items is when they were opened, or put aside. */
function datesOfItems(draft: Draft): void {
  if (draft.window === undefined) return;
  const status = draft.where.find(({ dimension }) => dimension === "status")?.is;
  const dimension = status === "dismissed" || status === "resolved" ? status : "opened";
  draft.where.push({ dimension, within: draft.window });
  if (dimension !== "opened") draft.where = draft.where.filter((filter) => filter.dimension !== "status");
  delete draft.window;
}

const WINDOWED: ReadonlySet<string> = new Set<Measure>([
  "events",
  "active_users",
  "active_days",
  "active_accounts",
  "features_used",
  "adoption",
  "seat_use",
  "score",
  "mrr",
  "seats",
  "arr",
]);
const WINDOWED_FILTER =
  /^(?:active|event|events|active_users|active_days|active_accounts|features_used|seat_use|adoption)$/;

/** Leaves out what says nothing, and rejects what can't be asked. */
function finished(draft: Draft, { dimensions }: FrameContext): Query | null {
  const { find, show, where, order, measure, per } = draft;
  if (find === undefined || show === undefined || order?.by === "") return null;
  if (order !== undefined && order.by === measure && order.direction === "down") delete draft.order;
  if (draft.limit !== undefined && !(show === "list" || per !== undefined)) return null;
  const changes = where.some(({ became, changed }) => (became ?? changed) !== undefined);
  const isTimed =
    (measure !== undefined && WINDOWED.has(measure)) ||
    changes ||
    draft.compare !== undefined ||
    show === "summary" ||
    where.some(({ dimension }) => WINDOWED_FILTER.test(dimension));
  if (draft.window !== undefined && !isTimed) return null;
  if (
    where.length === 0 &&
    show === "list" &&
    measure === undefined &&
    order === undefined &&
    find !== "accounts" &&
    find !== "items" &&
    find !== "features"
  )
    return null;
  const query = { ...draft, find, show, where } satisfies Query;
  return checkQuery(query, dimensions).length === 0 ? query : null;
}

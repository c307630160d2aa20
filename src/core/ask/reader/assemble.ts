/**
 * Combines the fragments of a question into a query. Each step takes the fragments that belong together; a fragment that
 * no step takes is a word that the query would skip, so there is no query.
 */
import type { Dimension } from "../query/dimensions.ts";
import type { Filter, Find, Query, Show, WindowName } from "../query/model.ts";
import type { Draft, Fragment, FragmentType, Placed } from "./fragments.ts";

export type Assembled = { query: Query } | { left: readonly Placed[] };

export interface AssembleContext {
  dimensions: readonly Dimension[];
  /** What "it" and "this account" stand for, and a question that names nobody is about. */
  hints: { account?: string; user?: string; feature?: string };
}

/** The fragments that no step has taken yet, in their order. */
class Pieces {
  #left: Placed[];

  constructor(fragments: readonly Placed[]) {
    this.#left = [...fragments];
  }

  get left(): readonly Placed[] {
    return this.#left;
  }

  all<T extends FragmentType>(type: T): Placed<Extract<Fragment, { type: T }>>[] {
    return this.#left.filter((piece): piece is Placed<Extract<Fragment, { type: T }>> => piece.type === type);
  }

  first<T extends FragmentType>(type: T): Placed<Extract<Fragment, { type: T }>> | undefined {
    return this.all(type)[0];
  }

  /** The next piece after, or the last one before, another. */
  after(piece: Placed): Placed | undefined {
    return this.#left[this.#left.indexOf(piece) + 1];
  }

  before(piece: Placed): Placed | undefined {
    return this.#left[this.#left.indexOf(piece) - 1];
  }

  take(...pieces: readonly (Placed | undefined)[]): void {
    this.#left = this.#left.filter((piece) => !pieces.includes(piece));
  }

  replace(piece: Placed, by: Fragment): void {
    this.#left = this.#left.map((each) => (each === piece ? { ...by, from: piece.from, to: piece.to } : each));
  }
}

export function assemble(fragments: readonly Placed[], context: AssembleContext): Assembled {
  const pieces = new Pieces(fragments);
  const draft: Draft = { where: [] };
  for (const step of STEPS) step(pieces, draft, context);
  return pieces.left.length > 0 ? { left: pieces.left } : { query: completed(draft, context) };
}

type Step = (pieces: Pieces, draft: Draft, context: AssembleContext) => void;

/** "more than 3 active users", "MRR above 5,000", "less than 20 events", "silent for over 14 days". */
const takeBounds: Step = (pieces, draft) => {
  for (const bound of pieces.all("bound")) {
    const number = [pieces.after(bound), pieces.before(bound)].find((piece) => piece?.type === "number");
    if (number?.type !== "number") continue;
    const last = pieces.after(number) === bound ? bound : number;
    const first = last === bound ? number : bound;
    const counted = [pieces.after(last), pieces.before(first)].find((piece) => piece !== undefined && nameOf(piece) !== null);
    const name = counted === undefined ? null : nameOf(counted);
    const silent = pieces.all("filter").find(({ filter }) => filter.dimension === "active");
    if (number.unit !== undefined && number.unit !== "percent" && name !== "active_days" && silent !== undefined) {
      pieces.take(bound);
      pieces.replace(number, { type: "window", window: { last: number.value, unit: number.unit } });
    } else if (counted !== undefined && name !== null) {
      draft.where.push({ dimension: name, [bound.condition]: number.value });
      pieces.take(bound, number, counted);
    }
  }
};

/** What a measure or a dimension is called in a filter. */
function nameOf(piece: Placed): string | null {
  if (piece.type === "measure") return piece.measure === "arr" || piece.measure === "adoption" ? null : piece.measure;
  return piece.type === "dimension" ? piece.dimension : null;
}

/** "not healthy", "without an MRR", "never exported", "no events". */
const takeNegations: Step = (pieces, draft) => {
  for (const negation of pieces.all("negation")) {
    const next = pieces.after(negation);
    if (next?.type === "filter" && next.filter.is !== undefined) {
      const { is, ...rest } = next.filter;
      draft.where.push(typeof is === "boolean" ? { ...rest, is: !is } : { ...rest, isNot: is });
    } else if (next?.type === "value") draft.where.push({ dimension: next.dimension, isNot: next.value });
    else if (next?.type === "measure" && next.measure === "events") draft.where.push({ dimension: "active", is: false });
    else if (next?.type === "measure" || next?.type === "dimension") {
      const name = nameOf(next);
      if (name === null) continue;
      draft.where.push({ dimension: name, isUnknown: true });
    } else if (next?.type === "use" && next.use === "uses") {
      pieces.take(negation);
      pieces.replace(next, { type: "use", use: "uses_not" });
      continue;
    } else continue;
    pieces.take(negation, next);
  }
  for (const { unknown } of pieces.all("unknown")) {
    const piece = pieces.first("unknown");
    const about = piece === undefined ? undefined : [pieces.before(piece), pieces.after(piece)].find((each) => each !== undefined && nameOf(each) !== null);
    const name = about === undefined ? null : nameOf(about);
    if (name === null) continue;
    draft.where.push({ dimension: name, isUnknown: unknown });
    pieces.take(piece, about);
  }
};

/** "per region", "by plan", "each week", "which roles", and nouns that divide: "accounts per plan". */
const takePer: Step = (pieces, draft) => {
  for (const per of pieces.all("per")) {
    const next = pieces.after(per);
    if (per.per !== undefined) {
      draft.per = per.per;
      pieces.take(per);
    } else if (next?.type === "dimension") {
      draft.per = next.dimension;
      pieces.take(per, next);
    } else if (next?.type === "find" && NOUNS[next.find] !== undefined) {
      draft.per = NOUNS[next.find];
      draft.where.push(...(next.where ?? []));
      pieces.take(per, next);
    } else if (next?.type === "number" && next.unit !== undefined) pieces.take();
  }
};

const NOUNS: Partial<Record<Find, string>> = { accounts: "account", users: "user", features: "event" };

/** "most events", "lowest health", "top 5", "newest". */
const takeOrders: Step = (pieces, draft) => {
  for (const order of pieces.all("order")) {
    const number = [pieces.after(order), pieces.before(order)].find((piece) => piece?.type === "number" && piece.unit === undefined);
    if (number?.type === "number" && draft.limit === undefined) draft.limit = number.value;
    const last = number !== undefined && pieces.after(order) === number ? number : order;
    const next = pieces.after(last);
    const name = next === undefined ? null : nameOf(next);
    draft.order = { by: order.by ?? name ?? "measure", direction: order.direction };
    pieces.take(order, number);
    if (next?.type === "measure") {
      draft.measure = next.measure;
      pieces.take(next);
    } else if (next?.type === "dimension") pieces.take(next);
  }
  const [number] = pieces.all("number");
  if (number?.unit === undefined && number !== undefined && draft.limit === undefined && pieces.after(number)?.type === "find") {
    draft.limit = number.value;
    pieces.take(number);
  }
};

/** "grew", "dropped the most", "trend", "compared with the month before", "than globex". */
const takeChanges: Step = (pieces, draft) => {
  const changes = pieces.all("change");
  const [before] = pieces.all("before");
  const [compare] = pieces.all("compare");
  const [window, other] = pieces.all("window");
  if (changes.length === 0 && before === undefined && compare === undefined) return;
  const subjects = pieces.all("value").filter(({ dimension }) => SUBJECTS[dimension] !== undefined);
  const [base, second] = subjects;
  if (compare !== undefined && base !== undefined && second !== undefined && base.dimension === second.dimension) {
    draft.compare = { to: subjectOf(second.dimension, second.value) };
    pieces.take(compare, second);
  } else if (compare !== undefined && window !== undefined && other !== undefined) {
    draft.compare = { to: other.window };
    pieces.take(compare, other);
  } else draft.compare = { to: "before" };
  const direction = changes.find((change) => change.direction !== null)?.direction ?? null;
  if (direction !== null) draft.order = { by: "change", direction: direction === "up" ? "down" : "up" };
  pieces.take(...changes, before, compare);
};

const SUBJECTS: Readonly<Record<string, "account" | "user" | "feature">> = { account: "account", user: "user", event: "feature" };

const subjectOf = (dimension: string, name: string): { account: string } | { user: string } | { feature: string } => {
  if (dimension === "account") return { account: name };
  return dimension === "user" ? { user: name } : { feature: name };
};

/** Values and conditions, joined by "and" or, of one dimension, by "or". */
const takeFilters: Step = (pieces, draft) => {
  for (const { filter } of pieces.all("filter")) draft.where.push(filter);
  pieces.take(...pieces.all("filter"));
  const use = pieces.first("use");
  const values = Map.groupBy(pieces.all("value"), ({ dimension }) => dimension);
  for (const [dimension, named] of values) {
    const [only, ...more] = named.map(({ value }) => value);
    if (only === undefined) continue;
    if (dimension === "event" && use !== undefined) draft.where.push(...usesOf(use.use, [only, ...more], draft.window));
    else draft.where.push(more.length === 0 ? { dimension, is: only } : { dimension, in: [only, ...more] });
    pieces.take(...named);
  }
  pieces.take(use, ...pieces.all("or"));
};

function usesOf(use: Extract<Fragment, { type: "use" }>["use"], events: readonly string[], window: WindowName | undefined): Filter[] {
  const uses = (own?: WindowName): Filter => ({
    dimension: "event",
    ...(events.length === 1 ? { is: events[0] } : { in: [...events] }),
    ...(own && { window: own }),
  });
  const uses_not = (own?: WindowName): Filter[] => events.map((event) => ({ dimension: "event", isNot: event, ...(own && { window: own }) }));
  switch (use) {
    case "uses":
      return [uses()];
    case "uses_not":
      return uses_not(window === undefined ? { all: true } : undefined);
    case "stopped":
      return [uses({ all: true }), ...uses_not(window ?? { last: 14, unit: "day" })];
    case "started":
      return [uses()];
  }
}

const takeWindow: Step = (pieces, draft) => {
  const [window, ...more] = pieces.all("window");
  if (window === undefined || more.length > 0) return;
  const date = draft.where.find(({ dimension }) => dimension === "trial_ends");
  const dimension = pieces.first("dimension");
  if ("next" in window.window || window.isBound !== undefined) {
    const name = dimension?.dimension ?? date?.dimension ?? "trial_ends";
    draft.where.push({ dimension: name, within: window.window });
    pieces.take(window, dimension);
    return;
  }
  draft.window = window.window;
  pieces.take(window);
};

/** What is looked for, the form of the question, and what is shown. */
const takeForm: Step = (pieces, draft) => {
  for (const find of pieces.all("find")) {
    if (draft.find !== undefined && draft.find !== find.find) continue;
    draft.find = find.find;
    draft.where.push(...(find.where ?? []));
    pieces.take(find);
  }
  const forms = pieces.all("form");
  const show = SHOW_ORDER.find((each) => forms.some((form) => form.show === each));
  if (show !== undefined) draft.show = show;
  if (draft.find === undefined && forms.some(({ who }) => who === true)) draft.find = "users";
  pieces.take(...forms);
  const [measure, ...more] = pieces.all("measure");
  if (measure !== undefined && more.length === 0 && draft.measure === undefined) {
    draft.measure = measure.measure;
    pieces.take(measure);
  }
  const [dimension, ...others] = pieces.all("dimension");
  if (dimension !== undefined && others.length === 0 && draft.measure === undefined) {
    draft.measure = dimension.dimension;
    pieces.take(dimension);
  }
  pieces.take(...pieces.all("total").filter(({ total }) => total === "sum" || draft.measure === "score"));
};

/** The most specific form wins: "how many … did" counts, "when did" asks for a day. */
const SHOW_ORDER: readonly Show[] = ["why", "when", "count", "summary", "list", "yes_no"];

const STEPS: readonly Step[] = [takeBounds, takeNegations, takePer, takeOrders, takeChanges, takeWindow, takeFilters, takeForm];

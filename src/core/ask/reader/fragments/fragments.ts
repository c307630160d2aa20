/** The typed pieces of a question. A name or a phrase yields one or more of them; every other word is a stop word. */
import type {
  Aggregate,
  Condition,
  Filter,
  Find,
  Measure,
  Period,
  Query,
  Show,
  Unit,
  WindowName,
} from "../../query/model.ts";

/** Reasons for not answering that follow from a word or phrase in the question. */
export type KeywordReason =
  | "out_of_scope"
  | "prediction"
  | "causal_claim"
  | "opinion"
  | "unmeasured_attribute"
  | "no_such_event";

export type Fragment =
  /** What is looked for: "accounts", "customers" (with their stage), "people". */
  | { type: "find"; find: Find; where?: readonly Filter[]; isOne?: true }
  /** The form of the question: "how many", "which", "when". "who" is either accounts or users. */
  | { type: "form"; show: Show; who?: true; isOne?: true }
  | { type: "measure"; measure: Measure }
  /** A dimension by its name: "plan", "industry", "renewal date". */
  | { type: "dimension"; dimension: string }
  /** Values of the workspace: plans, industries, event names, accounts, users. `all`: each must hold, not just one. */
  | { type: "value"; dimension: string; values: readonly string[]; all?: true }
  /** A condition in a word: "inactive", "at risk", "churned". */
  | { type: "filter"; filter: Filter }
  /** "new": first seen, or opened, in the window. */
  | { type: "new" }
  /** "used", "stopped using": about the events named beside it. "arose": about notices. */
  | { type: "use"; use: "uses" | "arose" | "never" | "stopped" | "started" }
  /** `ahead`: the window for a date that may be in the future. `isVague`: "soon", which any other time replaces. */
  | { type: "window"; window: WindowName; ahead?: WindowName; isBound?: "before" | "after"; isVague?: true }
  /** `currency` makes it an amount of money. */
  | { type: "number"; value: number; unit?: Unit | "percent"; currency?: string }
  /** "more than", "at least": bounds the number beside it. */
  | { type: "bound"; condition: Extract<Condition, "over" | "under" | "from" | "to" | "is"> }
  | { type: "negation" }
  /** "most", "lowest": `down` is the highest first. `by`: the word itself says what it ranks by. `isMore`: "higher". */
  | {
      type: "order";
      direction: "up" | "down";
      by?: "size" | "score" | "time" | "mrr" | "events" | "name" | "date";
      isTop?: true;
      isMore?: true;
    }
  /** "second", before an order. */
  | { type: "nth"; value: number }
  /** "grew", "dropped", "trend". `what`: needs the thing that changed, as in "cut seats". */
  | { type: "change"; direction: "up" | "down" | null; by?: "score" | "what" }
  /** "compared with", "vs". `isImplied`: between the two times of "from May to June", if something changed. */
  | { type: "compare"; isImplied?: true }
  /** "than before", "the period before". */
  | { type: "before" }
  /**
   * "per", "by", "for each", "weekly". "By" may also name who did something, or an order; "split by" only groups, and
   * "sorted by" only orders. `isOver`: "week over week", a series or a change. `isVague`: "curve", by any period.
   */
  | { type: "per"; per?: Period; isStrict?: true; isSplit?: true; isOrder?: true; isOver?: true; isVague?: true }
  /** "the same time", before "last month". */
  | { type: "same" }
  | { type: "aggregate"; aggregate: Aggregate }
  | { type: "share" }
  /** "with their", "along with": what follows is shown too. */
  | { type: "with" }
  | { type: "unknown"; unknown: boolean }
  | { type: "or" }
  | { type: "both" }
  /** What no query expresses: no step takes it, so there is no answer. */
  | { type: "unsupported" }
  /** "became", "went": what follows is the new state, or the old one after "from". */
  | { type: "moved" }
  /** "came back": active after the time in which it was silent. */
  | { type: "returned" }
  /** "mid-sized": has no answer, unless the question also gives the seats or the MRR. */
  | { type: "sized" }
  /** "expired": before today. */
  | { type: "over" }
  /** "it", "this account": the subject that the question names, or that was sent with it. */
  | { type: "pointer"; at: "account" | "user" | "any" }
  /** "Who should I call", "needs attention": the open inbox items. */
  | { type: "attention" }
  /** A word that makes the question unanswerable. */
  | { type: "reason"; reason: KeywordReason };

export type FragmentType = Fragment["type"];
export type PieceOf<T extends FragmentType> = Piece<Extract<Fragment, { type: T }>>;

/** The field that says what a fragment is about, by type. */
export const TOPICS: ReadonlyMap<string, string> = new Map([
  ["find", "find"],
  ["form", "show"],
  ["measure", "measure"],
  ["dimension", "dimension"],
  ["value", "dimension"],
  ["use", "use"],
  ["bound", "condition"],
  ["number", "value"],
  ["order", "direction"],
  ["change", "direction"],
  ["per", "per"],
  ["aggregate", "aggregate"],
  ["nth", "value"],
  ["unknown", "unknown"],
  ["pointer", "at"],
  ["reason", "reason"],
]);

/** A fragment with its words: the index of the first, and of the one after the last. */
export type Piece<F extends Fragment = Fragment> = F & { from: number; to: number };

/** A query that is being filled in. */
export type Draft = Partial<Query> & { where: Filter[] };

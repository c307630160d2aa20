/** The typed pieces that a question is read into. A word belongs to exactly one of them, or changes nothing. */
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
} from "../query/model.ts";

/** Why a question has no answer, as far as its own words tell. */
export type ToldReason = "out_of_scope" | "prediction" | "causal_claim" | "opinion" | "unmeasured_attribute";

export type Fragment =
  /** What is looked for: "accounts", "customers" (with their stage), "people". */
  | { type: "find"; find: Find; where?: readonly Filter[]; isOne?: true }
  /** The form of the question: "how many", "which", "when". "who" is either accounts or users. */
  | { type: "form"; show: Show; who?: true; isOne?: true }
  | { type: "measure"; measure: Measure }
  /** A dimension by its name: "plan", "industry", "renewal date". */
  | { type: "dimension"; dimension: string }
  /** Values that the workspace has: plans, industries, event names, accounts, users. `all` of them must be met, or any. */
  | { type: "value"; dimension: string; values: readonly string[]; all?: true }
  /** A condition in a word: "inactive", "at risk", "churned". */
  | { type: "filter"; filter: Filter }
  /** "new": first seen, or opened, in the window. */
  | { type: "new" }
  /** "used", "stopped using": what is said of the events named beside it. Notices arise, too. */
  | { type: "use"; use: "uses" | "arose" | "never" | "stopped" | "started" }
  /** `ahead`: the same for a date that may be to come. `isVague`: "soon", unless a time says when. */
  | { type: "window"; window: WindowName; ahead?: WindowName; isBound?: "before" | "after"; isVague?: true }
  /** `currency` makes it an amount of money. */
  | { type: "number"; value: number; unit?: Unit | "percent"; currency?: string }
  /** "more than", "at least": bounds the number beside it. */
  | { type: "bound"; condition: Extract<Condition, "over" | "under" | "from" | "to" | "is"> }
  | { type: "negation" }
  /** "most", "lowest": `down` is the highest first. What is ranked by is the measure, or told by the word itself. */
  | {
      type: "order";
      direction: "up" | "down";
      by?: "size" | "score" | "time" | "mrr" | "events" | "name" | "date";
      isTop?: true;
    }
  /** "grew", "dropped", "trend". `what`: only with what has grown, as in "cut seats". */
  | { type: "change"; direction: "up" | "down" | null; by?: "score" | "what" }
  /** "compared with", "vs". */
  | { type: "compare" }
  /** "than before", "the period before". */
  | { type: "before" }
  /** "per", "by", "for each", "weekly". "By" may also say who did something, or what ranks; "split by" only divides. */
  | { type: "per"; per?: Period; isStrict?: true; isSplit?: true }
  | { type: "aggregate"; aggregate: Aggregate }
  | { type: "share" }
  /** "with their", "along with": what follows is shown too. */
  | { type: "with" }
  | { type: "unknown"; unknown: boolean }
  | { type: "or" }
  /** "became", "went from": what follows is the new state, or the old one and the new one. */
  | { type: "moved"; isFrom?: true }
  /** "expired": before today. */
  | { type: "over" }
  /** "it", "this account": what the question was sent with, or has named. */
  | { type: "pointer"; at: "account" | "user" | "any" }
  /** No question with such a word has an answer. */
  | { type: "reason"; reason: ToldReason };

export type FragmentType = Fragment["type"];
export type Of<T extends FragmentType> = Placed<Extract<Fragment, { type: T }>>;

/** A fragment with the words that it was read from: the first, and the one after the last. */
export type Placed<F extends Fragment = Fragment> = F & { from: number; to: number };

/** Part of a query that a reading fills in. */
export type Draft = Partial<Query> & { where: Filter[] };

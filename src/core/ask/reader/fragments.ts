/** The typed pieces that a question is read into. A word belongs to exactly one of them, or is one of `STOP_WORDS`. */
import type { Condition, Filter, Find, Measure, Query, Show, Unit, WindowName } from "../query/model.ts";

export type Fragment =
  /** What is looked for: "accounts", "customers" (with their stage), "people". */
  | { type: "find"; find: Find; where?: readonly Filter[] }
  /** The form of the question: "how many", "which", "when". "who" is either accounts or users. */
  | { type: "form"; show: Show; who?: true }
  | { type: "measure"; measure: Measure }
  /** A dimension by its name: "plan", "industry", "renewal date". */
  | { type: "dimension"; dimension: string }
  /** A value that the workspace has: a plan, an industry, an event name, an account, a user. */
  | { type: "value"; dimension: string; value: string }
  /** A condition in a word: "inactive", "at risk", "churned". */
  | { type: "filter"; filter: Filter }
  /** "used", "stopped using", "never used": what is said of the events named beside it. */
  | { type: "use"; use: "uses" | "uses_not" | "stopped" | "started" }
  | { type: "window"; window: WindowName; isBound?: "before" | "after" }
  | { type: "number"; value: number; unit?: Unit | "percent" }
  /** "more than", "at least": bounds the number that follows. */
  | { type: "bound"; condition: Extract<Condition, "over" | "under" | "from" | "to" | "is"> }
  | { type: "negation" }
  /** "most", "lowest", "best": `down` is the highest first. "top" ranks by whatever is measured. */
  | { type: "order"; direction: "up" | "down"; by?: string; isSingle?: true }
  /** "grew", "dropped", "trend". */
  | { type: "change"; direction: "up" | "down" | null }
  /** "compared with", "vs". */
  | { type: "compare" }
  /** "than before", "the period before". */
  | { type: "before" }
  /** "per", "by", "for each", "weekly". */
  | { type: "per"; per?: "day" | "week" | "month" }
  /** "average", "total": how several values come to one. */
  | { type: "total"; total: "sum" | "average" }
  | { type: "unknown"; unknown: boolean }
  | { type: "or" };

export type FragmentType = Fragment["type"];

/** A fragment with the words that it was read from. */
export type Placed<F extends Fragment = Fragment> = F & { from: number; to: number };

/** Part of a query that a reading fills in. */
export type Draft = Partial<Query> & { where: Filter[] };

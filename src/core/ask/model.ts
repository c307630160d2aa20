/** The types that answers to questions and to queries share. */
import type { Day, Window } from "../health/model.ts";

/** Why there is no answer. */
export const REFUSAL_REASONS = [
  "no_such_subject",
  "ambiguous_subject",
  "no_such_event",
  "no_data_in_window",
  "insufficient_history",
  "unmeasured_attribute",
  "needs_previous",
  "unresolved_words",
  "causal_claim",
  "prediction",
  "opinion",
  "out_of_scope",
  "stale_data",
  "too_many_rows",
] as const;
export type RefusalReason = (typeof REFUSAL_REASONS)[number];

/** How recent and how complete a workspace's data is. */
export interface Freshness {
  /** Milliseconds since the epoch; `null` if there was none yet. */
  lastEventAt: number | null;
  lastRecomputeAt: number | null;
  /** The first day with an event whose counts are kept; `null` if there was none yet. */
  firstDay: Day | null;
  /** More messages wait to be folded than an answer can count. Queries that count messages are then refused. */
  isBehind: boolean;
}

export const EVIDENCE_KINDS = ["rollup", "event", "attribute", "health", "item", "trait"] as const;

/** A value in an answer, and where it comes from. */
export interface Evidence {
  id: string;
  kind: (typeof EVIDENCE_KINDS)[number];
  measure: string;
  value: number | string | boolean | null;
  window?: Window;
  /** Milliseconds since the epoch. */
  asOf: number;
}

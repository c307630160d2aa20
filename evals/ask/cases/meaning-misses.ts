/** Near misses for what they say, with the reasons that are right for each. */
import { family, type MissFamily } from "./misses.ts";

const NOT_KEPT = ["unresolved_words", "unmeasured_attribute", "out_of_scope"];

/** Where nobody could say which of the words is the one too many. */
const UNCLEAR = [
  "unresolved_words",
  "no_such_subject",
  "no_such_event",
  "out_of_scope",
  "ambiguous_subject",
  "unmeasured_attribute",
];

export const MEANING_MISSES: readonly MissFamily[] = [
  family("several_meant", UNCLEAR, undefined, { count: 3 }),
  family("odd_time", UNCLEAR, undefined, { count: 3 }),
  family("odd_ranking", UNCLEAR, undefined, { count: 3 }),
  family("condition", ["unresolved_words", "unmeasured_attribute"]),
  family("negation", ["unresolved_words", "out_of_scope"]),
  family("extreme", ["unresolved_words", "out_of_scope"]),
  family("history_of_attribute", [
    "unresolved_words",
    "unmeasured_attribute",
    "insufficient_history",
    "no_data_in_window",
    "out_of_scope",
  ]),
  family("too_much_asked", ["unresolved_words", "out_of_scope", "ambiguous_subject", "unmeasured_attribute"]),
  family("breakdown", NOT_KEPT, undefined, { count: 3 }),
  family("derived", NOT_KEPT, undefined, { count: 3 }),
  family("threshold", ["unresolved_words", "out_of_scope"], undefined, { count: 3 }),
  family("comparison_beyond", [...UNCLEAR, "opinion"], undefined, { count: 3 }),
  family("owned", [...NOT_KEPT, "no_such_subject"], undefined, { count: 3 }),
  family("multi_part", UNCLEAR, undefined, { count: 3 }),
  family("follow_up", [...UNCLEAR, "causal_claim"], undefined, { count: 3 }),
  family("sarcasm", ["opinion", "out_of_scope", "unresolved_words"], undefined, { count: 3 }),
  family("other_domain", ["out_of_scope", "no_such_subject", "unresolved_words"]),
  family("instruction", ["out_of_scope", "unresolved_words"], undefined, { count: 3 }),
  family("causal", ["causal_claim"]),
  family("prediction", ["prediction"]),
  family("opinion", ["opinion"]),
  family("out_of_scope", ["out_of_scope"]),
  family("injected", ["out_of_scope", "unresolved_words", "no_such_subject"]),
];

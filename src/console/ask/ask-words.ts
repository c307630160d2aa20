/** What the page says of an answer's codes and figures. */
import { inExactFigures } from "../../core/ask/answer/wording.ts";
import type { Evidence, Match, Reason } from "../../core/ask/model.ts";
import { shortened } from "../components/truncate.ts";

/** Why there is no answer, in a few words; the answer's detail says the rest. */
export const REASON_NAMES: Readonly<Record<Reason, string>> = {
  no_such_subject: "Nobody of that name is known here",
  ambiguous_subject: "Several have that name",
  no_such_event: "No such event was ever seen here",
  no_data_in_window: "There are no records of that time",
  insufficient_history: "Too little is known so far",
  unmeasured_attribute: "That is not measured here",
  unresolved_words: "Some of these words are not understood",
  causal_claim: "Causes are not known here",
  prediction: "The future is not known here",
  opinion: "That is for people to judge",
  out_of_scope: "That is not about your accounts",
  stale_data: "What is known is not up to date",
  mixed_currency: "Different currencies are not added up",
  internal_check: "The answer did not stand on its evidence, and was withheld",
};

export const MATCH_NAMES: Readonly<Record<Match, string>> = {
  hint: "told beside the question",
  internal_id: "by its id",
  external_id: "by its id",
  name: "by its name",
  folded: "by its name, written another way",
  spoken: "by its name in other words",
  fuzzy: "by a name that is nearly the same",
};

export const EVIDENCE_NAMES: Readonly<Record<Evidence["kind"], string>> = {
  rollup: "counted",
  event: "event",
  attribute: "attribute",
  health: "health",
  item: "inbox",
  trait: "trait",
};

/** `Active users` of `active_users` and of `activeUsers`; `Silent: expected` of `silent.expected`. */
export function nameOf(code: string): string {
  const words = code
    .replace(".", ": ")
    .replaceAll(/(?<=[a-z])(?=[A-Z])|_/g, " ")
    .toLowerCase();
  return words.replace(/^mrr\b/, "MRR").replace(/^./, (first) => first.toUpperCase());
}

/** A value of an answer, as people write it. */
export function valueOf(value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "number") return inExactFigures(value);
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return shortened(typeof value === "string" ? value : JSON.stringify(value));
}

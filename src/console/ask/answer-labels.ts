/** Labels for the codes and values of answers. */
import { inExactFigures } from "../../core/ask/answer/wording.ts";
import type { Evidence, Match, Reason } from "../../core/ask/model.ts";
import { truncate } from "../components/truncate.ts";

/** The headings of refusals. The answer's detail says more. */
export const REFUSAL_TITLES: Readonly<Record<Reason, string>> = {
  no_such_subject: "No account or user with this name",
  ambiguous_subject: "Several accounts or users have this name",
  no_such_event: "No events with this name",
  no_data_in_window: "No data for this period",
  insufficient_history: "Not enough data yet",
  unmeasured_attribute: "This is not measured",
  unresolved_words: "I don’t understand some of these words",
  causal_claim: "I don’t know causes",
  prediction: "I can’t predict the future",
  opinion: "I can’t recommend that; see the inbox",
  out_of_scope: "This is not about your accounts",
  stale_data: "The data is out of date",
  mixed_currency: "Amounts in different currencies can’t be added up",
  internal_check: "The answer did not match its evidence and was withheld",
};

export const MATCH_LABELS: Readonly<Record<Match, string>> = {
  hint: "given with the question",
  internal_id: "by id",
  external_id: "by id",
  name: "by name",
  folded: "by name, in another spelling",
  spoken: "by name, in other words",
  fuzzy: "by a similar name",
};

export const EVIDENCE_LABELS: Readonly<Record<Evidence["kind"], string>> = {
  rollup: "counted",
  event: "event",
  attribute: "attribute",
  health: "health",
  item: "inbox",
  trait: "trait",
};

/** Turns a code into a label: `Active users` from `active_users` or `activeUsers`, `Silent: expected` from `silent.expected`. */
export function labelOf(code: string): string {
  const words = code
    .replace(".", ": ")
    .replaceAll(/(?<=[a-z])(?=[A-Z])|_/g, " ")
    .toLowerCase();
  return words.replace(/^mrr\b/, "MRR").replace(/^./, (first) => first.toUpperCase());
}

/** Formats any value of an answer. */
export function formatValue(value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "number") return inExactFigures(value);
  if (typeof value === "boolean") return value ? "Yes" : "No";
  return truncate(typeof value === "string" ? value : JSON.stringify(value));
}
